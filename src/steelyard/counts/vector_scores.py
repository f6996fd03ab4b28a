"""Scores of per-class vectors, summed so exactly that shards may be added in any order."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, Self, get_args

from steelyard.counts.cells import add_cells, whole, whole_counts
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names, sort_classes
from steelyard.counts.weights import SCALE
from steelyard.errors import CountsError, RequestError, listing

__all__ = ["VECTOR_RULES", "VectorRule", "VectorScores", "WeightedVectors"]


VectorRule = Literal["spherical", "winner", "brier", "log"]
"""How one vector is scored against the true class (see :class:`VectorScores`)."""

VECTOR_RULES: tuple[VectorRule, ...] = get_args(VectorRule)


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorScores:
    """Sums of item scores by true class, and of their products between systems.

    Each item of true class ``t`` with vector ``o`` scores, under the rule

    ``spherical``  ``o[t] / sqrt(sum o^2)``, the L2 score of MeasTex;
    ``winner``     1 when ``o[t]`` is the largest, ``1/k`` when it shares that place with k - 1
                   others, else 0;
    ``brier``      ``sum (q - e_t)^2`` with ``q = o / sum o``, ``e_t`` the unit vector of the truth;
    ``log``        ``-ln q[t]``; infinite when ``q[t]`` is 0, and then counted in ``infinite``.

    An item score ``x`` enters its sum as ``floor(x * SCALE + 0.5)``, two scores ``x`` and ``y`` of
    one item enter their product as ``floor(x * y * SCALE + 0.5)``. Sums are then whole numbers:
    equal bits on every engine. ``sums[rule, system, class]`` and ``products[rule, system, system,
    class]`` (the systems in the order of ``systems``; twice the same system gives its squares) are
    times SCALE. They are kept for classes that have items; a rule that was not summed is not there.
    Infinite scores are in no sum, and an item on which either score is infinite is in no product.

    Examples
    --------
    >>> scores = VectorScores.from_sums(
    ...     systems=["A"],
    ...     items={"cat": 2},
    ...     sums={("winner", "A", "cat"): SCALE},
    ...     products={("winner", "A", "A", "cat"): SCALE},
    ... )
    >>> scores.total, scores.mean("winner", "A", "cat")
    (2, 0.5)
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    items: tuple[tuple[str, int], ...]
    sums: tuple[tuple[VectorRule, str, str, int], ...]
    products: tuple[tuple[VectorRule, str, str, str, int], ...]
    infinite: tuple[tuple[str, str, int], ...] = ()
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        classes = check_names(self.classes, "class")
        if not systems:
            message = "No system is named; vector scores need at least one."
            raise CountsError(message, code="no-systems")
        check_names([name for name, _ in self.items], "class")
        items = dict(self.items)
        _check_known(items, classes, "Items of classes")
        counts = whole_counts((items.get(name, 0) for name in classes), "The items")
        items = dict(zip(classes, counts, strict=True))
        for name, value in (
            ("systems", systems),
            ("classes", classes),
            ("items", tuple(items.items())),
            ("sums", _check_sums(self.sums, systems, items, places=1)),
            ("products", _check_sums(self.products, systems, items, places=2)),
            ("infinite", _check_infinite(self.infinite, systems, items)),
            ("excluded", merge_exclusions(self.excluded)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def from_sums(
        cls,
        *,
        systems: Sequence[str],
        items: Mapping[str, int],
        sums: Mapping[tuple[VectorRule, str, str], int],
        products: Mapping[tuple[VectorRule, str, str, str], int],
        infinite: Mapping[tuple[str, str], int] | None = None,
        classes: Sequence[str] | None = None,
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from mappings; keys of ``products`` name two systems in the order of ``systems``.

        >>> VectorScores.from_sums(systems=["A"], items={"cat": 2}, sums={}, products={}).items
        (('cat', 2),)
        """
        return cls(
            systems=check_names(systems, "system"),
            classes=sort_classes(items) if classes is None else check_names(classes, "class"),
            items=tuple(items.items()),
            sums=tuple((*key, total) for key, total in sums.items()),
            products=tuple((*key, total) for key, total in products.items()),
            infinite=tuple((*key, rows) for key, rows in (infinite or {}).items()),
            excluded=tuple(excluded),
        )

    @property
    def total(self) -> int:
        """Items counted."""
        return sum(rows for _, rows in self.items)

    def scaled_sum(self, rule: VectorRule, system: str, of: str) -> int:
        """Sum of the finite scores, times SCALE, of one system on the items of one true class.

        >>> sums = {("log", "A", "cat"): 7}
        >>> scores = VectorScores.from_sums(systems=["A"], items={"cat": 2}, sums=sums, products={})
        >>> scores.scaled_sum("log", "A", "cat")
        7
        """
        return self._sum_of(self.sums, rule, (system,), of)

    def scaled_product(self, rule: VectorRule, systems: tuple[str, str], of: str) -> int:
        """Sum of the products of two systems' scores, times SCALE, in whichever order they come.

        >>> squares = {("winner", "A", "A", "cat"): 9}
        >>> VectorScores.from_sums(
        ...     systems=["A"], items={"cat": 2}, sums={}, products=squares
        ... ).scaled_product("winner", ("A", "A"), "cat")
        9
        """
        return self._sum_of(self.products, rule, systems, of)

    def mean(self, rule: VectorRule, system: str, of: str) -> float | None:
        """Mean score of one system on the items of one true class.

        None without items, and under ``log`` when a score is infinite.
        """
        total = self.scaled_sum(rule, system, of)
        rows = self.items[self.classes.index(of)][1]
        if not rows or (rule == "log" and _look_up(self.infinite, (system, of))):
            return None
        return total / (SCALE * rows)

    def __add__(self, other: Self) -> Self:
        if self.systems != other.systems:
            message = (
                f"Scores of {listing(self.systems)} and of {listing(other.systems)} cannot be "
                "added."
            )
            raise CountsError(message, code="systems-differ")
        _check_same_sums(self, other)
        same = self.classes == other.classes
        return self.from_sums(
            systems=self.systems,
            classes=self.classes if same else sort_classes({*self.classes, *other.classes}),
            items=add_cells(dict(self.items), dict(other.items)),
            sums=add_cells(_by_key(self.sums), _by_key(other.sums)),
            products=add_cells(_by_key(self.products), _by_key(other.products)),
            infinite=add_cells(_by_key(self.infinite), _by_key(other.infinite)),
            excluded=merge_exclusions(self.excluded, other.excluded),
        )

    def _sum_of(
        self, rows: tuple[tuple[Any, ...], ...], rule: str, systems: tuple[str, ...], of: str
    ) -> int:
        self._check_names(rule, systems, of)
        key = (rule, *sorted(systems, key=self.systems.index), of)
        found = _look_up(rows, key)
        if found is None and dict(self.items)[of]:
            message = f"These counts hold no sum for {' '.join(key)}. Tally this rule as well."
            raise CountsError(message, code="sums-missing")
        return found or 0

    def _check_names(self, rule: str, systems: tuple[str, ...], of: str) -> None:
        if rule not in VECTOR_RULES:
            refusal = RequestError.for_choice("rule", rule, VECTOR_RULES)
            raise refusal
        wanted = [("class", of, self.classes), *(("system", s, self.systems) for s in systems)]
        for kind, name, known in wanted:
            if name not in known:
                message = f"No {kind} {name!r} here. Known: {listing(known)}."
                raise CountsError(message, code=f"{kind}-unknown")


def _by_key(rows: Collection[tuple[Any, ...]]) -> dict[Any, int]:
    return {row[:-1]: row[-1] for row in rows}


def _look_up(rows: tuple[tuple[Any, ...], ...], key: tuple[str, ...]) -> int | None:
    """Look a key up in sorted rows of (*key, value)."""
    place = bisect_left(rows, key)
    here = place < len(rows) and rows[place][:-1] == key
    return int(rows[place][-1]) if here else None


def _check_same_sums(one: VectorScores, other: VectorScores) -> None:
    """Refuse parts which summed different rules on a class that both have."""
    shared = {name for name, rows in one.items if rows} & {
        name for name, rows in other.items if rows
    }
    for rows, more in ((one.sums, other.sums), (one.products, other.products)):
        missing = {row[:-1] for row in rows if row[-2] in shared} ^ {
            row[:-1] for row in more if row[-2] in shared
        }
        if missing:
            message = (
                f"Only one of two parts has the sum {min(missing)}; tally the same rules in both."
            )
            raise CountsError(message, code="sums-differ")


def _check_known(names: Collection[str], known: Collection[str], what: str) -> None:
    strange = sorted(str(name) for name in set(names).difference(known))
    if strange:
        message = f"{what} that were not declared: {listing(strange)}."
        raise CountsError(message, code="class-unknown")


def _check_sums(
    rows: Collection[tuple[Any, ...]],
    systems: tuple[str, ...],
    items: Mapping[str, int],
    *,
    places: int,
) -> tuple[Any, ...]:
    """Sort sums by key; a row is a rule, ``places`` systems in order, a class and the sum."""
    if len(_by_key(rows)) != len(rows):
        message = "A sum of vector scores is given twice; add the two up."
        raise CountsError(message, code="cell-twice")
    order = {name: place for place, name in enumerate(systems)}
    for rule, *named, of, total in rows:
        at = [order.get(name, -1) for name in named]
        if rule not in VECTOR_RULES or of not in items or len(named) != places or min(at) < 0:
            message = (
                f"A sum of vector scores is keyed {(rule, *named, of)}, which was not declared."
            )
            raise CountsError(message, code="class-unknown")
        if at != sorted(at):
            message = (
                f"A product is keyed {tuple(named)}; expected the order of {listing(systems)}."
            )
            raise CountsError(message, code="systems-differ")
        if isinstance(total, bool) or not isinstance(total, Integral) or total < 0:
            message = (
                f"A sum of vector scores is {total!r}; it must be whole (times 2^30), 0 or more."
            )
            raise CountsError(message, code="count-not-whole")
        if total and not items[of]:
            message = f"A sum of vector scores is given for {of!r}, which has no items."
            raise CountsError(message, code="no-items")
    return tuple(sorted((*row[:-1], int(row[-1])) for row in rows if items[row[-2]]))


def _check_infinite(
    rows: Collection[tuple[str, str, int]], systems: tuple[str, ...], items: Mapping[str, int]
) -> tuple[tuple[str, str, int], ...]:
    for system, of, count in rows:
        if system not in systems or whole(count, "infinite") > items.get(of, 0):
            message = (
                f"{count} infinite scores of {system!r} on {of!r}, which has {items.get(of, 0)}."
            )
            raise CountsError(message, code="counts")
    return tuple(sorted((system, of, int(count)) for system, of, count in rows if count))


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightedVectors:
    """Sums over rows with weights ``w`` and item scores ``x``, by true class.

    The scores are those of :class:`~steelyard.counts.VectorScores`. ``sums`` holds whole numbers
    (those with weights are times SCALE, each row rounded once) under the keys

    ``("rows", class)`` and ``("held", class)``: rows, and rows that weigh more than 0;
    ``("weight", class)`` and ``("square", class)``: sums of ``w`` and of ``w^2``;
    ``("sum", rule, system, class)`` and ``("first", rule, system, class)``: of ``w x``, ``w^2 x``;
    ``("product", rule, system, system, class)``: of ``w^2 x y``, systems in their order;
    ``("infinite", system, class)``: rows with a weight whose log score is infinite.

    Examples
    --------
    >>> sums = {("rows", "cat"): 2, ("held", "cat"): 2, ("weight", "cat"): 3 * SCALE}
    >>> part = WeightedVectors.from_sums(systems=["A"], classes=["cat"], sums=sums)
    >>> (part + part).total, (part + part).weight("cat")
    (4, 6.0)
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    sums: tuple[tuple[tuple[str, ...], int], ...]

    @classmethod
    def from_sums(
        cls,
        *,
        systems: Sequence[str],
        classes: Sequence[str],
        sums: Mapping[tuple[str, ...], int],
    ) -> Self:
        """Build from a mapping; what is 0 need not be named."""
        known = set(classes)
        strange = sorted({key[-1] for key in sums} - known)
        if strange:
            message = f"Sums of classes that were not declared: {listing(strange)}."
            raise CountsError(message, code="class-unknown")
        return cls(
            systems=check_names(systems, "system"),
            classes=check_names(classes, "class"),
            sums=tuple(sorted((key, int(value)) for key, value in sums.items() if value)),
        )

    @property
    def known(self) -> dict[tuple[str, ...], int]:
        """The sums by key."""
        return dict(self.sums)

    @property
    def total(self) -> int:
        """Rows counted."""
        return sum(value for key, value in self.sums if key[0] == "rows")

    def weight(self, of: str) -> float:
        """Sum of the weights of one true class."""
        return self.known.get(("weight", of), 0) / SCALE

    def __add__(self, other: Self) -> Self:
        if self.systems != other.systems:
            message = (
                f"Scores of {listing(self.systems)} and of {listing(other.systems)} cannot be "
                "added."
            )
            raise CountsError(message, code="systems-differ")
        same = self.classes == other.classes
        return self.from_sums(
            systems=self.systems,
            classes=self.classes if same else sort_classes({*self.classes, *other.classes}),
            sums=add_cells(self.known, other.known),
        )

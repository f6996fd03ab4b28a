"""A number for each item and system: its sums, and its sums of products, without any error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, lcm
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from steelyard.counts.cells import whole
from steelyard.counts.columns import place_of
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.grids import LARGEST_VALUE, Grid, Span, exact_products
from steelyard.counts.labels import check_names
from steelyard.errors import CountsError, listing

__all__ = ["Linearised", "Moments"]

LAST_DIGIT = 2.0**-50
"""Values that differ by no more than this part of themselves differ by rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linearised:
    r"""Means or ratios of sums, and how they vary from unit to unit.

    ``values[s]`` is :math:`R_s = \sum x_s / \sum w_s` (:math:`w = 1` for a mean), and
    ``covariances[s][t]`` the covariance, over ``units`` - 1, of the residuals
    :math:`(x_s - R_s w_s) / \bar w_s`. Exact until the last rounding.
    """

    systems: tuple[str, ...]
    units: int
    values: tuple[Fraction, ...]
    covariances: tuple[tuple[Fraction, ...], ...]

    def value(self, system: str) -> float:
        """Give the mean or ratio of one system."""
        return float(self.values[self.systems.index(system)])

    def variance(self, system: str) -> float:
        """Give the variance of one system's residuals from unit to unit."""
        place = self.systems.index(system)
        return self._unless_rounding(float(self.covariances[place][place]), place)

    def difference(self, first: str, second: str) -> float:
        """Give the first minus the second, subtracted before it is rounded."""
        one, two = self.systems.index(first), self.systems.index(second)
        return float(self.values[one] - self.values[two])

    def variance_of_difference(self, first: str, second: str) -> float:
        """Give the variance of the difference of residuals; exactly 0 where all are alike."""
        one, two = self.systems.index(first), self.systems.index(second)
        found = self.covariances
        spread = float(found[one][one] + found[two][two] - 2 * found[one][two])
        return self._unless_rounding(spread, one, two)

    def _unless_rounding(self, spread: float, *places: int) -> float:
        """Give 0 for the last digit of floats: ``b + 1`` differs from b by 1 on every item."""
        size = sum(float(self.covariances[k][k]) + float(self.values[k]) ** 2 for k in places)
        return 0.0 if spread <= LAST_DIGIT**2 * size else spread

    def matrix(self) -> NDArray[np.float64]:
        """Give the covariances as an array."""
        return np.array([[float(one) for one in row] for row in self.covariances])


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Sums of values and of their products over items, in whole numbers of steps of 1/``scale``.

    The columns are the values of the ``systems``, then the denominators that ``per`` names, if
    any; ``of`` gives for each system the place of its denominator among these. ``sums`` has a
    number for each column, ``products`` one for each pair of columns, row by row from the
    diagonal on, in steps of 1/``scale``². Parts are added with ``+`` without any error, in any
    order; what was written as decimals is summed as such.

    Examples
    --------
    >>> moments = Moments.from_arrays({"A": [0.1, 0.2], "B": [0.1, 0.3]})
    >>> moments.items, moments.mean("A"), moments.linearised().difference("B", "A")
    (2, 0.15, 0.05)
    >>> wer = Moments.from_arrays({"A": [1, 0]}, per={"words": [10, 30]}).linearised()
    >>> wer.value("A")
    0.025
    """

    systems: tuple[str, ...]
    items: int
    scale: int
    sums: tuple[int, ...]
    products: tuple[int, ...]
    least: tuple[float, ...]
    largest: tuple[float, ...]
    per: tuple[str, ...] = ()
    of: tuple[int, ...] = ()
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        if not systems:
            message = "No system is named; a number for each item needs at least one."
            raise CountsError(message, code="no-systems")
        if whole(self.items, "The items") < 1:
            message = "There is no item; sums of values need one or more."
            raise CountsError(message, code="no-items")
        self._check_sizes()
        scale, sums, products = _reduce(self.scale, self.sums, self.products)
        for name, value in (
            ("systems", systems),
            ("scale", scale),
            ("sums", sums),
            ("products", products),
            ("excluded", merge_exclusions(self.excluded)),
        ):
            object.__setattr__(self, name, value)

    def _check_sizes(self) -> None:
        width = len(self.systems) + len(self.per)
        sizes = {
            "sums": (len(self.sums), width),
            "products": (len(self.products), width * (width + 1) // 2),
            "least": (len(self.least), width),
            "largest": (len(self.largest), width),
            "of": (len(self.of), len(self.systems) if self.per else 0),
        }
        for name, (found, wanted) in sizes.items():
            if found != wanted:
                message = f"{name} has {found} numbers for {width} columns; expected {wanted}."
                raise CountsError(message, code="lengths-differ")
        if any(not 0 <= place < len(self.per) for place in self.of):
            message = f"of={self.of} points outside the {len(self.per)} denominators."
            raise CountsError(message, code="lengths-differ")
        columns = zip(self.least, self.largest, self.sums, self._squares(), strict=True)
        for low, high, total, squares in columns:
            mean = Fraction(total, self.scale * self.items)
            spread = Fraction(squares, self.scale**2) - mean * mean * self.items
            # A sum outside the range of its values, or too few squares, is no sum of values.
            finite = isfinite(low) and isfinite(high)
            near = Fraction(max(abs(low), abs(high)) * 1e-9) if finite else Fraction(0)
            inside = finite and low - near <= mean <= high + near
            if not inside or spread < 0:
                message = (
                    f"{self.items} values from {low:g} to {high:g} cannot add up to "
                    f"{float(mean * self.items):g} with these squares."
                )
                raise CountsError(message, code="sums-contradict")

    def _squares(self) -> list[int]:
        width = len(self.sums)
        return [self.products[_place(i, i, width)] for i in range(width)]

    @classmethod
    def from_arrays(
        cls,
        values: Mapping[str, ArrayLike],
        *,
        per: Mapping[str, ArrayLike] | None = None,
        of: Sequence[int] = (),
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Sum an array for each system; ``per`` are the denominators, one for all or one for each.

        >>> Moments.from_arrays({"A": [1, 2, 4]}).sums
        (7,)
        """
        denominators = dict(per or {})
        columns = [
            _column(column, name, at)
            for at, (name, column) in enumerate([*values.items(), *denominators.items()])
        ]
        lengths = {column.size for column in columns}
        if len(lengths) != 1 or lengths == {0}:
            message = f"Arrays of {listing(sorted(lengths))} values; expected one length, not 0."
            raise CountsError(message, code="lengths-differ")
        spans = [Span.of(column) for column in columns]
        grids = [Grid.of(span) for span in spans]
        sums, products = exact_products(columns, grids)
        each = range(len(values))
        places = tuple(of) or tuple(each if len(denominators) > 1 else [0] * len(values))
        return cls.from_steps(
            systems=tuple(values),
            items=columns[0].size,
            spans=spans,
            sums=sums,
            products=products,
            per=tuple(denominators),
            of=places if denominators else (),
            excluded=tuple(excluded),
        )

    @classmethod
    def from_steps(  # noqa: PLR0913 - what a row of sums is made of
        cls,
        *,
        systems: Sequence[str],
        items: int,
        spans: Sequence[Span],
        sums: Sequence[int],
        products: Sequence[Sequence[int]],
        per: Sequence[str] = (),
        of: Sequence[int] = (),
        excluded: Sequence[Exclusion] = (),
        grids: Sequence[Grid] | None = None,
    ) -> Self:
        """Bring sums in steps of the columns' own grids (by default those of ``spans``) together.

        >>> span = Span(least=0.5, largest=1.0, smallest=0.5, off=(1, 0, 0, 0))
        >>> Moments.from_steps(
        ...     systems=["A"], items=2, spans=[span], sums=[1500], products=[[1250000]]).mean("A")
        0.75
        """
        scales = [grid.scale for grid in grids or [Grid.of(span) for span in spans]]
        common = lcm(*(scale.numerator for scale in scales))
        factors = [common / scale for scale in scales]
        width = len(scales)
        return cls(
            systems=tuple(systems),
            items=items,
            scale=common,
            sums=tuple(int(total * f) for total, f in zip(sums, factors, strict=True)),
            products=tuple(
                int(products[i][j] * factors[i] * factors[j])
                for i in range(width)
                for j in range(i, width)
            ),
            least=tuple(span.least for span in spans),
            largest=tuple(span.largest for span in spans),
            per=tuple(per),
            of=tuple(of),
            excluded=tuple(excluded),
        )

    @property
    def total(self) -> int:
        """Items counted."""
        return self.items

    def mean(self, system: str) -> float:
        """Give the mean of a system's values over the items, whatever the denominators.

        >>> Moments.from_arrays({"A": [1, 2, 4, 5]}).mean("A")
        3.0
        """
        return float(Fraction(self.sums[place_of(self.systems, system)], self.scale * self.items))

    def sum_of(self, system: str) -> Fraction:
        """Give the exact sum of a system's values."""
        return Fraction(self.sums[place_of(self.systems, system)], self.scale)

    def denominator_of(self, system: str) -> Fraction:
        """Give the exact sum of a system's denominators; the items where there are none."""
        if not self.per:
            return Fraction(self.items)
        weight = self.of[place_of(self.systems, system)]
        return Fraction(self.sums[len(self.systems) + weight], self.scale)

    def telling(self) -> float:
        r"""Give how many items of one denominator each tell as much, :math:`(\sum w)^2/\sum w^2`.

        >>> Moments.from_arrays({"A": [1, 2, 3]}, per={"words": [1, 1, 8]}).telling()
        1.5151515151515151
        """
        if not self.per:
            return float(self.items)
        places = [len(self.systems) + at for at in sorted(set(self.of))]
        return float(
            min(Fraction(self.sums[at], self.scale) ** 2 / self.product(at, at) for at in places)
        )

    def heaviest(self) -> float:
        """Give the largest share that one item has of a denominator.

        >>> Moments.from_arrays({"A": [1, 2, 3]}, per={"words": [1, 1, 8]}).heaviest()
        0.8
        """
        if not self.per:
            return 1 / self.items
        places = [len(self.systems) + at for at in sorted(set(self.of))]
        return max(self.largest[at] / (self.sums[at] / self.scale) for at in places)

    @property
    def right_or_wrong(self) -> bool:
        """Tell whether all values are 0 or 1.

        >>> Moments.from_arrays({"A": [0, 1]}).right_or_wrong
        True
        """
        many = range(len(self.systems))
        ends = {*self.least[: len(many)], *self.largest[: len(many)]}
        squares = all(Fraction(self.sums[at], self.scale) == self.product(at, at) for at in many)
        return not self.per and squares and ends <= {0.0, 1.0}

    def linearised(self) -> Linearised:
        """Give means or ratios of sums with the covariances of their residuals.

        >>> Moments.from_arrays({"A": [1, 2, 3]}).linearised().variance("A")
        1.0
        """
        if self.items < 2:
            message = "One item has no spread: an interval needs two or more."
            raise CountsError(message, code="one-item")
        many = len(self.systems)
        weights = [self.denominator_of(name) for name in self.systems]
        if any(weight <= 0 for weight in weights):
            message = "A denominator adds up to 0, and nothing can be divided by it."
            raise CountsError(message, code="no-denominator")
        values = [self.sum_of(n) / w for n, w in zip(self.systems, weights, strict=True)]
        table = [
            [
                self._residuals(i, j, values) * self.items**2
                / (weights[i] * weights[j] * (self.items - 1))
                for j in range(many)
            ]
            for i in range(many)
        ]  # fmt: skip
        return Linearised(
            systems=self.systems,
            units=self.items,
            values=tuple(values),
            covariances=tuple(map(tuple, table)),
        )

    def _residuals(self, i: int, j: int, values: Sequence[Fraction]) -> Fraction:
        """Sum the products of x_i - R_i w_i and x_j - R_j w_j."""
        many = len(self.systems)
        if not self.per:  # w is 1 throughout
            return self.product(i, j) - values[i] * values[j] * self.items
        a, b = many + self.of[i], many + self.of[j]
        return (
            self.product(i, j)
            - values[i] * self.product(a, j)
            - values[j] * self.product(i, b)
            + values[i] * values[j] * self.product(a, b)
        )

    def product(self, i: int, j: int) -> Fraction:
        """Give the exact sum of the products of two columns, systems first."""
        place = _place(min(i, j), max(i, j), len(self.sums))
        return Fraction(self.products[place], self.scale**2)

    def only(self, systems: Sequence[str]) -> Self:
        """Keep some of the systems, in the order given, with their denominators.

        >>> Moments.from_arrays({"A": [1, 2], "B": [3, 4]}).only(["B"]).sums
        (7,)
        """
        many = len(self.systems)
        places = [place_of(self.systems, name) for name in check_names(systems, "system")]
        used = sorted({self.of[place] for place in places}) if self.per else []
        columns = [*places, *(many + place for place in used)]
        width = len(self.sums)
        return type(self)(
            systems=tuple(self.systems[place] for place in places),
            items=self.items,
            scale=self.scale,
            sums=tuple(self.sums[place] for place in columns),
            products=tuple(
                self.products[_place(min(i, j), max(i, j), width)]
                for at, i in enumerate(columns)
                for j in columns[at:]
            ),
            least=tuple(self.least[place] for place in columns),
            largest=tuple(self.largest[place] for place in columns),
            per=tuple(self.per[place] for place in used),
            of=tuple(used.index(self.of[place]) for place in places) if self.per else (),
            excluded=self.excluded,
        )

    def __add__(self, other: Self) -> Self:
        if (self.systems, self.per, self.of) != (other.systems, other.per, other.of):
            message = (
                f"Sums of {listing(self.systems)} and of {listing(other.systems)} cannot be added: "
                "systems and denominators must be the same."
            )
            raise CountsError(message, code="systems-differ")
        scale = lcm(self.scale, other.scale)
        one, two = scale // self.scale, scale // other.scale
        return type(self)(
            systems=self.systems,
            items=self.items + other.items,
            scale=scale,
            sums=tuple(a * one + b * two for a, b in zip(self.sums, other.sums, strict=True)),
            products=tuple(
                a * one**2 + b * two**2
                for a, b in zip(self.products, other.products, strict=True)
            ),
            least=tuple(map(min, self.least, other.least)),
            largest=tuple(map(max, self.largest, other.largest)),
            per=self.per,
            of=self.of,
            excluded=merge_exclusions(self.excluded, other.excluded),
        )  # fmt: skip


def _place(i: int, j: int, width: int) -> int:
    """Give the place of a pair in a triangle that is written row by row from the diagonal on."""
    return i * width - i * (i - 1) // 2 + (j - i)


def _reduce(
    scale: int, sums: Sequence[int], products: Sequence[int]
) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Take the largest steps that do, so that equal sums are equal however they came about."""
    for prime in (2, 5):
        while scale % prime == 0 and all(total % prime == 0 for total in sums):
            if any(total % prime**2 for total in products):
                break
            scale //= prime
            sums = [total // prime for total in sums]
            products = [total // prime**2 for total in products]
    return scale, tuple(map(int, sums)), tuple(map(int, products))


def _column(values: ArrayLike, name: str, place: int) -> NDArray[np.float64]:
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        message = f"{name}: an array of shape {column.shape}; expected a number for each item."
        raise CountsError(message, code="lengths-differ")
    if not np.isfinite(column).all() or (np.abs(column) > LARGEST_VALUE).any():
        message = f"{name} (column {place + 1}) holds NaN, infinity or a number beyond 1e100."
        raise CountsError(message, code="value-not-finite")
    return column

"""How far do raters agree?"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Unpack

from steelyard import measures, tally, uncertainty
from steelyard.counts import Confusion, JointCalls
from steelyard.display.numbers import show_number
from steelyard.errors import NotComparable, RequestError, check_share, counted, listing
from steelyard.journey.arguments import refuse_columns, refuse_excess
from steelyard.journey.declared_roles import refuse_asked_group
from steelyard.journey.opening import (
    open_rater_columns,
    provenance_of,
    record_of_counts,
)
from steelyard.journey.option_types import AgreementOptions, AgreementSettings
from steelyard.journey.options import settle, takes
from steelyard.measures import (
    ClassWeights,
    KappaInterval,
    Ratings,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    observed_agreement,
    pabak,
)
from steelyard.results import Agreement, Estimate, Interval, Proportion, Provenance, RaterPair

__all__ = ["agreement"]

ENOUGH = 5
ROUGH = (
    "the p-value of kappa = 0 is rough: by chance both would name the rarest category {least} "
    "times, and with fewer than 5 it errs in up to 20 % instead of 5 %"
)

UNWEIGHTED = "unweighted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question: weights of near misses, the order of the categories, the coverage."""

    weights: ClassWeights
    order: tuple[str, ...] | None
    kappa_method: KappaInterval
    level: float

    @property
    def named(self) -> str:
        """What the weights are called."""
        return self.weights if isinstance(self.weights, str) else "weighted"


@refuse_excess
@takes("agreement")
def agreement(data: Any, **options: Unpack[AgreementOptions]) -> Agreement:  # noqa: ANN401
    """Say how far raters (people or systems) agree on the same items, beyond chance.

    Nobody needs to be right: a truth, where it is named, is one more rater. Ratings may be
    missing. Every coefficient has an interval; items are the sample, raters are taken as they are.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or a ``Confusion`` (two raters),
        ``JointCalls`` or :class:`steelyard.measures.Ratings`.
    raters
        The columns to use; all that have no other role unless told.
    weights
        ``unweighted``, ``linear``, ``quadratic``, or a mapping of every pair of different
        categories to a number in [0, 1], the share of a full agreement that they are worth.
    order
        The categories from lowest to highest. Categories that are numbers have their own order.
    kappa_method
        The interval of Cohen's kappa: ``adjusted``, which keeps its level with few items of a
        category, or ``ase1`` (the textbook's).
    level
        Coverage of the intervals.
    **roles
        What the columns mean; ``truth`` is taken as a rater when it is given. See
        :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Agreement
        Every coefficient over all raters and for each pair, with intervals.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> found = sy.agreement({"ann": list("aabb"), "bob": list("abbb")}, raters=["ann", "bob"])
    >>> found.pairs[0].kappa.value
    0.5
    """
    own: AgreementSettings
    own, roles = settle("agreement", options)
    raters, weights, order = own["raters"], own["weights"], own["order"]
    kappa_method, level = own["kappa_method"], own["level"]
    check_share("level", level)
    if kappa_method not in measures.KAPPA_INTERVALS:
        named = tuple(measures.KAPPA_INTERVALS)
        raise RequestError.for_choice(name="kappa_method", given=kappa_method, choices=named)
    settings = {
        "weights": weights if isinstance(weights, str) else "given",
        "kappa_method": None if kappa_method == "adjusted" else kappa_method,
        "level": level,
    }
    caveats: tuple[str, ...] = ()
    if isinstance(data, Ratings | JointCalls | Confusion):
        refuse_columns({**roles, "raters": raters})
        rated, record = measures.ratings_of(data), record_of_counts(settings)
    else:
        if raters is not None:
            roles["systems"] = raters
        predictions = open_rater_columns(data, roles)
        refuse_asked_group("agreement", predictions.settings)
        rated = Ratings.from_patterns(
            tally.tally_ratings(predictions),
            raters=[system.name for system in predictions.systems],
            categories=predictions.classes,
        )
        caveats = (*predictions.caveats, *_list_unused(roles))
        record = provenance_of(predictions, settings)
    known = _order(rated.categories, order) if order is not None or weights != UNWEIGHTED else None
    asked = Asked(weights=weights, order=known, kappa_method=kappa_method, level=level)
    measures.agreement_weights(
        rated.categories, weights, order=known
    )  # refuses before any work is done
    return _answer(rated, asked, record, caveats)


def _list_unused(roles: Mapping[str, Any]) -> tuple[str, ...]:
    """Say what was asked for and is not looked at here, so that nobody relies on it."""
    idle = [
        f"{name}= (--{name})" for name, value in roles.items() if value is not None and name in IDLE
    ]
    return (f"not used, because agreement ignores it: {listing(idle)}",) if idle else ()


def _order(categories: Sequence[str], order: Sequence[object] | None) -> tuple[str, ...] | None:
    """Take the order as given, or that of numbers."""
    if order is not None:
        return tuple(str(name) for name in order)
    try:
        return tuple(sorted(categories, key=float))
    except ValueError:
        return None


def _answer(
    rated: Ratings, asked: Asked, record: Provenance, caveats: tuple[str, ...]
) -> Agreement:
    if not rated.items:
        message = "There are no items, so nobody can agree on them."
        raise NotComparable(message, code="no-items")
    found = _coefficients(rated, asked)
    missing = sum(rows * pattern.count(None) for pattern, rows in rated.patterns)
    return Agreement(
        raters=rated.raters,
        categories=rated.categories,
        items=rated.items,
        missing=missing,
        weights=asked.named,
        order=asked.order or (),
        coefficients=found,
        words=tuple(_word(one) for one in found),
        pairs=tuple(
            _pair(rated, one, two, asked) for one, two in combinations(range(len(rated.raters)), 2)
        ),
        level=asked.level,
        provenance=record,
        caveats=(*_doubts(rated, missing), *caveats),
    )


def _doubts(rated: Ratings, missing: int) -> tuple[str, ...]:
    if not missing:
        return ()
    total = sum(rows * len(pattern) for pattern, rows in rated.patterns)
    alone = sum(rows for pattern, rows in rated.patterns if len(pattern) - pattern.count(None) < 2)
    said = f"{missing:,} of {total:,} ratings are missing"
    if alone:
        few = f"{counted(alone, 'item', 'have')} fewer than two"
        said = f"{said}; {few}, which says nothing about agreement"
    return (said,)


IDLE = frozenset({"missing", "unlabelled", "join", "pairing", "positive", "threshold"})
"""Roles and choices of other questions, which say nothing about agreement."""


WEIGHABLE: dict[str, Callable[..., Estimate]] = {
    "observed agreement": observed_agreement,
    "Fleiss' kappa": fleiss_kappa,
    "Conger's kappa": conger_kappa,
    "AC": gwet_ac,
    "PABAK": pabak,
}


JUDGED = frozenset({"Fleiss' kappa", "Conger's kappa"})
"""Coefficients that Landis and Koch have words for: kappas that count every confusion alike."""


def _coefficients(rated: Ratings, asked: Asked) -> tuple[Estimate, ...]:
    """Work out every coefficient, unweighted, then with the weights, then alpha."""
    found = [function(rated, level=asked.level) for function in WEIGHABLE.values()]
    if asked.weights != UNWEIGHTED:
        suffix = f"{asked.named} weights" if isinstance(asked.weights, str) else "given weights"
        found += [
            replace(one, measure=f"{one.measure}, {suffix}")
            for function in WEIGHABLE.values()
            for one in [
                function(rated, weights=asked.weights, order=asked.order, level=asked.level)
            ]
        ]
    found.append(measures.krippendorff_alpha(rated, level=asked.level))
    if asked.order is not None and len(rated.categories) > 2:
        found.append(
            measures.krippendorff_alpha(
                rated, metric="ordinal", order=asked.order, level=asked.level
            )
        )
        if _numbers(rated.categories):
            found.append(measures.krippendorff_alpha(rated, metric="interval", level=asked.level))
    return tuple(
        replace(one, measure=f"Krippendorff's alpha, {one.measure.removesuffix(' alpha')}")
        if one.measure.endswith(" alpha")
        else one
        for one in found
    )


def _numbers(categories: Sequence[str]) -> bool:
    try:
        list(map(float, categories))
    except ValueError:
        return False
    return True


def _word(one: Estimate) -> str | None:
    """Give the word of Landis and Koch, which are meant for kappas only."""
    if one.value is None or one.measure not in JUDGED:
        return None
    return measures.landis_koch(max(-1.0, min(1.0, round(one.value, 12))))  # 0.6 of sums is 0.6


def _pair(rated: Ratings, one: int, two: int, asked: Asked) -> RaterPair:
    cells: dict[tuple[str, str], int] = {}
    for pattern, rows in rated.patterns:
        first, second = pattern[one], pattern[two]
        if first is not None and second is not None:
            cells[first, second] = cells.get((first, second), 0) + rows
    table = Confusion.from_cells(cells, classes=rated.categories)
    kappa, test, context = (
        measures.cohen_kappa(table, level=asked.level, method=asked.kappa_method),
        measures.kappa_test(table),
        measures.kappa_context(table),
    )
    weighted, weighted_test = None, None
    if asked.weights != UNWEIGHTED:
        options: Mapping[str, Any] = {"weights": asked.weights, "order": asked.order}
        weighted = measures.weighted_kappa(
            table, level=asked.level, method=asked.kappa_method, **options
        )
        weighted_test = measures.weighted_kappa_test(table, **options)
    least = _least_by_chance(table)
    if test is not None and least < ENOUGH:
        kappa = replace(kappa, caveats=(*kappa.caveats, ROUGH.format(least=show_number(least))))
    return RaterPair(
        first=rated.raters[one],
        second=rated.raters[two],
        agreement=_agree(table, asked.level),
        kappa=kappa,
        zero_error=test.standard_error if test else None,
        p_value=test.p_value if test else None,
        weighted=weighted,
        weighted_zero_error=weighted_test.standard_error if weighted_test else None,
        weighted_p_value=weighted_test.p_value if weighted_test else None,
        ac1=gwet_ac(table, level=asked.level),
        pabak=pabak(table, level=asked.level),
        largest=context.largest if context else None,
        prevalence_index=context.prevalence_index if context else None,
        bias_index=context.bias_index if context else None,
        word=context.word if context else None,
        paradox=context.sentence if context else None,
    )


def _least_by_chance(table: Confusion) -> float:
    """Items on which chance alone would have both raters name the rarest category."""
    sums: list[dict[str, int]] = [{}, {}]
    for *named, rows in table.cells:
        for kept, name in zip(sums, named, strict=True):
            kept[name] = kept.get(name, 0) + rows
    shared = [number * sums[1].get(name, 0) for name, number in sums[0].items()]
    return min(shared, default=0) / max(table.total, 1)


def _agree(table: Confusion, level: float) -> Proportion:
    same = sum(rows for one, two, rows in table.cells if one == two)
    ends = None
    if table.total:
        low, high = uncertainty.wilson_interval(same, table.total, level=level)
        ends = Interval(low=low, high=high, level=level, method="wilson")
    return Proportion(
        measure="agreement",
        successes=same,
        trials=table.total,
        interval=ends,
        reason=None if table.total else "no item was rated by both",
    )

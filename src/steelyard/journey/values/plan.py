"""How many items for a mean, for the difference of two, or for a ratio of sums?"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import sqrt
from typing import Any

from steelyard import planning, uncertainty
from steelyard.comparison.values.means import fewest_units
from steelyard.errors import RequestError
from steelyard.journey.declared_roles import settle_roles
from steelyard.journey.opening import RoleArguments, open_data, provenance_of, record_of_counts
from steelyard.journey.plans.designs import scale_answer, scale_for_clusters
from steelyard.journey.plans.request import Answer, PlanRequest, assemble_plan
from steelyard.journey.values.compare import comparable_averages
from steelyard.journey.values.sums import averages_of, need_better
from steelyard.planning.sizes import round_down, round_up
from steelyard.planning.values import MeanSize, ValueClaim
from steelyard.results import Plan, PlanDesign, Provenance, ValuePlan
from steelyard.results.plan.data import ValueKind
from steelyard.sources import Predictions

__all__ = ["plan_values"]

NEED = (
    "A plan for values needs to know how much they spread: a pilot (pilot='pilot.csv', "
    "value=['a', 'b']; --pilot pilot.csv --value a,b), or spread=1.2 (--spread 1.2): the standard "
    "deviation of a value, or of the difference of two systems on an item; two numbers and "
    "correlation= give it too."
)
CLUSTERED = (
    "the pilot's {} items come in {} clusters, and the plan takes clusters like these: more items "
    "of the same clusters are worth less"
)
CROSSED = (
    "both sides grow alike, with as many items for each pair of clusters as in the pilot; more "
    "items of the same clusters hardly help. The spread of the pilot is an order of magnitude"
)
OWN_CLUSTERS = (
    "The pilot has clusters of its own, and the plan takes clusters like those. Leave "
    "cluster_size=, trials= and icc= out, or cluster= (--cluster)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueRequest(PlanRequest):
    """``value``: a mean measured, or two means told apart, or shown to be near."""

    confidence: float
    alpha: float
    power: float
    width: float | None
    margin: float | None
    claim: str
    difference: float | None
    spread: float
    each: float = 1.0
    sides: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """What is supposed of the values: how they differ and spread, and where that comes from.

    ``each`` is the number of items of one unit: 1, or the mean size of the pilot's clusters; of
    crossed items the units are the clusters of the smaller ``sides``.
    """

    names: tuple[str, ...]
    spread: float
    difference: float | None
    record: Provenance
    caveats: tuple[str, ...] = ()
    each: float = 1.0
    sides: tuple[int, int] | None = None
    of: ValueKind = "means"


def plan_values(
    own: Mapping[str, Any], roles: RoleArguments, settings: Mapping[str, object], *, seed: int
) -> Plan:
    """Plan a mean, a difference of means, or of ratios."""
    known = _from_pilot(own, roles, settings, seed) if own["pilot"] is not None else _take_settings(
        own, settings, seed
    )  # fmt: skip
    difference = own["difference"] if own["difference"] is not None else known.difference
    if own["claim"] != "not-inferior" and difference is not None:
        difference = abs(difference)  # which of the two is ahead matters to one claim only
    design: PlanDesign = "paired" if len(known.names) == 2 else "independent"
    given = {
        **own, "seed": seed, "design": design, "names": known.names, "rates": (),
        "provenance": known.record, "pilot": None, "difference": difference,
        "spread": known.spread, "each": known.each, "sides": known.sides, "question": "value",
        "claim": "not inferior" if own["claim"] == "not-inferior" else own["claim"],
    }  # fmt: skip
    request = ValueRequest(**{one.name: given[one.name] for one in fields(ValueRequest)})
    made = assemble_plan(request, scale_for_clusters(request, _in_clusters(request)), known.caveats)
    held = {one.name: getattr(made, one.name) for one in fields(made)}
    crossed = None
    if known.sides is not None and made.clusters is not None:
        crossed = _grow_sides(known.sides, made.clusters)
        held["clusters"] = None
    return ValuePlan(**held, spread=known.spread, each=known.each, crossed=crossed, of=known.of)


def _in_clusters(request: ValueRequest) -> Answer:
    """Say an answer in items, where the pilot's units are clusters of so many."""
    answer, each = _answer(request), request.each
    if each == 1:
        return answer
    if not (request.cluster_size is None and request.trials is None and request.icc is None):
        raise RequestError(OWN_CLUSTERS, code="clusters-twice")
    units = answer.samples if answer.promised is None else answer.safe
    if request.sides is None:
        scaled = scale_answer(answer, lambda samples: round_up(samples * each), lambda _: each)
        return replace(scaled, clusters=units)
    first, second = request.sides
    dense = each * min(first, second) / (first * second)

    def items(smaller: int) -> int:
        one, two = _grow_sides((first, second), smaller)
        return round_up(dense * one * two)

    def effect(samples: int) -> float:
        """Items of one cluster of the smaller side, when there are so many items in all."""
        return samples / max(2.0, _units(request, samples))

    return replace(scale_answer(answer, items, effect), clusters=units)


def _units(request: ValueRequest, samples: int) -> float:
    """Tell how many units hold so many items; crossed ones grow with the square of a side."""
    if request.sides is None:
        return samples / request.each
    return sqrt(samples / request.each * min(request.sides))


def _grow_sides(sides: tuple[int, int], smaller: int) -> tuple[int, int]:
    """Grow both sides alike, until the smaller one has so many clusters."""
    first, second = sides
    if first <= second:
        return smaller, round_up(smaller * second / first)
    return round_up(smaller * first / second), smaller


def _take_settings(own: Mapping[str, Any], settings: Mapping[str, object], seed: int) -> _Known:
    spreads, correlation = own["spread"], own["correlation"]
    if spreads is None:
        raise RequestError(NEED, code="no-spread")
    numbers = [spreads] if isinstance(spreads, int | float) else [float(one) for one in spreads]
    if not all(one > 0 for one in numbers) or len(numbers) not in {1, 2}:
        message = f"spread={spreads!r}; expected one standard deviation above 0, or two."
        raise RequestError(message)
    spread = numbers[0]
    if len(numbers) == 2:
        if correlation is None:
            message = (
                "Two spreads make that of a difference with the correlation of the two systems "
                "over items: correlation=0.6 (--correlation 0.6)."
            )
            raise RequestError(message)
        spread = planning.difference_spread(numbers[0], numbers[1], correlation)
    two = len(numbers) == 2 or own["width"] is None
    return _Known(
        names=("A", "B") if two else ("A",),
        spread=spread,
        difference=None,
        record=record_of_counts(settings, seed=seed),
    )


def _from_pilot(
    own: Mapping[str, Any], roles: RoleArguments, settings: Mapping[str, object], seed: int
) -> _Known:
    if own["spread"] is not None or own["correlation"] is not None:
        message = "Give a pilot, or a spread; the pilot has one of its own."
        raise RequestError(message)
    predictions = open_data(own["pilot"], roles, crossed=True)
    if predictions.crossed:
        return _read_crossed_pilot(predictions, settings, seed)
    if predictions.values is None:
        message = (
            "This pilot holds answers or scores. steelyard plan pair (or best, area) plans those; "
            "a number for each item is declared: value=['a', 'b'] (--value a,b)."
        )
        raise RequestError(message, code="no-values")
    said = settle_roles("plan", predictions)
    record = provenance_of(predictions, settings, seed=seed)
    names = tuple(system.name for system in predictions.systems)
    if len(names) > 2:
        message = (
            f"{len(names)} systems: a plan for values is made for one, or for two. Name them: "
            "value=['a', 'b'] (--value a,b)."
        )
        raise RequestError(message)
    if len(names) == 1:
        averages = averages_of(predictions)
        variance, difference = averages.variance(names[0]), None
    else:
        averages = comparable_averages(predictions, ordered=own["claim"] == "not-inferior")
        first, second = names
        variance = averages.variance(first, second)
        difference = averages.found.difference(first, second) * _way(predictions)
    if variance <= 0:
        message = (
            "The pilot shows no spread at all, and no plan can be made from that. Give more items, "
            "or spread= (--spread)."
        )
        raise RequestError(message, code="no-spread")
    units, items = averages.found.units, averages.moments.items
    doubts = (CLUSTERED.format(f"{items:,}", f"{units:,}"),) if averages.clustered else ()
    if averages.judged is not None:
        found = averages.judged
        times = (found.labels + found.others) / found.labels
        doubts = (
            *doubts,
            f"items are those that people label, with a judge's label on {times:.3g} times as "
            f"many, as in the pilot; without the judge it takes about {found.gain:.2g} times the "
            "labels",
        )
    return _Known(
        names=names,
        spread=sqrt(variance),
        difference=difference,
        record=record,
        caveats=(*said, *doubts, *_pilot_doubt(units, clustered=averages.clustered)),
        each=items / units if averages.clustered else 1.0,
        of="means" if predictions.values.per is None else "ratios",
    )


def _read_crossed_pilot(
    predictions: Predictions, settings: Mapping[str, object], seed: int
) -> _Known:
    """Read a pilot whose items share two things: with k times the clusters on both sides V/k."""
    from steelyard.journey.crossed import read_crossed, say_crossed

    said = settle_roles("plan", predictions)
    names = tuple(system.name for system in predictions.systems)
    if len(names) > 2:
        message = (
            f"{len(names)} systems: a plan over crossed clusters is made for one, or for two. Name "
            "them: systems=['a', 'b'] (--systems a,b)."
        )
        raise RequestError(message)
    ordered = settings.get("claim") == "not-inferior"
    if predictions.values is not None and len(names) == 2 and ordered:
        need_better(predictions)
    items = read_crossed(predictions, predictions.systems)
    variance = items.error(*names).variance
    sides = items.clusters
    if variance <= 0:
        message = "The pilot shows no spread at all, and no plan can be made from that."
        raise RequestError(message, code="no-spread")
    of: ValueKind = "areas" if items.scale == "logit" else "rates" if items.hits else "means"
    gap = None
    if len(names) == 2:
        gap = (items.values[names[0]] - items.values[names[1]]) * _way(predictions)
    return _Known(
        names=names,
        spread=sqrt(variance * min(sides)),
        difference=gap,
        record=provenance_of(predictions, settings, seed=seed),
        caveats=(*predictions.caveats, *said, *say_crossed(items), CROSSED),
        each=items.first.size / min(sides),
        sides=sides,
        of=of,
    )


def _way(predictions: Predictions) -> int:
    """Count a lead of the first system as positive, whichever way is better."""
    scale = predictions.values
    return -1 if scale is not None and scale.better == "lower" else 1


def _pilot_doubt(units: int, *, clustered: bool) -> tuple[str, ...]:
    what = "clusters" if clustered else "items"
    return (
        f"spread and difference are those that {units:,} {what} showed: an order of magnitude, "
        "since the difference of a pilot is as uncertain as the pilot is small",
    )


def _answer(request: ValueRequest) -> Answer:
    if request.width is not None:
        return _width_answer(request, request.width)
    claim, margin = _claim(request)
    difference = 0.0 if request.difference is None and margin else request.difference
    if difference is None or (difference == 0 and not margin):
        return _detectable(request)
    spread = request.spread
    # With fewer no verdict is given, whatever they show.
    fewest = fewest_units(2 * request.alpha if claim == "not worse" else request.alpha)

    def find_size(power: float) -> MeanSize:
        size = planning.mean_samples(
            difference, spread=spread, power=power, alpha=request.alpha, claim=claim, margin=margin
        )
        return size if size.items is None else replace(size, items=max(fewest, size.items))

    def reach(samples: int) -> float:
        if samples < fewest:
            return 0.0
        return planning.mean_power(
            max(2, samples),
            difference=difference,
            spread=spread,
            alpha=request.alpha,
            claim=claim,
            margin=margin,
        )

    found = find_size(request.power)
    return Answer(
        goal="power",
        target=request.power,
        samples=found.items,
        exact=found.exact,
        reached=reach,
        size=lambda power: find_size(power).items,
        method="Student's t test of the differences, noncentral t",
        delta=difference,
        measure="value",
    )


def _claim(request: ValueRequest) -> tuple[ValueClaim, float]:
    if request.margin is None:
        return "different", 0.0
    if request.margin <= 0:
        message = f"margin={request.margin:g}; expected a number above 0, in units of the value."
        raise RequestError(message)
    return ("not worse" if request.claim == "not inferior" else "equivalent"), request.margin


def _detectable(request: ValueRequest) -> Answer:
    """Say which difference a number of items finds, where none was supposed."""
    if request.samples is None:
        message = (
            "By how much do the systems differ? Give difference=0.2 (--difference 0.2), a margin, "
            "a width (--width 0.1), or samples=500 (--samples 500) to be told which difference "
            "they find."
        )
        raise RequestError(message)
    samples, spread, alpha = request.samples, request.spread, request.alpha
    samples = max(2, round_down(_units(request, samples)))
    found = planning.detectable_mean_difference(
        samples, spread=spread, power=request.power, alpha=alpha
    )
    return Answer(
        goal="power",
        target=request.power,
        samples=samples,
        exact=None,
        reached=lambda n: planning.mean_power(
            max(2, n), difference=found, spread=spread, alpha=alpha
        ),
        numbers=(max(2, samples // 2), samples, 2 * samples),
        method="Student's t test, the smallest difference found with that power",
        delta=found,
        measure="value",
    )


def _width_answer(request: ValueRequest, width: float) -> Answer:
    spread, level = request.spread, request.confidence
    typical = planning.mean_width_samples(width / 2, spread=spread, level=level)
    safe = planning.mean_width_samples(
        width / 2, spread=spread, level=level, assurance=request.power
    )

    def reach(samples: int) -> float:
        units = max(2, samples)
        pivot = uncertainty.StudentEstimate(
            value=0.0, error=spread / sqrt(units), freedom=units - 1, units=units
        )
        low, high = pivot.interval(level=level)
        return high - low

    around = () if safe is None else tuple(max(2, round(safe * part)) for part in (0.5, 1, 2))
    return Answer(
        goal="width",
        target=width,
        samples=typical,
        exact=None,
        reached=reach,
        numbers=around,
        method="Student's interval",
        promised=request.power,
        safe=safe,
        measure="value",
    )

"""From rows to means or ratios with their spread, and what must be said about them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np

from steelyard import tally, uncertainty
from steelyard.comparison import MeanDifference
from steelyard.comparison.values.means import weigh_linearised
from steelyard.counts import Grouped, Linearised, Moments
from steelyard.errors import NotComparable, listing, printable, switch
from steelyard.results import Estimate, Interval, ValueName
from steelyard.sources import Predictions
from steelyard.sources.predictions import System
from steelyard.tally.moments import moments_of_clusters
from steelyard.uncertainty import JudgedMeans, StudentEstimate
from steelyard.uncertainty.values.student import cluster_caveats

__all__ = [
    "Averages",
    "averages_of",
    "check_units",
    "name_of",
    "need_better",
    "one_estimate",
    "say_doubts",
    "slice_averages",
    "uneven_freedom",
]

SHARE_TOP = 1.0
PERCENT_TOP = 100.0
UNLIKE = 20
"""Means of two systems so many times apart, one within 0 to 1, are taken for different units."""
ALL_EQUAL = "all values are the same, so that there is no spread and no interval"
NO_ERRORS = (
    "no error was seen, so that there is no spread and no interval; of independent items at most "
    "3 in {items:,} have one (95% confidence)"
)


DOUBTS = {
    "few-items": (
        "fewer than 28 items: Student's t trusts that means of so few are nearly normal; a stated "
        "range of values (--range) gives each mean limits that trust nothing"
    ),
    "strong-skew": (
        "the values are skewed: with so many items Student's t misses the truth more often than it "
        "says, on the side of the long tail"
    ),
}
FEW_CLUSTERS = "fewer than 28 clusters: Student's t trusts that sums of so few are nearly normal"
FEW_LABELS = (
    "fewer than 28 {} have labels of people: Student's t trusts that means of so few are nearly "
    "normal"
)
BETWEEN = (
    "about {:.0%} of the variance of its values lies between clusters (items, speakers, judges), "
    "the rest within them (runs, repeats)"
)
UNEVEN = (
    "some clusters are much larger than others: Student's t has {:.1f} degrees of freedom, not one "
    "less than the clusters"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Means or ratios of systems over common items: the sums, and what is read from them.

    ``moments`` are those of the items, ``found`` those of the independent units.
    """

    moments: Moments
    found: Linearised
    clustered: bool
    weighted: bool
    log: bool
    between: float | None = None
    """Share of the variance of one system's values that lies between clusters."""
    uneven: float | None = None
    """Degrees of freedom that very uneven clusters leave; else one less than the units."""
    judged: JudgedMeans | None = None
    """What people gave some items and a judge gave all, where there is one."""

    @property
    def freedom(self) -> float:
        """Degrees of freedom of Student's t."""
        usual = self.found.units - 1 if self.judged is None else self.judged.freedom
        return usual if self.uneven is None else min(usual, self.uneven)

    def difference(
        self, first: str, second: str, *, level: float, margin: float | None = None
    ) -> MeanDifference:
        """Weigh the difference of two means or ratios; without any spread, by its signs."""
        return weigh_linearised(
            self.found.difference(first, second),
            self.found.variance_of_difference(first, second),
            self.found.units,
            freedom=self.freedom,
            level=level,
            margin=margin,
        )

    def estimate(self, system: str) -> StudentEstimate | None:
        """Give the estimate of one system; None where its values have no spread."""
        variance = self.found.variance(system)
        if variance <= 0:
            return None
        value, units = self.found.value(system), self.found.units
        return StudentEstimate(
            value=value,
            error=sqrt(variance / units),
            freedom=self.freedom,
            units=units,
            scale="log" if self.log and value > 0 else "plain",
        )


def averages_of(predictions: Predictions, systems: Sequence[System] | None = None) -> Averages:
    """Sum what the rows hold; clusters, where they are declared, are the units."""
    chosen = tuple(systems or predictions.systems)
    if chosen[0].judge:
        from steelyard.journey.values.judged import judged_averages

        return judged_averages(predictions, chosen)
    moments = tally.tally_moments(predictions, chosen)
    clustered = "cluster" in predictions.splits
    parts = tally.tally_moments_by(predictions, "cluster", chosen) if clustered else None
    if (moments.items if parts is None else len(parts)) < 2:
        raise _one_unit(clustered=clustered)
    return _averages(moments, parts, weighted=predictions.weighted)


def slice_averages(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> list[tuple[str, Averages | Moments]]:
    """Sum each slice apart; of one item, or one cluster, there are sums but no spread."""
    if predictions.systems[0].judge:
        from steelyard.journey.values.judged import judged_slices

        return judged_slices(predictions, tuple(systems or predictions.systems))
    found: list[tuple[str, Averages | Moments]] = []
    if "cluster" in predictions.splits:
        for name, parts in tally.tally_moments_by_slice(predictions, systems).items():
            moments = parts.merged()
            many = len(parts) > 1
            found.append(
                (
                    name,
                    _averages(moments, parts, weighted=predictions.weighted) if many else moments,
                )
            )
        return found
    for name, moments in tally.tally_moments_by(predictions, "group", systems):
        many = moments.items > 1
        found.append(
            (name, _averages(moments, None, weighted=predictions.weighted) if many else moments)
        )
    return found


def _averages(moments: Moments, parts: Grouped[Moments] | None, *, weighted: bool) -> Averages:
    """Read means or ratios from sums; parts, where there are any, are the units."""
    names = moments.systems
    units, uneven, between = moments, None, None
    if parts is not None:
        units = moments_of_clusters(parts)
        uneven = uneven_freedom([float(one.denominator_of(names[0])) for one in parts.parts])
        between = _between(parts, names)
    # A rate of errors cannot be negative, and plain limits near 0 would cross it.
    positive = all(low >= 0 for low in moments.least[: len(names)])
    ratio = any(name != "weight" for name in moments.per)
    return Averages(
        moments=moments,
        found=units.linearised(),
        clustered=parts is not None,
        weighted=weighted,
        log=ratio and positive,
        uneven=uneven,
        between=between,
    )


def _between(parts: Grouped[Moments], systems: Sequence[str]) -> float | None:
    """Part the variance of plain values by a one-way analysis; None where that is not asked."""
    if len(systems) > 1 or parts.parts[0].per or len(parts) < 2:
        return None
    name = systems[0]
    sizes = [part.items for part in parts.parts]
    items, groups = sum(sizes), len(sizes)
    if items == groups:  # nothing comes twice
        return None
    sums = [part.sum_of(name) for part in parts.parts]
    squares = sum(part.product(0, 0) for part in parts.parts)
    of_groups = sum(total * total / size for total, size in zip(sums, sizes, strict=True))
    within = (squares - of_groups) / (items - groups)
    among = (of_groups - sum(sums) ** 2 / items) / (groups - 1)
    each = (items - Fraction(sum(size * size for size in sizes), items)) / (groups - 1)
    apart = max(Fraction(0), (among - within) / each)
    return float(apart / (apart + within)) if apart + within > 0 else None


def uneven_freedom(sizes: Sequence[float]) -> float | None:
    """Give the degrees of freedom that the sizes leave, where these are far from alike."""
    held = np.array([size for size in sizes if size > 0])
    if held.size < 2 or not cluster_caveats(held):
        return None
    return min(held.size - 1.0, uncertainty.cluster_freedom(held))


def _one_unit(*, clustered: bool) -> NotComparable:
    what = "cluster" if clustered else "item"
    message = (
        f"There is one {what} only, which does not show how {what}s vary: no interval and no test "
        f"can be had from it. Give two {what}s or more, better thirty."
    )
    return NotComparable(message, code=f"one-{what}")


def one_estimate(
    averages: Averages, system: str, value: ValueName, *, level: float
) -> tuple[Estimate, tuple[str, ...]]:
    """Give the mean or ratio of one system with its interval, or say why it has none."""
    found = averages.estimate(system)
    centre, items = averages.found.value(system), averages.moments.items
    if found is None:
        errors = value.per is not None and centre == 0
        why = NO_ERRORS.format(items=items) if errors else ALL_EQUAL
        return Estimate(measure=value.measure, value=centre, items=items), (why,)
    low, high = found.interval(level=level)
    if averages.judged is not None and value.low is not None and value.high is not None:
        low, high = max(low, value.low), min(high, value.high)
    ends = Interval(low=low, high=high, level=level, method=_method(averages, found))
    return (
        Estimate(
            measure=value.measure,
            value=centre,
            interval=ends,
            standard_error=found.error,
            items=items,
        ),
        (),
    )


def _method(averages: Averages, found: StudentEstimate) -> str:
    kind = "t" if found.scale == "plain" else "t-log"
    kind = kind if averages.judged is None else "ppi"
    return f"cluster-{kind}" if averages.clustered else kind


def say_doubts(averages: Averages, skew: float | None) -> list[str]:
    """Say what makes Student's t doubtful: few units, or values with a long tail."""
    if averages.judged is not None:
        few = "few-items" in uncertainty.value_caveats(averages.judged.units, None)
        what = "clusters" if averages.clustered else "items"
        return [FEW_LABELS.format(what)] if few else []
    if averages.clustered:
        # How single items are skewed says little about the sums of clusters.
        codes = uncertainty.value_caveats(averages.found.units, None)
        doubts = [] if averages.between is None else [BETWEEN.format(averages.between)]
        doubts += [] if averages.uneven is None else [UNEVEN.format(averages.uneven)]
        return [*doubts, FEW_CLUSTERS] if "few-items" in codes else doubts
    return [DOUBTS[code] for code in uncertainty.value_caveats(averages.found.units, skew)]


def name_of(predictions: Predictions) -> ValueName:
    """Say for a result what the numbers are."""
    scale = predictions.values
    assert scale is not None
    return ValueName(
        name=scale.name,
        per=scale.per,
        better=scale.better,
        known_by=scale.known_by,
        low=scale.low,
        high=scale.high,
    )


def need_better(predictions: Predictions) -> None:
    """Refuse to rank numbers of which nobody said which way is better, or of unlike units."""
    scale = predictions.values
    assert scale is not None
    if scale.better is None:
        message = (
            f"Is a lower or a higher {printable(scale.name)} better? Neither was said, and the "
            "names of the columns do not tell. Type lower_is_better=True (--lower-is-better) or "
            "higher_is_better=True (--higher-is-better)."
        )
        raise NotComparable(message, code="better-unknown")


def check_units(predictions: Predictions, *sums: Moments) -> None:
    """Refuse one system in shares beside another in percent, unless a range was stated.

    The sums may be of all systems together or of each apart.
    """
    scale = predictions.values
    if any(one.per for one in sums) or (scale is not None and scale.low is not None):
        return
    means = {name: one.mean(name) for one in sums for name in one.systems}
    tops = {n: top for one in sums for n, top in zip(one.systems, one.largest, strict=False)}
    bottoms = {n: low for one in sums for n, low in zip(one.systems, one.least, strict=False)}
    shares = [n for n in means if bottoms[n] >= 0 and 0 < means[n] and tops[n] <= SHARE_TOP]
    percents = [
        name for name in means
        if bottoms[name] >= 0 and SHARE_TOP < tops[name] <= PERCENT_TOP
        and any(means[name] >= UNLIKE * means[other] for other in shares)
    ]  # fmt: skip
    if shares and percents:
        message = (
            f"{listing(shares)} hold{'s' if len(shares) == 1 else ''} values from 0 to 1, and "
            f"{listing(percents)} values up to {max(tops[name] for name in percents):g}: shares "
            "beside percent? Bring all to one unit. If they are right as they are, state the range "
            f"of values: range=(0, 100) (--range 0,100). To leave systems out: "
            f"{switch('value', ','.join(shares))}."
        )
        raise NotComparable(message, code="units-mixed")

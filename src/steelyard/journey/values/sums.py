"""From rows to means or ratios with their spread, and what must be said about them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from scipy.special import chdtri

from steelyard import tally, uncertainty
from steelyard.comparison import MeanDifference
from steelyard.comparison.values.means import hold_to_signs, take_less_sure, weigh_residuals
from steelyard.counts import Grouped, Linearised, Moments
from steelyard.errors import NotComparable, listing, printable, switch
from steelyard.results import Estimate, Interval, ValueName
from steelyard.sources import Predictions
from steelyard.sources.predictions import System, ValueScale
from steelyard.sources.roles.value_names import (
    SHARES_APART,
    is_rate_of_errors,
    units_apart,
)
from steelyard.tally.moments import moments_of_clusters
from steelyard.uncertainty import JudgedMeans, StudentEstimate
from steelyard.uncertainty.values.student import cluster_caveats

__all__ = [
    "OF_ANSWERS",
    "Averages",
    "averages_of",
    "averages_of_units",
    "check_units",
    "hold_to_range",
    "name_of",
    "need_better",
    "one_estimate",
    "say_doubts",
    "say_own_rates",
    "say_too_few",
    "slice_averages",
    "uneven_freedom",
]

SHARE_TOP = 1.0
PERCENT_TOP = 100.0
OF_ANSWERS = (
    "{option} is about answers or scores, and these systems hold a number for each item. Leave it "
    "out."
)
OWN_RATES = (
    "this is the mean of each item's own {name}, in which a short item counts as much as a long "
    "one; papers report all errors over all words: errors=, per= (--errors, --per) take the columns"
)
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
BY_CHANCE = 0.01
"""Clusters that vary so little beside their items do so in one of 100 samples without alikeness."""
UNEVEN_UNITS = 0.6
"""Units worth less than this share of their number are far from alike."""
MOST_STRETCHED = 1.25
"""Limits that a single unit makes too short by more than this are stretched whatever k is."""
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
    "some {many} {weigh} much more than others: they tell as much as {telling:.1f} alike, and "
    "Student's t has {freedom:.1f} degrees of freedom"
)
TOO_FEW = (
    "{telling:.3g} {many} that tell something show no difference of their own: all of them lean "
    "one way by chance with probability {chance:.2g}, no p-value is below that, and an interval it "
    "leaves open is extended to 0"
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
    stretch: float = 1.0
    """What limits are made with beside the standard error, where a few units carry much."""
    telling: float | None = None
    """Units of equal weight that tell as much, where units have weights or sizes."""
    alone: "Averages | None" = None
    """The same items taken singly, where there are clusters: naming these makes nothing surer."""
    judged: JudgedMeans | None = None
    """What people gave some items and a judge gave all, where there is one."""
    lone: int = 0
    """Items that people labelled for some of the systems only; they do not count."""
    other_scale: str = ""
    """What is said of a judge that counts in other units than people."""

    @property
    def freedom(self) -> float:
        """Degrees of freedom of Student's t."""
        usual = self.found.units - 1 if self.judged is None else self.judged.freedom
        return usual if self.uneven is None else min(usual, self.uneven)

    @property
    def far_apart(self) -> bool:
        """Tell whether some units weigh so much that the others hardly count."""
        few = self.effective - 1 < UNEVEN_UNITS * (self.found.units - 1)
        return few or self.stretch > MOST_STRETCHED

    @property
    def effective(self) -> float:
        """Give how many units of equal weight tell as much as these."""
        telling = self.found.units if self.telling is None else self.telling
        return telling if self.alone is None else min(telling, self.alone.effective)

    def variance(self, first: str, second: str | None = None) -> float:
        """Give the variance of a system, or of a difference, from unit to unit, for limits."""
        found = self.found
        own = (
            found.variance(first) if second is None else found.variance_of_difference(first, second)
        )
        return own * self.stretch**2

    def difference(
        self, first: str, second: str, *, level: float, margin: float | None = None
    ) -> MeanDifference:
        """Weigh the difference of two means or ratios; without any spread, by its signs."""
        found = weigh_residuals(
            self.found.difference(first, second),
            self.variance(first, second),
            self.found.units,
            freedom=self.freedom,
            level=level,
            margin=margin,
        )
        held = hold_to_signs(replace(found, error=found.error / self.stretch), self.effective)
        if self.alone is None:
            return held
        single = self.alone.difference(first, second, level=level, margin=margin)
        return take_less_sure(held, single)

    def single_where_surer(self, system: str, found: StudentEstimate) -> StudentEstimate | None:
        """Give the estimate of the items taken singly, where clusters vary less than by chance.

        Items of one cluster then make up for one another, which is not credited.
        """
        single = None if self.alone is None else self.alone.estimate(system)
        if single is None:
            return None
        freedom = found.units - 1
        least = float(chdtri(freedom, 1 - BY_CHANCE)) / freedom
        return single if found.error**2 < least * single.error**2 else None

    def estimate(self, system: str) -> StudentEstimate | None:
        """Give the estimate of one system; None where its values have no spread."""
        variance = self.variance(system)
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
        from steelyard.journey.values.judged import sum_judgements

        return sum_judgements(predictions, chosen)
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
        from steelyard.journey.values.judged import sum_judged_slices

        return sum_judged_slices(predictions, tuple(systems or predictions.systems))
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
    single = averages_of_units(moments, weighted=weighted) if moments.items > 1 else None
    if parts is None:
        if single is None:
            raise _one_unit(clustered=False)
        return single
    names = moments.systems
    found = averages_of_units(
        moments_of_clusters(parts),
        weighted=weighted,
        sizes=[float(one.denominator_of(names[0])) for one in parts.parts],
    )
    return replace(
        found,
        moments=moments,
        clustered=True,
        log=single is not None and single.log,
        alone=single,
        between=_between(parts, names),
    )


def averages_of_units(
    moments: Moments, *, weighted: bool = False, sizes: Sequence[float] | None = None
) -> Averages:
    r"""Take every row of the sums for a unit: an item, or a cluster of one of these sizes.

    A unit that carries much is near the mean for that alone, and its residual tells too little:
    limits are stretched by :math:`(1-1/n)/(1-h)`, h the largest share, and degrees of freedom are
    those of :math:`(\sum w)^2/\sum w^2` units. With weights always; of clusters and ratios where
    that number is far below n. Equal units leave all as it is.
    """
    units = moments.items
    uneven = None if sizes is None else uneven_freedom(sizes)
    telling, heaviest = moments.telling(), moments.heaviest()
    stretch = 1.0 if heaviest >= 1 else max(1.0, (1 - 1 / units) / (1 - heaviest))
    alike = telling - 1 >= UNEVEN_UNITS * (units - 1) and stretch <= MOST_STRETCHED
    if alike and not weighted:
        stretch = 1.0
    else:
        uneven = min(max(1.0, telling - 1), units - 1 if uneven is None else uneven)
    # A rate of errors cannot be negative, and plain limits near 0 would cross it.
    positive = all(low >= 0 for low in moments.least[: len(moments.systems)])
    ratio = any(name != "weight" for name in moments.per)
    return Averages(
        moments=moments,
        found=moments.linearised(),
        clustered=False,
        weighted=weighted,
        log=ratio and positive,
        uneven=uneven,
        stretch=stretch,
        telling=telling,
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
        f"There is one {what} only, which does not show how {what}s vary: it gives no interval and "
        f"no test. Give two {what}s or more, better thirty."
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
    single = averages.single_where_surer(system, found)
    if single is not None:
        least, most = single.interval(level=level)
        low, high = min(low, least), max(high, most)
    if averages.judged is not None and value.low is not None and value.high is not None:
        low, high = max(low, value.low), min(high, value.high)
    ends = Interval(low=low, high=high, level=level, method=_method(averages, found))
    return (
        Estimate(
            measure=value.measure,
            value=centre,
            interval=ends,
            standard_error=found.error / averages.stretch,
            items=items,
        ),
        (),
    )


def hold_to_range(name: ValueName, low: float, high: float) -> tuple[float, float]:
    """Cut limits of a difference to what values in a stated range allow."""
    if name.low is None or name.high is None:
        return low, high
    reach = name.high - name.low
    return max(low, -reach), min(high, reach)


def _method(averages: Averages, found: StudentEstimate) -> str:
    kind = "t" if found.scale == "plain" else "t-log"
    kind = kind if averages.judged is None else "ppi"
    return f"cluster-{kind}" if averages.clustered else kind


def say_doubts(averages: Averages, skew: float | None) -> list[str]:
    """Say what makes Student's t doubtful: few units, or values with a long tail."""
    if averages.judged is not None:
        what = "clusters" if averages.clustered else "items"
        # Limits of right and wrong reach the rule of three, whatever the skew.
        told = None if averages.clustered or averages.moments.right_or_wrong else skew
        codes = uncertainty.value_caveats(averages.judged.units, told)
        words = {**DOUBTS, "few-items": FEW_LABELS.format(what)}
        return [words[code] for code in codes]
    if averages.clustered:
        # How single items are skewed says little about the sums of clusters.
        codes = uncertainty.value_caveats(averages.found.units, None)
        doubts = [] if averages.between is None else [BETWEEN.format(averages.between)]
        doubts += _say_uneven(averages)
        return [*doubts, FEW_CLUSTERS] if "few-items" in codes else doubts
    codes = uncertainty.value_caveats(averages.found.units, skew)
    return [*_say_uneven(averages), *(DOUBTS[code] for code in codes)]


def _say_uneven(averages: Averages) -> list[str]:
    settled = averages.far_apart or (averages.clustered and averages.uneven is not None)
    if averages.judged is not None or not settled:
        return []
    return [
        UNEVEN.format(
            many="clusters" if averages.clustered else "items",
            weigh="hold" if averages.clustered else "weigh",
            telling=averages.effective,
            freedom=averages.freedom,
        )
    ]


def say_too_few(averages: Averages, alpha: float) -> list[str]:
    """Say that so few units cannot show a difference at this error rate, whatever they are."""
    chance = min(1.0, 2 * 0.5**averages.effective)
    if chance <= alpha:
        return []
    many = "clusters" if averages.clustered else "items"
    return [TOO_FEW.format(telling=averages.effective, many=many, chance=chance)]


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
    if scale.better is None and scale.known_by:
        message = (
            f"Do these columns hold one quantity? By their names one way is better of some and the "
            f"other of others ({printable(scale.known_by)}). Compare what measures the same; or "
            "type lower_is_better=True (--lower-is-better) or higher_is_better=True "
            "(--higher-is-better)."
        )
        raise NotComparable(message, code="better-unknown")
    if scale.better is None:
        message = (
            f"Is a lower or a higher {printable(scale.name)} better? Neither was said, and the "
            "names of the columns do not say it. Type lower_is_better=True (--lower-is-better) or "
            "higher_is_better=True (--higher-is-better)."
        )
        raise NotComparable(message, code="better-unknown")


def say_own_rates(scale: ValueScale | None) -> list[str]:
    """Say that a mean of the items' own rates of errors is not the rate of all errors."""
    if scale is None or scale.per is not None or not is_rate_of_errors(scale.name):
        return []
    return [OWN_RATES.format(name=printable(scale.name))]


def check_units(scale: ValueScale | None, *sums: Moments) -> None:
    """Refuse one system in shares beside another in percent, unless a range was stated.

    So are seconds beside milliseconds; the sums may be of all systems together or of each apart.
    """
    if any(one.per for one in sums) or (scale is not None and scale.low is not None):
        return
    apart = units_apart(scale.name if scale else "")
    means = {name: one.mean(name) for one in sums for name in one.systems}
    tops = {n: top for one in sums for n, top in zip(one.systems, one.largest, strict=False)}
    bottoms = {n: low for one in sums for n, low in zip(one.systems, one.least, strict=False)}
    if apart is None or min(bottoms.values()) < 0:
        return
    small = [n for n in means if 0 < means[n] and (tops[n] <= SHARE_TOP or apart > SHARES_APART)]
    large = [
        name for name in means
        if tops[name] > SHARE_TOP and any(means[name] >= apart * means[n] for n in small)
    ]  # fmt: skip
    small = [n for n in small if n not in large]
    if not large or not small:
        return
    most = max(tops[name] for name in large)
    what = "shares beside percent" if most <= PERCENT_TOP else "two units, or an id among them"
    what = what if apart == SHARES_APART else "seconds beside milliseconds"
    range_ = (
        "If they are right as they are, state the range of values: "
        f"{switch('range', f'0,{max(PERCENT_TOP, most):g}')}."
    )
    fewer = f"To leave systems out: {switch('value', ','.join(small))}."
    ways = (range_, fewer) if most <= PERCENT_TOP else (fewer, range_)
    message = (
        f"{listing(small)} hold{'s' if len(small) == 1 else ''} values from 0 to "
        f"{max(SHARE_TOP, *(tops[name] for name in small)):g}, and {listing(large)} values up to "
        f"{most:g}: {what}? Bring all to one unit. {' '.join(ways)}"
    )
    raise NotComparable(message, code="units-mixed")

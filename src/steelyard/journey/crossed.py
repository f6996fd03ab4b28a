"""Items that share two things: what each side shows, and both together; the least sure counts.

A statement over crossed items is never surer than the same statement over the clusters of either
side, nor than Student's t with the two-way variance. So intervals are drawn out to the widest, and
p is the largest: the test rejects what all of them reject, and the interval is what it does not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from steelyard import measures, uncertainty
from steelyard.errors import NotComparable
from steelyard.journey.comparison.question import Question, Weighed, couples, rank
from steelyard.results import ComparedPair, Comparison, Estimate, Interval, Proportion
from steelyard.sources import Predictions, System
from steelyard.uncertainty import CrossedError
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["CROSSED_METHOD", "CrossedItems", "by_side", "compare_crossed", "draw_out",
           "read_crossed", "say_crossed"]  # fmt: skip

CROSSED_METHOD = "two-way clusters"
ENOUGH = 40
MOST_TIMES = 10_000
"""A plan of more is no plan."""
CROSSED = (
    "{items:,d} items are crossed: {first:,d} clusters on the first side, {second:,d} on the "
    "second; intervals take both as drawn at random"
)
SAME_SET = (
    "{shared:,d} names appear on both sides and are taken as the same: the items are then pairs of "
    "one set; if they are not, write the names of one side differently"
)
FEW = (
    "with fewer than 40 clusters on a side, or a rare event that a few of them cause, two-way "
    "limits may hold in about 87 % instead of 95 %"
)
PRIMARY = (
    "two-way clusters: Student's t with the variance over both sides, and what the clusters of "
    "each side alone show; the least sure of them counts, p-values Shaffer-adjusted"
)

Floats = NDArray[np.float64]
Compared = TypeVar("Compared", bound=Comparison)
Measured = TypeVar("Measured", bound=Estimate | Proportion)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedItems:
    """Both clusters of every item, the value of every system and what each item adds to it."""

    first: NDArray[Any]
    second: NDArray[Any]
    values: dict[str, float]
    added: dict[str, Floats]
    hits: dict[str, Floats]
    scale: Literal["plain", "logit"]

    @property
    def clusters(self) -> tuple[int, int]:
        """How many there are on each side."""
        return np.unique(self.first).size, np.unique(self.second).size

    def error(self, first: str, second: str | None = None) -> CrossedError:
        """Give the error of a system, or of the difference of two."""
        added = self.added[first] if second is None else self.added[first] - self.added[second]
        return uncertainty.crossed_error(added, self.first, self.second)

    def limits(self, system: str, level: float) -> tuple[float, float] | None:
        """Give two-way limits of a system; None where nothing varies."""
        if system in self.hits:
            return uncertainty.crossed_share_interval(
                self.hits[system], self.first, self.second, level=level
            )
        error = self.error(system)
        if error.variance <= 0:
            return None
        return error.limits(self.values[system], level=level, scale=self.scale)


def by_side(predictions: Predictions) -> tuple[Predictions, Predictions]:
    """Give the same items with the clusters of the first side, and with those of the second."""
    others = [name for name in predictions.table.columns if not name.startswith("crossed_")]
    kept = ", ".join(f'"{name}"' for name in others)
    first, second = (
        replace(
            predictions,
            table=predictions.table.derive(f"SELECT {kept}, {side} AS cluster FROM {{t}}"),
            splits=("cluster", *predictions.splits),
        )
        for side in ("crossed_first", "crossed_second")
    )
    return first, second


def read_crossed(predictions: Predictions, systems: Sequence[System]) -> CrossedItems:
    """Read the items that all of these systems have, and find what each adds to the estimates."""
    if predictions.weighted:
        message = (
            "Crossed items are counted once each. Leave the weights out: weight='' (--weight '')."
        )
        raise NotComparable(message, code="weighted")
    if predictions.pairing == "independent":
        message = (
            "Crossed items are compared where all systems have the same ones. Leave pairing= "
            "(--pairing) out, or name one column of clusters."
        )
        raise NotComparable(message, code="crossed")
    answered = predictions.with_answers()
    parts = ["crossed_first AS one", "crossed_second AS two"]
    for place, system in enumerate(systems):
        column = system.column
        if system in answered:
            column = f"CASE WHEN {system.outcome_sql()} THEN 1.0 ELSE 0.0 END"
        parts.append(f"{column} AS x{place}")
        parts += [f"{system.per} AS w{place}"] if system.per else []
    scored = predictions.values is None and not answered
    parts += ["CASE WHEN positive THEN 1 ELSE 0 END AS positive"] if scored else []
    there = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    rows = predictions.table.arrays(f"SELECT {', '.join(parts)} FROM {{t}} WHERE {there}")
    values: dict[str, float] = {}
    added: dict[str, Floats] = {}
    hits: dict[str, Floats] = {}
    for place, system in enumerate(systems):
        x = rows[f"x{place}"].astype(np.float64)
        if scored:
            values[system.name], added[system.name] = uncertainty.area_parts(
                x, rows["positive"] == 1
            )
            continue
        w = rows[f"w{place}"].astype(np.float64) if system.per else np.ones(x.size)
        value = float(x.sum() / w.sum())
        values[system.name], added[system.name] = value, (x - value * w) / w.sum()
        if system in answered:
            hits[system.name] = x
    return CrossedItems(
        first=rows["one"].astype(str),
        second=rows["two"].astype(str),
        values=values,
        added=added,
        hits=hits,
        scale="logit" if scored else "plain",
    )


def say_crossed(items: CrossedItems) -> tuple[str, ...]:
    """Say how many clusters there are, and when they are few."""
    first, second = items.clusters
    said = [CROSSED.format(items=items.first.size, first=first, second=second)]
    shared = np.intersect1d(items.first, items.second).size
    said += [SAME_SET.format(shared=shared)] if shared else []
    return (*said, FEW) if min(first, second) < ENOUGH else tuple(said)


def draw_out(measured: Measured, ends: Sequence[tuple[float, float] | None]) -> Measured:
    """Draw the interval of a number out to the widest of several; none where one has none."""
    known = [one for one in ends if one is not None]
    if measured.interval is None or not known:
        return measured
    low = min(measured.interval.low, *(one[0] for one in known))
    high = max(measured.interval.high, *(one[1] for one in known))
    made = Interval(low=low, high=high, level=measured.interval.level, method=CROSSED_METHOD)
    return replace(measured, interval=made)


def compare_crossed(
    predictions: Predictions,
    question: Question,
    compare: Callable[[Predictions, Question], Compared],
) -> Compared:
    """Compare systems on crossed items: by the clusters of each side, and by both together."""
    items = read_crossed(predictions, predictions.systems)
    for i, j in couples(len(predictions.systems)):  # one cluster on a side is said in its own words
        items.error(predictions.systems[i].name, predictions.systems[j].name)
    one, two = (compare(side, question) for side in by_side(predictions))
    other = {(pair.first, pair.second): pair for pair in two.pairs}
    merged = [_merge(pair, other[pair.first, pair.second], items, question) for pair in one.pairs]
    raw = [1.0 if pair.p_value is None else pair.p_value for pair in merged]
    adjusted = uncertainty.shaffer_static(raw, systems=len(predictions.systems))
    pairs = [
        replace(pair, adjusted_p=q, verdict=question.verdict(q, pair.equivalent))
        for pair, q in zip(merged, adjusted, strict=True)
    ]
    places = [system.name for system in predictions.systems]
    mine = {each.system: each for each in one.systems}
    theirs = {each.system: each for each in two.systems}
    rates = [
        (name, draw_out(mine[name].rate, [_ends(theirs[name].rate),
                                          items.limits(name, question.level)]))
        for name in places
    ]  # fmt: skip
    # Which of the two sides is the less sure who is best is asked, since both may not be surer.
    doubtful = min((mine, theirs), key=lambda side: max(side[name].best or 0.0 for name in places))
    best = [doubtful[name].best for name in places]
    if len(places) == 2 and pairs[0].better is not None:  # of two, to be best is to be better
        better = {pairs[0].first: pairs[0].better, pairs[0].second: 1 - pairs[0].better}
        best = [better[name] for name in places]
    found = Weighed(
        rates=[*rates],
        best=best,
        pairs=pairs,
        error=one.monte_carlo_error,
        lower=any(getattr(pair, "lower", False) for pair in pairs),
    )
    total = items.first.size
    about = {said for side in items.clusters for said in measures.cluster_caveats(side, total)}
    shared = [said for said in one.caveats if said in two.caveats and said not in about]
    return replace(
        one,
        systems=rank(found),
        pairs=tuple(pairs),
        primary=PRIMARY,
        more=(),
        caveats=(*shared, *say_crossed(items), *_more_clusters(pairs, items, question)),
    )


def _more_clusters(
    pairs: Sequence[ComparedPair], items: CrossedItems, question: Question
) -> tuple[str, ...]:
    """Say how many times the clusters would tell the widest open pair apart, at 80 % power.

    With k times the clusters on both sides the variance of both is a k-th; more items of the same
    clusters change little.
    """
    undecided = [pair for pair in pairs if pair.verdict == "undecided" and pair.difference.value]
    if not undecided:
        return ()
    pair = max(undecided, key=lambda one: abs(one.difference.value or 0.0))
    gap = abs(pair.difference.value or 0.0)
    reach = normal_quantile(1 - question.alpha) + normal_quantile(0.6)
    times = max(1.1, items.error(pair.first, pair.second).variance * (reach / gap) ** 2)
    if times > MOST_TIMES:
        return ()
    shown = f"{times:.1f}" if times < 10 else f"{times:,.0f}"
    return (
        f"if {pair.first} and {pair.second} really differ by {gap:.3g}, about {shown} times as "
        "many clusters on both sides tell them apart in 80 % of tests; more items of the same "
        "clusters hardly help",
    )


def _ends(rate: Estimate | Proportion) -> tuple[float, float] | None:
    return None if rate.interval is None else (rate.interval.low, rate.interval.high)


def _merge(
    one: ComparedPair, two: ComparedPair, items: CrossedItems, question: Question
) -> ComparedPair:
    """Take of every number of a pair the least sure one of the three."""
    error = items.error(one.first, one.second)
    gap = items.values[one.first] - items.values[one.second]
    chances = [one.better, two.better]
    tested, near = [one.p_value, two.p_value], [one.equivalent, two.equivalent]
    ends = [_ends(two.difference)]
    if error.variance > 0:
        low, high = error.limits(gap, level=question.level)
        bounded = one.first in items.hits or items.scale == "logit"
        # No two shares, and no two areas, are further apart than 1.
        ends.append((max(low, -1.0), min(high, 1.0)) if bounded else (low, high))
        less = error.below(0.0, gap)
        tested.append(2 * min(less, 1 - less))
        chances.append(less if getattr(one, "lower", False) else 1 - less)
        if question.margin is not None:
            near.append(error.below(question.margin, gap) - error.below(-question.margin, gap))
    known = [one for one in chances if one is not None]
    alike = [one for one in near if one is not None]
    gaps = [one.difference.standard_error, two.difference.standard_error, sqrt(error.variance)]
    spread = None if None in gaps else max(each for each in gaps if each is not None)
    return replace(
        one,
        difference=replace(draw_out(one.difference, ends), standard_error=spread),
        p_value=None if None in tested else max(p for p in tested if p is not None),
        better=min(known, key=lambda chance: abs(chance - 0.5)) if known else None,
        equivalent=min(alike) if alike else None,
    )

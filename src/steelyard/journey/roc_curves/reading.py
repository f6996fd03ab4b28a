"""Points on a curve: any one number in, any measures out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import (
    Number,
    OperatingPoint,
    RocCurve,
    balanced_accuracy,
    clustered_kappa,
    clustered_measure,
    cohen_kappa,
    detection_rate_at,
    exact_number,
    f1,
    false_alarm_rate_at,
    informedness,
    mcc,
    point_at,
)
from steelyard.results import Estimate, Interval, Measured, Proportion, RocPlace
from steelyard.uncertainty import cluster_share_interval, wilson_interval

__all__ = ["Lookup", "place_on", "read_lookups"]

KEYS = {
    "threshold": "threshold",
    "pfa": "false_alarm_rate",
    "false_alarm_rate": "false_alarm_rate",
    "fpr": "false_alarm_rate",
    "pd": "detection_rate",
    "detection_rate": "detection_rate",
    "recall": "detection_rate",
    "tpr": "detection_rate",
    "precision": "precision",
    "ppv": "precision",
    "flagged": "flagged",
}
READ_OFF = (
    "what stands without an interval was measured on the items that chose the threshold, and "
    "promises too much"
)
Shared = Callable[[OperatingPoint], tuple[int, int]]
SHARES: dict[str, Shared] = {
    "recall": lambda p: (p.tp, p.tp + p.fn),
    "sensitivity": lambda p: (p.tp, p.tp + p.fn),
    "detection_rate": lambda p: (p.tp, p.tp + p.fn),
    "tpr": lambda p: (p.tp, p.tp + p.fn),
    "false_alarm_rate": lambda p: (p.fp, p.fp + p.tn),
    "fpr": lambda p: (p.fp, p.fp + p.tn),
    "specificity": lambda p: (p.tn, p.fp + p.tn),
    "tnr": lambda p: (p.tn, p.fp + p.tn),
    "miss_rate": lambda p: (p.fn, p.tp + p.fn),
    "fnr": lambda p: (p.fn, p.tp + p.fn),
    "precision": lambda p: (p.tp, p.tp + p.fp),
    "ppv": lambda p: (p.tp, p.tp + p.fp),
    "npv": lambda p: (p.tn, p.tn + p.fn),
    "accuracy": lambda p: (p.tp + p.tn, p.tp + p.fp + p.fn + p.tn),
    "flagged_share": lambda p: (p.tp + p.fp, p.tp + p.fp + p.fn + p.tn),
}
"""Measures that are shares of items, which have Wilson's interval at a threshold fixed before."""

POSITIVE = "positive"
OF_TABLE: dict[str, Callable[..., Measured]] = {
    "balanced_accuracy": balanced_accuracy,
    "youden": partial(informedness, of=POSITIVE),
    "kappa": cohen_kappa,
    "f1": partial(f1, of=POSITIVE),
    "mcc": mcc,
}
"""Other measures of the table of calls at a threshold fixed before, each with its own interval."""

RECALLS = frozenset({"recall", "sensitivity", "detection_rate", "tpr"})
ALARMS = frozenset({"false_alarm_rate", "fpr"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """One number by which a point is found."""

    by: str
    value: Fraction
    asked: str


def read_lookups(at: str | Sequence[str] | Mapping[str, Number]) -> tuple[Lookup, ...]:
    """Read ``pfa=0.1`` and its like."""
    if isinstance(at, Mapping):
        pairs = [(str(name), value) for name, value in at.items()]
    else:
        texts = (at,) if isinstance(at, str) else tuple(at)
        wrong = [text for text in texts if "=" not in text]
        if wrong:
            message = (
                f"at={wrong[0]!r} is not of the form pfa=0.1, pd=0.9, threshold=0.5, "
                "precision=0.8 or flagged=100."
            )
            raise RequestError(message)
        pairs = [(text.partition("=")[0].strip(), text.partition("=")[2]) for text in texts]
    found = []
    for name, value in pairs:
        if name not in KEYS:
            raise RequestError.for_choice(name="at", given=name, choices=tuple(KEYS))
        number = exact_number(value, name)
        found.append(Lookup(by=KEYS[name], value=number, asked=f"{name} {float(number):g}"))
    return tuple(found)


def place_on(
    curve: RocCurve,
    table: ScoreTable,
    lookup: Lookup,
    *,
    measures: Sequence[str],
    level: float,
    rng: np.random.Generator | None,
    resamples: int,
    clusters: Grouped[ScoreTable] | None = None,
) -> RocPlace:
    """Find the point and measure it.

    At a threshold fixed in advance shares have Wilson's interval. What was read off these items
    has the bootstrap's where there is one, and none otherwise. With clusters both take them as the
    units.
    """
    point = _point(curve, lookup, measures)
    fixed = lookup.by == "threshold"
    read = (
        {}
        if fixed
        else _resampled(table, lookup, level=level, rng=rng, resamples=resamples, clusters=clusters)
    )
    found: list[Measured] = []
    for name, value in point.measures:
        if name in read:
            found.append(read[name])
        elif fixed and name in SHARES:
            found.append(_share(name, point, level=level, clusters=clusters))
        elif fixed and name in OF_TABLE:
            found.append(_of_table(name, point, level=level, clusters=clusters))
        else:
            reason = "there is nothing to share out" if value is None else None
            found.append(Estimate(measure=_spelled(name), value=value, reason=reason))
    finite = np.isfinite(point.threshold)
    return RocPlace(
        asked=lookup.asked,
        threshold=point.threshold if finite else None,
        below=_below(table, point.threshold) if finite else None,
        tp=point.tp,
        fp=point.fp,
        fn=point.fn,
        tn=point.tn,
        measures=tuple(found),
        notes=() if fixed else (READ_OFF,),
    )


def _point(curve: RocCurve, lookup: Lookup, measures: Sequence[str]) -> OperatingPoint:
    if lookup.by == "threshold":
        return curve.at(threshold=float(lookup.value), measures=measures)
    if lookup.by == "flagged":
        if lookup.value.denominator != 1:
            message = f"flagged={float(lookup.value):g} is not a whole number of items."
            raise RequestError(message)
        return curve.at(flagged=int(lookup.value), measures=measures)
    options: dict[str, Number] = {lookup.by: lookup.value}
    return curve.at(measures=measures, **options)  # type: ignore[arg-type]


def _below(table: ScoreTable, threshold: float) -> float | None:
    place = int(np.searchsorted(table.scores, threshold, side="left")) - 1
    below = float(table.scores[place]) if place >= 0 else None
    return below if below is not None and np.isfinite(below) else None


def _resampled(
    table: ScoreTable,
    lookup: Lookup,
    *,
    level: float,
    rng: np.random.Generator | None,
    resamples: int,
    clusters: Grouped[ScoreTable] | None,
) -> dict[str, Estimate]:
    """Give the rate that was not fixed its bootstrap interval."""
    if rng is None or not resamples:
        return {}
    if lookup.by == "false_alarm_rate":
        one = detection_rate_at(
            table,
            false_alarm_rate=lookup.value,
            level=level,
            rng=rng,
            resamples=resamples,
            clusters=clusters,
        )
        return {name: _named(one, name) for name in RECALLS}
    if lookup.by == "detection_rate":
        one = false_alarm_rate_at(
            table,
            detection_rate=lookup.value,
            level=level,
            rng=rng,
            resamples=resamples,
            clusters=clusters,
        )
        return {name: _named(one, name) for name in ALARMS}
    return {}


def _named(one: Estimate, name: str) -> Estimate:
    return Estimate(measure=_spelled(name), value=one.value, interval=one.interval, items=one.items)


def _spelled(name: str) -> str:
    return name.replace("_", " ")


def _of_table(
    name: str, point: OperatingPoint, *, level: float, clusters: Grouped[ScoreTable] | None
) -> Measured:
    measure = partial(OF_TABLE[name], level=level)
    table = _calls(point)
    found = measure(table)
    if clusters is not None and found.value is not None:
        parts = clusters.each(lambda part: _calls(point_at(part, point.threshold)))
        if name == "kappa":
            found = clustered_kappa(parts, level=level)
        else:
            found = clustered_measure(parts, measure, level=level)
    return replace(found, measure=_spelled(name), of=None)


def _calls(point: OperatingPoint) -> Confusion:
    return Confusion.from_binary(tp=point.tp, fp=point.fp, fn=point.fn, tn=point.tn)


def _share(
    name: str, point: OperatingPoint, *, level: float, clusters: Grouped[ScoreTable] | None
) -> Proportion:
    won, total = SHARES[name](point)
    ends = None
    if total and clusters is None:
        low, high = wilson_interval(won, total, level=level)
        ends = Interval(low=low, high=high, level=level, method="wilson")
    elif total and clusters is not None:
        ends = _clustered_share(name, point.threshold, clusters, level)
    return Proportion(
        measure=_spelled(name),
        successes=won,
        trials=total,
        interval=ends,
        reason=None if total else "there is nothing to share out",
    )


def _clustered_share(
    name: str, threshold: float, clusters: Grouped[ScoreTable], level: float
) -> Interval | None:
    """Interval of a share at a fixed threshold, with clusters as the units."""
    shares = [SHARES[name](point_at(part, threshold)) for _, part in clusters]
    if sum(tried > 0 for _, tried in shares) < 2:
        return None
    won, tried = ([pair[at] for pair in shares] for at in (0, 1))
    low, high = cluster_share_interval(won, tried, level=level)
    return Interval(low=low, high=high, level=level, method="cluster-robust")

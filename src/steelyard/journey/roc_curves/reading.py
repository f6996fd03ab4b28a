"""Points on a curve: any one number in, any measures out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np

from steelyard import uncertainty
from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import (
    Number,
    OperatingPoint,
    RocCurve,
    Rounding,
    balanced_accuracy,
    clustered_kappa,
    clustered_measure,
    cohen_kappa,
    detection_rate_at,
    every_nth_thresholds,
    exact_number,
    f1,
    false_alarm_rate_at,
    informedness,
    linear_thresholds,
    log_thresholds,
    mcc,
    point_at,
    roc_at_thresholds,
    thresholds_at_detection_rates,
    thresholds_at_false_alarm_rates,
)
from steelyard.results import Estimate, Interval, Measured, Proportion, RocPlace

__all__ = ["Generated", "Lookup", "generate_curve", "place_on", "read_generation", "read_lookups"]

# --- points on a curve: any one number in, any measures out --------------------------------------


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
        else _resample(table, lookup, level=level, rng=rng, resamples=resamples, clusters=clusters)
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
            found.append(Estimate(measure=_spell(name), value=value, reason=reason))
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


def _resample(
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
        return {name: _name(one, name) for name in RECALLS}
    if lookup.by == "detection_rate":
        one = false_alarm_rate_at(
            table,
            detection_rate=lookup.value,
            level=level,
            rng=rng,
            resamples=resamples,
            clusters=clusters,
        )
        return {name: _name(one, name) for name in ALARMS}
    return {}


def _name(one: Estimate, name: str) -> Estimate:
    return Estimate(measure=_spell(name), value=one.value, interval=one.interval, items=one.items)


def _spell(name: str) -> str:
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
    return replace(found, measure=_spell(name), of=None)


def _calls(point: OperatingPoint) -> Confusion:
    return Confusion.from_binary(tp=point.tp, fp=point.fp, fn=point.fn, tn=point.tn)


def _share(
    name: str, point: OperatingPoint, *, level: float, clusters: Grouped[ScoreTable] | None
) -> Proportion:
    won, total = SHARES[name](point)
    ends = None
    if total and clusters is None:
        low, high = uncertainty.wilson_interval(won, total, level=level)
        ends = Interval(low=low, high=high, level=level, method="wilson")
    elif total and clusters is not None:
        ends = _limits_of_clusters(name, point.threshold, clusters, level)
    return Proportion(
        measure=_spell(name),
        successes=won,
        trials=total,
        interval=ends,
        reason=None if total else "there is nothing to share out",
    )


def _limits_of_clusters(
    name: str, threshold: float, clusters: Grouped[ScoreTable], level: float
) -> Interval | None:
    """Interval of a share at a fixed threshold, with clusters as the units."""
    shares = [SHARES[name](point_at(part, threshold)) for _, part in clusters]
    if sum(tried > 0 for _, tried in shares) < 2:
        return None
    won, tried = ([pair[at] for pair in shares] for at in (0, 1))
    low, high = uncertainty.cluster_share_interval(won, tried, level=level)
    return Interval(low=low, high=high, level=level, method="cluster-robust")


# --- where a curve has its points: as written by a user, and as made from scores -----------------


Made = Callable[[ScoreTable], "np.typing.NDArray[np.float64]"]
FORMS = "linear:50, log:50, every:10, pfa:0.01,0.1, pd:0.5,0.9, or a list of numbers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """How thresholds are made: in words, as written, and as a function of the scores."""

    words: str
    said: str | None = None
    made: Made | None = None


def read_generation(
    thresholds: str | Sequence[Number] | None, rounding: Rounding | None
) -> Generated:
    """Read what a user wrote about thresholds."""
    if rounding is not None and rounding not in {"floor", "ceil", "round"}:
        choices = ("floor", "ceil", "round")
        raise RequestError.for_choice(name="rounding", given=rounding, choices=choices)
    if thresholds is None:
        return Generated(words="every distinct score")
    if not isinstance(thresholds, str):
        return _list([exact_number(one, "thresholds") for one in thresholds])
    name, mark, rest = thresholds.partition(":")
    if not mark:
        return _list(_numbers(thresholds, thresholds))
    if name not in RECIPES:
        raise _strange(thresholds)
    return RECIPES[name](thresholds, rest, rounding)


def generate_curve(table: ScoreTable, generation: Generated, full: RocCurve) -> RocCurve:
    """Make the curve at the thresholds that were asked for; the full one unless told."""
    return full if generation.made is None else roc_at_thresholds(table, generation.made(table))


def _strange(thresholds: str) -> RequestError:
    return RequestError(f"thresholds={thresholds!r} is none of {FORMS}.")


def _numbers(text: str, whole: str) -> list[Number]:
    try:
        return [exact_number(one.strip(), "thresholds") for one in text.split(",")]
    except RequestError:
        raise _strange(whole) from None


def _count(text: str, whole: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise _strange(whole)
    return int(text)


def _list(numbers: Sequence[Number]) -> Generated:
    listed = [float(one) for one in numbers]
    return Generated(
        words=f"{len(listed)} listed thresholds",
        said=",".join(f"{one:g}" for one in listed),
        made=lambda table: np.array(listed),
    )


def _linear(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    number = _count(rest, whole)
    words = f"{number} thresholds in equal steps from the lowest score to the highest"
    return Generated(words=words, said=whole, made=lambda table: linear_thresholds(table, number))


def _logarithmic(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    number = _count(rest, whole)
    words = f"{number} thresholds by equal factors from the lowest score to the highest"
    return Generated(words=words, said=whole, made=lambda table: log_thresholds(table, number))


def _every(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    del rounding
    step = _count(rest, whole)
    words = f"the score of every {step}. item"
    return Generated(words=words, said=whole, made=lambda table: every_nth_thresholds(table, step))


def _false_alarms(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    rates, way = _numbers(rest, whole), rounding or "floor"
    return Generated(
        words=f"given false-alarm rates, whole items by {way}",
        said=f"{whole} {way}",
        made=lambda table: thresholds_at_false_alarm_rates(table, rates, rounding=way),
    )


def _detections(whole: str, rest: str, rounding: Rounding | None) -> Generated:
    rates, way = _numbers(rest, whole), rounding or "ceil"
    return Generated(
        words=f"given detection rates, whole items by {way}",
        said=f"{whole} {way}",
        made=lambda table: thresholds_at_detection_rates(table, rates, rounding=way),
    )


RECIPES: dict[str, Callable[[str, str, Rounding | None], Generated]] = {
    "linear": _linear,
    "log": _logarithmic,
    "every": _every,
    "pfa": _false_alarms,
    "pd": _detections,
}

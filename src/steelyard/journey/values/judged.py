"""Labels of people on some items, a judge's on all: means, and what must be said of the judge."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
from scipy.special import stdtr

from steelyard import tally, uncertainty
from steelyard.counts import Linearised, Moments
from steelyard.display.text import show_name
from steelyard.errors import NotComparable, RequestError, counted
from steelyard.journey.values.sums import Averages, check_units, uneven_freedom
from steelyard.results import Estimate, Interval, JudgeRecord
from steelyard.sources import Predictions
from steelyard.sources.predictions import Better, System
from steelyard.uncertainty import JudgedMeans

__all__ = ["judge_doubts", "judge_records", "refuse_judge", "sum_judged_slices", "sum_judgements"]

NOTHING = 0.05
"""A gain below this share of the labels is none."""
OTHER_SCALE = 4
"""Values that spread over so many times as much are counted in other units."""
UNLIKE = 0.003
"""Labelled and other items that lie so far apart with less than this chance are no random part."""


def refuse_judge(predictions: Predictions, what: str) -> None:
    """Refuse what looks at single items, where most of them have a judge's label only."""
    if predictions.systems[0].judge:
        message = (
            f"{what} looks at single items, and only some of these have a label of people. Leave "
            "judge= (--judge) out to ask it of the labelled items alone, with missing='exclude' "
            "(--missing exclude)."
        )
        raise RequestError(message, code="judge")


def _judge_of(system: System) -> System:
    return replace(system, name=f"{system.name} by the judge", column=system.judge, judge="")


def sum_judgements(predictions: Predictions, systems: Sequence[System]) -> Averages:
    """Sum labels and judgements; clusters, where they are declared, are the units."""
    _check(predictions)
    judges = [_judge_of(system) for system in systems]
    lone = _count_lone_labels(predictions, systems)
    labelled = tally.tally_moments(predictions, [*systems, *judges])
    check_units(predictions.values, labelled)
    scale = _say_other_scale(labelled, systems, judges)
    if "cluster" not in predictions.splits:
        whole = tally.tally_moments(predictions, judges)
        found = _averages(labelled, uncertainty.judged_means(labelled, whole))
        return replace(found, lone=lone, other_scale=scale)
    parts = dict(tally.tally_moments_by(predictions, "cluster", [*systems, *judges]))
    every = dict(tally.tally_moments_by(predictions, "cluster", judges))
    return replace(_of_clusters(labelled, parts, every), lone=lone, other_scale=scale)


def _say_other_scale(labelled: Moments, systems: Sequence[System], judges: Sequence[System]) -> str:
    """Say that the judge counts in other units than people, where its values lie far elsewhere."""
    ends = dict(zip(labelled.systems, zip(labelled.least, labelled.largest, strict=False),
                    strict=False))  # fmt: skip
    for system, judge in zip(systems, judges, strict=True):
        (low, high), (least, largest) = ends[system.name], ends[judge.name]
        wide, narrow = max(high - low, largest - least), min(high - low, largest - least)
        apart = least > high or largest < low
        if narrow > 0 and (apart or wide >= OTHER_SCALE * narrow):
            return (
                f"people's values of {show_name(system.name)} lie from {low:g} to {high:g} and the "
                f"judge's from {least:g} to {largest:g}: on another scale it counts for less than "
                "it could, and its means are not to be compared; bring both to one scale"
            )
    return ""


def sum_judged_slices(
    predictions: Predictions, systems: Sequence[System]
) -> list[tuple[str, Averages | Moments]]:
    """Sum each slice apart; every one needs labels of its own."""
    _check(predictions)
    judges = [_judge_of(system) for system in systems]
    found: list[tuple[str, Averages | Moments]] = []
    if "cluster" in predictions.splits:
        some = tally.tally_moments_by_slice(predictions, [*systems, *judges])
        for name, parts in tally.tally_moments_by_slice(predictions, judges).items():
            _need_slice(name, some)
            labelled = some[name]
            found.append((name, _of_clusters(labelled.merged(), dict(labelled), dict(parts))))
        return found
    held = dict(tally.tally_moments_by(predictions, "group", [*systems, *judges]))
    for name, whole in tally.tally_moments_by(predictions, "group", judges):
        _need_slice(name, held)
        found.append((name, _averages(held[name], uncertainty.judged_means(held[name], whole))))
    return found


def _check(predictions: Predictions) -> None:
    if predictions.weighted:
        message = (
            "A judge is corrected by labels of items that count once, and these carry weights. "
            "Leave one of them out: weight='' (--weight '')."
        )
        raise NotComparable(message, code="weighted")
    if predictions.pairing == "independent":
        message = "A judge is corrected on common items. Leave pairing= (--pairing) out."
        raise NotComparable(message, code="values-own-items")


def _count_lone_labels(predictions: Predictions, systems: Sequence[System]) -> int:
    """Count the items that people labelled for some systems only; enough need labels for all."""
    answered = [f"{system.column} IS NOT NULL" for system in systems]
    asked = [f"COUNT(CASE WHEN {way.join(answered)} THEN 1 END)" for way in (" AND ", " OR ")]
    ((labels, some),) = predictions.table.query(f"SELECT {', '.join(asked)} FROM {{t}}")
    if labels < 3:
        both = " for all systems" if len(systems) > 1 else ""
        message = (
            f"{labels} of {predictions.rows:,} items have a label of people{both}; a judge is "
            "weighed against three or more, better thirty. Label more, drawn at random."
        )
        raise NotComparable(message, code="few-labels")
    return int(some) - int(labels)


def _need_slice(name: str, held: Mapping[str, object]) -> None:
    if name not in held:
        message = (
            f"The slice {name!r} has no label of people. Label some of its items, or leave "
            "by_group= (--by-group) and the slices out: group='' (--group '')."
        )
        raise NotComparable(message, code="few-labels")


def _of_clusters(
    labelled: Moments, parts: Mapping[str, Moments], whole: Mapping[str, Moments]
) -> Averages:
    found = uncertainty.judged_means_of_clusters(parts, whole)
    uneven = uneven_freedom([float(one.items) for one in parts.values()])
    return replace(_averages(labelled, found), clustered=True, uneven=uneven)


def _averages(labelled: Moments, found: JudgedMeans) -> Averages:
    """Lay the estimates out as means over labelled units."""
    spread = found.covariances * found.units
    return Averages(
        moments=labelled.only(found.systems),
        found=Linearised(
            systems=found.systems,
            units=found.units,
            values=tuple(Fraction(float(one)) for one in found.values),
            covariances=tuple(tuple(Fraction(float(one)) for one in row) for row in spread),
        ),
        clustered=False,
        weighted=False,
        log=False,
        judged=found,
    )


def judge_records(averages: Averages, *, level: float) -> tuple[JudgeRecord, ...]:
    """List, for each system, what the judge gave and how far that is off."""
    found = averages.judged
    if found is None:
        return ()
    return tuple(
        JudgeRecord(
            system=name,
            items=found.labels + found.others,
            labels=found.labels,
            weight=found.weight,
            gain=found.gain,
            people=float(found.labelled[at]),
            judge=float(found.judge[at]),
            bias=_bias(found, np.eye(len(found.systems))[at], level=level),
        )
        for at, name in enumerate(found.systems)
    )


def _bias(found: JudgedMeans, form: np.ndarray, *, level: float) -> Estimate:
    value = float(form @ found.bias)
    error = sqrt(max(0.0, float(form @ found.bias_covariances @ form)))
    ends = None
    if error > 0:
        pivot = uncertainty.StudentEstimate(
            value=value, error=error, freedom=found.units - 1.0, units=found.units
        )
        low, high = pivot.interval(level=level)
        ends = Interval(low=low, high=high, level=level, method="t")
    return Estimate(
        measure="judge minus people",
        value=value,
        interval=ends,
        standard_error=error or None,
        items=found.labels,
    )


def judge_doubts(averages: Averages, better: Better | None, *, alpha: float = 0.05) -> list[str]:
    """Say what the judge is worth, whom it favours, and whether labels look like a random part.

    A judge is lenient, or favours a system, that gives it values on the ``better`` side of those
    of people.
    """
    found = averages.judged
    if found is None:
        return []
    said = []
    if found.shift is not None and 2 * stdtr(found.units - 1.0, -found.shift) < UNLIKE:
        said.append(
            "labelled items were hardly drawn at random, and the answer trusts that they were: the "
            f"judge's means of them and of the others lie {found.shift:.1f} standard errors apart"
        )
    said.append(_worth(found))
    if averages.lone:
        said.append(
            f"{counted(averages.lone, 'further item')} with a label for some systems only: none of "
            "them counts; label the same items for every system"
        )
    if averages.other_scale:
        return [*said, averages.other_scale]
    if len(found.systems) > 1:
        return said + _favours(found, better, alpha)
    return said + _lenient(found, better, alpha)


def _worth(found: JudgedMeans) -> str:
    total = found.labels + found.others
    counts = f"{found.labels:,} of {total:,} items have labels of people"
    if found.others < 2:
        return f"{counts}: with a label on every item the judge is not needed, and not used"
    if found.gain < 1 + NOTHING:
        return (
            f"the judge adds nothing: its labels go with those of people so little (weight "
            f"{found.weight:.2f}) that the answer is as sure without it; {counts}"
        )
    return (
        f"{counts}; the judge's on all are corrected by them and count with weight "
        f"{found.weight:.2f}, as sure as about {found.gain * found.labels:,.0f} labels without it"
    )


def _lenient(found: JudgedMeans, better: Better | None, alpha: float) -> list[str]:
    bias = _bias(found, np.ones(1), level=1 - alpha)
    ends = bias.interval
    if ends is None or ends.low <= 0 <= ends.high:
        return []
    more = ends.low > 0
    way = "lenient" if more == (better == "higher") else "strict"
    way = "off" if better is None else way
    return [
        f"the judge alone is {way}: it gives {bias.value:+.3g} [{ends.low:+.3g}, {ends.high:+.3g}] "
        f"against people; {_say_correction(found)}"
    ]


def _favours(found: JudgedMeans, better: Better | None, alpha: float) -> list[str]:
    """Name the pairs of which the judge favours one, with an error rate for all pairs together."""
    pairs = list(combinations(range(len(found.systems)), 2))
    said = []
    for i, j in pairs:
        form = np.zeros(len(found.systems))
        form[[i, j]] = 1, -1
        gap = _bias(found, form, level=1 - alpha)
        if gap.standard_error is None or gap.value is None:
            continue
        t = abs(gap.value) / gap.standard_error
        p_value = 2 * float(stdtr(found.units - 1.0, -t))
        if p_value * len(pairs) > alpha:
            continue
        liked, other = (i, j) if (gap.value > 0) == (better != "lower") else (j, i)
        said.append(
            f"the judge favours {show_name(found.systems[liked])} over "
            f"{show_name(found.systems[other])} by {abs(gap.value):.3g}, against people; "
            f"{_say_correction(found)}"
        )
    return said


def _say_correction(found: JudgedMeans) -> str:
    return "the answer is corrected for it" if found.weight else "it has no part in the answer"

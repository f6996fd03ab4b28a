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
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.values.sums import Averages, check_units, uneven_freedom
from steelyard.results import Estimate, Interval, JudgeRecord
from steelyard.sources import Predictions
from steelyard.sources.predictions import System
from steelyard.uncertainty import JudgedMeans

__all__ = ["judge_doubts", "judge_records", "judged_averages", "judged_slices", "refuse_judge"]

NOTHING = 0.05
"""A gain below this share of the labels is none."""
UNLIKE = 3.0
"""Labelled and other items further apart than so many standard errors are no random part."""


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


def judged_averages(predictions: Predictions, systems: Sequence[System]) -> Averages:
    """Sum labels and judgements; clusters, where they are declared, are the units."""
    _check(predictions)
    judges = [_judge_of(system) for system in systems]
    _need_labels(predictions, systems)
    labelled = tally.tally_moments(predictions, [*systems, *judges])
    check_units(predictions.values, labelled)
    if "cluster" not in predictions.splits:
        return _averages(
            labelled, uncertainty.judged_means(labelled, tally.tally_moments(predictions, judges))
        )
    parts = dict(tally.tally_moments_by(predictions, "cluster", [*systems, *judges]))
    return _of_clusters(
        labelled, parts, dict(tally.tally_moments_by(predictions, "cluster", judges))
    )


def judged_slices(
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


def _need_labels(predictions: Predictions, systems: Sequence[System]) -> None:
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    query = f"SELECT COUNT(CASE WHEN {answered} THEN 1 END) FROM {{t}}"
    ((labels,),) = predictions.table.query(query)
    if labels < 3:
        both = " for all systems" if len(systems) > 1 else ""
        message = (
            f"{labels} of {predictions.rows:,} items have a label of people{both}; a judge is "
            "weighed against three or more, better thirty. Label more, drawn at random."
        )
        raise NotComparable(message, code="few-labels")


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


def judge_doubts(averages: Averages, *, alpha: float = 0.05) -> list[str]:
    """Say what the judge is worth, whom it favours, and whether labels look like a random part."""
    found = averages.judged
    if found is None:
        return []
    said = [_worth(found)]
    said += _favours(found, alpha) if len(found.systems) > 1 else _lenient(found, alpha)
    if found.shift is not None and found.shift > UNLIKE:
        said.append(
            "labelled items are not like the others: the judge's means of the two lie "
            f"{found.shift:.1f} standard errors apart; the answer trusts that labels were drawn at "
            "random"
        )
    return said


def _worth(found: JudgedMeans) -> str:
    total = found.labels + found.others
    counts = f"{found.labels:,} of {total:,} items have labels of people"
    if found.others < 2:
        return f"{counts}: with a label on every item the judge is not needed, and not used"
    if found.gain < 1 + NOTHING:
        return (
            f"the judge adds nothing: {counts}, and its labels go with theirs so little (weight "
            f"{found.weight:.2f}) that the answer is as sure without it"
        )
    return (
        f"{counts}, taken for a random part; the judge's on all are corrected by them and count "
        f"with weight {found.weight:.2f}, as sure as about {found.gain * found.labels:,.0f} labels "
        "without a judge"
    )


def _lenient(found: JudgedMeans, alpha: float) -> list[str]:
    bias = _bias(found, np.ones(1), level=1 - alpha)
    ends = bias.interval
    if ends is None or ends.low <= 0 <= ends.high:
        return []
    way = "lenient" if ends.low > 0 else "strict"
    return [
        f"the judge alone is {way}: it gives {bias.value:+.3g} [{ends.low:+.3g}, {ends.high:+.3g}] "
        "against people; the answer is corrected for it"
    ]


def _favours(found: JudgedMeans, alpha: float) -> list[str]:
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
        better, other = (i, j) if gap.value > 0 else (j, i)
        said.append(
            f"the judge favours {show_name(found.systems[better])} over "
            f"{show_name(found.systems[other])}: it gives the first {abs(gap.value):.3g} more than "
            "people do, compared with what it gives the second; the answer is corrected for it, "
            "the judge alone would not be"
        )
    return said

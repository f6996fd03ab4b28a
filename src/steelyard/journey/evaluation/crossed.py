"""One system whose items share two things: shares, or the area of scores, with two-way limits."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard import tally, uncertainty
from steelyard.errors import NotComparable, RequestError
from steelyard.journey.crossed import (
    CROSSED_METHOD,
    by_side,
    draw_out,
    read_crossed,
    say_crossed,
)
from steelyard.journey.evaluation.question import EvaluationQuestion
from steelyard.measures import CATALOGUE, clustered_auc
from steelyard.measures.catalogue.asked import AskedMeasure, read_measures
from steelyard.measures.tables.shares import declare_share
from steelyard.results.estimates import Interval, Proportion
from steelyard.results.evaluation.data import SystemEvaluation
from steelyard.sources import Predictions, System

__all__ = ["evaluate_crossed"]

OF_POSITIVE = ("recall", "specificity", "precision")


def evaluate_crossed(
    predictions: Predictions,
    system: System,
    asked: EvaluationQuestion,
    measures: Sequence[AskedMeasure],
) -> SystemEvaluation:
    """Measure shares, or the area of scores; limits take both kinds of clusters as units."""
    if system not in predictions.with_answers():
        return _area(predictions, system, asked.level, measures)
    _check(predictions, measures)
    rows = _read(predictions, system)
    right = rows["right"].astype(bool)
    accuracy = _share(("accuracy", None), right, np.ones(right.size, dtype=bool), rows, asked.level)
    wanted = measures
    if not wanted and predictions.positive is not None and "called" in rows:
        wanted = read_measures([f"{name} of {predictions.positive}" for name in OF_POSITIVE])
    further = tuple(_measure(one, predictions, rows, asked.level) for one in wanted)
    return SystemEvaluation(
        system=system.name,
        holds=system.holds,
        items=right.size,
        accuracy=accuracy,
        further=further,
        caveats=say_crossed(read_crossed(predictions, [system])),
    )


def _area(
    predictions: Predictions, system: System, level: float, measures: Sequence[AskedMeasure]
) -> SystemEvaluation:
    """Measure the area of a system that gives scores."""
    for one in measures:
        if one.measure.name != "AUC":
            message = (
                f"{one.measure.name} of scores has no two-way limits; AUC has. Ask for AUC, name "
                "one column of clusters, or call with a threshold: threshold=0.5 (--threshold 0.5)."
            )
            raise NotComparable(message, code="crossed")
    items = read_crossed(predictions, [system])
    both = items.limits(system.name, level)
    sides = [
        clustered_auc(tally.tally_cluster_areas(side, system), level=level)
        for side in by_side(predictions)
    ]
    ends = [(one.interval.low, one.interval.high) for one in sides if one.interval is not None]
    area = draw_out(sides[0], [*ends, both])
    return SystemEvaluation(
        system=system.name,
        holds=system.holds,
        items=items.first.size,
        area=area,
        further=tuple(area for _ in measures),
        caveats=(*say_crossed(items), *area.caveats),
    )


def _check(predictions: Predictions, measures: Sequence[AskedMeasure]) -> None:
    if predictions.weighted:
        message = (
            "Crossed items are counted once each. Leave the weights out: weight='' (--weight '')."
        )
        raise NotComparable(message, code="weighted")
    for one in measures:
        if one.measure.parts is None:
            message = (
                f"{one.measure.name} is not a plain share, and crossed items have limits for "
                "shares alone. Ask for accuracy, recall, P_FA or precision, or name one column of "
                "clusters."
            )
            raise NotComparable(message, code="crossed")


def _read(predictions: Predictions, system: System) -> dict[str, NDArray[Any]]:
    parts = [
        "crossed_first AS first",
        "crossed_second AS second",
        f"CASE WHEN {system.outcome_sql()} THEN 1 ELSE 0 END AS hit",
    ]
    called = system.holds in ("called", "vector")
    if called:
        parts += [f"CAST({system.column} AS VARCHAR) AS said", "CAST(truth AS VARCHAR) AS label"]
    found = predictions.table.arrays(
        f"SELECT {', '.join(parts)} FROM {{t}} WHERE {system.column} IS NOT NULL"
    )
    rows: dict[str, NDArray[Any]] = {
        "first": found["first"].astype(str),
        "second": found["second"].astype(str),
        "right": found["hit"].astype(np.int64),
    }
    if called:
        rows |= {"called": found["said"].astype(str), "truth": found["label"].astype(str)}
    return rows


def _measure(
    one: AskedMeasure, predictions: Predictions, rows: dict[str, NDArray[Any]], level: float
) -> Proportion:
    measure = one.measure
    if not measure.of_class:
        right = rows["right"].astype(bool)
        wins = right if measure.parts == CATALOGUE["accuracy"].parts else ~right
        return _share((measure.name, None), wins, np.ones(right.size, dtype=bool), rows, level)
    of = one.of or predictions.positive
    if of is None or of not in predictions.classes or "called" not in rows:
        message = (
            f"{measure.name} is about one class, and needs what was called. Name the class: "
            f"'{measure.name} of CLASS', or positive= (--positive CLASS)."
        )
        raise RequestError(message)
    share = declare_share(measure, of)
    won, among = (_mask(part, rows) for part in (share.won, share.among))
    return _share((measure.name, of), won, among, rows, level)


def _mask(part: Callable[[str, str], bool], rows: dict[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Ask once for each pair of classes, and not for each of many rows."""
    names, codes = np.unique(np.concatenate([rows["truth"], rows["called"]]), return_inverse=True)
    truth, called = codes[: rows["truth"].size], codes[rows["truth"].size :]
    table = np.array([[part(str(a), str(b)) for b in names] for a in names], dtype=bool)
    return np.asarray(table[truth, called])


def _share(
    named: tuple[str, str | None],
    won: NDArray[np.bool_],
    among: NDArray[np.bool_],
    rows: dict[str, NDArray[Any]],
    level: float,
) -> Proportion:
    name, of = named
    trials, successes = int(among.sum()), int((won & among).sum())
    if not trials:
        reason = "no item says anything about it"
        return Proportion(measure=name, of=of, successes=0, trials=0, reason=reason)
    sides = rows["first"][among], rows["second"][among]
    lone = [np.unique(side).size < 2 for side in sides]
    if any(lone) and not among.all():  # where all items are so, the question itself is refused
        return Proportion(
            measure=name,
            of=of,
            successes=successes,
            trials=trials,
            reason=f"all its items are of one cluster on the {'first' if lone[0] else 'second'} "
            "side, which does not show how clusters vary",
        )
    low, high = uncertainty.crossed_share_interval(won[among], *sides, level=level)
    # Naming a second kind of clusters makes nothing surer than the first alone, and the reverse.
    for side in sides:
        _, codes = np.unique(side, return_inverse=True)
        tried = np.bincount(codes)
        if tried.size > 1:
            hits = np.bincount(codes, weights=won[among])
            least, most = uncertainty.cluster_share_interval(hits, tried, level=level)
            low, high = min(low, least), max(high, most)
    ends = Interval(low=low, high=high, level=level, method=CROSSED_METHOD)
    return Proportion(measure=name, of=of, successes=successes, trials=trials, interval=ends)

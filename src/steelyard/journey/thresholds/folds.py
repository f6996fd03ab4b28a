"""Thresholds over folds: each fold judged by what the others choose."""

from collections.abc import Callable
from math import hypot

import numpy as np

from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.journey.thresholds.answers import promise_name
from steelyard.journey.thresholds.question import Asked
from steelyard.measures import (
    RULES,
    balanced_accuracy,
    called_share,
    cohen_kappa,
    expected_cost,
    f_beta,
    false_positive_rate,
    find_threshold,
    point_at,
    promised,
    recall,
    specificity,
)
from steelyard.results import Estimate, FoldThreshold, Interval, Measured
from steelyard.uncertainty import wilson_interval

__all__ = ["out_of_fold", "threshold_by_fold"]

POSITIVE, NEGATIVE = "positive", "negative"
CLUSTERED = (
    "out of fold has no interval: clusters may lie across folds, whose thresholds then share items "
    "that are alike"
)


def threshold_by_fold(folds: Grouped[ScoreTable], asked: Asked) -> tuple[FoldThreshold, ...]:
    """Find the threshold of each fold alone and of all others, and try the latter on the fold."""
    found = []
    for name, part in folds:
        own = find_threshold(part, asked.by, asked.question)
        rest = Grouped.from_parts(folds.by, {n: p for n, p in folds if n != name})
        others = find_threshold(_together(rest), asked.by, asked.question) if len(rest) else None
        chosen = None if others is None else others.threshold
        point = None if chosen is None else point_at(part, chosen, asked.question)
        counts = (point.tp, point.fp, point.fn, point.tn) if point is not None else (0, 0, 0, 0)
        found.append(
            FoldThreshold(
                fold=name,
                items=part.total,
                own=own.threshold,
                others=chosen,
                tp=counts[0],
                fp=counts[1],
                fn=counts[2],
                tn=counts[3],
                promise=_promise(counts, asked),
            )
        )
    return tuple(found)


def out_of_fold(
    folds: tuple[FoldThreshold, ...], asked: Asked, *, clustered: bool = False
) -> Estimate | None:
    """Measure the promise over all folds, each at the threshold that the others chose.

    No item had a say in its own threshold, so the interval is that of a table of calls. Items in
    clusters leave none.
    """
    name = promise_name(asked.by, asked.question)
    if not folds or name is None:
        return None
    tried = [one for one in folds if one.others is not None]
    counts = tuple(sum(getattr(one, cell) for one in tried) for cell in ("tp", "fp", "fn", "tn"))
    value = _promise((counts[0], counts[1], counts[2], counts[3]), asked)
    return Estimate(
        measure=f"{name}, out of fold",
        value=value,
        reason=None if value is not None else "it is undefined on the folds left out",
        interval=None if value is None or clustered else _interval(value, counts, asked),
        items=sum(counts),
        caveats=(CLUSTERED,) if clustered and value is not None else (),
    )


def _interval(value: float, counts: tuple[int, ...], asked: Asked) -> Interval | None:
    tp, fp, fn, tn = counts
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    promise = RULES[asked.by].promise or ""
    level, question = asked.level, asked.question
    if promise == "corner distance":
        return _corner(value, ((fn, tp + fn), (fp, fp + tn)), level)
    costs = question.costs
    pairs = {
        (POSITIVE, NEGATIVE): float(costs.fn),
        (NEGATIVE, POSITIVE): float(costs.fp),
        (POSITIVE, POSITIVE): float(costs.tp),
        (NEGATIVE, NEGATIVE): float(costs.tn),
    }
    of = {"of": POSITIVE, "level": level}
    found: dict[str, Callable[[], Measured]] = {
        "recall": lambda: recall(table, **of),  # type: ignore[arg-type]
        "specificity": lambda: specificity(table, **of),  # type: ignore[arg-type]
        "false alarm rate": lambda: false_positive_rate(table, **of),  # type: ignore[arg-type]
        "flagged share": lambda: called_share(table, **of),  # type: ignore[arg-type]
        "balanced accuracy": lambda: balanced_accuracy(table, level=level),
        "kappa": lambda: cohen_kappa(table, level=level),
        "cost": lambda: expected_cost(table, pairs, level=level),
        "f": lambda: f_beta(table, beta=float(question.beta), **of),  # type: ignore[arg-type]
    }
    return found[promise]().interval if promise in found else None


def _corner(
    value: float, errors: tuple[tuple[int, int], tuple[int, int]], level: float
) -> Interval | None:
    """Carry Wilson's limits of misses and false alarms over to the distance that they make."""
    ends = [wilson_interval(*one, level=level) for one in errors]
    shares = [won / total for won, total in errors]
    if value == 0:
        low, high = 0.0, hypot(ends[0][1], ends[1][1])
    else:
        sides = list(zip(shares, ends, strict=True))
        low = value - hypot(*(share * (share - one[0]) / value for share, one in sides))
        high = value + hypot(*(share * (one[1] - share) / value for share, one in sides))
        # A side without any error has no slope; what it may yet hold is added as it stands.
        high = max(high, hypot(*(one[1] if share == 0 else share for share, one in sides)))
    return Interval(low=max(0.0, low), high=high, level=level, method="mover-wilson")


def _together(folds: Grouped[ScoreTable]) -> ScoreTable:
    """Add folds up; thinned ones share the ends of their ranges, at which counts stay exact."""
    if not any(part.thinned for part in folds.parts):
        return folds.merged()
    columns = ("scores", "positives", "negatives")
    return ScoreTable.from_counts(
        *(np.concatenate([getattr(part, name) for part in folds.parts]) for name in columns),
        positive=folds.parts[0].positive,
    )


def _promise(counts: tuple[int, int, int, int], asked: Asked) -> float | None:
    promise = RULES[asked.by].promise
    if promise is None or not sum(counts):
        return None
    value = float(promised(promise, tuple(np.array([n]) for n in counts), asked.question)[0])
    return None if np.isnan(value) else value

"""Thresholds over folds: each fold judged by what the others choose."""

import numpy as np

from steelyard.counts import Grouped, ScoreTable
from steelyard.journey.threshold_answers import promise_name
from steelyard.journey.threshold_question import Asked
from steelyard.measures import RULES, find_threshold, point_at, promised
from steelyard.results import Estimate, FoldThreshold

__all__ = ["out_of_fold", "threshold_by_fold"]


def threshold_by_fold(folds: Grouped[ScoreTable], asked: Asked) -> tuple[FoldThreshold, ...]:
    """Find the threshold of each fold alone and of all others, and try the latter on the fold."""
    found = []
    for name, part in folds:
        own = find_threshold(part, asked.by, asked.question)
        rest = Grouped.from_parts(folds.by, {n: p for n, p in folds if n != name})
        others = find_threshold(rest.merged(), asked.by, asked.question) if len(rest) else None
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


def out_of_fold(folds: tuple[FoldThreshold, ...], asked: Asked) -> Estimate | None:
    """Measure the promise over all folds, each at the threshold that the others chose."""
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
        items=sum(counts),
    )


def _promise(counts: tuple[int, int, int, int], asked: Asked) -> float | None:
    promise = RULES[asked.by].promise
    if promise is None or not sum(counts):
        return None
    value = float(promised(promise, tuple(np.array([n]) for n in counts), asked.question)[0])
    return None if np.isnan(value) else value

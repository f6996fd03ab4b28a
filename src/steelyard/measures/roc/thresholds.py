"""Where to set the threshold, by any of the recipes, and what it will really give."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures.roc.curve import OperatingPoint
from steelyard.measures.roc.threshold_rules import (
    RULES,
    SLACK,
    Objective,
    Sweep,
    ThresholdMethod,
    ThresholdQuestion,
    promised,
)
from steelyard.measures.tables.at_thresholds import exact_value
from steelyard.measures.tables.formulas import FourCells
from steelyard.uncertainty.areas.resampling import (
    RESAMPLES,
    percentile_limits,
    resample_scores,
)

__all__ = [
    "FoundThreshold",
    "ThresholdStability",
    "find_threshold",
    "point_at",
    "threshold_stability",
]

Floats = NDArray[np.float64]
MEASURES = ("recall", "specificity", "precision", "kappa", "flagged", "cost")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundThreshold:
    """What one recipe found.

    ``tied`` are all thresholds that are equally good, ascending; ``threshold`` is the one taken,
    None exactly when ``reason`` says why. ``below`` is the next lower score, if any: every number
    above it, up to the threshold, makes the same calls. ``promise`` is the number that the recipe
    promises, measured on the items that chose the threshold.
    """

    method: ThresholdMethod
    threshold: float | None
    tied: tuple[float, ...] = ()
    below: float | None = None
    point: OperatingPoint | None = None
    promise: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdStability:
    """How the threshold would have varied, and what it gives on items that did not choose it.

    ``low`` and ``high`` hold ``level`` of the thresholds that resamples chose; ``expected`` is the
    mean over resamples of the promised number on the items left out, ``expected_low`` and
    ``expected_high`` hold ``level`` of those. None where nothing could be computed.
    """

    low: float | None
    high: float | None
    expected: float | None
    expected_low: float | None
    expected_high: float | None
    level: float
    resamples: int


def find_threshold(
    table: ScoreTable,
    method: ThresholdMethod,
    question: ThresholdQuestion | None = None,
) -> FoundThreshold:
    """Find a threshold by one recipe; candidates are the distinct scores, not a grid.

    Criteria are compared as whole numbers and fractions, so a tie is a tie. Items are called
    positive from the threshold up.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score. Without negatives only the recipes that need none
        ("fixed", "lowest-positive", "sensitivity", "mean-score") find something.
    method : str
        Name in :data:`steelyard.measures.RULES`.
    question : ThresholdQuestion, optional
        Wanted rates, costs and the like.

    References
    ----------
    .. [1] Liu, Berry, Dawson & Pearson (2005), Ecography 28, 385-393,
       doi:10.1111/j.0906-7590.2005.03957.x.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.18, 0.42, 0.82, 0.88, 0.92], [0, 0.11, 0.21, 0.35, 0.56])
    >>> found = find_threshold(table, "max-kappa")
    >>> found.threshold, found.tied, round(found.promise, 3)
    (0.42, (0.42, 0.82), 0.6)
    """
    question = question or ThresholdQuestion()
    if method not in RULES:
        choices = get_args(ThresholdMethod)
        raise RequestError.for_choice(name="by", given=method, choices=choices)
    rule = RULES[method]
    reason = _unfit(table, method)
    if reason:
        return FoundThreshold(method=method, threshold=None, reason=reason)
    sweep = Sweep(table.scores, table.positives[None], table.negatives[None])
    if rule.objective is not None:
        tied = _best(sweep, rule.objective(question))
    else:
        assert rule.choose is not None
        tied = _means(table) if method == "mean-score" else rule.choose(sweep, question)
        tied = tied[~np.isnan(tied)]
    finite = tuple(float(one) for one in tied if isfinite(one))
    if not finite:
        reason = rule.missing or "the score that was found is infinite"
        return FoundThreshold(method=method, threshold=None, reason=reason)
    taken = finite[0]
    point = point_at(table, taken, question)
    return FoundThreshold(
        method=method,
        threshold=taken,
        tied=finite,
        below=_next_lower(table, taken),
        point=point,
        promise=_promise(rule.promise, point, question),
    )


def point_at(
    table: ScoreTable, threshold: float, question: ThresholdQuestion | None = None
) -> OperatingPoint:
    """Count the calls from a threshold up, also when one class is missing.

    Examples
    --------
    >>> point_at(ScoreTable.from_scores([2, 3], []), 3).tp
    1
    """
    start = int(np.searchsorted(table.scores, threshold, side="left"))
    tp, fp = int(table.positives[start:].sum()), int(table.negatives[start:].sum())
    counts = (tp, fp, table.positive_total - tp, table.negative_total - fp)
    costs = (question or ThresholdQuestion()).costs
    found = [(name, exact_value(name, counts, costs=costs)) for name in MEASURES]
    return OperatingPoint(
        threshold=threshold,
        tp=tp,
        fp=fp,
        fn=counts[2],
        tn=counts[3],
        measures=tuple((name, None if one is None else float(one)) for name, one in found),
    )


def threshold_stability(
    table: ScoreTable,
    method: ThresholdMethod,
    question: ThresholdQuestion | None = None,
    *,
    rng: np.random.Generator,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    clusters: Grouped[ScoreTable] | None = None,
) -> ThresholdStability:
    """Choose the threshold again in many resamples, and judge each on the items left out.

    Each resample draws both classes anew with replacement; about 37 % of the items are not drawn
    and know nothing of its threshold. Their mean is what new data will give, a little on the
    cautious side, since each resample has seen only 63 % of the items. With ``clusters``, the same
    scores by cluster, whole clusters are drawn and left out.

    Notes
    -----
    The best threshold varies more slowly than with the root of the items (by its cube root for
    kappa and the like), and the percentile interval is then a rough guide, not a promise.

    References
    ----------
    .. [1] Efron (1983), Journal of the American Statistical Association 78, 316-331,
       doi:10.1080/01621459.1983.10477973.

    Examples
    --------
    >>> table = ScoreTable.from_scores(range(50, 150), range(100))
    >>> found = threshold_stability(table, "max-kappa", rng=np.random.default_rng(0))
    >>> find_threshold(table, "max-kappa").promise > found.expected
    True
    """
    question = question or ThresholdQuestion()
    rule = RULES[method]
    reason = _unfit(table, method)
    if reason or not table.negative_total:
        message = f"A threshold cannot be resampled: {reason or 'there are no negatives'}."
        raise NotComparable(message, code="one-class")
    chosen, kept = [], []
    for part in resample_scores(clusters or table, rng=rng, resamples=resamples):
        sweep = Sweep(part.scores, part.positives, part.negatives)
        if rule.objective is not None:
            picked = _pick(sweep, rule.objective(question))
        else:
            assert rule.choose is not None
            picked = rule.choose(sweep, question)
        chosen.append(picked)
        if rule.promise is not None:
            left = _calls(part.scores, part.left_positives, part.left_negatives, picked)
            kept.append(promised(rule.promise, left, question))
    return _summary(np.concatenate(chosen), np.concatenate(kept) if kept else None, level)


def _summary(chosen: Floats, kept: Floats | None, level: float) -> ThresholdStability:
    finite = chosen[np.isfinite(chosen)]
    low, high = percentile_limits(finite, level) if finite.size else (None, None)
    known = kept[np.isfinite(kept)] if kept is not None else np.zeros(0)
    ends = percentile_limits(known, level) if known.size else (None, None)
    return ThresholdStability(
        low=low,
        high=high,
        expected=float(known.mean()) if known.size else None,
        expected_low=ends[0],
        expected_high=ends[1],
        level=level,
        resamples=int(chosen.size),
    )


def _unfit(table: ScoreTable, method: ThresholdMethod) -> str | None:
    if table.total == 0:
        return "the table holds no items"
    if table.positive_total == 0:
        return f"no item is truly {table.positive!r}"
    if RULES[method].needs_absences and table.negative_total == 0:
        return "this recipe needs items of the other class too, and there are none"
    if method == "prevalence" and not (table.scores[0] >= 0 and table.scores[-1] <= 1):
        return "scores lie outside [0, 1], so a share of items is not a score"
    return None


def _counts(sweep: Sweep) -> tuple[Any, ...]:
    tp, fp = sweep.tp, sweep.fp
    positives, negatives = sweep.totals
    return tp, fp, positives - tp, negatives - fp


def _floats(objective: Objective, counts: tuple[Any, ...]) -> Floats:
    return np.asarray(objective(FourCells(*(one.astype(np.float64) for one in counts))))


def _best(sweep: Sweep, objectives: Sequence[Objective]) -> Floats:
    """Find every candidate of one table with the largest objective, exactly."""
    counts = _counts(sweep)
    places = np.flatnonzero(sweep.held[0])
    for objective in objectives:
        rough = _floats(objective, tuple(one[0, places] for one in counts))
        near = places[rough >= rough.max() - SLACK * np.abs(rough).max()]
        exact = [_exact(objective, counts, place) for place in near.tolist()]
        best = max(exact)
        places = near[[one == best for one in exact]]
    return sweep.scores[places]


def _exact(objective: Objective, counts: tuple[Any, ...], place: int) -> Fraction:
    found: Fraction = objective(FourCells(*(Fraction(int(one[0, place])) for one in counts)))
    return found


def _pick(sweep: Sweep, objectives: Sequence[Objective]) -> Floats:
    """Find the smallest best candidate of each table; differences of rounding count as ties."""
    counts = _counts(sweep)
    fit = sweep.held
    for objective in objectives:
        rough = np.where(fit, _floats(objective, counts), -np.inf)
        best = rough.max(axis=1, keepdims=True)
        fit = fit & (rough >= best - SLACK * np.maximum(1, np.abs(best)))
    picked: Floats = sweep.scores[np.argmax(fit, axis=1)]
    return picked


def _calls(
    scores: Floats, positives: Floats, negatives: Floats, thresholds: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Count the calls of each table from its own threshold up; NaN without a threshold."""
    start = np.searchsorted(scores, thresholds, side="left")
    called = np.arange(scores.size) >= start[:, None]
    known = np.where(np.isnan(thresholds), np.nan, 0.0)
    tp, fp = ((one * called).sum(axis=1) + known for one in (positives, negatives))
    return tp, fp, positives.sum(axis=1) - tp, negatives.sum(axis=1) - fp


def _means(table: ScoreTable) -> Floats:
    """Give the mean score, rounded once where that can be had."""
    items = table.positives + table.negatives
    if not np.isfinite(table.scores).all():
        return np.zeros(0)
    if table.scores.size > 10_000:
        return np.array([float(np.dot(items, table.scores)) / table.total])
    pairs = zip(table.scores.tolist(), items.tolist(), strict=True)
    total = sum(Fraction(repr(score)) * count for score, count in pairs)
    return np.array([float(total / table.total)])


def _next_lower(table: ScoreTable, threshold: float) -> float | None:
    start = int(np.searchsorted(table.scores, threshold, side="left"))
    lower = float(table.scores[start - 1]) if start else None
    return lower if lower is not None and isfinite(lower) else None


def _promise(name: str | None, point: OperatingPoint, question: ThresholdQuestion) -> float | None:
    if name is None:
        return None
    counts = tuple(np.array([one]) for one in (point.tp, point.fp, point.fn, point.tn))
    value = float(promised(name, counts, question)[0])
    return value if isfinite(value) else None

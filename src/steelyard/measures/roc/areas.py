"""How well scores part the positives from the negatives, over all thresholds."""

from fractions import Fraction
from math import sqrt

import numpy as np

from steelyard.counts import ScoreTable
from steelyard.errors import RequestError
from steelyard.measures.roc.curve import one_class
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import (
    RESAMPLES,
    area_spread,
    bootstrap_auc_interval,
    normal_quantile,
    pairs_won_twice,
    placement_interval,
)
from steelyard.uncertainty.areas.delong import CONSTANT_SCORES

__all__ = ["auc", "auc_grade", "direction_caveats", "exact_auc", "thinning_caveats"]

GRADES = (("0.9", "A"), ("0.8", "B"), ("0.7", "C"), ("0.6", "D"), ("0.5", "F"))
"""Lower bounds, included, and their letters."""
FEW = 10
"""Items of a class below which the interval is mostly what one more item could do."""


def exact_auc(table: ScoreTable) -> Fraction | None:
    """Area under the ROC curve as a fraction of whole numbers; None without both classes.

    Pairs of a positive and a negative in which the positive scores higher, ties half, among all
    pairs: the trapezoid area and the Mann-Whitney statistic.

    Examples
    --------
    >>> exact_auc(ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1]))
    Fraction(7, 8)
    """
    pairs = table.positive_total * table.negative_total
    return Fraction(pairs_won_twice(table), 2 * pairs) if pairs else None


def auc(
    table: ScoreTable,
    *,
    level: float = 0.95,
    rng: np.random.Generator | None = None,
    resamples: int = RESAMPLES,
) -> Estimate:
    r"""Area under the ROC curve: chance that a positive scores above a negative, ties half.

    In [0, 1], larger is better, 1/2 is chance; undefined without items of both classes. Never
    flipped: an area below 1/2 is reported as it is, with a caveat.

    Parameters
    ----------
    table : ScoreTable
        Positives and negatives at each score; larger means more like the positive class. With
        weights the area is weighted, and has no interval: sums of weights do not tell it.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    rng : numpy.random.Generator, optional
        With it the interval is a percentile bootstrap where DeLong's would be given.
    resamples : int
        Bootstrap resamples.

    Returns
    -------
    Estimate
        With :func:`~steelyard.uncertainty.placement_interval`, which has width everywhere and
        holds with few items of a class; ``standard_error`` is DeLong's [1]_. Intervals of single
        methods are in :data:`~steelyard.uncertainty.AREA_INTERVALS`.

    References
    ----------
    .. [1] DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845, doi:10.2307/2531595.

    Examples
    --------
    >>> auc(ScoreTable.from_scores([0.9, 0.2], [0.2, 0.1])).value
    0.875
    """
    normal_quantile(level)
    reason = one_class(table)
    if reason:
        return Estimate(
            measure="AUC", value=None, reason=reason, of=table.positive, items=table.total
        )
    if table.positive_weights is not None and table.negative_weights is not None:
        return _area_of_weights(table)
    spread = area_spread(table)
    value = spread.area
    low, high = placement_interval(spread, level=level)
    interval = Interval(low=low, high=high, level=level, method="placement")
    drawn: tuple[str, ...] = ()
    if rng is not None and spread.seen > 0 and not table.thinned:
        low, high = bootstrap_auc_interval(table, level=level, rng=rng, resamples=resamples)
        interval = Interval(low=low, high=high, level=level, method="bootstrap-percentile")
        drawn = (shortfall("auc-bootstrap"),)
    return Estimate(
        measure="AUC",
        value=value,
        interval=interval,
        standard_error=sqrt(spread.seen) if spread.seen > 0 else None,
        of=table.positive,
        items=table.total,
        caveats=(
            *_item_caveats(table),
            *direction_caveats(value, interval),
            *thinning_caveats(table),
            *drawn,
        ),
    )


def thinning_caveats(table: ScoreTable) -> tuple[str, ...]:
    """Say that a table holds fewer scores than there are, and what is exact all the same.

    >>> thinning_caveats(ScoreTable.from_scores([0.9], [0.1]))
    ()
    """
    if table.pair_sums is None:
        return ()
    words = (
        f"of {table.pair_sums.distinct:,} distinct scores {len(table.scores):,} are kept for "
        "curves and thresholds; the area and its interval are of all of them"
    )
    return (Caveat(words, code="scores-thinned"),)


def auc_grade(area: Fraction | float) -> str | None:
    """Letter for an area: A from 0.9, B from 0.8, C from 0.7, D from 0.6, F from 0.5, else none.

    Lower bounds are included. Below 1/2 there is no letter: the scores rank worse than chance.

    Parameters
    ----------
    area : Fraction or float
        In [0, 1]. A fraction is compared exactly.

    Examples
    --------
    >>> auc_grade(Fraction(21, 25)), auc_grade(0.9), auc_grade(0.4999)
    ('B', 'A', None)
    """
    if not 0 <= area <= 1:
        message = f"area={area!r} is not in [0, 1]."
        raise RequestError(message)
    kind = Fraction if isinstance(area, Fraction) else float
    return next((letter for bound, letter in GRADES if area >= kind(bound)), None)


def _area_of_weights(table: ScoreTable) -> Estimate:
    won = np.asarray(table.positive_weights, dtype=np.float64)
    lost = np.asarray(table.negative_weights, dtype=np.float64)
    pairs = float(won.sum() * lost.sum())
    if pairs == 0:
        reason = "every row of one class has weight 0"
        return Estimate(
            measure="AUC", value=None, reason=reason, of=table.positive, items=table.total
        )
    value = min(1.0, float(np.dot(won, np.cumsum(lost) - lost / 2)) / pairs)
    caveat = "rows are weighted and only sums of weights are kept, which give no interval"
    return Estimate(
        measure="AUC",
        value=value,
        of=table.positive,
        items=table.total,
        caveats=(caveat, *direction_caveats(value, None)),
    )


def _item_caveats(table: ScoreTable) -> tuple[str, ...]:
    """Say when the class with fewer items is what makes an area unsure, or shows nothing."""
    if (table.pair_sums.distinct if table.pair_sums else len(table.scores)) == 1:
        return (CONSTANT_SCORES,)
    fewer = min(table.positive_total, table.negative_total)
    if fewer == 1:
        return ("a class has one item, which does not show how its scores vary",)
    if fewer < FEW:
        kind = "positives" if table.positive_total == fewer else "negatives"
        return (f"{fewer} {kind} carry this area: the interval allows for the one not seen",)
    return ()


def direction_caveats(value: float, interval: Interval | None) -> tuple[str, ...]:
    """Say of an area below one half whether it is, or only may be, worse than chance.

    >>> direction_caveats(0.49, Interval(low=0.4, high=0.6, level=0.95, method="logit"))
    ('below 0.5, though chance alone may explain it: is the direction right?',)
    """
    if value >= 0.5:
        return ()
    if interval is not None and interval.high >= 0.5:
        return ("below 0.5, though chance alone may explain it: is the direction right?",)
    return ("worse than chance as declared: is the direction right?",)

"""Is acting on a probability worth it? Net benefit over thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, check_share
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, ratio_score_interval

__all__ = ["DecisionPoint", "decision_curve", "net_benefit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionPoint:
    """Net benefit of acting from a threshold up, on everybody, and on nobody."""

    threshold: float
    benefit: Estimate
    all_treated: float
    none_treated: float = 0.0


def net_benefit(table: ScoreTable, *, threshold: float, level: float = 0.95) -> Estimate:
    r"""Net benefit of acting on items whose probability is at least the threshold.

    :math:`\frac{TP}{n}-\frac{FP}{n}\cdot\frac{t}{1-t}` [1]_: true positives per item, less false
    ones at the rate of exchange that the threshold implies. At most the prevalence, larger is
    better, 0 is acting on nobody; undefined without items.

    Parameters
    ----------
    table : ScoreTable
        Probabilities, in [0, 1], without weights.
    threshold : float
        Probability from which on one would act, strictly between 0 and 1.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    It trusts the probabilities: a badly calibrated system is judged at thresholds nobody meant.
    The interval inverts the score test of a linear function of three cell shares.

    References
    ----------
    .. [1] Vickers & Elkin (2006), Medical Decision Making 26, 565-574,
       doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(net_benefit(table, threshold=0.5).value, 4)
    0.1667
    """
    normal_quantile(level)
    _check(table)
    check_share("threshold", threshold)
    if not table.total:
        return Estimate(measure="net benefit", value=None, reason="the table holds no items")
    acted = table.scores >= threshold
    tp, fp = int(table.positives[acted].sum()), int(table.negatives[acted].sum())
    rate = threshold / (1 - threshold)
    cells, worth = [tp, fp, table.total - tp - fp], [1.0, -rate, 0.0]
    low, high = ratio_score_interval(cells, worth, [1.0, 1.0, 1.0], level=level)
    return Estimate(
        measure="net benefit",
        value=(tp - rate * fp) / table.total,
        interval=Interval(low=low, high=high, level=level, method="multinomial-score"),
        items=table.total,
    )


def decision_curve(
    table: ScoreTable, thresholds: Sequence[float], *, level: float = 0.95
) -> tuple[DecisionPoint, ...]:
    r"""Net benefit at several thresholds, beside acting on everybody and on nobody.

    Acting on everybody has :math:`\pi-(1-\pi)t/(1-t)`. A system is of use at a threshold where it
    beats both.

    References
    ----------
    .. [1] Vickers & Elkin (2006), Medical Decision Making 26, 565-574,
       doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> [round(point.all_treated, 3) for point in decision_curve(table, [0.2, 0.5])]
    [0.375, 0.0]
    """
    points = []
    for threshold in thresholds:
        benefit = net_benefit(table, threshold=threshold, level=level)
        share = table.positive_total / table.total if table.total else 0.0
        everybody = share - (1 - share) * threshold / (1 - threshold)
        points.append(DecisionPoint(threshold=threshold, benefit=benefit, all_treated=everybody))
    return tuple(points)


def _check(table: ScoreTable) -> None:
    if table.positive_weights is not None:
        message = "These scores carry weights, and net benefit is counted item by item."
        raise NotComparable(message, code="weighted")
    if table.total and not np.all((table.scores >= 0) & (table.scores <= 1)):
        message = (
            f"Scores run from {table.scores[0]:g} to {table.scores[-1]:g}; net benefit needs "
            "probabilities in [0, 1]. Pass calibrated probabilities."
        )
        raise NotComparable(message, code="not-probabilities")

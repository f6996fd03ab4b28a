"""Brier and log score of probabilities for one class, and the difference of two systems."""

from collections.abc import Callable
from math import sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from steelyard.counts import JointScores, ScoreTable
from steelyard.errors import NotComparable, RequestError, counted
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.uncertainty import normal_quantile

__all__ = ["ProperRule", "loss_limits", "proper_difference", "proper_score"]

ProperRule = Literal["brier", "log"]
Floats = NDArray[np.float64]

NAMES: dict[ProperRule, str] = {"brier": "Brier score", "log": "log score"}
SAME_LOSS = "no interval: every item has the same loss, which does not show how it varies"
LARGEST = {"brier": 1.0, "log": np.inf}


def _brier(scores: Floats) -> tuple[Floats, Floats]:
    return (1 - scores) ** 2, scores**2


def _log(scores: Floats) -> tuple[Floats, Floats]:
    # What had no chance costs infinitely much; where it happened the score is undefined.
    with np.errstate(divide="ignore"):
        return -np.log(scores), -np.log1p(-scores)


LOSSES: dict[ProperRule, Callable[[Floats], tuple[Floats, Floats]]] = {"brier": _brier, "log": _log}
"""Loss of an item when it is positive, and when it is not."""


def proper_score(table: ScoreTable, rule: ProperRule, *, level: float = 0.95) -> Estimate:
    r"""Mean Brier or log score of the probabilities of one class.

    Brier :math:`\frac1n\sum(p_i-y_i)^2` [1]_, log
    :math:`-\frac1n\sum\ln(y_ip_i+(1-y_i)(1-p_i))` [2]_: 0 or more, smaller is better; best on
    average when the true probability is said. Of two classes given as a vector the Brier score is
    twice this one.

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, in [0, 1], without weights.
    rule : {"brier", "log"}
        What an item costs.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Estimate
        Undefined without items, and for ``log`` when something happened that had probability 0.
        The interval is that of :func:`loss_limits`.

    References
    ----------
    .. [1] Brier (1950), Monthly Weather Review 78, 1-3,
       doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.
    .. [2] Good (1952), Journal of the Royal Statistical Society B 14, 107-114,
       doi:10.1111/j.2517-6161.1952.tb00104.x.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(proper_score(table, "brier").value, 4)
    0.18
    """
    _check(rule, table.scores, level)
    if table.positive_weights is not None:
        message = "These scores carry weights, and forecasts are counted item by item."
        raise NotComparable(message, code="weighted")
    name = NAMES[rule]
    if not table.total:
        return Estimate(measure=name, value=None, reason="the table holds no items", items=0)
    won, lost = LOSSES[rule](table.scores)
    impossible = int(table.positives[np.isinf(won)].sum() + table.negatives[np.isinf(lost)].sum())
    if impossible:
        return Estimate(measure=name, value=None, reason=_never(impossible), items=table.total)
    won, lost = (np.where(np.isinf(one), 0.0, one) for one in (won, lost))
    mean = float((table.positives * won + table.negatives * lost).sum()) / table.total
    squares = float(
        (table.positives * (won - mean) ** 2 + table.negatives * (lost - mean) ** 2).sum()
    )
    error = sqrt(squares / (table.total - 1) / table.total) if table.total > 1 else 0.0
    ends = loss_limits(table, rule, mean, level=level)
    doubts = () if ends is not None else (_no_limits(table, rule),)
    return Estimate(
        measure=name,
        value=mean,
        interval=ends,
        # Less than this is what rounding leaves where every item has the same loss.
        standard_error=error if error > 1e-15 else None,
        items=table.total,
        caveats=doubts,
    )


def loss_limits(
    table: ScoreTable, rule: ProperRule, mean: float, *, level: float
) -> Interval | None:
    r"""Student's limits of a mean loss after :math:`z^2` made-up items.

    The made-up items have the forecasts of the real ones, and each came true as often as not: a
    confident system that made no mistake yet would else seem to make none ever. For one and the
    same forecast it is Agresti and Coull's interval of a share [1]_, on the scale of the loss. The
    limits are stretched to hold the mean. None with a single item, where a forecast of exactly 0
    or 1 could cost without limit, and where no outcome could have cost anything else.

    References
    ----------
    .. [1] Agresti & Coull (1998), The American Statistician 52, 119-126,
       doi:10.1080/00031305.1998.10480550.

    Examples
    --------
    >>> ends = loss_limits(ScoreTable.from_scores([0.9] * 10, []), "brier", 0.01, level=0.95)
    >>> round(ends.low, 3), round(ends.high, 3)
    (0.0, 0.289)
    """
    items, made = float(table.total), normal_quantile(level) ** 2
    won, lost = LOSSES[rule](table.scores)
    if items < 2 or not (np.isfinite(won).all() and np.isfinite(lost).all()):
        return None
    both = made / (2 * items) * (table.positives + table.negatives)
    rows = (table.positives + both, table.negatives + both)
    total = items + made
    first, second = (
        float((rows[0] * won**power + rows[1] * lost**power).sum()) / total for power in (1, 2)
    )
    spread = second - first * first
    # The difference of two nearly equal numbers: below this nothing of it is left but rounding.
    if spread <= 1e-15 * second:
        return None
    half = -float(stdtrit(items - 1, (1 - level) / 2)) * sqrt(spread / total)
    return Interval(
        low=max(0.0, min(mean, first - half)),
        high=min(float(LARGEST[rule]), max(mean, first + half)),
        level=level,
        method="adjusted student-t",
    )


def _no_limits(table: ScoreTable, rule: ProperRule) -> Caveat:
    return Caveat(_why_no_limits(table, rule), code="no-interval")


def _why_no_limits(table: ScoreTable, rule: ProperRule) -> str:
    if table.total < 2:
        return "no interval: one item alone does not show how the loss varies"
    sure = (table.scores == 0) | (table.scores == 1)
    if rule == "log" and sure.any():
        number = int((table.positives + table.negatives)[sure].sum())
        return (
            f"no interval: {counted(number, 'forecast', 'are')} exactly 0 or 1, where a mistake "
            "costs without limit"
        )
    return "no interval: the loss is the same whatever comes true"


def proper_difference(
    joint: JointScores, rule: ProperRule, first: str, second: str, *, level: float = 0.95
) -> Estimate:
    r"""Score of the first system minus that of the second on the same items.

    Mean of the item differences with Student's interval; both scores are losses, so below 0
    favours the first.

    References
    ----------
    .. [1] Diebold & Mariano (1995), Journal of Business & Economic Statistics 13, 253-263,
       doi:10.1080/07350015.1995.10524599.

    Examples
    --------
    >>> joint = JointScores.from_arrays([0, 1, 1], {"A": [0.1, 0.8, 0.9], "B": [0.3, 0.8, 0.5]})
    >>> round(proper_difference(joint, "brier", "A", "B").value, 4)
    -0.1067
    """
    _check(rule, joint.scores, level)
    losses = []
    for name in (first, second):
        won, lost = LOSSES[rule](joint.scores[joint.systems.index(name)])
        losses.append(np.where(joint.truth, won, lost))
    measure = f"{NAMES[rule]} difference"
    impossible = int(np.isinf(losses).any(axis=0).sum())
    if impossible or not joint.total:
        reason = _never(impossible) if impossible else "there are no items"
        return Estimate(measure=measure, value=None, reason=reason, items=joint.total)
    apart = losses[0] - losses[1]
    error = float(apart.std(ddof=1)) / sqrt(joint.total) if joint.total > 1 else 0.0
    largest = float(LARGEST[rule])
    return _estimate(
        measure, float(apart.mean()), error, joint.total, level, bounds=(-largest, largest)
    )


def _check(rule: ProperRule, scores: Floats, level: float) -> None:
    normal_quantile(level)
    if rule not in get_args(ProperRule):
        raise RequestError.for_choice(name="rule", given=rule, choices=get_args(ProperRule))
    if scores.size and not (scores.min() >= 0 and scores.max() <= 1):
        message = (
            f"Scores run from {scores.min():g} to {scores.max():g}; probabilities lie in [0, 1]. "
            "Pass calibrated probabilities."
        )
        raise NotComparable(message, code="not-probabilities")


def _never(items: int) -> str:
    was = "item turned out to be" if items == 1 else "items turned out to be"
    return f"{items} {was} of a class that was given no chance at all: infinite loss"


def _estimate(
    name: str, value: float, error: float, items: int, level: float, *, bounds: tuple[float, float]
) -> Estimate:
    # Equal losses: what rounding leaves of their spread is no error of their mean.
    if error <= 1e-15:
        doubt = Caveat(SAME_LOSS, code="no-interval")
        return Estimate(measure=name, value=value, items=items, caveats=(doubt,))
    half = -float(stdtrit(items - 1, (1 - level) / 2)) * error
    ends = Interval(
        low=max(bounds[0], value - half),
        high=min(bounds[1], value + half),
        level=level,
        method="student",
    )
    return Estimate(measure=name, value=value, interval=ends, standard_error=error, items=items)

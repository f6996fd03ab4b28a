"""Intercept and slope of probabilities: how a straight line would mend them."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, counted
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile

__all__ = ["Recalibration", "check_probabilities", "recalibration"]

Floats = NDArray[np.float64]
Fit = tuple[Floats, Floats]
STEPS = 100
"""Newton's method needs about ten; its steps are halved where they overshoot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalibration:
    """Logistic recalibration: intercept and slope together, and the intercept at slope 1."""

    intercept: Estimate
    slope: Estimate
    in_the_large: Estimate


def recalibration(table: ScoreTable, *, level: float = 0.95) -> Recalibration:
    r"""Intercept and slope of a logistic regression of the truth on the log odds of the forecasts.

    :math:`\operatorname{logit}P(y=1)=a+b\operatorname{logit}p` by maximum likelihood [1]_. A
    calibrated system has a = 0 and b = 1; b below 1 means overconfident forecasts (as after
    overfitting), a below 0 at b = 1 means forecasts that are too high.

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, strictly between 0 and 1, without weights.
    level : float
        Coverage of the intervals, strictly between 0 and 1.

    Returns
    -------
    Recalibration
        With Wald intervals from the Fisher information. Undefined, with a reason, when the
        forecasts separate the classes completely, are all the same (no slope), or only one class
        is there.

    References
    ----------
    .. [1] Cox (1958), Biometrika 45, 562-565, doi:10.1093/biomet/45.3-4.562.
    .. [2] Van Calster et al. (2019), BMC Medicine 17, 230, doi:10.1186/s12916-019-1466-7.

    Examples
    --------
    >>> table = ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1])
    >>> round(recalibration(table).slope.value, 3)
    0.899
    """
    normal_quantile(level)
    check_probabilities(table)
    names = ("calibration intercept", "calibration slope", "calibration in the large")
    reason = _no_fit(table)
    if reason:
        none = [Estimate(measure=n, value=None, reason=reason, items=table.total) for n in names]
        return Recalibration(intercept=none[0], slope=none[1], in_the_large=none[2])
    odds = np.log(table.scores) - np.log1p(-table.scores)
    items = (table.positives + table.negatives).astype(np.float64)
    counts = table.positives.astype(np.float64)
    alone = _newton(Logistic(odds, counts, items, sloped=False), np.zeros(1))
    both = None
    why = "all forecasts are the same, so there is no slope"
    if odds.size > 1:
        why = "the forecasts separate the classes completely: the slope has no limit"
        if not _separate(table):
            both = _newton(Logistic(odds, counts, items, sloped=True), np.array([0.0, 1.0]))
    return Recalibration(
        intercept=_fit(names[0], both, 0, items=table.total, level=level, why=why),
        slope=_fit(names[1], both, 1, items=table.total, level=level, why=why),
        in_the_large=_fit(names[2], alone, 0, items=table.total, level=level, why=why),
    )


def check_probabilities(table: ScoreTable) -> None:
    """Refuse weighted rows and scores outside [0, 1]."""
    if table.positive_weights is not None:
        message = "These probabilities carry weights, and calibration is counted item by item."
        raise NotComparable(message, code="weighted")
    if not table.total:
        message = "There are no items, so nothing shows whether probabilities are right."
        raise NotComparable(message, code="no-items")
    if not np.all((table.scores >= 0) & (table.scores <= 1)):
        message = (
            f"Scores run from {table.scores[0]:g} to {table.scores[-1]:g}; calibration needs "
            "probabilities in [0, 1]. They are never squeezed into it silently."
        )
        raise NotComparable(message, code="not-probabilities")


def _no_fit(table: ScoreTable) -> str | None:
    if not table.positive_total or not table.negative_total:
        return "only one class is there, so the odds have no limit"
    sure = int((table.positives + table.negatives)[(table.scores == 0) | (table.scores == 1)].sum())
    if sure:
        said = counted(sure, "forecast", "are")
        return f"{said} exactly 0 or 1, whose log odds are infinite"
    return None


def _separate(table: ScoreTable) -> bool:
    """Tell whether some threshold parts the classes (ties at the threshold included)."""
    highest = np.flatnonzero(table.negatives)[-1], np.flatnonzero(table.positives)[-1]
    lowest = np.flatnonzero(table.negatives)[0], np.flatnonzero(table.positives)[0]
    return bool(highest[0] <= lowest[1] or highest[1] <= lowest[0])


@dataclass(frozen=True, slots=True, eq=False)
class Logistic:
    """Counts at each log odds, for a line with or without a slope of its own."""

    odds: Floats
    positives: Floats
    items: Floats
    sloped: bool

    def line(self, at: Floats) -> Floats:
        """Give the log odds that the coefficients say; without a slope it is 1."""
        line: Floats = at[0] + (at[1] if self.sloped else 1.0) * self.odds
        return line

    def likelihood(self, line: Floats) -> float:
        """Log-likelihood up to a constant."""
        # The logarithm of 1 + exp(line) without overflow; much faster than logaddexp.
        softened = np.maximum(line, 0) + np.log1p(np.exp(-np.abs(line)))
        return float(self.positives @ line - self.items @ softened)

    def slopes(self, line: Floats) -> tuple[Floats, Floats]:
        """Give the derivative of the likelihood, and the information."""
        share = expit(line)
        apart = self.positives - self.items * share
        spread = self.items * share * (1 - share)
        if not self.sloped:
            return np.array([apart.sum()]), np.array([[spread.sum()]])
        crossed = float(spread @ self.odds)
        information = np.array(
            [[spread.sum(), crossed], [crossed, spread @ (self.odds * self.odds)]]
        )
        return np.array([apart.sum(), apart @ self.odds]), information


def _newton(problem: Logistic, start: Floats) -> Fit | None:
    """Logistic regression by Newton's method with halved steps; coefficients and variances."""
    found, line = start, problem.line(start)
    best = problem.likelihood(line)
    for _ in range(STEPS):
        score, information = problem.slopes(line)
        step = np.linalg.solve(information, score)
        line = problem.line(found + step)
        reached = problem.likelihood(line)
        # Close to the top rounding moves the likelihood, and full steps are the better ones.
        while reached < best - 1e-12 * (1 + abs(best)) and np.abs(step).max() > 1e-14:
            step /= 2
            line = problem.line(found + step)
            reached = problem.likelihood(line)
        found, best = found + step, max(best, reached)
        # Newton doubles the right digits: the step that is this small was the last that moved any.
        if np.abs(step).max() < 1e-12 * (1 + np.abs(found).max()):
            return found, np.diag(np.linalg.inv(information))
    return None


def _fit(name: str, fit: Fit | None, place: int, *, items: int, level: float, why: str) -> Estimate:
    if fit is None:
        return Estimate(measure=name, value=None, reason=why, items=items)
    value, error = float(fit[0][place]), sqrt(float(fit[1][place]))
    half = normal_quantile(level) * error
    ends = Interval(low=value - half, high=value + half, level=level, method="wald")
    return Estimate(measure=name, value=value, interval=ends, standard_error=error, items=items)

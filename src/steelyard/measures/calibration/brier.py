"""The Brier score of probabilities for two classes, with its interval."""

from dataclasses import replace

from steelyard.counts import ScoreTable
from steelyard.measures.calibration.curve import check_probabilities
from steelyard.measures.calibration.proper_scores import proper_score
from steelyard.results.estimates import Estimate
from steelyard.uncertainty import normal_quantile

__all__ = ["brier_score"]


def brier_score(table: ScoreTable, *, level: float = 0.95) -> Estimate:
    r"""Mean squared distance of probabilities from what came true: :math:`\frac1n\sum(p_i-y_i)^2`.

    In [0, 1], smaller is better; half of the Brier score of the two-class vector [1]_. Student's
    interval over items and a few made-up ones
    (:func:`~steelyard.measures.calibration.proper_scores.loss_limits`).

    Parameters
    ----------
    table : ScoreTable
        Probabilities of the positive class, in [0, 1], without weights; at least one item.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    It mixes calibration and discrimination; :func:`~steelyard.measures.brier_decomposition` takes
    them apart. Always saying the prevalence scores :math:`\pi(1-\pi)`, which is small for a rare
    class: compare with it, not with 0.

    References
    ----------
    .. [1] Brier (1950), Monthly Weather Review 78, 1-3,
       doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2.

    Examples
    --------
    >>> table = ScoreTable.from_counts([0.2, 0.8], [1, 7], [9, 3], positive="rain")
    >>> found = brier_score(table)
    >>> round(found.value, 4), round(found.interval.low, 4), round(found.interval.high, 4)
    (0.16, 0.0779, 0.3001)
    """
    normal_quantile(level)
    check_probabilities(table)
    found = proper_score(table, "brier", level=level)
    prevalence = table.positive_total / table.total
    bar = f"always saying the prevalence scores {prevalence * (1 - prevalence):.3g} here"
    return replace(found, of=table.positive, caveats=(bar, *found.caveats))

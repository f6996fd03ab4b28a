"""An interval for a share from how much it varies over resamples."""

import numpy as np
from numpy.typing import NDArray

from steelyard.results.estimates import Interval
from steelyard.uncertainty.delta import NOTHING_VARIES
from steelyard.uncertainty.domain import normal_quantile
from steelyard.uncertainty.shares.proportion import wilson_interval_effective
from steelyard.uncertainty.special import stdtrit

__all__ = ["resample_share_interval"]


def resample_share_interval(
    share: float,
    drawn: NDArray[np.float64],
    *,
    items: float,
    clusters: int | None = None,
    level: float = 0.95,
) -> Interval:
    r"""Wilson's interval with as many items as would make a plain share vary as much.

    With :math:`v` the variance of the resampled shares, :math:`n_e=\hat p(1-\hat p)/v` items. Of
    G resampled clusters Student's t with :math:`G-1` degrees of freedom takes the place of the
    normal quantile: :math:`n_e(z/t)^2`. At 0 or 1, or when no resample differs, ``items``.

    Parameters
    ----------
    share : float
        What was found, in [0, 1].
    drawn : ndarray
        The share in each resample.
    items : float
        Items (or clusters) that the share rests on at least.
    clusters : int, optional
        How many clusters were resampled; None for single items.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    References
    ----------
    .. [1] Korn & Graubard (1998), Survey Methodology 24, 193-201 (effective sample size and t).

    Examples
    --------
    >>> ends = resample_share_interval(0.5, np.array([0.4, 0.5, 0.6]), items=10)
    >>> round(ends.low, 3), round(ends.high, 3)
    (0.318, 0.682)
    """
    z = normal_quantile(level)
    variance = float(drawn.var(ddof=1)) if drawn.size > 1 else 0.0
    number = float(items)
    if 0 < share < 1 and variance > NOTHING_VARIES:
        number = share * (1 - share) / variance
    if clusters is not None:
        number *= (z / -float(stdtrit(clusters - 1, (1 - level) / 2))) ** 2
    low, high = wilson_interval_effective(share, number, level=level)
    method = "bootstrap-wilson" if clusters is None else "cluster-bootstrap"
    return Interval(low=low, high=high, level=level, method=method)

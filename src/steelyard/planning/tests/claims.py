"""How many more items would settle whether an advantage lies on the claimed side of a limit."""

from math import ceil, isfinite

from scipy.special import ndtri

from steelyard.planning.sizes import LIMIT, check_share
from steelyard.planning.tests.more_samples import MoreNeeded

__all__ = ["more_for_claim"]

ON_THE_LIMIT = 1e-9


def more_for_claim(
    room: float,
    standard_error: float,
    samples: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    sides: int = 1,
) -> MoreNeeded:
    r"""More items until an interval that is now undecided lies on one side of a limit.

    The standard error shrinks with :math:`1/\sqrt n`, so that
    :math:`n' = n\,\big((z_{1-\alpha}+z_{1-\beta})\,s/r\big)^2` items give the power
    :math:`1-\beta`, with r the distance of what was seen to the limit, if what was seen is true;
    with two limits at the same distance :math:`\beta/2` goes to each [1]_.

    Parameters
    ----------
    room : float
        Distance of the advantage that was seen to the nearest limit that would decide.
    standard_error : float
        Of the advantage, on ``samples`` items.
    samples : int
        Items there are.
    alpha, power : float
        Error rate of a side, and the chance wanted that the question is settled.
    sides : {1, 2}
        How many limits have to be cleared at once.

    Notes
    -----
    The advantage is an estimate that did not settle the question: take the number for its order of
    magnitude.

    References
    ----------
    .. [1] Julious (2004), Sample sizes for clinical trials with normal data, Statistics in Medicine
       23, 1921-1986, doi:10.1002/sim.1783.

    Examples
    --------
    >>> more_for_claim(0.02, 0.012, 500).more
    613
    >>> more_for_claim(0.0, 0.012, 500).reason
    'what was seen lies on the limit itself'
    """
    check_share("alpha", alpha)
    check_share("power", power)
    if not (isfinite(room) and isfinite(standard_error)) or standard_error <= 0:
        return MoreNeeded(total=None, more=None, reason="nothing varies in what was seen")
    if room <= ON_THE_LIMIT:
        return MoreNeeded(total=None, more=None, reason="what was seen lies on the limit itself")
    reach = float(ndtri(1 - alpha)) + float(ndtri(1 - (1 - power) / sides))
    total = ceil(samples * (reach * standard_error / room) ** 2)
    if total > LIMIT:
        return MoreNeeded(total=None, more=None, reason=f"it would take more than {LIMIT:,} items")
    return MoreNeeded(total=total, more=max(1, total - samples))

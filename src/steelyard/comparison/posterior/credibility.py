"""Credible intervals of one rate with a Beta posterior."""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, log1p
from typing import Literal, TypeAlias, get_args

from steelyard.comparison.posterior.beta_model import BetaPosteriors
from steelyard.errors import RequestError, check_share
from steelyard.uncertainty.domain import beta_quantile, beta_upper_quantile

__all__ = ["CredibleInterval", "CredibleMethod", "credible_interval"]

CredibleMethod: TypeAlias = Literal["equal-tailed", "highest-density"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CredibleInterval:
    """Both ends, the posterior probability between them, and how they were chosen."""

    system: str
    low: float
    high: float
    level: float
    method: CredibleMethod


def credible_interval(
    posteriors: BetaPosteriors,
    system: str,
    *,
    level: float = 0.95,
    method: CredibleMethod = "equal-tailed",
) -> CredibleInterval:
    r"""Interval that holds the rate of a system with posterior probability ``level``.

    ``equal-tailed`` leaves :math:`(1 - level)/2` on each side. ``highest-density`` is the
    shortest: no rate outside is more plausible than one inside.

    Notes
    -----
    A density that rises or falls all the way (no right or no wrong answers, uniform prior) has
    its highest-density interval at the edge, and its equal-tailed interval leaves out the most
    plausible rate of all. A density with two peaks (a < 1 and b < 1) has no shortest interval
    and is refused.

    References
    ----------
    .. [1] Hyndman (1996), The American Statistician 50, 120-126,
       doi:10.1080/00031305.1996.10474359.

    Examples
    --------
    >>> nine = BetaPosteriors(systems=("S",), a=(10,), b=(2,))
    >>> ends = credible_interval(nine, "S", level=0.9)
    >>> round(ends.low, 4), round(ends.high, 4)
    (0.6356, 0.9667)
    >>> ends = credible_interval(nine, "S", level=0.9, method="highest-density")
    >>> round(ends.low, 4), round(ends.high, 4)
    (0.684, 0.9885)
    """
    check_share("level", level)
    if method not in ENDS:
        raise RequestError.for_choice(name="method", given=method, choices=get_args(CredibleMethod))
    place = posteriors.place(system)
    low, high = ENDS[method](posteriors.a[place], posteriors.b[place], level)
    return CredibleInterval(system=system, low=low, high=high, level=level, method=method)


def _equal_tails(a: float, b: float, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    return beta_quantile(a, b, tail), beta_upper_quantile(a, b, tail)


def _highest_density(a: float, b: float, level: float) -> tuple[float, float]:
    if a <= 1 and b <= 1:
        message = (
            f"Beta({a:g}, {b:g}) is highest at both edges or flat, so it has no single interval of "
            "highest density. Pass method='equal-tailed' (--method equal-tailed)."
        )
        raise RequestError(message)
    if a <= 1:
        return 0.0, beta_upper_quantile(a, b, 1 - level)
    if b <= 1:
        return beta_quantile(a, b, 1 - level), 1.0
    least, most = 0.0, 1 - level
    for _ in range(60):
        below = (least + most) / 2
        low, high = beta_quantile(a, b, below), beta_upper_quantile(a, b, 1 - level - below)
        # As the interval moves up its lower end becomes the denser one.
        if _log_ratio(a, b, low, high) < 0:
            least = below
        else:
            most = below
    return low, high


def _log_ratio(a: float, b: float, low: float, high: float) -> float:
    """Logarithm of the density at ``low`` over that at ``high``."""
    if low <= 0:
        return -1.0
    if high >= 1:
        return 1.0
    # log1p keeps the digits of 1 - q for q near 0, where log(1 - q) has none.
    return (a - 1) * (log(low) - log(high)) + (b - 1) * (log1p(-low) - log1p(-high))


ENDS: dict[str, Callable[[float, float, float], tuple[float, float]]] = {
    "equal-tailed": _equal_tails,
    "highest-density": _highest_density,
}

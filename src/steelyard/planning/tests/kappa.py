"""Items to measure agreement by kappa, for two raters and two classes."""

from math import sqrt

from scipy.special import ndtr, ndtri

from steelyard.errors import RequestError, check_share
from steelyard.planning.sizes import round_up
from steelyard.uncertainty import normal_quantile

__all__ = [
    "kappa_power",
    "kappa_samples",
    "kappa_variance",
    "kappa_width",
    "kappa_width_samples",
]


def kappa_variance(kappa: float, *, prevalence: float = 0.5) -> float:
    r"""Variance of an estimated kappa, times the number of items.

    Two raters, two classes, a common share :math:`\pi` of the first class:

    .. math:: (1-\kappa)\left[(1-\kappa)(1-2\kappa) + \frac{\kappa(2-\kappa)}{2\pi(1-\pi)}\right]

    Notes
    -----
    Large samples. At a rare class kappa is measured badly: the term in :math:`\pi` grows.

    References
    ----------
    .. [1] Bloch & Kraemer (1989), Biometrics 45, 269-287, doi:10.2307/2532052.

    Examples
    --------
    >>> round(kappa_variance(0.7), 3), round(kappa_variance(0.7, prevalence=0.1), 3)
    (0.51, 1.481)
    """
    _check(kappa, prevalence)
    spread = kappa * (2 - kappa) / (2 * prevalence * (1 - prevalence))
    return (1 - kappa) * ((1 - kappa) * (1 - 2 * kappa) + spread)


def kappa_width_samples(
    kappa: float, *, width: float, prevalence: float = 0.5, level: float = 0.95
) -> int:
    """Items with which the interval of kappa is at most ``width`` wide.

    References
    ----------
    .. [1] Flack, Afifi, Lachenbruch & Schouten (1988), Psychometrika 53, 321-325,
       doi:10.1007/BF02294215 (the same reasoning for several classes).

    Examples
    --------
    >>> kappa_width_samples(0.7, width=0.2)
    196
    """
    if not 0 < width < 2:
        message = (
            f"width={width!r}; an interval of kappa is wider than 0 and narrower than 2. For plus "
            "or minus 0.1 write width=0.2 (--width 0.2)."
        )
        raise RequestError(message)
    z = normal_quantile(level)
    return round_up(4 * z * z * kappa_variance(kappa, prevalence=prevalence) / width**2)


def kappa_width(
    kappa: float, samples: float, *, prevalence: float = 0.5, level: float = 0.95
) -> float:
    """Width of the normal interval of kappa after n items.

    Examples
    --------
    >>> round(kappa_width(0.7, 196), 4)
    0.2
    """
    variance = kappa_variance(kappa, prevalence=prevalence) / samples
    return 2 * normal_quantile(level) * sqrt(variance)


def kappa_samples(
    kappa: float, *, null: float, prevalence: float = 0.5, power: float = 0.8, alpha: float = 0.05
) -> int:
    r"""Items to show that kappa differs from a value, two-sided.

    From the goodness-of-fit test of the three counts (both yes, split, both no): n is
    :math:`(z_{1-\alpha/2}+z_{1-\beta})^2` over the noncentrality of one item,

    .. math:: [\pi(1-\pi)(\kappa-\kappa_0)]^2\left[\frac{1}{\pi^2+\pi(1-\pi)\kappa_0} +
              \frac{2}{\pi(1-\pi)(1-\kappa_0)} + \frac{1}{(1-\pi)^2+\pi(1-\pi)\kappa_0}\right]

    References
    ----------
    .. [1] Donner & Eliasziw (1992), Statistics in Medicine 11, 1511-1519,
       doi:10.1002/sim.4780111109.

    Examples
    --------
    >>> kappa_samples(0.6, null=0.4, prevalence=0.3)
    191
    """
    noncentrality = _noncentrality(kappa, null, prevalence)
    z = -float(ndtri(check_share("alpha", alpha) / 2)) + float(ndtri(check_share("power", power)))
    return max(1, round_up(max(z, 0.0) ** 2 / noncentrality))


def kappa_power(
    kappa: float, samples: float, *, null: float, prevalence: float = 0.5, alpha: float = 0.05
) -> float:
    r"""Power of the same test after n items: :math:`\Phi(\sqrt{n\lambda} - z_{1-\alpha/2})`.

    References
    ----------
    .. [1] Donner & Eliasziw (1992), Statistics in Medicine 11, 1511-1519,
       doi:10.1002/sim.4780111109.

    Examples
    --------
    >>> round(kappa_power(0.6, 191, null=0.4, prevalence=0.3), 3)
    0.801
    """
    root = sqrt(samples * _noncentrality(kappa, null, prevalence))
    return float(ndtr(root + float(ndtri(check_share("alpha", alpha) / 2))))


def _noncentrality(kappa: float, null: float, prevalence: float) -> float:
    for one in (kappa, null):
        _check(one, prevalence)
    if kappa == null:
        message = (
            f"kappa and null are both {kappa:g}, so no number of items shows a difference. Give "
            f"the smallest one that matters, such as null={max(kappa - 0.1, 0):.3g} "
            f"(--null {max(kappa - 0.1, 0):.3g})."
        )
        raise RequestError(message, code="equal-rates")
    mixed = prevalence * (1 - prevalence)
    inverse = (
        1 / (prevalence**2 + mixed * null)
        + 2 / (mixed * (1 - null))
        + 1 / ((1 - prevalence) ** 2 + mixed * null)
    )
    return (mixed * (kappa - null)) ** 2 * inverse


def _check(kappa: float, prevalence: float) -> None:
    check_share("prevalence", prevalence)
    if not 0 <= kappa < 1:
        message = f"kappa={kappa!r}; plans are made for 0 <= kappa < 1, such as kappa=0.6."
        raise RequestError(message)

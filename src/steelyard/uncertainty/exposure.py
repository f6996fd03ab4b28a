"""Rates of events over an exposure: false alarms per hour, per kilometre, per image."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, inf, isfinite, log, sqrt
from typing import Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from scipy.special import (
    bdtr,
    bdtrc,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    stdtr,
    stdtrit,
)

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.domain import choose_method, normal_quantile, whole_count
from steelyard.uncertainty.roots import crossing
from steelyard.uncertainty.shares.proportion import clopper_pearson_interval, midp_interval

__all__ = [
    "EXPOSURE_INTERVALS",
    "ExposureRatio",
    "check_exposure",
    "exposure_interval",
    "exposure_midp_interval",
    "exposure_ratio",
    "exposure_sequence",
    "garwood_interval",
    "periods_interval",
    "periods_ratio",
]

ExposureMethod = Literal["garwood", "midp"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureRatio:
    """The first rate over the second, with limits and the p-value that goes with them.

    ``ratio`` is None when neither had an event, infinite when only the second had none.
    """

    ratio: float | None
    low: float
    high: float
    p: float
    level: float
    method: str


def check_exposure(exposure: float, name: str = "exposure") -> float:
    """Refuse an exposure in which nothing could have happened.

    Examples
    --------
    >>> check_exposure(12)
    12.0
    """
    if not (isfinite(exposure) and exposure > 0):
        message = (
            f"{name}={exposure!r}: events are counted over an exposure above 0, such as 12 hours "
            "or 3.5 kilometres. Nothing can be said of a rate without any."
        )
        raise CountsError(message, code="no-exposure")
    return float(exposure)


def garwood_interval(
    events: SupportsIndex, exposure: float = 1.0, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Exact interval of a rate of events: covers at least ``level``, whatever the rate.

    The rates :math:`\lambda` at which neither :math:`P(X\ge x)` nor :math:`P(X\le x)` of a Poisson
    number with mean :math:`\lambda T` falls below :math:`\alpha/2`: :math:`\chi^2` quantiles with
    2x and 2x + 2 degrees of freedom over 2T [1]_. At the level :math:`1-2\alpha` each limit alone
    errs with :math:`\alpha` at most.

    Parameters
    ----------
    events : int
        How many events there were.
    exposure : float
        Over how many hours, kilometres, images; above 0.
    level : float
        Coverage wanted, strictly between 0 and 1.

    Notes
    -----
    Events must come singly and independently. Alarms that come in bursts spread more than a
    Poisson number does: see :func:`periods_interval`.

    References
    ----------
    .. [1] Garwood (1936), Biometrika 28, 437-442, doi:10.1093/biomet/28.3-4.437.

    Examples
    --------
    >>> low, high = garwood_interval(4, 10.0)
    >>> round(low, 4), round(high, 4)
    (0.109, 1.0242)
    """
    number, time = whole_count(events, "events"), check_exposure(exposure)
    tail = _tail(level)
    low = float(gammaincinv(number, tail)) if number else 0.0
    return low / time, float(gammainccinv(number + 1, tail)) / time


def exposure_midp_interval(
    events: SupportsIndex, exposure: float = 1.0, *, level: float = 0.95
) -> tuple[float, float]:
    r"""Mid-p interval of a rate of events: shorter, and near its level on average only.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    As :func:`garwood_interval`, with half of :math:`P(X=x)` in each tail [1]_.

    References
    ----------
    .. [1] Cohen & Yang (1994), Statistics in Medicine 13, 2189-2203, doi:10.1002/sim.4780132102.

    Examples
    --------
    >>> low, high = exposure_midp_interval(4, 10.0)
    >>> round(low, 4), round(high, 4)
    (0.1271, 0.9648)
    """
    number, time = whole_count(events, "events"), check_exposure(exposure)
    tail = _tail(level)
    if number == 0:
        return 0.0, -log(2 * tail) / time

    def half(mean: float) -> float:
        return 0.5 * exp(number * log(mean) - mean - float(gammaln(number + 1)))

    low, high = garwood_interval(number, level=level)
    # Mid-p limits lie inside the exact ones, which bracket them.
    inner_low = crossing(
        lambda mean: float(gammainc(number, mean)) - half(mean) - tail if mean else -tail,
        low,
        float(number),
    )
    inner_high = crossing(
        lambda mean: float(gammaincc(number + 1, mean)) - half(mean) - tail, float(number), high
    )
    return inner_low / time, inner_high / time


def exposure_interval(
    events: SupportsIndex,
    exposure: float,
    *,
    level: float = 0.95,
    method: ExposureMethod = "garwood",
) -> tuple[float, float]:
    """Interval of a rate of events by a method of :data:`EXPOSURE_INTERVALS`.

    Examples
    --------
    >>> low, high = exposure_interval(0, 10.0)
    >>> low, round(high, 3)
    (0.0, 0.369)
    """
    return choose_method(EXPOSURE_INTERVALS, method)(events, exposure, level=level)


EXPOSURE_INTERVALS: dict[str, Callable[..., tuple[float, float]]] = {
    "garwood": garwood_interval,
    "midp": exposure_midp_interval,
}
"""Intervals of a rate of events, by name."""


def exposure_ratio(
    first: tuple[SupportsIndex, float],
    second: tuple[SupportsIndex, float],
    *,
    level: float = 0.95,
    method: ExposureMethod = "garwood",
    null: float = 1.0,
) -> ExposureRatio:
    r"""Ratio R of two rates of events, each with its own exposure.

    Given how many events there were together, :math:`x_1` is binomial with the share
    :math:`R T_1/(R T_1+T_2)`, whatever the rates; its exact (or mid-p) limits are those of R [1]_.
    The p-value doubles the smaller tail, so that it is below :math:`1-` ``level`` exactly when the
    interval leaves ``null`` out.

    Parameters
    ----------
    first, second : tuple of int and float
        Events and exposure.
    level : float
        Coverage wanted.
    method : {"garwood", "midp"}
        Exact, or mid-p.
    null : float
        Ratio that the p-value is about.

    References
    ----------
    .. [1] Przyborowski & Wilenski (1940), Biometrika 31, 313-323,
       doi:10.1093/biomet/31.3-4.313.

    Examples
    --------
    >>> answer = exposure_ratio((12, 10.0), (4, 9.0))
    >>> round(answer.ratio, 3), round(answer.low, 4), round(answer.high, 3), round(answer.p, 4)
    (2.7, 0.8183, 11.486, 0.1189)
    """
    choose_method(EXPOSURE_INTERVALS, method)
    counts = [whole_count(one[0], "events") for one in (first, second)]
    times = [check_exposure(one[1]) for one in (first, second)]
    if not (isfinite(null) and null > 0):
        message = f"null={null!r}; a ratio of rates lies above 0."
        raise RequestError(message)
    total, scale = sum(counts), times[1] / times[0]
    if total == 0:  # no event tells nothing of where events happen
        normal_quantile(level)
        return ExposureRatio(ratio=None, low=0.0, high=inf, p=1.0, level=level, method=method)
    limits = clopper_pearson_interval if method == "garwood" else midp_interval
    low, high = limits(counts[0], total, level=level)
    share = null / (null + scale)
    below, above = float(bdtr(counts[0], total, share)), 1.0
    if counts[0]:
        above = float(bdtrc(counts[0] - 1, total, share))
    if method == "midp":
        here = below + above - 1  # both tails hold what was seen
        below, above = below - here / 2, above - here / 2
    return ExposureRatio(
        ratio=inf if counts[1] == 0 else counts[0] / counts[1] * scale,
        low=_odds(low) * scale,
        high=_odds(high) * scale,
        p=min(1.0, 2 * min(below, above)),
        level=level,
        method=method,
    )


def periods_interval(
    events: Sequence[float], exposures: Sequence[float], *, level: float = 0.95
) -> tuple[float, float]:
    r"""Interval of a rate whose events were counted in several periods, and may come in bursts.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    The rate :math:`R=\sum x_i/\sum T_i` is a ratio of sums; its linearised variance over G periods
    is :math:`\frac{G}{G-1}\sum(x_i-RT_i)^2/(\sum T_i)^2` [1]_, and Student's t with G - 1 degrees
    of freedom is taken on the logarithm of the rate. The limits are drawn out to Garwood's: calm
    periods make nothing surer than single events do.

    Notes
    -----
    With fewer than about 10 periods, or where a few periods hold most of the events, the interval
    may still be too short.

    References
    ----------
    .. [1] Cochran (1977), Sampling Techniques, 3rd edition, Wiley, section 6.3.

    Examples
    --------
    >>> low, high = periods_interval([0, 9, 1, 0, 8, 0], [2, 2, 2, 2, 2, 2])
    >>> round(low, 2), round(high, 2)
    (0.33, 6.73)
    """
    counted, time = _over_periods(events, exposures)
    total, whole = float(counted.sum()), check_exposure(float(time.sum()))
    low, high = garwood_interval(round(total), whole, level=level)
    if total == 0:
        return low, high
    rate, number = total / whole, counted.size
    squares = float(((counted - rate * time) ** 2).sum())
    error = sqrt(number / (number - 1) * squares) / whole
    half = -float(stdtrit(number - 1, _tail(level))) * error / rate
    return min(low, rate * exp(-half)), max(high, rate * exp(min(half, 700.0)))


def periods_ratio(
    first: tuple[Sequence[float], Sequence[float]],
    second: tuple[Sequence[float], Sequence[float]],
    *,
    level: float = 0.95,
) -> ExposureRatio:
    r"""Ratio of two rates whose events were counted in periods, and may come in bursts.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    Student's t on the logarithm of the ratio: the jackknife over periods gives the variance of
    either logarithm, Satterthwaite the degrees of freedom. Limits and p-value are never surer than
    those of :func:`exposure_ratio`. Where one period holds all events of a side, or none has any,
    every period counts as one event at most.

    Parameters
    ----------
    first, second : tuple of two sequences
        Events and exposures of the periods, each side with periods of its own.
    level : float
        Coverage wanted.

    Examples
    --------
    >>> calm, bursts = ([4, 3, 5, 4], [1] * 4), ([0, 15, 1, 14], [1] * 4)
    >>> round(periods_ratio(calm, bursts).p, 2), round(exposure_ratio((16, 4), (30, 4)).p, 2)
    (0.35, 0.05)
    """
    sides = [_over_periods(*one) for one in (first, second)]
    times = [one.sum() for _, one in sides]
    spreads = [_log_spread(*one) for one in sides]
    if None in spreads:
        bursts = [np.count_nonzero(events) for events, _ in sides]
        found = exposure_ratio((bursts[0], times[0]), (bursts[1], times[1]), level=level)
        return replace(found, method="periods")
    events = [int(one.sum()) for one, _ in sides]
    found = exposure_ratio((events[0], times[0]), (events[1], times[1]), level=level)
    known = [(one, held.size - 1) for one, (held, _) in zip(spreads, sides, strict=True) if one]
    if not known or found.ratio is None:
        return replace(found, method="periods")
    variance = fsum(one for one, _ in known)
    freedom = variance**2 / fsum(one**2 / few for one, few in known)
    half = min(-float(stdtrit(freedom, _tail(level))) * sqrt(variance), 350.0)
    return replace(
        found,
        low=min(found.low, found.ratio * exp(-half)),
        high=max(found.high, found.ratio * exp(half)),
        p=max(found.p, 2 * float(stdtr(freedom, -abs(log(found.ratio)) / sqrt(variance)))),
        method="periods",
    )


def _over_periods(
    events: Sequence[float], exposures: Sequence[float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    counted, time = np.asarray(events, np.float64), np.asarray(exposures, np.float64)
    if counted.shape != time.shape or counted.size < 2:
        message = (
            f"{counted.size} periods with events and {time.size} with an exposure; a spread over "
            "periods needs 2 or more, each with both."
        )
        raise CountsError(message, code="too-few-clusters")
    return counted, time


def _log_spread(events: NDArray[np.float64], times: NDArray[np.float64]) -> float | None:
    """Jackknife variance of the logarithm of a rate; None where one period holds all events."""
    others, rest = events.sum() - events, times.sum() - times
    if others.min() <= 0:
        return None
    apart = np.log(others / rest) - log(events.sum() / times.sum())
    return (events.size - 1) / events.size * float(apart @ apart)


def exposure_sequence(
    events: SupportsIndex, exposure: float, *, about: float, alpha: float = 0.05
) -> tuple[float, float]:
    r"""Limits of a rate of events that may be looked at any time.

    .. math:: \left\{\lambda: \frac{\Gamma(a+x)\,b^a}{\Gamma(a)\,(b+T)^{a+x}\lambda^x
              e^{-\lambda T}}<\frac1\alpha\right\},\qquad a=\tfrac12,\; b=\frac{a}{\text{about}},

    a gamma mixture over the rate against each single one [1]_. They hold at all times together
    with probability :math:`1-\alpha`, and each limit alone errs with :math:`\alpha` at most.

    Parameters
    ----------
    events : int
        Events so far.
    exposure : float
        Exposure so far, above 0.
    about : float
        The order of magnitude of the rate, said before the data; it decides how soon the limits
        close, never whether they hold.
    alpha : float
        The chance that the limits ever leave the rate out.

    References
    ----------
    .. [1] Howard, Ramdas, McAuliffe & Sekhon (2021), Annals of Statistics 49, 1055-1080,
       doi:10.1214/20-AOS1991.

    Examples
    --------
    >>> low, high = exposure_sequence(12, 10.0, about=2.0)
    >>> round(low, 3), round(high, 3)
    (0.42, 2.616)
    """
    number, time = whole_count(events, "events"), check_exposure(exposure)
    check_exposure(about, "about")
    check_share("alpha", alpha)
    shape, scale = 0.5, 0.5 / about
    weight = (
        float(gammaln(shape + number) - gammaln(shape))
        + shape * log(scale)
        - (shape + number) * log(scale + time)
        + log(alpha)
    )

    def excess(rate: float) -> float:
        if rate == 0:
            return inf if number else weight
        return weight - number * log(rate) + rate * time

    peak = number / time
    far = (number + 10) / time
    while excess(far) < 0:
        far *= 2
    return (
        crossing(excess, 0.0, peak) if number else 0.0,
        crossing(excess, peak, far),
    )


def _odds(share: float) -> float:
    return inf if share == 1 else share / (1 - share)


def _tail(level: float) -> float:
    check_share("level", level)
    return (1 - level) / 2

"""How long to watch: exposures that show a rate of events below a limit, or two rates apart."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, bdtrc, gammaincc, gammainccinv, gammaincinv, gammaln, xlogy

from steelyard.errors import RequestError, check_share

__all__ = [
    "ExposurePlan",
    "excess_exposure",
    "exposure_plan",
    "exposure_ratio_power",
    "zero_event_exposure",
]

MOST_EVENTS = 1_000_000
"""The search for a plan ends here."""

Spans = tuple[NDArray[np.float64], NDArray[np.float64] | float]
"""The least and the most exposure that keep both risks, for each number of events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposurePlan:
    """Watch for ``exposure``, accept with at most ``events``.

    Any exposure up to ``longest`` keeps both risks with the same number of events.
    """

    exposure: float
    longest: float
    events: int
    accept_bad: float
    accept_good: float


def zero_event_exposure(bad: float, alpha: float = 0.05) -> float:
    r"""Exposure that shows a rate below ``bad`` if nothing happens: :math:`-\ln\alpha/\text{bad}`.

    Examples
    --------
    >>> round(zero_event_exposure(2.0), 4)
    1.4979
    """
    check_share("alpha", alpha)
    _check_rate("bad", bad)
    return -log(alpha) / bad


def exposure_plan(
    bad: float, good: float, *, alpha: float = 0.05, beta: float = 0.1
) -> ExposurePlan | None:
    r"""Shortest watch that rejects the bad rate of events and accepts the good.

    The least c with :math:`\chi^2_{1-\alpha;2c+2}/(2\,\text{bad})\le
    \chi^2_{\beta;2c+2}/(2\,\text{good})`; the first is the exposure [1]_.

    Parameters
    ----------
    bad, good : float
        Rates of events per unit of exposure.
    alpha, beta : float
        Largest chance to accept the bad, and to reject the good.

    Returns
    -------
    ExposurePlan or None
        None when more than 1,000,000 events would have to be allowed.

    References
    ----------
    .. [1] Epstein & Sobel (1953), JASA 48, 486-502, doi:10.1080/01621459.1953.10483488.

    Examples
    --------
    >>> plan = exposure_plan(2.0, 0.8)
    >>> plan.events, round(plan.exposure, 3)
    (10, 8.481)
    """
    check_share("alpha", alpha)
    check_share("beta", beta)
    _check_rate("bad", bad)
    if not 0 <= good < bad:
        message = (
            f"A test accepts {good:g} events per unit and rejects {bad:g}: the first must be the "
            "smaller. Assume a rate on the good side of the claim."
        )
        raise RequestError(message, code="claim-rate")

    def spans(events: NDArray[np.int64]) -> Spans:
        least = gammainccinv(events + 1, alpha) / bad
        return least, inf if good == 0 else gammainccinv(events + 1, 1 - beta) / good

    found = _fewest_events(0, spans)
    if found is None:
        return None
    events, exposure, longest = found
    accept = gammaincc(events + 1.0, np.array([bad, good]) * exposure)
    return ExposurePlan(
        exposure=exposure,
        longest=longest,
        events=events,
        accept_bad=float(accept[0]),
        accept_good=float(accept[1]),
    )


def excess_exposure(
    limit: float, rate: float, *, alpha: float = 0.05, beta: float = 0.2
) -> float | None:
    r"""Shortest watch that shows a rate of events above a limit, by Garwood's lower limit.

    The least c with :math:`\chi^2_{1-\beta;2c}/(2\,\text{rate})\le
    \chi^2_{\alpha;2c}/(2\,\text{limit})`, quantiles from below; None beyond 1,000,000 events.

    Examples
    --------
    >>> round(excess_exposure(2.0, 4.0), 3)
    4.531
    """
    if not rate > limit:
        message = f"{rate:g} events per unit are no more than {limit:g}: no watch shows it."
        raise RequestError(message, code="claim-rate")

    def spans(events: NDArray[np.int64]) -> Spans:
        return gammaincinv(events, 1 - beta) / rate, gammaincinv(events, alpha) / limit

    found = _fewest_events(1, spans)
    return None if found is None else found[1]


def _fewest_events(
    start: int, spans: Callable[[NDArray[np.int64]], Spans]
) -> tuple[int, float, float] | None:
    """Find the fewest events whose least exposure is within the most; both exposures, too."""
    size = 64
    while start <= MOST_EVENTS:
        events = np.arange(start, start + size)
        least, most = np.broadcast_arrays(*spans(events))
        # Where both limits are one exposure, rounding must not part them.
        kept = np.flatnonzero(least <= most * (1 + 1e-12))
        if kept.size:
            at = int(kept[0])
            return int(events[at]), float(least[at]), float(most[at])
        start, size = start + size, 2 * size
    return None


def exposure_ratio_power(
    first: tuple[float, float], second: tuple[float, float], *, alpha: float = 0.05
) -> float:
    """Chance that the exact test of :func:`steelyard.uncertainty.exposure_ratio` tells two apart.

    Parameters
    ----------
    first, second : tuple of float
        Rate and exposure.
    alpha : float
        Error rate of the test, two-sided.

    Examples
    --------
    >>> round(exposure_ratio_power((1.0, 20.0), (0.3, 20.0)), 6)
    0.747071
    """
    check_share("alpha", alpha)
    means = [rate * time for rate, time in (first, second)]
    share = first[1] / (first[1] + second[1])
    found, reach = 0.0, 8 * sum(means) ** 0.5 + 30  # beyond it lie less than 1e-13 of all chances
    for total in range(max(1, int(sum(means) - reach)), int(sum(means) + reach) + 1):
        seen = np.arange(total + 1)
        above = np.where(seen > 0, bdtrc(np.maximum(seen - 1, 0), total, share), 1.0)
        tails = np.minimum(bdtr(seen + 0.0, total, share), above)
        chances = _chance(seen, means[0]) * _chance(total - seen, means[1])
        # The test itself decides at p = alpha: its last digits must not leave such counts out.
        found += float(chances[2 * tails <= alpha * (1 + 1e-12)].sum())
    return found


def _chance(events: NDArray[np.int64], mean: float) -> NDArray[np.float64]:
    return np.asarray(np.exp(xlogy(events, mean) - mean - gammaln(events + 1)), dtype=np.float64)


def _check_rate(name: str, rate: float) -> None:
    if not (rate > 0 and np.isfinite(rate)):
        message = f"{name}={rate!r}; a rate of events that can be rejected lies above 0."
        raise RequestError(message, code="claim-rate")

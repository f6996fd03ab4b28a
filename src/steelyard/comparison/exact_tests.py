"""Exact tests of two independent rates: conditional (Fisher) and unconditional."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, gammaln, xlog1py, xlogy

from steelyard.errors import CountsError, RequestError

__all__ = [
    "FisherTest",
    "UnconditionalOrder",
    "UnconditionalTest",
    "fisher_exact",
    "unconditional_exact",
]

UnconditionalOrder: TypeAlias = Literal["boschloo", "barnard"]
Sample = tuple[int, int]
Floats = NDArray[np.float64]

SAME = 1e-7
"""Tables whose probabilities agree to this relative amount count as equally extreme."""

LARGEST = 4_000_000
"""Tables that the unconditional test will order at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FisherTest:
    """Two-sided exact test, given how many answers were right in all."""

    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class UnconditionalTest:
    """Two-sided exact test over both samples; ``rate`` is the common rate that is hardest on it."""

    order: UnconditionalOrder
    p_value: float
    rate: float


def fisher_exact(first: Sample, second: Sample) -> FisherTest:
    r"""Fisher's exact test of equal rates from two independent samples (successes, trials).

    Given :math:`x_1 + x_2` the first count is hypergeometric; the p-value adds the probabilities
    of all tables that are no more probable than the one observed.

    Notes
    -----
    Conservative: its real error rate is often half the nominal one. :func:`unconditional_exact`
    with Boschloo's order is never less powerful.

    References
    ----------
    .. [1] Fisher (1935), JRSS 98, 39-82, doi:10.2307/2342435.

    Examples
    --------
    >>> round(fisher_exact((8, 10), (1, 6)).p_value, 6)
    0.034965
    """
    x1, n1, x2, n2 = _checked(first, second)
    logs, lowest = _hypergeometric(n1, n2, x1 + x2)
    chances = np.exp(logs - logs.max())
    seen = chances[x1 - lowest]
    beyond = chances <= seen * (1 + SAME)
    return FisherTest(p_value=min(1.0, float(chances[beyond].sum() / chances.sum())))


def unconditional_exact(
    first: Sample, second: Sample, *, order: UnconditionalOrder = "boschloo"
) -> UnconditionalTest:
    r"""Unconditional exact test of equal rates from two independent samples.

    All :math:`(n_1+1)(n_2+1)` pairs of counts are ordered, by their two-sided Fisher p-value
    (``boschloo``) or by the size of the pooled score statistic (``barnard``, Suissa and Shuster);
    R holds those at least as extreme as the observed pair, and

    .. math:: p = \max_\pi \sum_{(i,j) \in R} b(i; n_1, \pi)\, b(j; n_2, \pi).

    Notes
    -----
    The maximum is searched on 1,000 rates, closer together at the ends, and narrowed down around
    the best ones. Up to about 2,000 items in each sample; beyond, the score test is exact enough.
    Other programs double a one-sided p-value or use another order, and differ a little.

    References
    ----------
    .. [1] Boschloo (1970), Statistica Neerlandica 24, 1-9, doi:10.1111/j.1467-9574.1970.tb00104.x.
    .. [2] Suissa & Shuster (1985), JRSS A 148, 317-327, doi:10.2307/2981892.

    Examples
    --------
    >>> round(unconditional_exact((7, 15), (12, 15), order="barnard").p_value, 6)
    0.068218
    >>> round(unconditional_exact((7, 15), (12, 15)).p_value, 6)
    0.068218
    """
    if order not in ORDERS:
        choices = get_args(UnconditionalOrder)
        raise RequestError.for_choice(name="order", given=order, choices=choices)
    x1, n1, x2, n2 = _checked(first, second)
    if (n1 + 1) * (n2 + 1) > LARGEST:
        message = (
            f"Samples of {n1} and {n2} have too many tables for an exact unconditional test; "
            "use score_test, which is as good at this size."
        )
        raise RequestError(message)
    extreme = ORDERS[order](n1, n2)
    region = (extreme <= extreme[x1, x2] * (1 + SAME) + 1e-300).astype(np.float64)
    rate, p_value = _largest(lambda rates: _chance(region, rates))
    return UnconditionalTest(order=order, p_value=min(1.0, p_value), rate=rate)


def _checked(first: Sample, second: Sample) -> tuple[int, int, int, int]:
    for right, tested in (first, second):
        if not 0 <= right <= tested or tested < 1:
            message = f"{right} right of {tested} tested; need 0 <= right <= tested, tested >= 1."
            raise CountsError(message, code="more-right-than-tested")
    return (*first, *second)


def _hypergeometric(n1: int, n2: int, right: int) -> tuple[Floats, int]:
    """Log probabilities, up to a constant, of the first count given the total; its lowest value."""
    lowest, highest = max(0, right - n2), min(n1, right)
    x = np.arange(lowest, highest + 1.0)
    ways = gammaln(x + 1) + gammaln(n1 - x + 1) + gammaln(right - x + 1)
    return np.asarray(-(ways + gammaln(n2 - right + x + 1)), dtype=np.float64), lowest


def _by_fisher(n1: int, n2: int) -> Floats:
    """Two-sided Fisher p-value of every table."""
    table = np.empty((n1 + 1, n2 + 1))
    for right in range(n1 + n2 + 1):
        logs, lowest = _hypergeometric(n1, n2, right)
        chances = np.exp(logs - logs.max())
        ascending = np.sort(chances)
        below = np.concatenate([[0.0], ascending.cumsum()])
        ends = np.searchsorted(ascending, chances * (1 + SAME), side="right")
        x = np.arange(lowest, lowest + chances.size)
        table[x, right - x] = below[ends] / below[-1]
    return table


def _by_score(n1: int, n2: int) -> Floats:
    """Minus the squared pooled score statistic of every table; 0 without variation."""
    x1, x2 = np.arange(n1 + 1.0)[:, None], np.arange(n2 + 1.0)[None, :]
    pooled = (x1 + x2) / (n1 + n2)
    spread = pooled * (1 - pooled) * (1 / n1 + 1 / n2)
    gap = (x1 / n1 - x2 / n2) ** 2
    squares = np.divide(gap, spread, out=np.zeros_like(gap), where=spread > 0)
    # Falling in extremeness and positive, as p-values are, so that both orders compare alike.
    return np.asarray(1 / (1 + squares), dtype=np.float64)


ORDERS: dict[str, Callable[[int, int], Floats]] = {"boschloo": _by_fisher, "barnard": _by_score}


def _chance(region: Floats, rates: Floats) -> Floats:
    one, two = (_binomials(size - 1, rates) for size in region.shape)
    return np.asarray(((one @ region) * two).sum(axis=1), dtype=np.float64)


def _binomials(trials: int, rates: Floats) -> Floats:
    j = np.arange(trials + 1.0)
    ways = -betaln(j + 1, trials - j + 1) - np.log(trials + 1)
    p = rates[:, None]
    return np.asarray(np.exp(ways + xlogy(j, p) + xlog1py(trials - j, -p)), dtype=np.float64)


def _largest(function: Callable[[Floats], Floats]) -> tuple[float, float]:
    angles = np.linspace(0, np.pi, 1001)
    values = function(np.sin(angles / 2) ** 2)
    best = (0.0, 0.0)
    for top in np.argsort(values)[-5:]:
        left, right = angles[max(top - 1, 0)], angles[min(top + 1, 1000)]
        for _ in range(7):
            part = np.linspace(left, right, 21)
            rates = np.sin(part / 2) ** 2
            heights = function(rates)
            at = int(heights.argmax())
            best = max(best, (float(heights[at]), float(rates[at])))
            left, right = part[max(at - 1, 0)], part[min(at + 1, 20)]
    return best[1], best[0]

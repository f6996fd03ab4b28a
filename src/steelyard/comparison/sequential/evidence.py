"""Evidence that may be looked at any time: e-processes on discordant items."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, inf, log, log1p

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaln

from steelyard.comparison.akaike.divergence import log_half_beta
from steelyard.comparison.posterior.log_odds import deviance, log_peak
from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.roots import crossing

__all__ = [
    "DiscordantEvidence",
    "WinSequence",
    "closed_by_averaging",
    "discordant_evidence",
    "log_evidence",
    "win_sequence",
]

Floats = NDArray[np.float64]

LARGEST = 700.0
"""exp of this is near the largest double."""

FEW = 16
"""Up to so many items the formula as it is written loses nothing."""

TINY = 1e-100
"""Below this a share of the mixture and its evidence are so far from 1 that their logarithms
would cancel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordantEvidence:
    """Evidence against equal systems from discordant items, as natural logarithms.

    ``log_different`` speaks for any difference, ``log_first`` for the first being better,
    ``log_second`` for the second. Reject at level alpha when the e-value *ever* reaches 1/alpha.
    """

    first_wins: int
    second_wins: int
    prior: float
    log_different: float
    log_first: float
    log_second: float

    @property
    def different(self) -> float:
        """E-value for a difference either way, at most e^700."""
        return exp(min(self.log_different, LARGEST))

    @property
    def first_better(self) -> float:
        """E-value for the first being better, at most e^700."""
        return exp(min(self.log_first, LARGEST))

    @property
    def second_better(self) -> float:
        """E-value for the second being better, at most e^700."""
        return exp(min(self.log_second, LARGEST))


@dataclass(frozen=True, slots=True, kw_only=True)
class WinSequence:
    """Confidence sequence of q, the chance that the first wins a discordant item.

    ``low`` and ``high`` hold at all times together with probability 1 - alpha.
    """

    first_wins: int
    second_wins: int
    alpha: float
    low: float
    high: float

    @property
    def difference_if_discordant(self) -> tuple[float, float]:
        """Limits of 2q - 1, the difference of the two rates on discordant items only.

        The difference on all items is that times the share of discordant items, which is another
        unknown: see ``betting_sequence`` for it.
        """
        return 2 * self.low - 1, 2 * self.high - 1


def discordant_evidence(
    first_wins: int, second_wins: int, *, prior: float = 1.0
) -> DiscordantEvidence:
    r"""E-values against equal systems from w and l discordant items.

    The likelihood ratio of a Beta(a, a) mixture over q against q = ½,

    .. math:: E = 2^{w+l}\, \frac{B(a+w, a+l)}{B(a, a)}, \qquad
              E_{first} = 2\,(1 - I_{1/2}(a+w, a+l))\, E,

    the second with the mixture restricted to q > ½. Under q = ½ (one-sided: q ≤ ½) the chance
    that it ever reaches :math:`1/\alpha` is at most :math:`\alpha`, however often you look.

    Parameters
    ----------
    first_wins, second_wins
        Items that only the first or only the second system had right.
    prior
        The a of the mixture; larger values bet on smaller differences. Fix it before the data.

    Notes
    -----
    The freedom to look costs power: on a fixed sample McNemar's test rejects sooner. An e-value
    is not the probability of a hypothesis, and not the largest one seen: once it has reached
    1/alpha the verdict stays, whatever it does later.

    References
    ----------
    .. [1] Ramdas, Grünwald, Vovk & Shafer (2023), Statistical Science 38, 576-601,
       doi:10.1214/23-STS894.

    Examples
    --------
    >>> answer = discordant_evidence(36, 27)
    >>> round(answer.different, 10), round(answer.first_better, 10)
    (0.2944359054, 0.5121902555)
    """
    _check_wins(first_wins, second_wins)
    _check_prior(prior)
    different, first, second = (
        float(value) for value in log_evidence(first_wins, second_wins, prior=prior)
    )
    return DiscordantEvidence(
        first_wins=first_wins,
        second_wins=second_wins,
        prior=prior,
        log_different=different,
        log_first=first,
        log_second=second,
    )


def log_evidence(
    first_wins: ArrayLike, second_wins: ArrayLike, *, prior: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Logarithms of the three e-values of :func:`discordant_evidence`, for arrays of counts.

    Examples
    --------
    >>> [value.round(4).tolist() for value in log_evidence([0, 36], [0, 27])]
    [[0.0, -1.2227], [0.0, -0.6691], [0.0, -2.5681]]
    """
    won, lost = np.asarray(first_wins, dtype=np.float64), np.asarray(second_wins, dtype=np.float64)
    different = _log_mixture(won, lost, prior)
    first = _log_one_side(different, prior + lost, prior + won, prior)
    second = _log_one_side(different, prior + won, prior + lost, prior)
    return different, first, second


def win_sequence(
    first_wins: int, second_wins: int, *, alpha: float = 0.05, prior: tuple[float, float] = (1, 1)
) -> WinSequence:
    r"""Confidence sequence for the chance q that the first system wins a discordant item.

    .. math:: \left\{q : \frac{B(a+w, b+l)}{B(a, b)\, q^w (1-q)^l} < \frac1\alpha\right\}

    Any number of looks, and stopping for any reason, leave its coverage at 1 - alpha or more. The
    same formula serves right and wrong answers of one system: then q is its rate.

    Notes
    -----
    Wider than a fixed-sample interval by some 60 %. The estimand is the population that items are
    drawn from; of a finite benchmark see ``benchmark_sequence``.

    References
    ----------
    .. [1] Robbins (1970), Annals of Mathematical Statistics 41, 1397-1409,
       doi:10.1214/aoms/1177696786.

    Examples
    --------
    >>> ends = win_sequence(36, 27)
    >>> round(ends.low, 6), round(ends.high, 6)
    (0.377159, 0.751659)
    """
    _check_wins(first_wins, second_wins)
    check_share("alpha", alpha)
    for value in prior:
        _check_prior(value)
    a, b = np.array([prior[0]]), np.array([prior[1]])
    won, lost = a + first_wins, b + second_wins
    # The likelihood at its peak cancels out of both; what is left is the fall from the peak.
    bound = log(alpha) - float(betaln(*prior)) - float(log_peak(won, lost)[0])

    def excess(q: float) -> float:
        if q in {0.0, 1.0}:
            none = (second_wins if q else first_wins) == 0
            return float(betaln(won, lost)[0] - betaln(*prior)) + log(alpha) if none else inf
        place = np.array([log(q) - log1p(-q)]) - np.log(won / lost)
        fall = float(deviance(place, won, lost)[0])
        return bound + fall + prior[0] * log(q) + prior[1] * log1p(-q)

    total = first_wins + second_wins
    peak = first_wins / total if total else 0.5
    return WinSequence(
        first_wins=first_wins,
        second_wins=second_wins,
        alpha=alpha,
        low=crossing(excess, 0.0, peak) if first_wins else 0.0,
        high=crossing(excess, peak, 1.0) if second_wins else 1.0,
    )


def closed_by_averaging(e_values: Sequence[float]) -> tuple[float, ...]:
    r"""Adjust e-values for asking several questions at once (closed testing with the mean).

    .. math:: e_i^* = \min_r \frac{e_i + \sum_{j \le r} e_{(j)}}{r + 1},

    :math:`e_{(j)}` the r smallest of the others. Reject where :math:`e_i^* \ge 1/\alpha`: the
    chance of any false rejection is at most alpha under any dependence.

    Notes
    -----
    Hand over the *current* values at one common time, never running maxima: the mean of
    maxima of e-processes is not an e-value.

    References
    ----------
    .. [1] Vovk & Wang (2021), Annals of Statistics 49, 1736-1754, doi:10.1214/20-AOS2020.

    Examples
    --------
    >>> closed_by_averaging([40.0, 2.0, 0.5])
    (14.166666666666666, 1.25, 0.5)
    """
    values = [float(value) for value in e_values]
    strange = [value for value in values if not 0 <= value < np.inf]
    if strange:
        message = f"{strange[0]!r} is not an e-value; expected finite numbers, 0 or more."
        raise RequestError(message)
    order = np.argsort(values, kind="stable")
    ranked = np.array(values)[order]
    sums, counts = np.concatenate([[0.0], np.cumsum(ranked)]), np.arange(1, ranked.size + 1)
    adjusted = np.empty(ranked.size)
    for place, value in enumerate(ranked):
        # Values above its own lie above every mean it is part of, and would only raise it.
        adjusted[order[place]] = ((value + sums[: place + 1]) / counts[: place + 1]).min()
    return tuple(adjusted.tolist())


def _log_mixture(won: Floats, lost: Floats, prior: float) -> Floats:
    """Logarithm of the e-value for a difference either way; exactly 0 where it is 1."""
    plain = (won + lost) * log(2) + betaln(prior + won, prior + lost) - betaln(prior, prior)
    many = log_half_beta(prior + won, prior + lost) - log_half_beta(prior, prior)
    return np.asarray(np.where(won + lost < FEW, plain, many), dtype=np.float64)


def _log_one_side(different: Floats, a: Floats, b: Floats, prior: float) -> Floats:
    r"""Logarithm of the e-value for one side, :math:`\ln(2 I_{1/2}(a, b) E)`.

    Where the integral is tiny, a is far above b, and
    :math:`I_{1/2} = 2^{-a-b} F(a+b, 1; a+1; 1/2)/(a B(a, b))` with a hypergeometric series of
    positive, soon falling terms; the powers and the beta function cancel against those of E.
    """
    share = np.asarray(betainc(a, b, 0.5), dtype=np.float64)
    tiny = share < TINY
    logs = np.array(different + log(2) + np.log(np.where(tiny, 1.0, share)))
    if tiny.any():
        high, low = (np.broadcast_to(part, share.shape)[tiny] for part in (a, b))
        term, total, n = np.ones(high.size), np.ones(high.size), 0
        # Below half a unit in the last place of the sum further terms change nothing.
        while (term > 1e-17 * total).any():
            term = term * (high + low + n) / (2 * (high + 1 + n))
            total, n = total + term, n + 1
        logs[tiny] = np.log(2 * total / high) - log_half_beta(prior, prior)
    return np.asarray(logs, dtype=np.float64)


def _check_wins(first_wins: int, second_wins: int) -> None:
    if first_wins < 0 or second_wins < 0:
        message = f"{first_wins} and {second_wins} wins; a count is a whole number, 0 or more."
        raise CountsError(message, code="count-not-whole")


def _check_prior(prior: float) -> None:
    if not 0 < prior < np.inf:
        message = f"prior={prior!r}; the mixture needs a positive number, such as prior=1."
        raise RequestError(message)

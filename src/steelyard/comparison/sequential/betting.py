"""Confidence sequences for means: bounded values by betting, and benchmarks of fixed items."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaln, gammaln

from steelyard.errors import CountsError, RequestError, check_share
from steelyard.uncertainty.roots import crossing

__all__ = [
    "BenchmarkSequence",
    "BettingLook",
    "Estimand",
    "benchmark_sequence",
    "betting_sequence",
]

Floats = NDArray[np.float64]
Estimand: TypeAlias = Literal["these items", "items like these"]

CUT = 0.5
"""No single bet may lose more than this share of the capital."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BettingLook:
    """The mean after ``seen`` values; the limits of all looks hold together."""

    estimand: Estimand
    seen: int
    mean: float
    low: float
    high: float
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkSequence:
    """Right answers among all ``items`` of a fixed benchmark, after some were asked at random."""

    estimand: Estimand
    items: int
    tested: int
    right: int
    alpha: float
    low: float
    high: float


def betting_sequence(
    values: ArrayLike,
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    alpha: float = 0.05,
    items: int | None = None,
    looks: Sequence[int] | None = None,
) -> tuple[BettingLook, ...]:
    r"""Confidence sequence for the mean of bounded values, by hedged betting.

    A gambler bets against every candidate mean m, half of the capital that values are larger,
    half that they are smaller,

    .. math:: K_t^{\pm}(m) = \prod_{i \le t} (1 \pm \lambda_i^{\pm}(m)\,(X_i - m)), \qquad
              \lambda_i = \sqrt{\frac{2\ln(2/\alpha)}{\hat\sigma^2_{i-1}\, i \ln(1+i)}},

    bets cut so that no more than half can be lost at once; those m remain against which neither
    half has reached :math:`2/\alpha`. Earlier limits stay in force.

    Parameters
    ----------
    values
        In the order they came, which must be random with respect to the values. For paired
        outcomes d in {-1, 0, 1} pass ``bounds=(-1, 1)``: the mean is the difference of the rates.
    bounds
        What the values cannot exceed, known beforehand.
    alpha
        Chance that the sequence ever misses the mean.
    items
        If the values are drawn without replacement from so many fixed items, their number: the
        estimand is then the mean over *these items* and the limits meet when all are seen.
    looks
        Numbers of values after which to answer; default: once, after all. More looks cost nothing
        but time.

    Notes
    -----
    Another order of the same values gives other limits; sorted values break the guarantee. The
    limits use the spread of the values, so they are near those of the CLT for many values and
    valid for few. Several trials of one item are no independent values.

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2024), JRSS B 86, 1-27, doi:10.1093/jrsssb/qkad009.

    Examples
    --------
    >>> values = np.random.default_rng(1).beta(10, 30, size=400)
    >>> look, = betting_sequence(values)
    >>> round(look.low, 3) < 0.25 < round(look.high, 3)
    True
    """
    least, most = bounds
    given = np.asarray(values, dtype=np.float64).ravel()
    _check_values(given, bounds, alpha, items)
    scaled = (given - least) / (most - least)
    answers = []
    low, high = 0.0, 1.0
    for seen in _check_looks(looks, given.size):
        part = _Bets(scaled[:seen], alpha, items)
        low, high = max(low, part.limit(1)), min(high, part.limit(-1))
        # The true mean is in all limits so far with probability 1 - alpha; should they ever
        # contradict one another, the last point they left is all that can be reported.
        high = max(low, high)
        answers.append(
            BettingLook(
                estimand="items like these" if items is None else "these items",
                seen=seen,
                mean=float(given[:seen].mean()),
                low=least + (most - least) * low,
                high=least + (most - least) * high,
                alpha=alpha,
            )
        )
    return tuple(answers)


def benchmark_sequence(
    right: int, tested: int, *, items: int, alpha: float = 0.05, prior: tuple[float, float] = (1, 1)
) -> BenchmarkSequence:
    r"""Confidence sequence for the rate over all N items of a fixed benchmark.

    After t of N items were asked in random order and s were right, those totals K remain with

    .. math:: \frac{BetaBin(K; N, a, b)}{BetaBin(K-s; N-t, a+s, b+t-s)} < \frac1\alpha.

    Notes
    -----
    Another estimand than the population the items stand for: with all items asked the answer is
    exact, and says nothing of other items. N = 500, t = 400, s = 281 gives [.664, .736], where
    items like these have [.621, .776].

    References
    ----------
    .. [1] Waudby-Smith & Ramdas (2020), Confidence sequences for sampling without replacement,
       NeurIPS 33, arXiv:2006.04347.

    Examples
    --------
    >>> answer = benchmark_sequence(281, 400, items=500)
    >>> answer.low, answer.high
    (0.664, 0.736)
    """
    if not 0 <= right <= tested <= items or items < 1:
        message = (
            f"{right} right of {tested} tested of {items} items; "
            "need 0 <= right <= tested <= items."
        )
        raise CountsError(message, code="more-right-than-tested")
    check_share("alpha", alpha)
    a, b = prior
    if not (a > 0 and b > 0):
        message = f"prior={prior!r}; the mixture needs two positive numbers."
        raise RequestError(message)
    totals = np.arange(right, items - tested + right + 1.0)
    against = _beta_binomial(totals, items, a, b) - _beta_binomial(
        totals - right, items - tested, a + right, b + tested - right
    )
    kept = totals[against < -log(alpha)]
    return BenchmarkSequence(
        estimand="these items",
        items=items,
        tested=tested,
        right=right,
        alpha=alpha,
        low=float(kept.min()) / items,
        high=float(kept.max()) / items,
    )


class _Bets:
    """Capital of the two gamblers against any candidate mean."""

    def __init__(self, values: Floats, alpha: float, items: int | None) -> None:
        times = np.arange(1, values.size + 1)
        total = values.cumsum()
        means = (0.5 + total) / (times + 1)
        spreads = (0.25 + ((values - means) ** 2).cumsum()) / (times + 1)
        before = np.concatenate([[0.25], spreads[:-1]])
        self.values, self.items, self.needed = values, items, log(2 / alpha)
        self.bets = np.sqrt(2 * log(2 / alpha) / (before * times * np.log1p(times)))
        self.past = np.concatenate([[0.0], total[:-1]])
        self.left = None if items is None else items - times + 1

    def limit(self, side: int) -> float:
        """Lower (side 1) or upper (side -1) end of the means that remain."""
        low, high = self._possible()
        # All items were seen: the mean is known, and there is nothing left to search in.
        if high - low < 1e-15:
            return low
        ends = (low, high) if side == 1 else (high, low)
        if self._excess(ends[0], side) < 0:
            return ends[0]
        return crossing(lambda mean: self._excess(mean, side), *ends)

    def _possible(self) -> tuple[float, float]:
        if self.items is None:
            return 0.0, 1.0
        total = float(self.values.sum())
        rest = self.items - self.values.size
        return total / self.items, min(1.0, (total + rest) / self.items)

    def _excess(self, mean: float, side: int) -> float:
        """Log capital of one side over what it needs; it falls as the mean moves to that side."""
        fair = np.full(self.values.size, mean)
        if self.left is not None and self.items is not None:
            fair = np.clip((self.items * mean - self.past) / self.left, 0.0, 1.0)
        room = fair if side == 1 else 1 - fair
        # Never stake more than CUT of what can be lost: the capital must stay above 0 to be a bet.
        bets = np.minimum(self.bets, CUT / np.maximum(room, 1e-300))
        grown = side * bets * (self.values - fair)
        return float(np.log1p(grown).sum()) - self.needed


def _beta_binomial(k: Floats, n: int, a: float, b: float) -> Floats:
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.asarray(ways + betaln(k + a, n - k + b) - betaln(a, b), dtype=np.float64)


def _check_values(
    values: Floats, bounds: tuple[float, float], alpha: float, items: int | None
) -> None:
    if not bounds[0] < bounds[1] or not sqrt(2) * (bounds[1] - bounds[0]) < np.inf:
        message = f"bounds={bounds!r}; expected the smallest and the largest possible value."
        raise RequestError(message)
    check_share("alpha", alpha)
    if values.size == 0 or not bool(((values >= bounds[0]) & (values <= bounds[1])).all()):
        message = (
            f"{values.size} values, not all within {bounds[0]:g} and {bounds[1]:g}; "
            "pass at least one, and the bounds they cannot exceed."
        )
        raise CountsError(message, code="value-range")
    if items is not None and values.size > items:
        message = f"{values.size} values drawn without replacement from {items} items."
        raise CountsError(message, code="more-right-than-tested")


def _check_looks(looks: Sequence[int] | None, size: int) -> list[int]:
    if looks is None:
        return [size]
    wanted = sorted({ceil(look) for look in looks})
    if not wanted or wanted[0] < 1 or wanted[-1] > size:
        message = f"looks={list(looks)!r}; a look comes after 1 to {size} values."
        raise RequestError(message)
    return wanted

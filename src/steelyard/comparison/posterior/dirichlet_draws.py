"""Rates drawn from the joint posterior of systems on common items."""

from collections.abc import Iterator

import numpy as np

from steelyard.comparison.posterior.log_odds import Floats
from steelyard.counts import Outcomes

__all__ = ["draw_rates"]

STICKS = 32
"""Parts into which the weight of the prior is broken; the last is about 2e-6 of it."""

WORD = 62
"""Systems whose outcomes are drawn in one whole number."""

FEW = 3
"""Up to so many exponential variables are drawn faster than their sum, a Gamma variable."""

ENUMERABLE = 4
"""Up to this many systems every pattern is drawn, seen or not."""

BLOCK_NUMBERS = 1 << 18
"""Random numbers held at a time: few enough to stay in the cache of a processor."""


def draw_rates(outcomes: Outcomes, *, rng: np.random.Generator, draws: int) -> Iterator[Floats]:
    r"""Draw blocks of rates, a row for each draw and a column for each system.

    The weights of the patterns are Gamma variables of shape :math:`n_k + 2^{1-m}`. A Gamma variable
    is the sum of independent ones whose shapes add up, so they are drawn in two parts: shape
    :math:`n_k` for each pattern seen (exponential variables where it was seen a few times), and the
    prior on all patterns together, of total shape 2, which is broken into sticks
    :math:`v_k \prod_{l<k}(1 - v_l)`, :math:`v \sim` Beta(1, 2), laid on patterns drawn evenly.

    References
    ----------
    .. [1] Sethuraman (1994), Statistica Sinica 4, 639-650, for the stick-breaking.

    Examples
    --------
    >>> outcomes = Outcomes.from_patterns({0: 1, 5: 8, 7: 1}, systems=("A", "B", "C"))
    >>> rates = np.vstack(list(draw_rates(outcomes, rng=np.random.default_rng(1), draws=20_000)))
    >>> rates.shape, rates.mean(axis=0).round(2).tolist()
    ((20000, 3), [0.83, 0.17, 0.83])
    """
    size = len(outcomes.systems)
    bits = np.ones((len(outcomes.patterns), size + 1), dtype=np.float32)
    bits[:, :size] = outcomes.bits()
    rows = np.array([count for _, count in outcomes.patterns], dtype=np.int64)
    few = rows <= FEW
    # A pattern seen up to a few times enters as so many items, each with its exponential weight.
    items = np.repeat(bits[few], rows[few], axis=0)
    often = bits[~few].astype(np.float64)
    block = max(1, BLOCK_NUMBERS // max(items.shape[0], rows.size, STICKS))
    held = np.empty((block, items.shape[0]), dtype=np.float32)
    for start in range(0, draws, block):
        count = min(block, draws - start)
        single = rng.standard_exponential(dtype=np.float32, out=held[:count])
        several = rng.standard_gamma(rows[~few], size=(count, often.shape[0]))
        weights = single @ items + several @ often + _prior(size, rng, count)
        yield weights[:, :size] / weights[:, size:]


def _prior(size: int, rng: np.random.Generator, count: int) -> Floats:
    """Draw the weights that the prior gives to right answers, and in the last column in all."""
    drawn = np.empty((count, size + 1))
    if size <= ENUMERABLE:
        weight = rng.standard_gamma(2.0 ** (1 - size), size=(count, 1 << size))
        bits = np.arange(1 << size)[:, None] >> np.arange(size) & 1
        drawn[:, :size], drawn[:, size] = weight @ bits.astype(np.float64), weight.sum(axis=1)
        return drawn
    drawn[:, size] = 1.0
    parts = _sticks(rng, count)
    for place in range(size):
        if place % WORD == 0:
            words = rng.integers(0, 1 << WORD, size=parts.shape, dtype=np.int64)
        drawn[:, place] = np.einsum("nk,nk->n", parts, (words & 1).astype(np.float64))
        words >>= 1
    return np.asarray(drawn * rng.standard_gamma(2.0, size=(count, 1)))


def _sticks(rng: np.random.Generator, count: int) -> Floats:
    """Break 1 into parts by Beta(1, 2) sticks; the last takes what is left."""
    kept = np.sqrt(rng.random((count, STICKS)))
    kept[:, -1] = 0.0
    left = np.cumprod(kept, axis=1)
    before = np.concatenate([np.ones((count, 1)), left[:, :-1]], axis=1)
    return np.asarray(before - left)

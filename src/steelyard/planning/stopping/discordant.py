"""Rules that look at discordant items only, and how often each decides after N of them."""

from collections.abc import Callable
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.uncertainty.special import betainc, chdtrc, gammaln, ndtri, xlog1py, xlogy

__all__ = ["Decisions", "DiscordantRule", "binomial_window", "largest_loss"]

Floats: TypeAlias = NDArray[np.float64]
DiscordantRule: TypeAlias = Literal[
    "mid-p",
    "exact",
    "asymptotic",
    "likelihood ratio",
    "posterior",
    "uniform posterior",
    "e-process",
]
"""McNemar's test in three forms and as a likelihood ratio; the joint posterior with weight one half
and one for each cell (alpha is 1 - confidence there); the e-process of a uniform mixture."""

BLOCK = 4096
REACH = 9.0
"""Binomials are summed over this many standard deviations and 12 more: all but 1e-15 of them."""


def _below(losses: Floats, number: Floats, chance: float) -> Floats:
    """Binomial distribution function; 0 below 0."""
    inside = losses >= 0
    at = np.where(inside, losses, 0.0)
    return np.where(inside, betainc(number - at, at + 1, 1 - chance), 0.0)


def _exact(losses: Floats, number: Floats) -> Floats:
    return 2 * _below(losses, number, 0.5)


def _mid_p(losses: Floats, number: Floats) -> Floats:
    return _below(losses, number, 0.5) + _below(losses - 1, number, 0.5)


def _asymptotic(losses: Floats, number: Floats) -> Floats:
    return np.asarray(chdtrc(1, (number - 2 * losses) ** 2 / number))


def _posterior(losses: Floats, number: Floats) -> Floats:
    return np.asarray(betainc(number - losses + 0.5, losses + 0.5, 0.5))


def _uniform_posterior(losses: Floats, number: Floats) -> Floats:
    return np.asarray(betainc(number - losses + 1, losses + 1, 0.5))


def _likelihood_ratio(losses: Floats, number: Floats) -> Floats:
    wins = number - losses
    gain = xlogy(losses, 2 * losses / number) + xlogy(wins, 2 * wins / number)
    return np.asarray(chdtrc(1, np.maximum(2 * gain, 0.0)))


def _e_process(losses: Floats, number: Floats) -> Floats:
    from steelyard.comparison.sequential.evidence import log_evidence

    return np.asarray(np.exp(-log_evidence(number - losses, losses)[0]))


TAILS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "mid-p": _mid_p,
    "exact": _exact,
    "asymptotic": _asymptotic,
    "likelihood ratio": _likelihood_ratio,
    "posterior": _posterior,
    "uniform posterior": _uniform_posterior,
    "e-process": _e_process,
}
"""P-value (or chance of being worse) of a system that lost so many of N discordant items."""


def largest_loss(number: NDArray[np.int64], *, rule: DiscordantRule, alpha: float) -> Floats:
    """Find how many of N discordant items a system may lose and still be named the better one.

    -1 means that N items cannot decide at all.

    Examples
    --------
    >>> largest_loss(np.array([5, 6, 20]), rule="exact", alpha=0.05).tolist()
    [-1.0, 0.0, 5.0]
    """
    if rule not in TAILS:
        raise RequestError.for_choice(name="rule", given=rule, choices=tuple(TAILS))
    tail, total = TAILS[rule], np.asarray(number, dtype=np.float64)
    most = np.ceil(total / 2) - 1
    side = alpha if "posterior" in rule else alpha / 2
    guess = np.floor(total / 2 + float(ndtri(side)) * np.sqrt(total) / 2)
    loss = np.minimum(np.maximum(guess, -1.0), most)

    def decides(losses: Floats) -> NDArray[np.bool_]:
        at = np.maximum(losses, 0.0)
        low = np.maximum(total, 1.0)
        return np.asarray((losses < 0) | ((tail(at, low) <= alpha) & (total > 0)))

    while True:
        up = (loss < most) & decides(loss + 1)
        if not up.any():
            break
        loss = np.where(up, loss + 1, loss)
    while True:
        down = ~decides(loss)
        if not down.any():
            return np.asarray(loss)
        loss = np.where(down, loss - 1, loss)


class Decisions:
    """Chances that a rule names the better or the worse system after N discordant items.

    They are found in blocks when first asked for, and kept.
    """

    def __init__(self, win: float, *, rule: DiscordantRule, alpha: float) -> None:
        self.win = win
        self.rule = rule
        self.alpha = alpha
        self.blocks: dict[int, tuple[Floats, Floats]] = {}

    def between(self, low: int, high: int) -> tuple[Floats, Floats]:
        """Give right and wrong decisions for N from ``low`` to ``high``, both included."""
        wanted = range(low // BLOCK, high // BLOCK + 1)
        parts = [self._block(one) for one in wanted]
        start = low - wanted[0] * BLOCK
        end = start + high - low + 1
        right, wrong = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
        return right[start:end], wrong[start:end]

    def after(self, samples: int, *, discordance: float) -> tuple[float, float]:
        """Average over the number of discordant items among ``samples``."""
        low, weight = binomial_window(samples, discordance)
        right, wrong = self.between(low, low + weight.size - 1)
        return float(weight @ right), float(weight @ wrong)

    def _block(self, place: int) -> tuple[Floats, Floats]:
        if place not in self.blocks:
            number = np.arange(place * BLOCK, (place + 1) * BLOCK)
            loss = _keep_losses(place, self.rule, self.alpha)
            total = np.maximum(number.astype(np.float64), 1.0)
            right, wrong = (_below(loss, total, share) for share in (1 - self.win, self.win))
            self.blocks[place] = (right, wrong)
        return self.blocks[place]


@cache
def _keep_losses(place: int, rule: DiscordantRule, alpha: float) -> Floats:
    number = np.arange(place * BLOCK, (place + 1) * BLOCK)
    return largest_loss(number, rule=rule, alpha=alpha)


MOST_COUNTS = 20_000_000
"""So many outcomes are summed at most, some seconds of work."""


def binomial_window(samples: int, share: float) -> tuple[int, Floats]:
    """Give the lowest count that matters and the probabilities from there on.

    What is left out weighs less than 1e-14.

    Examples
    --------
    >>> low, weight = binomial_window(1000, 0.2)
    >>> low, round(float(weight.sum()), 12)
    (74, 1.0)
    """
    mean, spread = samples * share, (samples * share * (1 - share)) ** 0.5
    low = max(0, int(mean - REACH * spread - 12))
    high = min(samples, int(mean + REACH * spread + 12))
    if high - low > MOST_COUNTS:
        message = (
            f"samples={samples:,} is more than can be summed over outcome by outcome. Nobody "
            "tests so many: give fewer, such as samples=1000000 (--samples 1000000)."
        )
        raise RequestError(message)
    count = np.arange(low, high + 1, dtype=np.float64)
    chosen = gammaln(samples + 1.0) - gammaln(count + 1) - gammaln(samples - count + 1)
    weight = np.exp(chosen + xlogy(count, share) + xlog1py(samples - count, -share))
    # The logarithms of large factorials lose a few digits, which the sum gives back.
    return low, np.asarray(weight / weight.sum())

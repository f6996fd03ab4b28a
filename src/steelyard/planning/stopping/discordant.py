"""Rules that look at discordant items only, and how often each decides after N of them."""

from collections.abc import Callable
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError
from steelyard.uncertainty.special import betainc, chdtrc, ndtri, xlogy

__all__ = [
    "Decisions",
    "DiscordantRule",
    "binomial_window",
    "first_chances",
    "first_losses",
    "largest_loss",
]

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
            steady = place == 0 and bool(np.isin(np.diff(loss), (0.0, 1.0)).all())
            right, wrong = (
                first_chances(loss, share) if steady else _below(loss, total, share)
                for share in (1 - self.win, self.win)
            )
            self.blocks[place] = (right, wrong)
        return self.blocks[place]


@cache
def _keep_losses(place: int, rule: DiscordantRule, alpha: float) -> Floats:
    if place == 0 and rule in COINS:
        return first_losses(BLOCK, rule=rule, alpha=alpha)
    number = np.arange(place * BLOCK, (place + 1) * BLOCK)
    return largest_loss(number, rule=rule, alpha=alpha)


# --- the first discordant items one by one, which loads no other library -------------------------


COINS: dict[DiscordantRule, int] = {"mid-p": 1, "exact": 2}
"""How often each test counts what was observed itself, beside twice all that is less."""


def first_losses(numbers: int, *, rule: DiscordantRule, alpha: float) -> NDArray[np.float64]:
    """Give :func:`largest_loss` of 0, 1, 2, ... items by adding up coins.

    With one more item the largest loss stays or grows by one.

    Examples
    --------
    >>> first_losses(21, rule="exact", alpha=0.05)[[5, 6, 20]].tolist()
    [-1.0, 0.0, 5.0]
    """
    losses = np.empty(numbers)
    loss, below, last, following = -1, 0.0, 0.0, 1.0
    weight = COINS[rule]
    for number in range(numbers):
        # Chances of at most ``loss``, of ``loss`` and of one more, among so many tosses.
        if number:
            below -= last / 2
            following = (following + last) / 2
            last *= number / (2 * (number - loss))
        if loss < (number + 1) // 2 - 1 and 2 * below + weight * following <= alpha:
            loss += 1
            below += following
            last, following = following, following * (number - loss) / (loss + 1)
        losses[number] = loss
    return losses


def first_chances(losses: Floats, chance: float) -> Floats:
    """Give the chance of at most so many losses among 0, 1, 2, ... items.

    Losses stay or grow by one with each item, as those of :func:`first_losses` do.

    Examples
    --------
    >>> first_chances(np.array([-1.0, 0.0, 0.0, 1.0]), 0.5).tolist()
    [0.0, 0.5, 0.25, 0.5]
    """
    found = np.zeros_like(losses)
    started = int(np.searchsorted(losses, 0.0))
    if started == losses.size or chance == 1:
        return found
    number = np.arange(started + 1.0, losses.size)
    before, grown = losses[started:-1], np.diff(losses[started:]) > 0
    # Chance of exactly so many losses: after one more item, and where one more is allowed.
    stays = (1 - chance) * number / (number - before)
    grows = np.where(grown, (number - before) * chance / ((before + 1) * (1 - chance)), 1.0)
    exactly = (1 - chance) ** started * np.cumprod(np.append(1.0, stays * grows))
    steps = np.where(grown, exactly[1:], 0.0) - chance * exactly[:-1]
    if chance < 0.5:
        found[started:] = np.cumsum(np.append(exactly[0], steps))
        return np.clip(found, 0.0, 1.0)
    # These chances fall: added up from the smallest, itself a sum over its tail, they keep their
    # digits, while differences from the largest would lose all below 1e-16 of it.
    most, size = losses[-1], losses.size - 1
    fewer = np.arange(most, 0.0, -1.0)
    terms = np.cumprod(fewer * (1 - chance) / ((size - fewer + 1) * chance))
    last = exactly[-1] * (1 + terms.sum())
    found[started:] = np.cumsum(np.append(last, -steps[::-1]))[::-1]
    return np.clip(found, 0.0, 1.0)


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
    top = min(max(int((samples + 1) * share), low), high)
    more, fewer = np.arange(top, high, dtype=np.float64), np.arange(top, low, -1.0)
    # Each weight from its neighbour, starting at the largest.
    above = np.cumprod((samples - more) * share / ((more + 1) * (1 - share)))
    under = np.cumprod(fewer * (1 - share) / ((samples - fewer + 1) * share))
    weight = np.concatenate([under[::-1], [1.0], above])
    return low, np.asarray(weight / weight.sum())

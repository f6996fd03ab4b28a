"""What conditions on numbers decide in many drawn campaigns at once."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, ndtr, ndtri

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.companions import LOWER, companion_of
from steelyard.campaigns.rules.conditions import FIRST
from steelyard.campaigns.rules.grammar import Condition, conditions_of
from steelyard.campaigns.rules.numbers import (
    ALPHA,
    NumericClaim,
    is_area,
    is_numeric,
    numeric_claim,
)
from steelyard.comparison.sequential.values import start_betting
from steelyard.errors import RequestError

__all__ = ["number_verdicts"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

ALIKE = 0.5
"""Correlation of the systems over the items, on the scale of normal variables."""
WORDS = (5, 20)
"""The least and the most that errors of one item are counted over."""
SHAPE = 3.0
"""Sum of the parameters of the drawn Beta distributions: a deviation of a quarter of the range."""


def number_verdicts(
    protocol: Protocol,
    means: Sequence[float],
    looks: Whole,
    campaigns: int,
    rng: np.random.Generator,
) -> Iterator[tuple[int, Whole]]:
    """For every condition that decides: what is true, and what it says at every look.

    Values follow Beta distributions over the range, or normal ones of deviation 1; those of one
    item are alike over the systems. Errors over something are Poisson, of items that are easy or
    hard for all; of areas the scores are normal, and items are of the class in turn. True and said
    are the place of the best plus 1, 0 where there is none; of claims 1 where they are kept and -1
    where they are broken.
    """
    if any(is_area(one) for one in conditions_of(protocol.parsed)):
        yield from _areas(protocol, means, looks, campaigns, rng)
        return
    if len(means) != len(protocol.competitors):
        message = f"{len(means)} means for {len(protocol.competitors)} systems; give one for each."
        raise RequestError(message)
    values, over = _draw_values(protocol, means, int(looks[-1]), campaigns, rng)
    for condition in conditions_of(protocol.parsed):
        if not is_numeric(condition):
            continue
        if condition.name == "claim":
            found = numeric_claim(condition)
            place = protocol.systems.index(found.system)
            held = values[place] if over is None else values[place] - found.claim.limit * over
            yield _follow_claim(found, means[place], held, looks)
            continue
        lower = LOWER in condition.arguments
        scores = [-one if lower else one for one in means]
        best = [place for place, one in enumerate(scores) if one == max(scores)]
        gaps = _gaps(values, lower=lower)
        if condition.name == "betting":
            said = _betting(condition, gaps, looks)
        else:
            said = _asymptotic(condition, gaps[0, 1], looks)
        yield (best[0] + 1 if len(best) == 1 else 0), said


def _draw_values(
    protocol: Protocol, means: Sequence[float], items: int, campaigns: int, rng: np.random.Generator
) -> tuple[Floats, Floats | None]:
    """Draw values (systems, campaigns, items), and what errors are counted over."""
    if len(means) != len(protocol.competitors):
        message = f"{len(means)} means for {len(protocol.competitors)} systems; give one for each."
        raise RequestError(message)
    beside = protocol.companion
    if beside is None:
        return _draw(protocol, means, items, campaigns, rng), None
    if beside.kind == "class":
        return _draw_pairs(means, items // 2, campaigns, rng), None
    return _draw_errors(protocol, means, items, campaigns, rng)


def _draw(
    protocol: Protocol, means: Sequence[float], items: int, campaigns: int, rng: np.random.Generator
) -> Floats:
    """Draw values: systems, campaigns, items."""
    numbers = protocol.numbers
    assert numbers is not None
    shared = rng.standard_normal((campaigns, items)) * sqrt(ALIKE)
    own = rng.standard_normal((len(means), campaigns, items)) * sqrt(1 - ALIKE)
    drawn = shared + own
    middle = np.asarray(means, dtype=np.float64)
    if numbers.low is None or numbers.high is None:
        return np.asarray(drawn + middle[:, None, None])
    share = (middle - numbers.low) / (numbers.high - numbers.low)
    if not ((share > 0) & (share < 1)).all():
        message = (
            f"Means {list(means)}; expected numbers between {numbers.low:g} and {numbers.high:g}, "
            "the range that the rule states."
        )
        raise RequestError(message)
    shape = share[:, None, None] * SHAPE
    inside = betaincinv(shape, SHAPE - shape, ndtr(drawn))
    return np.asarray(numbers.low + (numbers.high - numbers.low) * inside)


def _draw_pairs(
    areas: Sequence[float], pairs: int, campaigns: int, rng: np.random.Generator
) -> Floats:
    """Draw an item of the class and another, again and again: which systems rank them rightly."""
    if not all(0 < one < 1 for one in areas):
        message = f"Areas {list(areas)}; expected numbers between 0 and 1."
        raise RequestError(message)
    shared = rng.standard_normal((campaigns, pairs)) * sqrt(2 * ALIKE)
    own = rng.standard_normal((len(areas), campaigns, pairs)) * sqrt(2 * (1 - ALIKE))
    apart = sqrt(2) * ndtri(np.asarray(areas, dtype=np.float64))
    return np.where(shared + own + apart[:, None, None] > 0, 1.0, 0.0)


def _draw_errors(
    protocol: Protocol, rates: Sequence[float], items: int, campaigns: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw errors of every system, and what they are counted over."""
    if not all(0 < one < 1 for one in rates):
        message = f"Rates {list(rates)}; expected errors over what they are counted over, below 1."
        raise RequestError(message)
    numbers = protocol.numbers
    high = np.inf if numbers is None or numbers.high is None else numbers.high
    # Far enough below a stated range that hardly any count is cut.
    most = max(1, int(min(WORDS[1], high / 3)))
    over = rng.integers(min(WORDS[0], most), most + 1, (campaigns, items)).astype(np.float64)
    hard = over * rng.gamma(2.0, 0.5, (campaigns, items))
    errors = np.stack([rng.poisson(rate * hard) for rate in rates]).astype(np.float64)
    return np.minimum(errors, high), over


def _gaps(values: Floats, *, lower: bool) -> dict[tuple[int, int], Floats]:
    way = -1.0 if lower else 1.0
    return {(a, b): way * (values[a] - values[b]) for a, b in combinations(range(len(values)), 2)}


def _betting(condition: Condition, gaps: dict[tuple[int, int], Floats], looks: Whole) -> Whole:
    """Bet on the gaps of every pair; items of areas come in twos."""
    beside, bound = companion_of(condition), condition.bound or 20.0
    areas = beside is not None and beside.kind == "class"
    low, high = (0.0, 1.0) if areas else map(float, condition.arguments[:2])
    bet_at, width = looks // 2 if areas else looks, high - low
    systems = 1 + max(b for _, b in gaps)
    start = start_betting(bounds=(-width, width), alpha=1 / bound)
    paths = [
        [np.pad(one, ((0, 0), (1, 0)))[:, bet_at] for one in start.paths(gap)]
        for gap in gaps.values()
    ]
    evidence = np.stack([np.maximum(up, down) - log(2) for up, down in paths])
    firsts = np.stack([up > down for up, down in paths])  # pairs, campaigns, looks
    held = _close(np.exp(np.minimum(evidence, 700.0))) >= bound
    won = np.zeros((systems, *held.shape[1:]), dtype=np.int64)
    for (a, b), reached, first in zip(gaps, held, firsts, strict=True):
        for place, side in ((a, 1), (b, -1)):
            won[place] += _sticky(np.where(reached, np.where(first, 1, -1), 0)) == side
    beats = won == systems - 1
    return np.where(beats.any(axis=0), beats.argmax(axis=0) + 1, 0)


def _close(values: Floats) -> Floats:
    """Close e-values of pairs by averaging, as campaigns do, at every look at once."""
    if len(values) == 1:
        return values
    order = np.argsort(values, axis=0, kind="stable")
    ranks, ranked = np.argsort(order, axis=0), np.take_along_axis(values, order, axis=0)
    adjusted, before = values, np.zeros(values.shape[1:])
    for number in range(1, len(values)):
        before = before + ranked[number - 1]
        # Values above its own would only raise the mean.
        mean = (values + before) / (number + 1)
        adjusted = np.where(ranks >= number, np.minimum(adjusted, mean), adjusted)
    return adjusted


def _asymptotic(condition: Condition, gap: Floats, looks: Whole) -> Whole:
    planned, alpha = float(condition.arguments[0]), condition.option("alpha", ALPHA)
    total, squares = (part.cumsum(axis=1)[:, looks - 1] for part in (gap, gap * gap))
    mean = total / looks
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = (squares - looks * mean**2) / (looks - 1)
        pivot = mean / np.sqrt(variance / looks)
    known = looks * (-2 * log(alpha) + log(1 - 2 * log(alpha))) / planned
    grown = pivot * pivot * known / (2 * (known + 1)) - np.log(known + 1) / 2
    said = np.where((grown >= -log(alpha)) & (looks >= FIRST), np.where(mean > 0, 1, 2), 0)
    return _sticky(said)


def _areas(
    protocol: Protocol,
    areas: Sequence[float],
    looks: Whole,
    campaigns: int,
    rng: np.random.Generator,
) -> Iterator[tuple[int, Whole]]:
    """Draw the pairs of every claim: the positive scores higher in a share that is the area."""
    claims = [numeric_claim(one) for one in conditions_of(protocol.parsed) if is_area(one)]
    if len(areas) != len(claims) or not all(0 < one < 1 for one in areas):
        message = (
            f"Areas {list(areas)} for {len(claims)} claims; give one between 0 and 1 for each: "
            f"rates={[0.9] * len(claims)} (--rates ...)."
        )
        raise RequestError(message)
    for found, area in zip(claims, areas, strict=True):
        pairs = (rng.random((campaigns, int(looks[-1]))) < area).astype(np.float64)
        yield _follow_claim(found, area, pairs, looks)


def _follow_claim(
    found: NumericClaim, mean: float, values: Floats, looks: Whole
) -> tuple[int, Whole]:
    side = found.claim.side
    limit, way = found.claim.limit, 1 if side == "at least" else -1
    start = start_betting(bounds=(found.low, found.high), against=found.against, alpha=found.alpha)
    up, down = (part[:, looks - 1] for part in start.paths(values))
    held = np.maximum(up, down) - log(2) >= -log(found.alpha)
    truth = int(np.sign(mean - limit)) * way
    return truth, _sticky(np.where(held, np.where(up > down, way, -way), 0))


def _sticky(said: Whole) -> Whole:
    """Keep what was said first."""
    first = np.argmax(said != 0, axis=-1)
    at = np.take_along_axis(said, first[..., None], axis=-1)
    places = np.arange(said.shape[-1])
    return np.where(places >= first[..., None], at, 0)

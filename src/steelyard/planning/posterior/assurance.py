"""How often a test of n samples will really reach the confidence, when the rates are these."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, lgamma

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaln, expit

from steelyard.comparison import BetaPosteriors, probability_better, probability_of_ranking
from steelyard.counts import Outcomes
from steelyard.errors import RequestError, check_share
from steelyard.planning.discordance import PairedRates
from steelyard.planning.rates import PosteriorQuestion, check_rates
from steelyard.planning.sizes import check_samples
from steelyard.planning.stopping.discordant import Decisions, binomial_window

__all__ = ["Assurance", "paired_assurance", "pilot_assurance", "posterior_assurance"]

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

DRAWS = 1000
NODES = np.arange(-6.5, 6.51, 0.5)
"""Trapezoid nodes in standard deviations of the leader; the rule is good to 1e-7 on such curves."""

MANY_NODES = np.arange(-30.0, 30.01, 0.5)
"""For a leader with few right or few wrong, whose log-odds have long tails."""

FEW = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Assurance:
    """Chance that a test names the right answer with the confidence, and that it names a wrong one.

    ``error`` bounds what an exact sum left out, or is the standard error of a simulation of
    ``draws`` tests (0 if exact). ``bound`` says that ``right`` is a lower bound.
    """

    samples: int
    confidence: float
    right: float
    wrong: float
    error: float
    draws: int = 0
    bound: bool = False


def posterior_assurance(
    rates: Sequence[float],
    samples: int,
    *,
    confidence: float = 0.95,
    question: PosteriorQuestion = "best",
    rng: np.random.Generator | None = None,
    draws: int = DRAWS,
    priors: Sequence[tuple[float, float]] | None = None,
    shares: Sequence[float] | None = None,
) -> Assurance:
    r"""Chance that independent tests of n samples each end with the confidence wanted.

    Two systems: the exact sum over :math:`x_1, x_2` of both binomials, where
    :math:`P(p_1 > p_2 \mid x_1, x_2)` is carried along its staircase by
    :math:`g(a+1,b,c,d) = g(a,b,c,d) + \frac{B(a+c,b+d)}{a\,B(a,b)B(c,d)}` and its like. More
    systems: ``draws`` simulated tests, each judged by its posterior.

    Parameters
    ----------
    rates
        True rates, in any order.
    samples
        Samples of each system.
    confidence
        What the posterior has to reach; above one half.
    question
        Which is best, or the whole ranking.
    rng
        Needed for three systems or more.
    draws
        Number of simulated tests.
    priors, shares
        (a, b) of each system, and its samples relative to ``samples``; uniform and equal unless
        given. With either two systems are simulated too.

    Notes
    -----
    At the number of samples where the *expected* posterior reaches the confidence
    this is only about one half.

    References
    ----------
    .. [1] Spiegelhalter, Abrams & Myles (2004), Bayesian Approaches to Clinical Trials, section 6.5
       (assurance); the recursion: Cook (2005), Exact calculation of Beta inequalities.

    Examples
    --------
    >>> found = posterior_assurance([0.9, 0.8], 200)
    >>> round(found.right, 4), found.wrong < 1e-4, found.error < 1e-12
    (0.8823, True, True)
    """
    known = check_rates(rates)
    ranked = sorted(known, reverse=True)
    _check(samples, confidence)
    plain = priors is None and shares is None
    if len(ranked) == 2 and plain:
        return _two(ranked[0], ranked[1], samples, confidence)
    if rng is None:
        message = (
            "Three systems or more, priors and unequal shares are simulated: pass "
            "rng=numpy.random.default_rng(0)."
        )
        raise RequestError(message)
    if not plain:
        tested = np.array([max(1, round(samples * share)) for share in shares or (1,) * len(known)])
        weights = np.array(priors or ((1.0, 1.0),) * len(known))
        drawn = rng.binomial(tested, known, size=(draws, len(known)))
        a, b = drawn + weights[:, 0], tested - drawn + weights[:, 1]
        return _judge_priors(known, a, b, (samples, confidence, question))
    right = rng.binomial(samples, ranked, size=(draws, len(ranked)))
    order = np.argsort(-right, axis=1, kind="stable")
    counts = np.take_along_axis(right, order, axis=1)
    reached = _reach(
        np.asarray(counts + 1.0, dtype=np.float64),
        np.asarray(samples - counts + 1.0, dtype=np.float64),
        confidence,
        question,
    )
    if question == "best":
        true = order[:, 0] == 0
    else:
        true = (order == np.arange(len(ranked))).all(axis=1)
    return _simulate(samples, confidence, reached, true)


def paired_assurance(
    pairs: Sequence[PairedRates], samples: int, *, confidence: float = 0.95
) -> Assurance:
    r"""Chance that a test on common items ends with the confidence that one system is best.

    ``pairs`` has the best system first in each pair, against every rival in turn. For one rival
    the sum over discordant items is exact. For k rivals each pair must reach
    :math:`1 - (1-c)/k`, and the shortfalls are added: a lower bound that needs no more than the
    pairwise chances.

    Examples
    --------
    >>> from steelyard.planning.discordance import paired_rates
    >>> found = paired_assurance([paired_rates(0.9, 0.8, discordance=0.14)], 200)
    >>> round(found.right, 4)
    0.9933
    """
    _check(samples, confidence)
    miss = (1 - confidence) / len(pairs)
    short, wrong = 0.0, 0.0
    for pair in pairs:
        decisions = Decisions(pair.win, rule="posterior", alpha=miss)
        better, worse = decisions.after(samples, discordance=pair.discordance)
        short += 1 - better
        wrong += worse
    several = len(pairs) > 1
    return Assurance(
        samples=samples,
        confidence=confidence,
        right=max(0.0, 1 - short),
        wrong=min(1.0, wrong),
        error=1e-13,
        bound=several,
    )


def pilot_assurance(
    pilot: Outcomes,
    samples: int,
    *,
    confidence: float = 0.95,
    rng: np.random.Generator,
    draws: int = DRAWS,
) -> Assurance:
    """Chance that so many items like those of a pilot make one system the best with confidence.

    Tests are drawn from the outcome patterns of the pilot and judged by the pairwise joint
    posteriors: P(best) is at least 1 minus the chances that a rival is better.

    Examples
    --------
    >>> pilot = Outcomes.from_patterns(
    ...     {0: 10, 1: 12, 2: 4, 3: 7, 6: 2, 7: 65}, systems=("A", "B", "C"))
    >>> found = pilot_assurance(pilot, 400, rng=np.random.default_rng(0))
    >>> 0.5 < found.right < 0.9, found.bound
    (True, True)
    """
    _check(samples, confidence)
    bits = pilot.bits().astype(np.int64)
    rows = np.array([count for _, count in pilot.patterns], dtype=np.float64)
    drawn = rng.multinomial(samples, rows / rows.sum(), size=draws)
    right = drawn @ bits
    best = int(np.argmax(rows @ bits))
    leader = right.argmax(axis=1)
    missed = np.zeros(draws)
    for rival in range(bits.shape[1]):
        only_rival, only_leader = _alone(drawn, bits, leader, rival)
        chance = betainc(only_leader + 0.5, only_rival + 0.5, 0.5)
        missed += np.where(leader == rival, 0.0, chance)
    return _simulate(samples, confidence, 1 - missed >= confidence, leader == best, bound=True)


def _alone(drawn: Whole, bits: Whole, leader: Whole, rival: int) -> tuple[Whole, Whole]:
    """Items that only the rival, and that only the leader of each drawn test, had right."""
    both = (drawn * bits[:, rival]) @ bits
    right = drawn @ bits
    places = np.arange(leader.size)
    together = both[places, leader]
    return right[:, rival] - together, right[places, leader] - together


def _check(samples: int, confidence: float) -> None:
    check_share("confidence", confidence)
    if confidence <= 0.5:
        message = (
            f"confidence={confidence!r}; assurance is defined above one half, where only one "
            "answer can have it."
        )
        raise RequestError(message)
    check_samples(samples)


def _simulate(
    samples: int,
    confidence: float,
    reached: NDArray[np.bool_],
    true: NDArray[np.bool_],
    *,
    bound: bool = False,
) -> Assurance:
    draws = reached.size
    right = float(np.mean(reached & true))
    tempered = (right * draws + 0.5) / (draws + 1)
    return Assurance(
        samples=samples,
        confidence=confidence,
        right=right,
        wrong=float(np.mean(reached & ~true)),
        error=float(np.sqrt(tempered * (1 - tempered) / draws)),
        draws=draws,
        bound=bound,
    )


def _two(high: float, low: float, samples: int, confidence: float) -> Assurance:
    right, left_out = _weigh_found(high, low, samples, confidence)
    wrong, _ = _weigh_found(low, high, samples, confidence)
    return Assurance(
        samples=samples, confidence=confidence, right=right, wrong=wrong, error=left_out
    )


def _weigh_found(
    first: float, second: float, samples: int, confidence: float
) -> tuple[float, float]:
    """Chance that the first is found better, and what the truncated sum may have left out."""
    low_first, weight_first = binomial_window(samples, first)
    low_second, weight_second = binomial_window(samples, second)
    below = np.concatenate([[0.0], np.cumsum(weight_second)])
    edge = _staircase(
        (low_first, weight_first.size), (low_second, weight_second.size), samples, confidence
    )
    # Each of the two windows leaves out less than 1e-14.
    return float(weight_first @ below[edge]), 2e-14


def _staircase(
    first: tuple[int, int], second: tuple[int, int], samples: int, confidence: float
) -> Whole:
    """For each count of the first, how many counts of the second leave the first better."""
    x, y = first[0], second[0]
    last = second[0] + second[1] - 1
    better = _better(x, y, samples)
    edge = np.zeros(first[1], dtype=np.int64)
    for place in range(first[1]):
        while y <= last and better >= confidence:
            better -= _gain(y, x, samples) if y < samples else better
            y += 1
        edge[place] = y - second[0]
        if x < samples and y <= last:
            better += _gain(x, y, samples)
        x += 1
    return edge


def _better(x: int, y: int, samples: int) -> float:
    a, b = (x + 1.0, y + 1.0), (samples - x + 1.0, samples - y + 1.0)
    return probability_better(BetaPosteriors(systems=("x", "y"), a=a, b=b)).better[0][1]


def _gain(x: int, y: int, samples: int) -> float:
    """How much more likely the first is better with x + 1 instead of x right, y of the second."""
    a, b, c, d = x + 1.0, samples - x + 0.0, y + 1.0, samples - y + 1.0
    log_ratio = (
        (lgamma(a + c) + lgamma(b + d) - lgamma(a + b + c + d))
        - (lgamma(a) + lgamma(b) - lgamma(a + b))
        - (lgamma(c) + lgamma(d) - lgamma(c + d))
    )
    return exp(log_ratio) * (1 / a + 1 / b)


def _judge_priors(
    rates: tuple[float, ...], a: Floats, b: Floats, asked: tuple[int, float, PosteriorQuestion]
) -> Assurance:
    """Judge tests with priors or unequal numbers, where most right answers need not lead."""
    samples, confidence, question = asked
    truth = np.argsort(-np.array(rates), kind="stable")
    if question == "best":
        places = range(a.shape[1])
        chances = np.array([_best(*_leading(a, b, place)) for place in places])
        reached = chances.max(axis=0) >= confidence
        return _simulate(samples, confidence, reached, chances.argmax(axis=0) == truth[0])
    order = np.argsort(-a / (a + b), axis=1, kind="stable")
    ranked = [np.take_along_axis(part, order, axis=1) for part in (a, b)]
    reached = _reach(ranked[0], ranked[1], confidence, question)
    return _simulate(samples, confidence, reached, (order == truth).all(axis=1))


def _leading(a: Floats, b: Floats, place: int) -> tuple[Floats, Floats]:
    """Bring one system to the front."""
    order = [place, *(one for one in range(a.shape[1]) if one != place)]
    return a[:, order], b[:, order]


def _reach(
    a: Floats, b: Floats, confidence: float, question: PosteriorQuestion
) -> NDArray[np.bool_]:
    """Judge tests whose posteriors Beta(a, b) are sorted, the leader first."""
    if question == "best":
        return np.asarray(_best(a, b) >= confidence)
    miss = np.array([_swap(*one, *two) for one, two in pairwise(list(zip(a.T, b.T, strict=True)))])
    reached = 1 - miss.sum(axis=0) >= confidence
    # Between the sum and the largest of the pairwise misses only the whole integral can tell.
    for place in np.flatnonzero(~reached & (1 - miss.max(axis=0) >= confidence)):
        reached[place] = _rank(a[place], b[place]) >= confidence
    return np.asarray(reached)


def _best(a: Floats, b: Floats) -> Floats:
    """Probability that the first of each row is best, by the trapezoid rule on its log-odds."""
    logit, weight = _leader_nodes(a[:, 0], b[:, 0])
    share = expit(logit)
    product = weight
    for rival_a, rival_b in zip(a.T[1:], b.T[1:], strict=True):
        product = product * betainc(rival_a[:, None], rival_b[:, None], share)
    return np.asarray(product.sum(axis=1))


def _swap(a: Floats, b: Floats, rival_a: Floats, rival_b: Floats) -> Floats:
    """Probability that the second of two posteriors belongs to the better system."""
    logit, weight = _leader_nodes(a, b)
    beaten = betainc(rival_b[:, None], rival_a[:, None], expit(-logit))
    return np.asarray((weight * beaten).sum(axis=1))


def _leader_nodes(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    a, b = first[:, None], second[:, None]
    spread = np.sqrt(1 / a + 1 / b)
    nodes = MANY_NODES if min(a.min(), b.min()) < FEW else NODES
    logit = np.log(a / b) + spread * nodes
    density = np.exp(-a * np.logaddexp(0, -logit) - b * np.logaddexp(0, logit) - betaln(a, b))
    weight = density * spread
    return logit, weight / weight.sum(axis=1, keepdims=True)


def _rank(a: Floats, b: Floats) -> float:
    cells = list(zip(a.tolist(), b.tolist(), strict=True))
    if any(one == two for one, two in pairwise(cells)):
        return 0.0
    names = tuple(str(place) for place in range(a.size))
    posteriors = BetaPosteriors(systems=names, a=tuple(a.tolist()), b=tuple(b.tolist()))
    return probability_of_ranking(posteriors, ranking=names).probability

"""Which system is best, when all were tested on the same items: the joint posterior.

Over the right/wrong patterns of m systems stands a Dirichlet posterior whose prior weighs 2 in
all, :math:`2^{1-m}` per pattern. Then every rate alone has the uniform prior, and every pair of
systems has weight ½ in each of its four cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.beta_model import BetaPosteriors
from steelyard.comparison.posterior.log_odds import Floats, log_odds_betas
from steelyard.comparison.posterior.quadrature import tails_at
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty.special import betainc

__all__ = [
    "PairPosterior",
    "PairedPosterior",
    "draw_rates",
    "marginal_posteriors",
    "pair_posterior",
    "paired_better",
    "paired_posterior",
    "twins_of",
]

# --- rates drawn from the joint posterior of systems on common items -----------------------------


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

SERIAL = 1 << 17
"""Products of two matrices of up to so many multiplications are made by one thread."""


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
        weights = _product(single, items) + _product(several, often) + _prior(size, rng, count)
        yield weights[:, :size] / weights[:, size:]


def _product(rows: NDArray[Any], columns: NDArray[Any]) -> NDArray[Any]:
    """Multiply in parts so small that they are not shared among threads, which wait longer."""
    step = max(1, SERIAL // max(1, columns.size))
    parts = [rows[start : start + step] @ columns for start in range(0, len(rows), step)]
    return np.concatenate(parts)


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


# --- which system is best, when all were tested on the same items: the joint posterior -----------


@dataclass(frozen=True, slots=True, kw_only=True)
class PairPosterior:
    """Two systems on common items: which is better, and what choosing the wrong one costs."""

    first_better: float
    second_better: float
    loss_first: float
    loss_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPosterior:
    """Several systems on common items.

    ``best``, ``rank`` (``rank[i][r]`` for system i and rank r + 1), ``loss`` and the probability of
    the ``ranking`` by right answers come with their Monte Carlo standard errors, which are 0 where
    a closed form was used (``draws`` is 0 then). ``better[i][j]`` is always in closed form.
    """

    systems: tuple[str, ...]
    best: tuple[float, ...]
    best_error: tuple[float, ...]
    rank: tuple[tuple[float, ...], ...]
    rank_error: tuple[tuple[float, ...], ...]
    better: tuple[tuple[float, ...], ...]
    loss: tuple[float, ...]
    loss_error: tuple[float, ...]
    ranking: tuple[str, ...]
    ranking_probability: float
    ranking_error: float
    draws: int


def pair_posterior(pair: PairTable) -> PairPosterior:
    r"""Joint posterior of two systems on common items, in closed form.

    With :math:`n_1` items only the first had right and :math:`n_2` only the second,

    .. math:: P(\text{first better}) = 1 - I_{1/2}(n_1 + \tfrac12, n_2 + \tfrac12),

    and the expected loss of choosing the first is :math:`E(s) E(1 - 2q)^+` with the discordant
    share s and the first system's part q of it, which are independent Beta variables.

    Notes
    -----
    Items that both or neither had right do not enter the probability, only the loss.

    References
    ----------
    .. [1] Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561.

    Examples
    --------
    >>> answer = pair_posterior(PairTable(both=60, first=18, second=10, neither=12))
    >>> round(answer.first_better, 10), round(answer.loss_first, 11), round(answer.loss_second, 11)
    (0.9354449825, 0.00149340483, 0.07992477738)
    """
    first, second = pair.first + 0.5, pair.second + 0.5
    betas = log_odds_betas(np.array([first]), np.array([second]), reference=(first, second))
    _, _, under, over = tails_at(betas, -betas.zero)
    share = (first + second) / (pair.total + 2)
    ahead, behind = _better(pair.first, pair.second)
    return PairPosterior(
        first_better=ahead,
        second_better=behind,
        loss_first=share * under,
        loss_second=share * over,
    )


def _better(first: int, second: int) -> tuple[float, float]:
    """Integrate the smaller of the two directions and take the other as its complement."""
    if first == second:
        return 0.5, 0.5
    small = float(betainc(max(first, second) + 0.5, min(first, second) + 0.5, 0.5))
    return (1 - small, small) if first > second else (small, 1 - small)


def paired_better(outcomes: Outcomes) -> tuple[tuple[float, ...], ...]:
    """Probability that one system is better than another, for every pair; ½ on the diagonal.

    Any pair of systems has the closed form of :func:`pair_posterior`, whatever the others do.

    Examples
    --------
    >>> outcomes = Outcomes.from_pair(
    ...     both=160, first=18, second=5, neither=17, systems=("A", "B"))
    >>> round(paired_better(outcomes)[0][1], 3)
    0.997
    """
    _check_unweighted(outcomes)
    bits = outcomes.bits().astype(np.int64)
    rows = np.array([count for _, count in outcomes.patterns], dtype=np.int64)
    only = (bits * rows[:, None]).T @ (1 - bits)
    size = len(outcomes.systems)
    return tuple(
        tuple(_better(int(only[i, j]), int(only[j, i]))[0] for j in range(size))
        for i in range(size)
    )


def marginal_posteriors(outcomes: Outcomes) -> BetaPosteriors:
    """Posterior of each rate alone, Beta(x + 1, n - x + 1): for intervals, not for comparisons."""
    _check_unweighted(outcomes)
    correct, total = outcomes.correct(), outcomes.total
    return BetaPosteriors(
        systems=outcomes.systems,
        a=tuple(right + 1.0 for right in correct),
        b=tuple(total - right + 1.0 for right in correct),
    )


def paired_posterior(
    outcomes: Outcomes, *, rng: np.random.Generator, draws: int = 100_000
) -> PairedPosterior:
    r"""Joint posterior of systems on common items: best, ranks, pairs, losses.

    One or two systems have closed forms. For more, rates are drawn from the Dirichlet posterior
    (:func:`steelyard.comparison.posterior.paired.draw_rates`).

    Parameters
    ----------
    outcomes
        Right/wrong patterns of the items.
    rng
        Source of the random draws; the same state gives the same answer.
    draws
        Number of draws; the standard error of a probability p is :math:`\sqrt{p(1-p)/draws}`.

    Notes
    -----
    Standard errors of probabilities are taken at (hits + ½)/(draws + 1), so that no hit in all
    draws is not mistaken for certainty. Systems with the same outcome on every item share alike.

    References
    ----------
    .. [1] Sethuraman (1994), Statistica Sinica 4, 639-650, for the stick-breaking.

    Examples
    --------
    >>> outcomes = Outcomes.from_patterns(
    ...     {0: 10, 1: 9, 2: 4, 3: 7, 6: 5, 7: 65}, systems=("A", "B", "C"))
    >>> answer = paired_posterior(outcomes, rng=np.random.default_rng(7), draws=20_000)
    >>> round(sum(answer.best), 12), max(answer.best_error) < 0.004
    (1.0, True)
    """
    _check_unweighted(outcomes)
    if draws < 1:
        message = f"draws={draws!r}; need a whole number of at least 1, such as draws=100000."
        raise RequestError(message)
    if len(outcomes.systems) <= 2:
        return _integrate_in_closed_form(outcomes)
    return _simulate(outcomes, rng, draws)


def _check_unweighted(outcomes: Outcomes) -> None:
    if outcomes.weights is not None:
        message = (
            "These outcomes carry weights, and the joint posterior counts whole items. "
            "Leave the weights out."
        )
        raise NotComparable(message)


def _integrate_in_closed_form(outcomes: Outcomes) -> PairedPosterior:
    systems = outcomes.systems
    best, loss = [1.0], [0.0]
    rank: tuple[tuple[float, ...], ...] = ((1.0,),)
    if len(systems) > 1:
        pair = pair_posterior(outcomes.pair(*systems))
        best = [pair.first_better, pair.second_better]
        loss = [pair.loss_first, pair.loss_second]
        rank = (tuple(best), tuple(reversed(best)))
    order = _by_right_answers(outcomes)
    none = (0.0,) * len(systems)
    return PairedPosterior(
        systems=systems,
        best=tuple(best),
        best_error=none,
        rank=rank,
        rank_error=(none,) * len(systems),
        better=paired_better(outcomes),
        loss=tuple(loss),
        loss_error=none,
        ranking=tuple(systems[i] for i in order),
        ranking_probability=best[order[0]],
        ranking_error=0.0,
        draws=0,
    )


def _by_right_answers(outcomes: Outcomes) -> list[int]:
    correct = outcomes.correct()
    return sorted(range(len(correct)), key=lambda place: -correct[place])


def _simulate(outcomes: Outcomes, rng: np.random.Generator, draws: int) -> PairedPosterior:
    size = len(outcomes.systems)
    twins = twins_of(outcomes)
    order = _by_right_answers(outcomes)
    wanted = twins[order]
    hits = np.zeros((size, size))
    loss, squares = np.zeros(size), np.zeros(size)
    ranked = 0
    for rates in draw_rates(outcomes, rng=rng, draws=draws):
        places = np.argsort(-rates, axis=1, kind="stable")
        for place in range(size):
            hits[:, place] += np.bincount(places[:, place], minlength=size)
        ranked += int(np.count_nonzero((twins[places] == wanted).all(axis=1)))
        lost = rates.max(axis=1, keepdims=True) - rates
        loss += lost.sum(axis=0)
        squares += (lost**2).sum(axis=0)
    shared = _alike(twins)
    rank = shared @ hits / draws
    mean = shared @ loss / draws
    spread = np.sqrt(np.maximum(shared @ squares / draws - mean**2, 0.0) / draws)
    rank_error = _standard_error(rank, draws)
    orders = prod(factorial(int(n)) for n in np.bincount(twins))
    return PairedPosterior(
        systems=outcomes.systems,
        best=tuple(rank[:, 0].tolist()),
        best_error=tuple(rank_error[:, 0].tolist()),
        rank=tuple(tuple(row) for row in rank.tolist()),
        rank_error=tuple(tuple(row) for row in rank_error.tolist()),
        better=paired_better(outcomes),
        loss=tuple(mean.tolist()),
        loss_error=tuple(spread.tolist()),
        ranking=tuple(outcomes.systems[i] for i in order),
        ranking_probability=ranked / draws / orders,
        ranking_error=float(_standard_error(np.array(ranked / draws), draws)) / orders,
        draws=draws,
    )


def _standard_error(share: Floats, draws: int) -> Floats:
    tempered = (share * draws + 0.5) / (draws + 1)
    return np.asarray(np.sqrt(tempered * (1 - tempered) / draws))


def twins_of(outcomes: Outcomes) -> NDArray[np.int64]:
    """Number the systems so that those with the same outcome on every item share a number."""
    columns = [column.tobytes() for column in outcomes.bits().T]
    first = {column: place for place, column in reversed(list(enumerate(columns)))}
    return np.array([first[column] for column in columns], dtype=np.int64)


def _alike(twins: NDArray[np.int64]) -> Floats:
    """Matrix that replaces a system's figure by the mean over the systems alike."""
    same = (twins[:, None] == twins[None, :]).astype(np.float64)
    return np.asarray(same / same.sum(axis=1, keepdims=True))

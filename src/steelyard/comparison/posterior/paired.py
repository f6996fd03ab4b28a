"""Which system is best, when all were tested on the same items: the joint posterior.

Over the right/wrong patterns of m systems stands a Dirichlet posterior whose prior weighs 2 in
all, :math:`2^{1-m}` per pattern. Then every rate alone has the uniform prior, and every pair of
systems has weight ½ in each of its four cells.
"""

from dataclasses import dataclass
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from steelyard.comparison.posterior.beta_model import BetaPosteriors
from steelyard.comparison.posterior.dirichlet_draws import draw_rates
from steelyard.comparison.posterior.log_odds import Floats, log_odds_betas
from steelyard.comparison.posterior.quadrature import tails_at
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import NotComparable, RequestError

__all__ = [
    "PairPosterior",
    "PairedPosterior",
    "marginal_posteriors",
    "pair_posterior",
    "paired_better",
    "paired_posterior",
    "twins_of",
]


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
    (:func:`steelyard.comparison.posterior.dirichlet_draws.draw_rates`).

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
        return _closed_form(outcomes)
    return _simulated(outcomes, rng, draws)


def _check_unweighted(outcomes: Outcomes) -> None:
    if outcomes.weights is not None:
        message = (
            "These outcomes carry weights, and the joint posterior counts whole items. "
            "Leave the weights out."
        )
        raise NotComparable(message)


def _closed_form(outcomes: Outcomes) -> PairedPosterior:
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


def _simulated(outcomes: Outcomes, rng: np.random.Generator, draws: int) -> PairedPosterior:
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

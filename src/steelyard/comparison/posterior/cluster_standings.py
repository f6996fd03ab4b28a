"""Which system is best when items come in clusters or carry weights: one model of their means."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.paired import paired_posterior
from steelyard.comparison.weighted_answers import WeightedRates, pattern_weights, weighted_rates
from steelyard.counts import Grouped, Outcomes
from steelyard.counts.weights import SCALE
from steelyard.errors import NotComparable
from steelyard.uncertainty import (
    ClusterContrast,
    ContrastSums,
    cluster_contrast,
)

__all__ = ["ClusterStandings", "contrast_clusters", "contrast_weights", "draw_leads"]

Floats = NDArray[np.float64]
Contrasts = Mapping[tuple[int, int], ClusterContrast]
BLOCK = 20_000
"""Draws at a time, so that those of many systems take little memory."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterStandings:
    """Contrasts of all pairs of systems, who is best, and what choosing each would lose.

    ``contrasts[i, j]`` is the first minus the second, i before j; ``error`` is the largest Monte
    Carlo standard error of ``best``, None where it was worked out.
    """

    systems: tuple[str, ...]
    rates: tuple[float, ...]
    contrasts: Contrasts
    best: tuple[float, ...]
    error: float | None
    loss: tuple[float, ...]


def contrast_clusters(
    clusters: Grouped[Outcomes], *, rng: np.random.Generator, draws: int = 100_000
) -> ClusterStandings:
    r"""Compare all systems on common items that come in clusters.

    Every pair has its :func:`~steelyard.uncertainty.cluster_contrast`. Of more than two systems,
    the leads over the system with the highest rate are drawn from a multivariate t whose margins
    are those contrasts: the same standard errors and degrees of freedom, with the correlation of
    the jackknife over clusters. Who leads in a draw is best; ties share.

    Notes
    -----
    With a flat prior on the difference this is the posterior of a normal model of cluster means.
    Naming clusters never makes the leader surer: where the paired posterior of independent items
    is less sure of it, that one is given.

    References
    ----------
    .. [1] MacKinnon, Nielsen & Webb (2023), Journal of Applied Econometrics 38, 671-694,
       doi:10.1002/jae.2969.

    Examples
    --------
    >>> parts = {str(g): Outcomes.from_pair(both=5, first=2, second=g % 3, neither=1,
    ...     systems=("S", "T")) for g in range(12)}
    >>> found = contrast_clusters(Grouped.from_parts("c", parts), rng=np.random.default_rng(1))
    >>> round(found.best[0], 3), round(sum(found.best), 9)
    (0.962, 1.0)
    """
    parts = [part for _, part in clusters if part.total]
    if len(parts) < 2:
        raise _too_few(len(parts))
    whole = clusters.merged()
    names = whole.systems
    sizes = np.array([part.total for part in parts], dtype=np.float64)
    right = np.array([part.correct() for part in parts], dtype=np.float64)
    contrasts = {}
    for i, j in combinations(range(len(names)), 2):
        tables = [part.pair(names[i], names[j]) for part in parts]
        won = [table.first for table in tables]
        contrasts[i, j] = cluster_contrast(won, [table.second for table in tables], sizes)
    rates = right.sum(axis=0) / sizes.sum()
    apart = (right - rates * sizes[:, None]) / (sizes.sum() - sizes)[:, None]
    found = _standings(names, rates, contrasts, apart.T @ apart, rng=rng, draws=draws)
    if len(names) == 2:
        return found
    return _less_sure(found, whole, rng=rng, draws=draws)


def contrast_weights(
    outcomes: Outcomes | Grouped[Outcomes], *, rng: np.random.Generator, draws: int = 100_000
) -> ClusterStandings:
    r"""Compare all systems on common items that carry weights, in clusters or not.

    Without clusters the items are the units: as :func:`contrast_clusters` with the linearised
    variance of :func:`weighted_rates`, Kish's effective number of items :math:`n_e` and
    :math:`n_e-1` degrees of freedom. Of items in clusters, weights take the place of counts, and
    the variance is never below that of independent items.

    References
    ----------
    .. [1] Kish (1965), Survey Sampling, Wiley, section 11.7.

    Examples
    --------
    >>> from steelyard.counts.weights import SCALE, WeightSums
    >>> weights = {0b11: WeightSums(60 * SCALE, 90 * SCALE), 0b01: WeightSums(9 * SCALE, 9 * SCALE),
    ...            0b10: WeightSums(4 * SCALE, 8 * SCALE), 0b00: WeightSums(7 * SCALE, 7 * SCALE)}
    >>> pair = Outcomes.from_patterns(
    ...     {0b11: 50, 0b01: 9, 0b10: 3, 0b00: 7}, systems=("S", "T"), weights=weights)
    >>> round(contrast_weights(pair, rng=np.random.default_rng(1)).best[0], 3)
    0.86
    """
    found = weighted_rates(outcomes)
    if isinstance(outcomes, Grouped):
        parts = [part for _, part in outcomes if part.total]
        contrasts = {
            places: _weigh_clusters(parts, outcomes.merged(), found, places)
            for places in combinations(range(len(found.systems)), 2)
        }
    else:
        contrasts = {
            places: _single_weights(outcomes, found, places)
            for places in combinations(range(len(found.systems)), 2)
        }
    return _standings(found.systems, found.rates, contrasts, found.covariance, rng=rng, draws=draws)


def _weigh_clusters(
    parts: list[Outcomes], whole: Outcomes, found: WeightedRates, places: tuple[int, int]
) -> ClusterContrast:
    sums = [_lead(part, places) for part in parts]
    alone = _lead(whole, places)
    return cluster_contrast(
        [one.wins for one in sums],
        [one.losses for one in sums],
        [one.weight for one in sums],
        items=found.effective,
        item_variance=alone.variance,
    )


def _single_weights(
    outcomes: Outcomes, found: WeightedRates, places: tuple[int, int]
) -> ClusterContrast:
    lead, number = _lead(outcomes, places), found.effective
    reach = lead.wins + lead.losses
    return ContrastSums(
        wins=lead.wins,
        losses=lead.losses,
        weight=lead.weight,
        items=number,
        variance=lead.variance * number / (number - 1),
        squares=lead.squares,
        reach=reach,
        # Kish's number again: items that weigh nothing tell nothing.
        telling=reach * reach / lead.squares if lead.squares else 0.0,
        clusters=number,
        freedom=max(1.0, number - 1),
    ).contrast()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lead:
    """Weights of the wins and losses of one system over another, and of their squares."""

    wins: float
    losses: float
    weight: float
    squares: float
    variance: float


def _lead(outcomes: Outcomes, places: tuple[int, int]) -> _Lead:
    bits, sums = pattern_weights(outcomes)
    lead = bits[:, places[0]] - bits[:, places[1]]
    weights = np.array([one.total for one in sums])
    squares = np.array([one.scaled_squares for one in sums], dtype=np.float64) / SCALE
    whole = float(weights.sum())
    if whole == 0:
        return _Lead(wins=0.0, losses=0.0, weight=0.0, squares=0.0, variance=0.0)
    apart = lead - float(weights @ lead) / whole
    return _Lead(
        wins=float(weights[lead > 0].sum()),
        losses=float(weights[lead < 0].sum()),
        weight=whole,
        squares=float(squares @ np.abs(lead)),
        variance=float(squares @ (apart * apart)) / whole**2,
    )


def _standings(
    systems: tuple[str, ...],
    rates: Floats,
    contrasts: Contrasts,
    spread: Floats,
    *,
    rng: np.random.Generator,
    draws: int,
) -> ClusterStandings:
    if len(systems) == 2:
        (pair,) = contrasts.values()
        return ClusterStandings(
            systems=systems,
            rates=tuple(rates.tolist()),
            contrasts=contrasts,
            best=(pair.better, 1 - pair.better),
            error=None,
            loss=_losses_of_two(pair),
        )
    leads, errors, freedom = _over_leader(rates, contrasts)
    best, loss = draw_leads(leads, _scatter(spread, errors), freedom, rng=rng, draws=draws)
    return ClusterStandings(
        systems=systems,
        rates=tuple(rates.tolist()),
        contrasts=contrasts,
        best=tuple(best.tolist()),
        error=float(np.sqrt(best * (1 - best) / draws).max()),
        loss=tuple(loss.tolist()),
    )


def _over_leader(rates: Floats, contrasts: Contrasts) -> tuple[Floats, Floats, float]:
    """Lead of every system over the one with the highest rate, with its standard error."""
    top = int(rates.argmax())
    leads, errors, freedom = np.zeros(rates.size), np.zeros(rates.size), np.inf
    for place in range(rates.size):
        if place != top:
            pair = contrasts[min(place, top), max(place, top)]
            leads[place] = rates[place] - rates[top]
            # Systems with the same answer on every item stay tied.
            errors[place] = pair.error if pair.wins + pair.losses > 0 else 0.0
            freedom = min(freedom, pair.freedom)
    return leads, errors, freedom


def _scatter(spread: Floats, errors: Floats) -> Floats:
    """Covariance of the leads: these standard errors, and the correlation of the spread."""
    top = int(np.flatnonzero(errors == 0)[0]) if (errors == 0).any() else 0
    apart = spread - spread[top] - spread[:, [top]] + spread[top, top]
    size = np.sqrt(np.maximum(np.diag(apart), 0.0))
    # A lead that never varies goes along with no other: its 0/0 is a correlation of 0.
    with np.errstate(all="ignore"):
        alike = np.where(np.outer(size, size) > 0, apart / np.outer(size, size), 0.0)
    np.fill_diagonal(alike, 1.0)
    return np.asarray(alike * np.outer(errors, errors))


def draw_leads(
    leads: Floats,
    scatter: Floats,
    freedom: float,
    *,
    rng: np.random.Generator,
    draws: int,
    reach: float = 1.0,
) -> tuple[Floats, Floats]:
    """Draw leads from a multivariate t, count who is ahead, and add up what each would lose.

    No lead is longer than ``reach``: of rates 1, without which t with 1 degree has no mean.
    """
    values, vectors = np.linalg.eigh(scatter)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    hits, loss = np.zeros(leads.size), np.zeros(leads.size)
    for start in range(0, draws, BLOCK):
        count = min(BLOCK, draws - start)
        scale = np.sqrt(freedom / rng.chisquare(freedom, (count, 1)))
        drawn = leads + scale * (rng.standard_normal((count, leads.size)) @ root.T)
        drawn = np.clip(drawn, -reach, reach)
        top = drawn.max(axis=1, keepdims=True)
        # Leads that were cut, or are equal but for rounding, share the place.
        ahead = drawn >= top - 1e-12
        hits += (ahead / ahead.sum(axis=1, keepdims=True)).sum(axis=0)
        loss += (top - drawn).sum(axis=0)
    # None is 0 or 1 because no draw happened to show the rest.
    return (hits + 1 / leads.size) / (draws + 1), loss / draws


def _losses_of_two(pair: ClusterContrast) -> tuple[float, float]:
    """Mean of how far the other one leads: the integral of the chance that it does."""
    points, weights = (NODES + 1) / 2, WEIGHTS / 2
    second = sum(w * pair.chance_above(x) for x, w in zip(points, weights, strict=True))
    first = sum(w * (1 - pair.chance_above(-x)) for x, w in zip(points, weights, strict=True))
    return float(first), float(second)


def _less_sure(
    found: ClusterStandings, whole: Outcomes, *, rng: np.random.Generator, draws: int
) -> ClusterStandings:
    """Take the posterior of independent items where it is less sure of the leader."""
    plain = paired_posterior(whole, rng=rng, draws=draws)
    if max(found.best) <= max(plain.best):
        return found
    error = max(plain.best_error) if plain.draws else None
    return replace(found, best=plain.best, error=error, loss=plain.loss)


def _too_few(number: int) -> NotComparable:
    message = (
        f"{number} cluster: one cluster does not show how clusters vary. Leave the cluster column "
        "out, or give two clusters or more."
    )
    return NotComparable(message, code="too-few-clusters")

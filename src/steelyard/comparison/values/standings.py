"""Several systems on common items: which mean is best, which ranks are left, which tiers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import fsum

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, stdtr

from steelyard.comparison.datasets.ranks import Direction
from steelyard.comparison.posterior.cluster_standings import draw_leads
from steelyard.comparison.ranking_sets import RankSet, compact_letters, rank_sets
from steelyard.comparison.values.means import (
    MeanDifference,
    paired_mean_difference,
    ratio_difference,
)
from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import shaffer_static
from steelyard.uncertainty.values.means import check_ratio
from steelyard.uncertainty.values.student import Floats, Number, form_squares

__all__ = [
    "BestMean",
    "MeanStandings",
    "best_of_means",
    "rank_means",
    "rank_ratios",
]

DRAWS = 100_000
"""Standard errors of probabilities are 0.0016 at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestMean:
    """Probability of being best and expected loss of choosing it, for each system.

    ``error`` is the largest Monte Carlo standard error of ``best``, None where it was worked out.
    ``loss`` is in the units of the value, None where one degree of freedom leaves it undefined.
    """

    best: tuple[float, ...]
    error: float | None
    loss: tuple[float, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanStandings:
    """All pairs, who is best, and what the pairs leave of the order.

    ``pairs[i, j]`` is the first minus the second, i before j, with its Shaffer-adjusted p-value in
    ``adjusted[i, j]``; it is called different where that is at most 1 - ``level``. ``letters`` are
    the tiers: systems that share one cannot be told apart.
    """

    systems: tuple[str, ...]
    units: int
    means: tuple[float, ...]
    better: Direction
    level: float
    pairs: Mapping[tuple[int, int], MeanDifference]
    adjusted: Mapping[tuple[int, int], float]
    best: tuple[float, ...]
    error: float | None
    loss: tuple[float, ...] | None
    ranks: tuple[RankSet, ...]
    letters: Mapping[str, str]


def best_of_means(
    means: Sequence[float],
    covariance: ArrayLike,
    *,
    freedom: float,
    rng: np.random.Generator,
    better: Direction = "higher",
    draws: int = DRAWS,
    telling: float = np.inf,
) -> BestMean:
    r"""Which of several means is best, from their joint Student posterior.

    With a flat prior the leads over the best estimate have a multivariate t distribution with
    ``freedom`` degrees of freedom, whose margins are those of the paired tests [1]_. Two systems
    are worked out, more are drawn; systems that always tie share.

    Parameters
    ----------
    means : sequence of float
        One for each system.
    covariance : array_like
        Covariance of the *means* (that of the values over n), m by m.
    freedom : float
        Items or clusters less one.
    telling : float
        How many of them tell something: with so few nobody is best more surely than that all of
        them lean one way (:func:`hold_to_signs`).

    References
    ----------
    .. [1] Box & Tiao (1973), Bayesian Inference in Statistical Analysis, Addison-Wesley, section
       8.4, doi:10.1002/9781118033197.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> found = best_of_means([1.0, 0.5], [[0.04, 0.02], [0.02, 0.03]], freedom=20, rng=rng)
    >>> [round(share, 4) for share in found.best]
    [0.9954, 0.0046]
    """
    spread = np.asarray(covariance, dtype=np.float64)
    values = np.asarray(means, dtype=np.float64) * (
        1 if _check_direction(better) == "higher" else -1
    )
    if spread.shape != (values.size, values.size) or not np.isfinite(spread).all():
        message = f"{values.size} means with a covariance of shape {spread.shape}; need m by m."
        raise CountsError(message, code="value-shape")
    apart = np.diag(spread)[:, None] + np.diag(spread) - 2 * spread
    # What two equal systems leave of their variances is rounding.
    apart[apart <= 1e-14 * (np.diag(spread)[:, None] + np.diag(spread))] = 0.0
    top = int(values.argmax())
    errors = np.sqrt(apart[top])
    alike = (apart[top][:, None] + apart[top] - apart) / 2
    found = _draw_best(values - values[top], alike, errors, freedom, rng=rng, draws=draws)
    return replace(found, best=_share_excess(found.best, telling))


def _share_excess(best: Sequence[float], telling: float) -> tuple[float, ...]:
    """Give what the leader has too much to the others, as they have it."""
    least, top = 0.5 ** max(1.0, telling), int(np.argmax(best))
    rest = 1 - best[top]
    if rest >= least:
        return tuple(best)
    others = len(best) - 1
    return tuple(
        1 - least if place == top else least * one / rest if rest > 0 else least / others
        for place, one in enumerate(best)
    )


def rank_means(
    systems: Sequence[str],
    n: int,
    sums: Sequence[Number],
    products: Sequence[Sequence[Number]],
    *,
    rng: np.random.Generator,
    better: Direction = "higher",
    level: float = 0.95,
    margin: float | None = None,
) -> MeanStandings:
    r"""Rank the means of systems on n common items, from their moments.

    Every pair has its :func:`paired_mean_difference`; p-values of all pairs are adjusted by
    Shaffer's static procedure, rank sets and letters follow from these decisions, and who is best
    from :func:`best_of_means`.

    Parameters
    ----------
    systems : sequence of str
        Names, two or more.
    n : int
        Common items.
    sums, products : sequence
        :math:`\sum x_s` and :math:`\sum x_sx_t`, exact where possible.

    Examples
    --------
    >>> found = rank_means("AB", 4, [10, 4], [[30, 12], [12, 6]], rng=np.random.default_rng(1))
    >>> found.means, round(found.best[0], 3), found.letters
    ((2.5, 1.0), 0.971, {'A': 'a', 'B': 'a'})
    """
    size = len(systems)
    pairs = {
        (i, j): paired_mean_difference(
            n, *_sums_of_difference(n, sums, products, (i, j)), level=level, margin=margin
        )
        for i, j in combinations(range(size), 2)
    }
    means = [float(Fraction(one) / n) for one in sums]
    return _standings(systems, means, pairs, better=better, level=level, rng=rng)


def rank_ratios(
    systems: Sequence[str],
    totals: ArrayLike,
    weights: ArrayLike,
    *,
    rng: np.random.Generator,
    better: Direction = "lower",
    level: float = 0.95,
    margin: float | None = None,
    freedom: float | None = None,
) -> MeanStandings:
    """Rank ratios of sums, or means over clusters or with weights, on common units.

    As :func:`rank_means`, with :func:`ratio_difference` for every pair.

    Parameters
    ----------
    systems : sequence of str
        Names, two or more.
    totals, weights : array_like
        A row for each unit, a column for each system; weights may be one column for all.

    Examples
    --------
    >>> errors = [[1, 3], [0, 1], [2, 2], [1, 1]]
    >>> found = rank_ratios("AB", errors, [10, 8, 12, 10], rng=np.random.default_rng(1))
    >>> round(found.best[0], 3), [(rank.lowest, rank.highest) for rank in found.ranks]
    (0.882, [(1, 2), (1, 2)])
    """
    added = np.asarray(totals, dtype=np.float64)
    held = np.asarray(weights, dtype=np.float64)
    held = np.repeat(held[:, None], len(systems), axis=1) if held.ndim == 1 else held
    if added.shape != held.shape or added.ndim != 2 or added.shape[1] != len(systems):
        message = (
            f"Totals of shape {added.shape} over weights of shape {held.shape}; expected a row for "
            f"each unit and a column for each of {len(systems)} systems."
        )
        raise CountsError(message, code="value-shape")
    pairs = {
        (i, j): ratio_difference(
            added[:, i],
            held[:, i],
            added[:, j],
            held[:, j],
            level=level,
            margin=margin,
            freedom=freedom,
        )
        for i, j in combinations(range(len(systems)), 2)
    }
    columns = [check_ratio(added[:, k], held[:, k]) for k in range(len(systems))]
    ratios = [fsum(one) / fsum(own) for one, own in columns]
    return _standings(systems, ratios, pairs, better=better, level=level, rng=rng)


def _standings(
    systems: Sequence[str],
    means: Sequence[float],
    pairs: Mapping[tuple[int, int], MeanDifference],
    *,
    better: Direction,
    level: float,
    rng: np.random.Generator,
) -> MeanStandings:
    if len(systems) < 2:
        message = f"{len(systems)} system; a comparison needs 2 or more."
        raise RequestError(message)
    sign = 1 if _check_direction(better) == "higher" else -1
    adjusted = dict(
        zip(
            pairs,
            shaffer_static([pair.p_value for pair in pairs.values()], systems=len(systems)),
            strict=True,
        )
    )
    # A p-value that is alpha but for rounding decides, as everywhere.
    decisions = {(systems[i], systems[j]): adjusted[i, j] <= 1 - level + 1e-12 for i, j in adjusted}
    goods = [sign * mean for mean in means]
    order = sorted(range(len(systems)), key=lambda place: -goods[place])
    chances = _best_of_pairs(goods, pairs, rng=rng)
    return MeanStandings(
        systems=tuple(systems),
        units=next(iter(pairs.values())).units,
        means=tuple(means),
        better=better,
        level=level,
        pairs=pairs,
        adjusted=adjusted,
        best=chances.best,
        error=chances.error,
        loss=chances.loss,
        ranks=rank_sets(list(systems), goods, decisions=decisions),
        letters=compact_letters([systems[place] for place in order], decisions=decisions),
    )


def _best_of_pairs(
    goods: Sequence[float],
    pairs: Mapping[tuple[int, int], MeanDifference],
    *,
    rng: np.random.Generator,
) -> BestMean:
    """Draw leads whose variances are those of the pairs: no digit is lost between twins."""
    size = len(goods)
    apart = np.zeros((size, size))
    for (i, j), pair in pairs.items():
        apart[i, j] = apart[j, i] = pair.error**2
    top = int(np.argmax(goods))
    alike = (apart[top][:, None] + apart[top] - apart) / 2
    leads = np.array(goods) - goods[top]
    freedom = min(pair.freedom for pair in pairs.values())
    return _draw_best(leads, alike, np.sqrt(apart[top]), freedom, rng=rng, draws=DRAWS)


def _draw_best(
    leads: Floats,
    covariance: Floats,
    errors: Floats,
    freedom: float,
    *,
    rng: np.random.Generator,
    draws: int,
) -> BestMean:
    """Draw, in units of the largest standard error: nothing depends on the units of values."""
    scale = float(max(errors.max(), np.abs(leads).max()))
    if scale == 0:
        # Every system has the same value on every item.
        return BestMean(best=(1 / leads.size,) * leads.size, error=None, loss=(0.0,) * leads.size)
    if leads.size == 2:
        return _best_of_two(leads, errors, freedom)
    best, loss = draw_leads(
        leads / scale, covariance / scale**2, freedom, rng=rng, draws=draws, reach=np.inf
    )
    return BestMean(
        best=tuple(best.tolist()),
        error=float(np.sqrt(best * (1 - best) / draws).max()),
        loss=tuple((scale * loss).tolist()) if freedom > 1 else None,
    )


def _best_of_two(leads: Floats, errors: Floats, freedom: float) -> BestMean:
    """Work out the chance of the leader, and the expected loss of both, for Student's t."""
    gap, error = float(np.abs(leads).max()), float(errors.max())
    if error == 0:
        chance, shortfall = 1 - 0.5 ** (freedom + 1), 0.0
    else:
        t = gap / error
        chance = float(stdtr(freedom, t))
        # E(D - gap)+ of Student's t: its density times (v + t^2)/(v - 1), less the tail times t.
        log_density = (
            gammaln((freedom + 1) / 2)
            - gammaln(freedom / 2)
            - 0.5 * np.log(freedom * np.pi)
            - (freedom + 1) / 2 * np.log1p(t * t / freedom)
        )
        density = float(np.exp(log_density))
        shortfall = (
            error * (density * (freedom + t * t) / (freedom - 1) - t * float(stdtr(freedom, -t)))
            if freedom > 1
            else 0.0
        )
    leader = int(np.argmax(leads))
    best = [1 - chance, 1 - chance]
    loss = [shortfall + gap, shortfall + gap]
    best[leader], loss[leader] = chance, shortfall
    return BestMean(
        best=(best[0], best[1]), error=None, loss=(loss[0], loss[1]) if freedom > 1 else None
    )


def _sums_of_difference(
    n: int, sums: Sequence[Number], products: Sequence[Sequence[Number]], pair: tuple[int, int]
) -> tuple[Fraction, Fraction]:
    """Sum and sum of squares of the differences, whose spread is 0 where it is only rounding."""
    i, j = pair
    total = Fraction(sums[i]) - Fraction(sums[j])
    # A column of ones beside the two: the squares about the mean are one form of all products, so
    # that what float sums may be off by is known.
    corner = [
        [n, sums[i], sums[j]],
        [sums[i], products[i][i], products[i][j]],
        [sums[j], products[j][i], products[j][j]],
    ]
    return total, form_squares(corner, (-total / n, 1, -1)) + total**2 / n


def _check_direction(better: Direction) -> Direction:
    if better not in {"higher", "lower"}:
        raise RequestError.for_choice(name="better", given=better, choices=("higher", "lower"))
    return better

"""Which system is best if the systems are alike: rates drawn from one field of unknown spread.

Uniform priors take every rate for equally likely, so systems that truly differ by a point are
expected to differ by thirty, and the leader is believed too readily. Here the rates come from one
normal distribution, of log-odds or arcsines, whose spread is learned from the systems themselves.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.log_odds import Floats
from steelyard.comparison.posterior.paired import SERIAL, twins_of
from steelyard.counts import Outcomes, Trials
from steelyard.errors import RequestError
from steelyard.uncertainty.special import digamma, expit, ndtr, ndtri, polygamma

__all__ = [
    "AlikeProbabilities",
    "alike_common",
    "alike_independent",
    "alike_pair",
    "probability_best_alike",
]

NODES = 200
"""Points at which the spread is tried; even steps of the half-Cauchy distribution itself."""

FIELD_SPREADS, FIELD_LEVELS, FIELD_NODES = 32, 25, 121
"""Spreads and levels of the field, and points of each system's density within it."""

REACH = 8.0
"""Standard deviations to which the level of the field is followed on either side."""

WIDEST, WIDEST_ANGLE = 0.5, 0.1
"""Largest scale of the spread, in log-odds and in arcsines of roots: few items do not make a field
wide; both are about 0.80 against 0.87."""

HALVINGS, DOUBLINGS, DEEP = 90, 24, 25.0
"""Steps that find a mode and its frame; a density is left where its log has fallen so deep."""

BLOCK = 1 << 13
"""Draws made together: few enough to stay in the cache of a processor, and fewer where their
product with a matrix would be shared among threads, which wait longer than they work."""

CELLS = 4_000_000
"""Numbers drawn at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlikeProbabilities:
    """Probability of being the best if the systems are alike, and how far apart they seem.

    ``spread`` is the median of the posterior of the standard deviation between systems, on the
    scale that was used; ``error`` the largest Monte Carlo standard error, 0 for two systems.
    """

    systems: tuple[str, ...]
    best: tuple[float, ...]
    spread: float
    error: float


def alike_pair(better: float) -> float:
    r"""Probability that one of two systems is better, if both are alike, from that without a prior.

    With :math:`z = \Phi^{-1}(P)` and the spread :math:`\tau` in units of the sampling error of one
    system, :math:`\tau \sim C^+(0, 1)`,

    .. math:: P_{alike} = \frac{\int \Phi\left(z\,\tau/\sqrt{1+\tau^2}\right) w(\tau)\,d\tau}
              {\int w(\tau)\,d\tau}, \qquad
              w(\tau) = \frac{\exp\left(-z^2/(2(1+\tau^2))\right)}{\sqrt{1+\tau^2}\,(1+\tau^2)}

    It lies between ½ and P.

    Examples
    --------
    >>> [round(alike_pair(better), 3) for better in (0.5, 0.9, 0.975, 0.999)]
    [0.5, 0.754, 0.874, 0.984]
    """
    if not 0 <= better <= 1:
        message = f"better={better!r}; a probability lies between 0 and 1."
        raise RequestError(message)
    # Certainty is an infinite deviate: the ends are the farthest that double precision tells apart.
    z = float(ndtri(min(max(better, 1e-300), 1 - 1e-16)))
    spread = _spreads(1.0)
    wide = 1 + spread**2
    weight = np.exp(-0.5 * z * z * (1 / wide - 1 / wide[-1])) / np.sqrt(wide)
    return float((ndtr(z * spread / np.sqrt(wide)) * weight).sum() / weight.sum())


def probability_best_alike(
    centres: Floats,
    covariance: Floats,
    *,
    systems: tuple[str, ...],
    rng: np.random.Generator,
    draws: int = 100_000,
    widest: float = 0.5,
    alike: NDArray[np.int64] | None = None,
) -> AlikeProbabilities:
    r"""Probability of being the best for estimates with a covariance and exchangeable truths.

    .. math:: y \mid \theta \sim N(\theta, V), \quad \theta_i \mid \mu, \tau \sim N(\mu, \tau^2),
              \quad \mu \sim \text{flat}, \quad \tau \sim C^+(0, s)

    The scale s of the half-Cauchy prior is the sampling error itself, :math:`s^2` the median over
    pairs of half the variance of a difference, at most ``widest``: the spread is below s or above
    with equal chances. It is integrated over its quantiles; given the spread, the truths
    are normal and drawn.

    Parameters
    ----------
    centres, covariance
        Estimates and their covariance, on a scale on which both are about normal.
    systems
        Names of the systems.
    rng, draws
        Source and number of the random draws.
    widest
        Largest scale of the spread, however large the sampling error.
    alike
        A number for each system; those that share one get exactly the same probability.

    Notes
    -----
    Over truths that scatter by a tenth to twenty times the sampling error, the expected log score
    of this prior is at worst 0.11 above that of the true spread, that of flat priors 0.98 (ten
    systems). With two systems the spread is hardly learned, and the prior speaks.

    References
    ----------
    .. [1] Polson & Scott (2012), Bayesian Analysis 7, 887-902, doi:10.1214/12-BA730, for the prior.
    .. [2] Gelman (2006), Bayesian Analysis 1, 515-534, doi:10.1214/06-BA117A.

    Examples
    --------
    >>> found = probability_best_alike(
    ...     np.array([0.0, 0.0, 4.0]), np.eye(3), systems=("A", "B", "C"),
    ...     rng=np.random.default_rng(1))
    >>> round(found.best[2], 1)
    0.9
    """
    size = len(centres)
    spreads = _spreads(min(_typical_error(covariance), widest))
    values, vectors = np.linalg.eigh(covariance)
    values = np.maximum(values, 0.0)  # systems alike on every item leave rounding below 0
    turned, ones = vectors.T @ centres, vectors.T @ np.ones(size)
    # In the directions of the covariance everything is diagonal: rows are spreads from here on.
    inverse = 1 / (values + spreads[:, None] ** 2)
    known = (ones**2 * inverse).sum(axis=1)
    mean = (ones * turned * inverse).sum(axis=1) / known
    rest = ((turned - mean[:, None] * ones) ** 2 * inverse).sum(axis=1)
    weight = 0.5 * (np.log(inverse).sum(axis=1) - np.log(known) - rest)
    share = np.exp(weight - weight.max())
    share /= share.sum()
    draws = max(1, min(draws, CELLS // size))
    row = np.repeat(np.arange(spreads.size), _numbers(share, draws))
    level = mean[row] + rng.standard_normal(row.size) / np.sqrt(known)[row]
    # A system is a row from here on: long rows are quick, and a block stays in the cache.
    part = (spreads[:, None] ** 2 * inverse).T
    spread = np.sqrt(part * values[:, None])
    wins = np.zeros(size)
    block = min(BLOCK, max(256, SERIAL // size**2))
    for start in range(0, row.size, block):
        rows = row[start : start + block]
        field = level[start : start + block] * ones[:, None]
        truth = field + part.take(rows, axis=1) * (turned[:, None] - field)
        truth += rng.standard_normal((rows.size, size)).T * spread.take(rows, axis=1)
        wins += np.bincount((truth.T @ vectors.T).argmax(axis=1), minlength=size)
    middle = float(spreads[np.searchsorted(np.cumsum(share), 0.5)])
    return _count(systems, wins, middle, np.arange(size) if alike is None else alike)


def alike_independent(
    trials: Trials, *, rng: np.random.Generator, draws: int = 100_000
) -> AlikeProbabilities:
    r"""Probability of being the best if systems tested on items of their own are alike.

    .. math:: x_i \mid \theta_i \sim \mathrm{Bin}(n_i, \mathrm{expit}\,\theta_i), \quad
              \theta_i \mid \mu, \tau \sim N(\mu, \tau^2), \quad
              \mathrm{expit}\,\mu \sim U(0, 1), \quad \tau \sim C^+(0, s)

    with the exact binomial likelihood and s as in :func:`probability_best_alike`.

    Notes
    -----
    Level and spread of the field are integrated on a grid; given both, rates are independent and
    drawn by inverting their distribution functions. The products are log-concave, so a mode
    and two falls frame them.

    Examples
    --------
    >>> trials = Trials(correct={"A": 930, "B": 920, "C": 915}, tested=1000, pairing="independent")
    >>> found = alike_independent(trials, rng=np.random.default_rng(1))
    >>> round(found.best[0], 2)
    0.54
    """
    right = np.array(trials.correct, dtype=np.float64)
    wrong = np.array(trials.tested, dtype=np.float64) - right
    centres, variances = _log_odds(right, wrong)
    spreads = _spreads(min(_typical_error(np.diag(variances)), WIDEST), nodes=FIELD_SPREADS)
    levels = [_levels(centres, variances, spread) for spread in spreads]
    # The grid of the level is as wide as its distribution, which is wider for a wider spread.
    chances = [
        _Field.around(right, wrong, level, spread).weight.sum(axis=1)
        + np.log(level[1] - level[0])
        - _twofold(level)
        for level, spread in zip(levels, spreads, strict=True)
    ]
    share = np.exp(np.stack(chances) - max(float(one.max()) for one in chances))
    share /= share.sum()
    draws = max(1, min(draws, CELLS // right.size))
    times = _numbers(share.ravel(), draws).reshape(share.shape)
    wins = np.zeros(right.size)
    for level, spread, numbers in zip(levels, spreads, times, strict=True):
        places = np.flatnonzero(numbers)
        # Built anew rather than kept: the grids of all fields together would fill the memory.
        field = _Field.around(right, wrong, level[places], spread)
        for place, number in enumerate(numbers[places].tolist()):
            truth = field.draw(place, number, rng)
            wins += np.bincount(truth.argmax(axis=1), minlength=right.size)
    middle = float(spreads[np.searchsorted(np.cumsum(share.sum(axis=1)), 0.5)])
    alike = np.unique(np.stack([right, wrong]), axis=1, return_inverse=True)[1].ravel()
    return _count(trials.systems, wins, middle, alike)


def _levels(centres: Floats, variances: Floats, spread: float) -> Floats:
    """Give levels of the field to try, about where its systems lie."""
    inverse = 1 / (variances + spread**2)
    known = float(inverse.sum())
    middle = float((inverse * centres).sum()) / known
    return np.asarray(middle + np.linspace(-REACH, REACH, FIELD_LEVELS) / np.sqrt(known))


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """Log-odds of each system in fields of one spread and several levels, on grids of their own."""

    nodes: Floats
    mass: Floats
    weight: Floats

    @classmethod
    def around(cls, right: Floats, wrong: Floats, levels: Floats, spread: float) -> "_Field":
        """Frame the likelihood times N(level, spread²) for every level and system."""
        level = levels[:, None]
        tight = 1 / spread**2

        def height(place: Floats) -> Floats:
            fall = right * np.logaddexp(0.0, -place) + wrong * np.logaddexp(0.0, place)
            return np.asarray(-fall - 0.5 * tight * (place - level) ** 2)

        # The slope of the likelihood lies between -wrong and right, so the mode cannot lie farther.
        low = level - spread**2 * wrong
        high = level + spread**2 * right
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            slope = right * expit(-middle) - wrong * expit(middle)
            rises = slope - tight * (middle - level) > 0
            low, high = np.where(rises, middle, low), np.where(rises, high, middle)
        top = (low + high) / 2
        narrow = 1 / np.sqrt((right + wrong) * expit(top) * expit(-top) + tight)
        peak, ends = height(top), []
        for side in (-1, 1):
            away = 3 * narrow
            for _ in range(DOUBLINGS):
                away = np.where(peak - height(top + side * away) < DEEP, 1.3 * away, away)
            ends.append(top + side * away)
        steps = np.linspace(0.0, 1.0, FIELD_NODES)[:, None, None]
        nodes = ends[0] + (ends[1] - ends[0]) * steps
        density = np.exp(height(nodes) - peak)
        mass = np.cumsum(density, axis=0) - 0.5 * density - 0.5 * density[0]
        width = (ends[1] - ends[0]) / (FIELD_NODES - 1)
        # A wider field is a lower one: its height belongs to the weight of its spread.
        weight = peak + np.log(mass[-1] * width) - np.log(spread)
        return cls(nodes, mass, np.asarray(weight))

    def draw(self, place: int, number: int, rng: np.random.Generator) -> Floats:
        """Draw the log-odds of every system in the field of one level."""
        size = self.nodes.shape[2]
        truth = np.empty((number, size))
        for i in range(size):
            mass = self.mass[:, place, i]
            truth[:, i] = np.interp(rng.random(number) * mass[-1], mass, self.nodes[:, place, i])
        return truth


def alike_common(
    outcomes: Outcomes, *, rng: np.random.Generator, draws: int = 100_000
) -> AlikeProbabilities:
    r"""Probability of being the best if systems tested on common items are alike.

    The field is normal on the scale :math:`\arcsin\sqrt p`, on which the sampling variance is
    about :math:`1/(4n)` whatever the rate; the correlations are those of the rates under the
    Dirichlet posterior of the right/wrong patterns, :math:`p_{ij} - p_i p_j` with ½ added to each
    of a pair's cells.

    Notes
    -----
    The normal distribution is an approximation. On the log-odds scale it would be worse: near 1 the
    variance of the leader grows without bound, and with it the doubt.

    References
    ----------
    .. [1] Anscombe (1948), Biometrika 35, 246-254, doi:10.1093/biomet/35.3-4.246, for the scale.

    Examples
    --------
    >>> outcomes = Outcomes.from_patterns(
    ...     {0: 10, 1: 9, 2: 4, 3: 7, 6: 5, 7: 65}, systems=("A", "B", "C"))
    >>> found = alike_common(outcomes, rng=np.random.default_rng(1))
    >>> round(found.best[1], 1)
    0.6
    """
    right = np.array(outcomes.correct(), dtype=np.float64)
    bits = outcomes.bits().astype(np.float64)
    rows = np.array([count for _, count in outcomes.patterns], dtype=np.float64)
    total = outcomes.total + 2
    rate = (right + 1) / total
    both = ((bits * rows[:, None]).T @ bits + 0.5) / total
    np.fill_diagonal(both, rate)
    joint = both - np.outer(rate, rate)
    scale = 1 / np.sqrt(np.diag(joint) * (4 * outcomes.total + 2))
    return probability_best_alike(
        np.arcsin(np.sqrt((right + 0.375) / (outcomes.total + 0.75))),
        joint * np.outer(scale, scale),
        systems=outcomes.systems,
        rng=rng,
        draws=draws,
        widest=WIDEST_ANGLE,
        alike=np.unique(twins_of(outcomes), return_inverse=True)[1],
    )


def _log_odds(right: Floats, wrong: Floats) -> tuple[Floats, Floats]:
    """Give mean and variance of the log-odds under Jeffreys' prior, which hardly pulls."""
    a, b = right + 0.5, wrong + 0.5
    return digamma(a) - digamma(b), polygamma(1, a) + polygamma(1, b)


def _twofold(level: Floats) -> Floats:
    """Fall of the density of the log-odds of a uniform rate."""
    return np.logaddexp(0.0, level) + np.logaddexp(0.0, -level)


def _spreads(scale: float, nodes: int = NODES) -> Floats:
    """Give quantiles of the half-Cauchy distribution, each of which stands for an equal part."""
    parts = (np.arange(nodes) + 0.5) / nodes
    return np.asarray(scale * np.tan(parts * np.pi / 2))


def _typical_error(covariance: Floats) -> float:
    """Give the sampling error of one system, as the differences of pairs show it."""
    variance = np.diag(covariance)
    halves = (variance[:, None] + variance - 2 * covariance)[np.triu_indices(variance.size, 1)] / 2
    # Systems right on the same items differ by next to nothing; the median passes over them.
    return float(np.sqrt(np.median(halves)))


def _numbers(share: Floats, draws: int) -> NDArray[np.int64]:
    """Share out the draws in even steps, so that this part brings no error of its own."""
    reached = np.floor(np.concatenate([[0.0], np.cumsum(share)]) * draws + 0.5)
    return np.diff(reached).astype(np.int64)


def _count(
    systems: tuple[str, ...], wins: Floats, spread: float, alike: NDArray[np.int64]
) -> AlikeProbabilities:
    """Turn wins into shares; systems with the same number in ``alike`` share them exactly."""
    evened = np.bincount(alike, weights=wins) / np.bincount(alike)
    best = evened[alike] / wins.sum()
    error = float(np.sqrt((best * (1 - best)).max() / wins.sum()))
    return AlikeProbabilities(
        systems=systems, best=tuple(best.tolist()), spread=spread, error=error
    )

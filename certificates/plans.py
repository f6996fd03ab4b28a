"""Sample sizes: tests of the planned size get there as often as the plan says.

Tests are drawn and judged by code of their own (scipy's distributions, plain formulas), not by
that of the plan. Formulas that are approximate state their own slack.
"""

from collections.abc import Callable
from functools import partial
from math import sqrt
from typing import Literal

import numpy as np
from scipy import stats

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space
from steelyard.journey import plan
from steelyard.planning import (
    PairedRates,
    PlannedLooks,
    StoppingRule,
    akaike_power,
    akaike_samples,
    area_power,
    area_samples,
    clustered_samples,
    equivalence_power,
    equivalence_samples,
    independent_power,
    independent_samples,
    kappa_power,
    kappa_samples,
    pair_alphas,
    paired_assurance,
    paired_rates,
    paired_samples,
    posterior_assurance,
    repeated_samples,
    scaled_area_power,
    scaled_area_samples,
    selection_probability,
    selection_samples,
    stopping_properties,
    width_assurance,
    width_samples,
)
from steelyard.uncertainty import cluster_contrast

__all__ = ["DECLARED", "PLANS"]

Rng = np.random.Generator
Drawn = tuple[np.ndarray, float]
"""Whether each of the drawn tests got there, and the share that the plan promises."""
PAIR = paired_rates(0.85, 0.78, discordance=0.15)


def _wins(rng: Rng, pair: PairedRates, items: int, draws: int) -> tuple[np.ndarray, np.ndarray]:
    drawn = rng.multinomial(
        items, [pair.only_first, pair.only_second, 1 - pair.discordance], size=draws
    )
    return drawn[:, 0], drawn[:, 1]


def _mid_p(won: np.ndarray, lost: np.ndarray) -> np.ndarray:
    total, small = won + lost, np.minimum(won, lost)
    both = stats.binom.cdf(small, total, 0.5) + stats.binom.cdf(small - 1, total, 0.5)
    return np.where(won == lost, 1.0, both)


def _score_p(x: np.ndarray, y: np.ndarray, n: int) -> np.ndarray:
    mean = (x + y) / (2 * n)
    variance = np.maximum(2 * mean * (1 - mean) / n * (2 * n / (2 * n - 1)), 1e-12)
    return 2 * stats.norm.sf(np.abs(x - y) / n / np.sqrt(variance))


def _mcnemar_mid_p(rng: Rng, draws: int) -> Drawn:
    size = paired_samples(PAIR)
    won, lost = _wins(rng, PAIR, size.samples, draws)
    return ((_mid_p(won, lost) <= 0.05) & (won > lost)), size.reached


def _mcnemar_exact(rng: Rng, draws: int) -> Drawn:
    size = paired_samples(PAIR, method="exact", power=0.9)
    won, lost = _wins(rng, PAIR, size.samples, draws)
    p = 2 * stats.binom.cdf(np.minimum(won, lost), won + lost, 0.5)
    return ((p <= 0.05) & (won > lost)), size.reached


def _two_proportions(rng: Rng, draws: int) -> Drawn:
    size = independent_samples(0.9, 0.8)
    x, y = (rng.binomial(size.samples, p, draws) for p in (0.9, 0.8))
    return ((_score_p(x, y, size.samples) <= 0.05) & (x > y)), size.reached


def _hardest_of_all_pairs(rng: Rng, draws: int) -> Drawn:
    alpha = pair_alphas([0.9, 0.8, 0.6], multiplicity="bonferroni")[0, 1]
    n = independent_samples(0.9, 0.8, alpha=alpha).samples
    x, y = (rng.binomial(n, p, draws) for p in (0.9, 0.8))
    promised = independent_power(0.9, 0.8, n, alpha=alpha).power
    return ((_score_p(x, y, n) <= alpha) & (x > y)), promised


def _within_a_margin(claim: Literal["equivalent", "not inferior"], rng: Rng, draws: int) -> Drawn:
    # Farrington and Manning's restricted rates, found here by a fine grid.
    margin, n = 0.1, equivalence_samples(0.8, 0.8, margin=0.1, claim=claim).samples
    x, y = (rng.binomial(n, 0.8, draws) for _ in range(2))

    def statistic(null: float) -> np.ndarray:
        grid = np.linspace(max(0, -null) + 1e-6, min(1, 1 - null) - 1e-6, 1001)[:, None]
        fit = stats.binom.logpmf(x, n, grid + null) + stats.binom.logpmf(y, n, grid)
        best = grid[fit.argmax(axis=0), 0]
        one = best + null
        variance = (one * (1 - one) + best * (1 - best)) / n * 2 * n / (2 * n - 1)
        return (x - y - n * null) / n / np.sqrt(variance)

    bar = stats.norm.isf(0.05)
    shown = statistic(-margin) >= bar
    if claim == "equivalent":
        shown &= statistic(margin) <= -bar
    return shown, equivalence_power(0.8, 0.8, n, margin=margin, claim=claim)


def _posterior_of_two(rng: Rng, draws: int) -> Drawn:
    n = 300
    x, y = (rng.binomial(n, p, draws)[:, None] for p in (0.9, 0.85))
    grid = np.linspace(0.6, 1, 1201)[None, :]
    density = stats.beta.pdf(grid, x + 1, n - x + 1) * stats.beta.cdf(grid, y + 1, n - y + 1)
    return (np.trapezoid(density, grid, axis=1) >= 0.95), posterior_assurance([0.9, 0.85], n).right


def _posterior_of_a_pair(rng: Rng, draws: int) -> Drawn:
    won, lost = _wins(rng, PAIR, 200, draws)
    better = stats.beta.sf(0.5, won + 0.5, lost + 0.5)
    return (better >= 0.95), paired_assurance([PAIR], 200).right


def _wilson_width_reached(rng: Rng, draws: int) -> Drawn:
    n = width_samples(0.9, width=0.06).samples + 30
    share, z2 = rng.binomial(n, 0.9, draws) / n, stats.norm.isf(0.025) ** 2
    wide = 2 * np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return (wide <= 0.06), width_assurance(0.9, n, width=0.06)


def _selection_of_three(rng: Rng, draws: int) -> Drawn:
    size = selection_samples(3, delta=0.15, confidence=0.9)
    rates = [0.575, 0.425, 0.425]  # near the least favourable rates, (1 + delta) / 2
    right = rng.binomial(size.samples, rates, size=(draws, 3)) + rng.random((draws, 3)) * 0.5
    return (right.argmax(axis=1) == 0), selection_probability(size.samples, 3, delta=0.15)


def _area_of_exponential_scores(rng: Rng, draws: int) -> Drawn:
    size = area_samples(0.8, null=0.65)
    m, n = size.positives, size.negatives
    areas = np.empty(draws)
    for place in range(areas.size):
        high, low = rng.exponential(4, m), rng.exponential(1, n)  # A = 4 / (4 + 1)
        areas[place] = stats.mannwhitneyu(high, low).statistic / (m * n)
    q1, q2, a = 0.65 / 1.35, 2 * 0.65**2 / 1.65, 0.65
    null = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    found = (areas - a) / sqrt(null) >= stats.norm.isf(0.025)
    return found, area_power(0.8, size.samples, null=0.65)


def _two_areas_from_a_pilot(rng: Rng, draws: int) -> Drawn:
    n = scaled_area_samples(0.06, 0.0009, tested=150)
    seen = rng.normal(0.06, sqrt(0.0009 * 150 / n), draws)
    found = seen / sqrt(0.0009 * 150 / n) >= stats.norm.isf(0.025)
    return found, scaled_area_power(0.06, 0.0009, n, tested=150)


def _kappa_of_two_raters(rng: Rng, draws: int) -> Drawn:
    n, share = kappa_samples(0.6, null=0.3, prevalence=0.4), 0.4
    mixed = share * (1 - share)
    chances = [share**2 + mixed * 0.6, 2 * mixed * 0.4, (1 - share) ** 2 + mixed * 0.6]
    yes, split, no = rng.multinomial(n, chances, size=draws).T
    p = (2 * yes + split) / (2 * n)
    pq = p * (1 - p)
    fitted = np.array([p**2 + pq * 0.3, 2 * pq * 0.7, (1 - p) ** 2 + pq * 0.3]) * n
    fit = ((np.array([yes, split, no]) - fitted) ** 2 / fitted).sum(axis=0)
    return (fit >= stats.chi2.isf(0.05, 1)), kappa_power(0.6, n, null=0.3, prevalence=0.4)


def _akaike_on_common_items(rng: Rng, draws: int) -> Drawn:
    n = akaike_samples(0.85, 0.78, both=0.74).different
    pair = paired_rates(0.85, 0.78, discordance=0.15)
    won, lost = (part.astype(float) for part in _wins(rng, pair, n, draws))
    total = np.maximum(won + lost, 1)
    gain = stats.entropy([won / total, lost / total], [[0.5], [0.5]]) * total * 2
    return ((gain - 2 > 1) & (won > lost)), akaike_power(0.85, 0.78, n, both=0.74)


def _clusters_of_ten(rng: Rng, draws: int) -> Drawn:
    single = independent_samples(0.8, 0.7)
    size = clustered_samples(single.samples, cluster_size=10, correlation=0.1)

    def drawn(rate: float) -> np.ndarray:
        spread = (1 - 0.1) / 0.1
        rates = rng.beta(rate * spread, (1 - rate) * spread, size=(draws, size.clusters))
        return rng.binomial(10, rates) / 10

    one, two = drawn(0.8), drawn(0.7)
    gap = one.mean(axis=1) - two.mean(axis=1)
    error = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / size.clusters)
    return (gap / error >= stats.norm.isf(0.025)), single.reached


def _five_trials_of_each_item(rng: Rng, draws: int) -> Drawn:
    single = independent_samples(0.8, 0.7)
    size = repeated_samples(single.samples, trials=5, correlation=0.4)

    def drawn(rate: float) -> np.ndarray:
        spread = (1 - 0.4) / 0.4
        rates = rng.beta(rate * spread, (1 - rate) * spread, size=(draws, size.items))
        return rng.binomial(5, rates) / 5

    one, two = drawn(0.8), drawn(0.7)
    gap = one.mean(axis=1) - two.mean(axis=1)
    error = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / size.items)
    return (gap / error >= stats.norm.isf(0.025)), single.reached


def _looks_of_a_posterior(rng: Rng, draws: int) -> Drawn:
    found = stopping_properties(StoppingRule(rule="posterior", alpha=0.01, every=25), PAIR, cap=300)
    steps = rng.multinomial(
        25, [PAIR.only_first, PAIR.only_second, 1 - PAIR.discordance], size=(draws, 12)
    ).cumsum(axis=1)
    better = stats.beta.sf(0.5, steps[:, :, 0] + 0.5, steps[:, :, 1] + 0.5)
    ends = (better >= 0.99) | (better <= 0.01)
    first = np.where(ends.any(axis=1), ends.argmax(axis=1), 0)
    named = ends.any(axis=1) & (better[np.arange(draws), first] >= 0.99)
    return named, found.right


def _looks_that_were_planned(rng: Rng, draws: int) -> Drawn:
    found = stopping_properties(PlannedLooks(looks=3), PAIR, cap=300)
    steps = rng.multinomial(
        100, [PAIR.only_first, PAIR.only_second, 1 - PAIR.discordance], size=(draws, 3)
    ).cumsum(axis=1)
    won, number = steps[:, :, 0], steps[:, :, 0] + steps[:, :, 1]
    z = stats.norm.isf(stats.binom.sf(won - 1, number, 0.5))  # McNemar's exact test
    bounds = np.array([3.7103, 2.5114, 1.9930])  # Lan and DeMets, thirds, two-sided 0.05
    return ((z >= bounds).any(axis=1)), found.right


PLANS: dict[str, tuple[Callable[[Rng, int], Drawn], float, float, int]] = {
    "mid-p McNemar": (_mcnemar_mid_p, 0.8003, 0.0, 20_000),
    "exact McNemar": (_mcnemar_exact, 0.9001, 0.0, 20_000),
    "two independent rates": (_two_proportions, 0.8019, 0.0, 20_000),
    "hardest of all pairs": (_hardest_of_all_pairs, 0.8007, 0.0, 20_000),
    "equivalent within a margin": (partial(_within_a_margin, "equivalent"), 0.8005, 0.0, 2000),
    "not inferior": (partial(_within_a_margin, "not inferior"), 0.8017, 0.0, 2000),
    "posterior of two independent systems": (_posterior_of_two, 0.5815, 0.0, 4000),
    "posterior of a pair": (_posterior_of_a_pair, 0.8370, 0.0, 20_000),
    "width of Wilson's interval": (_wilson_width_reached, 0.7314, 0.0, 20_000),
    "selection of the best of three": (_selection_of_three, 0.9003, 0.003, 20_000),
    "one area": (_area_of_exponential_scores, 0.8032, 0.04, 4000),
    "two areas from a pilot": (_two_areas_from_a_pilot, 0.8009, 0.0, 20_000),
    "kappa of two raters": (_kappa_of_two_raters, 0.8014, 0.03, 20_000),
    "Akaike on common items": (_akaike_on_common_items, 0.5107, 0.0, 20_000),
    "clusters of ten": (_clusters_of_ten, 0.8012, 0.02, 5000),
    "five trials of each item": (_five_trials_of_each_item, 0.8012, 0.02, 5000),
    "posterior looked at every 25 items": (_looks_of_a_posterior, 0.8719, 0.0, 20_000),
    "three planned looks": (_looks_that_were_planned, 0.8615, 0.002, 20_000),
}
"""How it is drawn, what the plan promises, the slack of an approximate formula, long draws.

Slack: normal approximation of one area, chi-squared of kappa, robust z instead of the score test
for clusters, bounds of four decimals for planned looks, rates near the least favourable ones.
"""
ROUNDED = 0.0001


def _reached(function: Callable[[Rng, int], Drawn], promised: float) -> Experiment:
    """Count the tests that get there; refuse to judge a plan that promises something else."""

    def experiment(draws: int, seed: int) -> Found:
        there, now = function(np.random.default_rng(seed), draws)
        if abs(now - promised) > ROUNDED:
            message = f"The plan promises {now:.4f}, and {promised:.4f} is declared here."
            raise ValueError(message)
        hits = int(np.sum(there))
        return Found(share=hits / draws, draws=draws, hits=hits)

    return experiment


ASSURED = Space(
    axes={"rate": (0.55, 0.8, 0.95, 0.99), "lead": (0.008, 0.05), "confidence": (0.8, 0.95)},
    possible=lambda cell: cell["rate"] + cell["lead"] < 1,
)
"""Two systems, near and far apart, up to rates near 1."""


def _assured(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Tests of the size that a plan leads with: how many end with the confidence wanted."""
    rates = [cell["rate"] + cell["lead"], cell["rate"]]
    size = plan(rates, confidence=cell["confidence"]).samples
    assert size is not None
    drawn = rng.binomial(size, rates, size=(draws, 2))
    won, lost = drawn[:, 0] + 1.0, drawn[:, 1] + 1.0
    best = normal_best(won, size + 2 - won, lost, size + 2 - lost)
    hits = int((best >= cell["confidence"]).sum())
    return Found(share=hits / draws, draws=draws, hits=hits, more={"items": float(size)})


def normal_best(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """P(Beta(a, b) > Beta(c, d)) by Gauss and Legendre's rule over the first."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    mean, spread = a / (a + b), np.sqrt(a * b / (a + b + 1)) / (a + b)
    low, high = np.maximum(mean - 9 * spread, 0), np.minimum(mean + 9 * spread, 1)
    points = low[:, None] + (high - low)[:, None] * (nodes + 1) / 2
    density = stats.beta.pdf(points, a[:, None], b[:, None]) * weights
    below = stats.beta.cdf(points, c[:, None], d[:, None])
    return np.asarray((density * below).sum(axis=1) / density.sum(axis=1))


CLUSTERED = Space(
    axes={"cluster size": (5, 20, 60), "correlation": (0.05, 0.3, 0.7), "discordance": (0.1, 0.4),
          "lead": (0.3, 0.6)},
)  # fmt: skip
"""Common items in clusters; the lead is a part of the discordance."""


def _clustered(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Tests of as many clusters as are planned: how many are decided by the model of verdicts.

    Every cluster has shares of its own, of a Dirichlet distribution with this correlation.
    """
    size, discordance = round(cell["cluster size"]), cell["discordance"]
    lead = cell["lead"] * discordance
    rates = [0.5 + lead / 2, 0.5 - lead / 2]
    found = plan(
        rates, question="pair", discordance=discordance, cluster_size=size, icc=cell["correlation"]
    )
    assert found.clusters is not None
    chances = np.array([(discordance + lead) / 2, (discordance - lead) / 2, 1 - discordance])
    spread = (1 - cell["correlation"]) / cell["correlation"]
    sizes = np.full(found.clusters, size)
    hits = 0
    for _ in range(draws):
        each = rng.dirichlet(chances * spread, size=found.clusters)
        won, lost, _ = rng.multinomial(size, each).T
        judged = cluster_contrast(won, lost, sizes)
        hits += judged.p_value <= 0.05 and judged.difference > 0
    more = {"clusters": float(found.clusters)}
    return Found(share=hits / draws, draws=draws, hits=hits, more=more)


DECLARED = [
    Certificate(
        name="plan: pair in clusters, worst setting",
        family="plans",
        setting=f"common items; {CLUSTERED.words()}",
        page="planning",
        experiment=Search(space=CLUSTERED, trial=_clustered, seek="lowest", beam=2, rounds=1),
        claim="80 % of tests are decided",
        allowed=(0.8, 1.0),
        seed=2701,
        short=60,
        long=1000,
    ),
    Certificate(
        name="plan: best of two, 80 % assured, worst setting",
        family="plans",
        setting=f"independent items; {ASSURED.words()}",
        page="planning",
        experiment=Search(space=ASSURED, trial=_assured, seek="lowest", beam=2, rounds=1),
        claim="80 % of tests get there",
        allowed=(0.8, 1.0),
        seed=2605,
        short=200,
        long=4000,
    ),
    *(
        Certificate(
            name=f"plan: {name}",
            family="plans",
            claim=f"{promised:.2%} get there".replace("%", " %"),
            setting="tests of the planned size"
            + (f", approximate formula, slack {slack:g}" if slack else ""),
            page="planning",
            experiment=_reached(function, promised),
            allowed=(promised - slack - ROUNDED, promised + slack + ROUNDED),
            seed=20,
            short=draws // 50,
            long=draws,
        )
        for name, (function, promised, slack, draws) in PLANS.items()
    ),
]

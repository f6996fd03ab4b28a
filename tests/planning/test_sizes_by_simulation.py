"""Every kind of sample size, checked by drawing tests of that size: 16 designs, one law.

A size promises a share of tests that get there. Tests are drawn from a seed and judged by code
of their own (scipy's distributions, plain formulas); the share must lie within four binomial
standard errors of the promise, and formulas that are approximate state their own slack.
"""

from collections.abc import Callable
from math import comb, sqrt

import numpy as np
import pytest
from scipy import stats

from steelyard.planning import (
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
    paired_power,
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

DRAWS = 4000
Rng = np.random.Generator
PAIR = paired_rates(0.85, 0.78, discordance=0.15)


def wins(rng, pair, items):
    drawn = rng.multinomial(
        items, [pair.only_first, pair.only_second, 1 - pair.discordance], size=DRAWS
    )
    return drawn[:, 0], drawn[:, 1]


def mid_p(won, lost):
    total, small = won + lost, np.minimum(won, lost)
    both = stats.binom.cdf(small, total, 0.5) + stats.binom.cdf(small - 1, total, 0.5)
    return np.where(won == lost, 1.0, both)


def score_p(x, y, n):
    mean = (x + y) / (2 * n)
    variance = np.maximum(2 * mean * (1 - mean) / n * (2 * n / (2 * n - 1)), 1e-12)
    return 2 * stats.norm.sf(np.abs(x - y) / n / np.sqrt(variance))


def mcnemar_mid_p(rng: Rng) -> tuple[float, float]:
    size = paired_samples(PAIR)
    won, lost = wins(rng, PAIR, size.samples)
    return np.mean((mid_p(won, lost) <= 0.05) & (won > lost)), size.reached


def mcnemar_exact(rng: Rng) -> tuple[float, float]:
    size = paired_samples(PAIR, method="exact", power=0.9)
    won, lost = wins(rng, PAIR, size.samples)
    p = 2 * stats.binom.cdf(np.minimum(won, lost), won + lost, 0.5)
    return np.mean((p <= 0.05) & (won > lost)), size.reached


def two_proportions(rng: Rng) -> tuple[float, float]:
    size = independent_samples(0.9, 0.8)
    x, y = (rng.binomial(size.samples, p, DRAWS) for p in (0.9, 0.8))
    return np.mean((score_p(x, y, size.samples) <= 0.05) & (x > y)), size.reached


def hardest_of_all_pairs(rng: Rng) -> tuple[float, float]:
    alpha = pair_alphas([0.9, 0.8, 0.6], multiplicity="bonferroni")[0, 1]
    n = independent_samples(0.9, 0.8, alpha=alpha).samples
    x, y = (rng.binomial(n, p, DRAWS) for p in (0.9, 0.8))
    promised = independent_power(0.9, 0.8, n, alpha=alpha).power
    return np.mean((score_p(x, y, n) <= alpha) & (x > y)), promised


def within_a_margin(rng: Rng, claim: str) -> tuple[float, float]:
    # Farrington and Manning's restricted rates, found here by a fine grid.
    margin, n = 0.1, equivalence_samples(0.8, 0.8, margin=0.1, claim=claim).samples
    x, y = (rng.binomial(n, 0.8, 400) for _ in range(2))

    def statistic(null):
        grid = np.linspace(max(0, -null) + 1e-6, min(1, 1 - null) - 1e-6, 4001)[:, None]
        fit = stats.binom.logpmf(x, n, grid + null) + stats.binom.logpmf(y, n, grid)
        best = grid[fit.argmax(axis=0), 0]
        one = best + null
        variance = (one * (1 - one) + best * (1 - best)) / n * 2 * n / (2 * n - 1)
        return (x - y - n * null) / n / np.sqrt(variance)

    bar = stats.norm.isf(0.05)
    shown = statistic(-margin) >= bar
    if claim == "equivalent":
        shown &= statistic(margin) <= -bar
    return shown.mean(), equivalence_power(0.8, 0.8, n, margin=margin, claim=claim)


def posterior_of_two(rng: Rng) -> tuple[float, float]:
    n = 300
    x, y = (rng.binomial(n, p, 1000)[:, None] for p in (0.9, 0.85))
    grid = np.linspace(0.6, 1, 1201)[None, :]
    density = stats.beta.pdf(grid, x + 1, n - x + 1) * stats.beta.cdf(grid, y + 1, n - y + 1)
    return np.mean(np.trapezoid(density, grid, axis=1) >= 0.95), posterior_assurance(
        [0.9, 0.85], n
    ).right


def posterior_of_a_pair(rng: Rng) -> tuple[float, float]:
    won, lost = wins(rng, PAIR, 200)
    better = stats.beta.sf(0.5, won + 0.5, lost + 0.5)
    return np.mean(better >= 0.95), paired_assurance([PAIR], 200).right


def wilson_width_reached(rng: Rng) -> tuple[float, float]:
    n = width_samples(0.9, width=0.06).samples + 30
    share, z2 = rng.binomial(n, 0.9, DRAWS) / n, stats.norm.isf(0.025) ** 2
    wide = 2 * np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return np.mean(wide <= 0.06), width_assurance(0.9, n, width=0.06)


def selection_of_three(rng: Rng) -> tuple[float, float]:
    size = selection_samples(3, delta=0.15, confidence=0.9)
    rates = [0.575, 0.425, 0.425]  # near the least favourable rates, (1 + delta) / 2
    right = rng.binomial(size.samples, rates, size=(DRAWS, 3)) + rng.random((DRAWS, 3)) * 0.5
    return np.mean(right.argmax(axis=1) == 0), selection_probability(size.samples, 3, delta=0.15)


def area_of_exponential_scores(rng: Rng) -> tuple[float, float]:
    size = area_samples(0.8, null=0.65)
    m, n = size.positives, size.negatives
    areas = np.empty(1500)
    for place in range(areas.size):
        high, low = rng.exponential(4, m), rng.exponential(1, n)  # A = 4 / (4 + 1)
        areas[place] = stats.mannwhitneyu(high, low).statistic / (m * n)
    q1, q2, a = 0.65 / 1.35, 2 * 0.65**2 / 1.65, 0.65
    null = (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n)
    found = np.mean((areas - a) / sqrt(null) >= stats.norm.isf(0.025))
    return found, area_power(0.8, size.samples, null=0.65)


def two_areas_from_a_pilot(rng: Rng) -> tuple[float, float]:
    n = scaled_area_samples(0.06, 0.0009, tested=150)
    seen = rng.normal(0.06, sqrt(0.0009 * 150 / n), DRAWS)
    found = np.mean(seen / sqrt(0.0009 * 150 / n) >= stats.norm.isf(0.025))
    return found, scaled_area_power(0.06, 0.0009, n, tested=150)


def kappa_of_two_raters(rng: Rng) -> tuple[float, float]:
    n, share = kappa_samples(0.6, null=0.3, prevalence=0.4), 0.4
    mixed = share * (1 - share)
    chances = [share**2 + mixed * 0.6, 2 * mixed * 0.4, (1 - share) ** 2 + mixed * 0.6]
    yes, split, no = rng.multinomial(n, chances, size=DRAWS).T
    p = (2 * yes + split) / (2 * n)
    pq = p * (1 - p)
    fitted = np.array([p**2 + pq * 0.3, 2 * pq * 0.7, (1 - p) ** 2 + pq * 0.3]) * n
    fit = ((np.array([yes, split, no]) - fitted) ** 2 / fitted).sum(axis=0)
    return np.mean(fit >= stats.chi2.isf(0.05, 1)), kappa_power(0.6, n, null=0.3, prevalence=0.4)


def akaike_on_common_items(rng: Rng) -> tuple[float, float]:
    n = akaike_samples(0.85, 0.78, both=0.74).different
    pair = paired_rates(0.85, 0.78, discordance=0.15)
    won, lost = (part.astype(float) for part in wins(rng, pair, n))
    total = np.maximum(won + lost, 1)
    gain = stats.entropy([won / total, lost / total], [[0.5], [0.5]]) * total * 2
    return np.mean((gain - 2 > 1) & (won > lost)), akaike_power(0.85, 0.78, n, both=0.74)


def clusters_of_ten(rng: Rng) -> tuple[float, float]:
    single = independent_samples(0.8, 0.7)
    size = clustered_samples(single.samples, cluster_size=10, correlation=0.1)

    def drawn(rate):
        spread = (1 - 0.1) / 0.1
        rates = rng.beta(rate * spread, (1 - rate) * spread, size=(1500, size.clusters))
        return rng.binomial(10, rates) / 10

    one, two = drawn(0.8), drawn(0.7)
    gap = one.mean(axis=1) - two.mean(axis=1)
    error = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / size.clusters)
    return np.mean(gap / error >= stats.norm.isf(0.025)), single.reached


def five_trials_of_each_item(rng: Rng) -> tuple[float, float]:
    single = independent_samples(0.8, 0.7)
    size = repeated_samples(single.samples, trials=5, correlation=0.4)

    def drawn(rate):
        spread = (1 - 0.4) / 0.4
        rates = rng.beta(rate * spread, (1 - rate) * spread, size=(1500, size.items))
        return rng.binomial(5, rates) / 5

    one, two = drawn(0.8), drawn(0.7)
    gap = one.mean(axis=1) - two.mean(axis=1)
    error = np.sqrt((one.var(axis=1, ddof=1) + two.var(axis=1, ddof=1)) / size.items)
    return np.mean(gap / error >= stats.norm.isf(0.025)), single.reached


def looks_of_a_posterior(rng: Rng) -> tuple[float, float]:
    found = stopping_properties(StoppingRule(rule="posterior", alpha=0.01, every=25), PAIR, cap=300)
    steps = rng.multinomial(
        25, [PAIR.only_first, PAIR.only_second, 1 - PAIR.discordance], size=(DRAWS, 12)
    ).cumsum(axis=1)
    better = stats.beta.sf(0.5, steps[:, :, 0] + 0.5, steps[:, :, 1] + 0.5)
    ends = (better >= 0.99) | (better <= 0.01)
    first = np.where(ends.any(axis=1), ends.argmax(axis=1), 0)
    named = ends.any(axis=1) & (better[np.arange(DRAWS), first] >= 0.99)
    return named.mean(), found.right


def looks_that_were_planned(rng: Rng) -> tuple[float, float]:
    found = stopping_properties(PlannedLooks(looks=3), PAIR, cap=300)
    steps = rng.multinomial(
        100, [PAIR.only_first, PAIR.only_second, 1 - PAIR.discordance], size=(DRAWS, 3)
    ).cumsum(axis=1)
    z = (steps[:, :, 0] - steps[:, :, 1]) / np.sqrt(steps[:, :, 0] + steps[:, :, 1])
    bounds = np.array([3.7103, 2.5114, 1.9930])  # Lan and DeMets, thirds, two-sided 0.05
    return np.mean((z >= bounds).any(axis=1)), found.right


DESIGNS: list[tuple[Callable[[Rng], tuple[float, float]], float, int]] = [
    (mcnemar_mid_p, 0.0, DRAWS),
    (mcnemar_exact, 0.0, DRAWS),
    (two_proportions, 0.0, DRAWS),
    (hardest_of_all_pairs, 0.0, DRAWS),
    (lambda rng: within_a_margin(rng, "equivalent"), 0.0, 400),
    (lambda rng: within_a_margin(rng, "not inferior"), 0.0, 400),
    (posterior_of_two, 0.0, 1000),
    (posterior_of_a_pair, 0.0, DRAWS),
    (wilson_width_reached, 0.0, DRAWS),
    (selection_of_three, 0.003, DRAWS),
    (area_of_exponential_scores, 0.04, 1500),  # a normal approximation
    (two_areas_from_a_pilot, 0.0, DRAWS),
    (kappa_of_two_raters, 0.03, DRAWS),  # a chi-squared approximation
    (akaike_on_common_items, 0.0, DRAWS),
    (clusters_of_ten, 0.02, 1500),  # robust z instead of the score test
    (five_trials_of_each_item, 0.02, 1500),
    (looks_of_a_posterior, 0.0, DRAWS),
    (looks_that_were_planned, 0.002, DRAWS),  # bounds of four decimals
]


@pytest.mark.parametrize(("design", "slack", "draws"), DESIGNS)
def test_tests_of_the_size_get_there_as_often_as_promised(design, slack, draws):
    share, promised = design(np.random.default_rng(20))
    assert abs(share - promised) <= 4 * sqrt(promised * (1 - promised) / draws) + slack


def test_the_sizes_behind_them_reach_their_target():
    assert paired_power(PAIR, paired_samples(PAIR).samples).power >= 0.8
    assert area_power(0.8, area_samples(0.8, null=0.65).samples, null=0.65) >= 0.8
    assert len(DESIGNS) >= 12
    assert comb(3, 2) == len(pair_alphas([0.9, 0.8, 0.6]))

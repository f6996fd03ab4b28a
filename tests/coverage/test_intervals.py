"""Stated coverage holds: exact where it can be summed, seeded simulation elsewhere."""

import numpy as np
import pytest
from scipy import stats

from steelyard.counts import ScoreTable
from steelyard.uncertainty import (
    auc_interval,
    clopper_pearson_interval,
    delong_variance,
    miettinen_nurminen_interval,
    pairs_won_twice,
    tango_interval,
    wilson_interval,
)

SHARES = np.linspace(0.005, 0.995, 199)


def exact_coverage(interval, n):
    """Coverage at every share, summed over all outcomes."""
    limits = np.array([interval(x, n) for x in range(n + 1)])
    chance = stats.binom.pmf(np.arange(n + 1)[:, None], n, SHARES)
    return (chance * ((limits[:, :1] <= SHARES) & (SHARES <= limits[:, 1:]))).sum(axis=0)


@pytest.mark.parametrize("n", [10, 30, 100])
def test_wilson_covers_what_it_says_on_average(n):
    coverage = exact_coverage(wilson_interval, n)
    # Summed exactly, so the bounds carry no luck: the mean is close, single shares may dip.
    assert coverage.mean() == pytest.approx(0.95, abs=0.006)
    assert coverage.min() > 0.83


@pytest.mark.parametrize("n", [10, 30, 100])
def test_clopper_pearson_never_covers_less_than_it_says(n):
    assert exact_coverage(clopper_pearson_interval, n).min() >= 0.95 - 1e-12


def within(hits, trials, low, high):
    """Is the share of hits compatible, at one in 10,000, with a coverage in [low, high]?"""
    return (
        stats.binom.sf(hits - 1, trials, high) > 1e-4 and stats.binom.cdf(hits, trials, low) > 1e-4
    )


@pytest.mark.parametrize(
    ("rates", "low", "high"),
    [
        ((0.70, 0.15, 0.10, 0.05), 0.94, 0.96),
        ((0.90, 0.05, 0.03, 0.02), 0.94, 0.965),
        ((0.50, 0.25, 0.05, 0.20), 0.94, 0.96),
        ((0.97, 0.01, 0.01, 0.01), 0.94, 1.0),
    ],
)
def test_tango_covers_what_it_says(rates, low, high):
    rng = np.random.default_rng(20261)
    tables, number = np.unique(rng.multinomial(100, rates, size=4000), axis=0, return_counts=True)
    truth = rates[1] - rates[2]
    hits = 0
    for cells, count in zip(tables.tolist(), number.tolist(), strict=True):
        ends = tango_interval(*cells)
        hits += count * (ends[0] <= truth <= ends[1])
    assert within(hits, 4000, low, high)


def test_miettinen_nurminen_covers_what_it_says():
    rng = np.random.default_rng(20262)
    draws = np.column_stack([rng.binomial(40, 0.9, 4000), rng.binomial(60, 0.75, 4000)])
    tables, number = np.unique(draws, axis=0, return_counts=True)
    hits = 0
    for (x, y), count in zip(tables.tolist(), number.tolist(), strict=True):
        ends = miettinen_nurminen_interval((x, 40), (y, 60))
        hits += count * (ends[0] <= 0.15 <= ends[1])
    assert within(hits, 4000, 0.94, 0.965)


@pytest.mark.parametrize(
    ("area", "positives", "negatives", "low", "high"),
    [(0.75, 30, 60, 0.935, 0.965), (0.95, 15, 15, 0.93, 0.985), (0.5, 25, 25, 0.935, 0.97)],
)
def test_the_interval_of_an_area_covers_what_it_says(area, positives, negatives, low, high):
    rng = np.random.default_rng(20263)
    shift = np.sqrt(2) * stats.norm.ppf(area)
    hits = 0
    for _ in range(2000):
        one = rng.normal(size=positives) + shift
        table = ScoreTable.from_scores(one, rng.normal(size=negatives))
        found = pairs_won_twice(table) / (2 * positives * negatives)
        ends = auc_interval(
            found, delong_variance(table), positives=positives, negatives=negatives
        ).limits
        hits += ends[0] <= area <= ends[1]
    assert within(hits, 2000, low, high)

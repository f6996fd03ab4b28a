"""Stated error rates of comparison methods, summed exactly where the counts are few."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from steelyard.comparison import (
    bootstrap_calls,
    compare_areas,
    fisher_exact,
    k_sample_chi_square,
    mcnemar,
    permute_calls,
    pool_differences,
    score_test,
)
from steelyard.counts import JointCalls, JointScores, PairTable
from steelyard.uncertainty import (
    DIFFERENCE_INTERVALS,
    PAIRED_DIFFERENCE_INTERVALS,
    delong_covariance,
    discordant_odds_interval,
    odds_ratio_score_interval,
    paired_ratio_interval,
    ratio_interval,
)

SIZE = 25
RATES = [(0.6, 0.6), (0.85, 0.7), (0.95, 0.9)]


def shares(first, second):
    """Chances of every pair of counts from two samples."""
    counts = np.arange(SIZE + 1)
    return np.outer(stats.binom.pmf(counts, SIZE, first), stats.binom.pmf(counts, SIZE, second))


def covered(limits, truth):
    low, high = limits
    return low <= truth and (high is None or truth <= high)


@pytest.mark.parametrize("name", DIFFERENCE_INTERVALS)
def test_intervals_of_independent_differences_cover_on_average(name):
    found = []
    for first, second in RATES:
        chances = shares(first, second)
        held = [
            [covered(DIFFERENCE_INTERVALS[name]((x, SIZE), (y, SIZE)), first - second)
             for y in range(SIZE + 1)]
            for x in range(SIZE + 1)
        ]  # fmt: skip
        found.append(float((chances * np.array(held)).sum()))
    least = 0.90 if name == "wald" else 0.935
    assert least < np.mean(found) < 0.985


@pytest.mark.parametrize(
    ("interval", "truth"),
    [
        (ratio_interval, lambda p, q: p / q),
        (odds_ratio_score_interval, lambda p, q: p * (1 - q) / (q * (1 - p))),
    ],
)
def test_ratios_of_independent_rates_cover_on_average(interval, truth):
    found = []
    for first, second in RATES[:2]:
        held = [
            [covered(interval((x, SIZE), (y, SIZE)), truth(first, second))
             for y in range(SIZE + 1)]
            for x in range(SIZE + 1)
        ]  # fmt: skip
        found.append(float((shares(first, second) * np.array(held)).sum()))
    assert 0.935 < np.mean(found) < 0.98


def pairs(seed, draws, size=40, cells=(0.7, 0.14, 0.08, 0.08)):
    drawn = np.random.default_rng(seed).multinomial(size, cells, size=draws)
    return [tuple(int(n) for n in row) for row in drawn]


@pytest.mark.parametrize("name", PAIRED_DIFFERENCE_INTERVALS)
def test_intervals_of_paired_differences_cover(name):
    drawn = pairs(1, 1500)
    seen = {cells: PAIRED_DIFFERENCE_INTERVALS[name](*cells) for cells in set(drawn)}
    share = np.mean([covered(seen[cells], 0.06) for cells in drawn])
    assert (0.90 if name == "wald" else 0.93) < share < 0.985


def test_the_paired_ratio_covers():
    drawn = pairs(2, 1500)
    seen = {cells: paired_ratio_interval(*cells) for cells in set(drawn)}
    assert 0.93 < np.mean([covered(seen[cells], 0.84 / 0.78) for cells in drawn]) < 0.975


def test_the_odds_of_discordant_items_never_cover_less_than_they_say():
    for number, odds in product((5, 12, 30), (0.25, 1.0, 3.0)):
        wins = np.arange(number + 1)
        held = [covered(discordant_odds_interval(int(w), number - int(w)), odds) for w in wins]
        assert stats.binom.pmf(wins, number, odds / (1 + odds)) @ held >= 0.95


@pytest.mark.parametrize(
    ("method", "most"), [("exact", 0.05), ("mid-p", 0.0525), ("asymptotic", 0.06)]
)
def test_mcnemars_tests_hold_their_size(method, most):
    for items, discordance in ((40, 0.2), (100, 0.2), (150, 0.1)):
        size = 0.0
        for number in range(1, 45):
            wins = np.arange(number + 1)
            tables = [
                PairTable(both=0, first=int(w), second=number - int(w), neither=0) for w in wins
            ]
            rejected = [mcnemar(table, method=method).p_value <= 0.05 for table in tables]
            given = stats.binom.pmf(wins, number, 0.5) @ rejected
            size += stats.binom.pmf(number, items, discordance) * given
        assert size <= most


def test_tests_of_independent_rates_hold_their_size():
    for rate in (0.3, 0.5, 0.8):
        chances = shares(rate, rate)
        for test, most in ((fisher_exact, 0.05), (score_test, 0.065)):
            rejected = np.array(
                [[test((x, SIZE), (y, SIZE)).p_value <= 0.05 for y in range(SIZE + 1)]
                 for x in range(SIZE + 1)]
            )  # fmt: skip
            assert (chances * rejected).sum() <= most


def test_the_k_sample_test_holds_its_size():
    drawn = np.random.default_rng(3).binomial(60, 0.7, size=(1500, 4))
    found = [k_sample_chi_square([(int(x), 60) for x in row]).p_value <= 0.05 for row in drawn]
    assert np.mean(found) < 0.068


def accuracy(tables):
    return np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))


def joint(cells):
    both, first, second, neither = cells
    rows = {("a", ("a", "a")): both, ("a", ("a", "b")): first, ("a", ("b", "a")): second,
            ("b", ("a", "a")): neither}  # fmt: skip
    return JointCalls.from_cells(rows, systems=("S", "T"), classes=("a", "b"))


def test_resampling_holds_its_size_and_covers():
    rng = np.random.default_rng(5)
    permuted, bootstrapped, held = [], [], []
    for cells in pairs(4, 300, size=120, cells=(0.7, 0.1, 0.1, 0.1)):
        permuted.append(
            permute_calls(joint(cells), accuracy, rng=rng, draws=199)[0].p_value <= 0.05
        )
        (pair,) = bootstrap_calls(joint(cells), accuracy, rng=rng, draws=399)
        bootstrapped.append(pair.p_value <= 0.05)
        held.append(pair.low <= 0 <= pair.high)
    assert np.mean(permuted) < 0.085
    assert np.mean(bootstrapped) < 0.095
    assert np.mean(held) > 0.905


def test_delong_holds_its_size():
    rng = np.random.default_rng(6)
    rejected = []
    for _ in range(400):
        truth = np.arange(120) < 50
        shared = truth + rng.normal(0, 1, 120)
        scores = {name: shared + rng.normal(0, 0.7, 120) for name in "ST"}
        areas, covariance = delong_covariance(JointScores.from_arrays(truth, scores))
        rejected.append(compare_areas(areas, covariance, 0, 1).p_value <= 0.05)
    assert np.mean(rejected) < 0.085


def test_pooled_groups_hold_their_size_though_groups_differ():
    rng = np.random.default_rng(7)
    rejected = []
    for _ in range(500):
        tables = []
        for _ in range(8):
            shift = rng.normal(0, 0.04)
            cells = rng.multinomial(100, (0.7, 0.1 + shift / 2, 0.1 - shift / 2, 0.1))
            tables.append(PairTable(both=int(cells[0]), first=int(cells[1]), second=int(cells[2]),
                                    neither=int(cells[3])))  # fmt: skip
        rejected.append(pool_differences(tables).p_value <= 0.05)
    assert np.mean(rejected) < 0.08

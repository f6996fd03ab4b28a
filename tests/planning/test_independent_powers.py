"""Power of the score test and sizes for all pairs, against double sums and simulation."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy import stats
from scipy.stats import binom

from steelyard.comparison import score_test
from steelyard.errors import RequestError
from steelyard.planning import (
    all_pairs_samples,
    independent_power,
    independent_samples,
    pair_alphas,
)
from steelyard.planning.tests.independent_powers import chance_below, largest_that, score_statistic
from steelyard.uncertainty import miettinen_nurminen_interval


@pytest.mark.parametrize(("first", "second", "samples"), [(0.9, 0.5, 15), (0.3, 0.1, 22)])
def test_power_is_the_double_sum_over_all_results(first, second, samples):
    power = wrong = 0.0
    for x, y in product(range(samples + 1), repeat=2):
        if score_test((x, samples), (y, samples)).p_value <= 0.05:
            weight = binom.pmf(x, samples, first) * binom.pmf(y, samples, second)
            power += weight * (x > y)
            wrong += weight * (x < y)
    found = independent_power(second, first, samples)
    assert found.power == pytest.approx(power, abs=1e-12)
    assert found.wrong == pytest.approx(wrong, abs=1e-12)


@pytest.mark.parametrize("null", [-0.31, -0.05, 0.08, 0.4])
def test_the_statistic_is_at_its_bound_at_the_ends_of_the_interval(null):
    rng = np.random.default_rng(4)
    for _ in range(15):
        x, y = rng.integers(1, 60, size=2)
        z = float(
            score_statistic(np.array([x + 0.0]), np.array([y + 0.0]), samples=60, null=null)[0]
        )
        low, high = miettinen_nurminen_interval((int(x), 60), (int(y), 60))
        assert (abs(z) <= 1.959963984540054) == (low <= null <= high)


def test_planned_samples_reach_the_power_in_simulation():
    for seed, (first, second) in enumerate([(0.9, 0.8), (0.6, 0.5), (0.3, 0.1)]):
        size = independent_samples(first, second)
        rng = np.random.default_rng(seed)
        x, y = rng.binomial(size.samples, [first, second], size=(4000, 2)).T.astype(float)
        hits = np.sum(score_statistic(x, y, samples=size.samples) >= 1.959963984540054)
        assert abs(hits - 4000 * size.reached) < 4 * sqrt(4000 * 0.16)
        assert size.reached >= 0.8
        assert abs(size.samples - size.approximate) <= 6


def test_more_pairs_take_a_smaller_share_of_alpha_and_more_samples():
    rates = [0.9, 0.85, 0.75]
    needed = {
        way: all_pairs_samples(rates, multiplicity=way).samples
        for way in ("none", "shaffer", "bonferroni")
    }
    assert needed["none"] == needed["shaffer"] < needed["bonferroni"]
    shares = pair_alphas([0.9, 0.8, 0.6, 0.55])
    assert sorted(0.05 / share for share in shares.values()) == pytest.approx([1, 2, 3, 3, 3, 6])


def test_every_pair_of_several_reaches_its_power():
    size = all_pairs_samples([0.9, 0.85, 0.75])
    for pair in size.pairs:
        rates = [(0.9, 0.85, 0.75)[place] for place in (pair.first, pair.second)]
        assert independent_power(*rates, size.samples, alpha=pair.alpha).power >= 0.8


def test_edges_are_found_element_by_element():
    top = np.array([5.0, 0.0, 9.0])
    assert largest_that(lambda y: y < np.array([0.0, 9.0, 4.5]), top).tolist() == [-1.0, 0.0, 4.0]
    below = chance_below(np.array([-1.0, 3.0, 10.0]), samples=10, rate=0.3)
    assert below == pytest.approx([0, binom.cdf(3, 10, 0.3), 1], abs=1e-14)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: independent_samples(0.9, 0.9), r"Both rates are 0\.9.*0\.89"),
        (lambda: independent_power(0.9, 0.8, 0), "at least 1"),
        (lambda: independent_samples(0.9, 0.8, power=1.0), r"power=1\.0"),
        (lambda: pair_alphas([0.9, 0.8], multiplicity="holm"), "multiplicity='holm'"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()


def test_a_tiny_difference_goes_beyond_the_limit():
    assert independent_samples(0.9, 0.899, limit=10_000).samples is None
    assert all_pairs_samples([0.9, 0.899, 0.5], limit=10_000).samples is None


@pytest.mark.parametrize(
    ("first", "second", "tested"),
    [(0.9, 0.8, (80, 40)), (0.8, 0.9, (80, 40)), (0.6, 0.45, (25, 75)), (0.99, 0.9, (30, 90))],
)
def test_unequal_shares_have_the_power_of_a_sum_over_all_results(first, second, tested):
    samples = sum(tested) / 2
    found = independent_power(
        first, second, int(samples), shares=(tested[0] / samples, tested[1] / samples)
    )
    x, y = np.arange(tested[0] + 1)[:, None], np.arange(tested[1] + 1)
    total = sum(tested)
    mean = (x + y) / total
    variance = total / (total - 1) * mean * (1 - mean) * (1 / tested[0] + 1 / tested[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(variance > 0, (x / tested[0] - y / tested[1]) / np.sqrt(variance), 0.0)
    called = (z if first > second else -z) >= stats.norm.isf(0.025)
    chances = [
        stats.binom.pmf(np.arange(n + 1), n, p)
        for n, p in zip(tested, (first, second), strict=True)
    ]
    assert found.power == pytest.approx(chances[0] @ called @ chances[1], rel=1e-10)


def test_unequal_shares_take_more_samples_in_all():
    even = independent_samples(0.9, 0.8).samples
    uneven = independent_samples(0.9, 0.8, shares=(4 / 3, 2 / 3)).samples
    assert even < uneven < 2 * even


@pytest.mark.parametrize("shares", [(0.0, 1.0), (-1.0, 3.0), (float("nan"), 1.0)])
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(RequestError, match="shares"):
        independent_power(0.9, 0.8, 50, shares=shares)

from math import comb, exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binom

from steelyard.comparison.akaike.criterion import (
    akaike_common,
    akaike_incomplete,
    akaike_independent,
    akaike_pairs,
)
from steelyard.comparison.akaike.unknown_overlap import maximum_log_likelihoods
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import CountsError


# Recomputed from Ozeki's formulas; the paper prints curves only.
@pytest.mark.parametrize(
    ("second", "difference"), [(185, -0.927), (194, -0.948), (181, 1.058), (197, 2.103)]
)
def test_independent_sets_give_the_numbers_of_figure_one(second, difference):
    answer = akaike_independent((190, 200), (second, 200))
    assert round(answer.difference, 3) == difference
    assert answer.verdict == ("different" if difference > 1 else "undecided")


@pytest.mark.parametrize(
    ("second", "difference"), [(189, -0.966), (191, -0.966), (182, 1.061), (196, 1.135)]
)
def test_incomplete_counts_give_the_numbers_of_figure_one(second, difference):
    assert round(akaike_incomplete(190, second, tested=200).difference, 3) == difference


@pytest.mark.parametrize(("both", "difference"), [(184, -0.989), (189, 0.911), (190, 3.545)])
def test_complete_counts_give_the_numbers_of_figure_four(both, difference):
    pair = PairTable(both=both, first=190 - both, second=194 - both, neither=both - 184)
    assert round(akaike_common(pair).difference, 3) == difference


def test_independent_sets_separate_better_than_blurred_common_ones_far_away():
    def better(second):
        apart = akaike_independent((190, 200), (second, 200)).difference
        return apart > akaike_incomplete(190, second, tested=200).difference

    assert [better(second) for second in (176, 177, 198, 199)] == [True, False, False, True]


def test_the_iteration_from_independence_would_stop_at_the_lower_maximum():
    # EM from independence: for free rates that start is a fixed point already, for equal rates
    # it climbs to the lower of two maxima. The difference would be -1.950.
    n, m_s, m_t = 200, 190, 191
    rate = (m_s + m_t) / (2 * n)
    p1 = rate * (1 - rate)
    n3 = np.arange(m_s + m_t - n, m_s + 1)
    cells = [m_s - n3, m_t - n3, n3, n - m_s - m_t + n3]
    shape = lgamma(n + 1) - sum(np.array([lgamma(c + 1) for c in cell]) for cell in cells)
    for _ in range(20000):
        shares = np.log([p1, p1, rate - p1, 1 - rate - p1])
        terms = shape + sum(c * s for c, s in zip(cells, shares, strict=True))
        weight = np.exp(terms - terms.max())
        p1 = float(weight @ (m_s + m_t - 2 * n3)) / weight.sum() / (2 * n)
    local = terms.max() + log(weight.sum())
    apart = binom.logpmf(m_s, n, m_s / n) + binom.logpmf(m_t, n, m_t / n)
    same, free = maximum_log_likelihoods(m_s, m_t, tested=n)
    assert round(2 * (apart - local) - 2, 3) == -1.950
    assert same > local + 0.4
    assert free > apart + 0.4


@settings(max_examples=25)
@given(st.integers(1, 14), st.data())
def test_the_global_maximum_is_that_of_the_whole_simplex(n, data):
    m_s, m_t = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    lowest, highest = max(0, m_s + m_t - n), min(m_s, m_t)
    n3 = np.arange(lowest, highest + 1)
    cells = np.array([m_s - n3, m_t - n3, n3, n - m_s - m_t + n3])
    ways = [
        comb(n, c[0]) * comb(n - c[0], c[1]) * comb(n - c[0] - c[1], c[2]) for c in cells.T.tolist()
    ]

    def log_sum(shares):
        return log(max(float(ways @ np.prod(shares[:, None] ** cells, axis=0)), 1e-300))

    def from_free(x):
        shares = np.exp(x - x.max())
        return shares / shares.sum()

    def from_equal(x):
        return from_free(np.array([x[0], x[0], x[1], x[2]]))

    # Many starts inside, and all the points at which one single overlap would fit perfectly:
    # some of those lie on edges that a search from inside does not reach.
    rng = np.random.default_rng(n)
    same, free = maximum_log_likelihoods(m_s, m_t, tested=n)
    level = cells.copy().astype(float)
    level[:2] = level[:2].mean(axis=0)
    for size, make, found, fits in ((3, from_equal, same, level), (4, from_free, free, cells)):
        best = max(
            -minimize(lambda x, m=make: -log_sum(m(x)), rng.normal(0, 3, size)).fun
            for _ in range(6)
        )
        best = max(best, *(log_sum(fit / n) for fit in fits.T))
        assert found >= best - 1e-9
        assert found <= best + 0.05  # the search inside comes close to other edges only


def test_the_free_maximum_sits_on_an_edge_where_a_single_term_is_left():
    # n3 = 190 = m_S, nobody but T alone right: multinomial with cells 0, 4, 190, 6.
    _, free = maximum_log_likelihoods(190, 194, tested=200)
    term = lgamma(201) - lgamma(5) - lgamma(191) - lgamma(7)
    term += 4 * log(4 / 200) + 190 * log(190 / 200) + 6 * log(6 / 200)
    assert free == pytest.approx(term, abs=1e-10)


@given(st.integers(1, 60), st.data())
def test_exchanging_the_systems_or_right_and_wrong_changes_nothing(n, data):
    m_s, m_t = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    given_order = akaike_incomplete(m_s, m_t, tested=n).difference
    assert akaike_incomplete(m_t, m_s, tested=n).difference == pytest.approx(given_order, abs=1e-9)
    mirrored = akaike_incomplete(n - m_s, n - m_t, tested=n).difference
    assert mirrored == pytest.approx(given_order, abs=1e-9)
    apart = akaike_independent((m_s, n), (m_t, n)).difference
    assert akaike_independent((n - m_t, n), (n - m_s, n)).difference == pytest.approx(apart)


@given(st.integers(1, 200), st.integers(1, 200), st.data())
def test_the_difference_is_that_of_the_full_likelihoods(n_s, n_t, data):
    m_s, m_t = data.draw(st.integers(0, n_s)), data.draw(st.integers(0, n_t))
    pooled = (m_s + m_t) / (n_s + n_t)
    same = binom.logpmf(m_s, n_s, pooled) + binom.logpmf(m_t, n_t, pooled)
    free = binom.logpmf(m_s, n_s, m_s / n_s) + binom.logpmf(m_t, n_t, m_t / n_t)
    answer = akaike_independent((m_s, n_s), (m_t, n_t))
    assert answer.difference == pytest.approx((-2 * same + 2) - (-2 * free + 4), abs=1e-9)
    assert answer.aic_same - answer.aic_different == pytest.approx(answer.difference, abs=1e-9)
    assert answer.bic_difference == pytest.approx(answer.difference + 2 - log(n_s + n_t))


def test_weights_are_those_of_the_two_models():
    answer = akaike_independent((190, 200), (197, 200))
    ratio = exp((answer.aic_same - answer.aic_different) / 2)
    assert answer.weight_different / answer.weight_same == pytest.approx(ratio, rel=1e-12)
    assert answer.weight_different + answer.weight_same == pytest.approx(1, abs=1e-15)
    extreme = akaike_independent((0, 10**6), (10**6, 10**6))
    assert extreme.weight_same < 1e-300
    assert extreme.weight_different == 1


def test_thousands_of_items_agree_with_a_plain_sum_over_a_dense_grid():
    n, m_s, m_t = 3000, 2700, 2725
    half = (m_s + m_t) / 2
    n3 = np.arange(m_s + m_t - n, m_s + 1)
    cells = [m_s - n3, m_t - n3, n3, n - m_s - m_t + n3]
    shape = lgamma(n + 1) - sum(np.array([lgamma(c + 1) for c in cell]) for cell in cells)
    best = -np.inf
    for c1 in np.linspace(0.05, n - half - 0.05, 6000):
        shares = np.log(np.array([c1, c1, half - c1, n - half - c1]) / n)
        terms = shape + sum(c * s for c, s in zip(cells, shares, strict=True))
        best = max(best, terms.max() + log(np.exp(terms - terms.max()).sum()))
    same, _ = maximum_log_likelihoods(m_s, m_t, tested=n)
    assert best - 1e-9 < same < best + 1e-3


@pytest.mark.parametrize("counts", [(0, 0, 1), (1, 1, 1), (0, 5, 5), (5, 5, 5), (0, 0, 9)])
def test_the_edges_of_the_counts_are_answered(counts):
    first, second, tested = counts
    answer = akaike_incomplete(first, second, tested=tested)
    assert np.isfinite(answer.difference)
    if first == second:
        assert answer.difference == pytest.approx(-2, abs=1e-12)


def test_pairs_of_several_systems_are_the_pair_tables():
    outcomes = Outcomes.from_patterns({1: 9, 3: 8, 7: 70, 0: 13}, systems=["A", "B", "C"])
    found = {(pair.first, pair.second): pair.comparison for pair in akaike_pairs(outcomes)}
    assert found == {names: akaike_common(pair) for names, pair in outcomes.pairs().items()}


def test_impossible_counts_are_refused():
    with pytest.raises(CountsError, match="5 right of 4"):
        akaike_independent((5, 4), (1, 4))
    with pytest.raises(CountsError, match="need 0 <= right"):
        akaike_incomplete(-1, 3, tested=4)
    with pytest.raises(CountsError, match="no items"):
        akaike_common(PairTable(both=0, first=0, second=0, neither=0))


def test_many_items_with_unknown_overlap_lose_no_digits():
    # Right and wrong change places: the same likelihood, the other branch of the root.
    found = akaike_incomplete(190_000, 190_200, tested=200_000).difference
    assert akaike_incomplete(10_000, 9_800, tested=200_000).difference == pytest.approx(found)

"""Rates of independent samples with small counts: the verdict holds its level, and agrees."""

from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

import steelyard as sy
from certificates.apart import SCORE, VERDICT
from steelyard.comparison import (
    compare_with_best,
    compare_with_control,
    fisher_exact,
    independent_interval,
    independent_test,
    score_test,
    unconditional_exact,
)
from steelyard.comparison.exact.independent import ENOUGH, TABLES
from steelyard.counts import Trials


def test_nine_of_ten_against_995_of_1000_is_not_told_apart():
    trials = Trials(correct={"S": 9, "T": 995}, tested={"S": 10, "T": 1000}, pairing="independent")
    found = sy.compare(trials)
    (pair,) = found.pairs
    # Fisher .0581 and Boschloo .0525, as R's fisher.test and Exact::exact.test have them.
    assert pair.p_value == pytest.approx(0.052524, abs=1e-6)
    assert pair.verdict == "undecided"
    assert pair.difference.interval.low <= 0 <= pair.difference.interval.high
    assert pair.difference.interval.method == "miettinen-nurminen-to-0"
    assert "exact tests by Boschloo" in found.primary


def test_the_answer_says_which_tests_were_used_and_for_how_many_pairs():
    trials = Trials(
        correct={"A": 9, "B": 9_000, "C": 9_100}, tested={"A": 10, "B": 10_000, "C": 10_000},
        pairing="independent",
    )  # fmt: skip
    primary = sy.compare(trials).primary
    assert "exact tests by Boschloo (2 pairs) and score tests (1 pair)" in primary


def test_the_choice_looks_at_the_number_right_in_all_alone():
    for s in (0, 40, 4000):
        used = {
            independent_test((x, 60_000), (s - x, 90_000)).method
            for x in range(0, s + 1, max(1, s // 7))
        }
        assert len(used) == 1


def rejection_size(first, second, rate):
    """Sum the chances of all tables that are rejected at 5 %."""
    one, two = (
        binom.pmf(np.arange(first + 1), first, rate),
        binom.pmf(np.arange(second + 1), second, rate),
    )
    return sum(
        one[x] * two[y]
        for x in range(first + 1)
        for y in range(second + 1)
        if independent_test((x, first), (y, second)).p_value <= 0.05
    )


@pytest.mark.parametrize(("first", "second"), [(2, 30), (5, 12), (1, 60)])
def test_no_more_than_five_in_a_hundred_equal_systems_are_told_apart(first, second):
    for rate in (0.03, 0.1, 0.3, 0.5, 0.9, 0.98):
        assert rejection_size(first, second, rate) <= 0.05 + 1e-9


def test_the_score_test_alone_errs_where_one_sample_is_small():
    cell = {"first": 2, "times": 100.0, "rate": 0.01}
    assert SCORE.at(cell, 1, 0).share > 0.01
    worst = max(
        SCORE.at({"first": n, "times": 100.0, "rate": rate}, 1, 0).share
        for n in (2, 4, 10)
        for rate in (0.9, 0.95, 0.98, 0.99)
    )
    assert worst > 0.09


@pytest.mark.parametrize(
    "cell",
    [
        {"first": 10, "times": 100.0, "rate": 0.995},
        {"first": 4, "times": 50.0, "rate": 0.9},
        {"first": 900, "times": 100.0, "rate": 0.5},
        {"first": 20_000, "times": 5.0, "rate": 0.01},
        {"first": 3_000, "times": 30.0, "rate": 0.9},
    ],
)
def test_the_verdict_keeps_its_level_in_hard_cells(cell):
    assert VERDICT.at(cell, 1, 0).share <= 0.055


@pytest.mark.parametrize(
    ("behind", "ahead"),
    [((1764, 2069), (8987, 10345)), ((4204, 4453), (84668, 89060)), ((2907, 3161), (58724, 63220))],
)
def test_one_more_right_answer_of_the_leader_never_loses_the_verdict(behind, ahead):
    # At a sharp edge between the tests p rose from 0.0491 to 0.0517.
    right, tested = ahead
    found = [independent_test(behind, (right + more, tested)).p_value for more in range(-20, 21)]
    assert all(later < sooner for sooner, later in pairwise(found))


def test_between_the_tests_fisher_fades_into_the_score_test():
    samples = (1764, 2069), (8987, 10345)
    found = independent_test(*samples)
    low, high = score_test(*samples).p_value, fisher_exact(*samples).p_value
    m, n, right = 2069, 10345, 1764 + 8987
    spread = m * n * right * (m + n - right) / (m + n) ** 2 / (m + n - 1)
    assert found.method == "fisher-score"
    assert found.p_value == pytest.approx(low + (2 - spread / 200) * (high - low), rel=1e-12)


def test_large_samples_are_answered_by_the_score_test_at_once():
    found = independent_test((500_020_000, 10**9), (499_950_000, 10**9))
    assert found.method == "score"
    assert found.p_value == score_test((500_020_000, 10**9), (499_950_000, 10**9)).p_value
    assert independent_test((3, 10), (10**8, 10**9)).method == "fisher"


@settings(deadline=None, max_examples=40)
@given(
    first=st.tuples(st.integers(0, 12), st.integers(1, 12)).filter(lambda s: s[0] <= s[1]),
    second=st.tuples(st.integers(0, 300), st.integers(1, 300)).filter(lambda s: s[0] <= s[1]),
    level=st.sampled_from([0.8, 0.9, 0.95, 0.99]),
)
def test_interval_and_test_agree_on_whether_there_is_no_difference(first, second, level):
    interval = independent_interval(first, second, level=level)
    rejected = independent_test(first, second).p_value <= 1 - level
    # A limit drawn out to 0 holds it; one beyond it does not.
    assert rejected == (not interval.low <= 0 <= interval.high)


def test_the_p_value_is_never_below_that_of_the_score_test():
    for x in range(0, 8):
        for y in range(0, 41, 5):
            pair = (x, 7), (y, 40)
            assert independent_test(*pair).p_value >= score_test(*pair).p_value
            assert independent_test(*pair).p_value >= unconditional_exact(*pair).p_value


def test_designs_small_enough_for_boschloo_never_reach_the_score_test():
    # n1 n2/N pq >= 200 needs n1 n2 >= 800 N: more tables than Boschloo's test is given.
    smallest = min(n for n in range(2, 5000) if n * n / (2 * n) / 4 >= ENOUGH)
    assert (smallest + 1) ** 2 > TABLES


def test_methods_against_a_control_or_the_best_hold_sparse_counts_too():
    trials = Trials(correct={"S": 9, "T": 995}, tested={"S": 10, "T": 1000}, pairing="independent")
    (row,) = compare_with_control(trials, "T", sparse="exact")
    assert row.p_value == independent_test((9, 10), (995, 1000)).p_value
    assert all(one.may_be_best for one in compare_with_best(trials, sparse="exact"))
    assert not all(one.may_be_best for one in compare_with_best(trials))
    working = sy.compare(trials, method="with-best")
    assert working.decision == "undecided"


def exact_fisher(first, second):
    """Fisher's p-value in whole numbers."""
    (x, m), (y, n) = first, second
    s = x + y
    ways = [comb(m, k) * comb(n, s - k) for k in range(max(0, s - n), min(m, s) + 1)]
    seen = comb(m, x) * comb(n, y)
    return Fraction(sum(w for w in ways if w <= seen), comb(m + n, s))


@settings(deadline=None)
@given(
    first=st.tuples(st.integers(0, 40), st.integers(1, 40)).filter(lambda s: s[0] <= s[1]),
    second=st.tuples(st.integers(0, 90), st.integers(1, 90)).filter(lambda s: s[0] <= s[1]),
)
def test_fishers_test_is_that_of_whole_numbers(first, second):
    assert fisher_exact(first, second).p_value == pytest.approx(
        float(exact_fisher(first, second)), rel=1e-12
    )


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    # mpmath, 50 digits: sums of ratios of neighbouring points from the table seen outwards.
    [
        (((5_000_500), 10**7), (4_998_000, 10**7), 0.26374351373011776),
        ((990, 10**7), (1080, 10**7), 0.05040792863494632),
        ((3, 10), (10**8, 10**9), 0.07019082889670982),
        ((50, 10**5), (3 * 10**5, 10**9), 0.0006853460471228140),
    ],
)
def test_fishers_test_keeps_its_digits_at_ten_million(first, second, expected):
    assert fisher_exact(first, second).p_value == pytest.approx(expected, rel=1e-12)

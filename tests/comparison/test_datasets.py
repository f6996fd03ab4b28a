from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from steelyard.comparison.datasets.ranks import (
    average_ranks,
    friedman,
    midranks,
    nemenyi,
    range_quantile,
)
from steelyard.errors import NotComparable, RequestError

# Demšar (2006), table 6: AUC of C4.5 with and without pruning parameters on 14 data sets. The
# last two systems both show 0.975 on "voting" but have the ranks 2 and 3: 0.9751 stands for that.
DEMSAR = {
    "C4.5": [
        0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661, 0.583, 0.775, 1.0, 0.940, 0.619, 0.972,
        0.957,
    ],
    "C4.5+m": [
        0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668, 0.583, 0.838, 1.0, 0.962, 0.666, 0.981,
        0.978,
    ],
    "C4.5+cf": [
        0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609, 0.563, 0.866, 1.0, 0.965, 0.614, 0.9751,
        0.946,
    ],
    "C4.5+m+cf": [
        0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685, 0.625, 0.875, 1.0, 0.962, 0.669, 0.975,
        0.970,
    ],
}  # fmt: skip


def test_the_published_example_has_its_ranks_and_statistics():
    # Printed: ranks 3.143, 2.000, 2.893, 1.964; chi-square 9.28, F 3.69 (without tie correction).
    answer = friedman(DEMSAR, correct_ties=False)
    assert [round(rank, 3) for rank in answer.ranks.ranks] == [3.143, 2.0, 2.893, 1.964]
    assert round(answer.statistic, 2) == 9.28
    assert round(answer.f_statistic, 2) == 3.69


def test_the_published_critical_differences_are_met():
    # Printed: q .05 is 2.569 and CD 1.25; q .10 is 2.291 and CD 1.12.
    for alpha, quantile, difference in ((0.05, 2.569, 1.25), (0.10, 2.291, 1.12)):
        answer = nemenyi(DEMSAR, alpha=alpha)
        assert round(range_quantile(1 - alpha, 4) / sqrt(2), 3) == quantile
        assert round(answer.critical_difference, 2) == difference
    told = [(p.first, p.second) for p in answer.pairs if p.p_value <= 0.10]
    assert told == [("C4.5", "C4.5+m"), ("C4.5", "C4.5+m+cf")]


tables = st.integers(3, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=3, max_size=12)
)


@given(tables)
def test_the_statistic_is_that_of_scipy_with_ties(rows):
    columns = np.array(rows, dtype=float).T
    scores = {f"s{k}": column.tolist() for k, column in enumerate(columns)}
    answer = friedman(scores)
    if all(len(set(row)) == 1 for row in rows):
        assert (answer.statistic, answer.p_value) == (None, 1.0)
        return
    theirs = friedmanchisquare(*columns)
    assert answer.statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert answer.p_value == pytest.approx(theirs.pvalue, abs=1e-10)


def test_turning_the_direction_turns_the_ranks():
    up, down = average_ranks(DEMSAR), average_ranks(DEMSAR, better="lower")
    assert np.add(up.ranks, down.ranks) == pytest.approx([5.0] * 4)
    assert friedman(DEMSAR).statistic == pytest.approx(friedman(DEMSAR, better="lower").statistic)


def test_unanimous_data_sets_leave_no_error_to_compare_with():
    scores = {"A": [3, 3, 3], "B": [2, 2, 2], "C": [1, 1, 1]}
    answer = friedman(scores)
    assert answer.statistic == pytest.approx(6)
    assert (answer.f_statistic, answer.f_p_value) == (None, 0.0)


def test_a_p_value_near_nothing_keeps_its_digits():
    # Reference: the integral for the tail in 60 digits, trapezoidal rule with two steps.
    scores = {name: [-float(rank)] * 400 for rank, name in enumerate("ABCD")}
    answer = nemenyi(scores)
    assert answer.pairs[2].difference == -3
    assert answer.pairs[2].p_value == pytest.approx(4.405122687238608e-236, rel=1e-11, abs=0)


def test_p_values_and_the_critical_difference_agree():
    answer = nemenyi(DEMSAR)
    for pair in answer.pairs:
        assert (pair.p_value <= 0.05) == (abs(pair.difference) >= answer.critical_difference)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=20))
def test_midranks_add_up(values):
    ranks = midranks(np.array(values, dtype=float))
    assert ranks.sum() == pytest.approx(len(values) * (len(values) + 1) / 2)


def test_incomplete_tables_are_refused():
    for scores in ({"A": [1, 2]}, {"A": [1, 2], "B": [1]}, {"A": [1], "B": [2]}):
        with pytest.raises(NotComparable, match="at least two systems"):
            friedman(scores)
    with pytest.raises(NotComparable, match="finite"):
        friedman({"A": [1, 2], "B": [1, float("nan")]})
    with pytest.raises(RequestError, match="better"):
        average_ranks(DEMSAR, better="up")
    with pytest.raises(RequestError, match="alpha"):
        nemenyi(DEMSAR, alpha=5)

"""The no-information rate and its exact test."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from steelyard.counts import SCALE, Confusion, WeightSums
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import no_information_rate, no_information_test

cell = st.integers(0, 30)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)


@given(square.filter(lambda m: any(map(any, m))))
def test_the_binomial_form_is_scipys_exact_binomial_test(matrix):
    table = Confusion.from_matrix(matrix)
    found = no_information_test(table, method="binomial")
    expected = binomtest(table.right, table.total, found.rate, alternative="greater").pvalue
    assert found.p_value == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found.rate == no_information_rate(table).value


@given(square.filter(lambda m: any(map(any, m))))
def test_the_paired_form_is_the_sign_test_against_a_constant_system(matrix):
    table = Confusion.from_matrix(matrix)
    found = no_information_test(table)
    largest = table.classes.index(found.largest)
    ahead = sum(matrix[k][k] for k in range(3) if k != largest)
    behind = sum(matrix[largest]) - matrix[largest][largest]
    expected = 1.0
    if ahead + behind:
        expected = binomtest(ahead, ahead + behind, alternative="greater").pvalue
    assert found.p_value == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert found.accuracy - found.rate == pytest.approx((ahead - behind) / table.total)


def test_the_useless_system_is_not_above_the_bar():
    table = Confusion.from_binary(tp=0, fp=0, fn=50, tn=4950)
    found = no_information_test(table)
    assert (found.largest, found.rate, found.accuracy) == ("negative", 0.99, 0.99)
    assert found.p_value == 1
    assert 0.4 < no_information_test(table, method="binomial").p_value < 0.6
    assert no_information_test(Confusion.from_matrix([[0, 5], [5, 0]])).p_value == 1


def test_an_unknown_test_is_answered_with_the_known_ones():
    with pytest.raises(RequestError, match="paired"):
        no_information_test(Confusion.from_matrix([[5, 0], [0, 5]]), method="exact")


def test_empty_and_weighted_tables_are_refused():
    with pytest.raises(NotComparable, match="no items"):
        no_information_test(Confusion.from_cells({}, classes=["a"]))
    weights = {("a", "a"): WeightSums(SCALE, SCALE)}
    with pytest.raises(NotComparable, match="weights"):
        no_information_test(Confusion.from_cells({("a", "a"): 1}, weights=weights))

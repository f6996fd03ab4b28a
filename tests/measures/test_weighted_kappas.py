"""Weighted kappa against statsmodels (value, ASE1, ASE0) and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures import (
    agreement_weights,
    cohen_kappa,
    kappa_test,
    weighted_kappa,
    weighted_kappa_test,
)
from steelyard.uncertainty import normal_quantile

ORDER = ["0", "1", "2"]
POWER = {"linear": 1, "quadratic": 2}
cell = st.integers(0, 30)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)


@given(square, st.sampled_from(["linear", "quadratic"]))
def test_values_and_both_errors_agree_with_statsmodels(matrix, weights):
    table = Confusion.from_matrix(matrix)
    found = weighted_kappa(table, weights=weights, order=ORDER)
    if found.standard_error is None:
        return
    theirs = cohens_kappa(np.array(matrix), wt=weights, return_results=True)
    assert found.value == pytest.approx(theirs.kappa, abs=1e-10)
    assert found.standard_error**2 == pytest.approx(theirs.var_kappa, abs=1e-10)
    half = normal_quantile(0.95) * found.standard_error
    assert found.interval.low == pytest.approx(max(-1, found.value - half), abs=1e-12)
    assert found.interval.high == pytest.approx(min(1, found.value + half), abs=1e-12)
    test = weighted_kappa_test(table, weights=weights, order=ORDER)
    assert test.standard_error**2 == pytest.approx(theirs.var_kappa0, abs=1e-10)
    assert test.p_value == pytest.approx(theirs.pvalue_two_sided, abs=1e-9)


@given(square)
def test_without_weights_it_is_cohens_kappa_and_its_test(matrix):
    table = Confusion.from_matrix(matrix)
    one, two = weighted_kappa(table, weights="unweighted"), cohen_kappa(table)
    if two.standard_error is None:
        return
    assert one.value == pytest.approx(two.value, abs=1e-12)
    assert one.standard_error == pytest.approx(two.standard_error, abs=1e-10)
    ours = kappa_test(table)
    theirs = cohens_kappa(np.array(matrix), return_results=True)
    assert ours.standard_error**2 == pytest.approx(theirs.var_kappa0, abs=1e-12)
    assert ours.p_value == pytest.approx(theirs.pvalue_two_sided, abs=1e-10)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_scikit_learn_agrees(weights):
    matrix = [[53, 5, 2], [11, 14, 5], [1, 6, 3]]
    rows = [(i, j) for i in range(3) for j in range(3) for _ in range(matrix[i][j])]
    expected = cohen_kappa_score(*zip(*rows, strict=True), weights=weights)
    found = weighted_kappa(Confusion.from_matrix(matrix), weights=weights, order=ORDER)
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_given_weights_and_the_order_decide():
    table = Confusion.from_matrix([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    linear = agreement_weights(ORDER, "linear", order=ORDER)
    given_weights = {(a, b): linear[i, j] for i, a in enumerate(ORDER) for j, b in enumerate(ORDER)}
    one = weighted_kappa(table, weights=given_weights)
    assert one.value == weighted_kappa(table, weights="linear", order=ORDER).value
    other = weighted_kappa(table, weights="linear", order=["1", "0", "2"])
    assert other.value != one.value


def test_complete_agreement_keeps_width():
    found = weighted_kappa(
        Confusion.from_matrix([[10, 0, 0], [0, 10, 0], [0, 0, 10]]), weights="linear", order=ORDER
    )
    assert (found.value, found.interval.high) == (1, 1)
    assert 0 < found.interval.low < 1


@pytest.mark.parametrize("method", ["ase1", "adjusted"])
def test_with_two_classes_it_has_kappas_interval(method):
    table = Confusion.from_matrix([[25, 10], [5, 60]])
    one = weighted_kappa(table, order=["0", "1"], method=method).interval
    two = cohen_kappa(table, method=method).interval
    assert one.method == two.method
    assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-12)


def test_an_order_that_was_not_given_is_not_guessed():
    table = Confusion.from_matrix([[5, 1], [1, 5]], classes=["low", "high"])
    with pytest.raises(RequestError, match="needs the order of the classes, and got nothing"):
        weighted_kappa(table, weights="linear")
    with pytest.raises(RequestError, match="got low, mid"):
        weighted_kappa(table, weights="linear", order=["low", "mid"])
    with pytest.raises(RequestError, match="adjusted"):
        weighted_kappa(table, order=["low", "high"], method="bayes")
    with pytest.raises(RequestError, match="weights='cubic'"):
        weighted_kappa(table, weights="cubic", order=["low", "high"])
    with pytest.raises(RequestError, match="every pair of different classes"):
        weighted_kappa(table, weights={("low", "high"): 1.5})


def test_undefined_tables_have_a_reason():
    alone = Confusion.from_matrix([[9, 0], [0, 0]])
    assert weighted_kappa(alone, order=["0", "1"]).reason
    assert weighted_kappa_test(alone, order=["0", "1"]) is None
    assert kappa_test(alone) is None
    all_alike = weighted_kappa(Confusion.from_matrix([[3, 1], [1, 3]]), weights={("0", "1"): 1.0})
    assert "under these weights" in all_alike.reason

"""MCC: scikit-learn's values, a numerical derivative, edges with width."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef

from steelyard.counts import Confusion
from steelyard.measures import cohen_kappa, mcc

cell = st.integers(0, 12)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)


@given(square)
def test_values_are_those_of_scikit_learn_where_it_is_defined(matrix):
    table = Confusion.from_matrix(matrix)
    found = mcc(table)
    rows = [(i, j) for i in range(3) for j in range(3) for _ in range(matrix[i][j])]
    if found.value is None:
        assert len({t for t, _ in rows}) <= 1 or len({c for _, c in rows}) <= 1
        assert found.reason
        return
    truth, called = zip(*rows, strict=True)
    assert found.value == pytest.approx(matthews_corrcoef(truth, called), abs=1e-12)
    if found.interval:
        assert -1 <= found.interval.low <= found.value <= found.interval.high <= 1
        assert found.interval.low < found.interval.high


def coefficient(p):
    t, c = p.sum(axis=1), p.sum(axis=0)
    return (np.trace(p) - t @ c) / np.sqrt((1 - c @ c) * (1 - t @ t))


@pytest.mark.parametrize("matrix", [[[8, 2], [1, 9]], [[8, 2, 1], [1, 9, 3], [0, 2, 20]]])
def test_the_standard_error_is_that_of_a_numerical_derivative(matrix):
    cells = np.array(matrix, float)
    n = cells.sum()
    p = cells / n
    gradient = np.zeros_like(p)
    for place in np.ndindex(p.shape):
        step = np.zeros_like(p)
        step[place] = 1e-6
        gradient[place] = (coefficient(p + step) - coefficient(p - step)) / 2e-6
    variance = ((p * gradient**2).sum() - (p * gradient).sum() ** 2) / n
    found = mcc(Confusion.from_matrix(matrix))
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_complete_agreement_has_kappas_interval():
    table = Confusion.from_matrix([[10, 0, 0], [0, 20, 0], [0, 0, 5]])
    one, two = mcc(table), cohen_kappa(table, method="adjusted")
    assert (one.value, one.interval.high) == (1, 1)
    assert one.interval.low == pytest.approx(two.interval.low, abs=1e-12)
    assert one.standard_error is None


def test_complete_disagreement_of_two_classes_has_width_too():
    found = mcc(Confusion.from_matrix([[0, 10], [10, 0]]))
    assert (found.value, found.interval.low) == (-1, -1)
    assert -1 < found.interval.high < 0


def test_without_variation_it_is_undefined_not_zero():
    found = mcc(Confusion.from_binary(tp=0, fp=0, fn=50, tn=4950))
    assert (found.value, found.interval) == (None, None)
    assert found.reason == "every item was called 'negative': calls do not vary"
    assert "truth does not vary" in mcc(Confusion.from_matrix([[3, 1], [0, 0]])).reason
    assert mcc(Confusion.from_cells({}, classes=["a"])).reason == "the table holds no items"

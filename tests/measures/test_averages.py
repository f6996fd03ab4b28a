"""Averages over classes: scikit-learn's values, numerical derivatives, classes left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from sklearn import metrics

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures import accuracy, average

cell = st.integers(0, 12)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)
THEIRS = {
    "recall": metrics.recall_score,
    "precision": metrics.precision_score,
    "f1": metrics.f1_score,
}


def labels(matrix):
    rows = [(i, j) for i in range(3) for j in range(3) for _ in range(matrix[i][j])]
    return [t for t, _ in rows], [c for _, c in rows]


@given(
    square.filter(lambda m: all(any(row) for row in m) and all(map(any, zip(*m, strict=True)))),
    st.sampled_from(["macro", "weighted", "micro"]),
    st.sampled_from(["recall", "precision", "f1"]),
)
def test_values_are_those_of_scikit_learn(matrix, averaging, measure):
    truth, calls = labels(matrix)
    found = average(Confusion.from_matrix(matrix), measure, averaging=averaging)
    expected = THEIRS[measure](truth, calls, average=averaging)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert 0 <= found.interval.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.interval.high <= 1
    assert found.interval.low < found.interval.high


def measured(p, measure, averaging):
    t, c, hit = p.sum(axis=1), p.sum(axis=0), np.diag(p)
    each = hit / c if measure == "precision" else 2 * hit / (t + c)
    return each.mean() if averaging == "macro" else (t * each).sum() / t.sum()


@pytest.mark.parametrize(
    ("measure", "averaging"), [("f1", "macro"), ("f1", "weighted"), ("precision", "weighted")]
)
def test_standard_errors_are_those_of_a_numerical_derivative(measure, averaging):
    matrix = [[8, 2, 1], [1, 9, 3], [0, 2, 20]]
    p = np.array(matrix, float) / np.sum(matrix)
    gradient = np.zeros_like(p)
    for place in np.ndindex(p.shape):
        step = np.zeros_like(p)
        step[place] = 1e-6
        gradient[place] = (
            measured(p + step, measure, averaging) - measured(p - step, measure, averaging)
        ) / 2e-6
    variance = ((p * gradient**2).sum() - (p * gradient).sum() ** 2) / np.sum(matrix)
    found = average(Confusion.from_matrix(matrix), measure, averaging=averaging)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-5)


def test_undefined_classes_are_left_out_and_named_never_counted_as_zero():
    table = Confusion.from_matrix([[8, 2, 0], [1, 9, 0], [0, 0, 0]], classes=["a", "b", "ghost"])
    found = average(table, "recall")
    assert found.value == pytest.approx(0.85)
    assert "1 of 3 classes is left out (never true): ghost" in found.caveats
    never = Confusion.from_matrix([[8, 2, 0], [1, 9, 0], [1, 1, 0]], classes=["a", "b", "c"])
    found = average(never, "precision")
    assert found.value == pytest.approx((8 / 10 + 9 / 12) / 2)
    assert "never called or never true" in found.caveats[0]


def test_micro_averages_and_weighted_recall_are_accuracy():
    table = Confusion.from_matrix([[8, 2, 1], [1, 9, 3], [0, 2, 20]])
    plain = accuracy(table)
    for found in (
        average(table, "f1", averaging="micro"),
        average(table, "recall", averaging="weighted"),
    ):
        assert (found.successes, found.trials) == (plain.successes, plain.trials)
        assert found.interval == plain.interval


def test_perfect_systems_have_width_and_say_how():
    table = Confusion.from_matrix([[10, 0], [0, 10]])
    for measure in ("recall", "precision", "f1"):
        for averaging in ("macro", "weighted", "micro"):
            found = average(table, measure, averaging=averaging)
            assert (found.value, found.interval.high) == (1, 1)
            assert found.interval.low < 1
    alone = average(Confusion.from_cells({("a", "a"): 10}), "f1")
    assert alone.interval.low < 1
    assert "only one class occurs" in alone.caveats[0]


def test_unknown_words_are_refused_and_empty_tables_undefined():
    table = Confusion.from_matrix([[1, 0], [0, 1]])
    with pytest.raises(RequestError, match=r"averaging='makro'.*macro"):
        average(table, averaging="makro")
    with pytest.raises(RequestError, match="measure='F1'"):
        average(table, "F1")
    assert average(Confusion.from_cells({}, classes=["a"])).value is None


def test_the_limits_are_those_of_the_table_with_made_up_items():
    """Worked out anew in full matrices, with numerical derivatives."""
    counts = np.array([[8.0, 2.0, 0.0], [1.0, 9.0, 0.0], [0.0, 3.0, 0.0]])
    z = float(ndtri(0.975))
    made = counts + z * z / 12 + np.eye(3) * z * z / 12
    items = made.sum()
    assert items == pytest.approx(23 + z * z)

    def macro(p):
        return float((2 * np.diag(p) / (p.sum(axis=0) + p.sum(axis=1))).mean())

    shares, slopes = made / items, np.zeros((3, 3))
    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        slopes[place] = (macro(shares + step) - macro(shares - step)) / 2e-6
    spread = (shares * slopes**2).sum() - (shares * slopes).sum() ** 2
    half = z * np.sqrt(spread / items)
    found = average(Confusion.from_matrix(counts.astype(int).tolist()), "f1")
    assert found.interval.method == "adjusted delta"
    assert found.interval.low == pytest.approx(macro(shares) - half, rel=1e-6)
    assert found.interval.high == pytest.approx(macro(shares) + half, rel=1e-6)

"""F-measures: scikit-learn's values, edges with width, weights."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score

from steelyard.counts import SCALE, Confusion, WeightSums
from steelyard.errors import CountsError, RequestError
from steelyard.measures import f1, f_beta

cell = st.integers(0, 20)


@given(cell, cell, cell, cell, st.sampled_from([0.5, 1.0, 2.0, 3.5]))
def test_values_are_those_of_scikit_learn(tp, fp, fn, tn, beta):
    found = f_beta(Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn), of="positive", beta=beta)
    if tp + fp + fn == 0:
        assert (found.value, found.interval) == (None, None)
        return
    truth = [1] * (tp + fn) + [0] * (fp + tn)
    calls = [1] * tp + [0] * fn + [1] * fp + [0] * tn
    assert found.value == pytest.approx(
        fbeta_score(truth, calls, beta=beta, zero_division=0), abs=1e-12
    )
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert found.interval.low < found.interval.high


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_a_perfect_system_keeps_a_lower_limit_below_one(beta):
    table = Confusion.from_matrix([[10, 0], [0, 10]])
    found = f_beta(table, of="0", beta=beta)
    assert (found.value, found.interval.high) == (1, 1)
    assert 0.5 < found.interval.low < 1


def test_more_items_of_the_same_shares_narrow_the_interval():
    few = f_beta(Confusion.from_matrix([[8, 2], [1, 9]]), of="0", beta=2).interval
    many = f_beta(Confusion.from_matrix([[80, 20], [10, 90]]), of="0", beta=2).interval
    assert few.low < many.low < many.high < few.high


def test_equal_weights_change_no_number_and_say_so():
    cells = {("a", "a"): 8, ("a", "b"): 2, ("b", "a"): 1, ("b", "b"): 9}
    weights = {pair: WeightSums(3 * n * SCALE, 9 * n * SCALE) for pair, n in cells.items()}
    plain = f_beta(Confusion.from_cells(cells), of="a", beta=2)
    found = f_beta(Confusion.from_cells(cells, weights=weights), of="a", beta=2)
    assert found.value == pytest.approx(plain.value, abs=1e-12)
    assert found.interval.low == pytest.approx(plain.interval.low, abs=1e-9)
    assert "effective number of rows, 11.0, instead of 11" in found.caveats[0]


def test_bad_questions_are_refused():
    table = Confusion.from_matrix([[1, 0], [0, 1]])
    for beta in (0, -1, float("nan"), float("inf")):
        with pytest.raises(RequestError, match="beta"):
            f_beta(table, of="0", beta=beta)
    with pytest.raises(CountsError, match="No class"):
        f1(table, of="x")
    with pytest.raises(RequestError, match="level"):
        f1(table, of="0", level=95)

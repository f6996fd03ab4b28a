"""Cost per item: values by hand, laws, and mistakes never seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Confusion
from steelyard.errors import RequestError
from steelyard.measures import accuracy, expected_cost
from steelyard.uncertainty import wilson_interval

cell = st.integers(0, 20)
square = st.lists(st.lists(cell, min_size=2, max_size=2), min_size=2, max_size=2)


@given(square.filter(lambda m: any(map(any, m))))
def test_a_cost_of_one_for_every_mistake_is_the_error_rate(matrix):
    table = Confusion.from_matrix(matrix)
    found = expected_cost(table, {("0", "1"): 1, ("1", "0"): 1})
    assert found.value == pytest.approx(1 - accuracy(table).value, abs=1e-12)
    low, high = wilson_interval(table.total - table.right, table.total)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)


@given(square.filter(lambda m: any(map(any, m))), st.floats(0.1, 100))
def test_scaling_all_costs_scales_the_answer(matrix, factor):
    table = Confusion.from_matrix(matrix)
    one = expected_cost(table, {("0", "1"): 10, ("1", "0"): 1})
    two = expected_cost(table, {("0", "1"): 10 * factor, ("1", "0"): factor})
    assert two.value == pytest.approx(factor * one.value, rel=1e-9, abs=1e-12)
    assert two.interval.high == pytest.approx(factor * one.interval.high, rel=1e-6)


def test_a_perfect_system_has_an_upper_limit_above_its_cost_and_a_caveat():
    table = Confusion.from_matrix([[50, 0], [0, 50]], classes=["ill", "well"])
    found = expected_cost(table, {("ill", "well"): 1000, ("well", "ill"): 1})
    assert found.value == 0
    assert found.interval.low == 0
    assert found.interval.high == pytest.approx(1000 * wilson_interval(0, 100)[1], rel=1e-9)
    assert "'ill' called 'well' at 1000, was never seen" in found.caveats[0]


def test_gains_are_negative_costs():
    table = Confusion.from_matrix([[8, 2], [1, 9]])
    found = expected_cost(table, {("0", "0"): -5, ("0", "1"): 2, ("1", "0"): 1})
    assert found.value == pytest.approx((-40 + 4 + 1) / 20)
    assert found.interval.low < found.value < found.interval.high


def test_incomplete_costs_are_refused_and_name_the_pair():
    table = Confusion.from_matrix([[8, 2], [1, 9]])
    with pytest.raises(RequestError, match=r"costs\[\('1', '0'\)\] is missing"):
        expected_cost(table, {("0", "1"): 1})
    with pytest.raises(RequestError, match="not a pair of classes"):
        expected_cost(table, {("0", "cat"): 1})
    with pytest.raises(RequestError, match="finite"):
        expected_cost(table, {("0", "1"): 1, ("1", "0"): float("nan")})
    empty = Confusion.from_cells({}, classes=["0", "1"])
    assert expected_cost(empty, {("0", "1"): 1, ("1", "0"): 1}).value is None
    free = expected_cost(table, {("0", "1"): 0, ("1", "0"): 0})
    assert (free.value, free.interval) == (0, None)

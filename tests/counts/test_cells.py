"""Counts by key: what is taken, what is refused."""

import numpy as np
import pytest

from steelyard.counts import WeightSums
from steelyard.counts.cells import (
    LARGEST_COUNT,
    add_cells,
    add_weights,
    check_cells,
    check_weights,
    whole,
    whole_counts,
)
from steelyard.errors import CountsError


@pytest.mark.parametrize("count", [np.int8(3), np.uint64(3), np.int64(3), 3])
def test_any_integer_type_becomes_a_python_int(count):
    assert whole(count, "n") == 3
    assert type(whole(count, "n")) is int


@pytest.mark.parametrize(
    "count", [-1, np.int64(-1), 1.5, 2.0, float("nan"), True, np.True_, "3", None]
)
def test_what_is_no_count_is_refused(count):
    with pytest.raises(CountsError) as refusal:
        whole(count, "n")
    assert refusal.value.code == "count-not-whole"


def test_totals_beyond_what_a_float_counts_exactly_are_refused():
    assert whole_counts([LARGEST_COUNT - 1, 1], "n") == (LARGEST_COUNT - 1, 1)
    with pytest.raises(CountsError) as refusal:
        whole_counts([LARGEST_COUNT, 1], "n")
    assert refusal.value.code == "count-too-large"


def test_a_cell_named_twice_is_refused():
    with pytest.raises(CountsError) as refusal:
        check_cells([("a", 1), ("a", 2)], "The table")
    assert refusal.value.code == "cell-twice"


def test_cells_are_sorted_and_empty_ones_dropped():
    assert list(check_cells([("b", 1), ("a", 2), ("c", 0)], "n").items()) == [("a", 2), ("b", 1)]


@pytest.mark.parametrize(
    "weights", [[], [("a", WeightSums(1, 1)), ("b", WeightSums(1, 1))], [("b", WeightSums(1, 1))]]
)
def test_weights_must_belong_to_the_cells_that_hold_rows(weights):
    with pytest.raises(CountsError) as refusal:
        check_weights(weights, {"a": 1}, "The table")
    assert refusal.value.code == "weights-differ"


@pytest.mark.parametrize("sums", [WeightSums(-1, 1), WeightSums(1, -1), (0.5, 1), (True, 1)])
def test_negative_or_fractional_weight_sums_are_refused(sums):
    with pytest.raises(CountsError) as refusal:
        check_weights([("a", sums)], {"a": 1}, "The table")
    assert refusal.value.code == "weight-negative"


def test_cells_and_weights_add_key_by_key():
    assert add_cells({"a": 1, "b": 2}, {"b": 3}) == {"a": 1, "b": 5}
    one, two = {"a": WeightSums(1, 2)}, {"a": WeightSums(3, 4), "b": WeightSums(5, 6)}
    assert add_weights(one, two) == {"a": WeightSums(4, 6), "b": WeightSums(5, 6)}
    assert add_weights(None, None) is None


def test_weighted_and_unweighted_parts_do_not_mix():
    with pytest.raises(CountsError) as refusal:
        add_weights(None, {})
    assert refusal.value.code == "weights-mixed"

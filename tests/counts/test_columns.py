"""Columns of numbers inside counts."""

import numpy as np
import pytest

from steelyard.counts.columns import score_column, whole_column
from steelyard.errors import CountsError


@pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float32, np.bool_])
def test_whole_numbers_of_any_type_become_int64(kind):
    column = whole_column(np.array([0, 1, 1], dtype=kind), "n")
    assert column.dtype == np.int64
    assert column.tolist() == [0, 1, 1]


def test_empty_columns_are_fine():
    assert whole_column([], "n").size == score_column([], "s").size == 0


def test_the_total_of_a_column_cannot_wrap_round():
    for column in ([2**62, 2**62], np.array([2**64 - 1], dtype=np.uint64), [1e300], [np.inf]):
        with pytest.raises(CountsError) as refusal:
            whole_column(column, "n")
        assert refusal.value.code == "count-too-large"


def test_nan_scores_are_counted_in_the_refusal():
    with pytest.raises(CountsError, match=r"2 scores are NaN \(first at 1\)"):
        score_column([0.1, np.nan, np.nan], "scores")

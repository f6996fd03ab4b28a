"""One array at the door."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.counts import canonical_label
from steelyard.errors import UnusableRows
from steelyard.tally.array_columns import label_column, number_column, weight_column

WORDS = ["ship", "car", "ship"]


def spelled(column):
    return [column.classes[code] for code in column.codes.tolist()]


@pytest.mark.parametrize(
    "labels",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS, dtype=object),
        np.array(WORDS, dtype="S"),
        np.array(WORDS, dtype=np.dtypes.StringDType()),
        pd.Series(WORDS),
        pd.Series(WORDS, dtype="category"),
        pd.Series(WORDS, index=[7, 8, 9]),
        pl.Series(WORDS),
        pl.Series(WORDS, dtype=pl.Categorical),
        pa.array(WORDS),
        pa.array(WORDS).dictionary_encode(),
        pa.chunked_array([WORDS[:1], WORDS[1:]]),
    ],
)
def test_text_is_read_from_every_kind_of_array(labels):
    column = label_column(labels, "y_true")
    assert spelled(column) == WORDS
    assert column.kinds == {"text"}


@pytest.mark.parametrize(
    "labels",
    [
        [3, 250, 3],
        [3, 250.0, np.int8(3)],
        np.array([3, 250, 3], dtype=np.uint8),
        np.array([3.0, 250.0, 3.0]),
        pd.Series([3, 250, 3], dtype="Int64"),
        pl.Series([3, 250, 3]),
        pa.array([3, 250, 3]),
    ],
)
def test_whole_numbers_are_read_from_every_kind_of_array(labels):
    column = label_column(labels, "y_true")
    assert spelled(column) == ["3", "250", "3"]
    assert column.kinds == {"numbers"}


@pytest.mark.parametrize(
    "labels",
    [[True, True], np.array([True, True]), pl.Series([True, True]), pa.array([True, True])],
)
def test_a_class_that_does_not_occur_is_not_listed(labels):
    assert label_column(labels, "y_true").classes == ("true",)


@given(
    hnp.arrays(
        hnp.integer_dtypes(endianness="=") | hnp.unsigned_integer_dtypes(endianness="="),
        st.integers(1, 20),
    )
)
def test_whole_numbers_of_every_size_keep_their_value(values):
    assert spelled(label_column(values, "y")) == [str(int(value)) for value in values]


mixed = st.one_of(st.booleans(), st.integers(-2, 2), st.sampled_from(["1", "true", "a", 1.0, 0.0]))


@given(st.lists(mixed, min_size=1))
def test_mixed_lists_meet_in_their_canonical_form_only(labels):
    assert spelled(label_column(labels, "y")) == [canonical_label(label) for label in labels]


@pytest.mark.parametrize(
    ("labels", "rows"),
    [
        (["a", None, "b"], ("row 1",)),
        (["a", float("nan")], ("row 1",)),
        ([1, np.nan, np.nan], ("row 1", "row 2")),
        (np.array([1.0, np.nan]), ("row 1",)),
        (np.ma.masked_array([1, 2, 3], mask=[False, True, False]), ("row 1",)),
        ([1, pd.NA], ("row 1",)),
        (pd.Series(["a", None]), ("row 1",)),
        (pd.Series([1, None], dtype="Int64"), ("row 1",)),
        (pd.Series([pd.NaT, 1], dtype=object), ("row 0",)),
        (pl.Series(["a", None]), ("row 1",)),
        (pl.Series([1, None]), ("row 1",)),
        (pl.Series([True, None]), ("row 1",)),
        (pa.array(["a", None]), ("row 1",)),
        (pa.array([1, None]), ("row 1",)),
    ],
)
def test_missing_labels_are_refused_with_their_rows(labels, rows):
    with pytest.raises(UnusableRows) as refusal:
        label_column(labels, "y_true")
    (fault,) = refusal.value.faults
    assert (fault.code, fault.where) == ("label-missing", "y_true")
    assert fault.examples == rows
    assert fault.count == len(rows)


@pytest.mark.parametrize(
    ("labels", "code"),
    [
        ([], "no-rows"),
        (np.array([[1], [2]]), "lengths-differ"),
        ([[1], [2]], "lengths-differ"),
        (7, "lengths-differ"),
        ([0.5, 1], "label-type"),
        (np.array([0.5, 1]), "label-type"),
        ([{}], "label-type"),
        (np.array(["2020-01-01"], dtype="M8[D]"), "label-type"),
        (np.array([1j]), "label-type"),
    ],
)
def test_what_cannot_be_labels_is_refused(labels, code):
    with pytest.raises(UnusableRows) as refusal:
        label_column(labels, "y_true")
    assert refusal.value.code == code
    assert "y_true" in str(refusal.value)


@pytest.mark.parametrize(
    "numbers",
    [
        [0.5, None],
        pd.Series([0.5, None]),
        pl.Series([0.5, None]),
        pa.array([0.5, None]),
        np.ma.masked_array([0.5, 1.0], mask=[False, True]),
    ],
)
def test_missing_numbers_become_nan_for_the_door_to_refuse(numbers):
    values = number_column(numbers, "y_score")
    assert values[0] == 0.5
    assert np.isnan(values[1])


@pytest.mark.parametrize(
    ("numbers", "code"),
    [
        (["0.5", "0.6"], "number-type"),
        ([0.5, "0.6"], "number-type"),
        ([[1], [1, 2]], "number-type"),
        ([object()], "number-type"),
        (np.array([0.5, "0.6"], dtype=object), "number-type"),
        ([1j], "number-type"),
        ([], "no-rows"),
        ([[1.0]], "lengths-differ"),
    ],
)
def test_what_is_not_a_column_of_numbers_is_refused(numbers, code):
    with pytest.raises(UnusableRows) as refusal:
        number_column(numbers, "y_score")
    assert refusal.value.code == code


def test_float32_stays_float32():
    assert number_column(np.array([0.5], dtype=np.float32), "y_score").dtype == np.float32


def test_weights_whose_squares_would_vanish_are_refused():
    with pytest.raises(UnusableRows, match="1/256"):
        weight_column([1e-6, 0, 2e-6])
    assert weight_column([1e-6, 0.5]).tolist() == [1e-6, 0.5]
    assert weight_column([0, 0]).tolist() == [0, 0]


def test_all_faults_of_the_weights_are_listed_at_once():
    with pytest.raises(UnusableRows) as refusal:
        weight_column([1, -1, np.nan, 2.0**33, -2])
    codes = {fault.code: fault.examples for fault in refusal.value.faults}
    assert codes == {
        "weight-missing": ("row 2",),
        "weight-negative": ("row 1", "row 4"),
        "weight-too-large": ("row 3",),
    }

"""Rows of codes become counts of cells."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.errors import RequestError
from steelyard.tally.kernels import cells as kernel
from steelyard.tally.kernels.cells import (
    byte_histogram,
    count_pairs,
    distinct_rows,
    joint_cells,
    pair_matrix,
    pattern_counts,
    pattern_places,
)


@given(st.binary(max_size=60), st.integers(1, 3))
def test_counts_equal_those_of_bincount(text, step):
    codes = np.frombuffer(text, dtype=np.uint8)[::step]
    assert byte_histogram(codes).tolist() == np.bincount(codes, minlength=256).tolist()


SIZES = st.sampled_from([1, 2, 3, 10, 16, 17, 40, 1024, 1025, 100_000])


@st.composite
def coded(draw):
    size = draw(SIZES)
    code = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(code, code), max_size=60))
    kind = draw(st.sampled_from([np.int64, np.int32, np.uint32]))
    columns = np.array(pairs, dtype=kind).reshape(-1, 2)
    return size, pairs, columns[:, 0], columns[:, 1]


@given(coded(), st.integers(1, 7))
def test_pairs_counted_equal_those_of_plain_python(given_codes, chunk):
    size, pairs, truth, called = given_codes
    whole = kernel.CHUNK
    kernel.CHUNK = chunk  # small chunks, so that their edges are crossed
    try:
        assert count_pairs(truth, called, size) == dict(Counter(pairs))
        if size <= 40:
            table = pair_matrix(truth, called, size)
            assert table.shape == (size, size)
            assert {(i, j): table[i, j] for i, j in set(pairs)} == dict(Counter(pairs))
            assert int(table.sum()) == len(pairs)
    finally:
        kernel.CHUNK = whole


def test_small_types_do_not_overflow():
    codes = np.array([15, 15, 15], dtype=np.int8)
    assert count_pairs(codes, codes, 16) == {(15, 15): 3}
    codes = np.array([100, 126], dtype=np.int8)
    assert count_pairs(codes, codes, 127) == {(100, 100): 1, (126, 126): 1}


@pytest.mark.parametrize("wrong", [[0, 2], [-1, 0], [0]])
@pytest.mark.parametrize("size", [2, 2000])
def test_codes_outside_the_classes_are_refused(wrong, size):
    wrong = [size if code == 2 else code for code in wrong]
    with pytest.raises(RequestError):
        count_pairs(np.array(wrong), np.array([0, 0]), size)


WIDTHS = st.sampled_from([1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 62, 63, 64, 65, 100, 130])


def plain(table):
    return [sum(int(bit) << j for j, bit in enumerate(row)) for row in table.tolist()]


@given(st.data(), WIDTHS, st.integers(1, 9))
def test_patterns_counted_equal_those_of_plain_python(data, width, chunk):
    table = data.draw(hnp.arrays(np.bool_, (data.draw(st.integers(0, 20)), width)))
    right = [table[:, j] for j in range(width)]
    whole = kernel.PATTERN_CHUNK
    kernel.PATTERN_CHUNK = chunk  # small chunks, so that their edges are crossed
    try:
        counts = pattern_counts(right)
    finally:
        kernel.PATTERN_CHUNK = whole
    assert counts == dict(Counter(plain(table)))
    assert list(counts) == sorted(counts)
    patterns, places = pattern_places(right)
    assert [patterns[place] for place in places.tolist()] == plain(table)
    assert len(set(patterns)) == len(patterns)


@pytest.mark.parametrize("width", [3, 12, 50, 100])
def test_inputs_are_left_alone(width):
    right = [np.array([True, False]) for _ in range(width)]
    pattern_counts(right)
    assert all(column.tolist() == [True, False] for column in right)


@st.composite
def coded_rows(draw):
    size = draw(st.sampled_from([2, 3, 26, 100_000]))
    width = draw(st.integers(1, 12))
    row = st.lists(st.integers(0, size - 1), min_size=width + 1, max_size=width + 1)
    few = draw(st.lists(row, min_size=1, max_size=4))
    return size, width, draw(st.lists(st.sampled_from(few), max_size=40))


@given(coded_rows())
def test_cells_equal_those_of_plain_python(given_rows):
    size, width, rows = given_rows
    table = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    cells = joint_cells(table[:, 0], [table[:, j] for j in range(1, width + 1)], size)
    assert cells == dict(Counter((row[0], tuple(row[1:])) for row in rows))


@given(coded_rows())
def test_every_row_finds_its_like(given_rows):
    size, width, rows = given_rows
    table = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    first, place = distinct_rows(list(table.T), [size] * (width + 1))
    assert (table[first][place] == table).all()
    assert first.size == len({tuple(row) for row in rows})

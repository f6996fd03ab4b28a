"""Distinct rows against a dictionary of tuples."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.tally.kernels.joint import distinct_rows, joint_cells


@st.composite
def coded(draw):
    size = draw(st.sampled_from([2, 3, 26, 100_000]))
    width = draw(st.integers(1, 12))
    row = st.lists(st.integers(0, size - 1), min_size=width + 1, max_size=width + 1)
    few = draw(st.lists(row, min_size=1, max_size=4))
    return size, width, draw(st.lists(st.sampled_from(few), max_size=40))


@given(coded())
def test_cells_equal_those_of_plain_python(given_rows):
    size, width, rows = given_rows
    table = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    cells = joint_cells(table[:, 0], [table[:, j] for j in range(1, width + 1)], size)
    assert cells == dict(Counter((row[0], tuple(row[1:])) for row in rows))


@given(coded())
def test_every_row_finds_its_like(given_rows):
    size, width, rows = given_rows
    table = np.array(rows, dtype=np.int64).reshape(-1, width + 1)
    first, place = distinct_rows(list(table.T), [size] * (width + 1))
    assert (table[first][place] == table).all()
    assert first.size == len({tuple(row) for row in rows})

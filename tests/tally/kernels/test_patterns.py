"""Patterns against spelling them one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.tally.kernels import patterns as kernel
from steelyard.tally.kernels.patterns import pattern_counts, pattern_places

WIDTHS = st.sampled_from([1, 2, 7, 8, 9, 16, 17, 31, 32, 33, 62, 63, 64, 65, 100, 130])


def plain(table):
    return [sum(int(bit) << j for j, bit in enumerate(row)) for row in table.tolist()]


@given(st.data(), WIDTHS, st.integers(1, 9))
def test_counts_equal_those_of_plain_python(data, width, chunk):
    table = data.draw(hnp.arrays(np.bool_, (data.draw(st.integers(0, 20)), width)))
    right = [table[:, j] for j in range(width)]
    whole = kernel.CHUNK
    kernel.CHUNK = chunk  # small chunks, so that their edges are crossed
    try:
        counts = pattern_counts(right)
    finally:
        kernel.CHUNK = whole
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

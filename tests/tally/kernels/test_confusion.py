"""Pairs of codes against counting them one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RequestError
from steelyard.tally.kernels import confusion as kernel
from steelyard.tally.kernels.confusion import count_pairs, pair_matrix

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
def test_counts_equal_those_of_plain_python(given_codes, chunk):
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

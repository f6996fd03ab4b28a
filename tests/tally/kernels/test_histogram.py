"""Bytes counted two at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.tally.kernels.histogram import byte_histogram


@given(st.binary(max_size=60), st.integers(1, 3))
def test_counts_equal_those_of_bincount(text, step):
    codes = np.frombuffer(text, dtype=np.uint8)[::step]
    assert byte_histogram(codes).tolist() == np.bincount(codes, minlength=256).tolist()

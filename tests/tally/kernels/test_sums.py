"""Exact sums against Python's integers."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE
from steelyard.tally.kernels import sums as kernel
from steelyard.tally.kernels.sums import exact_sums, round_to_scale

numbers = st.one_of(st.integers(0, 10), st.integers(0, 2**120)).map(lambda n: float(n) // 1)


@given(st.lists(st.tuples(st.integers(0, 3), numbers), max_size=40), st.integers(1, 5))
def test_sums_equal_those_of_python_integers(rows, chunk):
    places = np.array([place for place, _ in rows], dtype=np.intp)
    values = np.array([value for _, value in rows], dtype=np.float64)
    expected = [sum(int(value) for place, value in rows if place == group) for group in range(4)]
    whole = kernel.CHUNK
    kernel.CHUNK = chunk
    try:
        assert exact_sums(places, values, 4) == expected
    finally:
        kernel.CHUNK = whole


@given(st.floats(0, 2**40))
def test_rounding_is_to_the_nearest_multiple_halves_up(value):
    assert round_to_scale(np.array([value]))[0] == math.floor(value * SCALE + 0.5)


def test_a_half_goes_up():
    assert round_to_scale(np.array([0.5 / SCALE, 1.5 / SCALE, 2.5 / SCALE])).tolist() == [1, 2, 3]

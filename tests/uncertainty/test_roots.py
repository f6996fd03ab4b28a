"""The root finder: exact, safe with infinities, honest without a change of sign."""

from math import inf, tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.uncertainty import crossing


@given(st.floats(-0.999, 0.999), st.sampled_from([1, 3, 9]))
def test_it_finds_the_zero_of_any_odd_power(root, power):
    found = crossing(lambda x: (x - root) ** power, -1.0, 1.0)
    assert found == pytest.approx(root, abs=1e-12)


@given(st.floats(1e-9, 0.9), st.booleans())
def test_infinite_ends_and_falling_functions_are_fine(root, falling):
    def steep(x):
        if x in {0.0, 1.0}:
            return (inf if x else -inf) * (-1 if falling else 1)
        return tanh(50 * (x - root)) * (-1 if falling else 1)

    assert crossing(steep, 0.0, 1.0) == pytest.approx(root, rel=1e-12)


def test_without_a_change_of_sign_the_end_nearer_to_zero_is_given():
    assert crossing(lambda x: x + 1, 0.0, 5.0) == 0.0
    assert crossing(lambda x: x - 9, 0.0, 5.0) == 5.0

"""A threshold on paper calls the same items as the threshold itself."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steelyard.display.thresholds import show_threshold
from steelyard.errors import RequestError

numbers = st.floats(-1e12, 1e12, allow_subnormal=False)


@given(numbers, numbers)
def test_what_is_written_lies_above_the_next_lower_score_and_not_above_the_threshold(one, two):
    assume(one != two)
    below, value = sorted([one, two])
    written = float(show_threshold(value, below))
    assert below < written <= value


@pytest.mark.parametrize(
    ("value", "below", "said"),
    [
        (0.42, None, "0.42"),
        (0.5, 0.1, "0.5"),
        (100.0, 99.0, "100"),
        (0.0, None, "0"),
        (-0.12345, -0.2, "-0.124"),
        (123456.789, 123456.0, "123456.7"),
        (1e-9, None, "1e-9"),
        (0.6482714482817938, 0.6482714482817937, "0.6482714482817938"),
    ],
)
def test_as_many_figures_as_are_needed(value, below, said):
    assert show_threshold(value, below) == said


def test_infinity_is_no_threshold_on_paper():
    with pytest.raises(RequestError, match="finite"):
        show_threshold(float("inf"))

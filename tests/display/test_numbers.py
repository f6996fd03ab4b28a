from math import inf, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from steelyard.display.numbers import (
    digits_for,
    show_cell,
    show_count,
    show_difference,
    show_estimate,
    show_interval,
    show_level,
    show_number,
    show_p_value,
    show_percent,
    show_probability,
    show_share,
    show_threshold,
)
from steelyard.errors import RequestError

shares = st.floats(0, 1)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(shares)
def test_only_one_is_shown_as_one_and_only_nought_as_nought(share):
    for shown in (show_share(share), show_probability(share), show_number(share)):
        assert (float(shown.lstrip("<>")) == 1) == (share == 1)
        assert (float(shown.lstrip("<>")) == 0) == (share == 0)
    assert (show_percent(share) == "100.0%") == (share == 1)
    assert (show_percent(share) == "0.0%") == (share == 0)


@given(shares)
def test_a_shown_share_is_true(share):
    shown = show_share(share)
    if shown.startswith("<"):
        assert share < float(shown[1:])
    elif shown.startswith(">"):
        assert share > float(shown[1:])
    else:
        assert abs(float(shown) - share) <= 0.0005 + 1e-12


@given(shares, st.sampled_from([0.05, 0.01, 0.001, 0.1]))
def test_a_p_value_is_never_rounded_onto_the_other_side_of_alpha(p, alpha):
    shown = show_p_value(p, alpha=alpha)
    assert shown != "0.000"
    if shown[0] not in "<>" and abs(p - alpha) > 1e-6:
        assert (float(shown) < alpha) == (p < alpha)
        assert float(shown) != alpha


@given(numbers)
def test_a_difference_has_its_sign(value):
    shown = show_difference(value)
    if value == 0:
        assert shown == "0.000"
    else:
        assert shown[0] == ("+" if value > 0 else "-")
        assert float(shown) != 0
    assert "−" not in shown


@given(shares, shares)
def test_an_interval_shows_two_figures_of_its_width_or_six_decimals(one, two):
    low, high = sorted((one, two))
    digits = digits_for(low, high)
    assert 3 <= digits <= 6
    if high - low > 1e-4:
        shown = show_interval(low, high).strip("[]").split(", ")
        assert shown[0] != shown[1]


def test_the_decimals_of_a_number_follow_its_interval():
    assert show_estimate(0.97712345, 0.97701, 0.97742) == "0.97712 [0.97701, 0.97742]"
    assert show_estimate(1234.5, 1200.0, 1260.0) == "1,234 [1,200, 1,260]"
    assert show_interval(0.5, 0.5) == "[0.500, 0.500]"


def test_simulated_probabilities_are_never_certain():
    assert show_probability(1.0, error=0.001) == ">0.999"
    assert show_probability(0.0, error=0.001) == "<0.001"
    assert show_probability(0.99985, error=0.00001) == "0.9999"
    assert show_probability(1.0) == "1.000"


def test_small_negative_numbers_are_not_shown_as_nought():
    assert show_share(-0.0001) == ">-0.001"
    assert show_share(-0.0) == "0.000"
    assert show_share(1.0002) == "1.000"


def test_counts_and_levels_are_written_as_people_do():
    assert show_count(0) == "0"
    assert show_count(16110) == "16,110"
    assert show_level(0.29) == "29%"
    assert show_p_value(0.0) == "<0.001"
    assert show_p_value(0.05) == "0.050"


def test_a_raw_cell_keeps_its_type_visible():
    assert [show_cell(c) for c in ("x", 3, 0.25, False, None)] == ["x", "3", "0.25", "false", None]


@pytest.mark.parametrize("value", [nan, inf, -inf])
@pytest.mark.parametrize(
    "show", [show_share, show_number, show_percent, show_probability, show_p_value, show_difference]
)
def test_what_is_no_number_is_never_shown_as_one(show, value):
    with pytest.raises(RequestError, match="cannot be shown"):
        show(value)


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

"""Shares as typed: binary rounding must leave no trace."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RequestError
from steelyard.measures.rounding import exact_number, exact_share, whole_number, whole_part


@pytest.mark.parametrize(
    ("share", "total", "rounding", "whole"),
    [
        (0.07, 100, "ceil", 7),  # 0.07 * 100 is 7.000000000000001 in floats
        (0.29, 100, "floor", 29),  # and 0.29 * 100 is 28.999999999999996
        (0.95, 20, "ceil", 19),
        (0.1, 5, "round", 1),  # halves go up
        (0.5, 5, "round", 3),
        (0.5, 5, "floor", 2),
        ("1/3", 9, "floor", 3),
    ],
)
def test_a_share_of_items_is_the_one_that_was_typed(share, total, rounding, whole):
    assert whole_part(exact_share(share, "rate"), total, rounding=rounding) == whole


@given(st.integers(0, 1000))
def test_every_decimal_of_three_places_is_exact(thousandths):
    share = thousandths / 1000
    for typed in (share, np.float64(share), str(share), Decimal(str(share))):
        assert exact_share(typed, "rate") == Fraction(thousandths, 1000)


@given(st.fractions(0, 1), st.integers(0, 10**9))
def test_floor_round_and_ceil_are_in_this_order_and_one_apart(share, total):
    low, middle, high = (whole_part(share, total, rounding=r) for r in ("floor", "round", "ceil"))
    assert low <= middle <= high <= low + 1
    assert abs(middle - share * total) <= Fraction(1, 2)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "many", None, "1/0"])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(RequestError, match="not a finite number"):
        exact_number(value, "rate")


def test_percent_is_refused_with_what_was_meant():
    with pytest.raises(RequestError, match=r"For 95% type sensitivity=0\.95"):
        exact_share(95, "sensitivity")
    with pytest.raises(RequestError, match=r"not in \[0, 1\]"):
        exact_share(-0.1, "rate")
    with pytest.raises(RequestError, match="Choose one of: floor, ceil, round"):
        whole_part(Fraction(1, 2), 5, rounding="up")


@pytest.mark.parametrize("value", [0, True, 1.5, "3", None])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(RequestError, match="expected a whole number, 1 or more"):
        whole_number(value, "step", least=1)

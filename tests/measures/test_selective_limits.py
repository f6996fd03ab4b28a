"""Limits of areas under risk and coverage: leaving out one by one, and how often they hold."""

import numpy as np
import pytest

from steelyard.errors import CountsError
from steelyard.measures import aurc_difference, aurc_limits, risk_coverage
from steelyard.measures.selective_limits import _leave_out_each


@pytest.mark.parametrize("levels", [3, 8, 10_000])
def test_leaving_out_is_that_of_each_item_in_turn_whatever_ties(levels):
    rng = np.random.default_rng(levels)
    sure = rng.integers(0, levels, 40).astype(float)
    right = (rng.random(40) < 0.7).astype(int)
    found = _leave_out_each(sure, 1.0 - right)
    one_by_one = [
        risk_coverage(np.delete(sure, place), np.delete(right, place)).aurc for place in range(40)
    ]
    assert found == pytest.approx(one_by_one, abs=1e-12)


def errors_of(shape, u):
    """The chance of an error at each rank, 0 for the surest item and 1 for the least sure."""
    return {
        "even": 0.1 + 0 * u,
        "late": 0.4 * u**3,
        "sure": np.where(u < 0.05, 0.4, 0.0),
        "first": np.where(u < 0.02, 1.0, 0.08),
    }[shape]


def true_area(shape):
    v = np.linspace(0, 40, 200_001)  # u = exp(-v); the weight of an error at u is v
    return float(np.trapezoid(errors_of(shape, np.exp(-v)) * v * np.exp(-v), v))


@pytest.mark.parametrize("shape", ["even", "late", "sure", "first"])
@pytest.mark.parametrize("size", [30, 120])
def test_limits_hold_where_errors_are_even_late_or_among_the_surest(shape, size):
    rng, truth, held = np.random.default_rng(7), true_area(shape), 0
    for _ in range(300):
        u = rng.random(size)
        found = aurc_limits(-u, rng.random(size) >= errors_of(shape, u))
        held += found.low <= truth <= found.high
    assert held >= 300 * (0.95 - 2 * np.sqrt(0.05 * 0.95 / 300))


def test_equal_systems_are_told_apart_rarely_and_unlike_ones_are():
    rng, told = np.random.default_rng(8), 0
    for _ in range(200):
        u = rng.random((2, 100))
        right = rng.random((2, 100)) >= errors_of("even", u)
        found = aurc_difference((-u[0], right[0]), (-u[1], right[1]))
        told += found.p_value <= 0.05
        # Interval and p-value say the same of 0.
        assert (found.low > 0 or found.high < 0) == (found.p_value < 0.05)
    assert told <= 200 * 0.05 + 2 * np.sqrt(200 * 0.05 * 0.95)
    sure = rng.random(1500)
    right = rng.random(1500) < sure
    clear = aurc_difference((sure, right), (rng.random(1500), right))
    assert clear.high < 0
    assert clear.better > 0.999


def test_sides_change_with_the_order_of_the_systems():
    rng = np.random.default_rng(3)
    u = rng.random((2, 60))
    right = rng.random((2, 60)) < 0.8
    one = aurc_difference((u[0], right[0]), (u[1], right[1]))
    two = aurc_difference((u[1], right[1]), (u[0], right[0]))
    assert (one.difference, one.low, one.high) == pytest.approx(
        (-two.difference, -two.high, -two.low)
    )
    assert one.p_value == pytest.approx(two.p_value)
    assert one.better == pytest.approx(1 - two.better)


def test_no_error_at_all_still_has_an_upper_limit():
    found = aurc_limits(np.arange(50.0), np.ones(50))
    assert (found.value, found.low) == (0.0, 0.0)
    assert 0.05 < found.high < 0.5
    same = aurc_difference(((0.5,) * 20, (1,) * 20), ((0.5,) * 20, (1,) * 20))
    assert (same.difference, same.p_value) == (0.0, 1.0)
    assert same.low < 0 < same.high


def test_few_items_and_unlike_numbers_of_them_are_refused():
    with pytest.raises(CountsError, match="from 10 items on"):
        aurc_limits([0.5] * 5, [1] * 5)
    with pytest.raises(CountsError, match="expected common"):
        aurc_difference(([0.5] * 20, [1] * 20), ([0.5] * 21, [1] * 21))

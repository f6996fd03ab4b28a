"""First-order variances and the scales they are used on."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.uncertainty import (
    delta_variance,
    fisher_interval,
    logit_interval,
    mover_interval,
    newcombe_interval,
    wilson_interval,
)


@given(st.integers(1, 60), st.integers(1, 60))
def test_the_variance_of_a_share_is_the_textbook_one(won, lost):
    n = won + lost
    found = delta_variance([won, lost], [1, 0], effective=n)
    assert found == pytest.approx(won * lost / n**3, rel=1e-12)
    assert delta_variance([won, lost], [8, 7], effective=n) == pytest.approx(found, rel=1e-9)


def test_a_log_ratio_of_cells_has_its_known_variance():
    p, n = np.array([0.2, 0.3, 0.5]), 100
    found = delta_variance(p * n, [1 / p[0], -1 / p[1], 0], effective=n)
    assert found == pytest.approx((1 / p[0] + 1 / p[1]) / n, rel=1e-12)


@given(st.floats(0.01, 0.99), st.floats(0.001, 0.5))
def test_limits_stay_inside_and_are_symmetric_on_their_scale(value, error):
    low, high = logit_interval(value, error)
    assert 0 <= low < value < high <= 1
    if 1e-9 < low and high < 1 - 1e-9:
        odds = [log(x / (1 - x)) for x in (low, value, high)]
        assert odds[1] - odds[0] == pytest.approx(odds[2] - odds[1], rel=1e-6)
    low, high = fisher_interval(2 * value - 1, error)
    assert -1 <= low < 2 * value - 1 < high <= 1


def test_joining_two_shares_with_opposite_signs_is_newcombes_interval():
    parts = [(0.8, *wilson_interval(56, 70)), (0.6, *wilson_interval(48, 80))]
    assert mover_interval(parts, [1, -1]) == pytest.approx(
        newcombe_interval((56, 70), (48, 80)), abs=1e-14
    )


def test_joining_normal_intervals_adds_their_variances():
    low, high = mover_interval([(1.0, 0.7, 1.3), (2.0, 1.6, 2.4)], [1, 1])
    assert (low, high) == pytest.approx((3 - sqrt(0.25), 3 + sqrt(0.25)))

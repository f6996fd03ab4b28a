from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.posterior.log_odds import (
    deviance,
    log_odds_betas,
    log_peak,
    product_difference,
)

parameters = st.one_of(st.floats(0.01, 20), st.floats(1, 1e6), st.integers(1, 10**8).map(float))


def true_log_density(distance, a, b):
    """ln of x^a (1-x)^b / B(a, b) at ``distance`` log-odds from ln(a/b), in 50 digits."""
    with mpmath.workdps(50):
        a, b = mpmath.mpf(a), mpmath.mpf(b)
        y = mpmath.log(a / b) + mpmath.mpf(distance)
        beta = mpmath.loggamma(a) + mpmath.loggamma(b) - mpmath.loggamma(a + b)
        x = 1 / (1 + mpmath.exp(-y))
        other = 1 / (1 + mpmath.exp(y))
        return float(a * mpmath.log(x) + b * mpmath.log(other) - beta)


@given(parameters, parameters, st.floats(-30, 30))
def test_the_log_density_keeps_its_digits_for_any_counts(a, b, root):
    distance = root * np.sqrt(1 / a + 1 / b)
    one, two = np.array(a), np.array(b)
    got = float(log_peak(one, two) - deviance(np.array(distance), one, two))
    assert got == pytest.approx(true_log_density(distance, a, b), rel=2e-14, abs=2e-13)


@given(st.integers(1, 10**15), st.integers(1, 10**15), st.integers(1, 10**15))
def test_a_difference_of_products_is_not_rounded_twice(a, b, c):
    values = [np.array(float(v)) for v in (a, b, c, a)]
    a, b, c, d = (Fraction(float(v)) for v in values)
    got = float(product_difference(*values))
    assert got == pytest.approx(float(a * b - c * d), rel=1e-15, abs=1e-3)


@given(parameters, parameters, st.floats(0.5, 700), st.sampled_from([-1, 1]))
def test_the_reach_lies_where_the_density_has_fallen_as_asked(a, b, depth, side):
    betas = log_odds_betas(np.array([a]), np.array([b]), reference=(a, b))
    end = betas.reach(depth, side=side)
    assert (end[0] - betas.centre[0]) * side > 0
    assert betas.fall(end)[0, 0] == pytest.approx(depth, rel=0.05)


def test_offsets_of_near_ties_keep_more_digits_than_their_log_odds():
    betas = log_odds_betas(np.array([8e7 + 1]), np.array([2e7 - 1]), reference=(8e7, 2e7))
    with mpmath.workdps(40):
        true = mpmath.log(mpmath.mpf(8e7 + 1) * mpmath.mpf(2e7) / (mpmath.mpf(8e7) * (2e7 - 1)))
    assert betas.centre[0] == pytest.approx(float(true), rel=1e-14, abs=0)

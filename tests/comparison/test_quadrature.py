import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, expit

from steelyard.comparison.posterior.log_odds import log_odds_betas
from steelyard.comparison.posterior.quadrature import (
    DEPTH,
    Panels,
    SmoothTails,
    panels_for,
    tails_at,
)

parameters = st.one_of(st.floats(0.05, 20), st.integers(1, 10**8).map(float))


def alone(a, b):
    return log_odds_betas(np.array([float(a)]), np.array([float(b)]), reference=(a, b))


@given(parameters, parameters)
def test_every_density_integrates_to_one(a, b):
    betas = alone(a, b)
    grid = panels_for(betas, betas.reach(DEPTH, side=-1), betas.reach(DEPTH, side=1))
    assert betas.density(grid.nodes)[0] @ grid.weights == pytest.approx(1, rel=0, abs=2e-14)


def test_running_integrals_of_a_polynomial_are_exact():
    grid = Panels.between(np.array([-1.0, 0.5, 2.0, 2.25]))
    values = 3 * grid.nodes[None, :] ** 2
    assert np.allclose(grid.from_left(values), grid.nodes**3 + 1, rtol=1e-14, atol=1e-14)
    assert np.allclose(grid.from_right(values), 2.25**3 - grid.nodes**3, rtol=1e-13, atol=1e-13)
    assert np.allclose(grid.totals(values)[0], np.diff(grid.edges**3), rtol=1e-14)


@pytest.mark.parametrize(("a", "b"), [(3, 5), (0.5, 10.5), (1, 1001), (61, 41), (200.5, 0.5)])
def test_both_tails_agree_with_the_incomplete_beta_function(a, b):
    betas = alone(a, b)
    offsets = np.linspace(betas.reach(20.0, side=-1)[0], betas.reach(20.0, side=1)[0], 41)
    tails = SmoothTails.of(betas)
    rate, rest = expit(betas.zero + offsets), expit(-betas.zero - offsets)
    # Each from its own smaller share, which rounding has not taken to 1.
    lower, upper = betainc(a, b, rate), betainc(b, a, rest)
    lower, upper = np.where(rate < 0.5, lower, 1 - upper), np.where(rate < 0.5, 1 - lower, upper)
    assert np.allclose(tails.below(offsets), lower, rtol=1e-10, atol=1e-13)
    assert np.allclose(tails.above(offsets), upper, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    ("a", "b"), [(18.5, 10.5), (500.5, 300.5), (5000.5, 4000.5), (1000.5, 0.5), (0.5, 0.5)]
)
def test_a_cut_at_even_odds_keeps_the_digits_of_the_smaller_side(a, b):
    betas = alone(a, b)
    below, above, under, _ = tails_at(betas, -betas.zero)
    with mpmath.workdps(30):
        true = mpmath.betainc(a, b, 0, 0.5, regularized=True)
        # E(1 - 2q)^+ from the mean of the part of q below one half.
        part = mpmath.betainc(mpmath.mpf(a) + 1, b, 0, 0.5, regularized=True)
        excess = true - 2 * mpmath.mpf(a) / (mpmath.mpf(a) + b) * part
    assert below == pytest.approx(float(true), rel=1e-12, abs=0)
    assert above == pytest.approx(float(1 - true), rel=0, abs=1e-15)
    assert under == pytest.approx(float(excess), rel=1e-11, abs=0)

"""Functions that wait with scipy: what is worked out here is what scipy and exact sums say."""

import random
from fractions import Fraction
from math import comb, inf, isnan, nextafter

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st

from steelyard.uncertainty import special
from steelyard.uncertainty.beta_numbers import LARGEST, SMALLEST, BetaNumbers

parameters = st.floats(np.log(SMALLEST), np.log(LARGEST)).map(lambda one: float(np.exp(one)))
tails = st.sampled_from([0.5, 0.3, 0.025, 0.975, 0.0125 / 3, 0.001, 1e-6, 1e-12])


def test_a_normal_quantile_is_that_of_scipy_to_the_last_digit_but_one():
    chance = random.Random(1)
    shares = [chance.random() for _ in range(5000)]
    shares += [10 ** -chance.uniform(0, 300) for _ in range(5000)]
    shares += [1 - 10 ** -chance.uniform(0, 15) for _ in range(2000)]
    ours = [special.ndtri(share) for share in shares]
    assert ours == pytest.approx(scipy.special.ndtri(shares).tolist(), rel=5e-16, abs=0)


def test_a_normal_quantile_has_its_ends():
    assert special.ndtri(0.0) == -inf
    assert special.ndtri(1.0) == inf
    assert all(isnan(special.ndtri(share)) for share in (-0.1, 1.1, float("nan")))
    assert special.ndtri(nextafter(1.0, 0.0)) == pytest.approx(8.209536151601387, rel=1e-15)


@given(st.integers(1, 300), st.integers(1, 300))
def test_the_tail_of_a_fair_coin_is_the_sum_of_its_terms(wins, losses):
    tosses = wins + losses - 1
    exact = Fraction(sum(comb(tosses, k) for k in range(wins, tosses + 1)), 1 << tosses)
    assert special.betainc(wins, losses, 0.5) == pytest.approx(float(exact), rel=3e-16, abs=0)


@pytest.mark.parametrize(
    ("a", "b"), [(0.5, 0.5), (10.5, 4.5), (4.5, 10.5), (300.5, 40.5), (1200.5, 799.5)]
)
def test_halves_are_those_of_fifty_digits(a, b):
    with mpmath.workdps(50):
        exact = mpmath.betainc(a, b, 0, mpmath.mpf(1) / 2, regularized=True)
        assert abs(special.betainc(a, b, 0.5) / exact - 1) < 5e-16


@given(parameters, parameters, tails)
def test_a_beta_quantile_has_its_chance_below_it(a, b, below):
    found = special.betaincinv(a, b, below)
    # A step of the last digit of the quantile changes the chance by up to a + b such steps.
    assert float(scipy.special.betainc(a, b, found)) == pytest.approx(below, rel=5e-11, abs=0)
    # scipy finds its quantile by other steps, and stops some of them early.
    assert found == pytest.approx(float(scipy.special.betaincinv(a, b, below)), rel=1e-6, abs=0)


@given(parameters)
def test_the_middle_of_an_even_beta_distribution_is_one_half(a):
    assert special.betaincinv(a, a, 0.5) == pytest.approx(0.5, rel=1e-13)


@given(parameters, parameters, st.floats(1e-6, 0.5))
def test_both_sides_of_a_beta_distribution_add_up_to_one(a, b, x):
    below, above = BetaNumbers(a, b).chance(x, 1 - x), BetaNumbers(b, a).chance(1 - x, x)
    assert below + above == pytest.approx(1, rel=1e-12)


@given(parameters.map(lambda half: 2 * half), tails)
def test_a_quantile_of_t_is_that_of_scipy(freedom, below):
    found = special.stdtrit(freedom, below)
    wanted = float(scipy.special.stdtrit(freedom, below))
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_a_normal_chance_is_that_of_scipy():
    for deviate in np.linspace(-37, 37, 149).tolist():
        wanted = float(scipy.special.ndtr(deviate))
        assert special.ndtr(deviate) == pytest.approx(wanted, rel=3e-13, abs=0)


def test_a_product_with_a_logarithm_is_that_of_scipy():
    for x, y in [(0, 0.0), (0.0, 3.0), (2.5, 0.3), (7, 1e-300), (np.float64(2.0), 0.5)]:
        assert special.xlogy(x, y) == pytest.approx(float(scipy.special.xlogy(x, y)), rel=1e-15)
    assert special.xlogy(2.0, 0.0) == -inf


def test_a_logarithm_of_the_gamma_function_is_that_of_scipy():
    for x in (0.5, 3, 12.25, 1e6, np.array([[0.1, 1.0], [2.0, 300.5]]), np.arange(1.0, 900.0)):
        np.testing.assert_allclose(
            special.gammaln(x), scipy.special.gammaln(x), rtol=4e-15, atol=4e-16
        )
    for x in (0, -1.5, np.array([0.0, 1.0])):
        np.testing.assert_equal(special.gammaln(x), scipy.special.gammaln(x))


def test_products_with_logarithms_and_shares_of_arrays_are_those_of_scipy():
    x = np.array([0.0, 1.5, 40.0])
    for y in (0.3, -1.0, np.array([0.25, 1e-9, 1.0])):
        np.testing.assert_allclose(special.xlogy(x, y), scipy.special.xlogy(x, y), rtol=1e-15)
    np.testing.assert_allclose(special.xlogy(2.0, 0.3), scipy.special.xlogy(2.0, 0.3), rtol=1e-15)
    logits = np.array([-800.0, -40.0, -1.0, 0.0, 3.0, 40.0, 800.0])
    np.testing.assert_allclose(special.expit(logits), scipy.special.expit(logits), rtol=4e-16)
    assert special.expit(1.5) == pytest.approx(float(scipy.special.expit(1.5)), rel=3e-16)


def test_what_is_not_short_goes_to_scipy():
    many = np.linspace(0.001, 0.999, 999)
    assert (special.ndtri(many) == scipy.special.ndtri(many)).all()
    assert (special.ndtr(many) == scipy.special.ndtr(many)).all()
    for a, b, x in [(2.0, 3.0, 0.4), (3.25, 2.5, 0.5), (1e6, 1e6, 0.5), (0.0, 1.0, 0.5)]:
        np.testing.assert_equal(special.betainc(a, b, x), scipy.special.betainc(a, b, x))
    for a, b, below in [(1e-3, 2.0, 0.1), (1e7, 1e7, 0.1), (2.0, 2.0, 0.0), (2.0, 2.0, 1.0)]:
        wanted = scipy.special.betaincinv(a, b, below)
        np.testing.assert_equal(special.betaincinv(a, b, below), wanted)
    for freedom, below in [(0.5, 0.1), (1e8, 0.1), (3.0, 0.0), (3.0, 1.0)]:
        wanted = scipy.special.stdtrit(freedom, below)
        np.testing.assert_equal(special.stdtrit(freedom, below), wanted)

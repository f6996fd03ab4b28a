from math import log

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import akaike_common, akaike_independent, discordant_evidence
from steelyard.comparison.akaike.divergence import divergence, divergence_from_half, log_half_beta
from steelyard.counts import PairTable


@given(st.integers(0, 10**9), st.integers(1, 10**9))
def test_it_is_what_sixty_digits_say(observed, expected):
    with mp.workdps(60):
        one, two = mp.mpf(observed), mp.mpf(expected)
        right = (one * mp.log(one / two) if observed else mp.mpf(0)) - one + two
        found = float(divergence(observed, expected, observed - expected))
        assert abs(found - right) <= 4e-15 * right


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_a_beta_function_times_powers_of_two_keeps_its_digits(a, b):
    with mp.workdps(60):
        logs = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
        right = logs + (a + b) * mp.log(2)
        assert abs(float(log_half_beta(a, b)) - right) <= 1e-14 * (1 + abs(right))


def test_equal_counts_are_no_information():
    assert np.all(divergence_from_half([0, 1, 10**9], [0, 1, 10**9]) == 0)
    assert float(divergence_from_half(0, 7)) == pytest.approx(7 * log(2), rel=1e-15)


def test_a_hundred_million_ties_leave_evidence_with_its_digits():
    # Reference: the beta functions in 60 digits of mpmath.
    answer = discordant_evidence(10**8, 10**8)
    with mp.workdps(60):
        right = 2 * 10**8 * mp.log(2) + mp.log(mp.beta(10**8 + 1, 10**8 + 1))
    assert answer.log_different == pytest.approx(float(right), rel=1e-14)


def test_akaike_differences_of_a_hundred_million_items_keep_their_digits():
    answer = akaike_independent((5 * 10**7, 10**8), (49_999_000, 10**8))
    paired = akaike_common(PairTable(both=0, first=10**8, second=10**8 - 10**4, neither=5))
    with mp.workdps(60):

        def most(x, n):
            return sum(k * mp.log(mp.mpf(k) / n) for k in (x, n - x))

        free = most(5 * 10**7, 10**8) + most(49_999_000, 10**8)
        right = 2 * (free - most(99_999_000, 2 * 10**8)) - 2
        n = 2 * 10**8 - 10**4
        gain = most(10**8, n) + n * mp.log(2)
    assert answer.difference == pytest.approx(float(right), rel=1e-13)
    assert paired.difference == pytest.approx(float(2 * gain - 2), rel=1e-13)

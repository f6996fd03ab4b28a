"""Intervals for a benchmark of fixed size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RequestError
from steelyard.uncertainty import finite_correction, finite_rate_interval, jeffreys_interval


def test_a_large_benchmark_gives_the_interval_of_jeffreys():
    found = finite_rate_interval(80, 100, 2_000_000)
    assert found == pytest.approx(jeffreys_interval(80, 100), abs=2e-4)


@given(st.integers(1, 60), st.integers(0, 60), st.integers(0, 200))
def test_ends_are_possible_rates_around_what_is_known(tested, right, more):
    right = min(right, tested)
    low, high = finite_rate_interval(right, tested, tested + more)
    whole = tested + more
    assert right / whole <= low <= high <= (right + more) / whole
    assert low * whole == pytest.approx(round(low * whole), abs=1e-6)
    if more == 0:
        assert low == high == right / tested


def test_quantiles_are_those_of_the_beta_binomial():
    # by scipy.stats.betabinom(100, 80.5, 20.5).ppf
    from scipy.stats import betabinom

    law = betabinom(100, 80.5, 20.5)
    low, high = finite_rate_interval(80, 100, 200, level=0.9)
    assert (low, high) == ((80 + law.ppf(0.05)) / 200, (80 + law.ppf(0.95)) / 200)


def test_it_covers_when_a_random_part_is_tested():
    rng = np.random.default_rng(5)
    benchmark = np.arange(300) < 210
    drawn = rng.hypergeometric(210, 90, 120, size=4000)
    ends = {int(k): finite_rate_interval(int(k), 120, 300) for k in set(drawn.tolist())}
    held = np.mean([ends[int(k)][0] <= benchmark.mean() <= ends[int(k)][1] for k in drawn])
    assert 0.94 < held < 0.97


def test_a_benchmark_smaller_than_its_part_is_refused():
    for tested, whole in ((10, 9), (0, 9)):
        with pytest.raises(RequestError, match="--benchmark"):
            finite_correction(tested, whole)

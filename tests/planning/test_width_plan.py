"""Samples for narrow intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import RequestError
from steelyard.planning import (
    PairedRates,
    paired_width_samples,
    width_assurance,
    width_samples,
    wilson_width,
)
from steelyard.uncertainty import tango_interval, wilson_interval


@settings(max_examples=30)
@given(st.integers(1, 400), st.data())
def test_the_width_is_that_of_the_interval(trials, data):
    won = data.draw(st.integers(0, trials))
    low, high = wilson_interval(won, trials)
    assert wilson_width(won / trials, trials) == pytest.approx(high - low, abs=1e-12)


@settings(max_examples=30)
@given(st.floats(0.02, 0.98), st.floats(0.01, 0.5), st.floats(0.5, 0.99))
def test_the_samples_are_enough_and_one_less_is_not(rate, width, level):
    size = width_samples(rate, width=width, level=level)
    assert size.reached <= width + 1e-12
    if size.samples > 1:
        assert wilson_width(rate, size.samples - 1, level=level) > width


def test_half_of_the_tests_have_the_width_and_the_sum_over_results_says_how_many():
    size = width_samples(0.8, width=0.06)
    rng = np.random.default_rng(8)
    for samples in (size.samples, size.samples + 40):
        share = width_assurance(0.8, samples, width=0.06)
        drawn = rng.binomial(samples, 0.8, size=2000)
        narrow = np.mean([wilson_width(x / samples, samples) <= 0.06 for x in drawn.tolist()])
        assert abs(narrow - share) < 4 * (share * (1 - share) / 2000) ** 0.5 + 1e-9
    assert width_assurance(0.8, size.samples, width=0.06) == pytest.approx(0.5, abs=0.05)


def test_a_paired_difference_gets_the_width_from_the_answer_on():
    rates = PairedRates(only_first=0.08, only_second=0.04)
    size = paired_width_samples(rates, width=0.05)
    for samples in range(size.samples, size.samples + 20):
        first, second = round(0.08 * samples), round(0.04 * samples)
        low, high = tango_interval(samples - first - second, first, second, 0)
        assert high - low <= 0.05
    assert size.reached <= 0.05


def test_agreeing_systems_need_fewer_items_for_the_same_width():
    alike = paired_width_samples(PairedRates(only_first=0.03, only_second=0.01), width=0.04)
    apart = paired_width_samples(PairedRates(only_first=0.11, only_second=0.09), width=0.04)
    assert 3 * alike.samples < apart.samples


def test_what_cannot_be_had_is_none_or_refused():
    assert width_samples(0.5, width=1e-5).samples is None
    for wrong in (0, 1, -0.1):
        with pytest.raises(RequestError, match=r"width=0\.04"):
            width_samples(0.5, width=wrong)
    with pytest.raises(RequestError, match="narrower than 2"):
        paired_width_samples(PairedRates(only_first=0.1, only_second=0.1), width=2)

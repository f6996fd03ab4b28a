"""Searches for numbers of samples."""

from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import RequestError, check_share
from steelyard.planning import clustered_samples
from steelyard.planning.sizes import (
    first_lasting,
    round_down,
    round_up,
    samples_for,
    whole_samples,
)


@given(st.floats(0.5, 1e5), st.floats(1e-9, 0.45), st.floats(0.01, 1e6))
def test_the_root_is_found_from_any_start(scale, miss, start):
    found = samples_for(lambda n: 0.5 * exp(-n / scale), miss, start=start, limit=1e9)
    assert 0.5 * exp(-found / scale) == pytest.approx(miss, rel=1e-6)


def test_nothing_is_needed_where_nothing_is_missed():
    assert samples_for(lambda n: 0.01 / (1 + n), 0.05, start=10) == 0


def test_a_curve_that_levels_off_is_beyond_the_limit():
    assert samples_for(lambda n: 0.3 + exp(-n), 0.05, start=10) is None
    assert samples_for(lambda n: exp(-n / 1e6), 0.05, start=10) is None


def test_a_step_that_the_line_cannot_follow_is_bracketed():
    found = samples_for(lambda n: 0.4 if n < 77 else 0.001, 0.05, start=3)
    assert found == pytest.approx(77, rel=1e-6)


def test_whole_numbers_are_not_rounded_up_by_the_last_digit():
    assert whole_samples(100.00000000000001) == 100
    assert whole_samples(100.001) == 101


@given(st.integers(1, 10**6), st.integers(1, 10**4))
def test_parts_of_whole_numbers_are_rounded_as_their_fractions(items, parts):
    share, size = parts / 10**4, 1 + parts / 10**3
    assert round_up(items * share) == -(-items * parts // 10**4)
    assert round_down(items / size) == items * 10**3 // (10**3 + parts)


def test_fifty_clusters_of_one_and_a_tenth_are_fifty_five_items():
    assert 50 * 1.1 > 55
    assert clustered_samples(54, cluster_size=1.1, correlation=0.05).items == 55


@given(st.sets(st.integers(1, 120)), st.integers(1, 100), st.integers(1, 400))
def test_the_lasting_number_is_behind_every_failure_in_its_window(gaps, least, start):
    def reaches(n):
        return n >= least and n not in gaps

    found = first_lasting(reaches, start=start, window=150)
    assert all(reaches(n) for n in range(found, found + 150))
    assert found == 1 or not reaches(found - 1)


def test_a_share_is_strictly_inside():
    assert check_share("power", 0.8) == 0.8
    for wrong in (0, 1, 80, -0.1):
        with pytest.raises(RequestError, match="power"):
            check_share("power", wrong)

"""Counts that lie exactly on a line of Wald's tests have reached it."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.sequential.wald import (
    paired_wald_test,
    wald_bounds,
    wald_decision,
    wald_test,
)
from steelyard.comparison.sequential.wald_double import double_test, one_sided, steps_from_even
from steelyard.comparison.sequential.wald_lead import lead_test
from steelyard.comparison.sequential.wald_msrb import all_pairs_test
from steelyard.comparison.sequential.wald_properties import wald_exact_properties
from steelyard.comparison.sequential.whole_powers import bound_at, powers_of, reading_of


def test_a_test_whose_steps_meet_its_lines_is_the_gamblers_ruin():
    # Gambler's ruin to a lead of 2 at odds 3: take 9/10, and 2 (2 * .9 - 1)/(2 * .75 - 1) pairs.
    test = wald_test(1 / 3, 3, alpha=0.1, beta=0.1, ratio="u")
    found = wald_exact_properties(test, win=0.75)
    assert found.take == pytest.approx(0.9, abs=1e-12)
    assert found.expected_pairs == pytest.approx(3.2, abs=1e-12)


def test_the_first_is_kept_at_a_lead_of_two_wherever_it_occurs():
    test = wald_test(1 / 3, 3, alpha=0.1, beta=0.1, ratio="u")
    for losses in range(500):
        assert wald_decision(test, pairs=2 * losses + 2, second_wins=losses) == "keep first"
        assert wald_decision(test, pairs=2 * losses + 2, second_wins=losses + 2) == "take second"
        assert wald_decision(test, pairs=2 * losses + 1, second_wins=losses) == "continue"


def test_a_line_is_met_also_after_a_thousand_million_pairs():
    test = wald_test(1 / 3, 3, alpha=0.1, beta=0.1, ratio="u")
    assert wald_bounds(test, 10**9) == (5 * 10**8 - 1, 5 * 10**8 + 1)


@given(
    odds=st.integers(2, 9),
    lead=st.integers(1, 6),
    losses=st.integers(0, 60),
)
def test_symmetric_tests_of_any_odds_end_at_their_lead(odds, lead, losses):
    # alpha = 1/(1 + odds^lead) puts the line exactly at this lead.
    alpha = 1 / (1 + odds**lead)
    test = wald_test(1 / odds, odds, alpha=alpha, beta=alpha, ratio="omega")
    low, high = wald_bounds(test, 2 * losses + lead)
    assert (low, high) == (losses, losses + lead)
    assert lead_test(odds, alpha=alpha).lead == -(-lead // 1)


def test_a_paired_test_stated_in_chances_meets_its_lines_as_well():
    test = paired_wald_test(0.25, 0.75, alpha=0.1, beta=0.1)
    assert [wald_bounds(test, pairs) for pairs in (2, 4)] == [(0, 2), (1, 3)]


def test_the_double_test_ends_on_its_bound():
    # (3/2)^2 (1/2)^0 = 9/4 = (1 - 1/10)/(2/5): the bound is reached, not missed by rounding.
    found = one_sided(steps_from_even(0.75), (2, 0), alpha=0.8, beta=0.1)
    assert found[0] == "take"
    assert double_test(0.75, alpha=0.8, beta=0.1).update("first").update("first").verdict == (
        "first better"
    )


def test_all_pairs_end_on_their_bound_too():
    test = all_pairs_test(["A", "B"], smallest=3.0, alpha=0.4, beta=0.1)
    # (3/2)^w against (1 - .1)/.2 = 4.5: w = 4 gives 5.06, 3 gives 3.375.
    assert test.update(0b01, rows=3).races[0].verdict == "open"
    assert test.update(0b01, rows=4).races[0].verdict == "first"


def test_a_lead_is_the_first_whole_power_that_reaches_the_odds_of_the_error():
    for odds in range(2, 12):
        for lead in range(1, 9):
            assert lead_test(odds, alpha=1 / (1 + odds**lead)).lead == lead


@pytest.mark.parametrize(
    ("given_as", "meant"),
    [
        (0.1, Fraction(1, 10)),
        (1 / 3, Fraction(1, 3)),
        (0.6 / (1 - 0.6), Fraction(3, 2)),
        (2.5, Fraction(5, 2)),
        (0.05, Fraction(1, 20)),
        (1e-6, Fraction(1, 10**6)),
    ],
)
def test_numbers_are_read_as_the_fraction_that_was_meant(given_as, meant):
    assert reading_of(given_as) == meant


@given(wins=st.integers(0, 300), losses=st.integers(0, 300), near=st.integers(-1, 1))
def test_the_side_of_a_bound_is_that_of_exact_arithmetic(wins, losses, near):
    powers = powers_of(Fraction(13, 10), Fraction(7, 10))
    product = Fraction(13, 10) ** wins * Fraction(7, 10) ** losses
    bound = product * (1 + Fraction(near, 10**30))
    assert powers.side(wins, losses, bound_at(bound)) == -near

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.sequential.wald import wald_test
from steelyard.comparison.sequential.wald_lead import lead_test, lead_test_properties
from steelyard.comparison.sequential.wald_properties import wald_exact_properties


@pytest.mark.parametrize(
    ("alpha", "lead"), [(0.05 / 6, 12), (0.05 / 3, 11), (0.05 / 2, 10), (0.05, 8)]
)
def test_leads_are_the_smallest_that_hold_the_error(alpha, lead):
    test = lead_test(1.5, alpha=alpha)
    assert test.lead == lead
    assert test.error <= alpha < 1 / (1 + 1.5 ** (lead - 1))


def test_a_bound_that_is_met_exactly_is_not_rounded_up():
    assert lead_test(2.0, alpha=1 / 9).lead == 3
    assert lead_test(3.0, alpha=1 / 82).lead == 4


@given(st.floats(0.05, 0.95), st.floats(1.2, 4), st.floats(0.01, 0.2))
def test_the_lead_test_is_the_symmetric_walk(win, smallest, alpha):
    test = lead_test(smallest, alpha=alpha)
    exact = 1 - 1 / (1 + (win / (1 - win)) ** test.lead)
    assert lead_test_properties(test, win=win).take == pytest.approx(exact, abs=1e-12)


def test_the_lead_test_agrees_with_the_general_recursion():
    test = lead_test(1.5, alpha=0.05)
    # Bounds half a pair inside a lead of 8, which is the symmetric test as Wald draws it.
    error = 1 / (1 + exp(7.5 * log(1.5)))
    lines = wald_test(1 / 1.5, 1.5, alpha=error, beta=error, ratio="omega")
    for win in (0.3, 0.5, 0.6):
        walked, known = wald_exact_properties(lines, win=win), lead_test_properties(test, win=win)
        assert walked.take == pytest.approx(known.take, abs=1e-12)
        assert walked.expected_pairs == pytest.approx(known.expected_pairs, rel=1e-10)


def test_equal_systems_always_get_a_winner_by_the_lead_test():
    answer = lead_test_properties(lead_test(1.5), win=0.5)
    assert (answer.keep, answer.take, answer.expected_pairs) == (0.5, 0.5, 64.0)
    assert lead_test_properties(lead_test(1.5), win=1.0).expected_pairs == 8
    assert lead_test_properties(lead_test(1.5), win=0.0).take == 0

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.sequential.wald import (
    discordance_ratio,
    odds_ratio,
    paired_wald_test,
    wald_decision,
    wald_test,
)
from steelyard.comparison.sequential.wald_lead import lead_test
from steelyard.comparison.sequential.wald_properties import wald_properties
from steelyard.errors import CountsError, RequestError


def test_the_worked_example_has_its_bounds():
    # u0 = 1, u1 = 2.5, alpha = .05, beta = .10, recomputed from Wald (1947), chapter 6.
    test = wald_test(1, 2.5, alpha=0.05, beta=0.10, ratio="u")
    assert test.keep_intercept == pytest.approx(-2.4569623159, abs=1e-10)
    assert test.take_intercept == pytest.approx(3.1544264908, abs=1e-10)
    assert test.slope == pytest.approx(0.6107404216, abs=1e-10)
    assert test.ratio == "u"
    expected = [wald_properties(test, win=u / (1 + u)).expected_pairs for u in (1, 2.5)]
    assert [round(value, 4) for value in expected] == [19.6531, 25.0450]


def test_the_paired_form_has_its_bounds_and_expected_numbers():
    test = paired_wald_test(0.5, 0.6, alpha=0.05, beta=0.1)
    assert test.ratio == "omega"
    assert (round(test.log_take, 6), round(test.log_keep, 6)) == (2.890372, -2.251292)
    assert round(wald_properties(test, win=0.5).expected_pairs, 3) == 97.703
    assert round(wald_properties(test, win=0.6).expected_pairs, 3) == 118.011


def test_at_its_two_hypotheses_walds_formula_gives_the_errors_asked_for():
    test = wald_test(1, 2.5, alpha=0.05, beta=0.10, ratio="u")
    assert wald_properties(test, win=0.5).take == pytest.approx(0.05, abs=1e-12)
    assert wald_properties(test, win=2.5 / 3.5).keep == pytest.approx(0.10, abs=1e-12)


@given(st.floats(0.02, 0.98))
def test_the_characteristic_falls_and_has_no_jump_where_the_drift_vanishes(win):
    test = wald_test(1, 2.5, ratio="u")
    one, two = wald_properties(test, win=win), wald_properties(test, win=win + 0.01)
    assert one.keep >= two.keep
    assert one.keep + one.take == pytest.approx(1)
    level = test.slope
    near = [wald_properties(test, win=level + gap) for gap in (-1e-6, 0, 1e-6)]
    assert near[0].keep == pytest.approx(near[1].keep, abs=1e-4)
    assert near[2].expected_pairs == pytest.approx(near[1].expected_pairs, rel=1e-4)


def test_certain_wins_and_losses_take_the_shortest_way():
    test = wald_test(1, 2.5, ratio="u")
    sure = wald_properties(test, win=1.0)
    assert (sure.keep, sure.take) == (0, 1)
    assert sure.expected_pairs == pytest.approx(test.take_intercept / (1 - test.slope))
    assert wald_properties(test, win=0.0).keep == 1


def test_the_decision_is_the_likelihood_ratio_against_its_bounds():
    test = wald_test(1, 2.5, ratio="u")
    for pairs in range(80):
        for wins in range(pairs + 1):
            ratio = wins * log((2.5 / 3.5) / 0.5) + (pairs - wins) * log((1 / 3.5) / 0.5)
            said = wald_decision(test, pairs=pairs, second_wins=wins)
            assert (said == "take second") == (ratio >= log(0.9 / 0.05))
            assert (said == "keep first") == (ratio <= log(0.1 / 0.95))


@pytest.mark.parametrize(
    "ask",
    [
        lambda: wald_test(2, 1, ratio="u"),
        lambda: wald_test(1, 2, ratio="odds"),
        lambda: wald_test(1, 2, ratio="u", alpha=5),
        lambda: wald_test(1, 2, ratio="u", alpha=0.6, beta=0.5),
        lambda: paired_wald_test(0.6, 0.5),
        lambda: lead_test(1.0),
        lambda: lead_test(1.5, alpha=0.5),
        lambda: odds_ratio(0, 0.5),
        lambda: discordance_ratio(0.5, 0.6, discordance=0.1),
        lambda: wald_properties(wald_test(1, 2, ratio="u"), win=1.5),
    ],
)
def test_arguments_outside_their_domain_are_refused(ask):
    with pytest.raises(RequestError):
        ask()


def test_more_wins_than_pairs_are_refused():
    with pytest.raises(CountsError, match="0 <= wins <= pairs"):
        wald_decision(wald_test(1, 2, ratio="u"), pairs=3, second_wins=4)

"""Stopping rules: exact recursions against simulation, and against the published table."""

from math import sqrt

import numpy as np
import pytest

from steelyard.comparison import (
    double_test,
    double_test_properties,
    paired_wald_test,
    wald_exact_properties,
)
from steelyard.errors import RequestError
from steelyard.planning import (
    DoubleRule,
    PairedRates,
    StoppingRule,
    compare_stopping_rules,
    fixed_properties,
    paired_power,
    simulated_properties,
    stopping_properties,
)

EVEN = PairedRates(only_first=0.10, only_second=0.10)
SIX = PairedRates(only_first=0.13, only_second=0.07)
CAMPAIGNS = 4000
# What 4,000 simulated campaigns gave (cap 1,000 items, discordance 0.20, two-sided 0.05):
# rule, winner without a difference, power at 6 points, mean items with and without it.
TABLE = [
    (StoppingRule(rule="uniform posterior", alpha=0.025), 0.38, 0.99, 190, 712),
    (StoppingRule(rule="uniform posterior", alpha=0.005), 0.10, 0.98, 333, 930),
    (StoppingRule(rule="e-process"), 0.03, 0.90, 485, 980),
    (DoubleRule(), 0.0455, 0.90, 354, 370),
]


@pytest.mark.parametrize(("rule", "error", "power", "items", "none"), TABLE)
def test_the_exact_numbers_lie_where_simulation_put_them(rule, error, power, items, none):
    even, six = (stopping_properties(rule, rates, cap=1000) for rates in (EVEN, SIX))
    rounding = 0.006
    for found, simulated in ((even.winner, error), (six.right, power)):
        slack = 4 * sqrt(simulated * (1 - simulated) / CAMPAIGNS) + rounding
        assert abs(found - simulated) < slack
    assert six.expected == pytest.approx(items, abs=4 * 300 / sqrt(CAMPAIGNS))
    assert even.expected == pytest.approx(none, abs=4 * 350 / sqrt(CAMPAIGNS))
    assert six.expected < six.late <= 1000


def test_half_a_weight_for_each_cell_errs_more_often():
    rule = StoppingRule(rule="posterior", alpha=0.025)
    assert stopping_properties(rule, EVEN, cap=1000).winner == pytest.approx(0.42, abs=0.01)


def test_looking_every_ten_items_makes_the_exact_test_err_five_times_as_often():
    rule = StoppingRule(rule="exact", alpha=0.05, every=10)
    found = simulated_properties(rule, EVEN, cap=1000, rng=np.random.default_rng(1))
    assert abs(found.winner - 0.26) < 4 * sqrt(0.26 * 0.74 / CAMPAIGNS) * sqrt(2)
    assert found.expected == pytest.approx(821, abs=25)
    powered = simulated_properties(rule, SIX, cap=1000, rng=np.random.default_rng(2))
    assert powered.right == pytest.approx(0.99, abs=0.01)
    assert powered.expected == pytest.approx(239, abs=15)


@pytest.mark.parametrize("rule", ["posterior", "e-process", "mid-p"])
def test_the_recursion_agrees_with_looking_at_every_simulated_item(rule):
    asked = StoppingRule(rule=rule, alpha=0.03)
    exact = stopping_properties(asked, SIX, cap=200)
    drawn = simulated_properties(asked, SIX, cap=200, rng=np.random.default_rng(9))
    for one, two in ((exact.right, drawn.right), (exact.wrong, drawn.wrong)):
        assert abs(one - two) < 4 * sqrt(max(one * (1 - one), 1e-3) / CAMPAIGNS)
    assert exact.expected == pytest.approx(drawn.expected, abs=4 * 80 / sqrt(CAMPAIGNS))
    assert exact.late == pytest.approx(drawn.late, abs=12)


@pytest.mark.parametrize("win", [0.5, 0.58, 0.65])
def test_the_double_test_agrees_with_its_walk_over_discordant_items(win):
    walk = double_test_properties(double_test(), win=win)
    rates = PairedRates(only_first=win, only_second=1 - win)
    found = stopping_properties(DoubleRule(), rates, cap=5000)
    assert found.right == pytest.approx(walk.first_better, abs=1e-12)
    assert found.no_difference == pytest.approx(walk.no_difference, abs=1e-12)
    assert found.expected == pytest.approx(walk.expected_pairs, rel=1e-9)


@pytest.mark.parametrize("win", [0.5, 0.6])
def test_a_wald_test_agrees_with_its_exact_properties(win):
    # Published: at q = .5 102.8885 pairs and P(reject) .046465; at .6 123.5925 and .908614.
    test = paired_wald_test(0.5, 0.6)
    exact = wald_exact_properties(test, win=win)
    rates = PairedRates(only_first=win / 2, only_second=(1 - win) / 2)
    found = stopping_properties(test, rates, cap=8000)
    assert found.right == pytest.approx(exact.take, abs=1e-9)
    assert found.no_difference == pytest.approx(exact.keep, abs=1e-9)
    assert found.expected == pytest.approx(2 * exact.expected_pairs, rel=1e-6)
    assert found.name.startswith("Wald's test of omega 1 against 1.5")


def test_the_fixed_test_stands_beside_the_rules():
    found = compare_stopping_rules(SIX, cap=600)
    assert found[0].right == paired_power(SIX, 600).power
    assert found[0] == fixed_properties(SIX, samples=600)
    assert all(one.expected < 600 for one in found[1:])
    for one in found:
        total = one.right + one.wrong + one.no_difference + one.open
        assert total == pytest.approx(1, abs=1e-9)


def test_more_discordance_only_speeds_the_rule_up():
    slow = stopping_properties(StoppingRule(rule="e-process"), SIX, cap=20_000)
    fast = PairedRates(only_first=0.26, only_second=0.14)
    quick = stopping_properties(StoppingRule(rule="e-process"), fast, cap=20_000)
    assert slow.expected == pytest.approx(2 * quick.expected, rel=1e-6)


@pytest.mark.parametrize(
    "call",
    [
        lambda: stopping_properties(StoppingRule(rule="exact", every=10), EVEN, cap=9),
        lambda: stopping_properties(StoppingRule(rule="exact"), EVEN, cap=0),
        lambda: stopping_properties(
            DoubleRule(), PairedRates(only_first=0.0, only_second=0.0), cap=10
        ),
        lambda: simulated_properties(
            StoppingRule(rule="exact", every=10), EVEN, cap=5, rng=np.random.default_rng(0)
        ),
        lambda: stopping_properties(StoppingRule(rule="sign"), EVEN, cap=100),
    ],
)
def test_impossible_wishes_are_refused(call):
    with pytest.raises(RequestError):
        call()


def test_the_names_say_the_rule():
    assert StoppingRule(rule="posterior", alpha=0.05).name == (
        "posterior, P(better) >= 0.95, every item"
    )
    assert StoppingRule(rule="exact", every=10).name == "exact, 0.05, every 10 items"

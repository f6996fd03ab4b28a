"""Rules looked at every so many items: the grid, the walk and the simulation agree."""

from math import sqrt

import numpy as np
import pytest

from steelyard.comparison import pair_posterior, paired_wald_test, spending_bounds
from steelyard.counts import PairTable
from steelyard.errors import RequestError
from steelyard.planning import (
    DoubleRule,
    LossRule,
    PairedRates,
    PlannedLooks,
    StoppingRule,
    fixed_properties,
    found_properties,
    simulated_properties,
    stopping_properties,
)
from steelyard.planning.stopping.looked_rules import _loss_judge, follow_looks

EVEN = PairedRates(only_first=0.10, only_second=0.10)
SIX = PairedRates(only_first=0.13, only_second=0.07)
RULES = [
    StoppingRule(rule="posterior", alpha=0.025),
    StoppingRule(rule="e-process"),
    DoubleRule(),
    paired_wald_test(0.5, 0.65),
]


@pytest.mark.parametrize("rule", RULES)
def test_looking_at_every_item_is_the_walk_over_discordant_items(rule):
    walk, grid = (found(rule, SIX, cap=150) for found in (stopping_properties, follow_looks))
    for name in ("right", "wrong", "no_difference", "open"):
        assert getattr(grid, name) == pytest.approx(getattr(walk, name), abs=1e-11)
    assert grid.expected == pytest.approx(walk.expected, abs=1e-8)
    assert grid.late == walk.late


@pytest.mark.parametrize("every", [7, 25])
@pytest.mark.parametrize(
    "rule", [*RULES, LossRule(loss=0.01), PlannedLooks(looks=4), PlannedLooks(kind="pocock")]
)
def test_simulated_campaigns_agree_with_the_recursion(rule, every):
    exact = stopping_properties(rule, SIX, cap=300, every=every)
    drawn = simulated_properties(rule, SIX, cap=300, every=every, rng=np.random.default_rng(3))
    for name in ("right", "wrong", "no_difference", "open"):
        one, two = getattr(exact, name), getattr(drawn, name)
        assert abs(one - two) < 4 * sqrt(max(one * (1 - one), 5e-4) / 4000)
    assert exact.expected == pytest.approx(drawn.expected, abs=4 * 110 / sqrt(4000))
    total = exact.right + exact.wrong + exact.no_difference + exact.open
    assert total == pytest.approx(1, abs=1e-12)


def test_rarer_looks_err_less_and_end_later():
    rule = StoppingRule(rule="posterior", alpha=0.025)
    often, rarely = (stopping_properties(rule, EVEN, cap=300, every=every) for every in (1, 50))
    assert rarely.winner < often.winner
    assert rarely.expected > often.expected


def test_one_look_at_the_end_is_the_test_of_fixed_size():
    rule = StoppingRule(rule="mid-p")
    once = stopping_properties(rule, SIX, cap=200, every=200)
    fixed = fixed_properties(SIX, samples=200)
    assert once.right == pytest.approx(fixed.right, abs=1e-12)
    assert once.wrong == pytest.approx(fixed.wrong, abs=1e-12)
    assert once.late == 200


def test_planned_looks_keep_their_error_and_stop_early():
    for kind in ("obrien-fleming", "pocock"):
        none = stopping_properties(PlannedLooks(kind=kind), EVEN, cap=600)
        assert 0.03 < none.winner <= 0.05  # the exact test never errs more often than its level
        some = stopping_properties(PlannedLooks(kind=kind), SIX, cap=600)
        assert some.expected < 0.8 * 600
    bounds = spending_bounds([0.2, 0.4, 0.6, 0.8, 1.0], alpha=0.05, sides=2).bounds
    assert bounds[0] > bounds[-1]


def test_the_loss_is_that_of_the_joint_posterior():
    for won, lost, items in ((18, 10, 100), (30, 4, 60)):
        table = PairTable(both=items - won - lost, first=won, second=lost, neither=0)
        loss = pair_posterior(table).loss_first
        for bar, named in ((loss * 1.001, True), (loss * 0.999, False)):
            judge = _loss_judge(LossRule(loss=bar), [items], (won, lost))
            right, wrong, _, _ = judge(np.array([won]), np.array([lost]), items)
            assert right[0] == named
            assert not wrong[0]


def test_a_walk_too_long_to_carry_is_simulated():
    rng = np.random.default_rng(0)
    near = PairedRates(only_first=0.21, only_second=0.19)
    short, long = (
        found_properties(PlannedLooks(looks=3), near, cap=cap, rng=rng) for cap in (300, 40_000)
    )
    assert (short.method, long.method) == ("exact", "simulated")
    assert short.error == 0 < long.error
    assert "every 5 items" in found_properties(DoubleRule(every=5), near, cap=100, rng=rng).name
    walds = found_properties(paired_wald_test(0.5, 0.6), near, cap=100, rng=rng, every=5)
    assert "every 5 items" in walds.name


@pytest.mark.parametrize(
    ("rule", "every"),
    [
        (LossRule(loss=0.0), None),
        (LossRule(every=0), None),
        (PlannedLooks(looks=0), None),
        (PlannedLooks(looks=101), None),
        (DoubleRule(), 0),
        (DoubleRule(), 101),
    ],
)
def test_impossible_looks_are_refused(rule, every):
    with pytest.raises(RequestError):
        stopping_properties(rule, EVEN, cap=100, every=every)

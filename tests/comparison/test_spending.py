import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from steelyard.comparison.sequential.spending import crossing_probabilities, spending_bounds
from steelyard.errors import RequestError

FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]
GOLDEN = Path(__file__).parents[1] / "golden" / "spending.json"


@pytest.mark.parametrize(
    ("kind", "bounds"),
    [
        ("obrien-fleming", [4.87688495, 3.35701192, 2.68028007, 2.28981677, 2.03103206]),
        ("pocock", [2.43797669, 2.42681386, 2.41019414, 2.39664929, 2.38599970]),
    ],
)
def test_five_looks_have_the_bounds_of_rpact(kind, bounds):
    # R rpact 3.3.4, one-sided .025; printed to 8 decimals.
    plan = spending_bounds(FIVE, kind=kind)
    assert plan.bounds == pytest.approx(bounds, abs=2e-7)
    assert plan.spent[-1] == pytest.approx(0.025, abs=1e-15)


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text())["cases"])
def test_other_plans_agree_with_rpact(case):
    plan = spending_bounds(
        case["fractions"], alpha=case["alpha"], kind=case["kind"], sides=case["sides"]
    )
    assert plan.bounds == pytest.approx(case["bounds"], abs=case["tolerance"])


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("kind", ["obrien-fleming", "pocock"])
def test_two_looks_solve_their_equation(kind, sides):
    # The definition, with the bivariate normal of another implementation.
    first, second = 0.4, 1.0
    plan = spending_bounds([first, second], kind=kind, sides=sides, alpha=0.05)
    joint = multivariate_normal([0, 0], [[1, np.sqrt(0.4)], [np.sqrt(0.4), 1]])
    low = -np.array(plan.bounds) if sides == 2 else np.array([-12.0, -12.0])
    inside = joint.cdf(np.array(plan.bounds), lower_limit=low)
    assert 1 - inside == pytest.approx(0.05, abs=1e-9)
    assert plan.nominal[0] == pytest.approx(plan.spent[0], abs=1e-14)


def test_one_look_is_the_plain_test():
    assert spending_bounds([1.0]).bounds[0] == pytest.approx(norm.isf(0.025), abs=1e-12)
    two = spending_bounds([1.0], sides=2, alpha=0.05).bounds[0]
    assert two == pytest.approx(norm.isf(0.025), abs=1e-12)


@pytest.mark.parametrize("sides", [1, 2])
def test_without_drift_the_chances_are_what_was_spent(sides):
    plan = spending_bounds([0.1, 0.15, 0.5, 0.51, 1.0], kind="pocock", sides=sides, alpha=0.05)
    found = crossing_probabilities(plan, drift=0.0)
    assert np.cumsum(found.at_look) == pytest.approx(plan.spent, abs=1e-11)


def test_simulation_agrees_on_power_and_length():
    plan, rng = spending_bounds(FIVE), np.random.default_rng(5)
    steps = rng.normal(2.8 * 0.2, np.sqrt(0.2), (40_000, 5)).cumsum(axis=1)
    crossed = steps / np.sqrt(FIVE) >= plan.bounds
    ever = crossed.any(axis=1)
    when = np.where(ever, np.array(FIVE)[crossed.argmax(axis=1)], 1.0)
    found = crossing_probabilities(plan, drift=2.8)
    assert ever.mean() == pytest.approx(found.ever, abs=4 * 0.5 / 200)
    assert when.mean() == pytest.approx(found.expected_fraction, abs=0.005)


def test_what_is_left_is_spent_at_the_cap():
    plan = spending_bounds([0.3, 0.7], final=True)
    assert plan.spent[-1] == 0.025
    assert crossing_probabilities(plan, drift=0.0).ever == pytest.approx(0.025, abs=1e-11)
    assert plan.bounds[-1] < spending_bounds([0.3, 0.7]).bounds[-1]


def test_an_earlier_look_does_not_depend_on_later_ones():
    assert spending_bounds(FIVE).bounds[:3] == spending_bounds(FIVE[:3]).bounds


def test_a_very_early_look_spends_next_to_nothing_and_harms_nothing():
    plan = spending_bounds([0.001, 1.0])
    assert 20 < plan.bounds[0] < 80
    assert plan.bounds[1] == pytest.approx(norm.isf(0.025), abs=1e-6)
    sure = crossing_probabilities(spending_bounds(FIVE), drift=60.0)
    assert sure.ever == pytest.approx(1)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: spending_bounds([]),
        lambda: spending_bounds([0.5, 0.5]),
        lambda: spending_bounds([0.5, 1.2]),
        lambda: spending_bounds([0.5], alpha=5),
        lambda: spending_bounds([0.5], kind="pocok"),
        lambda: spending_bounds([0.5], sides=3),
    ],
)
def test_arguments_outside_their_domain_are_refused(ask):
    with pytest.raises(RequestError):
        ask()

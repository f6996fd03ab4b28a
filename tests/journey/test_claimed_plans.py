"""Plans of claims about numbers: what is planned is what a gate then passes."""

import numpy as np
import pytest
import scipy.stats

import steelyard as sy
from steelyard.errors import SteelyardError


def gate_passes(values, claim):
    rows = {"item": list(range(len(values))), "latency": values}
    return sy.gate(rows, value="latency", claim=[claim]).outcome == "passes"


def test_a_quantile_is_planned_as_the_share_that_its_gate_counts():
    claim = "p95 latency at most 200"
    plan = sy.plan([0.98], question="accept", claim=claim)
    fixed, empty = plan.way("fixed size"), plan.way("nothing may fail")
    assert (empty.most, empty.failures) == (59, 0)
    for way in (fixed, empty):
        size, slow = round(way.most), way.failures
        assert gate_passes([150.0] * (size - slow) + [300.0] * slow, claim)
        assert not gate_passes([150.0] * (size - slow - 1) + [300.0] * (slow + 1), claim)
    # scipy's binomial tails: wrong in 5 % on the limit, passed by 80 % as supposed.
    assert scipy.stats.binom.cdf(fixed.failures, fixed.most, 0.05) <= 0.05
    assert scipy.stats.binom.cdf(fixed.failures, fixed.most, 0.02) >= 0.8
    lower = sy.plan([0.97], question="accept", claim="p10 grade at least 3").way("fixed size")
    assert scipy.stats.binom.cdf(lower.failures, lower.most, 0.1) <= 0.05


@pytest.mark.parametrize(
    ("claim", "true"), [("mean grade at least 3", 3.2), ("mean at most 3", 2.8)]
)
def test_a_mean_is_planned_with_the_limit_that_its_gate_takes(claim, true):
    plan = sy.plan([true], question="accept", claim=claim, spread=0.9)
    law = scipy.stats.nct(plan.samples - 1, 0.2 / 0.9 * np.sqrt(plan.samples))
    power = law.sf(scipy.stats.t.isf(0.025, plan.samples - 1))
    before = scipy.stats.nct(plan.samples - 2, 0.2 / 0.9 * np.sqrt(plan.samples - 1))
    assert power >= 0.8 > before.sf(scipy.stats.t.isf(0.025, plan.samples - 2))
    rng, passed = np.random.default_rng(2), 0
    for _ in range(60):
        rows = {"item": list(range(plan.samples)), "grade": rng.normal(true, 0.9, plan.samples)}
        found = sy.gate(rows, value="grade", claim=[claim], higher_is_better=True)
        passed += found.outcome == "passes"
    assert abs(passed / 60 - 0.8) < 3 * np.sqrt(0.8 * 0.2 / 60)
    assert repr(claim) in plan.sentence()


def test_a_claimed_area_is_planned_as_an_area_told_from_its_limit():
    found = sy.plan([0.95], question="accept", claim="AUC at least 0.9")
    assert found.samples == sy.plan([0.95], question="area", null=0.9).samples


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"claim": "mean grade at least 3"}, "how much items spread"),
        ({"claim": "mean grade at least 3", "spread": 1.0, "rates": [2.5]}, "does not hold"),
        ({"claim": "mean grade at least 3", "spread": [1, 2], "rates": [4]}, "how much items"),
        ({"claim": "mean grade at least 3", "spread": -1, "rates": [4]}, "how much items"),
        ({"claim": "p95 latency at most 200", "rates": [150]}, "share of items with latency"),
        ({"claim": "AUC at least 0.9", "rates": [0.85]}, "does not hold"),
        ({"claim": "F1 at least 0.9", "rates": [0.95]}, "steelyard gate say how many"),
    ],
)
def test_claims_about_numbers_that_cannot_be_planned_are_refused(given, words):
    with pytest.raises(SteelyardError, match=words):
        sy.plan(question="accept", **given)

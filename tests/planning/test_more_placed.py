"""More items until the verdict on areas, by the limits that give it."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import JointScores
from steelyard.planning import more_areas, more_placed_areas, more_placed_until_best
from steelyard.uncertainty import (
    chance_area_larger,
    joint_area_spreads,
    placement_difference_interval,
)


def scores(shift=0.2, positives=60, negatives=100, seed=3):
    rng = np.random.default_rng(seed)
    truth = np.r_[np.ones(positives, int), np.zeros(negatives, int)]
    shared = rng.normal(size=truth.size)
    return JointScores.from_arrays(
        truth,
        {
            "A": (2.4 + shift) * truth + shared + 0.3 * rng.normal(size=truth.size),
            "B": 2.4 * truth + shared + 0.3 * rng.normal(size=truth.size),
        },
    )


def test_after_the_planned_items_the_interval_leaves_out_0_with_room_for_the_power():
    spreads = joint_area_spreads(scores())
    found = more_placed_areas(spreads, 0, 1, tested=160)
    gap = spreads.areas[0] - spreads.areas[1]
    for total, enough in ((found.total, True), (found.total - 1, False)):
        grown = spreads.after(total / 160)
        low, high = placement_difference_interval(grown, 0, 1)
        reach = gap - low if gap > 0 else high - gap
        # 0.8416 is the normal quantile of a power of 0.8.
        left = abs(gap) - reach - 0.8416212335729143 * grown.variance(0, 1) ** 0.5
        assert (left >= -1e-12) == enough


def test_it_takes_more_items_than_delongs_test():
    spreads = joint_area_spreads(scores())
    gap = float(spreads.areas[0] - spreads.areas[1])
    plain = more_areas(gap, spreads.variance(0, 1), tested=160)
    assert more_placed_areas(spreads, 0, 1, tested=160).total > plain.total


def test_the_best_is_named_when_the_limits_say_so():
    spreads = joint_area_spreads(scores())
    leader = int(spreads.areas.argmax())
    found = more_placed_until_best(spreads, leader, tested=160, confidence=0.95)
    sure = chance_area_larger(spreads.after(found.total / 160), leader, 1 - leader)[0]
    assert sure == pytest.approx(0.95, abs=0.01)


def test_no_difference_needs_no_number():
    twins = JointScores.from_arrays([0, 0, 1, 1], {"A": [1, 3, 2, 4], "B": [1, 3, 2, 4]})
    assert more_placed_areas(joint_area_spreads(twins), 0, 1, tested=4).total is None
    assert more_placed_until_best(joint_area_spreads(twins), 0, tested=4).reason


def test_a_plan_on_from_scores_follows_the_verdict_of_the_comparison():
    joint = scores()
    verdict = sy.compare(joint).pairs[0]
    plan = sy.plan(more=joint)
    told = {(one.first, one.second): one.samples for one in plan.more}
    assert verdict.verdict == "undecided"
    assert told["A", "B"] == more_placed_areas(joint_area_spreads(joint), 0, 1, tested=160).more
    assert "limits that give the verdict" in plan.method
    assert any("DeLong" in one for one in sy.plan([0.9, 0.85], question="area").caveats)

"""Placements from one sort against looking up every item."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import JointScores
from steelyard.uncertainty.areas import placements as room
from steelyard.uncertainty.areas.placements import joint_placements, placements

scores = st.lists(
    st.one_of(st.floats(allow_nan=False), st.sampled_from([0.0, 0.5, 1.0, np.inf])),
    min_size=1,
    max_size=30,
).map(lambda held: np.array(held) + 0.0)


def beaten_twice(own, others):
    """Twice the number of ``others`` below each of ``own``, ties counted once."""
    ascending = np.sort(others)
    below = np.searchsorted(ascending, own, side="left")
    return below + np.searchsorted(ascending, own, side="right")


@given(scores, scores)
def test_placements_are_those_of_looking_up_each_item(negatives, positives):
    found = placements(negatives, positives)
    assert found.below_positives.tolist() == beaten_twice(positives, negatives).tolist()
    assert found.above_negatives.tolist() == beaten_twice(-negatives, -positives).tolist()
    assert found.below_positives.sum() == found.above_negatives.sum()


def test_two_threads_place_as_one_does(monkeypatch):
    rng = np.random.default_rng(0)
    truth = rng.random(500) < 0.4
    joint = JointScores.from_arrays(truth, {"A": rng.random(500), "B": rng.random(500).round(1)})
    one = joint_placements(joint)
    monkeypatch.setattr(room, "WORTH_THREADS", 8)
    for first, second in zip(one, joint_placements(joint), strict=True):
        assert np.array_equal(first.below_positives, second.below_positives)
        assert np.array_equal(first.above_negatives, second.above_negatives)

import numpy as np
import pytest

from steelyard.comparison import compare_areas
from steelyard.comparison.resampling.scores import bootstrap_scores, permute_scores
from steelyard.counts import JointScores
from steelyard.errors import NotComparable
from steelyard.uncertainty import delong_covariance


def rng(seed=0):
    return np.random.default_rng(seed)


def area(scores, positives, negatives):
    below = np.cumsum(negatives, axis=1) - negatives / 2
    return (positives * below).sum(axis=1) / (positives.sum(axis=1) * negatives.sum(axis=1))


@pytest.fixture(scope="module")
def joint():
    draw = rng(5)
    truth = draw.random(300) < 0.4
    shared = draw.normal(0, 1, 300)
    return JointScores.from_arrays(
        truth,
        {"S": 1.3 * truth + shared + draw.normal(0, 0.5, 300), "T": 0.9 * truth + shared,
         "U": np.exp(0.9 * truth + shared)},
    )  # fmt: skip


def test_the_bootstrap_of_the_area_is_near_to_delong(joint):
    areas, covariance = delong_covariance(joint)
    known = compare_areas(areas, covariance, 0, 1)
    pair = bootstrap_scores(joint, area, rng=rng(), draws=4000)[0]
    assert pair.difference == pytest.approx(known.difference, abs=1e-12)
    assert (pair.low, pair.high) == pytest.approx((known.low, known.high), abs=0.01)


def test_exchanged_ranks_do_not_see_the_scale_of_the_scores(joint):
    pairs = permute_scores(joint, area, rng=rng(), draws=999)
    assert pairs[2].difference == pytest.approx(0, abs=1e-12)
    assert pairs[2].p_value == 1.0
    assert pairs[0].p_value == pytest.approx(pairs[1].p_value, abs=0.05)


def test_scores_themselves_are_exchanged_when_asked_for(joint):
    def mean(scores, positives, negatives):
        return (positives @ scores + negatives @ scores) / 300

    pairs = permute_scores(joint, mean, rng=rng(), draws=999, ranks=False)
    assert pairs[2].p_value == pytest.approx(1 / 1000)


def test_one_class_alone_is_refused():
    joint = JointScores.from_arrays([True, True], {"S": [0.1, 0.2], "T": [0.3, 0.1]})
    for ask in (bootstrap_scores, permute_scores):
        with pytest.raises(NotComparable, match="both classes"):
            ask(joint, area, rng=rng())

"""The bootstrap of areas against the bootstrap of any measure of scores."""

import numpy as np
import pytest

from steelyard.comparison import bootstrap_areas, bootstrap_scores
from steelyard.counts import JointScores
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty.areas.delong import delong_covariance


def area(scores, positives, negatives):
    below = np.cumsum(negatives, axis=1) - negatives / 2
    return (positives * below).sum(axis=1) / (positives.sum(axis=1) * negatives.sum(axis=1))


def joint(rows=300, digits=None):
    rng = np.random.default_rng(5)
    truth = rng.random(rows) < 0.4
    columns = {
        name: truth * gap + rng.normal(size=rows)
        for name, gap in zip("ABC", (2, 1, 0.5), strict=True)
    }
    if digits is not None:
        columns = {name: column.round(digits) for name, column in columns.items()}
    return JointScores.from_arrays(truth, columns)


@pytest.mark.parametrize("digits", [None, 1, 0])
def test_areas_are_drawn_as_any_other_measure_of_scores(digits):
    held = joint(digits=digits)
    fast = bootstrap_areas(held, rng=np.random.default_rng(3), draws=150)
    plain = bootstrap_scores(held, area, rng=np.random.default_rng(3), draws=150)
    for one, other in zip(fast, plain, strict=True):
        assert one.values == pytest.approx(other.values, abs=1e-14)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-13)
        assert (one.first, one.second, one.p_value) == (other.first, other.second, other.p_value)


def test_the_spread_of_drawn_differences_is_near_that_of_delong():
    held = joint(rows=2000)
    _, covariance = delong_covariance(held)
    pair = bootstrap_areas(held, rng=np.random.default_rng(0), draws=600)[0]
    expected = np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert (pair.high - pair.low) / 3.92 == pytest.approx(expected, rel=0.12)


def test_one_class_and_few_draws_are_refused():
    lonely = JointScores.from_arrays([1, 1], {"A": [0.1, 0.2], "B": [0.3, 0.4]})
    with pytest.raises(NotComparable):
        bootstrap_areas(lonely, rng=np.random.default_rng(0))
    with pytest.raises(RequestError):
        bootstrap_areas(joint(), rng=np.random.default_rng(0), draws=1)

"""Hull and lines of equal cost, against a plain search over all points."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import RocCurve, iso_performance, roc_hull
from steelyard.measures.roc import convex_hull

scores = st.lists(st.integers(0, 12), min_size=1, max_size=40)
costs = st.fractions(Fraction(1, 20), 20)


def corners(curve):
    return list(zip(curve.false_alarms.tolist(), curve.detections.tolist(), strict=True))


@given(scores, scores)
def test_the_hull_turns_right_at_every_corner_and_lies_above_every_point(positives, negatives):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    hull = corners(roc_hull(curve))
    assert hull[0] == (0, 0)
    assert hull[-1] == (len(negatives), len(positives))
    assert set(hull) <= set(corners(curve))
    for (ax, ay), (bx, by), (cx, cy) in zip(hull, hull[1:], hull[2:], strict=False):
        assert (by - ay) * (cx - bx) > (cy - by) * (bx - ax)
    for x, y in corners(curve):
        for (ax, ay), (bx, by) in pairwise(hull):
            assert (y - ay) * (bx - ax) <= (by - ay) * (x - ax)


@given(scores, scores)
def test_the_hull_has_at_least_the_area_of_the_curve_and_of_chance(positives, negatives):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    assert roc_hull(curve).area() >= max(curve.area(), Fraction(1, 2))
    assert roc_hull(roc_hull(curve)).thresholds.tolist() == roc_hull(curve).thresholds.tolist()


@given(scores, scores)
def test_finishing_with_the_chain_changes_nothing(positives, negatives):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    called = curve.detections + curve.false_alarms
    distinct = np.flatnonzero(np.diff(called, prepend=-1))
    chained = convex_hull._by_chain(curve, distinct)
    assert chained.tolist() == convex_hull._corners(curve).tolist()


@given(scores, scores, costs, costs, st.none() | st.fractions("1/50", "49/50"))
def test_no_point_is_cheaper_than_the_ones_on_the_line(positives, negatives, fp, fn, prevalence):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    best = iso_performance(curve, fp=fp, fn=fn, prevalence=prevalence)
    share = prevalence or Fraction(len(positives), len(positives) + len(negatives))

    def cost(alarms, found):
        missed = 1 - Fraction(found, len(positives))
        return share * fn * missed + (1 - share) * fp * Fraction(alarms, len(negatives))

    every = {corner: cost(*corner) for corner in corners(curve)}
    cheapest = min(every.values())
    assert best.cost == pytest.approx(float(cheapest), abs=1e-12)
    found = {(point.fp, point.tp) for point in best.points}
    assert found == {corner for corner, spent in every.items() if spent == cheapest}
    for point in best.points:
        rate, alarm = point.tp / len(positives), point.fp / len(negatives)
        assert rate == pytest.approx(best.intercept + best.slope * alarm, abs=1e-9)


def test_a_million_points_have_their_hull_in_no_time():
    rng = np.random.default_rng(3)
    table = ScoreTable.from_scores(rng.normal(1, 1, 200_000), rng.normal(0, 1, 800_000))
    hull = roc_hull(RocCurve.of(table))
    slopes = np.diff(hull.detections) / np.maximum(np.diff(hull.false_alarms), 1e-9)
    assert (np.diff(slopes) < 0).all()
    assert 20 < hull.thresholds.size < 5000


def test_huge_counts_are_compared_exactly():
    table = ScoreTable.from_counts(
        [0, 1, 2], [2**31, 2**31, 2**31], [2**31 + 1, 2**31, 2**31 - 1], positive="x"
    )
    assert roc_hull(RocCurve.of(table)).thresholds.tolist()[1:] == [2, 1, 0]


def test_costs_and_prevalence_outside_their_domain_are_refused():
    curve = RocCurve.of(ScoreTable.from_scores([1], [0]))
    for wrong in ({"fp": 0}, {"fn": -1}, {"prevalence": 0}, {"prevalence": 1}):
        with pytest.raises(RequestError, match="costs must be above 0"):
            iso_performance(curve, **wrong)


def test_the_cost_of_a_point_is_that_of_the_prevalence_asked_for():
    curve = RocCurve.of(ScoreTable.from_scores([5, 3, 2.5], [4, 2, 1, 0]))
    for prevalence in (Fraction(1, 100), Fraction(1, 2), Fraction(9, 10)):
        best = iso_performance(curve, fp=2, fn=7, prevalence=prevalence)
        for point in best.points:
            missed, alarmed = Fraction(point.fn, 3), Fraction(point.fp, 4)
            cost = 7 * prevalence * missed + 2 * (1 - prevalence) * alarmed
            assert dict(point.measures)["cost"] == float(cost) == best.cost

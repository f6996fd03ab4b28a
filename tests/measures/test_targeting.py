"""Lift and gain: the printed example, ties, row order, and a brute-force average over orders."""

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    PERCENTILES,
    auc,
    captured_at,
    gain_curve,
    gini,
    ks_distance,
    lift_at,
    precision_at,
)

EXAMPLE = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())[
    "gain_lift_example"
]
score = st.integers(0, 4).map(float)
both = st.tuples(st.lists(score, min_size=1, max_size=12), st.lists(score, min_size=1, max_size=12))


def table_of(scores, targets):
    scores, targets = np.asarray(scores, float), np.asarray(targets, bool)
    return ScoreTable.from_scores(scores[targets], scores[~targets])


def test_gain_and_lift_of_the_worked_example_are_reproduced():
    table = table_of(EXAMPLE["scores"], EXAMPLE["targets"])
    for point, row in zip(gain_curve(table).points, EXAMPLE["rows"], strict=True):
        assert point.contacts == pytest.approx(row["depth"])
        assert point.captured.value == pytest.approx(row["gain"], abs=1e-12)
        assert point.lift.value == pytest.approx(row["lift"], abs=1e-12)
        assert point.precision.value == pytest.approx(row["gain"] * 5 / row["depth"], abs=1e-12)


def test_a_constant_score_lifts_nothing_in_any_row_order():
    table = table_of([1.0] * 10, [1, 0] * 5)
    for point in gain_curve(table, depths=PERCENTILES).points:
        assert point.lift.value == pytest.approx(1, abs=1e-12)
        assert point.captured.value == pytest.approx(point.depth, abs=1e-12)


def test_tied_items_are_worth_their_average_over_all_orders():
    scores, targets = [3, 2, 2, 2, 1], [1, 1, 0, 1, 0]
    for budget in (1, 2, 3, 4, 5):
        found = []
        for order in permutations(range(5)):
            taken = sorted(order, key=lambda i: -scores[i])[:budget]
            found.append(sum(targets[i] for i in taken) / 3)
        ours = captured_at(table_of(scores, targets), budget=budget).value
        assert ours == pytest.approx(np.mean(found), abs=1e-12)


@given(both)
def test_the_curve_rises_from_nothing_to_all_and_the_limits_hold_it(sides):
    table = ScoreTable.from_scores(*sides)
    curve = gain_curve(table, depths=None)
    gains = [point.captured.value for point in curve.points]
    assert gains == sorted(gains)
    assert gains[-1] == pytest.approx(1)
    for point in curve.points:
        for number in (point.captured, point.precision):
            if number.interval:
                assert 0 <= number.interval.low <= number.value + 1e-12
                assert number.value - 1e-12 <= number.interval.high <= 1
                assert number.interval.low < number.interval.high


@given(both)
def test_gini_and_ks_agree_with_their_definitions(sides):
    table = ScoreTable.from_scores(*sides)
    assert gini(table).value == pytest.approx(2 * auc(table).value - 1, abs=1e-12)
    found = ks_distance(table)
    one, two = (np.sort(side) for side in sides)
    at = np.concatenate([one, two])
    apart = np.searchsorted(one, at, "right") / len(one) - np.searchsorted(two, at, "right") / len(
        two
    )
    assert found.value == pytest.approx(np.abs(apart).max(), abs=1e-12)
    assert found.interval.low <= found.value <= found.interval.high


def test_a_perfect_ranking_reaches_all_at_the_prevalence_and_keeps_width():
    table = ScoreTable.from_scores([5.0] * 10, [1.0] * 90)
    point = gain_curve(table, depths=[0.1]).points[0]
    assert (point.captured.value, point.captured.interval.high) == (1, 1)
    assert point.captured.interval.low < 1
    assert point.lift.value == pytest.approx(10)
    assert precision_at(table, budget=10).interval.low < 1
    assert lift_at(table, depth=0.1).value == pytest.approx(10)


def test_impossible_questions_are_refused():
    table = ScoreTable.from_scores([0.9], [0.1])
    for depth in (0, 1.5, -1):
        with pytest.raises(RequestError, match="depth"):
            gain_curve(table, depths=[depth])
    with pytest.raises(RequestError, match="budget=3"):
        captured_at(table, budget=3)
    nobody = ScoreTable.from_scores([], [0.1, 0.2], positive="ship")
    with pytest.raises(NotComparable, match="No item is truly 'ship'"):
        gain_curve(nobody)
    assert ks_distance(nobody).reason == "there are no positives"
    weighted = ScoreTable.from_counts(
        [0.1], [1], [1], positive="x", positive_weights=[5], negative_weights=[5]
    )
    with pytest.raises(NotComparable, match="weights"):
        gain_curve(weighted)


def test_gini_without_both_classes_has_a_reason():
    found = gini(ScoreTable.from_scores([0.9, 0.2], []))
    assert found.value is None
    assert found.interval is None
    assert found.reason

"""The curve: any number in, any measures out, exactly and fast."""

import json
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures import RocCurve, exact_auc, measure_names
from tests.material import split

SLIDE = json.loads((Path(__file__).parents[1] / "golden" / "roc.json").read_text())
scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


CURVE = RocCurve.of(split(SLIDE["scores"], SLIDE["targets"]))


@pytest.mark.parametrize("rows", ["original_thresholds", "adjusted_thresholds", "fixed_linear_11"])
def test_any_threshold_finds_its_rates(rows):
    for row in SLIDE[rows]:
        point = CURVE.at(threshold=float(row["threshold"]), measures=["fpr", "tpr"])
        assert (point.fpr, point.tpr) == (row["PFA"], row["PD"])
        assert point.threshold == float(row["threshold"])


@pytest.mark.parametrize(("rate", "alarms"), SLIDE["pfa_at_pd"].items())
def test_false_alarms_at_a_detection_rate_are_those_of_the_lecture(rate, alarms):
    assert CURVE.at(detection_rate=rate, measures=["fpr"]).fpr == alarms
    assert CURVE.at(detection_rate=float(rate), measures=["fpr"]).fpr == alarms


def test_a_false_alarm_rate_finds_the_top_of_the_step():
    point = CURVE.at(false_alarm_rate=0, measures=["tpr"])
    assert (point.threshold, point.tpr) == (0.82, 0.6)
    assert CURVE.at(false_alarm_rate=0.3).threshold == 0.42
    assert CURVE.at(false_alarm_rate=1).threshold == 0


def test_precision_and_flagged_find_the_most_detections():
    assert CURVE.at(precision=0.8, measures=["precision", "flagged"]).measures == (
        ("precision", 0.8),
        ("flagged", 5.0),
    )
    assert CURVE.at(precision=1).tp == 3
    assert CURVE.at(flagged=5).threshold == 0.42
    assert CURVE.at(flagged=0).threshold == inf
    assert CURVE.at(flagged=1000).threshold == 0


def test_a_precision_that_is_never_reached_is_refused_with_the_highest():
    curve = RocCurve.of(ScoreTable.from_scores([1, 1], [2, 1]))
    with pytest.raises(NotComparable, match=r"the highest is 0\.5"):
        curve.at(precision=0.9)


@given(scores, scores, st.fractions(0, 1))
def test_lookups_are_the_best_points_that_keep_their_word(positives, negatives, share):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    every = [curve.point(place, measures=()) for place in range(curve.thresholds.size)]
    budget = curve.at(false_alarm_rate=share, measures=())
    assert budget.tp == max(p.tp for p in every if p.fp <= share * len(negatives))
    assert budget.fp <= share * len(negatives)
    found = curve.at(detection_rate=share, measures=())
    assert found.fp == min(p.fp for p in every if p.tp >= share * len(positives))
    held = [p for p in every if p.tp + p.fp and Fraction(p.tp, p.tp + p.fp) >= share]
    if held:
        assert curve.at(precision=share, measures=()).tp == max(p.tp for p in held)


@given(scores, scores)
def test_points_are_counts_of_items_from_their_threshold_up(positives, negatives):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    for place in range(1, curve.thresholds.size):
        point = curve.point(place, measures=())
        assert point.tp == sum(p >= point.threshold for p in positives)
        assert point.fp == sum(n >= point.threshold for n in negatives)
        assert point.fn + point.tp == len(positives)
        assert point.tn + point.fp == len(negatives)


@given(scores, scores)
def test_the_area_is_the_share_of_pairs_and_curves_never_fall(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    curve = RocCurve.of(table)
    assert curve.area() == exact_auc(table)
    assert (np.diff(curve.false_alarms) >= 0).all()
    assert (np.diff(curve.detections) >= 0).all()


@given(scores, scores)
def test_the_mirrored_curve_turns_the_classes_round(positives, negatives):
    curve = RocCurve.of(ScoreTable.from_scores(positives, negatives))
    turned = RocCurve.of(ScoreTable.from_scores([-n for n in negatives], [-p for p in positives]))
    points = {(int(f), int(d)) for f, d in zip(curve.false_alarms, curve.detections, strict=True)}
    mirrored = {
        (len(negatives) - int(d), len(positives) - int(f))
        for f, d in zip(turned.false_alarms, turned.detections, strict=True)
    }
    assert points == mirrored
    assert curve.area() == turned.area()


def test_a_curve_that_falls_is_refused():
    with pytest.raises(CountsError, match="neither detections nor false alarms may fall"):
        RocCurve(
            positive="x",
            positive_total=2,
            negative_total=2,
            thresholds=np.array([inf, 1.0, -inf]),
            false_alarms=np.array([0, 2, 1]),
            detections=np.array([0, 1, 2]),
        )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "0 of threshold"),
        ({"threshold": 1, "flagged": 2}, "2 of threshold"),
        ({"threshold": float("nan")}, "no place among scores"),
        ({"false_alarm_rate": 5}, "For 5% type"),
        ({"flagged": -1}, "whole number"),
        ({"flagged": 1, "measures": ["taste"]}, "measure='taste'"),
    ],
)
def test_a_point_is_found_from_exactly_one_number(asked, said):
    with pytest.raises(RequestError, match=said):
        CURVE.at(**asked)


def test_a_measure_that_was_not_asked_for_is_not_there():
    with pytest.raises(AttributeError):
        _ = CURVE.at(flagged=1, measures=["kappa"]).precision


def test_infinite_scores_are_called_from_infinity_up():
    curve = RocCurve.of(ScoreTable.from_scores([inf, 1], [-inf, 1]))
    assert curve.at(threshold=inf, measures=()).tp == 1
    assert CURVE.at(threshold=inf, measures=()).tp == 0


def test_huge_counts_keep_their_area_exact():
    table = ScoreTable.from_counts([0, 1], [1, 4 * 10**9], [4 * 10**9, 1], positive="x")
    assert RocCurve.of(table).area() == exact_auc(table)


def test_every_measure_is_there_at_every_threshold():
    rng = np.random.default_rng(7)
    truth = rng.random(10**5) < 0.3
    score = 0.8 * rng.random(10**5) + 0.2 * truth
    table = ScoreTable.from_scores(score[truth], score[~truth])
    curve = RocCurve.of(table)
    for name in measure_names():
        assert curve.measure(name).shape == curve.thresholds.shape
    assert curve.area() == exact_auc(table)
    assert curve.at(precision=0.5, measures=["precision"]).precision >= 0.5

"""Averages of curves: the lecture's two sets, and what bands mean."""

import json
from fractions import Fraction
from math import inf, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import RocCurve, average_roc, pooled_roc
from tests.material import split

SLIDE = json.loads((Path(__file__).parents[1] / "golden" / "roc.json").read_text())
GOLDEN = SLIDE["averaging"]
scores = st.lists(st.integers(0, 8), min_size=1, max_size=20)


A = split(SLIDE["scores"], SLIDE["targets"])
B = split(GOLDEN["setB"]["scores"], GOLDEN["setB"]["targets"])
BOTH = Grouped.from_parts("fold", {"A": A, "B": B})


def test_vertical_averaging_is_the_lecture():
    rows = GOLDEN["vertical"]
    wanted = [row["PFA"] for row in rows]
    found = average_roc(BOTH, at=wanted)
    assert found.detection_rates.mean.tolist() == [row["PD"] for row in rows]
    for table, key in ((A, "PD_A"), (B, "PD_B")):
        alone = average_roc(Grouped.from_parts("fold", {"x": table}), at=wanted)
        assert alone.detection_rates.mean.tolist() == [row[key] for row in rows]
    assert found.false_alarm_rates is None


def test_averaging_at_thresholds_is_the_lecture():
    rows = GOLDEN["threshold"]
    found = average_roc(BOTH, by="threshold", at=[float(row["threshold"]) for row in rows])
    assert found.places.tolist() == [float(row["threshold"]) for row in rows][::-1]
    assert found.false_alarm_rates.mean.tolist() == pytest.approx(
        [row["PFA"] for row in rows][::-1], abs=1e-15
    )
    assert found.detection_rates.mean.tolist() == pytest.approx(
        [row["PD"] for row in rows][::-1], abs=1e-15
    )


def test_false_alarms_at_fixed_detections_are_those_of_the_single_set():
    wanted = list(SLIDE["pfa_at_pd"])
    alone = Grouped.from_parts("fold", {"A": A})
    found = average_roc(alone, by="detection-rate", at=wanted)
    # Without ties between classes there is nothing to interpolate.
    assert found.false_alarm_rates.mean.tolist() == list(SLIDE["pfa_at_pd"].values())


def test_the_pooled_curve_merges_scores_and_its_area_is_not_the_mean_area():
    pooled = pooled_roc(BOTH)
    assert (pooled.positive_total, pooled.negative_total) == (9, 9)
    mean = (RocCurve.of(A).area() + RocCurve.of(B).area()) / 2
    assert pooled.area() != mean
    won = sum(
        Fraction(p > n) + Fraction(p == n, 2)
        for p in [0.18, 0.42, 0.82, 0.88, 0.92, 0.3, 0.6, 0.8, 0.9]
        for n in [0, 0.11, 0.21, 0.35, 0.56, 0.05, 0.2, 0.4, 0.7]
    )
    assert pooled.area() == won / 81


def test_bands_are_the_spread_of_folds_and_students_interval_of_their_mean():
    three = Grouped.from_parts("site", {"A": A, "B": B, "C": split([1, 2, 3], [0, 1, 0])})
    found = average_roc(three, at=["0.5"], level=0.9)
    rates = [0.8, 1.0, 1.0]
    assert found.detection_rates.sd[0] == pytest.approx(np.std(rates, ddof=1), abs=1e-15)
    half = stats.t.ppf(0.95, 2) * np.std(rates, ddof=1) / sqrt(3)
    assert found.detection_rates.low[0] == pytest.approx(np.mean(rates) - half, abs=1e-12)
    assert found.detection_rates.high[0] == 1.0
    assert "single sites scatter" in found.meanings[0]
    assert "90% Student interval" in found.meanings[1]
    assert "2 degrees of freedom" in found.meanings[1]


def test_one_curve_has_no_band():
    alone = average_roc(Grouped.from_parts("fold", {"A": A}))
    assert np.ma.getmaskarray(alone.detection_rates.sd).all()
    assert alone.places.size == 101


@given(scores, scores)
def test_equal_folds_average_to_themselves_and_ties_slope(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    twice = average_roc(Grouped.from_parts("fold", {"1": table, "2": table}))
    assert np.ma.getdata(twice.detection_rates.sd).max() < 1e-15
    assert (np.diff(twice.detection_rates.mean) >= -1e-15).all()
    assert twice.detection_rates.mean[-1] == 1
    curve = RocCurve.of(table)
    for place, rate in zip(twice.places, twice.detection_rates.mean, strict=True):
        # The top of a step is never below the best point within the budget.
        assert rate >= curve.at(false_alarm_rate=f"{round(place * 100)}/100").tp / len(positives)


@given(scores, scores)
def test_horizontal_and_vertical_readings_mirror(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    turned = ScoreTable.from_scores([-n for n in negatives], [-p for p in positives])
    one = average_roc(Grouped.from_parts("fold", {"1": table}), by="detection-rate")
    two = average_roc(Grouped.from_parts("fold", {"1": turned}), by="false-alarm-rate")
    assert one.false_alarm_rates.mean[::-1] == pytest.approx(
        1 - two.detection_rates.mean, abs=1e-12
    )


def test_bad_requests_are_refused():
    with pytest.raises(RequestError, match="by='area'"):
        average_roc(BOTH, by="area")
    with pytest.raises(RequestError, match="needs them"):
        average_roc(BOTH, by="threshold")
    with pytest.raises(NotComparable, match="no fold"):
        average_roc(Grouped(by="fold", names=(), parts=()))
    assert average_roc(BOTH, by="threshold", at=[inf, -inf]).detection_rates.mean.tolist() == [0, 1]

"""Rates at an operating point, and which interval is honest for them."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    RocCurve,
    detection_rate_at,
    false_alarm_rate_at,
    rates_at_threshold,
)
from steelyard.uncertainty import wilson_interval

SLIDE = json.loads((Path(__file__).parents[1] / "golden" / "roc.json").read_text())
scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


def slide():
    values = np.array(SLIDE["scores"], dtype=float)
    targets = np.array(SLIDE["targets"], dtype=bool)
    return ScoreTable.from_scores(values[targets], values[~targets])


@pytest.mark.parametrize(("rate", "alarms"), SLIDE["pfa_at_pd"].items())
def test_false_alarms_at_a_detection_rate_are_those_of_the_lecture(rate, alarms):
    assert false_alarm_rate_at(slide(), detection_rate=rate).value == alarms


@given(scores, scores, st.fractions(0, 1))
def test_both_readings_are_points_of_the_curve(positives, negatives, share):
    table = ScoreTable.from_scores(positives, negatives)
    curve = RocCurve.of(table)
    found = detection_rate_at(table, false_alarm_rate=share).value
    assert found == curve.at(false_alarm_rate=share, measures=["tpr"]).tpr
    found = false_alarm_rate_at(table, detection_rate=share).value
    assert found == curve.at(detection_rate=share, measures=["fpr"]).fpr


def test_a_threshold_fixed_in_advance_has_wilsons_intervals_and_says_so():
    detection, alarm = rates_at_threshold(slide(), 0.5)
    assert (detection.successes, detection.trials) == (3, 5)
    assert (alarm.successes, alarm.trials) == (1, 5)
    assert (detection.interval.low, detection.interval.high) == wilson_interval(3, 5)
    assert "fixed before" in detection.caveats[0]


def test_a_threshold_read_off_the_items_has_a_seeded_bootstrap_and_says_so():
    rng = np.random.default_rng(0)
    table = ScoreTable.from_scores(rng.normal(1.5, 1, 80), rng.normal(0, 1, 120))
    ask = {"false_alarm_rate": 0.1, "resamples": 400}
    one, two = (detection_rate_at(table, **ask, rng=np.random.default_rng(1)) for _ in range(2))
    assert one == two
    assert one.interval.method == "zhou-qin-bootstrap"
    assert "read off these items" in one.caveats[0]
    assert one.interval.low < one.value < one.interval.high
    # The threshold varies too, so the interval is wider than that of a fixed threshold.
    low, high = wilson_interval(round(one.value * 80), 80)
    assert one.interval.high - one.interval.low > high - low
    alarms = false_alarm_rate_at(table, detection_rate=0.9, rng=np.random.default_rng(1))
    assert alarms.interval.low < alarms.value < alarms.interval.high
    assert alarms.measure == "P_FA at P_D 0.9"


def test_without_random_numbers_there_is_no_interval():
    found = detection_rate_at(slide(), false_alarm_rate=0.2)
    assert found.interval is None
    assert "pass rng=" in found.caveats[0]


def test_full_separation_keeps_wilsons_width():
    table = ScoreTable.from_scores(range(100, 120), range(20))
    found = detection_rate_at(table, false_alarm_rate=0, rng=np.random.default_rng(0))
    assert (found.value, found.interval.method) == (1, "wilson")
    assert found.interval.low < 0.9
    assert "may be too narrow" in found.caveats[0]


def test_one_class_is_undefined_and_bad_rates_are_refused():
    assert (
        "nothing to tell"
        in detection_rate_at(ScoreTable.from_scores([1], []), false_alarm_rate=0.1).reason
    )
    found = false_alarm_rate_at(ScoreTable.from_scores([], [1]), detection_rate=0.1)
    assert "nothing to detect" in found.reason
    with pytest.raises(RequestError, match="For 10 % pass"):
        detection_rate_at(slide(), false_alarm_rate=10)
    with pytest.raises(NotComparable, match="both classes"):
        rates_at_threshold(ScoreTable.from_scores([1], []), 0.5)

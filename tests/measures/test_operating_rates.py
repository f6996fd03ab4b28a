"""Rates at an operating point, and which interval is honest for them."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    RocCurve,
    detection_rate_at,
    false_alarm_rate_at,
    miss_rate_at,
    rates_at_threshold,
)
from steelyard.measures.roc.operating_rates import _ranks
from steelyard.results import Caveat
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


@given(scores, scores, st.fractions(0, 1))
def test_misses_at_a_false_alarm_rate_are_what_detections_leave(positives, negatives, share):
    table = ScoreTable.from_scores(positives, negatives)
    found = detection_rate_at(table, false_alarm_rate=share)
    missed = miss_rate_at(table, false_alarm_rate=share)
    assert missed.value == pytest.approx(1 - found.value, abs=1e-15)
    ends = [1 - found.interval.high, 1 - found.interval.low]
    assert [missed.interval.low, missed.interval.high] == ends


def test_a_threshold_fixed_in_advance_has_wilsons_intervals_and_says_so():
    detection, alarm = rates_at_threshold(slide(), 0.5)
    assert (detection.successes, detection.trials) == (3, 5)
    assert (alarm.successes, alarm.trials) == (1, 5)
    assert (detection.interval.low, detection.interval.high) == wilson_interval(3, 5)
    assert "fixed before" in detection.caveats[0]


def test_a_threshold_read_off_the_items_has_a_seeded_bootstrap_and_says_so():
    rng = np.random.default_rng(0)
    table = ScoreTable.from_scores(rng.normal(1.5, 1, 80), rng.normal(0, 1, 120))
    ask = {"false_alarm_rate": 0.1, "resamples": 400, "method": "bootstrap"}
    one, two = (detection_rate_at(table, **ask, rng=np.random.default_rng(1)) for _ in range(2))
    assert one == two
    assert one.interval.method == "zhou-qin-bootstrap"
    assert "read off these items" in one.caveats[0]
    assert one.interval.low < one.value < one.interval.high
    # The threshold varies too, so the interval is wider than that of a fixed threshold.
    low, high = wilson_interval(round(one.value * 80), 80)
    assert one.interval.high - one.interval.low > high - low
    alarms = false_alarm_rate_at(
        table, detection_rate=0.9, rng=np.random.default_rng(1), method="bootstrap"
    )
    assert alarms.interval.low < alarms.value < alarms.interval.high
    assert alarms.measure == "P_FA at P_D 0.9"


def test_few_negatives_exclude_no_lower_rate_and_the_answer_says_how_many_would():
    rng = np.random.default_rng(5)
    table = ScoreTable.from_scores(rng.normal(2, 1, 100), rng.normal(0, 1, 100))
    found = detection_rate_at(table, false_alarm_rate=0.01)
    assert found.interval.method == "order-statistics"
    assert found.interval.low == 0
    # (1 - 0.01)^368 is the first power of 0.99 below 0.025.
    assert any("368 or more would" in said for said in found.caveats)
    many = ScoreTable.from_scores(rng.normal(2, 1, 100), rng.normal(0, 1, 368))
    held = detection_rate_at(many, false_alarm_rate=0.01)
    assert held.interval.low > 0
    assert len(held.caveats) == 1


def test_ranks_of_the_threshold_are_those_of_the_binomial():
    # Brute force: the true share above the negative of rank j is at most x as often as at least j
    # of n fall above the point of share x.
    for n, x, alpha in ((10, 0.3, 0.025), (100, 0.05, 0.025), (500, 0.01, 0.05)):
        above = binom.sf(np.arange(n), n, x)  # P(X >= j), j = 1..n
        first = int((above >= 1 - alpha).sum())
        last = int((above > alpha).sum()) + 1
        assert _ranks(n, x, alpha) == (first, last)


def test_naming_clusters_never_narrows_a_rate_read_off():
    rng = np.random.default_rng(3)
    parts = {
        str(g): ScoreTable.from_scores(rng.normal(1.5, 1, 8), rng.normal(0, 1, 8))
        for g in range(12)
    }
    grouped = Grouped.from_parts("patient", parts)
    plain = detection_rate_at(grouped.merged(), false_alarm_rate=0.1).interval
    clustered = detection_rate_at(
        grouped.merged(), false_alarm_rate=0.1, clusters=grouped, rng=rng, resamples=200
    ).interval
    assert clustered.low <= plain.low
    assert plain.high <= clustered.high


def test_full_separation_keeps_wilsons_width():
    table = ScoreTable.from_scores(range(100, 120), range(20))
    found = detection_rate_at(
        table, false_alarm_rate=0, rng=np.random.default_rng(0), method="bootstrap"
    )
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
    with pytest.raises(RequestError, match="For 10% type"):
        detection_rate_at(slide(), false_alarm_rate=10)
    with pytest.raises(NotComparable, match="both classes"):
        rates_at_threshold(ScoreTable.from_scores([1], []), 0.5)


def test_a_doubt_about_either_rate_has_its_code():
    table = ScoreTable.from_scores([0.9, 0.8, 0.3, 0.35], [0.7, 0.2, 0.1, 0.05])
    asked = {"rng": np.random.default_rng(1), "resamples": 200, "method": "bootstrap"}
    one = detection_rate_at(table, false_alarm_rate=0.25, **asked)
    other = false_alarm_rate_at(table, detection_rate=0.75, **asked)
    assert "rate-bootstrap" in map(Caveat.code_of, one.caveats)
    assert "rate-bootstrap" in map(Caveat.code_of, other.caveats)

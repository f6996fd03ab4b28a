"""Partial areas against scikit-learn's McClish correction, and on the other axis by mirror."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import auc, partial_auc
from steelyard.uncertainty import area_spread, placement_interval
from tests.material import read_scores

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


@pytest.mark.parametrize("limit", [0.05, 0.1, 0.37, 1])
@pytest.mark.parametrize("system", ["rf", "glm", "rpart"])
def test_the_corrected_area_agrees_with_scikit_learn(system, limit):
    truth, score = read_scores("german_credit_scores.csv", system)
    table = ScoreTable.from_scores(score[truth], score[~truth])
    found = partial_auc(table, false_alarm_rates=(0, limit))
    expected = roc_auc_score(truth, score, max_fpr=limit)
    assert found.value == pytest.approx(expected, abs=1e-12)


@given(scores, scores)
def test_parts_add_up_to_the_whole_on_either_axis(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    for axis in ("false_alarm_rates", "detection_rates"):
        parts = [
            partial_auc(table, **{axis: ends}, corrected=False).value
            for ends in ((0, 0.3), (0.3, 0.4), (0.4, 1))
        ]
        assert sum(parts) == pytest.approx(auc(table).value, abs=1e-12)


@given(scores, scores, st.integers(0, 8), st.integers(9, 10))
def test_the_detection_axis_is_the_mirror_of_the_other(positives, negatives, low, high):
    table = ScoreTable.from_scores(positives, negatives)
    turned = ScoreTable.from_scores([-n for n in negatives], [-p for p in positives])
    ends, mirrored = (low / 10, high / 10), (1 - high / 10, 1 - low / 10)
    one = partial_auc(table, detection_rates=ends, corrected=False).value
    two = partial_auc(turned, false_alarm_rates=mirrored, corrected=False).value
    assert one == pytest.approx(two, abs=1e-12)


@given(scores, scores)
def test_the_correction_is_undefined_exactly_below_chance(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    raw = partial_auc(table, false_alarm_rates=(0, 0.5), corrected=False).value
    found = partial_auc(table, false_alarm_rates=(0, 0.5))
    if raw < 0.125 - 1e-9:
        assert found.value is None
        assert "below chance" in found.reason
    elif raw > 0.125 + 1e-9:
        assert 0.5 <= found.value <= 1


def test_the_interval_holds_the_value_and_is_the_same_on_either_scale():
    truth, score = read_scores("german_credit_scores.csv", "rf")
    table = ScoreTable.from_scores(score[truth], score[~truth])
    one = partial_auc(table, false_alarm_rates=(0, 0.2))
    assert 0.5 <= one.interval.low < one.value < one.interval.high < 1
    assert one.interval.method == "placement"
    raw = partial_auc(table, false_alarm_rates=(0, 0.2), corrected=False)
    scaled = 0.5 * (1 + (raw.interval.high - 0.02) / (0.2 - 0.02))
    assert one.interval.high == pytest.approx(scaled, abs=1e-12)


@given(scores, scores)
def test_over_the_whole_range_the_interval_is_that_of_the_whole_area(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    whole = placement_interval(area_spread(table))
    for axis in ("false_alarm_rates", "detection_rates"):
        part = partial_auc(table, **{axis: (0, 1)}, corrected=False).interval
        assert (part.low, part.high) == pytest.approx(whole, abs=1e-9)


def test_classes_apart_in_few_items_leave_the_part_of_an_area_open():
    # Resamples of separated classes are all alike, and gave an interval without width.
    table = ScoreTable.from_scores([5, 6, 7], [1, 2, 3])
    found = partial_auc(table, false_alarm_rates=(0, 0.2))
    assert (found.value, found.interval.high) == (1, 1)
    assert found.interval.low < 0.8


def test_clusters_never_make_the_part_of_an_area_surer():
    rng = np.random.default_rng(4)
    parts = {
        str(g): ScoreTable.from_scores(rng.normal(1, 1, 3), rng.normal(0, 1, 4)) for g in range(5)
    }
    grouped = Grouped.from_parts("speaker", parts)
    whole, asked = grouped.merged(), {"false_alarm_rates": (0, 0.4)}
    assert partial_auc(whole, clusters=grouped, **asked).interval is None
    plain = partial_auc(whole, **asked).interval
    found = partial_auc(whole, clusters=grouped, rng=rng, resamples=50, **asked).interval
    assert found.low <= plain.low < plain.high <= found.high
    assert found.method == "cluster-bootstrap"


def test_bad_requests_are_refused_and_one_class_is_undefined():
    table = ScoreTable.from_scores([1], [0])
    for wrong in ({}, {"false_alarm_rates": (0, 1), "detection_rates": (0, 1)}):
        with pytest.raises(RequestError, match="between two"):
            partial_auc(table, **wrong)
    with pytest.raises(RequestError, match="lower rate, then a higher"):
        partial_auc(table, detection_rates=(0.5, 0.5))
    assert (
        "nothing to tell"
        in partial_auc(ScoreTable.from_scores([1], []), detection_rates=(0, 1)).reason
    )

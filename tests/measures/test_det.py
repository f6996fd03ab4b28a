"""Misses and false alarms against scikit-learn, and where they are equal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import det_curve

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures import det_points, equal_error_rate

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


def test_points_agree_with_scikit_learn():
    rng = np.random.default_rng(2)
    truth = rng.random(300) < 0.4
    score = np.round(rng.normal(size=300) + truth, 1)
    points = det_points(ScoreTable.from_scores(score[truth], score[~truth]))
    alarms, misses, thresholds = det_curve(truth, score)
    # scikit-learn leaves out points on the edges; every point it keeps is here.
    ours = {
        t: (a, m)
        for t, a, m in zip(
            points.thresholds.tolist(),
            points.false_alarm_rates.tolist(),
            points.miss_rates.tolist(),
            strict=True,
        )
    }
    assert thresholds.size > 10
    for threshold, alarm, miss in zip(thresholds, alarms, misses, strict=True):
        assert ours[float(threshold)] == pytest.approx((alarm, miss), abs=1e-15)


def test_deviates_are_normal_quantiles():
    points = det_points(ScoreTable.from_scores([1, 2, 3, 4], [0, 1, 2, 3]))
    inner = (points.miss_rates > 0) & (points.miss_rates < 1)
    assert points.miss_deviates[inner] == pytest.approx(stats.norm.ppf(points.miss_rates[inner]))
    assert points.miss_deviates[0] == np.inf


@given(scores, scores)
def test_the_equal_error_rate_lies_on_the_curve_and_mirrors(positives, negatives):
    table = ScoreTable.from_scores(positives, negatives)
    points = det_points(table)
    rate = equal_error_rate(table).value
    order = np.argsort(points.false_alarm_rates - points.miss_rates, kind="stable")
    gap = (points.false_alarm_rates - points.miss_rates)[order]
    assert np.interp(0, gap, points.false_alarm_rates[order]) == pytest.approx(rate, abs=1e-12)
    turned = ScoreTable.from_scores([-n for n in negatives], [-p for p in positives])
    assert equal_error_rate(turned).value == pytest.approx(rate, abs=1e-12)


def test_perfect_and_constant_scores_and_one_class():
    assert equal_error_rate(ScoreTable.from_scores([2], [1])).value == 0
    assert equal_error_rate(ScoreTable.from_scores([1], [1])).value == 0.5
    assert "nothing to detect" in equal_error_rate(ScoreTable.from_scores([], [1])).reason


def test_the_equal_error_rate_has_an_interval_that_holds_it():
    table = ScoreTable.from_scores(range(50, 150), range(100))
    found = equal_error_rate(table, rng=np.random.default_rng(0), resamples=200)
    assert found.interval.low < found.value == 0.25 < found.interval.high
    perfect = equal_error_rate(
        ScoreTable.from_scores([5, 6, 7], [1, 2]), rng=np.random.default_rng(0), resamples=50
    )
    assert (perfect.value, perfect.interval.low) == (0, 0)
    assert 0 < perfect.interval.high < 1
    assert equal_error_rate(table) == found, "a single table needs no resamples"


def test_the_limits_of_the_equal_error_rate_are_roots_of_their_defining_equation():
    rng = np.random.default_rng(4)
    table = ScoreTable.from_scores(rng.normal(1, 1, 9), rng.normal(0, 1, 14))
    points, ends = det_points(table), equal_error_rate(table).interval
    z2 = 1.959963984540054**2
    for at, side in ((ends.low, 1), (ends.high, -1)):
        misfits = [
            9 * max(0.0, side * (miss - at)) ** 2 + 14 * max(0.0, side * (alarm - at)) ** 2
            for miss, alarm in zip(points.miss_rates, points.false_alarm_rates, strict=True)
        ]
        assert min(misfits) == pytest.approx(z2 * at * (1 - at), rel=1e-9)


def test_clusters_never_make_an_equal_error_rate_surer():
    rng = np.random.default_rng(4)
    parts = {
        str(g): ScoreTable.from_scores(rng.normal(1, 1, 3), rng.normal(0, 1, 4)) for g in range(5)
    }
    grouped = Grouped.from_parts("speaker", parts)
    whole = grouped.merged()
    assert equal_error_rate(whole, clusters=grouped).interval is None
    plain = equal_error_rate(whole).interval
    found = equal_error_rate(whole, clusters=grouped, rng=rng, resamples=50).interval
    assert found.low <= plain.low < plain.high <= found.high


def test_few_detections_among_many_others_are_no_sure_equal_error_rate():
    # A bootstrap of 5 positives covered 62 % at 1,000 negatives and scores 2.5 apart.
    rng, hits = np.random.default_rng(5), 0
    for _ in range(200):
        table = ScoreTable.from_scores(rng.normal(2.5, 1, 5), rng.normal(0, 1, 1000))
        ends = equal_error_rate(table).interval
        hits += ends.low <= 0.10564977 <= ends.high
    assert hits >= 180

"""Stated coverage of what is read off a curve, in seeded simulation (short form)."""

import numpy as np
import pytest
from scipy import stats

from steelyard.counts import ScoreTable
from steelyard.measures import detection_rate_at, false_alarm_rate_at
from steelyard.uncertainty import bootstrap_auc_interval

TRIALS = 300


def within(hits, low, high):
    """Is the share of hits compatible, at one in 10,000, with a coverage in [low, high]?"""
    return (
        stats.binom.sf(hits - 1, TRIALS, high) > 1e-4 and stats.binom.cdf(hits, TRIALS, low) > 1e-4
    )


@pytest.mark.parametrize(
    ("positives", "negatives", "shift", "rate"), [(50, 100, 1.5, 0.1), (100, 100, 2.5, 0.1)]
)
def test_detections_at_a_false_alarm_rate_are_covered(positives, negatives, shift, rate):
    rng = np.random.default_rng(20266)
    truth = stats.norm.sf(stats.norm.isf(rate) - shift)
    hits = 0
    for _ in range(TRIALS):
        table = ScoreTable.from_scores(rng.normal(shift, 1, positives), rng.normal(0, 1, negatives))
        ends = detection_rate_at(table, false_alarm_rate=rate, rng=rng, resamples=200).interval
        hits += ends.low <= truth <= ends.high
    assert within(hits, 0.92, 0.98)


def test_false_alarms_at_a_detection_rate_are_covered():
    rng = np.random.default_rng(20267)
    truth = stats.norm.sf(stats.norm.isf(0.8) + 1.5)
    hits = 0
    for _ in range(TRIALS):
        table = ScoreTable.from_scores(rng.normal(1.5, 1, 100), rng.normal(0, 1, 80))
        ends = false_alarm_rate_at(table, detection_rate=0.8, rng=rng, resamples=200).interval
        hits += ends.low <= truth <= ends.high
    assert within(hits, 0.92, 0.98)


@pytest.mark.parametrize(("area", "positives", "negatives"), [(0.75, 40, 60), (0.9, 50, 50)])
def test_the_bootstrap_interval_of_an_area_covers_what_it_says(area, positives, negatives):
    rng = np.random.default_rng(20268)
    shift = np.sqrt(2) * stats.norm.ppf(area)
    hits = 0
    for _ in range(TRIALS):
        table = ScoreTable.from_scores(rng.normal(shift, 1, positives), rng.normal(0, 1, negatives))
        low, high = bootstrap_auc_interval(table, rng=rng, resamples=200)
        hits += low <= area <= high
    assert within(hits, 0.92, 0.97)

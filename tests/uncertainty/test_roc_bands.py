"""Bands that hold the whole curve: their formula, and how often they do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty import bootstrap_auc_interval, roc_band
from steelyard.uncertainty.areas.bands import detection_at, trapezoid_areas

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


@given(scores, scores)
def test_a_band_holds_its_curve_and_stays_in_the_square(positives, negatives):
    band = roc_band(ScoreTable.from_scores(positives, negatives))
    assert (band.low <= band.detection_rates).all()
    assert (band.detection_rates <= band.high).all()
    assert (band.low >= 0).all()
    assert (band.high <= 1).all()
    assert (np.diff(band.low) >= -1e-12).all()


def test_the_kolmogorov_band_moves_both_ways_by_massarts_distance():
    table = ScoreTable.from_scores(np.arange(400) + 100.5, np.arange(400))
    band = roc_band(table, level=0.9)
    distance = np.sqrt(np.log(2 / (1 - np.sqrt(0.9))) / 800)
    centre = np.clip(0.25 + band.false_alarm_rates, 0, 1)
    inner = (band.false_alarm_rates > 0.2) & (band.false_alarm_rates < 0.5)
    gap = band.high[inner] - centre[inner]
    assert gap == pytest.approx(2 * distance, abs=0.003)


@pytest.mark.parametrize(("method", "least"), [("kolmogorov", 0.95), ("bootstrap", 0.85)])
def test_the_whole_true_curve_lies_inside_as_often_as_promised(method, least):
    rng = np.random.default_rng(20265)
    grid = np.linspace(0, 1, 101)
    truth = stats.norm.sf(stats.norm.isf(grid) - 1)
    hits = 0
    for _ in range(100):
        table = ScoreTable.from_scores(rng.normal(1, 1, 80), rng.normal(0, 1, 80))
        band = roc_band(table, method=method, rng=rng, resamples=150)
        hits += bool((band.low <= truth + 1e-12).all() and (truth <= band.high + 1e-12).all())
    assert hits / 100 >= least - 0.03


def test_curves_are_read_at_the_top_of_steps_and_along_slopes():
    read = detection_at(
        np.array([0, 0.25, 0.5, 0.75]), np.array([0, 0, 0.5, 0.5, 1]), np.array([0, 0.2, 0.4, 1, 1])
    )
    assert read == pytest.approx([0.2, 0.3, 1, 1])
    assert trapezoid_areas(np.array([0, 1.0]), np.array([0, 1.0])) == 0.5


def test_the_bootstrap_interval_of_an_area_is_seeded():
    table = ScoreTable.from_scores(range(10, 60), range(50))
    one, two = (bootstrap_auc_interval(table, rng=np.random.default_rng(6)) for _ in range(2))
    assert one == two
    wide = bootstrap_auc_interval(table, rng=np.random.default_rng(6), level=0.99)
    assert wide[0] < one[0] < one[1] < wide[1]


def test_bad_requests_are_refused():
    table = ScoreTable.from_scores([1, 2], [0])
    with pytest.raises(RequestError, match="rng="):
        roc_band(table, method="bootstrap")
    with pytest.raises(RequestError, match="method='normal'"):
        roc_band(table, method="normal")
    with pytest.raises(NotComparable, match="both classes"):
        roc_band(ScoreTable.from_scores([1], []))

"""Calibration: scikit-learn, statsmodels, exact identities, and what chance adds to ECE."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from sklearn import calibration, metrics

import steelyard.counts
from steelyard.counts import ScoreTable
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    brier_decomposition,
    calibration_curve,
    calibration_error,
    recalibration,
)

DATA = Path(steelyard.counts.__file__).parents[1] / "data" / "german_credit_scores.csv"
share = st.integers(0, 20).map(lambda k: k / 20)
sides = st.tuples(
    st.lists(share, min_size=1, max_size=20), st.lists(share, min_size=1, max_size=20)
)


def credit(system="glm"):
    rows = np.genfromtxt(DATA, delimiter=",", names=True)
    return rows["truth"] == 1, rows[system]


@given(sides, st.sampled_from([None, 1, 3, 10]), st.sampled_from(["quantile", "width"]))
def test_the_parts_of_the_brier_score_add_up_exactly(both, bins, binning):
    table = ScoreTable.from_scores(*both)
    parts = brier_decomposition(table, bins=bins, binning=binning)
    whole = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert whole == pytest.approx(parts.score, abs=1e-12)
    truth = [1] * len(both[0]) + [0] * len(both[1])
    expected = metrics.brier_score_loss(truth, [*both[0], *both[1]])
    assert parts.score == pytest.approx(expected, abs=1e-12)
    if bins is None:
        assert parts.within == pytest.approx(0, abs=1e-15)
    if bins == 1:
        assert parts.resolution == pytest.approx(0, abs=1e-15)


def test_murphys_example_by_hand():
    table = ScoreTable.from_counts([0.2, 0.8], [1, 7], [9, 3], positive="rain")
    parts = brier_decomposition(table)
    assert parts.reliability == pytest.approx(0.5 * 0.1**2 + 0.5 * 0.1**2)
    assert parts.resolution == pytest.approx(0.5 * 0.3**2 * 2)
    assert parts.uncertainty == pytest.approx(0.4 * 0.6)


def test_bins_of_equal_width_are_those_of_scikit_learn():
    truth, forecast = credit()
    curve = calibration_curve(
        ScoreTable.from_scores(forecast[truth], forecast[~truth]), bins=8, binning="width"
    )
    observed, mean = calibration.calibration_curve(truth, forecast, n_bins=8)
    assert [b.observed.value for b in curve] == pytest.approx(observed.tolist(), abs=1e-12)
    assert [b.forecast for b in curve] == pytest.approx(mean.tolist(), abs=1e-12)
    for one in curve:
        assert one.low <= one.forecast <= one.high
        assert one.observed.interval.low <= one.observed.value <= one.observed.interval.high


@given(sides, st.integers(1, 12))
def test_every_item_is_in_one_bin_and_equal_forecasts_stay_together(both, bins):
    table = ScoreTable.from_scores(*both)
    curve = calibration_curve(table, bins=bins)
    assert len(curve) <= bins
    assert sum(b.observed.trials for b in curve) == table.total
    assert sum(b.observed.successes for b in curve) == table.positive_total
    assert all(one.high < two.low for one, two in pairwise(curve))
    gaps = sum(b.observed.trials * abs(b.observed.value - b.forecast) for b in curve) / table.total
    assert calibration_error(table, bins=bins).error.value == pytest.approx(gaps, abs=1e-12)


def test_intercept_and_slope_are_those_of_statsmodels():
    truth, forecast = credit()
    table = ScoreTable.from_scores(forecast[truth], forecast[~truth])
    found = recalibration(table)
    odds = np.log(forecast / (1 - forecast))
    fit = sm.Logit(truth.astype(float), sm.add_constant(odds)).fit(disp=0, tol=1e-12)
    assert found.intercept.value == pytest.approx(fit.params[0], abs=1e-8)
    assert found.slope.value == pytest.approx(fit.params[1], abs=1e-8)
    assert found.slope.standard_error == pytest.approx(fit.bse[1], rel=1e-6)
    alone = sm.GLM(
        truth.astype(float), np.ones(len(odds)), family=sm.families.Binomial(), offset=odds
    ).fit(tol=1e-12)
    assert found.in_the_large.value == pytest.approx(alone.params[0], abs=1e-8)


def test_forecasts_made_too_extreme_have_a_slope_below_one():
    rng = np.random.default_rng(2)
    odds = rng.normal(size=4000)
    truth = rng.random(4000) < 1 / (1 + np.exp(-odds))
    right = 1 / (1 + np.exp(-odds))
    extreme = 1 / (1 + np.exp(-2 * odds))
    good = recalibration(ScoreTable.from_scores(right[truth], right[~truth]))
    assert good.slope.interval.low < 1 < good.slope.interval.high
    bad = recalibration(ScoreTable.from_scores(extreme[truth], extreme[~truth]))
    assert bad.slope.value == pytest.approx(good.slope.value / 2, rel=1e-6)


def test_the_error_of_a_calibrated_system_is_its_stated_bias_and_the_debiased_one_is_near_zero():
    rng = np.random.default_rng(3)
    found = []
    for _ in range(150):
        forecast = rng.beta(2, 2, 300)
        truth = rng.random(300) < forecast
        found.append(calibration_error(ScoreTable.from_scores(forecast[truth], forecast[~truth])))
    plain = np.mean([one.error.value for one in found])
    assert plain == pytest.approx(np.mean([one.if_calibrated for one in found]), rel=0.05)
    assert plain > 0.05
    assert np.mean([one.debiased for one in found]) < 0.6 * plain
    squared = [one.squared_debiased for one in found]
    assert abs(np.mean(squared)) < 4 * np.std(squared) / 150**0.5


def test_the_bias_is_said():
    truth, forecast = credit()
    found = calibration_error(ScoreTable.from_scores(forecast[truth], forecast[~truth]))
    assert "a calibrated system would show about" in found.error.caveats[0]
    ends = found.error.interval
    assert ends.low <= found.debiased <= found.error.value < ends.high


def test_undefined_fits_have_reasons():
    apart = recalibration(ScoreTable.from_scores([0.8, 0.9], [0.1, 0.2]))
    assert "separate the classes completely" in apart.slope.reason
    assert apart.in_the_large.value is not None
    sure = recalibration(ScoreTable.from_scores([1.0, 0.4], [0.1, 0.5]))
    assert "1 forecast is exactly 0 or 1" in sure.slope.reason
    same = recalibration(ScoreTable.from_scores([0.4, 0.4], [0.4, 0.4]))
    assert "no slope" in same.slope.reason
    assert same.in_the_large.value == pytest.approx(np.log(0.6 / 0.4))
    assert "only one class" in recalibration(ScoreTable.from_scores([0.4], [])).slope.reason


def test_what_is_no_probability_is_refused():
    for call in (calibration_curve, calibration_error, recalibration, brier_decomposition):
        with pytest.raises(NotComparable, match="probabilities in"):
            call(ScoreTable.from_scores([2.5], [0.1]))
        with pytest.raises(NotComparable, match="no items"):
            call(ScoreTable.from_scores([], []))
    with pytest.raises(RequestError, match="bins=0"):
        calibration_curve(ScoreTable.from_scores([0.5], [0.1]), bins=0)
    with pytest.raises(RequestError, match="binning='even'"):
        calibration_curve(ScoreTable.from_scores([0.5], [0.1]), binning="even")

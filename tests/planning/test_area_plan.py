"""Items for areas under ROC curves."""

from math import sqrt

import numpy as np
import pytest

from steelyard.errors import RequestError
from steelyard.planning import (
    area_difference_samples,
    area_samples,
    area_variance,
    area_width_samples,
)


def areas(rng, area, positives, negatives, *, tests, exponential):
    """Simulated areas, of exponential scores (for which Hanley and McNeil's form is exact)."""
    found = np.empty(tests)
    for test in range(tests):
        if exponential:
            high = rng.exponential(area / (1 - area), positives)
            low = rng.exponential(1.0, negatives)
        else:
            high = rng.normal(1.4142 * 0.8416212335729143, 1.0, positives)
            low = rng.normal(0.0, 1.0, negatives)
        found[test] = np.mean(high[:, None] > low[None, :])
    return found


def test_the_published_example_has_the_published_standard_error():
    # Hanley & McNeil (1982), table II: area 0.893, 51 abnormal, 58 normal: SE 3.2 %.
    found = sqrt(area_variance(0.893, positives=51, negatives=58))
    assert found == pytest.approx(0.032, abs=6e-4)


@pytest.mark.parametrize(
    ("variance", "exponential"), [("hanley-mcneil", True), ("binormal", False)]
)
def test_the_variance_is_that_of_simulated_scores(variance, exponential):
    rng = np.random.default_rng(1)
    drawn = areas(rng, 0.8, 60, 90, tests=1500, exponential=exponential)
    expected = area_variance(0.8, positives=60, negatives=90, variance=variance)
    assert drawn.var() == pytest.approx(expected, rel=0.12)


def test_the_published_binormal_form_is_too_large_by_a_third():
    published, right = (
        area_variance(0.8, positives=60, negatives=90, variance=one)
        for one in ("obuchowski", "binormal")
    )
    assert published / right == pytest.approx(1.36, abs=0.02)


def test_planned_items_reach_the_power_in_simulation():
    size = area_samples(0.8, null=0.7, prevalence=0.4)
    rng = np.random.default_rng(2)
    drawn = areas(rng, 0.8, size.positives, size.negatives, tests=1500, exponential=True)
    null = area_variance(0.7, positives=size.positives, negatives=size.negatives)
    power = np.mean((drawn - 0.7) / sqrt(null) >= 1.959963984540054)
    assert abs(power - 0.8) < 4 * sqrt(0.16 / 1500) + 0.015


def test_correlation_and_balance_save_items():
    apart = area_difference_samples(0.85, 0.8)
    common = area_difference_samples(0.85, 0.8, correlation=0.5)
    assert common.samples == pytest.approx(apart.samples / 2, rel=0.02)
    rare = area_difference_samples(0.85, 0.8, correlation=0.5, prevalence=0.1)
    assert rare.samples > 2 * common.samples
    assert rare.positives == pytest.approx(rare.samples / 10, abs=1)


def test_the_interval_gets_the_width():
    size = area_width_samples(0.9, width=0.08, prevalence=0.3)
    spread = sqrt(area_variance(0.9, positives=size.positives, negatives=size.negatives))
    assert 2 * 1.96 * spread == pytest.approx(0.08, rel=0.01)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: area_samples(0.8, null=0.8), r"Both areas are 0\.8"),
        (lambda: area_difference_samples(0.8, 0.7, correlation=1.0), "below 1"),
        (lambda: area_variance(0.8, positives=0, negatives=3), "above 0"),
        (
            lambda: area_variance(0.8, positives=3, negatives=3, variance="delong"),
            "variance='delong'",
        ),
        (lambda: area_width_samples(0.8, width=0), "width=0"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()

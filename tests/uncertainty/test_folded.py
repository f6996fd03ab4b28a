"""Sums of absolute errors: against simulation and the one-error case."""

import numpy as np
import pytest

from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.folded import fold_sum_bound, fold_sum_quantile

ERRORS = [0.1, 0.5, 1.0, 0.01]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.975])
def test_quantiles_are_those_of_drawn_sums(level):
    drawn = np.abs(np.random.default_rng(1).normal(size=(100_000, 4)) * ERRORS).sum(axis=1)
    assert fold_sum_quantile(ERRORS, level=level) == pytest.approx(
        np.quantile(drawn, level), rel=0.01
    )


def test_one_error_has_the_quantile_of_its_absolute_value():
    assert fold_sum_quantile([2.0], level=0.95) == pytest.approx(
        2 * normal_quantile(0.95), rel=1e-3
    )
    assert fold_sum_quantile([0.0], level=0.95) == 0


def test_the_bound_for_related_errors_is_never_below_the_quantile():
    together = sum(ERRORS)
    assert fold_sum_bound(ERRORS, together, level=0.95) > normal_quantile(0.95) * together

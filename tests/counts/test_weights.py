"""Sums of weights."""

import pytest

from steelyard.counts import SCALE, WeightSums


def test_equal_weights_are_as_many_effective_rows():
    assert WeightSums(10 * SCALE // 2, 10 * SCALE // 4).effective == pytest.approx(10)
    assert WeightSums(10 * SCALE // 2, 10 * SCALE // 4).total == 5.0


def test_nothing_weighs_nothing():
    assert WeightSums(0, 0).effective == 0.0


def test_sums_merge_by_adding():
    assert WeightSums(1, 2).merged(WeightSums(3, 4)) == WeightSums(4, 6)

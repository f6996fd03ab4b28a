"""Whole clusters are drawn: counts add up, and what is left out was not drawn."""

import numpy as np
import pytest

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable
from steelyard.uncertainty.areas.resampling import resample_scores
from steelyard.uncertainty.shares.resampled import resample_share_interval


def clusters(number=6):
    parts = {str(g): ScoreTable.from_scores([g + 1.0] * 3, [float(g)] * 2) for g in range(number)}
    return Grouped.from_parts("cluster", parts)


def test_every_resample_holds_as_many_clusters_and_leaves_the_others_out():
    (some,) = resample_scores(clusters(), rng=np.random.default_rng(0), resamples=50)
    assert (some.positives.sum(axis=1) == 18).all()
    assert (some.negatives.sum(axis=1) == 12).all()
    assert (some.positives % 3 == 0).all()
    # A positive score of a cluster that was drawn is not among those left out.
    assert not ((some.positives > 0) & (some.left_positives > 0)).any()


def test_one_cluster_is_refused():
    with pytest.raises(NotComparable, match="two or more"):
        next(iter(resample_scores(clusters(1), rng=np.random.default_rng(0), resamples=5)))


def test_a_share_of_0_rests_on_the_items_named():
    drawn = np.zeros(10)
    few, many = (resample_share_interval(0.0, drawn, items=n) for n in (10, 1000))
    assert (few.low, many.low) == (0, 0)
    assert few.high > many.high > 0

"""Resampled counts: multinomial, seeded, and what is left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.uncertainty import resample_scores
from steelyard.uncertainty.areas.resampling import merge_cells, resample_statistic

scores = st.lists(st.integers(0, 8), min_size=1, max_size=30)


@given(scores, scores, st.integers(0, 1000))
def test_class_sizes_stay_and_only_held_scores_are_drawn(positives, negatives, seed):
    table = ScoreTable.from_scores(positives, negatives)
    for part in resample_scores(table, rng=np.random.default_rng(seed), resamples=7):
        assert (part.positives.sum(axis=1) == len(positives)).all()
        assert (part.negatives.sum(axis=1) == len(negatives)).all()
        assert not part.positives[:, table.positives == 0].any()
        assert not part.left_negatives[:, table.negatives == 0].any()
        assert (part.left_positives <= table.positives).all()


def test_single_items_are_left_out_exactly_when_they_were_not_drawn():
    table = ScoreTable.from_scores(range(50), range(100, 130))
    (part,) = resample_scores(table, rng=np.random.default_rng(1), resamples=200)
    held = table.positives > 0
    assert (part.left_positives[:, held] == (part.positives[:, held] == 0)).all()
    # (1 - 1/50)^50 of the items are left out on average.
    assert part.left_positives.sum(axis=1).mean() / 50 == pytest.approx(0.98**50, abs=0.02)


def test_equal_scores_leave_out_as_many_as_item_by_item_resampling_does():
    table = ScoreTable.from_counts([0, 1], [10, 30], [5, 5], positive="x")
    (part,) = resample_scores(table, rng=np.random.default_rng(2), resamples=4000)
    rng = np.random.default_rng(3)
    items = np.repeat([0, 1], [10, 30])
    left = np.zeros(2)
    for _ in range(4000):
        drawn = np.bincount(rng.integers(0, 40, 40), minlength=40)
        left += np.bincount(items[drawn == 0], minlength=2)
    assert part.left_positives.mean(axis=0) == pytest.approx(left / 4000, rel=0.03)


def test_statistics_are_seeded_and_come_one_for_each_resample():
    table = ScoreTable.from_scores(range(5, 15), range(10))

    def best(false_alarms, detections):
        assert (false_alarms[:, 0] == 0).all()
        assert (detections[:, -1] == 1).all()
        return (detections - false_alarms).max(axis=1)

    one, two = (
        resample_statistic(table, best, rng=np.random.default_rng(9), resamples=50)
        for _ in range(2)
    )
    assert one.tolist() == two.tolist()
    assert one.shape == (50,)
    assert one.std() > 0


@given(scores, scores, st.integers(2, 6))
def test_merged_cells_lose_no_item_and_keep_the_order(positives, negatives, cells):
    table = ScoreTable.from_scores(positives, negatives)
    small = merge_cells(table, cells)
    assert small.scores.size <= max(cells, 2)
    assert small.positive_total == len(positives)
    assert small.negative_total == len(negatives)
    assert set(small.scores) <= set(table.scores)
    assert small.scores[0] == table.scores[0]


def test_bad_requests_are_refused():
    table = ScoreTable.from_scores([1, 2], [0])
    with pytest.raises(RequestError, match="resamples=1"):
        next(resample_scores(table, rng=np.random.default_rng(0), resamples=1))
    with pytest.raises(CountsError, match=r"resamples=2\.5"):
        next(resample_scores(table, rng=np.random.default_rng(0), resamples=2.5))
    with pytest.raises(NotComparable, match="both classes"):
        next(resample_scores(ScoreTable.from_scores([1], []), rng=np.random.default_rng(0)))
    with pytest.raises(RequestError, match="cells=1"):
        merge_cells(table, 1)

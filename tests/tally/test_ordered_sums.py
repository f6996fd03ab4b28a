"""Sums over ascending blocks against summing score by score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import PairSums, ScoreTable
from steelyard.counts.scores.counting import ScoreCounts
from steelyard.tally import streamed_scores as room
from steelyard.tally.streamed_scores import OrderedSums
from steelyard.uncertainty.areas.delong import delong_variance, pairs_won_twice

counts = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda pair: sum(pair) > 0),
    min_size=1,
    max_size=40,
)


def placed(pos, neg):
    sums = [0, 0, 0]
    for place in range(len(pos)):
        below = 2 * sum(neg[:place]) + neg[place]
        above = 2 * sum(pos[place + 1 :]) + pos[place]
        sums[0] += pos[place] * below
        sums[1] += pos[place] * below**2
        sums[2] += neg[place] * above**2
    return PairSums(len(pos), *sums)


def added(pairs, *, most, step, cells=10):
    pos, neg = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    sums = OrderedSums(rows=int(pos.sum() + neg.sum()), most=most, cells=cells)
    scores = np.arange(len(pairs)) / 8
    for start in range(0, len(pairs), step):
        part = slice(start, start + step)
        sums.add(ScoreCounts(scores[part], pos[part], neg[part]))
    return sums, pos, neg


@given(counts, st.integers(1, 7), st.sampled_from([1, 20, 1 << 20]))
def test_sums_are_exact_however_the_scores_are_cut(pairs, step, exact_rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(room, "EXACT_ROWS", exact_rows)
        sums, pos, neg = added(pairs, most=100, step=step)
    assert sums.pair_sums() == placed(pos.tolist(), neg.tolist())
    kept = sums.choose_scores()
    assert kept.scores.tolist() == (np.arange(len(pairs)) / 8).tolist()
    assert (kept.positives.tolist(), kept.negatives.tolist()) == (pos.tolist(), neg.tolist())


@given(counts.filter(lambda pairs: len(pairs) > 4), st.integers(1, 7))
def test_a_thinned_choice_loses_no_row_and_starts_at_scores_that_are_there(pairs, step):
    sums, pos, neg = added(pairs, most=4, step=step, cells=4)
    assert sums.thinned
    kept = sums.choose_scores()
    places = np.rint(kept.scores * 8).astype(int)
    assert places[0] == 0
    assert kept.positives.tolist() == np.add.reduceat(pos, places).tolist()
    assert kept.negatives.tolist() == np.add.reduceat(neg, places).tolist()
    assert len(places) <= 5


def test_counts_of_billions_do_not_overflow():
    pairs = [(3 * 10**9, 2 * 10**9), (10**9, 5 * 10**9), (7, 11)]
    sums, pos, neg = added(pairs, most=10, step=2)
    assert sums.pair_sums() == placed(pos.tolist(), neg.tolist())


def test_the_variance_from_sums_is_that_of_the_table():
    rng = np.random.default_rng(4)
    full = ScoreTable.from_scores(rng.normal(1, 1, 900), rng.normal(0, 1, 700).round(2))
    block = ScoreCounts(full.scores, full.positives, full.negatives)
    sums = OrderedSums(rows=full.total, most=50, cells=50)
    sums.add(block)
    kept = sums.choose_scores()
    thin = ScoreTable(
        positive="positive",
        scores=kept.scores,
        positives=kept.positives,
        negatives=kept.negatives,
        pair_sums=sums.pair_sums(),
    )
    assert pairs_won_twice(thin) == pairs_won_twice(full)
    assert delong_variance(thin) == pytest.approx(delong_variance(full), rel=1e-12)


def test_nothing_gives_nothing():
    assert OrderedSums(rows=0, most=5).choose_scores().scores.size == 0

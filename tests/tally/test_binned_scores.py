from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import PairSums, ScoreTable
from steelyard.engines.local import LocalEngine
from steelyard.errors import CountsError
from steelyard.measures.roc import auc
from steelyard.measures.roc_curve import RocCurve
from steelyard.tally.binned_scores import cut, sums_in_ranges
from steelyard.uncertainty.areas import delong_variance, pairs_won_twice

INF = float("inf")
scores = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, INF, -INF, 5e-324]),
    st.floats(allow_nan=False),
    st.integers(0, 60).map(lambda power: 1 - 2.0**-power),
    st.integers(-300, 300).map(lambda power: 10.0**power),
)
rows = st.lists(st.tuples(scores, st.booleans()), min_size=4, max_size=60)


def ranged(table, most):
    import pyarrow as pa

    columns = {"score": table.scores, "pos": table.positives, "neg": table.negatives}
    local = LocalEngine().register(pa.table(columns))
    made = cut(local, "SELECT score, pos, neg FROM {t}", most=most)
    found = sums_in_ranges(local, made, rows=table.total)
    return ScoreTable(
        positive=table.positive,
        scores=np.array(found.scores),
        positives=np.array(found.positives),
        negatives=np.array(found.negatives),
        pair_sums=found.pair_sums,
    )


def placed(table):
    """The same sums, score by score, in whole numbers."""
    sums = [0, 0, 0]
    pos, neg = table.positives.tolist(), table.negatives.tolist()
    for place in range(len(pos)):
        below = 2 * sum(neg[:place]) + neg[place]
        above = 2 * sum(pos[place + 1 :]) + pos[place]
        sums[0] += pos[place] * below
        sums[1] += pos[place] * below**2
        sums[2] += neg[place] * above**2
    return PairSums(len(pos), *sums)


@given(rows, st.integers(1, 5))
def test_ranges_lose_no_pair_whatever_the_scores(drawn, most):
    full = ScoreTable.from_scores(
        [score for score, positive in drawn if positive],
        [score for score, positive in drawn if not positive],
    )
    thin = ranged(full, most)
    assert thin.pair_sums == placed(full)
    assert pairs_won_twice(thin) == pairs_won_twice(full)
    kept = np.searchsorted(full.scores, thin.scores)
    assert np.array_equal(full.scores[kept], thin.scores)
    assert thin.positives.tolist() == np.add.reduceat(full.positives, kept).tolist()
    assert thin.negatives.tolist() == np.add.reduceat(full.negatives, kept).tolist()


@pytest.fixture
def full():
    rng = np.random.default_rng(1)
    return ScoreTable.from_scores(rng.normal(1, 1, 3000), rng.normal(0, 1, 4000))


def test_crowded_ranges_are_cut_until_few_scores_are_in_each(full):
    thin = ranged(full, 50)
    sizes = np.diff([*np.searchsorted(full.scores, thin.scores), len(full.scores)])
    assert sizes.max() <= 50


def test_the_interval_of_a_thinned_area_is_that_of_all_scores(full):
    thin = ranged(full, 50)
    assert delong_variance(thin) == pytest.approx(delong_variance(full), rel=1e-12)
    one, two = auc(thin), auc(full)
    assert one.value == two.value
    assert one.interval.low == pytest.approx(two.interval.low, rel=1e-12)
    assert "of 7,000 distinct scores" in one.caveats[0]


def test_a_thinned_curve_says_so_and_its_points_lie_on_the_full_one(full):
    thin, whole = RocCurve.of(ranged(full, 50)), RocCurve.of(full)
    assert not thin.complete
    assert whole.complete
    points = set(zip(whole.false_alarms.tolist(), whole.detections.tolist(), strict=True))
    assert set(zip(thin.false_alarms.tolist(), thin.detections.tolist(), strict=True)) <= points
    assert abs(thin.area() - whole.area()) < Fraction(1, 1000)


def test_thinned_tables_are_not_merged(full):
    with pytest.raises(CountsError, match="thinned"):
        ranged(full, 50) + full


def test_more_rows_than_whole_numbers_hold_are_refused_before_they_are_summed():
    from steelyard.errors import NotComparable

    with pytest.raises(NotComparable, match="38 digits"):
        sums_in_ranges(None, None, rows=3 * 10**12)


def test_ranges_that_overlap_are_no_answer():
    from steelyard.tally.binned_scores import _summed

    with pytest.raises(CountsError, match="overlap"):
        _summed([(0.0, 0.5, 2, 1, 1, 1, 1, 1), (0.4, 0.9, 2, 1, 1, 1, 1, 1)])

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import PairSums, ScoreTable
from steelyard.engines.local import LocalEngine
from steelyard.errors import CountsError
from steelyard.measures.roc.areas import auc
from steelyard.measures.roc.curve import RocCurve
from steelyard.tally import placed_rows
from steelyard.tally.placed_rows import Range, in_order, place_sums
from steelyard.uncertainty.areas.delong import delong_variance, pairs_won_twice

INF = float("inf")
scores = st.one_of(
    st.sampled_from([0.0, 0.5, 1.0, INF, -INF, 5e-324]),
    st.floats(allow_nan=False),
    st.integers(0, 60).map(lambda power: 1 - 2.0**-power),
    st.integers(-300, 300).map(lambda power: 10.0**power),
)
rows = st.lists(st.tuples(scores, st.booleans()), min_size=4, max_size=60)


def registered(*columns, positive):
    import pyarrow as pa

    scores = {f"c{place}": np.asarray(column) + 0.0 for place, column in enumerate(columns)}
    return LocalEngine().register(pa.table({"positive": positive, **scores}))


def summed(local, *columns, rows, most):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(placed_rows, "MOST_IN_RANGE", most)
        return place_sums(local, "SELECT * FROM {t}", columns, rows=rows)


def ranged(table, most):
    positive = np.repeat([True, False], len(table.scores))
    counts = np.concatenate([table.positives, table.negatives])
    local = registered(np.repeat(np.tile(table.scores, 2), counts),
                       positive=np.repeat(positive, counts))  # fmt: skip
    found = summed(local, "c0", rows=table.total, most=most)
    (ranges,), (sums,) = found.ranges, found.pair_sums
    return ScoreTable(
        positive=table.positive,
        scores=np.array([one.low for one in ranges]),
        positives=np.array([one.positives for one in ranges]),
        negatives=np.array([one.negatives for one in ranges]),
        pair_sums=sums,
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


def test_crowded_ranges_are_cut_until_few_rows_are_in_each(full):
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
        place_sums(None, "", ["c0"], rows=3 * 10**12)


def test_ranges_that_overlap_are_no_answer():
    with pytest.raises(CountsError, match="overlap"):
        in_order([Range(0.4, 0.9, 1, 1), Range(0.0, 0.5, 1, 1)])


def test_a_heap_of_one_score_is_counted_together_and_spread_by_the_other_scores():
    rng = np.random.default_rng(3)
    size = 900
    positive = rng.random(size) < 0.4
    one = np.where(rng.random(size) < 0.6, 0.0, rng.normal(size=size))
    two = np.where(rng.random(size) < 0.6, 0.5, rng.normal(size=size))
    local = registered(one, two, positive=positive)
    heaped, plain = (summed(local, "c0", "c1", rows=size, most=n) for n in (40, 10**6))
    assert max(len(ranges) for ranges in heaped.ranges) > 10
    assert heaped.pair_sums == plain.pair_sums
    assert heaped.positive_products == plain.positive_products
    assert heaped.negative_products == plain.negative_products
    for column, sums in zip((one, two), heaped.pair_sums, strict=True):
        assert sums == placed(ScoreTable.from_scores(column[positive], column[~positive]))

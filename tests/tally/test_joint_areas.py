import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.counts import PlacementSums
from steelyard.errors import NotComparable
from steelyard.sources import Roles, open_predictions
from steelyard.tally import placed_rows, tally_cluster_areas, tally_joint_scores
from steelyard.tally import scores as room
from steelyard.tally.scores import tally_joint_areas, tally_placement_sums
from steelyard.uncertainty import cluster_placements, delong_covariance
from steelyard.uncertainty.areas.delong import pairs_won_twice

INF = float("inf")
odd = st.sampled_from([0.0, -0.0, 0.5, 1.0, INF, -INF, 5e-324, 0.1, 0.1 + 2**-55])
score = st.one_of(odd, st.floats(allow_nan=False), st.integers(0, 3).map(float))
item = st.tuples(st.booleans(), score, st.one_of(st.none(), score), st.integers(0, 3))


def opened(rows, **roles):
    columns = {
        "truth": [int(row[0]) for row in rows],
        "A": [row[1] for row in rows],
        "B": pa.array([row[2] for row in rows], pa.float64()),
        "patient": [f"p{row[3]}" for row in rows],
    }
    asked = {"truth": "truth", "positive": "1", "score": ["A", "B"], "missing": "exclude"} | roles
    return open_predictions(pa.table(columns), Roles.of(**asked))


def brute(rows):
    """Place every item among those of the other class by looking at each pair, in integers."""
    common = [row[:3] for row in rows if row[2] is not None]
    ones = [row[1:] for row in common if row[0]]
    others = [row[1:] for row in common if not row[0]]
    beaten = [[sum(1 + np.sign(p[s] - n[s]) if p[s] != n[s] else 1 for n in others) for s in (0, 1)]
              for p in ones]  # fmt: skip
    beating = [[sum(1 + np.sign(p[s] - n[s]) if p[s] != n[s] else 1 for p in ones) for s in (0, 1)]
               for n in others]  # fmt: skip
    return [
        tuple(tuple(int(sum(row[r] * row[s] for row in side)) for s in (0, 1)) for r in (0, 1))
        for side in (beaten, beating)
    ]


@settings(max_examples=10)
@given(st.lists(item, min_size=8, max_size=40), st.integers(3, 6))
def test_sums_of_placements_are_those_of_all_pairs(drawn, most):
    rows = [(True, 1.0, 0.5, 0), (False, 0.0, 0.5, 1), *drawn]
    predictions = opened(rows, cluster="patient")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(placed_rows, "MOST_IN_RANGE", most)
        sums = tally_placement_sums(predictions, predictions.systems)
    assert [sums.positive_products, sums.negative_products] == brute(rows)
    assert sums.total == sum(row[2] is not None for row in rows)


def made(size=4000, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, size)
    shared = rng.normal(0, 1, size) + truth
    return {
        "truth": truth,
        "A": np.round(shared + rng.normal(0, 1, size), 2),
        "B": (shared + rng.normal(0, 1, size)).astype(np.float32),
        "C": np.where(rng.random(size) < 0.5, 0.0, shared),
        "patient": [f"p{n}" for n in rng.integers(0, 90, size)],
    }


@pytest.fixture
def crowded(monkeypatch):
    """As if two rows filled the memory."""
    monkeypatch.setattr(room, "BYTES_ALIGNED", 2**40)
    monkeypatch.setattr(placed_rows, "MOST_IN_RANGE", 50)


def systems_of(data, **roles):
    asked = {"truth": "truth", "positive": "1", "score": ["A", "B", "C"]} | roles
    return open_predictions(pa.table(data), Roles.of(**asked))


def test_areas_and_their_covariance_are_those_of_the_aligned_scores(crowded):
    predictions = systems_of(made())
    sums = tally_joint_areas(predictions)
    assert isinstance(sums, PlacementSums)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(room, "BYTES_ALIGNED", 1)
        joint = tally_joint_scores(predictions)
    for one, two in zip(delong_covariance(sums), delong_covariance(joint), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-11)
    for name in joint.systems:
        assert pairs_won_twice(sums.score_table(name)) == pairs_won_twice(joint.score_table(name))


@pytest.mark.parametrize("cluster", [None, "patient"])
def test_a_comparison_of_scores_that_do_not_fit_is_the_same(monkeypatch, cluster):
    asked = {"truth": "truth", "positive": "1", "score": ["A", "B", "C"], "cluster": cluster}
    data = made()
    here = sy.compare(pa.table(data), **asked)
    monkeypatch.setattr(room, "BYTES_ALIGNED", 2**40)
    there = sy.compare(pa.table(data), **asked)
    assert there.sentence() == here.sentence()
    for one, two in zip(there.pairs, here.pairs, strict=True):
        assert one.difference.value == pytest.approx(two.difference.value, rel=1e-12)
        assert one.p_value == pytest.approx(two.p_value, rel=1e-9)
        assert one.difference.interval.low == pytest.approx(two.difference.interval.low, rel=1e-9)
    for one, two in zip(there.systems, here.systems, strict=True):
        assert one.rate.value == two.rate.value
        assert one.rate.interval.high == pytest.approx(two.rate.interval.high, rel=1e-11)


def test_clusters_are_summed_where_the_rows_are(crowded):
    predictions = systems_of(made(), cluster="patient")
    for system in predictions.systems:
        sums = tally_cluster_areas(predictions, system)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(room, "BYTES_ALIGNED", 1)
            counted = cluster_placements(tally_cluster_areas(predictions, system))
        for field in ("names", "positives", "negatives", "beaten", "beating"):
            assert getattr(sums, field) == getattr(counted, field), field


@pytest.mark.parametrize("asked", [{"method": "bootstrap"}, {"method": "permutation"}])
def test_methods_that_draw_items_again_are_refused_with_the_way_out(crowded, asked):
    with pytest.raises(NotComparable, match=r"common items beside each other.*delong"):
        sy.compare(pa.table(made(400)), truth="truth", positive="1", score=["A", "B"], **asked)


def test_the_method_of_areas_alone_and_the_list_of_methods_take_sums(crowded):
    data = pa.table(made(400))
    asked = {"truth": "truth", "positive": "1", "score": ["A", "B"]}
    assert sy.compare(data, method="delong", **asked).method == "delong"
    area, gini = (sy.compare(data, measure=one, **asked) for one in ("AUC", "Gini"))
    (of_areas,), (of_gini,) = (one.sheets[1].rows for one in (area, gini))
    # The difference and its limits, on a scale twice as long; probability and p-value are one.
    assert of_gini.values[:3] == pytest.approx([2 * one for one in of_areas.values[:3]])
    assert of_gini.values[3:] == of_areas.values[3:]
    assert "valid" in sy.compare(data, method="list", **asked).answer


def test_one_class_alone_has_no_areas_and_a_single_item_of_it_decides_nothing(crowded):
    asked = {"truth": "truth", "positive": "1", "score": ["A", "B"]}
    with pytest.raises(NotComparable, match="50 positives and 0 negatives"):
        sy.compare(pa.table(made(50) | {"truth": [1] * 50}), **asked)
    (pair,) = sy.compare(pa.table(made(50) | {"truth": [1] * 49 + [0]}), **asked).pairs
    assert pair.verdict == "undecided"
    assert pair.difference.interval.high - pair.difference.interval.low > 1

"""Areas over clusters: against the definition by pairs, and DeLong's where clusters are items."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import CountsError
from steelyard.uncertainty import (
    clustered_auc_covariance,
    clustered_auc_interval,
    clustered_auc_variance,
    delong_variance,
    newcombe_area_interval,
)


def grouped(parts):
    return Grouped.from_parts(
        "patient",
        {str(place): ScoreTable.from_scores(*part) for place, part in enumerate(parts)},
    )


def by_pairs(parts):
    """Obuchowski (1997), equations (5) to (8), straight from their definition."""
    positives = np.concatenate([np.array(p, dtype=float) for p, _ in parts])
    negatives = np.concatenate([np.array(n, dtype=float) for _, n in parts])
    area = float(np.mean(np.sign(np.subtract.outer(positives, negatives)) / 2 + 0.5))
    x, y = [], []
    for own, other in parts:
        x.append(sum(np.mean(np.sign(s - negatives) / 2 + 0.5) - area for s in own))
        y.append(sum(np.mean(np.sign(positives - s) / 2 + 0.5) - area for s in other))
    i, i10 = len(parts), sum(bool(p) for p, _ in parts)
    i01 = sum(bool(n) for _, n in parts)
    m, n = len(positives), len(negatives)
    s10 = i10 / ((i10 - 1) * m) * sum(one**2 for one in x)
    s01 = i01 / ((i01 - 1) * n) * sum(one**2 for one in y)
    s11 = i / (i - 1) * sum(one * two for one, two in zip(x, y, strict=True))
    return s10 / m + s01 / n + 2 * s11 / (m * n)


some = st.lists(st.integers(0, 6), max_size=4)


@given(st.lists(st.tuples(some, some), min_size=3, max_size=8))
def test_the_variance_is_that_of_the_sums_by_pairs(parts):
    kept = [part for part in parts if part[0] or part[1]]
    held = [sum(bool(part[at]) for part in kept) for at in (0, 1)]
    if min(held) < 2:
        with pytest.raises(CountsError, match="a variance over clusters needs 2 of each"):
            clustered_auc_variance(grouped([*kept, ([1], [])]) if not kept else grouped(kept))
        return
    assert clustered_auc_variance(grouped(kept)) == pytest.approx(by_pairs(kept), abs=1e-13)


@given(st.integers(0, 2**32 - 1))
def test_with_one_item_in_each_cluster_it_is_delongs(seed):
    rng = np.random.default_rng(seed)
    positives, negatives = rng.integers(0, 9, 12).tolist(), rng.integers(0, 7, 15).tolist()
    parts = [([score], []) for score in positives] + [([], [score]) for score in negatives]
    expected = delong_variance(ScoreTable.from_scores(positives, negatives))
    assert clustered_auc_variance(grouped(parts)) == pytest.approx(expected, abs=1e-14)


def test_every_cluster_twice_doubles_the_items_but_not_the_clusters():
    rng = np.random.default_rng(4)
    parts = [(rng.normal(1, 1, 3).tolist(), rng.normal(0, 1, 4).tolist()) for _ in range(9)]
    once, twice = grouped(parts), grouped([(p * 2, n * 2) for p, n in parts])
    assert clustered_auc_variance(twice) == pytest.approx(clustered_auc_variance(once))
    assert clustered_auc_interval(twice) == clustered_auc_interval(once)


def test_full_separation_counts_every_cluster_as_one_item():
    parts = [([5, 6, 7], [1, 2]) for _ in range(6)]
    found = clustered_auc_interval(grouped(parts))
    assert found.method == "newcombe"
    assert found.limits == newcombe_area_interval(1.0, positives=6, negatives=6)


def test_clusters_without_spread_have_no_interval():
    found = clustered_auc_interval(grouped([([1, 3], [2, 2]) for _ in range(5)]))
    assert found.limits is None
    assert found.reason == "the clusters do not show how the area varies"
    constant = clustered_auc_interval(grouped([([1], [1]) for _ in range(5)]))
    assert "every item has the same score" in constant.reason


def both_grouped(seed, clusters=20, size=10):
    """Two systems of equal areas whose scores go together within a cluster."""
    rng = np.random.default_rng(seed)
    truth = np.tile([False, True], size // 2)
    found = []
    for _ in range(2):
        shared = rng.normal(0, 1, clusters)
        parts = {}
        for place in range(clusters):
            scores = truth + shared[place] * (1.5 * truth - 0.5) + rng.normal(0, 0.7, size)
            parts[str(place)] = ScoreTable.from_scores(scores[truth], scores[~truth])
        found.append(Grouped.from_parts("site", parts))
    return found


@pytest.mark.long
def test_differences_of_equal_areas_vary_as_much_as_the_covariance_says():
    seen, said, naive = [], [], []
    for seed in range(120):
        groups = both_grouped(seed)
        areas, covariance = clustered_auc_covariance(groups)
        seen.append(areas[0] - areas[1])
        said.append(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
        naive.append(sum(delong_variance(one.merged()) for one in groups))
    assert np.var(seen) == pytest.approx(np.mean(said), rel=0.35)
    assert np.var(seen) > 1.5 * np.mean(naive)


def test_the_covariance_holds_the_variances():
    groups = both_grouped(1)
    _, covariance = clustered_auc_covariance(groups)
    assert np.diag(covariance) == pytest.approx([clustered_auc_variance(one) for one in groups])
    assert covariance[0, 1] == covariance[1, 0]


def test_systems_with_other_clusters_have_no_covariance():
    one, two = both_grouped(2)[0], both_grouped(2, clusters=19)[1]
    with pytest.raises(CountsError, match="same items in the same clusters"):
        clustered_auc_covariance([one, two])

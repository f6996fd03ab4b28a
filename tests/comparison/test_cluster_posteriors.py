import numpy as np
import pytest

from steelyard.comparison import cluster_posterior, pair_posterior
from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable


def rng(seed=0):
    return np.random.default_rng(seed)


def items(first, second, both, neither):
    """Clusters of one item each."""
    kinds = [(1, first), (2, second), (3, both), (0, neither)]
    patterns = [pattern for pattern, rows in kinds for _ in range(rows)]
    return Grouped.from_parts(
        "cluster",
        {str(at): Outcomes.from_patterns({one: 1}, systems=("S", "T"))
         for at, one in enumerate(patterns)},
    )  # fmt: skip


def test_clusters_of_one_item_are_near_to_the_joint_posterior():
    found = cluster_posterior(items(18, 10, 60, 12), rng=rng(), margin=0.05)
    whole = items(18, 10, 60, 12).merged()
    known = pair_posterior(whole.pair("S", "T"))
    assert found.best[0] == pytest.approx(known.first_better, abs=0.01)
    assert found.loss[0] == pytest.approx(known.loss_first, abs=0.0005)
    assert found.near[0][1] == pytest.approx(0.284, abs=0.02)


def test_copies_of_the_same_items_in_one_cluster_say_no_more():
    once = items(18, 10, 60, 12)
    thrice = Grouped.from_parts("cluster", {name: part + part + part for name, part in once})
    assert cluster_posterior(thrice, rng=rng()).best == pytest.approx(
        cluster_posterior(once, rng=rng()).best, abs=1e-12
    )


def test_twins_share_alike_and_nothing_is_certain():
    part = Outcomes.from_patterns({0b011: 4, 0b100: 1, 0b111: 3}, systems=("A", "B", "C"))
    found = cluster_posterior(
        Grouped.from_parts("cluster", {str(g): part for g in range(5)}), rng=rng()
    )
    assert found.best[0] == found.best[1]
    assert found.better[0][1] == 0.5
    assert 0 < found.best[2] < 0.001
    assert sum(found.best) == pytest.approx(1)


def test_one_cluster_is_refused():
    part = Outcomes.from_pair(both=1, first=1, second=0, neither=0, systems=("S", "T"))
    with pytest.raises(NotComparable, match="1 cluster"):
        cluster_posterior(Grouped.from_parts("cluster", {"a": part}), rng=rng())

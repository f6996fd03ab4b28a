"""Areas and vector scores over clusters."""

import numpy as np
import pytest

from steelyard.counts import Grouped, ScoreTable
from steelyard.measures import (
    auc,
    clustered_auc,
    clustered_vector_difference,
    clustered_vector_score,
    vector_difference,
    vector_score,
)
from steelyard.tally import vector_scores_of
from steelyard.uncertainty import (
    cluster_share_interval,
    clustered_area_spreads,
    clustered_auc_variance,
    delong_variance,
    placement_interval,
)

RULES = ("spherical", "winner", "brier", "log")


def patients(number=8, seed=1):
    rng = np.random.default_rng(seed)
    parts = {
        str(place): ScoreTable.from_scores(rng.normal(1, 1, 4), rng.normal(0, 1, 5))
        for place in range(number)
    }
    return Grouped.from_parts("patient", parts)


def written(sizes, seed=2):
    rng = np.random.default_rng(seed)
    parts = {}
    for place, size in enumerate(sizes):
        truth = rng.integers(0, 3, size)
        vectors = {
            name: rng.dirichlet(2 + spread * np.eye(3)[0], size)
            for name, spread in (("A", 1.0), ("B", 3.0))
        }
        parts[str(place)] = vector_scores_of(truth, vectors, labels=[0, 1, 2])
    return Grouped.from_parts("writer", parts)


def test_the_area_is_that_of_all_items_and_the_interval_that_of_the_clusters():
    grouped = patients()
    found = clustered_auc(grouped)
    assert found.value == auc(grouped.merged()).value
    spread = clustered_area_spreads([grouped]).spreads[0]
    assert (found.interval.low, found.interval.high) == placement_interval(spread)
    assert found.interval.method == "cluster-placement"
    most = max(clustered_auc_variance(grouped), delong_variance(grouped.merged()))
    assert found.standard_error == pytest.approx(most**0.5)
    assert found.caveats == ()


def test_one_cluster_shows_no_spread():
    found = clustered_auc(patients(1))
    assert found.interval is None
    assert "one cluster" in found.caveats[0]


def test_a_perfect_ranking_has_width_and_a_useless_one_says_so():
    perfect = {str(g): ScoreTable.from_scores([5, 6], [1, 2]) for g in range(5)}
    found = clustered_auc(Grouped.from_parts("patient", perfect))
    assert found.interval.low < 1 == found.interval.high
    items = auc(ScoreTable.from_scores(range(5, 10), range(5)))
    # Clusters that part the classes fully count as one item each.
    assert found.interval.low == pytest.approx(items.interval.low)
    turned = {str(g): ScoreTable.from_scores([1, g / 9], [5, 3]) for g in range(25)}
    assert "worse than chance" in clustered_auc(Grouped.from_parts("p", turned)).caveats[0]
    same = {str(g): ScoreTable.from_scores([1, 3], [2, 2]) for g in range(5)}
    alike = clustered_auc(Grouped.from_parts("p", same)).interval
    plain = auc(Grouped.from_parts("p", same).merged()).interval
    assert alike.low <= plain.low < plain.high <= alike.high


@pytest.mark.parametrize("rule", RULES)
def test_clusters_of_one_item_give_students_interval_of_the_items(rule):
    grouped = written([1] * 30)
    found = clustered_vector_score(grouped, rule, "A")
    plain = vector_score(grouped.merged(), rule, "A")
    assert found.value == plain.value
    if rule != "winner":  # a plain share of right items has Wilson's
        assert found.interval.low == pytest.approx(plain.interval.low, abs=1e-8)
        assert found.interval.high == pytest.approx(plain.interval.high, abs=1e-8)
    difference = clustered_vector_difference(grouped, rule, "A", "B")
    plain = vector_difference(grouped.merged(), rule, "A", "B")
    assert difference.value == plain.value
    assert difference.interval.low == pytest.approx(plain.interval.low, abs=1e-8)


@pytest.mark.parametrize("rule", RULES)
def test_the_variance_is_that_of_leaving_clusters_out(rule):
    sizes = [4, 9, 2, 7, 5, 6]
    grouped = written(sizes)
    found = clustered_vector_score(grouped, rule, "B")
    sums = np.array(
        [part.total * vector_score(part, rule, "B").value for _, part in grouped], dtype=float
    )
    if rule == "winner":  # a plain share of items, with the limits of shares
        ends = cluster_share_interval(sums, sizes)
        assert (found.interval.low, found.interval.high) == pytest.approx(ends, abs=1e-6)
        return
    left = (sums.sum() - sums) / (sum(sizes) - np.array(sizes))
    expected = 5 / 6 * ((left - found.value) ** 2).sum()
    assert found.standard_error**2 == pytest.approx(expected, rel=1e-6)


def test_alike_or_single_clusters_have_no_interval():
    alone = clustered_vector_score(written([8]), "brier", "A")
    assert alone.interval is None
    assert any("one cluster" in said for said in alone.caveats)
    part = written([6])
    twice = Grouped.from_parts("writer", {"1": part.parts[0], "2": part.parts[0]})
    same = clustered_vector_score(twice, "brier", "A")
    assert same.interval is None
    assert any("scored alike" in said for said in same.caveats)

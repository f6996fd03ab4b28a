from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.comparison.akaike.criterion import akaike_independent
from steelyard.comparison.akaike.tiers import akaike_tiers
from steelyard.counts import Trials
from steelyard.errors import NotComparable


def independent(samples):
    return Trials(
        systems=[f"s{k}" for k in range(len(samples))],
        correct=[right for right, _ in samples],
        tested=[tested for _, tested in samples],
        pairing="independent",
    )


sample = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=40)
@given(st.lists(sample, min_size=1, max_size=7))
def test_no_partition_at_all_beats_the_best_contiguous_one(samples):
    found = akaike_tiers(independent(samples))
    assert found.aic == pytest.approx(found.partitions[0].aic, abs=1e-9)
    assert sum(p.weight for p in found.partitions) == pytest.approx(1, abs=1e-12)
    assert sorted(name for tier in found.tiers for name in tier) == [
        f"s{k}" for k in range(len(samples))
    ]
    assert list(found.rates) == sorted(found.rates, reverse=True)


def test_all_partitions_are_there_once():
    bell = [1]
    for n in range(8):
        bell.append(sum(comb(n, k) * bell[k] for k in range(n + 1)))
    for size in (1, 4, 8):
        found = akaike_tiers(independent([(k + 1, 20) for k in range(size)]))
        assert len({p.tiers for p in found.partitions}) == len(found.partitions) == bell[size]
    assert akaike_tiers(independent([(k + 1, 20) for k in range(9)])).partitions == ()


@given(sample, sample)
def test_two_systems_are_the_comparison_of_two(one, two):
    found = akaike_tiers(independent([one, two]))
    answer = akaike_independent(one, two)
    assert found.aic == pytest.approx(min(answer.aic_same, answer.aic_different), abs=1e-9)
    weights = {len(p.tiers): p.weight for p in found.partitions}
    assert weights[1] == pytest.approx(answer.weight_same, abs=1e-12)


def test_fifty_systems_in_three_clear_tiers_are_found():
    samples = [(900 - k % 3, 1000) for k in range(20)] + [(700 + k % 3, 1000) for k in range(20)]
    samples += [(400, 800)] * 10
    assert [len(tier) for tier in akaike_tiers(independent(samples)).tiers] == [20, 20, 10]


def test_common_items_are_refused():
    trials = Trials(correct={"S": 3, "T": 4}, tested=5, pairing="common")
    with pytest.raises(NotComparable, match="akaike_pairs"):
        akaike_tiers(trials)

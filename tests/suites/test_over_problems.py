"""Problems taken for a sample: groups of neighbours, and chances that add up."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.comparison import nemenyi
from steelyard.suites.standings.leaderboards import mean_ranks, over_problems

tables = st.integers(2, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from([k / 10 for k in range(11)]), min_size=6, max_size=6),
        min_size=size,
        max_size=size,
    ).map(lambda rows: {f"a{k}": row for k, row in enumerate(rows)})
)


@given(tables)
@settings(max_examples=15)
def test_algorithms_share_a_bar_exactly_when_nemenyi_does_not_tell_them_apart(table):
    found = over_problems(table, alpha=0.05, seed=1)
    ranks = mean_ranks(table)
    for pair in nemenyi(table).pairs:
        together = any({pair.first, pair.second} <= set(group) for group in found.cliques)
        apart = abs(ranks[pair.first] - ranks[pair.second]) >= found.critical_difference
        assert together != apart
    for one, two in combinations(found.cliques, 2):
        assert not set(one) <= set(two)
        assert not set(two) <= set(one)


@given(tables)
@settings(max_examples=8)
def test_chances_against_the_leader_add_up_to_one(table):
    found = over_problems(table, alpha=0.05, seed=1)
    assert {one.second for one in found.chances} == set(table) - {found.leader}
    for one in found.chances:
        assert one.worse + one.alike + one.better == pytest.approx(1)

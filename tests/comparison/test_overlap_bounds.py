from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import bound_best, bound_overlaps, common_test, mcnemar, pair_posterior
from steelyard.counts import PairTable
from steelyard.errors import CountsError
from steelyard.uncertainty import paired_difference_interval

totals = st.integers(1, 60).flatmap(
    lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n))
)


def every_table(first, second, tested):
    """All paired tables with these totals, from the largest overlap down."""
    return [
        PairTable(
            both=both,
            first=first - both,
            second=second - both,
            neither=tested - first - second + both,
        )
        for both in range(min(first, second), max(0, first + second - tested) - 1, -1)
    ]


@given(totals)
def test_the_bounds_are_those_of_all_overlaps_tried_one_by_one(counts):
    first, second, tested = counts
    found = bound_overlaps(first, second, tested=tested)
    tables = every_table(first, second, tested)
    mid = [mcnemar(table).p_value for table in tables]
    exact = [mcnemar(table, method="exact").p_value for table in tables]
    better = [pair_posterior(table).first_better for table in tables]
    if len(tables) == 1:
        assert found.p_least == found.p_largest == common_test(tables[0]).p_value
    else:
        assert (found.p_least, found.p_largest) == (min(mid), max(exact))
    assert max(mid) <= max(exact)
    # The posterior of a wider overlap is integrated at other nodes.
    ends = (min(better), max(better))
    assert (found.better_low, found.better_high) == pytest.approx(ends, abs=1e-15, rel=1e-13)
    assert (found.nested, found.apart) == (tables[0], tables[-1])


@given(totals)
def test_the_interval_is_widest_with_the_smallest_overlap(counts):
    first, second, tested = counts
    ends = [
        paired_difference_interval(table.both, table.first, table.second, table.neither)
        for table in every_table(first, second, tested)
    ]
    assert ends[-1][0] == pytest.approx(min(low for low, _ in ends), abs=1e-9)
    assert ends[-1][1] == pytest.approx(max(high for _, high in ends), abs=1e-9)


def test_the_largest_p_falls_as_the_lead_grows():
    found = [bound_overlaps(right, 795, tested=1000).p_largest for right in range(795, 1001)]
    assert all(later <= sooner for sooner, later in pairwise(found))


def test_no_overlap_tells_190_from_194_of_200():
    # 0 against 4 discordant items: mid-p is 2/16 - 1/16 by hand.
    assert bound_overlaps(190, 194, tested=200).p_least == pytest.approx(0.0625, rel=1e-12)


def test_a_thousand_million_items_are_answered_at_once():
    found = bound_overlaps(800_000_000, 800_003_000, tested=1_000_000_000)
    # The normal distribution at 3000/sqrt(4e8 - 3000 + ...): 2 Phi(-0.15) = 0.8808.
    assert found.better_low == 0.0
    assert 0.44 < found.better_high < 0.441


def test_totals_beyond_the_items_are_refused():
    with pytest.raises(CountsError, match="201 right of 200 tested"):
        bound_overlaps(201, 3, tested=200)


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=2, max_size=30))
def test_probabilities_of_being_best_lie_between_their_bounds(draws):
    best = [sum(max(row) == row[i] for row in draws) / len(draws) for i in range(3)]
    better = [
        [sum(row[i] >= row[j] for row in draws) / len(draws) for j in range(3)] for i in range(3)
    ]
    for share, (low, high) in zip(best, bound_best(better, better), strict=True):
        assert low - 1e-12 <= share <= high + 1e-12

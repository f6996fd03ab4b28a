"""Counts split by group."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Confusion, Grouped
from steelyard.errors import CountsError

rows = st.lists(
    st.tuples(st.sampled_from(["1", "2", "10"]), st.sampled_from("ab"), st.sampled_from("ab"))
)


def table(items):
    return Confusion.from_cells(Counter((t, c) for _, t, c in items), classes=["a", "b"])


def grouped(items):
    names = {name for name, _, _ in items}
    return Grouped.from_parts("fold", {n: table([r for r in items if r[0] == n]) for n in names})


tables = rows.map(grouped)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows.filter(bool))
def test_merging_the_groups_gives_the_count_of_the_whole(items):
    assert grouped(items).merged() == table(items)


@given(tables)
def test_a_fold_of_each_group_is_the_group_of_the_fold(split):
    totals = split.each(lambda part: part.total)
    assert dict(totals) == {name: split.part(name).total for name in split.names}
    assert len(totals) == len(split)


def test_groups_come_in_reading_order_however_given():
    one = Grouped(by="fold", names=("10", "9"), parts=((10,), (9,)))
    assert one.names == ("9", "10")
    assert one == Grouped.from_parts("fold", {"9": (9,), "10": (10,)})
    assert one.part("10") == (10,)


def test_many_groups_merge_in_order():
    many = Grouped.from_parts("cluster", {str(n): (n,) for n in range(1001)})
    assert many.merged() == tuple(range(1001))


@pytest.mark.parametrize(
    ("names", "parts", "code"),
    [(("a",), (), "groups-differ"), (("a", "a"), (1, 2), "group-twice"), ((1,), (1,), "name-type")],
)
def test_names_that_do_not_fit_are_refused(names, parts, code):
    with pytest.raises(CountsError) as refusal:
        Grouped(by="fold", names=names, parts=parts)
    assert refusal.value.code == code


def test_unknown_groups_empty_merges_and_other_splits_are_refused():
    empty = Grouped.from_parts("fold", {})
    with pytest.raises(CountsError, match="no fold to add up"):
        empty.merged()
    with pytest.raises(CountsError, match="No fold 'z'"):
        empty.part("z")
    with pytest.raises(CountsError) as refusal:
        empty + Grouped.from_parts("cluster", {})
    assert refusal.value.code == "groups-differ"

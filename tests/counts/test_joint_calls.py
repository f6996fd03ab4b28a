"""Calls of several systems together."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Confusion, Exclusion, JointCalls, Outcomes
from steelyard.errors import CountsError

label = st.sampled_from("abc")
rows = st.lists(st.tuples(label, st.tuples(label, label)))
CLASSES = ["a", "b", "c"]


def counted(items, classes=None):
    return JointCalls.from_cells(Counter(items), systems=["A", "B"], classes=classes)


tables = rows.map(counted)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows, st.integers(0, 30))
def test_merged_shards_equal_the_count_of_the_whole(items, cut):
    assert counted(items[:cut]) + counted(items[cut:]) == counted(items)


@given(rows)
def test_folds_equal_direct_counts(items):
    table = counted(items, CLASSES)
    direct = Counter((truth, calls[1]) for truth, calls in items)
    assert table.confusion("B") == Confusion.from_cells(direct, classes=CLASSES)
    patterns = Counter((t == one) + 2 * (t == two) for t, (one, two) in items)
    assert table.outcomes() == Outcomes.from_patterns(patterns, systems=["A", "B"])
    assert table.total == len(items)


@given(rows, st.permutations(CLASSES))
def test_renaming_classes_leaves_outcomes_alone(items, names):
    new = dict(zip(CLASSES, names, strict=True))
    renamed = [(new[t], (new[one], new[two])) for t, (one, two) in items]
    assert counted(renamed).outcomes() == counted(items).outcomes()


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({("a", ("a",)): 1}, "lengths-differ"),
        ({("a", ("a", "z")): 1}, "class-unknown"),
        ({("a", ("a", "b")): -1}, "count-not-whole"),
        ({("a", ("a", "b")): 2**60}, "count-too-large"),
    ],
)
def test_cells_without_sense_are_refused(cells, code):
    with pytest.raises(CountsError) as refusal:
        JointCalls.from_cells(cells, systems=["A", "B"], classes=CLASSES)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("systems", "classes", "code"),
    [
        ([], CLASSES, "no-systems"),
        (["A", "A"], CLASSES, "system-twice"),
        (["A", "B"], ["a", "a"], "class-twice"),
        (["A", 2], CLASSES, "name-type"),
    ],
)
def test_names_without_sense_are_refused(systems, classes, code):
    with pytest.raises(CountsError) as refusal:
        JointCalls.from_cells({}, systems=systems, classes=classes)
    assert refusal.value.code == code


def test_unknown_systems_and_other_systems_are_refused():
    table = counted([("a", ("a", "b"))])
    with pytest.raises(CountsError, match="Systems: A, B"):
        table.confusion("Z")
    with pytest.raises(CountsError) as refusal:
        table + JointCalls.from_cells({}, systems=["A"])
    assert refusal.value.code == "systems-differ"


def test_numpy_counts_become_python_ints_and_exclusions_follow():
    gone = (Exclusion(reason="no truth", rows=2),)
    table = JointCalls.from_cells({("a", ("a",)): np.int64(3)}, systems=["A"], excluded=gone)
    assert type(table.cells[0][2]) is int
    assert table.confusion("A").excluded == table.outcomes().excluded == gone

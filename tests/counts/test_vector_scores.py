"""Sums of vector scores."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE, VECTOR_RULES, Exclusion, VectorScores
from steelyard.errors import CountsError, RequestError

SYSTEMS = ["B", "A"]
rows = st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 5), st.integers(0, 5)))


def summed(items, classes=None):
    """One rule; an item's scores are small whole multiples of 1/SCALE."""
    names = sorted({name for name, _, _ in items})
    of = {name: [row for row in items if row[0] == name] for name in names}
    return VectorScores.from_sums(
        systems=SYSTEMS,
        classes=classes,
        items={name: len(of[name]) for name in names},
        sums={
            ("log", s, n): sum(r[j] for r in of[n]) for n in names for j, s in ((1, "B"), (2, "A"))
        },
        products={
            ("log", "BA"[i - 1], "BA"[j - 1], n): sum(r[i] * r[j] for r in of[n])
            for n in names
            for i, j in ((1, 1), (1, 2), (2, 2))
        },
        infinite={("A", n): sum(r[2] == 5 for r in of[n]) for n in names},
    )


tables = rows.map(summed)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows, st.integers(0, 30))
def test_merged_shards_equal_the_sums_of_the_whole(items, cut):
    assert summed(items[:cut]) + summed(items[cut:]) == summed(items)


@given(rows)
def test_means_and_products_are_found_by_name(items):
    table = summed(items, classes=["x", "y"])
    for name in "xy":
        mine = [row for row in items if row[0] == name]
        mean = table.mean("log", "B", name)
        assert mean == (sum(r[1] for r in mine) / (SCALE * len(mine)) if mine else None)
        infinite = any(row[2] == 5 for row in mine)
        assert (table.mean("log", "A", name) is None) == (infinite or not mine)
        product = sum(row[1] * row[2] for row in mine)
        assert table.scaled_product("log", ("A", "B"), name) == product
        assert table.scaled_product("log", ("B", "A"), name) == product
        assert table.scaled_sum("log", "A", name) == sum(row[2] for row in mine)
    assert table.total == len(items)


def test_classes_without_items_leave_no_sums():
    one = VectorScores.from_sums(
        systems=["A"],
        classes=["x", "y"],
        items={"x": 1},
        products={},
        sums={("log", "A", "x"): 0, ("log", "A", "y"): 0},
    )
    assert one.sums == (("log", "A", "x", 0),)
    assert one.items == (("x", 1), ("y", 0))


BASE = {
    "systems": SYSTEMS,
    "classes": ["x", "y"],
    "items": {"x": 2},
    "sums": {("log", "A", "x"): 3},
    "products": {("log", "B", "A", "x"): 3},
}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"systems": ["A", "A"]}, "system-twice"),
        ({"systems": []}, "no-systems"),
        ({"classes": ["x", "x"]}, "class-twice"),
        ({"items": {"z": 1}}, "class-unknown"),
        ({"items": {"x": -1}}, "count-not-whole"),
        ({"items": {"x": 0.5}}, "count-not-whole"),
        ({"items": {"x": 2**60}}, "count-too-large"),
        ({"sums": {("log", "Z", "x"): 3}}, "class-unknown"),
        ({"sums": {("log", "A", "z"): 3}}, "class-unknown"),
        ({"sums": {("loss", "A", "x"): 3}}, "class-unknown"),
        ({"sums": {("log", "A", "x"): -3}}, "count-not-whole"),
        ({"sums": {("log", "A", "x"): 0.5}}, "count-not-whole"),
        ({"sums": {("log", "A", "y"): 3}}, "no-items"),
        ({"products": {("log", "A", "B", "x"): 3}}, "systems-differ"),
        ({"products": {("log", "A", "x"): 3}}, "class-unknown"),
        ({"infinite": {("A", "x"): 3}}, "counts"),
        ({"infinite": {("Z", "x"): 1}}, "counts"),
        ({"infinite": {("A", "x"): -1}}, "count-not-whole"),
    ],
)
def test_sums_without_sense_are_refused(changed, code):
    VectorScores.from_sums(**BASE)
    with pytest.raises(CountsError) as refusal:
        VectorScores.from_sums(**BASE | changed)
    assert refusal.value.code == code


def test_a_sum_given_twice_is_refused():
    with pytest.raises(CountsError) as refusal:
        VectorScores(
            systems=("A",),
            classes=("x",),
            items=(("x", 1),),
            products=(),
            sums=(("log", "A", "x", 1), ("log", "A", "x", 2)),
        )
    assert refusal.value.code == "cell-twice"


def test_a_rule_that_was_not_summed_is_not_zero():
    table = VectorScores.from_sums(**BASE)
    with pytest.raises(CountsError) as refusal:
        table.mean("winner", "A", "x")
    assert refusal.value.code == "sums-missing"
    assert table.mean("winner", "A", "y") is None
    more = VectorScores.from_sums(**BASE | {"sums": {("winner", "A", "x"): 3}})
    with pytest.raises(CountsError) as refusal:
        table + more
    assert refusal.value.code == "sums-differ"


def test_unknown_names_are_refused():
    table = VectorScores.from_sums(**BASE)
    with pytest.raises(RequestError, match="spherical, winner, brier, log"):
        table.mean("loss", "A", "x")
    with pytest.raises(CountsError, match="No system 'Z'"):
        table.mean("log", "Z", "x")
    with pytest.raises(CountsError, match="No class 'z'"):
        table.scaled_product("log", ("A", "B"), "z")
    with pytest.raises(CountsError) as refusal:
        table + VectorScores.from_sums(systems=["A"], items={}, sums={}, products={})
    assert refusal.value.code == "systems-differ"


def test_numpy_sums_become_python_ints_and_copies_are_equal():
    table = VectorScores.from_sums(**BASE | {"sums": {("log", "A", "x"): np.int64(3)}})
    assert type(table.sums[0][-1]) is int
    assert copy.deepcopy(table) == pickle.loads(pickle.dumps(table)) == table
    assert hash(table) == hash(VectorScores.from_sums(**BASE))


def test_many_means_are_quick():
    systems, classes = [f"s{j}" for j in range(6)], [f"c{k}" for k in range(26)]
    keys = [(rule, s, c) for rule in VECTOR_RULES for s in systems for c in classes]
    table = VectorScores.from_sums(
        systems=systems,
        items=dict.fromkeys(classes, 1),
        sums=dict.fromkeys(keys, SCALE),
        products={},
    )
    assert {table.mean(*key) for key in keys} == {1.0}


def test_exclusions_add_up():
    table = VectorScores.from_sums(**BASE, excluded=[Exclusion(reason="no truth", rows=1)])
    assert (table + table).excluded == (Exclusion(reason="no truth", rows=2),)

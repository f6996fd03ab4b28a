"""Right answers per system."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Exclusion, Trials
from steelyard.errors import CountsError, RequestError


@st.composite
def trials(draw):
    tested = draw(st.lists(st.integers(1, 100), min_size=2, max_size=2))
    correct = [draw(st.integers(0, n)) for n in tested]
    return Trials(systems=["S", "T"], correct=correct, tested=tested, pairing="independent")


@given(trials(), trials(), trials())
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


def test_mappings_one_total_and_plain_lists_say_the_same():
    one = Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    two = Trials(correct={"S": 190, "T": 194}, tested={"T": 200, "S": 200}, pairing="independent")
    three = Trials(systems=["S", "T"], correct=[190, 194], tested=[200, 200], pairing="independent")
    assert one == two == three
    assert len({one, two, three}) == 1


def test_the_order_of_systems_is_the_order_of_correct():
    table = Trials(correct={"T": 1, "S": 2}, tested={"S": 5, "T": 9}, pairing="independent")
    assert (table.systems, table.correct, table.tested) == (("T", "S"), (1, 2), (9, 5))


def test_numpy_counts_become_python_ints():
    table = Trials(correct={"S": np.int32(3)}, tested=np.int64(5), pairing="common")
    assert (table.correct, table.tested) == ((3,), (5,))
    assert type(table.correct[0]) is type(table.tested[0]) is int


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"correct": {"S": 201, "T": 1}}, "more-right-than-tested"),
        ({"correct": {"S": -1, "T": 1}}, "count-not-whole"),
        ({"correct": {"S": 0.5, "T": 1}}, "count-not-whole"),
        ({"correct": {"S": True, "T": 1}}, "count-not-whole"),
        ({"correct": {}}, "no-systems"),
        ({"correct": [1, 2]}, "systems-differ"),
        ({"correct": {1: 2}}, "name-type"),
        ({"tested": 0, "correct": {"S": 0, "T": 0}}, "no-items"),
        ({"tested": {"S": 200}}, "systems-differ"),
        ({"tested": [200]}, "systems-differ"),
        ({"tested": 1.5}, "count-not-whole"),
        ({"tested": 2**60}, "count-too-large"),
        ({"tested": {"S": 200, "T": 201}}, "tested-differ"),
    ],
)
def test_counts_that_contradict_one_another_are_refused(changed, code):
    given = {"correct": {"S": 190, "T": 194}, "tested": 200, "pairing": "common"} | changed
    with pytest.raises(CountsError) as refusal:
        Trials(**given)
    assert refusal.value.code == code


def test_an_unknown_pairing_is_refused_with_the_choices():
    with pytest.raises(RequestError, match="common, independent"):
        Trials(correct={"S": 1}, tested=2, pairing="paired")


def test_different_systems_or_pairings_do_not_add():
    one = Trials(correct={"S": 1}, tested=2, pairing="common")
    for other in (
        Trials(correct={"T": 1}, tested=2, pairing="common"),
        Trials(correct={"S": 1}, tested=2, pairing="independent"),
    ):
        with pytest.raises(CountsError) as refusal:
            one + other
        assert refusal.value.code == "systems-differ"


def test_copy_pickle_and_replace_keep_the_fields():
    table = Trials(correct={"S": 1, "T": 2}, tested=2, pairing="common")
    assert copy.copy(table) == copy.deepcopy(table) == pickle.loads(pickle.dumps(table)) == table
    assert dataclasses.replace(table) == table
    assert dataclasses.replace(table, pairing="independent").pairing == "independent"
    assert dataclasses.replace(table, correct={"T": 0, "S": 1}).correct == (1, 0)


def test_exclusions_are_kept_and_added():
    table = Trials(
        correct={"S": 1}, tested=2, pairing="common", excluded=[Exclusion(reason="late", rows=1)]
    )
    assert (table + table).excluded == (Exclusion(reason="late", rows=2),)

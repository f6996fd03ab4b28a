"""Who was right together."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE, Exclusion, Outcomes, PairTable, WeightSums
from steelyard.errors import CountsError

NAMES = ["A", "B", "C"]
items = st.lists(st.integers(0, 7))


def counted(patterns):
    rows = Counter(patterns)
    weights = {p: WeightSums(n * SCALE, n * SCALE) for p, n in rows.items()}
    return Outcomes.from_patterns(rows, systems=NAMES, weights=weights)


tables = items.map(counted)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(items, st.integers(0, 30))
def test_merged_shards_equal_the_count_of_the_whole(patterns, cut):
    assert counted(patterns[:cut]) + counted(patterns[cut:]) == counted(patterns)


@given(tables, tables, st.permutations(NAMES), st.integers(1, 3))
def test_choosing_systems_commutes_with_adding(a, b, order, size):
    chosen = order[:size]
    assert (a + b).only(chosen) == a.only(chosen) + b.only(chosen)


@given(tables, st.permutations(NAMES))
def test_reordering_systems_changes_no_number(table, order):
    turned = table.only(order)
    assert turned.only(NAMES) == table
    assert dict(zip(order, turned.correct(), strict=True)) == dict(
        zip(NAMES, table.correct(), strict=True)
    )
    assert turned.pair("A", "C") == table.pair("A", "C")


@given(items)
def test_folds_agree_with_counting_items(patterns):
    table = counted(patterns)
    right = [[bool(p >> j & 1) for j in range(3)] for p in patterns]
    assert table.total == len(patterns)
    assert table.correct() == tuple(sum(row[j] for row in right) for j in range(3))
    pair = table.pair("A", "C")
    assert pair == PairTable(
        both=sum(row[0] and row[2] for row in right),
        first=sum(row[0] and not row[2] for row in right),
        second=sum(row[2] and not row[0] for row in right),
        neither=sum(not row[0] and not row[2] for row in right),
    )
    assert table.pairs() == {
        (one, two): table.pair(one, two) for one, two in [("A", "B"), ("A", "C"), ("B", "C")]
    }
    assert pair.total == len(patterns)
    assert pair.discordant == sum(row[0] != row[2] for row in right)


@given(items)
def test_bits_spell_the_patterns(patterns):
    table = counted(patterns)
    assert table.bits().shape == (len(table.patterns), 3)
    again = [sum(bool(bit) << j for j, bit in enumerate(row)) for row in table.bits()]
    assert again == [pattern for pattern, _ in table.patterns]


@pytest.mark.parametrize("size", [50, 64, 100])
def test_many_systems_fit(size):
    names = [f"s{j}" for j in range(size)]
    top, low = 1 << (size - 1), 1
    table = Outcomes.from_patterns({top: 3, low: 4, top | low: 5}, systems=names)
    assert table.correct() == (9, *[0] * (size - 2), 8)
    assert table.pair(names[-1], "s0") == PairTable(both=5, first=3, second=4, neither=0)
    assert table.pairs()["s0", names[-1]] == PairTable(both=5, first=4, second=3, neither=0)
    assert table.only([names[-1], "s0"]).patterns == ((1, 3), (2, 4), (3, 5))
    assert (table + table).total == 24


def test_a_quarter_of_a_million_distinct_patterns_are_folded_right():
    draw = random.Random(7)
    patterns = {draw.getrandbits(50): 1 for _ in range(250_000)}
    table = Outcomes.from_patterns(patterns, systems=[f"s{j}" for j in range(50)])
    assert table.correct()[3] == sum(p >> 3 & 1 for p in patterns)
    assert table.pair("s3", "s4").both == sum(p >> 3 & 3 == 3 for p in patterns)
    assert table.only(["s3"]).total == len(patterns)


def test_forgetting_who_was_right_together_gives_common_trials():
    table = Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))
    trials = table.trials()
    assert (trials.correct, trials.tested, trials.pairing) == ((178, 165), (200, 200), "common")


def test_no_items_make_no_trials():
    with pytest.raises(CountsError) as refusal:
        Outcomes.from_patterns({}, systems=["A"]).trials()
    assert refusal.value.code == "no-items"


@pytest.mark.parametrize(
    ("patterns", "systems", "code"),
    [
        ({4: 1}, ["A", "B"], "pattern-range"),
        ({-1: 1}, ["A", "B"], "count-not-whole"),
        ({1: -1}, ["A", "B"], "count-not-whole"),
        ({1: 0.5}, ["A", "B"], "count-not-whole"),
        ({1: 2**60}, ["A", "B"], "count-too-large"),
        ({1: 1}, ["A", "A"], "system-twice"),
        ({0: 1}, [], "no-systems"),
        ({0: 1}, "AB", "name-type"),
        ({0: 1}, [1, 2], "name-type"),
    ],
)
def test_patterns_without_sense_are_refused(patterns, systems, code):
    with pytest.raises(CountsError) as refusal:
        Outcomes.from_patterns(patterns, systems=systems)
    assert refusal.value.code == code


def test_numpy_patterns_and_counts_become_python_ints():
    table = Outcomes.from_patterns({np.uint8(3): np.int64(4)}, systems=["A", "B"])
    assert table.patterns == ((3, 4),)
    assert all(type(number) is int for row in table.patterns for number in row)


def test_unknown_systems_are_refused():
    table = counted([1])
    for ask in (lambda: table.pair("A", "Z"), lambda: table.only(["Z"])):
        with pytest.raises(CountsError, match="Systems: A, B, C"):
            ask()


def test_choosing_a_system_twice_or_other_systems_to_add_is_refused():
    table = counted([1])
    with pytest.raises(CountsError) as refusal:
        table.only(["A", "A"])
    assert refusal.value.code == "system-twice"
    with pytest.raises(CountsError) as refusal:
        table + table.only(["A"])
    assert refusal.value.code == "systems-differ"


def test_exclusions_stay_with_every_fold():
    gone = (Exclusion(reason="no truth", rows=2),)
    table = Outcomes.from_patterns({1: 1}, systems=["A", "B"], excluded=gone)
    assert table.only(["A"]).excluded == table.trials().excluded == gone

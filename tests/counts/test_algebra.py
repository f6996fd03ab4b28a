"""The algebra of counts, for every class that can be added: shards in any order are the whole."""

import inspect
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard.counts as room
from steelyard.counts import (
    SCALE,
    Confusion,
    Exposure,
    Grouped,
    JointCalls,
    JointScores,
    Moments,
    Outcomes,
    ScoreTable,
    Trials,
    ValueTable,
    VectorScores,
    WeightedVectors,
    WeightSums,
)

SYSTEMS = ("A", "B")
CLASSES = ["x", "y", "z"]
LETTERS = st.sampled_from(CLASSES)
few = settings(max_examples=25)
items = st.lists(
    st.tuples(
        LETTERS, LETTERS, LETTERS, st.integers(-3, 3), st.floats(allow_nan=False), st.integers(0, 9)
    ),
    min_size=1,
    max_size=12,
)
"""Truth, the calls of two systems, their scores, and a weight."""


def confusion(rows):
    return Confusion.from_cells(Counter((t, a) for t, a, *_ in rows), classes=CLASSES)


def weighted_confusion(rows):
    sums = {}
    for truth, called, *_, weight in rows:
        before = sums.get((truth, called), WeightSums(0, 0))
        sums[truth, called] = WeightSums(
            before.scaled + weight * SCALE, before.scaled_squares + weight * weight * SCALE
        )
    cells = Counter((t, a) for t, a, *_ in rows)
    return Confusion.from_cells(cells, classes=CLASSES, weights=sums)


def vector_scores(rows):
    of = {name: [row for row in rows if row[0] == name] for name in CLASSES}
    return VectorScores.from_sums(
        systems=["A"],
        classes=CLASSES,
        items={name: len(held) for name, held in of.items()},
        sums={("log", "A", name): sum(row[5] for row in held) for name, held in of.items()},
        products={
            ("log", "A", "A", name): sum(row[5] ** 2 for row in held) for name, held in of.items()
        },
    )


def weighted_vectors(rows):
    sums = Counter()
    for truth, *_, weight in rows:
        sums["rows", truth] += 1
        sums["weight", truth] += weight * SCALE
        sums["product", "log", "A", "A", truth] += weight
    return WeightedVectors.from_sums(systems=["A"], classes=CLASSES, sums=sums)


MADE = {
    "Confusion": confusion,
    "Confusion, weighted": weighted_confusion,
    "Grouped": lambda rows: Grouped.from_parts(
        "fold",
        {name: confusion([row for row in rows if row[1] == name]) for name in {r[1] for r in rows}},
    ),
    "Exposure": lambda rows: Exposure(
        events=sum(t == a for t, a, *_ in rows), amount=len(rows) / 4, unit="hour"
    ),
    "JointCalls": lambda rows: JointCalls.from_cells(
        Counter((t, (a, b)) for t, a, b, *_ in rows), systems=SYSTEMS, classes=CLASSES
    ),
    "JointScores": lambda rows: JointScores.from_arrays(
        [t == "x" for t, *_ in rows], {"A": [r[3] for r in rows], "B": [r[4] for r in rows]}
    ),
    "Moments": lambda rows: Moments.from_arrays(
        {"A": [r[3] for r in rows], "B": [r[5] / 8 for r in rows]},
        per={"w": [1 + r[5] for r in rows]},
    ),
    "Outcomes": lambda rows: Outcomes.from_patterns(
        Counter((t == a) + 2 * (t == b) for t, a, b, *_ in rows), systems=SYSTEMS
    ),
    "ScoreTable": lambda rows: ScoreTable.from_scores(
        [r[4] for r in rows if r[0] == "x"], [r[4] for r in rows if r[0] != "x"]
    ),
    "Trials": lambda rows: Trials(
        correct={"A": sum(t == a for t, a, *_ in rows), "B": sum(r[0] == r[2] for r in rows)},
        tested=len(rows),
        pairing="common",
    ),
    "ValueTable": lambda rows: ValueTable.from_values([r[3] / 4 for r in rows]),
    "VectorScores": vector_scores,
    "WeightedVectors": weighted_vectors,
}
"""How every class of counts is made from the same items."""


def test_every_class_that_can_be_added_is_here():
    known = [(name, getattr(room, name)) for name in room.__all__]
    added = {
        name
        for name, one in known
        if inspect.isclass(one) and "__add__" in vars(one) and not issubclass(one, tuple)
    }
    assert added == {name.partition(",")[0] for name in MADE}


@pytest.mark.parametrize("name", MADE)
@few
@given(one=items, two=items, three=items)
def test_the_order_of_shards_does_not_matter(name, one, two, three):
    a, b, c = (MADE[name](rows) for rows in (one, two, three))
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@pytest.mark.parametrize("name", MADE)
@few
@given(rows=items.filter(lambda held: len(held) > 1), data=st.data())
def test_any_split_of_the_items_adds_up_to_the_whole(name, rows, data):
    moved = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(1, len(rows) - 1))
    assert MADE[name](moved[:cut]) + MADE[name](moved[cut:]) == MADE[name](rows)


@pytest.mark.parametrize("name", MADE)
@few
@given(rows=items, times=st.integers(2, 5))
def test_a_shard_counted_several_times_is_that_many_items(name, rows, times):
    whole = MADE[name](rows)
    for _ in range(times - 1):
        whole += MADE[name](rows)
    assert whole == MADE[name](rows * times)
    total = getattr(whole, "total", None)
    if isinstance(total, int):
        assert total == times * len(rows)

"""Laws of comparing that hold whatever the right number is, for every method of the registry."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.comparison.methods import METHODS
from steelyard.counts import JointScores, Outcomes, Trials
from steelyard.errors import NotComparable

NAMES, ROWS, SWAP = "names do not matter", "the order of rows does not matter", "swapping mirrors"
LAWS = dict.fromkeys(METHODS, (NAMES, ROWS, SWAP))
"""The laws of each method. One that leaves a law out says why below."""

EXEMPT = {
    ("control", SWAP): "every system is held against the first one, so another first asks anew",
    ("wald", SWAP): "the first is kept unless the second is better by a stated ratio",
}
PATTERNS = {0: 10, 1: 9, 2: 4, 3: 7, 6: 5, 7: 65}
RIGHT = {"S": 190, "T": 194, "U": 180}
FIRST, SWAPPED = ("S", "T", "U"), ("T", "S", "U")


def kinds(order, called=None, cells=(160, 18, 5, 17)):
    """Give the same results as every kind of counts, systems in this order, by these names."""
    named = (called or {}).get
    one, two = (name for name in order if name in {"S", "T"})
    both, first, second, neither = cells
    if one == "T":
        first, second = second, first
    pair = tuple(named(name, name) for name in (one, two))
    draw = np.random.default_rng(2)
    truth = draw.random(80) < 0.5
    ranks = {"S": truth + draw.normal(0, 0.6, 80), "T": truth + draw.normal(0, 1.5, 80)}
    return {
        "pair": Outcomes.from_pair(
            both=both, first=first, second=second, neither=neither, systems=pair
        ),
        "three": Outcomes.from_patterns(
            {moved(mask, order): rows for mask, rows in PATTERNS.items()},
            systems=tuple(named(name, name) for name in order),
        ),
        "own": Trials(
            correct={named(name, name): RIGHT[name] for name in order},
            tested=200,
            pairing="independent",
        ),
        "totals": Trials(
            correct={named(name, name): RIGHT[name] for name in (one, two)},
            tested=200,
            pairing="common",
        ),
        "scores": JointScores.from_arrays(
            truth, {named(name, name): ranks[name] for name in (one, two)}
        ),
    }


def moved(mask, order):
    """Rewrite which systems were right in another order of systems."""
    return sum(1 << at for at, name in enumerate(order) if mask >> FIRST.index(name) & 1)


def compared(name, data, **roles):
    """Compare by one method alone; None where it does not fit the data."""
    taken = {"draws": 299, "order": "random"}
    using = {one: taken[one] for one in taken if one in METHODS[name].options} or None
    try:
        return sy.compare(data, method=name, margin=0.02, using=using, **roles)
    except NotComparable:
        return None


def numbers(found):
    return [
        (column, float(value))
        for sheet in found.sheets
        for row in sheet.rows
        for column, value in zip(sheet.columns, row.values, strict=True)
        if isinstance(value, int | float)
    ]


def check_alike(one, two):
    assert [head for head, _ in numbers(one)] == [head for head, _ in numbers(two)]
    told = [[value for _, value in numbers(found)] for found in (one, two)]
    assert told[1] == pytest.approx(told[0], rel=1e-9, abs=1e-9)


def check_mirrored(one, two):
    """The same tests have the same p-values, and the decision is the same one."""
    told = [sorted(v for head, v in numbers(found) if "p-value" in head) for found in (one, two)]
    assert told[1] == pytest.approx(told[0], rel=1e-9, abs=1e-12)
    parts = [sorted((found.decision or "").split(", ")) for found in (one, two)]
    assert parts[0] == parts[1]


def test_every_method_has_its_laws_and_a_reason_where_one_does_not_hold():
    assert set(LAWS) == set(METHODS)
    assert {law for laws in LAWS.values() for law in laws} == {NAMES, ROWS, SWAP}
    for (name, law), why in EXEMPT.items():
        assert name in METHODS
        assert law in LAWS[name]
        assert len(why.split()) > 5


@pytest.mark.parametrize("called", [("alpha", "beta", "gamma"), ("z", "m", "a")])
@pytest.mark.parametrize("name", METHODS)
def test_names_of_systems_do_not_matter(name, called):
    before, after = kinds(FIRST), kinds(FIRST, dict(zip(FIRST, called, strict=True)))
    for kind, data in before.items():
        found = compared(name, data)
        if found is not None:
            check_alike(found, compared(name, after[kind]))


@pytest.mark.parametrize("name", METHODS)
def test_who_is_named_first_does_not_matter(name):
    if (name, SWAP) in EXEMPT:
        kind = "own" if name == "control" else "pair"
        data = kinds(FIRST)[kind], kinds(SWAPPED)[kind]
        assert numbers(compared(name, data[0])) != numbers(compared(name, data[1]))
        return
    before, after = kinds(FIRST), kinds(SWAPPED)
    for kind, data in before.items():
        found = compared(name, data)
        if found is not None:
            check_mirrored(found, compared(name, after[kind]))


cells = st.tuples(st.integers(1, 60), st.integers(0, 30), st.integers(0, 30), st.integers(1, 60))
ON_A_PAIR = [name for name in METHODS if compared(name, kinds(FIRST)["pair"]) is not None]


@pytest.mark.parametrize("name", [one for one in ON_A_PAIR if (one, SWAP) not in EXEMPT])
@settings(max_examples=5)
@given(given=cells.filter(lambda one: one[1] != one[2]))
def test_any_pair_of_systems_may_change_places(name, given):
    one, two = (compared(name, kinds(order, cells=given)["pair"]) for order in (FIRST, SWAPPED))
    check_mirrored(one, two)


def table(order):
    """Lay out calls of three systems with groups, clusters and folds, rows in some order."""
    draw, items = np.random.default_rng(4), 120
    truth = draw.integers(0, 3, items)
    columns = {"truth": truth, "site": np.arange(items) % 6, "lens": np.arange(items) // 4}
    columns["part"] = np.arange(items) % 5
    for name, rate in (("A", 0.85), ("B", 0.7), ("C", 0.6)):
        columns[name] = np.where(draw.random(items) < rate, truth, (truth + 1) % 3)
    return {name: values[order].tolist() for name, values in columns.items()}


ROLES = {"truth": "truth", "group": "site", "cluster": "lens", "fold": "part", "positive": 1,
         "systems": ["A", "B", "C"], "called": ["A", "B", "C"]}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_the_order_of_rows_does_not_matter(name):
    found = compared(name, table(np.arange(120)), **ROLES)
    if found is not None:
        order = np.random.default_rng(0).permutation(120)
        check_alike(found, compared(name, table(order), **ROLES))

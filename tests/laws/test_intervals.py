"""Laws that hold for the interval of every measure of a table, whatever the table."""

from functools import partial

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steelyard.counts import Confusion
from steelyard.measures import CATALOGUE, Ratings
from steelyard.measures.agreement.raters import observed_agreement, pabak

ORDER = ["a", "b", "c"]
COSTS = {(one, two): 1.0 + 4 * (one == "a") for one in ORDER for two in ORDER if one != two}
NEEDS = {"of": "a", "prevalence": 0.1, "costs": COSTS, "order": ORDER}
TABLES = {
    entry.name: (partial(entry.function, **{need: NEEDS[need] for need in entry.needs}), entry)
    for entry in CATALOGUE.values()
    if entry.counts == "Confusion"
}
RATERS = {entry.name: entry for entry in CATALOGUE.values() if entry.counts == "JointCalls"}
EDGES = (
    [[5, 0, 0], [0, 5, 0], [0, 0, 5]],
    [[0, 5, 0], [0, 0, 5], [5, 0, 0]],
    [[1, 0, 0], [0, 40, 0], [0, 0, 1]],
)
MIRRORED = {
    "recall": "false negative rate",
    "specificity": "false positive rate",
    "precision": "false discovery rate",
    "negative predictive value": "false omission rate",
}

counts = st.one_of(st.integers(0, 3), st.integers(0, 60))
squares = st.lists(st.lists(counts, min_size=3, max_size=3), min_size=3, max_size=3)
patterns = st.dictionaries(
    st.tuples(*[st.sampled_from(ORDER)] * 3), st.integers(1, 20), min_size=1, max_size=8
)


def table_of(rows):
    return Confusion.from_matrix(rows, classes=ORDER)


def lawful(found, lowest, highest):
    """Value inside, limits inside the measure's bounds, and a width."""
    ends = found.interval
    assert ends.low < ends.high, "an interval of sampled data has a width"
    assert ends.low <= found.value <= ends.high
    assert lowest is None or ends.low >= lowest
    assert highest is None or ends.high <= highest


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=25, deadline=None)
@given(rows=squares)
def test_an_interval_holds_its_value_within_bounds_and_has_a_width(name, rows):
    measure, entry = TABLES[name]
    found = measure(table_of(rows))
    assume(found.interval is not None)
    lawful(found, *entry.bounds)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("rows", EDGES)
def test_a_perfect_or_hopeless_table_is_no_certainty(name, rows):
    measure, entry = TABLES[name]
    found = measure(table_of(rows))
    if found.value is None:
        assert found.reason
    else:
        lawful(found, *entry.bounds)


@pytest.mark.parametrize("name", [name for name in TABLES if name != "no-information rate"])
@settings(max_examples=25, deadline=None)
@given(rows=squares)
def test_twice_the_items_never_widen_an_interval(name, rows):
    measure, _ = TABLES[name]
    once, twice = (measure(table_of([[k * x for x in row] for row in rows])) for k in (1, 2))
    assume(once.interval is not None)
    assert twice.interval is not None
    widths = [one.interval.high - one.interval.low for one in (once, twice)]
    assert widths[1] <= widths[0] * (1 + 1e-9)


@pytest.mark.parametrize("name", MIRRORED)
@settings(max_examples=25, deadline=None)
@given(rows=squares)
def test_a_rate_and_its_complement_have_one_interval(name, rows):
    one, two = (TABLES[each][0](table_of(rows)) for each in (name, MIRRORED[name]))
    assert (one.value is None) == (two.value is None)
    assume(one.interval is not None)
    assert one.interval.low == pytest.approx(1 - two.interval.high, abs=1e-12)
    assert one.interval.high == pytest.approx(1 - two.interval.low, abs=1e-12)


@pytest.mark.parametrize("name", [*RATERS, "PABAK", "observed agreement"])
@settings(max_examples=25, deadline=None)
@given(seen=patterns)
def test_agreement_of_raters_has_a_width_within_its_bounds(name, seen):
    functions = {"PABAK": pabak, "observed agreement": observed_agreement}
    measure = functions.get(name) or RATERS[name].function
    found = measure(Ratings.from_patterns(seen, raters=["R", "S", "T"]))
    assume(found.interval is not None)
    lawful(found, 0.0 if name == "observed agreement" else -1.0, 1.0)

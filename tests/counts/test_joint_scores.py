"""Aligned scores of several systems."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Exclusion, JointScores, ScoreTable
from steelyard.errors import CountsError

score = st.sampled_from([-np.inf, -0.0, 0.0, 0.5, 1.0])
rows = st.lists(st.tuples(st.booleans(), score, score))


def joined(items):
    columns = {name: [row[j] for row in items] for j, name in ((1, "A"), (2, "B"))}
    return JointScores.from_arrays([row[0] for row in items], columns, positive="ship")


tables = rows.map(joined)


@given(tables, tables, tables)
def test_shards_may_be_joined_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_leaves_no_trace(items, random):
    shuffled = list(items)
    random.shuffle(shuffled)
    assert joined(shuffled) == joined(items)
    assert hash(joined(shuffled)) == hash(joined(items))


@given(rows)
def test_folding_to_one_system_equals_counting_its_scores(items):
    direct = ScoreTable.from_scores(
        [row[2] for row in items if row[0]],
        [row[2] for row in items if not row[0]],
        positive="ship",
    )
    assert joined(items).score_table("B") == direct
    assert joined(items).positive_total == direct.positive_total
    assert joined(items).total == len(items)


@pytest.mark.parametrize(
    ("truth", "scores", "code"),
    [
        ([0, 1], {"A": [0.1, np.nan]}, "score-nan"),
        ([0, 1], {"A": [0.1]}, "lengths-differ"),
        ([0, 1], {"A": [[0.1, 0.2]]}, "lengths-differ"),
        ([0, 1], {}, "lengths-differ"),
        ([0, 2], {"A": [0.1, 0.2]}, "label-type"),
        (["a", "b"], {"A": [0.1, 0.2]}, "label-type"),
        ([[0, 1]], {"A": [0.1, 0.2]}, "label-type"),
        ([0, np.nan], {"A": [0.1, 0.2]}, "label-type"),
        ([0, 1], {1: [0.1, 0.2]}, "name-type"),
        ([0, 1], {"A": ["x", "y"]}, "score-type"),
    ],
)
def test_arrays_without_sense_are_refused(truth, scores, code):
    with pytest.raises(CountsError) as refusal:
        JointScores.from_arrays(truth, scores)
    assert refusal.value.code == code


def test_a_system_named_twice_is_refused():
    with pytest.raises(CountsError) as refusal:
        JointScores(systems=("A", "A"), positive="a", truth=[True], scores=[[1.0], [2.0]])
    assert refusal.value.code == "system-twice"


def test_unknown_systems_and_other_systems_are_refused():
    table = joined([(True, 0.5, 1.0)])
    with pytest.raises(CountsError, match="Systems: A, B"):
        table.score_table("Z")
    with pytest.raises(CountsError) as refusal:
        table + JointScores.from_arrays([1], {"A": [0.5]}, positive="ship")
    assert refusal.value.code == "systems-differ"


def test_arrays_are_read_only_also_in_copies():
    table = joined([(True, 0.5, 1.0), (False, 0.1, 0.2)])
    for one in (table, copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert one == table
        with pytest.raises(ValueError, match="read-only"):
            one.scores[0, 0] = 7
        with pytest.raises(ValueError, match="read-only"):
            one.truth[0] = True


def test_exclusions_stay_with_the_fold():
    gone = (Exclusion(reason="no truth", rows=2),)
    table = JointScores.from_arrays([1, 0], {"A": [1, 2]}, excluded=gone)
    assert table.score_table("A").excluded == gone
    assert table != "a table"

"""Distinct scores."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Exclusion, ScoreTable
from steelyard.errors import CountsError

scores = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 0.1, 0.5, 1e300, np.inf])
rows = st.lists(st.tuples(scores, st.booleans()))


def counted(pairs, *, weighted=True):
    values = [score for score, _ in pairs]
    ones = [int(positive) for _, positive in pairs]
    others = [1 - one for one in ones]
    weights = {"positive_weights": ones, "negative_weights": others} if weighted else {}
    return ScoreTable.from_counts(
        np.array(values, dtype=float), ones, others, positive="ship", **weights
    )


tables = rows.map(counted)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows, st.integers(0, 30))
def test_merged_shards_equal_the_count_of_the_whole(pairs, cut):
    assert counted(pairs[:cut]) + counted(pairs[cut:]) == counted(pairs)


@given(rows)
def test_raw_scores_and_counts_make_the_same_table(pairs):
    ones = [score for score, positive in pairs if positive]
    others = [score for score, positive in pairs if not positive]
    table = ScoreTable.from_scores(ones, others, positive="ship")
    assert table == counted(pairs, weighted=False)
    assert (table.positive_total, table.negative_total) == (len(ones), len(others))
    assert table.total == len(pairs)


def test_minus_zero_is_zero_and_infinities_rank():
    table = ScoreTable.from_scores([0.0, np.inf, np.inf], [-0.0, -np.inf])
    assert table.scores.tolist() == [-np.inf, 0.0, np.inf]
    assert not np.signbit(table.scores[1])


def test_scores_without_rows_are_not_kept():
    assert ScoreTable.from_counts([0.1, 0.2], [1, 0], [0, 0], positive="a").scores.tolist() == [0.1]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"scores": [0.1, np.nan]}, "score-nan"),
        ({"scores": ["a", "b"]}, "score-type"),
        ({"scores": [2**53 + 1, 2**60]}, "score-type"),
        ({"scores": [0.1]}, "lengths-differ"),
        (
            {"scores": [[0.1], [0.2]], "positives": [[1], [1]], "negatives": [[1], [1]]},
            "lengths-differ",
        ),
        ({"positives": [1.5, 1]}, "count-not-whole"),
        ({"positives": [-1, 1]}, "count-not-whole"),
        ({"negatives": [np.nan, 1]}, "count-not-whole"),
        ({"negatives": ["1", "2"]}, "count-not-whole"),
        ({"negatives": [2**53, 1]}, "count-too-large"),
        ({"negatives": [2**63, 2**63]}, "count-too-large"),
        ({"positive": 1}, "name-type"),
        ({"positive_weights": [1, 1]}, "weights-mixed"),
        ({"positive_weights": [1, -1], "negative_weights": [1, 1]}, "count-not-whole"),
        (
            {"positives": [1, 0], "positive_weights": [1, 1], "negative_weights": [1, 1]},
            "weights-differ",
        ),
    ],
)
def test_columns_without_sense_are_refused(changed, code):
    given = {"scores": [0.1, 0.2], "positives": [1, 1], "negatives": [1, 1], "positive": "a"}
    given |= changed
    with pytest.raises(CountsError) as refusal:
        ScoreTable.from_counts(**given)
    assert refusal.value.code == code


@pytest.mark.parametrize("given", [[0.2, 0.1], [0.1, 0.1], [np.inf, np.inf], [0.0, -0.0]])
def test_the_constructor_wants_distinct_ascending_scores(given):
    with pytest.raises(CountsError) as refusal:
        ScoreTable(positive="a", scores=given, positives=[1, 1], negatives=[1, 1])
    assert refusal.value.code == "scores-unsorted"


def test_tables_of_other_classes_or_weighting_do_not_add():
    table = counted([(0.5, True)])
    with pytest.raises(CountsError) as refusal:
        table + dataclasses.replace(table, positive="car")
    assert refusal.value.code == "positive-differs"
    with pytest.raises(CountsError) as refusal:
        table + counted([(0.5, True)], weighted=False)
    assert refusal.value.code == "weights-mixed"


def test_arrays_are_read_only_also_in_copies():
    mine = np.array([0.1, 0.2])
    table = ScoreTable(positive="a", scores=mine, positives=[1, 0], negatives=[0, 1])
    mine[0] = 0.15
    assert table.scores[0] == 0.1
    for one in (table, copy.copy(table), copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        assert one == table
        assert hash(one) == hash(table)
        with pytest.raises(ValueError, match="read-only"):
            one.scores[0] = 7


def test_exclusions_add_up():
    table = ScoreTable.from_counts(
        [1], [1], [0], positive="a", excluded=[Exclusion(reason="NaN score", rows=1)]
    )
    assert (table + table).excluded == (Exclusion(reason="NaN score", rows=2),)
    assert table != dataclasses.replace(table, excluded=())
    assert table != "a table"

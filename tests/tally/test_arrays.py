"""Arrays become counts, checked against plain counting and against scikit-learn."""

import csv
from collections import Counter
from importlib.resources import files

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, confusion_matrix, log_loss, roc_auc_score

from steelyard.counts import SCALE, Confusion, JointScores, Outcomes, ScoreTable, WeightSums
from steelyard.errors import CountsError, RequestError, SourceError, UnusableRows
from steelyard.tally.arrays import (
    confusion_of,
    joint_calls_of,
    joint_scores_of,
    outcomes_of,
    score_table_of,
    trials_of,
    vector_scores_of,
)

label = st.sampled_from("abc")
pairs = st.lists(st.tuples(label, label), min_size=1)
triples = st.lists(st.tuples(label, label, label), min_size=1)


def columns(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def example(name):
    """Read one of the data sets that ship with the package."""
    text = files("steelyard.data").joinpath(name).read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return {key: [row[key] for row in rows] for key in rows[0]}


def area(table):
    """Area under the ROC curve by the definition: wins plus half the ties."""
    below = np.cumsum(table.negatives) - table.negatives
    doubled = int((table.positives * (2 * below + table.negatives)).sum())
    return doubled / (2 * table.positive_total * table.negative_total)


def weighted_area(table):
    ones, others = table.positive_weights.astype(float), table.negative_weights.astype(float)
    below = np.cumsum(others) - others
    return (ones * (below + others / 2)).sum() / (ones.sum() * others.sum())


@given(pairs)
def test_a_confusion_table_equals_plain_counting_and_scikit_learn(rows):
    truth, called = columns(rows)
    table = confusion_of(truth, called)
    assert table == Confusion.from_cells(Counter(rows))
    if len(table.classes) > 1:  # with one class scikit-learn warns
        assert table.matrix().tolist() == confusion_matrix(truth, called).tolist()


@given(pairs, st.permutations("abc"))
def test_declared_labels_set_the_order(rows, order):
    truth, called = columns(rows)
    table = confusion_of(truth, called, labels=order)
    assert table.classes == tuple(order)
    assert table.matrix().tolist() == confusion_matrix(truth, called, labels=order).tolist()


@given(pairs, st.data())
def test_weights_are_summed_by_cell(rows, data):
    sizes = st.lists(st.integers(0, 1000), min_size=len(rows), max_size=len(rows))
    weights = [number / 8 for number in data.draw(sizes)]
    truth, called = columns(rows)
    table = confusion_of(truth, called, sample_weight=weights)
    expected = {}
    for pair, weight in zip(rows, weights, strict=True):
        one = WeightSums(int(weight * SCALE), int(weight * weight * SCALE))
        expected[pair] = expected.get(pair, WeightSums(0, 0)).merged(one)
    assert {(t, c): sums for t, c, sums in table.weights} == expected
    patterns = outcomes_of(truth, {"A": called}, sample_weight=weights)
    right = sum(w for (t, c), w in zip(rows, weights, strict=True) if t == c)
    assert dict(patterns.weights).get(1, WeightSums(0, 0)).total == right


@given(pairs)
def test_weight_two_is_the_row_twice(rows):
    truth, called = columns(rows)
    twice = confusion_of(truth + truth, called + called)
    doubled = confusion_of(truth, called, sample_weight=[2] * len(rows))
    assert [sums.total for *_, sums in doubled.weights] == [n for *_, n in twice.cells]


@given(triples)
def test_joint_calls_fold_to_what_is_counted_directly(rows):
    truth, one, two = columns(rows)
    calls = {"A": one, "B": two}
    joint = joint_calls_of(truth, calls, labels="abc")
    assert joint.confusion("B") == confusion_of(truth, two, labels="abc")
    assert joint.outcomes() == outcomes_of(truth, calls)
    assert joint.outcomes().trials() == trials_of(truth, calls)
    patterns = Counter((t == a) + 2 * (t == b) for t, a, b in rows)
    assert outcomes_of(truth, calls) == Outcomes.from_patterns(patterns, systems=["A", "B"])


@given(triples, st.integers(0, 20))
def test_shards_of_the_rows_add_up_to_the_whole(rows, cut):
    if not 0 < cut < len(rows):
        return

    def tally(part):
        truth, one, two = columns(part)
        return joint_calls_of(truth, {"A": one, "B": two})

    assert tally(rows[:cut]) + tally(rows[cut:]) == tally(rows)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([-1.5, -0.0, 0.0, 0.3, 1.0])), min_size=2))
def test_a_score_table_ranks_as_scikit_learn_does(rows):
    truth, scores = columns(rows)
    if not any(truth) or all(truth):
        return
    table = score_table_of(truth, scores, pos_label=True)
    ones = [s for t, s in rows if t]
    others = [s for t, s in rows if not t]
    assert table == ScoreTable.from_scores(ones, others, positive="true")
    assert area(table) == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    joint = joint_scores_of(truth, {"A": scores, "B": scores[::-1]}, pos_label=True)
    assert joint.score_table("A") == table
    direct = JointScores.from_arrays(truth, {"A": scores, "B": scores[::-1]}, positive="true")
    assert joint == direct


@pytest.mark.parametrize("system", ["logreg", "rf", "svm", "knn7", "nb", "tree"])
def test_areas_of_real_scores_equal_those_of_scikit_learn(system):
    data = example("wdbc_scores.csv")
    scores = np.array(data[system], dtype=float)
    truth = np.array(data["truth"], dtype=int)
    table = score_table_of(data["truth"], scores, pos_label=1)
    assert area(table) == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    weights = 1 + np.arange(truth.size) % 5 / 4
    table = score_table_of(truth, scores, pos_label="1", sample_weight=weights)
    expected = roc_auc_score(truth, scores, sample_weight=weights)
    assert weighted_area(table) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("system", ["lda", "knn3", "rf", "svm", "rpart", "nb"])
def test_tables_of_real_labels_equal_those_of_scikit_learn(system):
    data = example("letter_labels.csv")
    table = confusion_of(data["truth"], data[system])
    assert table.matrix().tolist() == confusion_matrix(data["truth"], data[system]).tolist()
    assert table.total == len(data["truth"])


def test_vector_scores_of_real_probabilities_equal_those_of_scikit_learn():
    data = example("digits_scores_rf.csv")
    vectors = np.array([data[f"p{k}"] for k in range(10)], dtype=float).T
    vectors /= vectors.sum(axis=1, keepdims=True)
    clipped = np.maximum(vectors, 1e-3)
    clipped /= clipped.sum(axis=1, keepdims=True)
    truth = np.array(data["truth"], dtype=int)
    table = vector_scores_of(truth, {"raw": vectors, "clipped": clipped}, labels=range(10))

    def mean(rule, system):
        total = sum(table.scaled_sum(rule, system, of) for of in table.classes)
        return total / SCALE / table.total

    # Rounding each item to a multiple of 2^-30 moves a mean by less than 2^-31.
    near = {"abs": 2**-31}
    names = list(range(10))
    assert mean("log", "clipped") == pytest.approx(log_loss(truth, clipped, labels=names), **near)
    brier = brier_score_loss(truth, vectors, labels=names, scale_by_half=False)
    assert mean("brier", "raw") == pytest.approx(brier, **near)
    assert table.total == truth.size


def test_vectors_split_into_shards_add_up_to_the_same_bits():
    rng = np.random.default_rng(3)
    truth, one, two = rng.integers(0, 3, 500), rng.random((500, 3)), rng.random((500, 3))

    def tally(part):
        return vector_scores_of(truth[part], {"A": one[part], "B": two[part]}, labels=[0, 1, 2])

    assert tally(slice(300, None)) + tally(slice(300)) == tally(slice(None))


def test_a_vector_without_a_chance_for_the_truth_is_counted_as_infinite():
    table = vector_scores_of(["a", "a"], {"A": [[0, 1], [1, 1]]}, labels=["a", "b"])
    assert table.infinite == (("A", "a", 1),)
    assert table.mean("log", "A", "a") is None
    assert table.mean("winner", "A", "a") == 0.25


def test_labels_of_different_types_meet_in_their_canonical_form():
    table = confusion_of([0, 1, 1], ["0", "1", "0"])
    assert table == confusion_of([0.0, 1.0, 1.0], np.array([0, 1, 0], dtype=np.int8))
    assert confusion_of([True, False], ["true", "false"]).right == 2
    assert confusion_of(["cafe\u0301"], ["caf\u00e9"]).right == 1


def test_series_of_other_indexes_are_refused_and_not_read_by_position():
    truth = pd.Series(["a", "b"], index=[0, 1])
    called = pd.Series(["a", "b"], index=[1, 0])
    with pytest.raises(SourceError, match="have different indexes"):
        confusion_of(truth, called)
    assert confusion_of(pl.Series(["a", "b"]), called).right == 2


def test_one_class_may_be_counted():
    assert confusion_of(["a", "a"], ["a", "a"]).matrix().tolist() == [[2]]
    assert score_table_of([1, 1], [0.1, 0.2], pos_label=1).negative_total == 0


def test_a_class_that_is_only_called_is_listed():
    assert confusion_of(["a", "b"], ["a", "c"]).classes == ("a", "b", "c")


def code_of(ask):
    with pytest.raises((RequestError, UnusableRows, CountsError)) as refusal:
        ask()
    return refusal.value.code


@pytest.mark.parametrize(
    ("truth", "called", "options", "code"),
    [
        ([1, 2], [1], {}, "lengths-differ"),
        ([], [], {}, "no-rows"),
        ([1, None], [1, 2], {}, "label-missing"),
        ([True, False], [1, 0], {}, "label-kinds"),
        (["yes", "no"], [1, 0], {}, "label-kinds"),
        ([1, 2], [1, 3], {"labels": [1, 2]}, "label-undeclared"),
        ([1, 3], [1, 2], {"labels": [1, 2]}, "label-undeclared"),
        ([1, 2], [1, 2], {"labels": [1, 2, "2"]}, "class-twice"),
        ([1, 2], [1, 2], {"labels": [1.5, 2]}, "label-type"),
        ([1, 2], [1, 2], {"labels": []}, "bad-request"),
        ([1, 2], [1, 2], {"sample_weight": [1, -1]}, "weight-negative"),
        ([1, 2], [1, 2], {"sample_weight": [1]}, "lengths-differ"),
        ([1, 2], [1, 2], {"sample_weight": [1, np.inf]}, "weight-missing"),
    ],
)
def test_labels_that_cannot_be_counted_are_refused(truth, called, options, code):
    assert code_of(lambda: confusion_of(truth, called, **options)) == code
    assert code_of(lambda: outcomes_of(truth, {"A": called}, **options)) == code


def test_faults_of_all_columns_are_listed_at_once():
    with pytest.raises(UnusableRows) as refusal:
        outcomes_of([1, None], {"A": [1, 2], "B": [None, 0.5]})
    assert [fault.where for fault in refusal.value.faults] == ["y_true", "calls['B']"]


def test_an_undeclared_label_is_named_with_its_rows():
    with pytest.raises(UnusableRows) as refusal:
        confusion_of(["a", "b"], ["a", "z"], labels=["a", "b"])
    (fault,) = refusal.value.faults
    assert (fault.where, fault.count, fault.examples) == ("y_pred", 1, ("row 1",))
    assert "z" in fault.found


@pytest.mark.parametrize(
    ("scores", "options", "code"),
    [
        ([0.1, np.nan], {"pos_label": 1}, "score-nan"),
        ([0.1, None], {"pos_label": 1}, "score-nan"),
        ([0.1], {"pos_label": 1}, "lengths-differ"),
        (["a", "b"], {"pos_label": 1}, "number-type"),
        ([2**53 + 1, 0], {"pos_label": 1}, "score-type"),
        ([0.1, 0.2], {}, "positive-missing"),
        ([0.1, 0.2], {"pos_label": 2}, "positive-unknown"),
        ([0.1, 0.2], {"pos_label": True}, "positive-unknown"),
        ([0.1, 0.2], {"pos_label": 0.5}, "label-type"),
    ],
)
def test_scores_that_cannot_be_counted_are_refused(scores, options, code):
    assert code_of(lambda: score_table_of([0, 1], scores, **options)) == code
    assert code_of(lambda: joint_scores_of([0, 1], {"A": scores}, **options)) == code


def test_weights_of_scores_are_checked():
    table = {"y_true": [0, 1], "y_score": [0.1, 0.2], "pos_label": 1}
    assert code_of(lambda: score_table_of(**table, sample_weight=[1, -1])) == "weight-negative"
    assert (
        code_of(lambda: score_table_of(**table, sample_weight=[2.0**32] * 2)) == "weight-too-large"
    )
    weighted = score_table_of(**table, sample_weight=[0.5, 2])
    assert weighted.negative_weights.tolist() == [SCALE // 2, 0]
    assert weighted.positive_weights.tolist() == [0, 2 * SCALE]


def test_a_missing_positive_class_lists_the_classes_and_never_guesses():
    with pytest.raises(RequestError, match="Classes: car, ship"):
        score_table_of(["ship", "car"], [0.1, 0.2])


@pytest.mark.parametrize(
    ("vectors", "options", "code"),
    [
        ([[1, 2], [3, 4]], {}, "labels-missing"),
        ([[1, 2], [3, 4]], {"labels": ["a"]}, "label-undeclared"),
        ([[1, 2], [3, 4]], {"labels": ["a", "b", "c"]}, "lengths-differ"),
        ([[1, 2]], {"labels": ["a", "b"]}, "lengths-differ"),
        ([1, 2], {"labels": ["a", "b"]}, "lengths-differ"),
        ([[1, -2], [3, 4]], {"labels": ["a", "b"]}, "vector-negative"),
        ([[1, np.nan], [3, 4]], {"labels": ["a", "b"]}, "vector-nan"),
        ([[1, np.inf], [3, 4]], {"labels": ["a", "b"]}, "vector-infinite"),
        ([[1e308, 1e308], [3, 4]], {"labels": ["a", "b"]}, "vector-infinite"),
        ([[0, 0], [3, 4]], {"labels": ["a", "b"]}, "vector-zero"),
    ],
)
def test_vectors_that_cannot_be_scored_are_refused(vectors, options, code):
    assert code_of(lambda: vector_scores_of(["a", "b"], {"A": vectors}, **options)) == code


@pytest.mark.parametrize("calls", [{}, [[1, 2]], {1: [1, 2]}])
def test_calls_must_name_their_systems(calls):
    assert code_of(lambda: outcomes_of([1, 2], calls)) in {"bad-request", "name-type"}


def test_many_systems_and_many_classes_are_counted():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 100_000, 200_000)
    called = np.where(rng.random(200_000) < 0.5, truth, rng.integers(0, 100_000, 200_000))
    table = confusion_of(truth, called)
    assert table.right == int((truth == called).sum())
    calls = {f"s{j}": rng.integers(0, 2, 300) for j in range(100)}
    outcomes = outcomes_of(np.ones(300, dtype=int), calls)
    assert outcomes.correct() == tuple(int(column.sum()) for column in calls.values())

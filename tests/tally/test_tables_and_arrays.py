"""The same rows give the same counts, whether SQL or numpy counts them."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from steelyard.counts import Grouped
from steelyard.errors import NotComparable, RequestError
from steelyard.sources import Roles, open_predictions
from steelyard.tally import (
    confusion_of,
    joint_calls_of,
    joint_scores_of,
    outcomes_of,
    score_table_of,
    tally_confusion,
    tally_confusion_by,
    tally_joint_calls,
    tally_joint_calls_by,
    tally_joint_scores,
    tally_outcomes,
    tally_outcomes_by,
    tally_score_table,
    tally_score_table_by,
    tally_trials,
    tally_trials_by,
    tally_vector_scores,
    tally_vector_scores_by,
    vector_scores_of,
)

CLASSES = ["cat", "dog", "ship", "café", "x y", "it's", '"q"']
labels = st.sampled_from(CLASSES)
scores = st.one_of(
    st.sampled_from([0.0, -0.0, 0.5, 1.0, float("inf"), float("-inf")]),
    st.floats(allow_nan=False, width=32),
    st.floats(allow_nan=False),
)
sizes = st.integers(min_value=1, max_value=40)
few = settings(max_examples=15)


@st.composite
def label_tables(draw, systems=3):
    size = draw(sizes)
    column = st.lists(labels, min_size=size, max_size=size)
    return {"truth": draw(column)} | {f"m{j}": draw(column) for j in range(systems)}


@st.composite
def score_tables(draw, systems=2):
    size = draw(sizes)
    truth = draw(st.lists(st.sampled_from(["no", "yes"]), min_size=size, max_size=size))
    column = st.lists(scores, min_size=size, max_size=size)
    return {"truth": ["yes", *truth]} | {
        f"m{j}": [draw(scores), *draw(column)] for j in range(systems)
    }


@st.composite
def vector_tables(draw):
    size = draw(sizes)
    number = st.floats(min_value=0, max_value=1e6, allow_subnormal=False)
    vector = st.tuples(number, number, number).filter(lambda v: sum(v) > 0)
    vectors = st.lists(vector, min_size=size, max_size=size)
    truth = draw(st.lists(st.sampled_from("abc"), min_size=size, max_size=size))
    return truth, {name: draw(vectors) for name in ("A", "B")}


def opened(columns, **roles):
    classes = {"classes": CLASSES} if roles.pop("declare", False) else {}
    return open_predictions(columns, Roles.of(**classes, **roles))


@few
@given(label_tables())
def test_labels_are_counted_alike(table):
    predictions = opened(table, declare=True)
    calls = {name: table[name] for name in ("m0", "m1", "m2")}
    assert tally_outcomes(predictions) == outcomes_of(table["truth"], calls)
    assert tally_joint_calls(predictions) == joint_calls_of(table["truth"], calls, labels=CLASSES)
    for system in predictions.systems:
        counted = confusion_of(table["truth"], table[system.name], labels=CLASSES)
        assert tally_confusion(predictions, system) == counted


@few
@given(label_tables(systems=1), st.data())
def test_weights_are_summed_alike(table, data):
    size = len(table["truth"])
    weight = st.floats(min_value=0, max_value=1e6, allow_subnormal=False)
    weights = data.draw(st.lists(weight, min_size=size, max_size=size))
    assume(not any(weights) or max(weights) >= 1 / 256)  # smaller ones are refused, elsewhere
    predictions = opened({**table, "weight": weights}, declare=True)
    counted = confusion_of(table["truth"], table["m0"], labels=CLASSES, sample_weight=weights)
    assert tally_confusion(predictions, predictions.systems[0]) == counted
    assert tally_outcomes(predictions) == outcomes_of(
        table["truth"], {"m0": table["m0"]}, sample_weight=weights
    )


@few
@given(score_tables(systems=1), st.data())
def test_weighted_scores_are_counted_alike(table, data):
    size = len(table["truth"])
    weight = st.floats(min_value=0, max_value=1e6, allow_subnormal=False)
    weights = data.draw(st.lists(weight, min_size=size, max_size=size))
    predictions = opened({**table, "weight": weights}, positive="yes", score="m0")
    counted = score_table_of(table["truth"], table["m0"], pos_label="yes", sample_weight=weights)
    assert tally_score_table(predictions, predictions.systems[0]) == counted


@few
@given(score_tables())
def test_scores_are_counted_alike(table):
    predictions = opened(table, positive="yes", score=["m0", "m1"])
    for system in predictions.systems:
        counted = score_table_of(table["truth"], table[system.name], pos_label="yes")
        assert tally_score_table(predictions, system) == counted
    both = {name: table[name] for name in ("m0", "m1")}
    assert tally_joint_scores(predictions) == joint_scores_of(table["truth"], both, pos_label="yes")


@few
@given(vector_tables())
def test_vectors_are_summed_alike_to_the_last_bit(case):
    truth, vectors = case
    columns = {"truth": truth} | {name: [list(v) for v in rows] for name, rows in vectors.items()}
    predictions = opened(columns, classes=["a", "b", "c"], score=["A", "B"])
    expected = vector_scores_of(truth, vectors, labels=["a", "b", "c"])
    assert tally_vector_scores(predictions) == expected


def test_fifty_and_a_hundred_systems_have_patterns():
    rng = np.random.default_rng(5)
    for size in (50, 100):
        truth = rng.integers(0, 2, 30).tolist()
        calls = {f"m{j}": rng.integers(0, 2, 30).tolist() for j in range(size)}
        predictions = opened({"truth": truth, **calls}, classes=["0", "1"])
        assert tally_outcomes(predictions) == outcomes_of(truth, calls)


@few
@given(label_tables(systems=2), st.data())
def test_parts_add_up_to_the_whole(table, data):
    size = len(table["truth"])
    groups = data.draw(st.lists(st.sampled_from("pqr"), min_size=size, max_size=size))
    predictions = opened({**table, "group": groups}, declare=True)
    system = predictions.systems[0]
    assert tally_confusion_by(predictions, system, "group").merged() == tally_confusion(
        predictions, system
    )
    assert tally_outcomes_by(predictions, "group").merged() == tally_outcomes(predictions)
    assert tally_joint_calls_by(predictions, "group").merged() == tally_joint_calls(predictions)
    assert tally_trials_by(predictions, "group").merged() == tally_trials(predictions)


def test_score_and_vector_parts_add_up_to_the_whole():
    columns = {"truth": list("abab"), "m0": [0.1, 0.5, 0.5, 0.9], "fold": [1, 1, 2, 10]}
    predictions = opened(columns, positive="b")
    grouped = tally_score_table_by(predictions, predictions.systems[0], "fold")
    assert isinstance(grouped, Grouped)
    assert grouped.names == ("1", "2", "10")
    assert grouped.merged() == tally_score_table(predictions, predictions.systems[0])
    columns = {"truth": list("aab"), "A": [[1, 2], [3, 1], [0, 1]], "cluster": list("xyx")}
    predictions = opened(columns, classes=["a", "b"], score="A")
    grouped = tally_vector_scores_by(predictions, "cluster")
    assert grouped.merged() == tally_vector_scores(predictions)


def test_trials_forget_who_was_right_together():
    columns = {"truth": list("abab"), "m0": list("abbb"), "m1": list("aaaa")}
    assert tally_trials(opened(columns)) == tally_outcomes(opened(columns)).trials()


def test_a_threshold_turns_scores_into_calls():
    columns = {"truth": list("abab"), "m0": [0.1, 0.5, 0.5, 0.9]}
    predictions = opened(columns, positive="b", threshold=0.5)
    table = tally_confusion(predictions, predictions.systems[0])
    assert table.against_rest("b").tp == 2
    assert table.against_rest("b").fp == 1
    assert tally_outcomes(predictions).correct() == (3,)


def test_scores_without_a_threshold_have_no_calls():
    columns = {"truth": list("abab"), "m0": [0.1, 0.5, 0.5, 0.9]}
    predictions = opened(columns, positive="b")
    with pytest.raises(NotComparable, match="threshold"):
        tally_confusion(predictions, predictions.systems[0])
    with pytest.raises(NotComparable, match="threshold"):
        tally_outcomes(predictions, predictions.systems)


def test_a_split_without_its_role_is_refused():
    predictions = opened({"truth": list("ab"), "m0": list("ab")})
    with pytest.raises(RequestError, match="cluster"):
        tally_outcomes_by(predictions, "cluster")


def test_outcomes_have_no_confusion_table():
    predictions = opened({"m0": [1, 0, 1]}, outcome="m0")
    with pytest.raises(NotComparable, match="right and wrong"):
        tally_confusion(predictions, predictions.systems[0])

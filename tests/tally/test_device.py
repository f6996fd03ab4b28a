"""Arrays on a device are counted there, equal to the last count to what this machine counts.

A library of arrays that says it lives on a device stands in for a GPU: its steps are numpy's, the
kernels are those that torch and CuPy run. `benchmarks/gpu.py` checks the same on a real one.
"""

import json
import sys
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import steelyard as sy
from steelyard.counts import JointScores
from steelyard.counts.scores.counting import score_counts
from steelyard.errors import RequestError, SteelyardError, UnusableRows
from steelyard.journey import on_device
from steelyard.tally.arrays import (
    area_of,
    confusion_of,
    joint_calls_of,
    joint_scores_of,
    outcomes_of,
    score_table_of,
)
from steelyard.tally.device import scores as kernels
from steelyard.tally.device.libraries import NumpyLike, is_on_device
from steelyard.tally.streamed_scores import OrderedSums
from steelyard.uncertainty.areas.delong import delong_covariance, delong_variance

KINDS = (np.float64, np.float32, np.float16, np.int64, np.int8, np.uint8)


class Far(np.ndarray):
    """An array that says it lives on a GPU."""

    def __dlpack_device__(self):
        return (2, 0)


Far.__module__ = "cupy"


def far(values):
    return np.asarray(values).view(Far)


@pytest.fixture(autouse=True)
def library(monkeypatch):
    """A library called cupy, whose steps are numpy's."""
    module = ModuleType("cupy")
    module.__dict__.update({name: getattr(np, name) for name in dir(np) if name[0] != "_"})
    module.asarray = far
    monkeypatch.setitem(sys.modules, "cupy", module)
    monkeypatch.setattr(NumpyLike, "host", lambda _, values: values.view(np.ndarray))
    return NumpyLike(module)


def draw(seed, *, kind=np.float64, size=500):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=size).round(1) * (1 if np.dtype(kind).kind == "f" else 10)
    return rng.integers(0, 2, size), np.abs(scores).astype(
        kind
    ) if kind is np.uint8 else scores.astype(kind)


@pytest.mark.parametrize("kind", KINDS)
def test_scores_are_counted_as_on_this_machine(kind):
    truth, scores = draw(1, kind=kind)
    there = score_table_of(far(truth), far(scores), pos_label=1)
    assert there == score_table_of(truth, scores, pos_label=1)
    assert area_of(far(truth), far(scores), pos_label=1) == area_of(truth, scores, pos_label=1)


@given(st.lists(st.tuples(st.booleans(), st.floats(allow_nan=False, width=32)), min_size=1))
def test_any_floats_keep_their_order_and_their_ties(drawn):
    truth, scores = (np.array(column) for column in zip(*drawn, strict=True))
    if not truth.any():
        return
    here = score_table_of(truth, scores, pos_label=True)
    for kind in (np.float32, np.float64):
        assert score_table_of(far(truth), far(scores.astype(kind)), pos_label=True) == here


def test_a_thinned_table_is_cut_as_that_of_a_file_and_keeps_the_exact_sums(library):
    truth, scores = draw(2, size=5000)
    scores = scores + np.arange(5000) % 7 / 100
    positive = far(truth == 1)
    thin = kernels.count_scores(library, positive, far(scores), name="1", most=100, cells=50)
    sums = OrderedSums(rows=5000, most=100, cells=50)
    sums.add(score_counts(truth == 1, scores))
    kept = sums.choose_scores()
    assert thin.pair_sums == sums.pair_sums()
    assert thin.scores.tolist() == kept.scores.tolist()
    assert thin.positives.tolist() == kept.positives.tolist()
    assert thin.negatives.tolist() == kept.negatives.tolist()
    whole = score_table_of(truth, scores, pos_label=1)
    assert delong_variance(thin) == pytest.approx(delong_variance(whole), rel=1e-12)


def test_sums_that_pass_64_bits_are_exact(library):
    rng = np.random.default_rng(3)
    a, b = (rng.integers(0, 2**44, 3000) for _ in range(2))
    found = kernels._products(library, [far(a), far(b)])
    whole = [
        [sum(x * y for x, y in zip(r.tolist(), s.tolist(), strict=True)) for s in (a, b)]
        for r in (a, b)
    ]
    assert [list(row) for row in found] == whole
    assert whole[0][0] > 2**90


@pytest.mark.parametrize("together", [0, 1 << 21])
def test_classes_sorted_apart_and_together_give_one_table(library, monkeypatch, together):
    monkeypatch.setattr(kernels, "TOGETHER", together)
    truth, scores = draw(13, kind=np.float32)
    for most in (10, 1000):
        table = kernels.count_scores(
            library, far(truth == 1), far(scores), name="1", most=most, cells=8
        )
        sums = OrderedSums(rows=500, most=most, cells=8)
        sums.add(score_counts(truth == 1, scores))
        kept = sums.choose_scores()
        assert table.scores.tolist() == kept.scores.tolist()
        assert table.positives.tolist() == kept.positives.tolist()
        assert table.negatives.tolist() == kept.negatives.tolist()
        assert table.pair_sums in (None, sums.pair_sums())


def test_areas_of_several_systems_vary_together_as_on_this_machine(library):
    truth, first = draw(4)
    second = first + draw(5)[1] / 2
    both = {"A": first, "B": second}
    there = kernels.count_placements(
        library, far(truth == 1), {name: far(x) for name, x in both.items()}, name="1"
    )
    here = joint_scores_of(truth, both, pos_label=1)
    assert isinstance(here, JointScores)
    for one, two in zip(delong_covariance(there), delong_covariance(here), strict=True):
        assert np.allclose(one, two, rtol=1e-13, atol=0)


def test_labels_are_counted_as_on_this_machine():
    rng = np.random.default_rng(6)
    truth, a, b = (rng.integers(0, 7, 400) for _ in range(3))
    calls = {"A": a, "B": b}
    there = {name: far(x) for name, x in calls.items()}
    assert confusion_of(far(truth), far(a)) == confusion_of(truth, a)
    assert joint_calls_of(far(truth), there) == joint_calls_of(truth, calls)
    assert outcomes_of(far(truth), there) == outcomes_of(truth, calls)
    declared = [3, 2, 1, 0, 4, 5, 6, 9]
    assert confusion_of(far(truth), far(a), labels=declared) == confusion_of(
        truth, a, labels=declared
    )
    assert confusion_of(far(truth > 3), far(a > 3)) == confusion_of(truth > 3, a > 3)


def test_many_columns_of_many_classes_fit_in_no_number_and_are_counted():
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 1000, 300)
    calls = {f"S{n}": rng.integers(0, 1000, 300) for n in range(9)}
    there = {name: far(x) for name, x in calls.items()}
    assert joint_calls_of(far(truth), there) == joint_calls_of(truth, calls)


def test_truth_on_this_machine_goes_to_the_scores():
    truth, scores = draw(8)
    named = ["ship" if one else "car" for one in truth]
    there = score_table_of(named, far(scores), pos_label="ship")
    assert there == score_table_of(named, scores, pos_label="ship")


@pytest.mark.parametrize(
    ("scores", "code"),
    [
        (np.array([0.5, np.nan, 0.1]), "score-nan"),
        (np.array([0.5, np.nan, 0.1], dtype=np.float32), "score-nan"),
        (-np.array([0.5, np.nan, 0.1], dtype=np.float32), "score-nan"),
        (np.array([1, 2**60, 3]), "number-too-large"),
        (np.array([0.5, 0.1]), "lengths-differ"),
        (np.array([[0.5], [0.1], [0.2]]), "lengths-differ"),
    ],
)
def test_bad_scores_are_refused_there_too(scores, code):
    with pytest.raises(UnusableRows) as refusal:
        score_table_of(far([0, 1, 1]), far(scores), pos_label=1)
    assert code in str(refusal.value.faults)


def test_a_positive_class_that_is_not_there_is_refused():
    with pytest.raises(RequestError, match="does not occur"):
        score_table_of(far([0, 1]), far([0.1, 0.2]), pos_label=2)


def test_weighted_rows_are_summed_on_this_machine():
    truth, scores = draw(9)
    weights = np.linspace(0.5, 2, truth.size)
    there = score_table_of(far(truth), far(scores), pos_label=1, sample_weight=far(weights))
    assert there == score_table_of(truth, scores, pos_label=1, sample_weight=weights)


def test_an_array_on_a_device_without_a_library_is_refused_with_what_to_install(monkeypatch):
    class Alien:
        def __dlpack_device__(self):
            return (2, 0)

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert is_on_device(Alien())
    with pytest.raises(RequestError, match="Install one of them"):
        area_of([0, 1], Alien(), pos_label=1)


RNG = np.random.default_rng(10)
ROWS = 300
TRUE = RNG.integers(0, 2, ROWS)
CLASS = RNG.integers(0, 5, ROWS)
SCORE = RNG.normal(size=ROWS) + TRUE
CALL = np.where(SCORE > 0, CLASS, 0)
PROBABILITY = 1 / (1 + np.exp(-SCORE))

COLUMNS = {
    "scores": ({"truth": TRUE, "A": SCORE, "B": SCORE.round(1)}, {"positive": 1}, True),
    "one of three classes": ({"truth": CLASS, "A": SCORE}, {"positive": 2}, True),
    "flags": ({"truth": TRUE == 1, "A": SCORE}, {"positive": True}, True),
    "a class in text": ({"truth": TRUE, "A": SCORE}, {"positive": "1"}, True),
    "calls": ({"truth": CLASS, "A": CALL, "B": CLASS}, {}, True),
    "calls and a class": ({"truth": CLASS, "A": CALL, "B": CLASS}, {"positive": 3}, True),
    "calls that are flags": ({"truth": TRUE == 1, "A": SCORE > 0}, {}, True),
    "a truth by its name": ({"T": CLASS, "A": CALL, "B": CLASS}, {"truth": "T"}, True),
    "some systems": ({"truth": CLASS, "A": CALL, "B": CLASS}, {"systems": ["A"]}, True),
    # What else a column may be is found by the one way there is, from rows on this machine.
    "an id": ({"truth": CLASS, "A": CALL, "id": np.arange(ROWS)}, {}, False),
    "an id beside scores": (
        {"truth": TRUE, "A": SCORE, "id": np.arange(ROWS)}, {"positive": 1}, False,
    ),
    "a weight": ({"truth": CLASS, "A": CALL, "weight": TRUE + 1}, {}, False),
    "a fold": ({"truth": CLASS, "A": CALL, "fold": np.arange(ROWS) % 5}, {}, False),
    "features": ({"truth": CLASS, "A": CALL, "x": SCORE}, {}, False),
    "a vector": (
        {"truth": TRUE, "p_0": 1 - PROBABILITY, "p_1": PROBABILITY}, {"positive": 1}, False,
    ),
    "flags and numbers": ({"truth": TRUE == 1, "A": (SCORE > 0) + 0}, {}, False),
    "whole numbers": ({"truth": TRUE, "A": (SCORE * 20).astype(int)}, {"positive": 1}, False),
    "numbers with a point": ({"truth": CLASS * 1.0, "A": CALL * 1.0}, {}, False),
    "a class that is rare": (
        {"truth": np.where(np.arange(ROWS) == 111, 9, TRUE), "A": SCORE}, {"positive": 1}, False,
    ),
    "a rare call": ({"truth": np.where(np.arange(ROWS) == 111, 9, CLASS), "A": CALL}, {}, False),
    "values": ({"latency": SCORE**2, "cost": SCORE**2 + 1}, {}, False),
    "no score": ({"truth": TRUE, "A": np.where(SCORE > 2, np.nan, SCORE)}, {"positive": 1}, False),
    "other lengths": ({"truth": TRUE[1:], "A": SCORE}, {"positive": 1}, False),
    "no such class": ({"truth": TRUE, "A": SCORE}, {"positive": 7}, False),
    "no class named": ({"truth": TRUE, "A": SCORE}, {}, False),
}  # fmt: skip
"""Columns, what is asked of them, and whether counts of them can answer it."""


def told(verb, data, asked):
    """What a verb says, as plain data; a line of its own says where rows were counted."""
    try:
        whole = json.loads(getattr(sy, verb)(data, **asked).to_json())
    except SteelyardError as refusal:
        return str(refusal), False
    known = whole["provenance"]["understood"]
    whole["provenance"]["understood"] = [one for one in known if one[0] != "counted"]
    return whole, len(whole["provenance"]["understood"]) < len(known)


def near(one, two):
    """Tell plain data that differ in the last digits only: counts are added in another order."""
    if isinstance(one, float):
        return one == pytest.approx(two, rel=1e-9, abs=1e-12)
    if isinstance(one, dict):
        return one.keys() == two.keys() and all(near(one[name], two[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(two) and all(map(near, one, two))
    return one == two


@pytest.mark.parametrize("verb", ["evaluate", "compare", "roc", "threshold", "targeting"])
@pytest.mark.parametrize("name", COLUMNS)
def test_an_answer_does_not_depend_on_where_the_rows_live(verb, name, monkeypatch):
    monkeypatch.setattr(on_device, "FEW_ROWS", 0)
    monkeypatch.setattr(on_device, "SAMPLE", 100)
    columns, asked, countable = COLUMNS[name]
    here, _ = told(verb, columns, asked)
    there, counted = told(verb, {name: far(x) for name, x in columns.items()}, asked)
    assert near(here, there)
    if isinstance(here, dict):
        assert counted == countable


def test_few_rows_are_counted_here():
    columns, asked, _ = COLUMNS["scores"]
    _, counted = told("compare", {name: far(x) for name, x in columns.items()}, asked)
    assert not counted


def test_roles_that_need_rows_bring_the_columns_home(monkeypatch):
    monkeypatch.setattr(on_device, "FEW_ROWS", 0)
    truth, scores = draw(12)
    here = {"truth": truth, "A": scores, "site": truth * 0 + np.arange(truth.size) % 5}
    there = {name: far(x) for name, x in here.items()}
    asked = {"positive": 1, "cluster": "site"}
    assert sy.evaluate(there, **asked).sentence() == sy.evaluate(here, **asked).sentence()

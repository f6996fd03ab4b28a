"""Arguments that nobody should pass: every verb answers, or refuses in words."""

import inspect
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import RequestError, SteelyardError
from steelyard.journey.arguments import KINDS, NAMES, check_value
from steelyard.journey.options import OPTIONS

TRUTH = ["p", "n"] * 6
CALLS = {"item": [*"abcdefghijkl"], "truth": TRUTH, "a": TRUTH[3:] + ["n"] * 3, "b": ["p"] * 12}
SCORES = {"truth": TRUTH, "a": [0.1, 0.7, 0.35, 0.2] * 3}
SCORED = {"score": ["a"], "positive": "p"}
VERBS = {
    "evaluate": (CALLS, {}),
    "compare": (CALLS, {}),
    "gate": (CALLS, {"candidate": "a", "baseline": "b", "require": "better"}),
    "threshold": (SCORES, SCORED),
    "roc": (SCORES, SCORED),
    "calibration": (SCORES, SCORED),
    "targeting": (SCORES, SCORED),
    "agreement": (CALLS, {"raters": ["a", "b"]}),
    "plan": ([0.9, 0.6], {"samples": 50}),
}
ROLES = (
    "threshold", "memory", "classes", "weight", "cluster", "systems", "called", "score", "truth",
    "item", "system", "pairing", "missing", "delimiter", "decimal", "encoding", "observe",
)  # fmt: skip
HOSTILE = [
    10**18, 10**400, -(10**30), 2**53 + 1, -1, 0, True, float("nan"), float("inf"), 1e308, 5e-324,
    -0.0, 1e-17, None, "", "x", "nan", "1e400", [], {}, (), [1, 2], {"a": 1}, [float("nan")],
    object(), b"x", 1j, Decimal("NaN"), Decimal("1e400"), Fraction(1, 3), np.float64("nan"),
    np.array([1, 2]), np.int64(-5), np.bool_(True), range(3), [[1]],
]  # fmt: skip
VALUES = st.sampled_from(HOSTILE) | st.floats() | st.integers() | st.text(max_size=3)


def arguments_of(verb: str) -> list[str]:
    parameters = inspect.signature(getattr(sy, verb)).parameters.values()
    return [*ROLES, *(one.name for one in parameters if one.kind is one.KEYWORD_ONLY)]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_an_argument_is_the_verb_answers_or_refuses_in_words(data):
    verb = data.draw(st.sampled_from(sorted(VERBS)))
    name = data.draw(st.sampled_from(arguments_of(verb)))
    rows, usual = VERBS[verb]
    value = data.draw(VALUES)
    try:
        getattr(sy, verb)(rows, **{**usual, name: value})
    except SteelyardError as refused:
        assert str(refused).strip()


CHECKED = {
    (verb, row.name): row.kind
    for row in OPTIONS
    if row.python is not None and NAMES.get(row.name, KINDS.get(row.kind))
    for verb in row.verbs
}


@pytest.mark.parametrize(("verb", "name"), sorted(CHECKED))
def test_what_is_of_no_kind_is_refused_by_the_name_of_its_argument(verb, name):
    refused = []
    for value in HOSTILE:
        try:
            check_value(verb, name, CHECKED[verb, name], value)
        except RequestError as error:
            refused.append(str(error))
    assert refused
    assert all(said.startswith(f"{name}=") for said in refused)


def test_every_numeric_argument_has_a_kind():
    """A number is looked at by its kind, or read as an exact number where it is used."""
    for row in OPTIONS:
        if {"float", "int"} & set(re.findall(r"\w+", row.python or "")) and row.verbs:
            assert (row.verbs[0], row.name) in CHECKED or row.name == "tested", row.name


@pytest.mark.parametrize("value", [10**18, 10**15])
def test_a_plan_for_more_samples_than_can_be_summed_is_refused_in_words(value):
    with pytest.raises(RequestError, match="more than can be summed"):
        sy.plan([0.9, 0.8], samples=value)


@pytest.mark.parametrize("rates", [[1e-300, 1e-301], [0.5, 1 - 1e-16]])
def test_rates_that_are_as_good_as_0_or_1_are_refused_in_words(rates):
    with pytest.raises(RequestError, match="as good as 0 or 1"):
        sy.plan(rates)


def test_numbers_of_other_libraries_are_numbers():
    plain = sy.evaluate(CALLS, level=0.75)
    for level in (np.float64(0.75), np.float32(0.75), Fraction(3, 4), Decimal("0.75")):
        assert sy.evaluate(CALLS, level=level).systems == plain.systems


def test_a_threshold_that_floating_point_cannot_hold_is_refused():
    scores = {"truth": ["n", "p"], "s": [2**53, 2**53 + 2]}
    with pytest.raises(RequestError, match="that floating point can hold"):
        sy.evaluate(scores, score="s", positive="p", threshold=2**53 + 1)


def test_a_benchmark_of_more_items_than_there_are_is_refused_in_words():
    with pytest.raises(RequestError, match="a whole number up to 10,000,000"):
        sy.evaluate(CALLS, benchmark=10**18)

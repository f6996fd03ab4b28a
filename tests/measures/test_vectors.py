"""Vector scores: MeasTex's worked examples, and Student's formulas from the items themselves."""

import json
from math import inf, log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.counts import SCALE, Grouped, VectorScores
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures import (
    UNIFORM_SCORES,
    clustered_vector_difference,
    vector_difference,
    vector_score,
)
from steelyard.uncertainty import wilson_interval

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "meastex.json").read_text())
EXAMPLES = {example["name"][0]: example for example in GOLDEN["examples"]}


def summed(truth, scores, rule="spherical", infinite=None, classes=None):
    """Sum item scores the way a tally does, each rounded to a multiple of 1/SCALE."""
    names = [str(t) for t in truth]
    units = {s: np.round(np.asarray(v, dtype=float) * SCALE) / SCALE for s, v in scores.items()}
    of = {c: np.array([n == c for n in names], dtype=bool) for c in set(names)}
    systems = list(scores)
    return VectorScores.from_sums(
        systems=systems,
        classes=classes or sorted(of),
        items={c: int(mask.sum()) for c, mask in of.items()},
        sums={
            (rule, s, c): round(units[s][m].sum() * SCALE) for s in systems for c, m in of.items()
        },
        products={
            (rule, s, t, c): int(np.round(units[s][m] * units[t][m] * SCALE).sum())
            for i, s in enumerate(systems)
            for t in systems[i:]
            for c, m in of.items()
        },
        infinite=infinite,
    )


def spherical(outputs, truth):
    return [
        0.0 if not any(o) else o[t] / sqrt(sum(x * x for x in o))
        for o, t in zip(outputs, truth, strict=True)
    ]


def test_the_worked_problem_of_meastex_has_its_score():
    example = EXAMPLES["7"]
    truth = example["true"]
    scores = summed(truth, {"A": spherical(example["outputs"], truth)})
    # Items are rounded to 1/SCALE, about 1e-9.
    even = vector_score(scores, "spherical", "A", class_weights={"0": 0.5, "1": 0.5})
    assert even.value == pytest.approx(example["l2"], abs=2e-9)
    uneven = vector_score(scores, "spherical", "A", class_weights={"0": 0.25, "1": 0.75})
    assert uneven.value == pytest.approx(example["l2_weights_25_75"], abs=2e-9)
    assert any("not in proportion" in caveat for caveat in even.caveats)


def test_percent_correct_of_meastex_is_pooled_or_by_class():
    example = EXAMPLES["7"]
    # The printed convention shares the credit of a tie; the zero vector ties over both classes.
    won = [1.0, 0.0, 1.0, 0.5, 1.0]
    scores = summed(example["true"], {"A": won}, rule="winner")
    by_class = vector_score(scores, "winner", "A", class_weights={"0": 0.5, "1": 0.5})
    assert by_class.value == pytest.approx(0.5 * 2 / 3 + 0.5 * 0.75, abs=1e-9)
    assert vector_score(scores, "winner", "A").value == pytest.approx(0.7, abs=1e-9)


@pytest.mark.parametrize("case", EXAMPLES["3"]["cases"], ids=lambda c: str(c["C"]))
def test_the_baseline_of_a_uniform_vector_is_the_printed_one(case):
    assert UNIFORM_SCORES["spherical"](case["C"]) == pytest.approx(case["l2"], abs=1e-15)
    classes = [str(c) for c in range(case["C"])]
    scores = summed([0, 1], {"A": [0.9, 0.8]}, classes=classes)
    caveat = vector_score(scores, "spherical", "A").caveats[0]
    assert f"scores {case['l2']:.3f} here" in caveat


def test_uniform_baselines_follow_from_the_rules():
    vector = np.full(4, 0.25)
    assert UNIFORM_SCORES["winner"](4) == 0.25
    assert UNIFORM_SCORES["brier"](4) == pytest.approx(((vector - [1, 0, 0, 0]) ** 2).sum())
    assert UNIFORM_SCORES["log"](4) == log(4)


unit = st.floats(0, 1)


@given(st.lists(st.tuples(st.integers(0, 2), unit, unit), min_size=3, max_size=40))
def test_the_plain_mean_has_students_interval(items):
    truth, one, _ = zip(*items, strict=True)
    result = vector_score(summed(truth, {"A": one}), "spherical", "A", level=0.9)
    assert result.value == pytest.approx(np.mean(one), abs=2e-9)
    if np.var(one) > 1e-4:
        low, high = stats.t.interval(0.9, len(one) - 1, np.mean(one), stats.sem(one))
        assert result.interval.low == pytest.approx(max(0, low), abs=1e-4)
        assert result.interval.high == pytest.approx(min(1, high), abs=1e-4)


@given(st.lists(st.tuples(st.integers(0, 2), unit, unit), min_size=3, max_size=40))
def test_the_difference_has_the_paired_interval_of_student(items):
    truth, one, two = zip(*items, strict=True)
    scores = summed(truth, {"A": one, "B": two})
    result = vector_difference(scores, "spherical", "A", "B")
    gaps = np.subtract(one, two)
    assert result.value == pytest.approx(gaps.mean(), abs=4e-9)
    swapped = vector_difference(scores, "spherical", "B", "A")
    assert swapped.value == -result.value
    if np.var(gaps) > 1e-4:
        low, high = stats.t.interval(0.95, len(gaps) - 1, gaps.mean(), stats.sem(gaps))
        assert result.interval.low == pytest.approx(max(-1, low), abs=1e-4)
        assert result.interval.high == pytest.approx(min(1, high), abs=1e-4)
        assert swapped.interval.low == pytest.approx(-result.interval.high, abs=1e-12)


def test_class_weights_make_strata_with_welchs_degrees_of_freedom():
    rng = np.random.default_rng(11)
    truth = np.repeat([0, 1], [12, 30])
    values = np.clip(rng.normal(0.6, 0.1 + 0.15 * truth), 0, 1)
    # Half the first class plus half the second is the difference of means of Welch's t, mirrored.
    weights = {"0": 0.5, "1": 0.5}
    result = vector_score(summed(truth, {"A": values}), "spherical", "A", class_weights=weights)
    first, second = values[truth == 0] / 2, -values[truth == 1] / 2
    expected = stats.ttest_ind(first, second, equal_var=False).confidence_interval(0.95)
    ends = (result.interval.low, result.interval.high)
    assert ends == pytest.approx((expected.low, expected.high), abs=1e-6)


def test_weights_in_proportion_give_the_plain_mean_and_no_warning():
    scores = summed([0, 0, 0, 1], {"A": [0.1, 0.5, 0.9, 0.7]})
    plain = vector_score(scores, "spherical", "A")
    weighted = vector_score(scores, "spherical", "A", class_weights={"0": 0.75, "1": 0.25})
    assert weighted.value == pytest.approx(plain.value, abs=1e-15)
    assert not any("proportion" in caveat for caveat in weighted.caveats)
    assert weighted.interval is None
    assert any("fewer than 2 items" in caveat for caveat in weighted.caveats)


def test_winners_that_are_right_or_wrong_have_wilsons_interval():
    perfect = vector_score(summed([0, 1] * 10, {"A": [1.0] * 20}, rule="winner"), "winner", "A")
    assert (perfect.interval.low, perfect.interval.high) == wilson_interval(20, 20)
    shared = vector_score(summed([0, 1, 1], {"A": [1, 0.5, 0]}, rule="winner"), "winner", "A")
    assert shared.interval.method == "student-t"


def test_equal_items_show_no_spread_and_identical_systems_no_difference():
    scores = summed([0, 1, 1], {"A": [0.7, 0.7, 0.7], "B": [0.1, 0.9, 0.4]})
    alike = vector_score(scores, "spherical", "A")
    same = vector_difference(scores, "spherical", "B", "B")
    for result in (alike, same):
        assert result.interval is None
        assert "all items scored alike" in result.caveats[-1]
    assert same.value == 0


def test_an_infinite_loss_is_undefined_and_says_whose_and_how_often():
    scores = summed(
        [0, 1], {"A": [0.5, 0.1], "B": [0.5, 0.2]}, rule="log", infinite={("A", "1"): 1}
    )
    for result in (vector_score(scores, "log", "A"), vector_difference(scores, "log", "B", "A")):
        assert result.value is None
        assert result.reason == "A gave the true class '1' no chance on 1 item: infinite loss"
    fine = vector_score(scores, "log", "B")
    assert fine.value == pytest.approx(0.35, abs=1e-9)
    assert "lower is better" in fine.caveats[0]


def test_losses_say_which_sign_is_good():
    scores = summed([0, 1, 1], {"A": [0.1, 0.2, 0.4], "B": [0.2, 0.5, 0.3]}, rule="brier")
    assert "below 0 favours A" in vector_difference(scores, "brier", "A", "B").caveats[0]


def test_a_weighted_class_without_items_leaves_the_score_undefined():
    scores = summed([0, 0], {"A": [0.5, 0.6]}, classes=["0", "1"])
    result = vector_score(scores, "spherical", "A", class_weights={"0": 0.5, "1": 0.5})
    assert result.reason == "no item is truly '1', but the class has weight 0.5"
    empty = VectorScores.from_sums(systems=["A"], items={}, sums={}, products={})
    assert vector_score(empty, "spherical", "A").reason == "the table holds no items"


def test_what_cannot_be_asked_is_refused():
    scores = summed([0, 1], {"A": [0.5, 0.6]})
    with pytest.raises(RequestError, match="rule"):
        vector_score(scores, "spheric", "A")
    with pytest.raises(CountsError, match="No system 'B'"):
        vector_score(scores, "spherical", "B")
    with pytest.raises(NotComparable, match="hold no sum for brier"):
        vector_score(scores, "brier", "A")
    for weights in ({"0": 1.0}, {"0": 0.7, "1": 0.7}, {"0": 1.5, "1": -0.5}, {"0": inf, "1": 0}):
        with pytest.raises(RequestError, match="class_weights"):
            vector_score(scores, "spherical", "A", class_weights=weights)
    with pytest.raises(RequestError, match="level"):
        vector_score(scores, "spherical", "A", level=95)


@pytest.mark.parametrize("rule", ["winner", "spherical"])
def test_a_system_does_not_differ_from_itself(rule):
    scores = VectorScores.from_sums(
        systems=["A"],
        items={"x": 4},
        sums={(rule, "A", "x"): 2 * SCALE},
        products={(rule, "A", "A", "x"): 2 * SCALE},
    )
    assert vector_difference(scores, rule, "A", "A").value == 0
    parts = Grouped.from_parts("writer", {"1": scores, "2": scores})
    assert clustered_vector_difference(parts, rule, "A", "A").value == 0

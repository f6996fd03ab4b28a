"""What a slider can reach: counted from the rows, found again at every stop."""

from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.journey.comparison.posterior_curves import posterior_densities
from steelyard.journey.exploring import STOPS, explore, look

DATA = Path(str(files("steelyard") / "data"))


@settings(deadline=None, max_examples=20)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 9)), min_size=4, max_size=40))
def test_every_stop_counts_the_rows_from_its_threshold_up(rows):
    truth = ["yes" if one else "no" for one, _ in rows]
    scores = [score / 8 for _, score in rows]
    if len(set(truth)) < 2:
        return
    found = explore({"truth": truth, "s": scores}, positive="yes", score="s").scores[0]
    for point in found.points:
        called = [score >= point.threshold for score in scores]
        tp = sum(one and is_called for (one, _), is_called in zip(rows, called, strict=True))
        assert point.tp == tp
        assert point.tp + point.fp == sum(called)
        assert point.tp + point.fn == truth.count("yes")
        assert point.tp + point.fp + point.fn + point.tn == len(rows)
        recall = next(one for one in point.measures if one.measure == "recall")
        assert recall.value == pytest.approx(point.detection_rate, abs=1e-12)
    thresholds = [point.threshold for point in found.points]
    assert thresholds == sorted(thresholds)
    assert set(scores) <= set(thresholds)
    assert not found.thinned


def test_many_thresholds_are_thinned_and_every_recipe_keeps_its_stop():
    rng = np.random.default_rng(5)
    scores = rng.normal(size=3000)
    truth = np.where(scores + rng.normal(size=3000) > 0, "yes", "no")
    found = explore({"truth": truth, "s": scores}, positive="yes", score="s").scores[0]
    assert found.thinned
    assert len(found.points) <= STOPS + len(found.choice.methods)
    stops = {point.threshold for point in found.points}
    assert {one.threshold for one in found.choice.methods if one.threshold is not None} <= stops
    assert found.points[found.nearest(0.1)].threshold == min(stops, key=lambda t: abs(t - 0.1))


def test_the_evaluation_is_the_one_of_evaluate():
    asked = {"positive": "1", "systems": ["svm", "rf"]}
    found = explore(DATA / "wdbc_scores.csv", **asked)
    assert found.evaluation == sy.evaluate(DATA / "wdbc_scores.csv", **asked)


def test_of_many_systems_the_best_are_explored_and_the_one_that_is_asked_for():
    truth = ["yes", "no"] * 20
    columns = {"truth": truth}
    for place in range(15):
        wrong = 14 - place
        columns[f"s{place}"] = [
            (one == "yes") - 0.02 * k if k >= wrong else 0.3 for k, one in enumerate(truth)
        ]
    systems = [f"s{place}" for place in range(15)]
    found = explore(columns, positive="yes", score=systems)
    explored = [one.curve.system for one in found.scores]
    assert explored == list(found.scored[:12])
    assert set(found.scored) == set(systems)
    assert found.lacks("s0")
    assert not found.lacks("s14")
    again = explore(columns, positive="yes", score=systems, shown="s0")
    assert "s0" in [one.curve.system for one in again.scores]
    assert len(again.scores) == 12


def test_too_many_rows_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match="--most-rows"):
        explore(DATA / "wdbc_scores.csv", positive="1", most_rows=284)


def test_one_class_alone_has_no_thresholds_and_says_so():
    columns = {"truth": ["a"] * 4, "s": [0.1, 0.2, 0.3, 0.4]}
    found = explore(columns, positive="a", score="s", classes=["a", "b"])
    assert found.scores == ()
    assert found.refusals[0].startswith("No thresholds of s: ")


def test_weights_leave_no_thresholds_and_say_so():
    columns = {"truth": ["a", "b"], "s": [0.1, 0.2], "weight": [1.0, 2.5]}
    found = explore(columns, positive="a", score="s")
    assert (found.scores, len(found.refusals)) == ((), 1)


def test_a_look_lists_columns_and_classes_without_a_meaning():
    seen = look(DATA / "wdbc_scores.csv")
    assert seen.columns[:3] == ("id", "truth", "logreg")
    assert seen.classes == ("0", "1")
    assert "comma" in seen.read_as
    assert look(DATA / "wdbc_scores.csv", truth="no such column").classes == ()
    many = look(DATA / "wdbc_scores.csv", truth="id")
    assert (len(many.classes), many.all_classes) == (60, False)


def test_densities_integrate_to_one_and_peak_at_the_mode():
    trials = sy.Trials(correct={"S": 190, "T": 200}, tested=200, pairing="independent")
    found = posterior_densities(sy.compare(trials, prior={"S": (5, 5)}))
    for name, mode in (("S", 194 / 208), ("T", 1.0)):
        rates, heights = found[name]
        assert np.trapezoid(heights, rates) == pytest.approx(1, abs=2e-3)
        assert rates[int(np.argmax(heights))] == pytest.approx(mode, abs=2e-3)


def test_areas_have_no_density():
    compared = sy.compare(DATA / "wdbc_scores.csv", positive="1", systems=["rf", "tree"])
    assert posterior_densities(compared) == {}

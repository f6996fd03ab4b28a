"""What a report shows, found in one walk."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import ScoreTable
from steelyard.errors import RequestError
from steelyard.journey.reporting import differences, report_content
from steelyard.journey.roc_curves.drawing import score_curve

DATA = Path(str(files("steelyard") / "data"))


def test_a_report_holds_exactly_what_evaluate_and_compare_answer():
    content = report_content(DATA / "digits_labels.csv", truth="truth", rng=3)
    assert content.evaluation == sy.evaluate(DATA / "digits_labels.csv", truth="truth")
    assert content.comparison == sy.compare(DATA / "digits_labels.csv", truth="truth", rng=3)
    assert content.curves == ()
    assert dict(content.arguments) == {"truth": "truth", "level": 0.95, "alpha": 0.05, "rng": 3}


def test_one_system_alone_is_reported_and_the_missing_comparison_is_explained():
    content = report_content(DATA / "digits_labels.csv", systems=["svm"])
    assert content.comparison is None
    assert content.refusals[0].startswith("No comparison: Only one system (svm)")


def test_weighted_scores_have_no_curves_and_the_report_says_why():
    rows = {"truth": ["a", "b"] * 4, "svm": [0.1 * k for k in range(8)], "weight": [1.0, 2.0] * 4}
    content = report_content(rows, positive="a", score=["svm"])
    assert content.curves == ()
    assert any("weights" in one for one in content.refusals)


def test_the_stops_of_a_curve_are_points_of_the_full_curve():
    rng = np.random.default_rng(5)
    table = ScoreTable.from_scores(rng.normal(1, 1, 3000), rng.normal(0, 1, 4000))
    curve = score_curve("svm", table, level=0.95)
    assert 100 <= len(curve.stops) <= 121
    assert list(curve.stops) == sorted(curve.stops, key=lambda stop: stop.threshold)
    for stop in curve.stops:
        assert stop.tp == int(table.positives[table.scores >= stop.threshold].sum())
        assert stop.fp == int(table.negatives[table.scores >= stop.threshold].sum())
        assert stop.tp + stop.fn == 3000
        assert stop.fp + stop.tn == 4000
        assert stop.recall[1] <= stop.recall[0] <= stop.recall[2]
    assert curve.thresholds == 7000
    assert sum(curve.positive_counts) == 3000
    assert sum(curve.negative_counts) == 4000
    assert len(curve.scores) == 500
    assert (curve.false_alarm_rates[0], curve.detection_rates[-1]) == (0.0, 1.0)


def test_a_report_weighs_quality_against_cost_and_its_numbers_are_found_again():
    names = ("big", "mid", "small")
    asked = {
        "value": [f"{name}.grade" for name in names],
        "cost": ",".join(f"{name}.latency" for name in names),
    }
    for cost in (asked["cost"], {"big": 3, "mid": 1, "small": 1}):
        content = report_content(DATA / "answers_and_cost.csv", **{**asked, "cost": cost})
        answer = sy.compare(DATA / "answers_and_cost.csv", **{**asked, "cost": cost})
        assert content.comparison == answer
        assert answer.front
        saved = json.loads(json.dumps(content.to_dict()))
        again = report_content(DATA / "answers_and_cost.csv", **saved["arguments"]).to_dict()
        assert differences(saved, json.loads(json.dumps(again))) == []
    with pytest.raises(RequestError, match="a price for each"):
        report_content(DATA / "answers_and_cost.csv", **{**asked, "cost": "big=3"})
    with pytest.raises(RequestError, match="Declare the number"):
        report_content(DATA / "digits_labels.csv", cost="a=1")


def test_a_saved_report_agrees_with_itself_after_json():
    saved = json.loads(json.dumps(report_content(DATA / "wdbc_scores.csv", positive="1").to_dict()))
    again = report_content(DATA / "wdbc_scores.csv", **saved["arguments"]).to_dict()
    assert differences(saved, again) == []


@pytest.mark.parametrize(
    ("saved", "found", "told"),
    [
        ({"n": 10}, {"n": 11}, ["n: the report says 10, the data give 11"]),
        ({"n": 10}, {"n": 10.0}, ["n: the report says 10, the data give 10.0"]),
        (
            {"p": 0.5},
            {"p": 0.5 * (1 + 2e-9)},
            [f"p: the report says 0.5, the data give {0.5 * (1 + 2e-9)!r}"],
        ),
        ({"p": 0.5}, {"p": 0.5 * (1 + 1e-10)}, []),
        ({"p": 1e-14}, {"p": 2e-14}, []),
        ({"a": [1, 2]}, {"a": [1]}, ["a: the report has 2 entries, the data give 1"]),
        (
            {"a": [{"b": "x"}]},
            {"a": [{"b": "y"}]},
            ["a[0].b: the report says 'x', the data give 'y'"],
        ),
        ({}, {"a": 1}, ["a: the report says None, the data give 1"]),
        ({"version": "1"}, {"version": "2"}, []),
    ],
)
def test_differences_are_named_by_their_place(saved, found, told):
    assert differences(saved, found) == told


def test_a_threshold_that_is_no_score_is_counted_where_it_stands_and_kept_for_verification():
    content = report_content(DATA / "wdbc_scores.csv", positive="1", at=0.3, shown="svm")
    curve = next(one for one in content.curves if one.system == "svm")
    chosen = sy.threshold(
        DATA / "wdbc_scores.csv", positive="1", score="svm", by="fixed", threshold=0.3, resamples=0
    ).chosen
    stop = curve.stops[curve.first]
    assert (stop.threshold, stop.tp, stop.tn) == (
        0.3,
        chosen.recall.successes,
        chosen.specificity.successes,
    )
    saved = content.to_dict()["arguments"]
    assert (saved["at"], saved["shown"]) == (0.3, "svm")


@pytest.mark.parametrize(
    ("file", "asked", "words"),
    [
        ("wdbc_scores.csv", {"positive": "1", "shown": "nobody"}, "shown='nobody'"),
        ("wdbc_scores.csv", {"positive": "1", "at": float("inf")}, "at=inf"),
        ("digits_labels.csv", {"at": 0.5}, "gives scores"),
    ],
)
def test_a_beginning_that_cannot_be_is_refused(file, asked, words):
    with pytest.raises(RequestError, match=words):
        report_content(DATA / file, **asked)

"""Files of public repositories: the first command answers, or its refusal says what to type.

Counts are made in plain Python from the rows that were written, areas by comparing all pairs.
"""

import json
import re
import shlex

import pytest

import steelyard as sy
from tests.real import public_shapes as shapes
from tests.real.more_shapes import CAT, FLAG, PLACES, RIGHT_ONE, RIGHT_TWO, ROWS, TWO
from tests.real.public_shapes import BINARY, OTHER_SCORES, SCORES
from tests.real.test_typed_next import counts, follow
from tests.typed import type_words

FIRST, SECOND = sum(RIGHT_ONE), sum(RIGHT_TWO)
CALLED = sum(a == b for a, b in zip(CAT, BINARY, strict=True))
FLAGS = sum(a == b for a, b in zip(CAT, FLAG, strict=True))
OTHER_FLAGS = sum((b == "cat") == t for b, t in zip(TWO, CAT, strict=True))


def area(scores):
    """Compare every positive with every negative."""
    ups = [s for s, t in zip(scores, CAT, strict=True) if t]
    downs = [s for s, t in zip(scores, CAT, strict=True) if not t]
    return sum((u > d) + (u == d) / 2 for u in ups for d in downs) / len(ups) / len(downs)


def areas(answer):
    return {one["system"]: one["area"]["value"] for one in answer["systems"] if one.get("area")}


@pytest.mark.parametrize(
    ("shape", "line", "steps", "right"),
    [
        (shapes.a_file_each, "compare bert_predictions.csv gpt_predictions.csv", 0,
         {"bert_predictions": FIRST, "gpt_predictions": SECOND}),
        (shapes.a_file_each, "compare x=bert_predictions.csv y=gpt_predictions.csv", 0,
         {"x": FIRST, "y": SECOND}),
        (shapes.a_column_each, "compare run_cnn.csv run_svm.csv", 0,
         {"cnn": FIRST, "svm": SECOND}),
        (shapes.verdicts_in_cells, "compare table.csv", 0, {"openai:one": FIRST, "two": SECOND}),
        (shapes.ranked_lists, "evaluate ranked.jsonl", 1,
         {"top3": sum(t in (a, b) for _, t, a, b in ROWS)}),
        (shapes.ranked_lists, "evaluate places.csv", 1, {"top1": FIRST}),
        (shapes.answers_alone, "evaluate answers.csv", 1, {"prediction": FIRST}),
        (shapes.predicted_group, "evaluate test_results.csv", 0, {"group_predicted": FIRST}),
        (shapes.probability_of_the_call, "evaluate sure.csv", 0, {"prediction": CALLED}),
        (shapes.probability_of_the_call, "evaluate sure.csv --positive cat", 0,
         {"prediction": CALLED}),
        (shapes.predicted_probability, "evaluate keras.csv --positive 1", 0,
         {"predicted_label": CALLED}),
        (shapes.coded_truth, "evaluate eyes.csv --positive 1", 0, {"prediction": CALLED}),
        (shapes.kinds_of_items, "compare audit.csv", 0,
         {"a_label": FLAGS, "b_label": OTHER_FLAGS}),
        (shapes.flags_among_features, "evaluate churn.csv", 0, {"churn_pred": FLAGS}),
        (shapes.many_classes, "evaluate birds.csv", 1, {"Predicted Label": 48}),
        (shapes.many_classes, "evaluate birds.csv --classes all", 0, {"Predicted Label": 48}),
        (shapes.two_models_with_verdicts, "compare vlm.csv", 0,
         {"base_prediction": FIRST, "adapted_prediction": SECOND}),
        (shapes.words_beside_places, "evaluate traffic.csv", 1, {"predicted_label": FLAGS}),
        (shapes.words_beside_places, "evaluate traffic.csv --classes normal,attack", 0,
         {"predicted_label": FLAGS}),
        (shapes.confidence_in_percent, "evaluate calls.csv --positive select", 0,
         {"predicted_decision": FLAGS}),
        (shapes.labels_in_any_order, "evaluate labels.csv", 0,
         {"predictions": sum(n % 3 != 0 or n % 4 == 3 for n in PLACES)}),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)  # fmt: skip
def test_what_stands_in_public_repositories_is_read(tmp_path, shape, line, steps, right):
    shape(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert (taken, counts(answer)) == (steps, right)


def test_a_certainty_is_no_score_of_one_class_and_its_question_is_named(tmp_path):
    """It was an area of .44 for a classifier that is right in three of four."""
    shapes.probability_of_the_call(tmp_path)
    _, answer = follow("evaluate sure.csv --positive cat", tmp_path)
    assert areas(answer) == {}
    assert any("--certainty confidence" in said for said in answer["caveats"])
    meant = "evaluate sure.csv --positive cat --systems prediction,confidence"
    assert [*areas(follow(meant, tmp_path)[1])] == ["confidence"]
    assert follow("evaluate sure.csv --certainty confidence", tmp_path)[0] == 0


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (shapes.flags_among_features, "evaluate churn.csv --systems churn_pred"),
        (shapes.coded_truth, "evaluate eyes.csv --systems prediction"),
        (shapes.confidence_in_percent, "roc calls.csv --systems confidence --positive select"),
    ],
)
def test_the_truth_is_found_where_systems_are_named(tmp_path, shape, line):
    shape(tmp_path)
    assert follow(line, tmp_path)[0] == 0


def test_a_predicted_probability_is_a_score_beside_the_call(tmp_path):
    shapes.predicted_probability(tmp_path)
    _, answer = follow("evaluate keras.csv --positive 1", tmp_path)
    assert areas(answer) == pytest.approx({"predicted_prob": area(SCORES)}, abs=1e-12)


def test_the_truth_is_read_in_the_writing_of_the_calls(tmp_path):
    shapes.coded_truth(tmp_path)
    _, answer = follow("evaluate eyes.csv --positive 1", tmp_path)
    assert areas(answer) == pytest.approx({"probability": area(SCORES)}, abs=1e-12)
    assert any("'Patient'" in said for said in answer["caveats"])
    assert dict(answer["provenance"]["understood"])["truth"].startswith("column 'label_numeric'")


def test_two_columns_that_name_a_system_together_are_found(tmp_path):
    shapes.variants(tmp_path)
    steps, answer = follow("compare folds.csv --positive 1", tmp_path)
    expected = {
        "graph, full": area(SCORES),
        "raw, full": area(OTHER_SCORES),
        "graph, small": 1 - area(SCORES),
    }
    assert steps == 1
    found = {one["system"]: one["rate"]["value"] for one in answer["systems"]}
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("line", "system"),
    [
        ("evaluate oof.csv --positive 1", "OOF_p_churn"),
        ("evaluate sent.csv --truth held.csv --positive 1", "p_churn"),
    ],
)
def test_a_probability_of_something_tells_what_is_true(tmp_path, line, system):
    shapes.out_of_folds(tmp_path)
    steps, answer = follow(line, tmp_path)
    assert steps == 0
    assert areas(answer) == pytest.approx({system: area(SCORES)}, abs=1e-12)


def test_numbers_of_the_same_items_in_two_files_are_two_systems(tmp_path):
    shapes.retrieved(tmp_path)
    steps, answer = follow("compare 8bit/rows.csv 2bit/rows.csv --value chrf", tmp_path)
    means = {one["system"]: one["rate"]["value"] for one in answer["systems"]}
    expected = {
        name: sum((n * factor) % 10 + 0.5 for n in PLACES) / 60
        for name, factor in (("8bit", 3), ("2bit", 7))
    }
    assert steps == 0
    assert means == pytest.approx(expected, rel=1e-12)


def test_errors_of_numbers_are_weighed_by_the_line_that_is_said(tmp_path):
    shapes.prices(tmp_path)
    steps, answer = follow("compare prices.csv", tmp_path)
    means = {one["system"]: one["rate"]["value"] for one in answer["systems"]}
    expected = {
        "predicted_price": sum(abs(n % 3 - 0.5) for n in PLACES) / 60,
        "rf_pred": sum(n % 5 + 0.5 for n in PLACES) / 60,
    }
    assert steps == 1
    assert means == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("evaluate report.csv", "--accuracy report=0.6666666667,OTHER=SHARE --tested 60"),
        ("evaluate roc.csv", "points of a curve"),
        ("evaluate final.csv", "--confusion final.csv --positive positive"),
        ("compare f1.csv", "are no shares of right answers"),
        ("evaluate saved.txt", "--confusion saved.txt --classes 0,1"),
        ("evaluate counts.csv", "--confusion counts.csv"),
    ],
)
def test_tables_of_measures_are_no_items(tmp_path, line, said):
    shapes.measures(tmp_path)
    code, _, err = type_words(shlex.split(line), folder=tmp_path)
    assert code == 1
    assert said in " ".join(err.split())


@pytest.mark.parametrize("name", ["right", "correct", "passed", "success"])
def test_a_system_of_classes_is_none_the_less_one_for_its_name(name):
    truth = list("ab") * 10
    columns = {"truth": truth, name: truth, "other": list("ba") * 10}
    assert [one.system for one in sy.compare(columns).systems] == [name, "other"]


def test_lists_beside_lists_are_refused_by_name(tmp_path):
    shapes.ranked_lists(tmp_path)
    refused = type_words(["evaluate", "retrieved.jsonl"], folder=tmp_path)
    assert refused.code == 1
    assert "retrieved holds a ranked list for each item" in " ".join(refused.err.split())


def test_systems_with_a_number_are_systems_where_they_are_named(tmp_path):
    shapes.ranked_lists(tmp_path)
    line = "compare places.csv --systems top1,top2,top3 --classes all --json"
    assert type_words(line.split(), folder=tmp_path).code == 0


def test_a_list_of_answers_without_fields_says_what_is_missing(tmp_path):
    shapes.answers_alone(tmp_path)
    refused = type_words(["evaluate", "answers.json"], folder=tmp_path)
    assert "No column says what is true" in " ".join(refused.err.split())


def test_a_prompt_that_failed_to_run_is_an_error_and_no_wrong_answer(tmp_path):
    shapes.verdicts_in_cells(tmp_path)
    table = tmp_path / "table.csv"
    table.write_text(table.read_text().replace("[FAIL] (0.00)", "[ERROR] (0.00)", 1))
    refused = type_words(["compare", "table.csv"], folder=tmp_path)
    assert "1 sample errored" in " ".join(refused.err.split())
    dropped = type_words("compare table.csv --errors drop-pair --json".split(), folder=tmp_path)
    assert '"items": 59' in dropped.out


@pytest.mark.parametrize(
    ("verb", "steps"),
    [("roc", 1), ("threshold", 1), ("targeting", 1), ("calibration", 1), ("evaluate", 0)],
)
def test_slices_of_scores_are_shown_or_refused_by_their_column(tmp_path, verb, steps):
    shapes.coded_truth(tmp_path)
    line = f"{verb} eyes.csv --truth label_numeric --positive 1 --systems probability"
    grouped = f"{line} --group Patient"
    taken, answer = follow(grouped, tmp_path)
    assert taken == steps
    refused = type_words(shlex.split(grouped), folder=tmp_path).err
    assert ("'Patient'" in refused) == bool(steps)
    if verb == "threshold":  # one for all groups; which one is to be looked at in each, nobody said
        whole = type_words([*shlex.split(line), "--json"], folder=tmp_path)
        assert answer["sentence"] == json.loads(whole.out)["sentence"]
    else:
        typed = refused.rpartition("Type: steelyard ")[2] or grouped
        rows = type_words(shlex.split(typed), folder=tmp_path).out.partition("Slices (")[2]
        sizes = re.findall(r"^\d+ +(\d+) ", rows, re.MULTILINE)
        assert len(sizes) > 3
        assert {*sizes} == {"4"}  # pictures of each patient


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("compare audit.csv --group category", 0),
        ("gate audit.csv --candidate a_label --baseline b_label --require 'not worse by 0.9' "
         "--group category", 1),
        ("agreement audit.csv --group category", 1),
    ],
)  # fmt: skip
def test_slices_of_calls_are_shown_or_refused_by_their_column(tmp_path, line, steps):
    shapes.kinds_of_items(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert taken == steps
    if steps:
        assert "'category'" in type_words(shlex.split(line), folder=tmp_path).err
    else:
        assert sum(one["items"] for one in answer["slices"]) == len(PLACES)

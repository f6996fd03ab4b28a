"""The first command that a person would type works, and its numbers are right.

Each answer is checked against right answers counted one by one in plain Python.
"""

import json

import pytest
from click.testing import CliRunner

from steelyard.errors import SteelyardError
from steelyard.surfaces.cli.entry import steelyard
from tests.real import shapes
from tests.real.shapes import CLASSES, counts, draw

DRAWN = draw()
FIRST, SECOND = DRAWN.right(DRAWN.first), DRAWN.right(DRAWN.second)


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """Run a command in a folder with the files of one shape."""
    monkeypatch.chdir(tmp_path)

    def run(shape, line):
        shape(tmp_path, DRAWN)
        done = CliRunner().invoke(steelyard, [*line.split(), "--json"])
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize(
    ("shape", "line", "right"),
    [
        (shapes.sklearn_frame, "evaluate preds.csv", {"y_pred": FIRST}),
        (shapes.hugging_face, "compare reviews.csv", {"bert": FIRST, "gpt": SECOND}),
        (shapes.image_folder, "evaluate test.csv", {"Predicted": FIRST}),
        (shapes.caret, "evaluate caret.csv", {"pred": FIRST, "probabilities": FIRST}),
        (shapes.yardstick, "evaluate yard.csv", {".pred_class": FIRST, "pred": FIRST}),
        (shapes.features, "evaluate table.csv", {"prediction": FIRST}),
        (shapes.verdict_map, "compare alpha.json beta.json", {"alpha": FIRST, "beta": SECOND}),
        (shapes.verdict_map, "compare .", {"alpha": FIRST, "beta": SECOND}),
        (shapes.verdict_objects, "compare alpha.json beta.json", {"alpha": FIRST, "beta": SECOND}),
        (shapes.evalplus, "evaluate model_eval_results.json --metric plus", {"model": FIRST}),
        (shapes.livecodebench, "evaluate codegen_eval_all.json", {"codegen_eval_all": FIRST}),
        (
            shapes.submissions,
            "compare mine.csv theirs.csv --truth answers.csv:label",
            {"mine": FIRST, "theirs": SECOND},
        ),
        (
            shapes.submissions,
            "compare a=mine.csv b=theirs.csv --truth answers.csv",
            {"a": FIRST, "b": SECOND},
        ),
        (shapes.long_rows, "compare runs.csv", {"alpha": FIRST, "beta": SECOND}),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)
def test_the_first_command_answers_with_the_right_counts(typed, shape, line, right):
    assert counts(typed(shape, line)) == right


def test_a_list_of_labels_and_scores_needs_only_the_positive_class(typed):
    answer = typed(shapes.score_list, "evaluate scores.txt --positive CAT")
    (system,) = answer["systems"]
    assert system["area"]["value"] == pytest.approx(DRAWN.area("cat"), abs=1e-12)


def test_what_was_taken_by_its_name_and_what_was_left_aside_is_said(typed):
    answer = typed(shapes.hugging_face, "evaluate reviews.csv")
    understood = dict(answer["provenance"]["understood"])
    assert "'label' (by its name)" in understood["truth"]
    assert understood["left aside"].startswith("text: ")


def test_one_flag_changes_what_was_proposed(typed):
    answer = typed(shapes.hugging_face, "evaluate reviews.csv --truth bert --systems label")
    assert counts(answer) == {"label": FIRST}


def test_two_columns_that_may_be_the_truth_are_asked_about(tmp_path, typed):
    def both(folder, drawn):
        shapes.write_rows(folder / "two.csv", ["label", "target", "pred"], [["a", "b", "a"]])

    with pytest.raises(SteelyardError, match=r"--truth label") as refused:
        typed(both, "evaluate two.csv")
    assert refused.value.code == "truth-unclear"


def test_ids_that_come_again_are_asked_about_with_every_remedy(typed):
    def again(folder, drawn):
        rows = [
            [i % 20, t, p] for i, (t, p) in enumerate(zip(drawn.truth, drawn.first, strict=True))
        ]
        shapes.write_rows(folder / "again.csv", ["id", "note", "pred"], rows)

    with pytest.raises(SteelyardError) as refused:
        typed(again, "evaluate again.csv --truth note")
    for remedy in ("--cluster id", "--system COLUMN", "--duplicates first"):
        assert remedy in str(refused.value)
    answer = typed(again, "evaluate again.csv --truth note --cluster id")
    assert counts(answer) == {"pred": FIRST}


def test_a_name_that_comes_twice_matters_only_where_it_is_asked_for(typed):
    def twice(folder, drawn):
        rows = [[t, p, 1, 2] for t, p in zip(drawn.truth, drawn.first, strict=True)]
        shapes.write_rows(folder / "twice.csv", ["truth", "cnn", "x", "x"], rows)

    assert counts(typed(twice, "evaluate twice.csv")) == {"cnn": FIRST}
    with pytest.raises(SteelyardError, match="one name"):
        typed(twice, "evaluate twice.csv --systems x")


def test_a_template_takes_the_columns_of_classes_only(typed):
    answer = typed(shapes.caret, "evaluate caret.csv --vector rf={class}")
    assert counts(answer) == {"rf": FIRST}
    (system,) = answer["systems"]
    assert [one["name"] for one in system["per_class"]] == list(CLASSES)


def test_columns_named_by_classes_that_do_not_add_up_to_one_stay_scores(typed):
    def scores(folder, drawn):
        rows = [[t, *(10 * x for x in v)] for t, v in zip(drawn.truth, drawn.vectors, strict=True)]
        shapes.write_rows(folder / "raw.csv", ["truth", *CLASSES], rows)

    with pytest.raises(SteelyardError, match="--positive"):
        typed(scores, "evaluate raw.csv")


def test_a_refusal_in_a_notebook_is_one_message(typed):
    with pytest.raises(SteelyardError) as refused:
        typed(shapes.submissions, "evaluate mine.csv")
    (shown,) = refused.value._render_traceback_()
    assert shown.startswith(type(refused.value).__name__)
    assert "\n" not in shown

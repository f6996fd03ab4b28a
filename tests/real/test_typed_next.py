"""What a refusal proposes is typed as it stands, and answers: of files in further shapes.

``steps`` is how often the line after "Type:" was followed before the answer came; 0 is an answer at
first sight. The counts are made in plain Python from the rows that were written.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from steelyard.surfaces.cli.next_command import next_command
from tests.real import more_shapes as shapes
from tests.real.more_shapes import CAT, FLAG, ONE, OTHERS, RIGHT_ONE, RIGHT_TWO, TRUTH, TWO, VECTORS
from tests.real.shapes import counts
from tests.typed import type_words

FIRST, SECOND = sum(RIGHT_ONE), sum(RIGHT_TWO)
FLAGS = sum(a == b for a, b in zip(CAT, FLAG, strict=True))
BOTH = {"a": FIRST, "b": SECOND}
SHARED = range(10, 50)
ANSWERED = [n for n in shapes.PLACES if n % 10]


def follow(line, folder, most=3):
    """Type a line, then what each refusal says to type, until something answers."""
    for steps in range(most + 1):
        code, out, err = type_words([*shlex.split(line), "--json"], folder=folder)
        if code == 0:
            return steps, json.loads(out)
        said = type_words(shlex.split(line), folder=folder).err
        assert sum(max(1, -(-len(one) // 80)) for one in said.splitlines()) <= 12, said
        found = re.search(r"Type: (.+)$", said.strip())
        assert found, said
        line = typed_in_shell(found[1], folder).removeprefix("steelyard ")
    raise AssertionError(err)


def typed_in_shell(command, folder):
    """Run what stands before the last ``&&`` (sed, paste), and give what follows it."""
    before, _, last = command.rpartition(" && ")
    if before:
        here = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        subprocess.run(["bash", "-c", before], cwd=folder, env=here, check=True, timeout=60)
    return last


@pytest.mark.parametrize(
    ("shape", "line", "steps", "right"),
    [
        (shapes.excel_says_what_separates, "evaluate excel.csv", 0, {"pred": FIRST}),
        (shapes.row_names, "evaluate table.txt", 0, {"response": FIRST}),
        (shapes.other_spelling, "evaluate case.csv", 0, {"pred": FIRST}),
        (shapes.yes_and_true, "evaluate flags.csv", 0, {"pred": FLAGS}),
        (shapes.points_after_calls, "evaluate float.csv", 0, {"pred": FLAGS}),
        (shapes.images, "compare a.csv b.csv", 0, {"a": FIRST, "b": SECOND}),
        (shapes.kaggle_of_classes, "compare mine.csv theirs.csv --truth answers.csv", 0,
         {"mine": shapes.top(VECTORS), "theirs": shapes.top(OTHERS)}),
        (shapes.mlr3_benchmark, "compare bench.csv", 0, {"ranger": FIRST, "rpart": SECOND}),
        (shapes.tuned, "compare tune.csv", 0, {"Model1": FIRST, "Model2": SECOND}),
        (shapes.pipeline, "evaluate best.jsonl", 0, {"prediction": FIRST}),
        (shapes.pipeline, "evaluate every.jsonl", 0, {"prediction": shapes.top(VECTORS)}),
        (shapes.vectors_by_place, "evaluate probs.jsonl", 0, {"probs": shapes.top(VECTORS)}),
        (shapes.models_of_json, "compare rows.json", 0, {"one": FIRST, "two": SECOND}),
        (shapes.models_of_json, "compare columns.json", 0, {"one": FIRST, "two": SECOND}),
        (shapes.models_of_json, "compare items.json", 0, {"one": FIRST, "two": SECOND}),
        (shapes.free_answers, "evaluate qa.jsonl", 0,
         {"prediction": sum(RIGHT_ONE[:59]) + 1}),
        (shapes.big_code_bench, "compare one.json two.json", 0, {"one": FIRST, "two": SECOND}),
        (shapes.first_swe_bench, "compare one.json two.json", 0, {"one": FIRST, "two": SECOND}),
        (shapes.weights_and_biases, "evaluate preds.table.json", 0, {"preds": FIRST}),
        (shapes.weka_as_text, "evaluate weka.txt", 0, {"weka": FIRST}),
        (shapes.weka_as_text, "evaluate weka.csv", 0, {"weka": FIRST}),
        (shapes.folders_of_runs, "compare a/preds.csv b/preds.csv", 0, BOTH),
        (shapes.folders_of_runs, "compare a.csv b.csv", 0, BOTH),
        (shapes.labels_of_transformers, "evaluate hf.jsonl", 0, {"pred": FIRST}),
        (shapes.marks_of_verdicts, "compare wide.csv", 1, {"one": FIRST, "two": SECOND}),
        (shapes.marks_of_verdicts, "compare long.csv", 1, {"one": FIRST, "two": SECOND}),
        (shapes.comments, "evaluate notes.csv", 1, {"pred": FIRST}),
        (shapes.markdown, "evaluate pasted.md", 1, {"pred": FIRST}),
        (shapes.images, "compare .", 1, BOTH),
        (shapes.spss, "evaluate spss.csv", 1, {"GROUP_PRED": FLAGS}),
        (shapes.other_words, "evaluate de.csv", 2, {"Vorhersage": FIRST}),
        (shapes.missing_words, "evaluate na.csv", 1,
         {"pred": sum(RIGHT_ONE[n] for n in ANSWERED)}),
        (shapes.places_of_classes, "evaluate argmax.csv", 1, {"pred": FIRST}),
        (shapes.places_of_classes, "evaluate argmax.csv --classes cat,dog,owl", 0,
         {"pred": FIRST}),
        (shapes.two_labels, "evaluate labels.csv --truth cat_true --systems cat_pred", 0,
         {"cat_pred": FLAGS}),
        (shapes.no_ids, "compare a.csv b.csv", 1, {"a": FIRST, "b": SECOND}),
        (shapes.no_ids, "compare x=a.csv y=b.csv", 1, {"x": FIRST, "y": SECOND}),
        (shapes.overlap, "compare a.csv b.csv", 1,
         {"a": sum(RIGHT_ONE[n] for n in SHARED), "b": sum(RIGHT_TWO[n] for n in SHARED)}),
        (shapes.kaggle_of_classes, "compare answers.csv mine.csv theirs.csv", 1,
         {"mine": shapes.top(VECTORS), "theirs": shapes.top(OTHERS)}),
        (shapes.two_labels, "evaluate labels.csv", 1, {"cat_pred": FLAGS}),
        (shapes.readers, "compare readers.csv", 1,
         {"Reader 1": FLAGS,
          "Reader 2": sum((b == "cat") == t for b, t in zip(TWO, CAT, strict=True))}),
        (shapes.old_harness, "evaluate samples.jsonl", 1, {}),
        (shapes.title_above, "evaluate report.csv", 1, {"pred": FIRST}),
        (shapes.orange, "evaluate orange.tab", 1, {"Tree": FIRST}),
        (shapes.label_lists, "compare gold.txt one.txt two.txt", 1, {"one": FIRST, "two": SECOND}),
        (shapes.label_lists, "evaluate one.txt --truth gold.txt", 1, {"one": FIRST}),
        (shapes.percent_signs, "evaluate percent.csv", 1, {"pred": FIRST}),
        (shapes.points_after_calls, "compare float.csv", 1, {"pred": FLAGS}),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)  # fmt: skip
def test_following_what_is_said_gives_the_right_counts(tmp_path, shape, line, steps, right):
    shape(tmp_path)
    taken, answer = follow(line, tmp_path)
    assert taken == steps
    if right:
        assert counts(answer) == right
    else:  # the system goes by its folder
        assert [*counts(answer).values()] == [FIRST]


def test_logits_are_not_squashed_but_the_line_that_does_it_is_said(tmp_path):
    """The softmax keeps the largest number where it is."""
    shapes.logits(tmp_path)
    _, answer = follow("evaluate logits.csv", tmp_path)
    assert counts(answer) == {"logit": shapes.top(VECTORS)}


def test_grades_of_models_are_numbers_of_items(tmp_path):
    shapes.grades_of_models(tmp_path)
    steps, answer = follow("evaluate grades.csv", tmp_path)
    assert steps == 1
    means = {one["system"]: one["centre"]["value"] for one in answer["systems"]}
    expected = {m: sum((n * k) % 10 + 1 for n in shapes.PLACES) / 60 for m, k in
                (("one", 3), ("two", 7))}  # fmt: skip
    assert means == pytest.approx(expected, rel=1e-12)


def test_turns_of_a_question_are_told_apart_and_belong_together(tmp_path):
    shapes.mt_bench(tmp_path)
    steps, answer = follow("compare judgments.jsonl", tmp_path)
    assert steps == 3
    line = """compare judgments.jsonl --value score --system model --item question_id,turn
        --cluster question_id"""
    assert follow(line, tmp_path)[0] == 0
    settings = dict(answer["provenance"]["settings"])
    assert (settings["item"], settings["cluster"]) == ("question_id,turn", "question_id")
    means = {one["system"]: one["rate"]["value"] for one in answer["systems"]}
    places = [(n, turn) for n in shapes.PLACES for turn in (1, 2)]
    expected = {m: sum((n * k + turn) % 10 + 1 for n, turn in places) / 120 for m, k in
                (("one", 3), ("two", 7))}  # fmt: skip
    assert means == pytest.approx(expected, rel=1e-12)


def test_a_sheet_of_readers_becomes_a_reader_study(tmp_path):
    shapes.reader_study(tmp_path)
    steps, answer = follow("evaluate mrmc.csv", tmp_path)
    assert steps == 2
    line = "compare mrmc.csv --reader reader --positive 1"
    assert type_words([*line.split(), "--json"], folder=tmp_path).code == 0
    assert answer["kind"] == "readers"


def test_battles_are_refused_with_the_counts_of_two_models(tmp_path):
    shapes.arena(tmp_path)
    code, _, err = type_words(["compare", "arena.json"], folder=tmp_path)
    assert code == 1
    wins = sum(RIGHT_ONE), sum(b and not a for a, b in zip(RIGHT_ONE, RIGHT_TWO, strict=True))
    typed = f"compare --paired x={wins[0]},y={wins[1]},both={60 - sum(wins)},neither=0"
    assert f"steelyard {typed}" in " ".join(err.split())
    assert type_words(shlex.split(typed)).code == 0


def test_what_is_read_in_another_spelling_is_said(tmp_path):
    shapes.other_spelling(tmp_path)
    out = type_words(["evaluate", "case.csv"], folder=tmp_path).out
    assert "' cat' as 'CAT'" in " ".join(out.split())


def test_a_letter_in_both_cases_may_be_two_classes(tmp_path):
    """Letters are classes of their own: 'A' is never true here, and may be elsewhere."""
    shapes.write_rows(
        tmp_path / "letters.csv", ["truth", "pred"], [["a", "a"], ["a", "A"], ["b", "b"]]
    )
    told = type_words(["evaluate", "letters.csv"], folder=tmp_path)
    assert told.code == 1
    assert "never true: A" in told.words


def test_rows_are_paired_by_place_only_where_they_are_as_many_and_have_one_truth(tmp_path):
    shapes.no_ids(tmp_path)
    words = "compare a=a.csv b=b.csv --pairing rows".split()
    lines = (tmp_path / "b.csv").read_text().splitlines()
    (tmp_path / "b.csv").write_text("\n".join(lines[:-1]) + "\n")
    told = type_words(words, folder=tmp_path)
    assert told.code == 1
    assert "a.csv has 60, b.csv has 59" in told.words
    (tmp_path / "b.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]) + "\n")
    told = type_words(words, folder=tmp_path)
    assert told.code == 1
    assert "the truth of" in told.words


@pytest.mark.parametrize(
    ("message", "words", "typed"),
    [
        ("Pass truth='x y' (--truth 'x y').", "evaluate a.csv --truth z",
         "steelyard evaluate a.csv --truth 'x y'"),
        ("systems=['a', 'b'] (--systems a,b) and positive='1' (--positive 1)", "compare a.csv",
         "steelyard compare a.csv --systems a,b --positive 1"),
        ("truth='t.csv:label' (--truth t.csv:label)", "compare t.csv a.csv",
         "steelyard compare a.csv --truth t.csv:label"),
        ("Pass truth='COLUMN' (--truth COLUMN).", "evaluate a.csv", None),
        ("A column 'x=1 (--output notes.txt)' is there.", "evaluate a.csv", None),
        ("group='g' (--group g) asks for each. Leave it out (--group '').", "roc a.csv --group g",
         "steelyard roc a.csv --group ''"),
        ("A value is 3. If classes stand there: called='x' (--called x).",
         "compare a.csv --value x,y", None),
        ("No spread. Give spread= (--spread). Or higher_is_better=True (--higher-is-better).",
         "plan value --pilot a.csv", "steelyard plan value --pilot a.csv --higher-is-better"),
        ("Type it: steelyard compare b.csv --tested N, x='1' (--x 1)", "compare b.csv", None),
    ],
)  # fmt: skip
def test_the_next_command_is_what_was_typed_with_the_first_switches_offered(message, words, typed):
    assert next_command(message, "", words.split()) == typed


def test_which_way_is_better_is_not_typed_for_anybody():
    said = "Type lower_is_better=True (--lower-is-better) or higher_is_better=True (--h)."
    assert next_command(said, "better-unknown", ["compare", "a.csv"]) is None


def test_right_answers_in_percent_are_published_shares():
    shares = "S=87.3%,T=85.1% --tested 2000"
    answers = [
        json.loads(type_words([*f"compare {option} {shares}".split(), "--json"]).out)
        for option in ("--correct", "--accuracy")
    ]
    assert answers[0] == answers[1]
    assert answers[0]["rounded"]


def test_a_share_alone_proposes_no_command_that_would_be_refused():
    said = type_words("compare --accuracy S=87.3% --tested 2000".split())
    assert said.code == 1
    assert "Type:" not in said.words


def test_files_in_another_folder_are_named_as_they_were_typed(tmp_path):
    (tmp_path / "in").mkdir()
    shapes.title_above(tmp_path / "in")
    _, answer = follow("evaluate in/report.csv", tmp_path)
    assert counts(answer) == {"pred": FIRST}
    assert TRUTH.count("cat") + TRUTH.count("dog") + TRUTH.count("owl") == len(ONE)


def test_a_wide_sheet_of_readers_becomes_a_reader_study(tmp_path):
    grades = [[place * step % 5 + 1 for step in (2, 3, 7, 8)] for place in range(30)]
    rows = ["case,truth,film_R1,film_R2,screen_R1,screen_R2"]
    rows += [f"{at},{at % 3 == 0:d},{','.join(map(str, row))}" for at, row in enumerate(grades)]
    (tmp_path / "wide.csv").write_text("\n".join(rows))
    steps, answer = follow("compare wide.csv", tmp_path)
    assert (steps, answer["kind"], answer["readers"]) == (2, "readers", ["R1", "R2"])


@pytest.mark.parametrize("word", ["unknown", "abstain", "don't know", "no answer"])
def test_a_call_that_is_no_answer_is_asked_for_as_one(tmp_path, word):
    rows = [f"{at},{'cat' if at % 2 else 'dog'},{word if at % 5 == 0 else 'cat'}"
            for at in range(40)]  # fmt: skip
    (tmp_path / "a.csv").write_text("\n".join(["id,truth,called", *rows]))
    steps, answer = follow("evaluate a.csv", tmp_path)
    coverage = answer["systems"][0]["further"][0]
    assert (steps, coverage["measure"], coverage["successes"]) == (1, "coverage", 32)
    said = type_words(["roc", "a.csv", "--positive", "cat"], folder=tmp_path).words
    assert "Type: steelyard roc" in said
    assert "--unknown" not in said.partition("Type:")[2]  # roc has no such option


def test_a_key_of_trials_alone_asks_for_the_scores(tmp_path):
    (tmp_path / "key.txt").write_text("".join(f"e{n} t{n} nontarget\n" for n in range(60)))
    said = type_words(["evaluate", "key.txt"], folder=tmp_path).words
    assert "Type: steelyard evaluate SCORES --truth key.txt" in said


def test_two_columns_of_clusters_are_proposed_together(tmp_path):
    rows = [f"{n},p{n % 9},g{n % 7},{n % 2},{n % 2}" for n in range(63)]
    (tmp_path / "a.csv").write_text("\n".join(["id,probe,gallery,truth,called", *rows]))
    steps, _ = follow("evaluate a.csv --cluster prob,galery", tmp_path)
    assert steps == 1


def test_no_amount_is_made_up_for_an_exposure(tmp_path):
    rows = [f"{n},{'ship' if n % 3 else 'sea'},ship" for n in range(60)]
    (tmp_path / "a.csv").write_text("\n".join(["id,truth,called", *rows]))
    claim = "at most 2 false alarms an hour"
    said = type_words(["gate", "a.csv", "--positive", "ship", "--claim", claim], folder=tmp_path)
    assert "--exposure COLUMN" in said.words
    assert "Type:" not in said.words


def test_ships_alone_are_claimed_by_their_share_right(tmp_path):
    (tmp_path / "a.csv").write_text("id,a\n" + "".join(f"{n},{n % 9 > 0:d}\n" for n in range(90)))
    said = type_words(["gate", "a.csv", "--outcome", "a", "--claim", "P_D > 0.8"], folder=tmp_path)
    assert "it is the accuracy: ask for that" in said.words

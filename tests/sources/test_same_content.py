"""Whatever the rows come in, they give the same counts."""

import io
import json
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.feather as pa_feather
import pyarrow.parquet as pq
import pytest

import steelyard
from steelyard.sources import Roles, open_predictions
from steelyard.tally import (
    tally_confusion,
    tally_joint_calls,
    tally_joint_scores,
    tally_outcomes,
    tally_score_table,
    tally_trials,
    tally_vector_scores,
)

DATA = Path(steelyard.__file__).parent / "data"
DIGITS = ("logreg", "rf", "svm")


def digits():
    table = pd.read_csv(DATA / "digits_labels.csv", dtype=str)
    return table[["id", "truth", *DIGITS]]


def wdbc():
    table = pd.read_csv(DATA / "wdbc_scores.csv", dtype={"id": str, "truth": str})
    return table[["id", "truth", "logreg", "svm"]]


def outcomes():
    table = digits()
    right = {name: (table[name] == table["truth"]).astype(int) for name in DIGITS}
    return pd.DataFrame({"id": table["id"], **right})


def vectors():
    both = []
    for name in ("logreg", "rf"):
        table = pd.read_csv(DATA / f"digits_scores_{name}.csv", dtype={"id": str, "truth": str})
        kept = both or ["id", "truth"]
        renamed = table.rename(columns={f"p{k}": f"{name}.{k}" for k in range(10)})
        both.append(renamed if kept == ["id", "truth"] else renamed.drop(columns=["id", "truth"]))
    return pd.concat(both, axis=1)


def count_calls(predictions):
    parts = [tally_confusion(predictions, system) for system in by_name(predictions)]
    systems = by_name(predictions)
    return [*parts, tally_outcomes(predictions, systems), tally_joint_calls(predictions, systems)]


def count_scores(predictions):
    parts = [tally_score_table(predictions, system) for system in by_name(predictions)]
    joint = tally_joint_scores(predictions, by_name(predictions))
    return [*parts, *(joint.score_table(name) for name in joint.systems)]


def count_outcomes(predictions):
    systems = by_name(predictions)
    return [tally_trials(predictions, systems), tally_outcomes(predictions, systems)]


def count_vectors(predictions):
    return [*count_calls(predictions), tally_vector_scores(predictions, by_name(predictions))]


def by_name(predictions):
    return sorted(predictions.systems, key=lambda system: system.name)


Case = namedtuple("Case", "rows roles count systems holds")

CASES = {
    "labels": Case(digits, {}, count_calls, DIGITS, "called"),
    "scores": Case(wdbc, {"positive": "1"}, count_scores, ("logreg", "svm"), "score"),
    "outcomes": Case(outcomes, {"outcome": DIGITS}, count_outcomes, DIGITS, "outcome"),
    "vectors": Case(vectors, {}, count_vectors, ("logreg", "rf"), "vector"),
}


def csv(frame, folder, **settings):
    frame.to_csv(folder / "a.csv", index=False, **settings)
    return folder / "a.csv"


def json_lines(frame, folder):
    rows = json.loads(frame.to_json(orient="records", double_precision=15))
    (folder / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / "a.jsonl"


def arrow_table(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def arrow_file(frame, folder, write):
    write(arrow_table(frame), folder / "a.bin")
    return folder / "a.bin"


def arrow_stream(frame, folder):
    with pa.ipc.new_stream(folder / "a.arrows", arrow_table(frame).schema) as writer:
        writer.write_table(arrow_table(frame))
    return folder / "a.arrows"


def shards(frame, folder):
    for number in range(3):
        frame.iloc[number::3].to_csv(folder / f"shard{number}.csv", index=False)
    return str(folder / "shard*.csv")


WIDE = {
    "CSV": csv,
    "TSV": lambda frame, folder: csv(frame, folder, sep="\t"),
    "semicolons and commas": lambda frame, folder: csv(frame, folder, sep=";", decimal=","),
    "UTF-16": lambda frame, folder: csv(frame, folder, encoding="utf-16"),
    "gzip": lambda frame, folder: csv(frame, folder, compression="gzip"),
    "quoted CSV": lambda frame, folder: (
        pa_csv.write_csv(arrow_table(frame), folder / "a.csv") or folder / "a.csv"
    ),
    "Parquet": lambda frame, folder: arrow_file(frame, folder, pq.write_table),
    "Feather": lambda frame, folder: arrow_file(frame, folder, pa_feather.write_feather),
    "Arrow stream": arrow_stream,
    "JSON lines": json_lines,
    "pandas": lambda frame, folder: frame,
    "polars": lambda frame, folder: pl.from_arrow(arrow_table(frame)),
    "pyarrow": lambda frame, folder: arrow_table(frame),
    "lists": lambda frame, folder: {name: frame[name].tolist() for name in frame},
    "arrays": lambda frame, folder: {name: np.asarray(frame[name]) for name in frame},
    "shuffled rows": lambda frame, folder: frame.sample(frac=1, random_state=0),
    "a glob of shards": shards,
}


def expected(case):
    return case.count(open_predictions(case.rows(), Roles.of(**case.roles)))


@pytest.mark.parametrize("form", WIDE)
@pytest.mark.parametrize("name", CASES)
def test_every_form_of_a_table_gives_the_same_counts(name, form, tmp_path):
    case = CASES[name]
    data = WIDE[form](case.rows(), tmp_path)
    predictions = open_predictions(data, Roles.of(**case.roles))
    assert case.count(predictions) == expected(case)
    assert {system.holds for system in predictions.systems} == {case.holds}


@pytest.mark.parametrize("name", CASES)
def test_standard_input_gives_the_same_counts(name, tmp_path, monkeypatch):
    case = CASES[name]
    content = csv(case.rows(), tmp_path).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    predictions = open_predictions("-", Roles.of(**case.roles))
    assert case.count(predictions) == expected(case)
    assert predictions.files[0].name == "standard input"


def parts_of(case):
    """Cut a wide table into one per system, the value in a column of its own."""
    frame = case.rows()
    for system in case.systems:
        facts = [name for name in ("id", "truth") if name in frame]
        if case.holds == "vector":
            part = frame[[*facts, *(f"{system}.{k}" for k in range(10))]]
            yield system, part.rename(columns={f"{system}.{k}": f"p{k}" for k in range(10)})
        else:
            yield system, frame[[*facts, system]].rename(columns={system: case.holds})


def roles_of_parts(case):
    roles = {name: value for name, value in case.roles.items() if name == "positive"}
    return {**roles, "vector": "p{class}"} if case.holds == "vector" else roles


@pytest.mark.parametrize("form", ["CSV", "Parquet", "JSON lines", "pandas", "polars"])
@pytest.mark.parametrize("name", CASES)
def test_one_file_per_system_gives_the_same_counts(name, form, tmp_path):
    case = CASES[name]
    data = {}
    for system, part in parts_of(case):
        (tmp_path / system).mkdir()
        data[system] = WIDE[form](part.sample(frac=1, random_state=1), tmp_path / system)
    predictions = open_predictions(data, Roles.of(**roles_of_parts(case)))
    assert case.count(predictions) == expected(case)


@pytest.mark.parametrize("form", ["CSV", "Parquet", "pandas"])
@pytest.mark.parametrize("name", CASES)
def test_a_row_per_item_and_system_gives_the_same_counts(name, form, tmp_path):
    case = CASES[name]
    parts = [part.assign(system=system) for system, part in parts_of(case)]
    long = pd.concat(parts).sample(frac=1, random_state=2)
    predictions = open_predictions(WIDE[form](long, tmp_path), Roles.of(**roles_of_parts(case)))
    assert case.count(predictions) == expected(case)


def test_files_of_systems_may_be_of_different_formats(tmp_path):
    case = CASES["labels"]
    forms = dict(zip(case.systems, ("CSV", "Parquet", "JSON lines"), strict=True))
    data = {system: WIDE[forms[system]](part, tmp_path) for system, part in parts_of(case)}
    predictions = open_predictions(data, Roles.of())
    assert case.count(predictions) == expected(case)


@pytest.mark.parametrize("shape", ["list", "object"])
@pytest.mark.parametrize("form", ["JSON lines", "Parquet", "polars"])
def test_lists_and_objects_are_vectors_too(form, shape, tmp_path):
    case = CASES["vectors"]
    wide = case.rows()
    frame = wide[["id", "truth"]].copy()
    for system in case.systems:
        numbers = wide[[f"{system}.{k}" for k in range(10)]].to_numpy().tolist()
        objects = [{str(k): x for k, x in enumerate(row)} for row in numbers]
        frame[system] = numbers if shape == "list" else objects
    roles = {"classes": [str(k) for k in range(10)]} if shape == "list" else {}
    predictions = open_predictions(WIDE[form](frame, tmp_path), Roles.of(**roles))
    assert case.count(predictions) == expected(case)


def test_a_template_names_the_columns_of_a_vector():
    path = DATA / "digits_scores_rf.csv"
    predictions = open_predictions(path, Roles.of(vector="rf=p{class}"))
    assert [(s.name, s.holds, len(s.vector)) for s in predictions.systems] == [("rf", "vector", 10)]


EXAMPLES = {
    "cells_cv10.csv": ({"positive": 1, "fold": "fold"}, 2019, 2),
    "cells_scores.csv": ({"positive": 1}, 1010, 5),
    "diamonds_ordinal_labels.csv": ({}, 2000, 4),
    "digits_labels.csv": ({}, 899, 6),
    "digits_scores_logreg.csv": ({"vector": "logreg=p{class}"}, 899, 1),
    "digits_scores_rf.csv": ({"vector": "rf=p{class}"}, 899, 1),
    "german_credit_scores.csv": ({"positive": 1}, 500, 5),
    "letter_labels.csv": ({}, 2000, 6),
    "species_presence_scores.csv": (
        {"positive": 1, "truth": "OBSERVED", "group": "SPECIES"},
        2316,
        3,
    ),
    "wdbc_scores.csv": ({"positive": 1}, 285, 6),
}


OF_OTHER_KINDS = {
    "answers_and_cost.csv",
    "candidate.csv",
    "dataset_results.csv",
    "diamonds_weights.csv",
    "face_pairs.csv",
    "judge_grades.csv",
    "judged_answers.csv",
    "main.csv",
    "radar_scans.csv",
    "radar_ships.csv",
    "repeated_grades.csv",
    "solution.csv",
    "speech_errors.csv",
    "submission_a.csv",
    "submission_b.csv",
}
"""Files whose pages are run by tests/docs."""


def test_every_example_has_its_line_here():
    assert {path.name for path in DATA.glob("*.csv")} == {*EXAMPLES, *OF_OTHER_KINDS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_open(name):
    roles, rows, systems = EXAMPLES[name]
    predictions = open_predictions(DATA / name, Roles.of(**roles))
    assert (predictions.rows, len(predictions.systems)) == (rows, systems)
    assert (predictions.excluded, predictions.caveats) == ((), ())


@pytest.mark.parametrize(
    "text",
    ["<promptfoo>\n</promptfoo>", '\n <a href="x">', "<?xml version='1.0'?>", "<!doctype html>"],
)
def test_markup_of_any_kind_is_called_by_its_name(tmp_path, text):
    (tmp_path / "page.csv").write_text(text)
    with pytest.raises(steelyard.RefusedData, match="HTML or XML"):
        steelyard.evaluate(str(tmp_path / "page.csv"))


def test_a_header_with_angles_is_no_markup(tmp_path):
    (tmp_path / "a.csv").write_text("<svm>,truth\na,a\na,b\n")
    assert steelyard.evaluate(str(tmp_path / "a.csv")).systems[0].system == "<svm>"
    (tmp_path / "b.csv").write_text("<5,truth\na,a\nb,b\n")
    assert steelyard.evaluate(str(tmp_path / "b.csv"), truth="truth").systems[0].items == 2

"""Odd inputs that are right: they are read as they were meant, and what was understood is said."""

import gzip
import os
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from corpus import BASE, text

import steelyard
from steelyard.display.text import clean_text
from steelyard.sources import FileOptions, Roles, open_predictions
from steelyard.surfaces.cli.entry import main
from steelyard.tally import tally_confusion, tally_outcomes, tally_score_table

NASTY = [
    '"; DROP TABLE x; --', "{t}", "it's", "two\nlines", "{}", "{0}", "truth", "s0", "positive",
    "steelyard: truth", "steelyard item", "steelyard has 0", "item", "part", "\x1b[31mred",
    "<script>alert(1)</script>", "=cmd|' /C calc'!A0", "%s", "a;b", "NULL", "日本", "\u202eabc",
]  # fmt: skip


def opened(data, *, options=None, **roles):
    return open_predictions(data, Roles.of(**roles), options=options)


def right(data, *, options=None, **roles):
    predictions = opened(data, options=options, **roles)
    return {s.name: tally_confusion(predictions, s).right for s in predictions.systems}


WRITTEN = {
    "BOM": b"\xef\xbb\xbf" + BASE.encode(),
    "semicolons": BASE.replace(",", ";"),
    "tabs": BASE.replace(",", "\t"),
    "pipes": BASE.replace(",", "|"),
    "CR": BASE.replace("\n", "\r"),
    "CR LF": BASE.replace("\n", "\r\n"),
    "trailing blank lines": f"{BASE}\n\n\n",
    "leading blank lines": f"\n\n{BASE}",
    "a blank line inside": BASE.replace("2,y", "\n2,y"),
    "no last line end": BASE[:-1],
    "quotes everywhere": "\n".join(
        ",".join(f'"{cell}"' for cell in line.split(",")) for line in BASE.splitlines()
    ),
    "spaces around names": BASE.replace("id,truth,a,b", "id, truth ,a, b"),
    "UTF-16 little": b"\xff\xfe" + BASE.encode("utf-16-le"),
    "UTF-16 big": b"\xfe\xff" + BASE.encode("utf-16-be"),
    "UTF-32": BASE.encode("utf-32"),
    "gzip": gzip.compress(BASE.encode()),
    "gzip of UTF-16": gzip.compress(BASE.encode("utf-16")),
}


@pytest.mark.parametrize("written", WRITTEN)
def test_a_dialect_is_detected_and_said(written, tmp_path):
    path = text(WRITTEN[written])(tmp_path)
    predictions = opened(path)
    outcomes = tally_outcomes(predictions)
    assert (outcomes.correct(), outcomes.total) == ((2, 2), 3)
    assert predictions.files[0].read_as.startswith(("CSV: ", "TSV: "))


def test_a_declared_encoding_reads_what_utf8_cannot(tmp_path):
    path = text("id,truth,a\n1,caf\xe9,caf\xe9\n2,y,y\n", encoding="latin-1")(tmp_path)
    predictions = opened(path, options=FileOptions(encoding="cp1252"))
    assert predictions.classes == ("café", "y")


def test_two_files_of_one_name_in_another_encoding_do_not_mix(tmp_path):
    for folder, row in (("one", "1,x,x"), ("two", "2,y,y")):
        (tmp_path / folder).mkdir()
        text(f"id,truth,a\n{row}\n", encoding="utf-16")(tmp_path / folder)
    predictions = opened([tmp_path / "one" / "data.csv", tmp_path / "two" / "data.csv"])
    assert (predictions.rows, predictions.classes) == (2, ("x", "y"))


@pytest.mark.parametrize("decimal", [None, ","])
def test_a_unanimous_decimal_comma_is_read_and_said(decimal, tmp_path):
    path = text("id;truth;s\n1;1;0,5\n2;0;-1,25e3\n3;1;NA\n")(tmp_path)
    options = FileOptions(decimal=decimal)
    predictions = opened(path, options=options, positive="1", missing="exclude")
    table = tally_score_table(predictions, predictions.systems[0])
    assert list(table.scores) == [-1250.0, 0.5]
    assert ("decimal comma", "s") in predictions.understood


def test_infinite_scores_have_a_rank(tmp_path):
    path = text("truth,s\n1,inf\n0,-Infinity\n1,0.5\n0,-inf\n")(tmp_path)
    predictions = opened(path, positive="1", score="s")
    table = tally_score_table(predictions, predictions.systems[0])
    assert list(table.scores) == [float("-inf"), 0.5, float("inf")]


def test_constant_scores_have_an_area_of_one_half(tmp_path):
    path = text("truth,s\n1,0.5\n0,0.5\n")(tmp_path)
    assert steelyard.evaluate(path, positive="1").systems[0].area.value == 0.5


def test_one_class_leaves_the_area_undefined_with_a_reason(tmp_path):
    path = text("truth,s\n1,0.5\n1,0.25\n")(tmp_path)
    (system,) = steelyard.evaluate(path, positive="1").systems
    assert system.area.value is None
    assert "nothing to tell it from" in system.area.reason


def test_one_class_is_no_obstacle_to_accuracy(tmp_path):
    assert right(text("truth,a\nx,x\nx,x\n")(tmp_path)) == {"a": 2}


SPELLINGS = {
    "digits": ["1", "0", "1"],
    "points": ["1.0", "0.0", "1.0"],
    "flags": ["true", "False", "TRUE"],
}


@pytest.mark.parametrize("called", SPELLINGS)
@pytest.mark.parametrize("truth", SPELLINGS)
def test_spellings_of_two_classes_meet_and_the_map_is_shown(truth, called, tmp_path):
    rows = zip(SPELLINGS[truth], SPELLINGS[called], strict=True)
    path = text("truth,a\n" + "".join(f"{t},{c}\n" for t, c in rows))(tmp_path)
    predictions = opened(path, called="a")
    assert tally_confusion(predictions, predictions.systems[0]).right == 3
    said = " ".join(value for name, value in predictions.understood if name == "classes")
    assert ("true is read as 1" in said) == ("flags" in {truth, called} and truth != called)
    assert ("are read as 1" in said) == ("points" in {truth, called})


@pytest.mark.parametrize("called", [["1", "0"], [1, 0], [1.0, 0.0], np.array([1, 0])])
@pytest.mark.parametrize("truth", [["1", "0"], [1, 0], [1.0, 0.0]])
def test_types_of_labels_meet_in_one_text(truth, called):
    assert right({"truth": truth, "a": called}, called="a") == {"a": 2}


def test_unicode_forms_of_one_class_are_merged():
    assert right({"truth": ["cafe\u0301", "y"], "a": ["caf\xe9", "y"]}) == {"a": 2}


def test_classes_that_look_alike_are_counted_apart_with_a_warning():
    predictions = opened({"truth": ["Ship", "ship", " ship"], "a": ["ship", "ship", "ship"]})
    assert tally_confusion(predictions, predictions.systems[0]).right == 1
    assert sum("differ only by case" in caveat for caveat in predictions.caveats) == 2


def test_a_true_class_that_looks_missing_is_counted_with_a_warning(tmp_path):
    predictions = opened(text("truth,a\nNA,NA\nx,x\n")(tmp_path))
    assert "1 row has the class 'NA', which looks like a missing value" in predictions.caveats


def test_leading_zeros_keep_items_apart(tmp_path):
    assert opened(text("id,truth,a\n007,x,x\n7,y,y\n")(tmp_path)).rows == 2


def test_a_late_class_makes_a_column_of_numbers_one_of_text(tmp_path):
    rows = "".join(f"{n},{n % 2},{n % 2}\n" for n in range(30_000))
    predictions = opened(text(f"id,truth,a\n{rows}30001,cat,0\n")(tmp_path))
    assert predictions.classes == ("0", "1", "cat")


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_index_without_a_name_is_not_a_system(name, tmp_path):
    predictions = opened(text(f"{name},truth,a\n0,x,x\n1,y,y\n")(tmp_path))
    assert [system.name for system in predictions.systems] == ["a"]
    assert "has no name of its own and was not used" in predictions.understood[0][1]


def test_a_newline_and_a_nul_may_stand_in_a_class(tmp_path):
    path = text(b'truth,a\n"x\ny",x\n"x\ny","x\ny"\nx\x00z,x\x00z\nx,x\n')(tmp_path)
    predictions = opened(path)
    assert predictions.classes == ("x", "x\x00z", "x\ny")
    assert tally_confusion(predictions, predictions.systems[0]).right == 3


def test_twenty_thousand_classes_stay_sparse():
    labels = [f"c{n}" for n in range(20_000)] * 2
    predictions = opened({"truth": labels, "a": labels})
    confusion = tally_confusion(predictions, predictions.systems[0])
    assert (confusion.right, len(confusion.classes)) == (40_000, 20_000)


FILE_NAMES = ["a[1].csv", "a*b.csv", "a?b.csv", "a b.csv", "it's.csv", 'a"b.csv', "{t}.csv",
              "two\nlines.csv", "a=b.csv", "日本.csv", "-.csv"]  # fmt: skip


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_may_have_any_name(name, tmp_path):
    rows = {"id": ["1", "2"], "truth": ["x", "y"], "a": ["x", "y"]}
    assert right(text(BASE, name)(tmp_path)) == {"a": 2, "b": 2}
    pq.write_table(pa.table(rows), tmp_path / f"{name}.parquet")
    assert right(tmp_path / f"{name}.parquet") == {"a": 2}
    lines = '{"truth": "x", "a": "x"}\n{"truth": "y", "a": "x"}\n'
    assert right(text(lines, f"{name}.jsonl")(tmp_path)) == {"a": 1}


def test_content_decides_over_the_name_of_a_file(tmp_path):
    rows = {"truth": ["x", "y"], "a": ["x", "y"]}
    pq.write_table(pa.table(rows), tmp_path / "a.csv")
    assert opened(tmp_path / "a.csv").files[0].read_as == "Parquet"
    lines = '{"truth": "x", "a": "x"}\n{"truth": "y", "a": "x"}\n'
    assert opened(text(lines)(tmp_path)).files[0].read_as == "JSON lines: 2 fields"


def test_a_link_is_followed(tmp_path):
    path = text(BASE)(tmp_path)
    (tmp_path / "link.csv").symlink_to(path)
    assert right(tmp_path / "link.csv") == {"a": 2, "b": 2}


def test_a_pipe_is_read_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    if os.fork() == 0:
        (tmp_path / "pipe").write_text(BASE)
        os._exit(0)
    assert right(tmp_path / "pipe") == {"a": 2, "b": 2}
    os.wait()


@pytest.mark.parametrize("name", NASTY)
def test_any_text_may_name_a_system_or_a_class(name, tmp_path):
    one = {"id": ["1", "2"], "truth": [name, "other"], "called": [name, "other"]}
    two = {"id": ["2", "1"], "truth": ["other", name], "called": ["other", "other"]}
    assert right({name: one, "another": two}) == {name: 2, "another": 1}
    long = {
        "item": ["1", "2", "1", "2"],
        "system": [name, name, "another", "another"],
        "truth": [name, "other"] * 2,
        "called": [name, "other", "other", "other"],
    }
    assert right(long) == {"another": 1, name: 2}
    if name not in {"truth", "item"}:
        wide = {"label": [name, "other"], name: [name, "other"], "another": ["other", "other"]}
        assert right(wide, truth="label") == {name: 2, "another": 1}


SHOWN = [*(("evaluate", name) for name in NASTY if name != "item"), ("compare", "\x1b[31mred")]


@pytest.mark.parametrize(("verb", "name"), SHOWN)
def test_nothing_from_the_data_steers_a_terminal(verb, name, tmp_path, monkeypatch, capsys):
    quoted = '"' + name.replace('"', '""') + '"'
    rows = f"{quoted},{quoted},other\nother,other,other\n" * 4
    path = text(f"label,{quoted},another\n{rows}", f"{name.replace('/', '')}.csv")(tmp_path)
    monkeypatch.setattr(sys, "argv", ["steelyard", verb, path, "--truth", "label"])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert not ended.value.code
    for line in (out + err).splitlines():
        assert line == clean_text(line)


def test_refusals_do_not_steer_a_terminal_either(tmp_path, monkeypatch, capsys):
    path = text("truth,\x1b[31mred\nx,\x1b]0;title\x07\n\x9b2J,x\n", "\x1b[2J.csv")(tmp_path)
    monkeypatch.setattr(sys, "argv", ["steelyard", "evaluate", path])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (1, "")
    assert all(letter == "\n" or letter.isprintable() for letter in err)


FRAMES = {
    "pandas": lambda rows: pd.DataFrame(rows),
    "pandas category": lambda rows: pd.DataFrame(rows).astype("category"),
    "pandas string": lambda rows: pd.DataFrame(rows).astype("string"),
    "pandas object": lambda rows: pd.DataFrame(rows).astype(object),
    "polars": lambda rows: pl.DataFrame(rows),
    "polars lazy": lambda rows: pl.LazyFrame(rows),
    "polars Categorical": lambda rows: pl.DataFrame(rows).cast(pl.Categorical),
    "polars Enum": lambda rows: pl.DataFrame(rows).cast(pl.Enum(["x", "y"])),
    "pyarrow dictionary": lambda rows: pa.table(
        {name: pa.array(column).dictionary_encode() for name, column in rows.items()}
    ),
    "record batch": lambda rows: pa.RecordBatch.from_pydict(rows),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_every_kind_of_frame_gives_the_same_calls(kind):
    rows = {"truth": ["x", "y", "x"], "a": ["x", "y", "y"]}
    assert right(FRAMES[kind](rows)) == {"a": 2}


@pytest.mark.parametrize("dtype", ["Int64", "boolean", "Float64"])
def test_nullable_columns_of_pandas_know_what_is_missing(dtype):
    frame = pd.DataFrame({"truth": [1, 0, 1], "a": pd.array([1, None, 1], dtype=dtype)})
    predictions = opened(frame, called="a", missing="exclude")
    confusion = tally_confusion(predictions, predictions.systems[0])
    assert (confusion.right, confusion.total) == (2, 2)


def test_categories_of_numbers_are_classes():
    frame = pd.DataFrame({"truth": [1, 0, 1], "a": [1, 0, 0]}).astype("category")
    assert right(frame) == {"a": 2}


def test_masked_entries_are_missing():
    masked = np.ma.MaskedArray([1, 0, 1], mask=[False, True, False])
    predictions = opened({"truth": [1, 0, 1], "a": masked}, missing="exclude")
    assert tally_confusion(predictions, predictions.systems[0]).total == 2


def test_groups_of_fractions_are_not_rounded_together():
    data = {"truth": ["x", "y"], "a": ["x", "y"], "group": [1.25, 1.5]}
    predictions = opened(data)
    rows = predictions.table.query("SELECT slice FROM {t} ORDER BY slice")
    assert rows == [("1.25",), ("1.5",)]


def test_heavy_weights_are_summed_exactly():
    data = {"truth": ["x", "x"], "a": ["x", "x"], "weight": [2.0**32, 2.0**31]}
    predictions = opened(data)
    confusion = tally_confusion(predictions, predictions.systems[0])
    assert confusion.right == 2

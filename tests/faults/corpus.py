"""Bad inputs in one table: what is written, which error it must meet, and the words it must say."""

import gzip
import pickle
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["BAD", "BASE", "Bad", "cli_arguments", "text"]

Write = Callable[[Path], Any]

BASE = "id,truth,a,b\n1,x,x,y\n2,y,y,y\n3,x,y,x\n"


@dataclass(frozen=True)
class Bad:
    """One bad input; ``write`` puts it into a folder and gives what is passed to a verb."""

    name: str
    write: Write
    code: str
    words: tuple[str, ...]
    roles: Mapping[str, Any] = field(default_factory=dict)
    verb: str = "evaluate"
    exit_code: int = 1
    faults: int | None = None


def text(content: str | bytes, name: str = "data.csv", encoding: str = "utf-8") -> Write:
    def write(folder: Path) -> str:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return str(path)

    return write


def several(**files: str) -> Write:
    """One file per system."""

    def write(folder: Path) -> dict[str, str]:
        return {name: text(content, f"{name}.csv")(folder) for name, content in files.items()}

    return write


def shards(*contents: str) -> Write:
    def write(folder: Path) -> list[str]:
        return [text(one, f"shard{n}.csv")(folder) for n, one in enumerate(contents)]

    return write


def parquet(columns: Mapping[str, Any], name: str = "data.parquet") -> Write:
    def write(folder: Path) -> str:
        pq.write_table(pa.table(dict(columns)), folder / name)
        return str(folder / name)

    return write


def broken_parquet(change: Callable[[bytes], bytes]) -> Write:
    def write(folder: Path) -> str:
        rows = {"truth": ["x", "y"] * 500, "a": ["x", "y"] * 500}
        path = Path(parquet(rows)(folder))
        path.write_bytes(change(path.read_bytes()))
        return str(path)

    return write


def value(data: Any) -> Write:
    """Something that lives in Python only."""
    return lambda folder: data


def scores(*cells: str, header: str = "id,truth,s") -> str:
    rows = "".join(f"{n},{n % 2},{cell}\n" for n, cell in enumerate(cells, 1))
    return f"{header}\n{rows}"


def vectors(*rows: str) -> str:
    body = "".join(f"{n},{'xy'[n % 2]},{row}\n" for n, row in enumerate(rows))
    return f"id,truth,m.x,m.y\n{body}"


def zipped(folder: Path) -> bytes:
    with zipfile.ZipFile(folder / "made.zip", "w") as archive:
        archive.writestr("a.csv", BASE)
    return (folder / "made.zip").read_bytes()


def missing_file(folder: Path) -> str:
    text(BASE, "predictions.csv")(folder)
    return str(folder / "predctions.csv")


def numpy_file(folder: Path) -> str:
    np.save(folder / "a.npy", np.array([1, 2]))
    return str(folder / "a.npy")


MANY = "".join(f"{n},{n % 2},0.{n % 7}\n" for n in range(30_000))
POSITIVE = {"positive": "1"}
IDS = "id,truth,a\n" + "".join(f"{n},item{n},cat\n" for n in range(200))

SCORES = [
    *(
        Bad(
            f"a score is {cell or 'empty'}",
            text(scores("0.5", cell, "0.7")),
            "missing-score",
            (
                "data.csv",
                "column 's'",
                "1 of 3 rows has no score",
                "row 2 (item '2')",
                "missing='exclude' (--missing exclude)",
                "--missing worst",
            ),
            POSITIVE,
        )
        for cell in ("NaN", "", "NA", "null", "None", "n/a")
    ),
    Bad(
        "three scores are missing",
        text(scores("", "0.5", "", "0.25", "")),
        "missing-score",
        ("3 of 5 rows have no score", "row 1", "row 3", "row 5", "leave them out"),
        {**POSITIVE, "score": "s"},
    ),
    Bad(
        "a Parquet score is NaN",
        parquet({"truth": [1, 0, 1], "s": pa.array([0.5, float("nan"), 0.7])}),
        "missing-score",
        ("data.parquet", "column 's'", "1 of 3 rows", "row 2: 'nan'"),
        POSITIVE,
    ),
    Bad(
        "a Parquet score is null",
        parquet({"truth": [1, 0, 1], "s": pa.array([0.5, None, 0.7])}),
        "missing-score",
        ("data.parquet", "1 of 3 rows", "row 2: empty"),
        POSITIVE,
    ),
    *(
        Bad(
            f"a score is {cell}",
            text(scores("0.5", cell, "0.7")),
            "score-not-a-number",
            (
                "column 's'",
                "1 row holds no number",
                "row 2 (item '2')",
                cell.strip('"'),
                "--called s",
            ),
            {**POSITIVE, "score": "s"},
        )
        for cell in ("1e400", "-1e400", "1_000", "0x10", "abc", '"0,5"', "١")
    ),
    Bad(
        "junk among scores does not go with the missing ones",
        text(scores("0.5", "abc", "0.7")),
        "score-not-a-number",
        ("'abc'",),
        {**POSITIVE, "score": "s", "missing": "exclude"},
    ),
    Bad(
        "a late word among scores",
        text(f"id,truth,a\n{MANY}30001,1,cat\n"),
        "score-not-a-number",
        ("1 row holds", "row 30001 (item '30001'): 'cat'"),
        POSITIVE,
    ),
    Bad(
        "no positive class is named",
        text("truth,s\nship,0.5\ncar,0.25\n"),
        "no-positive",
        ("Classes: car, ship", "positive='ship' (--positive ship)", "alphabet"),
        exit_code=2,
    ),
    Bad(
        "the positive class is unknown",
        text("truth,s\nship,0.5\ncar,0.25\n"),
        "bad-request",
        ("positive='shp'", "car, ship", "Did you mean positive='ship'"),
        {"positive": "shp"},
        exit_code=2,
    ),
    Bad(
        "one class only allows no comparison of areas",
        text("truth,s,t\n1,0.5,0.25\n1,0.75,0.5\n"),
        "one-class",
        ("2 positives and 0 negatives", "Add items"),
        POSITIVE,
        verb="compare",
    ),
]

LABELS = [
    Bad(
        "a true class is empty",
        text("id,truth,a\n1,x,x\n2,,x\n3,y,y\n"),
        "missing-label",
        (
            "column 'truth'",
            "1 of 3 rows has no truth",
            "row 2 (item '2'): empty",
            "unlabelled='exclude' (--unlabelled exclude)",
        ),
    ),
    Bad(
        "a true class is blanks",
        text("id,truth,a\n1,x,x\n2,  ,x\n3,y,y\n"),
        "label-blank",
        ("column 'truth'", "1 row holds nothing that can be seen: '  '", "leave the cell empty"),
    ),
    Bad(
        "a called class is a control character",
        value({"truth": ["x", "y", "y"], "a": ["x", "\x1d", "y"]}),
        "label-blank",
        ("column 'a'", "1 row holds nothing that can be seen: '\\x1d'"),
    ),
    Bad(
        "a true class is null",
        parquet({"truth": ["x", None, "y"], "a": ["x", "x", "y"]}),
        "missing-label",
        ("data.parquet", "1 of 3 rows", "row 2: empty"),
    ),
    Bad(
        "a true class is NaN in pandas",
        value(pd.DataFrame({"truth": ["x", float("nan"), "y"], "a": ["x", "x", "y"]})),
        "missing-label",
        ("pandas frame, column 'truth'", "1 of 3 rows"),
    ),
    Bad(
        "a called class is empty",
        text("truth,a\nx,x\nx,\ny,y\n"),
        "missing-call",
        ("column 'a'", "1 of 3 rows has no called class", "--missing exclude", "--missing worst"),
    ),
    Bad(
        "an outcome is empty",
        text("id,a,b\n1,1,0\n2,,1\n"),
        "missing-outcome",
        ("column 'a'", "1 of 2 rows has neither right nor wrong"),
        {"outcome": ["a", "b"]},
    ),
    Bad(
        "an outcome is neither",
        text("id,a,b\n1,1,0\n2,2,1\n3,yes,1\n"),
        "outcome-value",
        ("2 rows are neither right nor wrong", "row 2 (item '2'): '2'", "1 and 0"),
        {"outcome": ["a", "b"]},
    ),
    Bad(
        "a call is never true",
        text("truth,a\nx,x\nx,z\ny,y\n"),
        "unseen-label",
        (
            "column 'a'",
            "1 row calls 1 class that is never true: z",
            "row 2: 'z'",
            "classes=['x', 'y', 'z'] (--classes x,y,z)",
        ),
    ),
    Bad(
        "labels of other types do not match",
        text("truth,a\n1,yes\n0,maybe\n"),
        "unseen-label",
        ("never true: maybe, yes", "True classes: 0, 1"),
    ),
    Bad(
        "a call is NA",
        text("truth,a\nx,x\ny,NA\ny,y\n"),
        "missing-call",
        ("no called class", "'NA'", "--missing exclude"),
    ),
    Bad(
        "the truth was not declared",
        text("truth,a\nx,x\ny,y\n"),
        "class-unknown",
        ("not declared: y", "classes=['x', 'y'] (--classes x,y)"),
        {"classes": ["x"]},
    ),
    Bad(
        "the truth is a fraction",
        text("truth,a\n0.5,x\n1.5,y\n"),
        "label-fraction",
        ("column 'truth'", "2 rows hold a number that cannot name a class", "--truth COLUMN"),
    ),
    Bad(
        "a call is a fraction",
        text("truth,a\n0,0.5\n1,1.0\n"),
        "label-fraction",
        ("1 row holds a number", "score='a' (--score a)"),
        {"called": "a"},
    ),
    Bad(
        "numbers with points leave open what they are",
        text("truth,a\n0.0,0.0\n1.0,1.0\n"),
        "called-or-score",
        ("--score a", "--called a"),
    ),
    Bad(
        "ids were passed as truth",
        text(IDS),
        "no-systems",
        ("never a true class", "--truth COLUMN"),
    ),
    Bad(
        "there are more classes than any task has",
        text("truth,a\n" + "".join(f"c{n},c{n}\n" for n in range(100_001))),
        "too-many-classes",
        ("column 'truth'", "more than 100,000", "ids"),
    ),
    Bad(
        "a class has a name of ours",
        text("truth,a\n(no answer),x\nx,x\n"),
        "class-reserved",
        ("(no answer)", "Rename"),
    ),
    Bad(
        "there is no truth",
        text("id,a,b\n1,x,y\n2,x,x\n"),
        "no-truth",
        ("truth='COLUMN' (--truth COLUMN)", "answers.csv:COLUMN"),
    ),
    Bad(
        "the truth column is misspelt",
        text("id,label,a\n1,x,y\n"),
        "column-missing",
        ("No column 'lable'", "Found: id, label, a", "Did you mean truth='label'"),
        {"truth": "lable"},
    ),
    Bad(
        "a system is misspelt",
        text(BASE.replace(",a,", ",forest,")),
        "column-missing",
        ("'forst'", "Did you mean systems='forest'"),
        {"systems": ["forst"]},
    ),
    Bad("no column is left for a system", text("id,truth\n1,x\n"), "no-systems", ("id, truth",)),
]

IDENTIFIERS = [
    Bad(
        "an id comes twice",
        text("id,truth,a\n1,x,x\n1,x,y\n2,y,y\n"),
        "duplicate-id",
        (
            "data.csv, column 'id'",
            "1 id appears more than once",
            "1 (2 times)",
            "duplicates='first' (--duplicates first)",
        ),
    ),
    Bad(
        "two shards hold the same id",
        shards("id,truth,a\n1,x,x\n", "id,truth,a\n1,x,x\n"),
        "duplicate-id",
        ("shard0.csv and 1 more file", "1 (2 times)"),
    ),
    Bad(
        "ids are missing",
        text("id,truth,a\n1,x,x\n,x,y\n,y,y\n"),
        "missing-id",
        ("2 rows have no id", "row 2", "row 3"),
    ),
    Bad(
        "ids are floats",
        parquet({"id": [1.0, 2.0], "truth": ["x", "y"], "a": ["x", "y"]}),
        "id-float",
        ("column 'id'", "floating-point", "text or whole numbers"),
    ),
    Bad(
        "ids differ between systems",
        several(svm="id,truth,called\n1,x,x\n2,y,y\n3,x,x\n", rf="id,truth,called\n2,y,y\n4,x,x\n"),
        "unmatched-ids",
        (
            "svm.csv + rf.csv",
            "3 of 4 items are not in every system",
            "svm lacks 1",
            "rf lacks 2",
            "item '1'",
            "1 item they share: join='inner' (--join inner)",
            "--pairing independent",
        ),
        verb="compare",
    ),
    Bad(
        "007 and 7 are two items",
        several(svm="id,truth,called\n007,x,x\n", rf="id,truth,called\n7,x,x\n"),
        "unmatched-ids",
        ("2 of 2 items", "They share no item at all", "ids written alike"),
        verb="compare",
    ),
    Bad(
        "an inner join of nothing",
        several(svm="id,truth,called\n1,x,x\n", rf="id,truth,called\n2,x,x\n"),
        "unmatched-ids",
        ("share no item",),
        {"join": "inner"},
        verb="compare",
    ),
    Bad(
        "common items are called independent",
        text(BASE),
        "pairing-contradicted",
        ("all 2 systems have the same 3 items", "Leave pairing out"),
        {"pairing": "independent"},
        verb="compare",
    ),
]

VECTORS = [
    Bad(
        "a vector does not sum to 1",
        text(vectors("0.5,0.6", "0.2,0.8")),
        "vector-sum",
        (
            "the columns of 'm'",
            "1 row does not sum to 1",
            "row 1 (item '0'): '[0.5, 0.6]'",
            "score='m' (--score m)",
        ),
    ),
    Bad(
        "a probability is above 1",
        text(vectors("1.5,0.2", "0.5,0.5")),
        "vector-sum",
        ("[1.5, 0.2]",),
    ),
    Bad(
        "a probability is negative",
        text(vectors("-0.1,1.1", "0.2,0.8")),
        "vector-negative",
        ("1 row holds a number below 0", "[-0.1, 1.1]", "clipped"),
    ),
    Bad(
        "a vector is all zero",
        text(vectors("0,0", "0.2,0.8")),
        "vector-zero",
        ("only zeros",),
    ),
    Bad(
        "a vector has NaN",
        text(vectors("NaN,0.5", "0.2,0.8")),
        "missing-vector",
        ("1 of 2 rows has no number for some class", "--missing exclude"),
    ),
    Bad(
        "missing=worst knows no worst vector",
        text(vectors(",0.5", "0.2,0.8")),
        "missing-vector",
        ("--missing exclude",),
        {"missing": "worst"},
    ),
    Bad("a vector has inf", text(vectors("inf,0.5", "0.2,0.8")), "vector-infinite", ("infinite",)),
    Bad(
        "a vector has a word",
        text(vectors(*["0.25,0.75"] * 20, "oops,0.5")),
        "vector-not-a-number",
        ("1 row holds text beside numbers",),
        {"missing": "exclude"},
    ),
    Bad(
        "a list is too short",
        value({"truth": ["x", "y"], "m": [[0.5, 0.5], [0.5]]}),
        "vector-length",
        ("1 row does not hold 2 numbers", "row 2: '[0.5]'"),
        {"classes": ["x", "y"]},
    ),
    Bad(
        "a list does not say its classes",
        text('{"truth":"x","m":[0.5,0.5]}\n{"truth":"y","m":[0.25,0.75]}\n', "data.jsonl"),
        "class-order",
        ("column 'm'", "classes=['x', 'y'] (--classes x,y)"),
        exit_code=2,
    ),
    Bad(
        "an object has other classes",
        text('{"truth":"x","m":{"x":1,"z":0}}\n{"truth":"y","m":{"x":0,"z":1}}\n', "data.jsonl"),
        "vector-classes",
        ("m has numbers for x, z", "classes are x, y"),
    ),
    Bad(
        "a template matches nothing",
        text("truth,p0,p1\n0,0.5,0.5\n"),
        "column-missing",
        ("q{class}",),
        {"vector": ["m=q{class}"]},
    ),
]

WEIGHTS = [
    *(
        Bad(
            f"a weight is {cell}",
            text(f"truth,a,weight\nx,x,1\ny,y,{cell}\n"),
            code,
            ("column 'weight'", "row 2", "0 or more"),
            {"weight": "weight"},
        )
        for cell, code in (
            ("-1", "weight-negative"),
            ("NaN", "weight-value"),
            ("inf", "weight-value"),
            ("", "weight-value"),
            ("heavy", "weight-value"),
        )
    ),
    Bad(
        "a weight is too large",
        text("truth,a,weight\nx,x,1\ny,y,1e10\n"),
        "weight-too-large",
        ("2^32", "Divide"),
        {"weight": "weight"},
    ),
    Bad(
        "all weights are tiny",
        text("truth,a,weight\nx,x,1e-6\ny,y,2e-6\n"),
        "weight-too-small",
        ("1/256", "Multiply"),
        {"weight": "weight"},
    ),
    *(
        Bad(
            f"a {role} is missing",
            text(f"truth,a,{role}\nx,x,1\ny,y,\n"),
            f"missing-{role}",
            (f"1 row has no {role}", "row 2", f"--{role} COLUMN"),
            {role: role},
        )
        for role in ("cluster", "group", "fold")
    ),
]

LAYOUTS = [
    Bad(
        "a long table repeats item and system",
        text("item,system,truth,called\n1,a,x,x\n1,a,x,y\n1,b,x,x\n"),
        "duplicate-id",
        (
            "column 'item' and column 'system'",
            "1 pair of item and system appears more than once",
            "1, a (2 times)",
        ),
    ),
    Bad(
        "a long table disagrees about the truth",
        text("item,system,truth,called\n1,a,x,x\n1,b,y,x\n2,a,x,x\n2,b,x,y\n"),
        "truth-disagrees",
        ("1 item has more than one truth", "item '1': 'x' and 'y'"),
    ),
    Bad(
        "a long row names no system",
        text("item,system,truth,called\n1,a,x,x\n1,,x,x\n"),
        "missing-system",
        ("1 row names no system", "row 2"),
    ),
    Bad(
        "a long row names no item",
        text("item,system,truth,called\n1,a,x,x\n,b,x,x\n"),
        "missing-id",
        ("1 row names no item", "row 2"),
    ),
    Bad(
        "a long table has no items",
        text("system,truth,called\na,x,x\nb,x,x\n"),
        "no-item",
        ("item='COLUMN' (--item COLUMN)",),
    ),
    Bad(
        "an item of a long table is absent for one system",
        text("item,system,truth,called\n1,a,x,x\n1,b,x,x\n2,a,y,y\n"),
        "unmatched-ids",
        ("1 of 2 items is not in every system: b lacks 1", "item '2'"),
    ),
    Bad(
        "files of systems disagree about the truth",
        several(svm="id,truth,called\n1,x,x\n2,y,y\n", rf="id,truth,called\n1,y,x\n2,y,y\n"),
        "truth-disagrees",
        ("svm.csv and rf.csv", "the truth of 1 item differs", "item '1': 'x' and 'y'"),
    ),
    Bad(
        "a file of a system has no ids",
        several(svm="id,truth,called\n1,x,x\n", rf="truth,called\nx,x\n"),
        "no-item",
        ("rf.csv needs the item's id", "Found: truth, called", "--item COLUMN"),
    ),
    Bad(
        "a file of a system has two columns of answers",
        several(svm="id,truth,one,two\n1,x,x,y\n", rf="id,truth,one,two\n1,x,x,y\n"),
        "value-unclear",
        ("svm.csv", "Left over: one, two", "--called COLUMN"),
    ),
    Bad(
        "a file of a system repeats an id",
        several(svm="id,truth,called\n1,x,x\n1,x,y\n", rf="id,truth,called\n1,x,x\n"),
        "duplicate-id",
        ("svm.csv", "1 (2 times)"),
    ),
]

DIALECTS = [
    Bad("the file is empty", text(""), "empty-file", ("data.csv: the file is empty", "header")),
    Bad("the file is white space", text(" \n\n \t\n"), "empty-file", ("only white space",)),
    Bad("there is only a header", text("id,truth,a\n"), "no-items", ("not one row",)),
    Bad(
        "a row is short",
        text("id,truth,a\n1,x,x\n2,y\n3,x,x\n"),
        "ragged",
        ("line 3 has 2 columns, the header has 3", "Correct that row"),
    ),
    Bad(
        "a row is long",
        text("id,truth,a\n1,x,x\n2,y,y,z\n3,x,x\n"),
        "ragged",
        ("line 3 has 4 columns, the header has 3",),
    ),
    Bad(
        "a quote stays open",
        text('id,truth,a\n1,"x,x\n2,y,y\n'),
        "open-quote",
        ("line 2", "not closed"),
    ),
    Bad(
        "text follows a closed quote",
        text('id,truth,a\n1,"x"y,x\n2,y,y\n'),
        "open-quote",
        ("line 2", "written twice"),
    ),
    Bad(
        "line ends are mixed",
        text("id,truth,a\r\n1,x,x\n2,y,y\r\n"),
        "line-ends",
        ("more than one way", "dos2unix data.csv"),
    ),
    *(
        Bad(
            f"two columns look the same: {seen}",
            text(f"id,truth,{one},{other}\n1,x,x,y\n2,y,y,y\n"),
            "duplicate-column",
            ("data.csv", "marks that nobody sees", ascii(other), "none is renamed"),
        )
        for seen, one, other in (
            ("no width", "a", "a\u200b"),
            ("direction", "a", "\u202ea\u202c"),
            ("accents", "caf\u00e9", "cafe\u0301"),
        )
    ),
    Bad(
        "a column name comes twice",
        text("id,truth,a,a\n1,x,x,y\n"),
        "duplicate-column",
        ("data.csv", "'a' and 'a'"),
    ),
    Bad(
        "column names differ by case",
        text("id,truth,a,A\n1,x,x,y\n"),
        "duplicate-column",
        ("'a' and 'A'", "differ only by case"),
    ),
    Bad(
        "numbers stand in the header",
        text("1,2,3\n4,5,6\n"),
        "no-header",
        ("1, 2, 3", "--columns item,truth,called"),
    ),
    Bad(
        "there is one column",
        text("id^truth^a\n1^x^x\n"),
        "one-column",
        ("id^truth^a", "--delimiter"),
    ),
    Bad(
        "a decimal comma is not unanimous",
        text("id;truth;s\n1;1;0,5\n2;0;0.25\n"),
        "unseen-label",
        ("0,5", "score='s'"),
        POSITIVE,
    ),
    Bad(
        "commas may group thousands",
        text("id;truth;s\n1;1;1,500\n2;0;2,250\n"),
        "unseen-label",
        ("decimal=',' (--decimal ,)",),
        POSITIVE,
    ),
    *(
        Bad(
            f"the delimiter is {mark!r}",
            text(BASE),
            "bad-request",
            ("delimiter=", "one character"),
            {"delimiter": mark},
            exit_code=2,
        )
        for mark in ("::", '"', "\n")
    ),
    Bad(
        "UTF-16 lacks its mark",
        text(BASE.encode("utf-16-be")),
        "encoding",
        ("UTF-16 without", "--encoding utf-16-be"),
    ),
    Bad(
        "Latin-1 is not UTF-8",
        text("id,truth,a\n1,caf\xe9,caf\xe9\n", encoding="latin-1"),
        "encoding",
        ("byte 16 is not UTF-8", "encoding='cp1252' (--encoding cp1252)"),
    ),
    Bad(
        "a late byte is not UTF-8",
        text(f"id,truth,a\n{MANY}9,caf\xe9,x\n", encoding="latin-1"),
        "encoding",
        (f"byte {len(MANY) + 16} is not UTF-8",),
    ),
    *(
        Bad(
            f"the encoding is {name}",
            text(BASE),
            "bad-request",
            (f"encoding='{name}'", "cp1252"),
            {"encoding": name},
            exit_code=2,
        )
        for name in ("klingon", "base64")
    ),
    Bad(
        "the declared encoding is wrong",
        text("id,truth,a\n1,caf\xe9,caf\xe9\n"),
        "encoding",
        ("byte 16 is not ASCII",),
        {"encoding": "ascii"},
    ),
]

FORMATS = [
    Bad(
        "gzip is truncated",
        lambda folder: text(gzip.compress(BASE.encode() * 999)[:-20], "a.csv.gz")(folder),
        "damaged",
        ("a.csv.gz", "gzip"),
    ),
    Bad("Parquet is truncated", broken_parquet(lambda b: b[:-40]), "truncated", ("PAR1",)),
    Bad("Parquet lost its head", broken_parquet(lambda b: b[40:]), "damaged", ("not Parquet",)),
    Bad("Parquet is empty", broken_parquet(lambda b: b""), "empty-file", ("empty",)),
    Bad(
        "a footer of Parquet is corrupt",
        broken_parquet(lambda b: b[:-80] + b"\xff" * 60 + b[-20:]),
        "damaged",
        ("data.parquet", "cannot be read"),
    ),
    Bad(
        "a page of Parquet is corrupt",
        broken_parquet(lambda b: b[:4] + b"\xff" * 30 + b[34:]),
        "damaged",
        ("data.parquet", "cannot be read"),
    ),
    Bad("CSV is named Parquet", text(BASE, "a.parquet"), "damaged", ("not Parquet", "ending")),
    Bad("CSV is named Arrow", text(BASE, "a.arrow"), "damaged", ("Arrow", "ending")),
    Bad(
        "CSV is named JSON lines",
        text(BASE, "a.jsonl"),
        "bad-json",
        ("line 1 is not JSON", '{"item"'),
    ),
    Bad(
        "Parquet has no rows",
        parquet({"truth": pa.array([], pa.string()), "a": pa.array([], pa.string())}),
        "no-items",
        ("not one row",),
    ),
    Bad(
        "Parquet has a column name twice",
        lambda folder: (
            pq.write_table(
                pa.Table.from_arrays([pa.array(["x"])] * 3, names=["truth", "a", "A"]),
                folder / "t.parquet",
            )
            or str(folder / "t.parquet")
        ),
        "duplicate-column",
        ("'a' and 'A'",),
    ),
    Bad("a pickle", text(pickle.dumps(BASE), "a.pkl"), "unsafe-format", ("run code", "CSV")),
    Bad("a pickle named CSV", text(pickle.dumps(BASE)), "unsafe-format", ("pickle",)),
    Bad("a numpy file", numpy_file, "unsafe-format", ("a.npy", "run code")),
    Bad(
        "an archive",
        lambda folder: (zipped(folder), str(folder / "made.zip"))[1],
        "archive",
        ("made.zip", "Unpack"),
    ),
    Bad(
        "an archive named CSV",
        lambda folder: text(zipped(folder))(folder),
        "archive",
        ("data.csv", "Unpack it"),
    ),
    Bad("a database", text(b"SQLite format 3\x00rest", "a.db"), "no-table", ("database",)),
    Bad("a web page", text("<!DOCTYPE html><p>a,b", "a.csv"), "no-table", ("HTML",)),
    Bad("a folder", str, "folder", ("folder", "*.csv")),
    Bad("a file that is not there", missing_file, "no-file", ("Did you mean", "predictions.csv")),
    Bad(
        "a pattern without files", lambda f: str(f / "*.csv"), "no-file", ("matches this pattern",)
    ),
    Bad("a text that is no path", value("id,truth\n" * 999), "no-file", ("no such file",)),
    Bad(
        "shards have other columns",
        shards("id,truth,a\n1,x,x\n", "id,truth,b\n2,x,x\n"),
        "columns-differ",
        ("shard1.csv", "shard0.csv", "svm=svm.csv"),
    ),
    Bad(
        "a shard is named twice",
        lambda folder: [text("truth,a\nx,x\n")(folder)] * 2,
        "file-twice",
        ("data.csv: named twice",),
        exit_code=2,
    ),
    Bad(
        "shards have other types",
        lambda folder: [
            parquet({"truth": ["x"], "a": ["x"]}, "a.parquet")(folder),
            parquet({"truth": ["x"], "a": [0.5]}, "b.parquet")(folder),
        ],
        "columns-differ",
        ("b.parquet", "column 'a'", "same types"),
    ),
    Bad(
        "a line of JSON is broken",
        text('{"truth":"x","a":"x"}\n{"truth":"y",\n', "a.jsonl"),
        "bad-json",
        ("a.jsonl: line 2 is not JSON",),
    ),
    *(
        Bad(
            f"{name} says one thing twice",
            text(content, file),
            "repeated-key",
            (f"{file}, row 2: the key {key!r} appears twice", "Write every key once"),
        )
        for name, file, key, content in (
            (
                "a line of JSON",
                "a.jsonl",
                "a",
                '{"truth":"x","a":"x"}\n{"truth":"y","a":"y","a":"x"}',
            ),
            (
                "an array of JSON",
                "a.json",
                "a",
                '[{"truth":"x","a":"x"},{"truth":"y","a":1,"a":2}]',
            ),
            ("a line of JSON with an escape", "a.jsonl", "a", '{"a":"x"}\n{"a":"y","\\u0061":"x"}'),
            (
                "a vector in JSON",
                "a.jsonl",
                "x",
                '{"truth":"x","m":{"x":1,"y":0}}\n{"truth":"y","m":{"x":1,"y":0,"x":0}}',
            ),
        )
    ),
    *(
        Bad(
            f"a log of {name} says one thing twice",
            text(content, file),
            "repeated-key",
            (file, "appears twice in one object of JSON", "Write every key once"),
        )
        for name, file, content in (
            (
                "Every Eval Ever",
                "a.jsonl",
                '{"schema_version":"instance_level_eval_0.2.2","evaluation_id":"e","model_id":"m",'
                '"evaluation_name":"n","sample_id":"1","evaluation":{"score":1,"score":0}}',
            ),
            (
                "lm-evaluation-harness",
                "samples_t_2026-01-01T00-00-00.000000.jsonl",
                '{"doc_id":0,"doc":{},"target":"a","arguments":[],"resps":[],"filtered_resps":[],'
                '"filter":"none","metrics":["acc"],"acc":1.0,"acc":0.0}',
            ),
        )
    ),
    Bad(
        "JSON lines without fields",
        text("{}\n{}\n", "a.jsonl"),
        "empty-file",
        ("no object with fields",),
    ),
    Bad(
        "a field of JSON comes late",
        text('{"truth":"x","a":"x"}\n{"truth":"y","a":"y","b":"y"}\n', "a.jsonl"),
        "missing-call",
        ("column 'b'", "1 of 2 rows", "row 1: empty"),
    ),
]

FRAMES = [
    Bad(
        "a pandas column mixes types",
        value(pd.DataFrame({"truth": ["x", "y"], "a": pd.Series([1, "y"], dtype=object)})),
        "mixed-column",
        ("Column 'a' mixes types", "astype(str)"),
    ),
    Bad(
        "a list mixes types",
        value({"truth": ["x", "y"], "a": ["x", 1]}),
        "mixed-column",
        ("Column 'a' mixes types",),
    ),
    Bad(
        "a list holds huge numbers",
        value({"truth": ["x", "y"], "a": [2**70, 1]}),
        "mixed-column",
        ("Column 'a'",),
    ),
    Bad(
        "columns differ in length",
        value({"truth": ["x", "y"], "a": ["x"]}),
        "lengths-differ",
        ("truth has 2, a has 1",),
    ),
    Bad(
        "a pandas frame repeats a name",
        value(pd.DataFrame([["x", "x", "y"]], columns=["truth", "a", "a"])),
        "duplicate-column",
        ("pandas frame", "'a' and 'a'"),
    ),
    Bad(
        "a polars frame is empty",
        value(pl.DataFrame({"truth": [], "a": []})),
        "no-items",
        ("polars frame", "not one row"),
    ),
    Bad(
        "an array has no names",
        value(np.zeros((3, 2))),
        "bad-request",
        ("no column names", "{'truth': y"),
        exit_code=2,
    ),
    Bad("a number is no data", value(7), "source", ("int", "a path, a frame")),
]

REQUESTS = [
    Bad(
        "a threshold is infinite",
        text(scores("0.5", "0.25")),
        "bad-request",
        ("threshold=inf", "finite"),
        {**POSITIVE, "threshold": float("inf")},
        exit_code=2,
    ),
    Bad(
        "a system holds two things",
        text(scores("0.5", "0.25")),
        "bad-request",
        ("s: declared to hold two things",),
        {**POSITIVE, "score": "s", "called": "s"},
        exit_code=2,
    ),
    Bad(
        "a class is declared twice",
        text(BASE),
        "bad-request",
        ("classes names one twice: x",),
        {"classes": ["x", "x", "y"]},
        exit_code=2,
    ),
]

TOGETHER = [
    Bad(
        "three faults at once",
        text("id,truth,a,weight\n1,x,x,1\n1,,y,1\n2,y,z,-1\n3,y,y,1\n"),
        "duplicate-id",
        (
            "4 faults in data.csv",
            "1. column 'id'",
            "no truth",
            "never true: z",
            "negative weight",
        ),
        {"weight": "weight"},
        faults=4,
    ),
]

ONE = {"score": "s", "positive": "y"}

DIGITS = [
    Bad(
        "whole numbers beyond 2^53 are one score",
        text("truth,s\nx,9007199254740992\ny,9007199254740993\n"),
        "score-digits",
        ("column 's'", "become the same one in floating point", "9007199254740993", "ranks"),
        ONE,
    ),
    Bad(
        "long decimals are one score",
        text("truth,s\nx,0.12345678901234567890\ny,0.12345678901234567891\n"),
        "score-digits",
        ("column 's'", "become the same one in floating point", "ranks"),
        ONE,
    ),
    Bad(
        "long decimals of JSON are one score",
        text(
            '{"truth": "x", "s": 0.12345678901234567890}\n'
            '{"truth": "y", "s": 0.12345678901234567891}\n',
            "data.jsonl",
        ),
        "score-digits",
        ("column 's'", "become the same one in floating point"),
        ONE,
    ),
    Bad(
        "whole numbers of Parquet are one score",
        parquet({"truth": ["x", "y"], "s": [2**60, 2**60 + 1]}),
        "score-digits",
        ("column 's'", "become the same one in floating point"),
        ONE,
    ),
    Bad(
        "points where the decimal mark is a comma",
        text("truth;s\nx;1.234\ny;2.345\n"),
        "score-not-a-number",
        ("row 1: '1.234'", "such as 0,25"),
        {**ONE, "decimal": ","},
    ),
]

WIDE = [
    Bad(
        "thousands of columns that could be systems",
        text(
            f"truth,{','.join(f's{n}' for n in range(3_000))}\n"
            + "".join(f"{of}{',x' * 3_000}\n" for of in "xy")
        ),
        "too-many-systems",
        ("more than 1,000", "--systems NAMES"),
    ),
    Bad(
        "a first cell of a whole book",
        text(f"{'x' * 140_000},truth,a\n1,x,x\n"),
        "no-header",
        ("more than 131,072 characters", "header row"),
    ),
]

BAD = [
    *SCORES, *DIGITS, *WIDE,
    *LABELS, *IDENTIFIERS, *VECTORS, *WEIGHTS, *LAYOUTS, *DIALECTS, *FORMATS, *FRAMES,
    *REQUESTS, *TOGETHER,
]  # fmt: skip


def cli_arguments(data: Any, roles: Mapping[str, Any]) -> list[str] | None:
    """Spell an input for the command line, or None where it lives in Python only."""
    if isinstance(data, str) and "\n" not in data:
        files = [data]
    elif isinstance(data, list) and data and isinstance(data[0], str):
        files = data
    elif isinstance(data, dict) and all(isinstance(part, str) for part in data.values()):
        files = [f"{name}={path}" for name, path in data.items()]
    else:
        return None
    switches = [
        f"--{name.replace('_', '-')}={','.join(given) if isinstance(given, list) else given}"
        for name, given in roles.items()
    ]
    return [*files, *switches]

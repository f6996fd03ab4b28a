"""What a suite can be handed that it must refuse: files of its tables, rows, and its own words."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["BAD_SUITES", "BAD_VECTORS", "FILE_CODES", "BadSuite", "place_table"]

FILE_CODES = frozenset(
    "archive bad-json damaged duplicate-column empty-file encoding line-ends no-header no-items "
    "no-table one-column open-quote ragged repeated-key truncated unsafe-format".split()
)
"""Refusals that are about a file, whatever its columns mean."""

PROBLEM = "problems/example"


@dataclass(frozen=True)
class BadSuite:
    """One bad suite: how a sound one is changed, and the words that must be said."""

    name: str
    change: Callable[[Path], object]
    code: str
    words: tuple[str, ...]


def place_table(folder: Path, table: str, written: Path) -> Path:
    """Put a file in the place of a table, under the ending that it has."""
    for ending in (".csv", ".parquet"):
        (folder / PROBLEM / f"{table}{ending}").unlink(missing_ok=True)
    ending = ".parquet" if written.suffix == ".parquet" else ".csv"
    target = folder / PROBLEM / f"{table}{ending}"
    target.write_bytes(written.read_bytes())
    return target


def swap(file: str, old: str, new: str, times: int = 1):
    """Change words of a file."""

    def change(folder):
        path = folder / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, times), encoding="utf-8")

    return change


def cells(table: str, column: str, *given: str):
    """Put these values into the first rows of a column."""

    def change(folder):
        path = folder / PROBLEM / f"{table}.csv"
        head, *rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
        for row, value in zip(rows, given, strict=False):
            row[head.index(column)] = value
        lines = [",".join(row) for row in [head, *rows]]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    return change


def as_floats(folder):
    """Write the ids of the test items as floating-point numbers."""
    rows = (folder / PROBLEM / "test.csv").read_text(encoding="utf-8").splitlines()[1:]
    parts = [row.split(",") for row in rows]
    columns = {
        "id": pa.array([float(one[0]) for one in parts]),
        "mean": pa.array([float(one[1]) for one in parts]),
        "spread": pa.array([float(one[2]) for one in parts]),
    }
    (folder / PROBLEM / "test.csv").unlink()
    pq.write_table(pa.table(columns), folder / PROBLEM / "test.parquet")


def shown_answers(folder):
    path = folder / PROBLEM / "test.csv"
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([f"class,{head}", *(f"calm,{row}" for row in rows)]) + "\n")


def only_head(table):
    def change(folder):
        path = folder / PROBLEM / f"{table}.csv"
        path.write_text(path.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")

    return change


TOML, SUITE = f"{PROBLEM}/problem.toml", "suite.toml"
ANSWERS, TRAIN, TEST = (f"example/{name}.csv" for name in ("answers", "train", "test"))

BAD_SUITES = [
    BadSuite("a number is NaN", cells("train", "mean", "NaN"), "missing-number",
             (f"{TRAIN}, column 'mean': 1 of 60 rows has no number", "row 1 (item '000'): 'NaN'")),
    BadSuite("a number is missing", cells("test", "spread", "", "NA"), "missing-number",
             (f"{TEST}, column 'spread': 2 of 60 rows have no number", "row 1", "row 2")),
    BadSuite("a number is infinite", cells("train", "mean", "inf"), "number-infinite",
             ("1 row holds an infinite number", "'inf'")),
    BadSuite("a number is a word", cells("train", "mean", "abc"), "number-value",
             ("1 row holds no number that can be read", "'abc'")),
    BadSuite("a number is too large", cells("train", "mean", "1e400"), "number-value",
             ("1 row holds no number that can be read", "'1e400'")),
    BadSuite("a class is empty", cells("answers", "class", ""), "missing-label",
             (f"{ANSWERS}, column 'class': 1 of 60 rows has no truth", "row 1", "empty")),
    BadSuite("a group is empty", cells("answers", "group", "", ""), "missing-group",
             (f"{ANSWERS}, column 'group': 2 rows have no group",)),
    BadSuite("a class was not declared", cells("answers", "class", "Calm"), "suite-answers",
             ("holds classes that were not declared", "Declared: calm, rough", "First: Calm")),
    BadSuite("a class is a number", cells("train", "class", "1.0", "true"), "suite-train",
             ("not declared", "1.0; true")),
    BadSuite("all answers are of one class",
             swap(f"{PROBLEM}/answers.csv", ",rough,", ",calm,", 99), "suite-answers",
             ("a class with a weight has no test item. First: rough",)),
    BadSuite("there is one class", swap(TOML, '[[classes]]\nname = "rough"', "[[other]]\nname = 1"),
             "unreadable", ("needs two classes or more",)),
    BadSuite("a test item comes twice", cells("test", "id", "7", "7"), "duplicate-id",
             (f"{TEST}, column 'id': 1 id appears more than once. First: 7 (2 times)",)),
    BadSuite("an id is missing", cells("train", "id", ""), "missing-id",
             (f"{TRAIN}, column 'id': 1 row has no id", "row 1")),
    BadSuite("ids are floats", as_floats, "id-float", ("floating-point", "text or whole numbers")),
    BadSuite("an answer is for another item", cells("answers", "id", "999"), "suite-answers",
             ("answers and test items differ", "999")),
    BadSuite("a leading zero was lost", cells("answers", "id", "79"), "suite-answers",
             ("answers and test items differ", "First: 079; 79")),
    BadSuite("a table has no rows", only_head("train"), "no-items",
             (f"{TRAIN}: there are columns, but not one row",)),
    BadSuite("a weight of a class is negative", swap(TOML, "weight = 0.5", "weight = -0.5"),
             "unreadable", ("a weight of 0 or more",)),
    BadSuite("a prior is NaN", swap(TOML, "prior = 0.5", "prior = nan"), "unreadable",
             ("0 or more",)),
    BadSuite("priors do not sum to 1", swap(TOML, "prior = 0.5", "prior = 0.9"), "unreadable",
             ("add up to 1.4",)),
    *(
        BadSuite(f"a problem weighs {weight}", swap(SUITE, "weight = 1.0", f"weight = {weight}"),
                 "unreadable", ("a finite weight above 0",))
        for weight in ("-1.0", "0.0", "nan", "inf", '"heavy"')
    ),
    BadSuite("a problem is named twice", swap(SUITE, "[[problems]]",
             '[[problems]]\nid = "Example"\n\n[[problems]]'), "unreadable",
             ("names a problem twice",)),
    BadSuite("a problem has the name of another folder", swap(TOML, 'id = "example"',
             'id = "../../../outside"'), "unreadable", ("is not the name of its folder",)),
    BadSuite("a problem lies outside", swap(SUITE, 'id = "example"', 'id = "../example"'),
             "unreadable", ("needs [[problems]]", "letters, digits")),
    BadSuite("a delimiter is no character", swap(TOML, "seed = 0", "delimiter = '::'\nseed = 0"),
             "bad-request", ("example/problem.toml: delimiter='::' cannot separate columns",)),
    BadSuite("an encoding is unknown", swap(TOML, "seed = 0", "encoding = 'klingon'\nseed = 0"),
             "bad-request", ("example/problem.toml: encoding='klingon' is not a text encoding",)),
    BadSuite("a seed is a word", swap(TOML, "seed = 0", 'seed = "x"'), "unreadable",
             ("is not a whole number",)),
    BadSuite("a class has the name of the ids", swap(TOML, '"calm"', '"id"'), "unreadable",
             ("cannot be: id",)),
    BadSuite("classes differ by case", swap(TOML, '"calm"', '"ROUGH"'), "unreadable",
             ("cannot be: ROUGH beside rough",)),
    BadSuite("TOML is broken", swap(SUITE, "version", "version version"), "unreadable",
             ("is not TOML",)),
    BadSuite("algorithms are a number", swap(SUITE, "failures", "algorithms = 5\nfailures"),
             "unreadable", ("algorithms is not a list of texts",)),
    BadSuite("the test items show their class", shown_answers, "answers-shown",
             ("Move it to answers.csv",)),
    BadSuite("an index has no name", swap(f"{PROBLEM}/train.csv", "id,class", ",class"),
             "no-header", ("has no name of its own",)),
    BadSuite("images lie outside", lambda folder: (
        swap(TOML, 'unit = "row"', 'unit = "image"')(folder),
        [swap(f"{PROBLEM}/{name}.csv", "mean", "file")(folder) for name in ("train", "test")],
        cells("train", "file", "../../../../etc/passwd", "a\x00b", "/etc/passwd")(folder),
    ), "suite-files", ("a file is not there, or lies outside the problem", "etc/passwd")),
    BadSuite("content changed since it was sealed", cells("test", "mean", "0.123"),
             "content-changed", ("changed since version 1 was sealed",)),
]  # fmt: skip

BAD_VECTORS = {
    "a number is NaN": ("id,calm,rough\n{0},NaN,1\n", "1 row has no number for some class"),
    "a number is missing": ("id,calm,rough\n{0},,1\n", "1 row has no number for some class"),
    "a number is infinite": ("id,calm,rough\n{0},inf,1\n", "1 row holds an infinite number"),
    "a number is negative": ("id,calm,rough\n{0},-0.1,1.1\n", "1 row holds a number below 0"),
    "a vector is all zero": ("id,calm,rough\n{0},0,0\n", "1 row holds only zeros"),
    "a number is a word": ("id,calm,rough\n{0},abc,1\n", "1 row holds no number that can be read"),
    "a sum overflows": ("id,calm,rough\n{0},1e308,1e308\n", "whose sum is beyond any number"),
    "a class is lacking": ("id,calm\n{0},1\n", "has no column rough"),
    "an id comes twice": ("id,calm,rough\n{0},1,0\n{0},1,0\n", "1 id appears more than once"),
    "an id is missing": ("id,calm,rough\n,1,0\n", "1 row has no id"),
    "an item is lacking": ("id,calm,rough\nnobody,1,0\n", "1 rows for 60 items, none for"),
    "there are no rows": ("id,calm,rough\n", "there are columns, but not one row"),
    "the file is empty": ("", "the file is empty"),
    "a row is ragged": ("id,calm,rough\n{0},1\n", "has 2 columns, the header has 3"),
    "it is HTML": ("<!DOCTYPE html><p>", "a page of HTML or XML is not a table"),
}
"""What a file of ready predictions may hold, and why its cell is invalid."""

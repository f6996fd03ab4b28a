"""Numbers for each item as people have them: what is not a number, and what is not an item."""

import csv
from typing import NamedTuple

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import SteelyardError
from tests.typed import type_words

GRADES = [[f"q{n}", 1 + n * 7 % 5, 1 + n * 3 % 5] for n in range(30)]


def write(path, names, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])
    return path


def refusal(path, **asked):
    with pytest.raises(SteelyardError) as found:
        sy.compare(path, **asked)
    return str(found.value)


class Spelled(NamedTuple):
    cells: list[str]
    said: str


SPELLED = {
    "decimal commas": Spelled(["3,25", "4,5", "1,75"], "decimal=',' (--decimal ,)"),
    "small decimal commas": Spelled(["0,125", "0,250", "0,375"], "decimal=',' (--decimal ,)"),
    "thousands": Spelled(["1,234", "2,345", "3,456"], "Write 1234 for '1,234'"),
    "one unit": Spelled(["120ms", "80 ms", "95ms"], "Write the number alone, 120 for '120ms'"),
    "two units": Spelled(["120ms", "1.2s", "95ms"], "in different units (ms, s)"),
    "prices": Spelled(["$1.20", "$0.80", "$2.00"], "Write the number alone, 1.20 for '$1.20'"),
    "times": Spelled(["0:01:23", "0:00:50", "0:02:00"], "give seconds"),
    "error bars": Spelled(["0.91 (0.02)", "0.8 (0.1)", "0.7 (0.1)"], "alone, 0.91 for"),
    "words": Spelled(["good", "bad", "bad"], "If classes stand there: called='b.x' (--called b.x)"),
}


@pytest.mark.parametrize("kind", SPELLED)
def test_a_number_that_is_written_otherwise_is_told_how_to_be_written(kind, tmp_path):
    cells, said = SPELLED[kind]
    rows = [[n, n % 4 + 0.5, cells[n % 3]] for n in range(12)]
    path = write(tmp_path / "x.csv", ["id", "a.x", "b.x"], rows)
    assert said in refusal(path, value=["a.x", "b.x"], lower_is_better=True)


def test_a_last_row_of_means_or_totals_is_no_item(tmp_path):
    means = [round(float(np.mean([row[n] for row in GRADES])), 2) for n in (1, 2)]
    totals = [sum(row[n] for row in GRADES) for n in (1, 2)]
    for last in (["Mean", *means], ["TOTAL", *totals]):
        path = write(tmp_path / "x.csv", ["question", "a", "b"], [*GRADES, last])
        assert "1 row sums up the rows above" in refusal(path, value=["a", "b"])
    # A word that only sounds so is an item like others.
    path = write(tmp_path / "x.csv", ["question", "a", "b"], [*GRADES, ["mean", 5, 1]])
    found = sy.compare(path, value=["a", "b"], higher_is_better=True)
    assert found.items == len(GRADES) + 1


def test_a_total_of_errors_and_words_is_no_utterance(tmp_path):
    rows = [[f"u{n}", 8 + n % 5, n % 3, n % 4] for n in range(20)]
    total = ["Sum", *(sum(row[n] for row in rows) for n in (1, 2, 3))]
    names = ["utt", "words", "a.errors", "b.errors"]
    path = write(tmp_path / "x.csv", names, [*rows, total])
    assert "sums up the rows above" in refusal(path, errors=names[2:], per="words")


class Offered(NamedTuple):
    names: list[str]
    rows: list[list[object]]
    typed: str


LONG = [[f"q{n // 3}", f"m{n % 3}", n * 7 % 5, 100 + n, n / 9] for n in range(30)]
OFFERED = {
    "shares by name": Offered(
        ["utt_text", "a_wer", "b_wer"],
        [[f"text {n}", n % 7 / 7, n % 5 / 5] for n in range(30)],
        "compare x.csv --value a_wer,b_wer",
    ),
    "two quantities": Offered(
        ["id", "a.grade", "b.grade", "a.latency_ms", "b.latency_ms"],
        [[n, n % 5, n * 3 % 5, 100 + n, 90 + n] for n in range(30)],
        "compare x.csv --value a.grade,b.grade",
    ),
    "long": Offered(
        ["item", "model", "grade", "latency_ms", "cost"],
        LONG,
        "compare x.csv --value grade --system model",
    ),
    "long, of questions": Offered(
        ["question", "model", "grade"],
        [[f"q{n // 3}", f"m{n % 3}", n * 7 % 5] for n in range(60)],
        "compare x.csv --value grade",
    ),
    "data sets": Offered(
        ["Dataset", "RF", "SVM"],
        [[f"d{n}", n % 7 / 7, n % 5 / 5] for n in range(9)],
        "compare x.csv --layout datasets",
    ),
}


@pytest.mark.parametrize("shape", OFFERED)
def test_numbers_for_each_item_are_offered_as_such(shape, tmp_path):
    names, rows, typed = OFFERED[shape]
    write(tmp_path / "x.csv", names, rows)
    refused = type_words(["compare", "x.csv"], folder=tmp_path)
    assert refused.err.splitlines()[-1] == f"Type: steelyard {typed}"
    found = type_words([*typed.split(), "--higher-is-better"], folder=tmp_path)
    assert found.code == 0


def test_data_sets_are_offered_to_the_verb_that_takes_them(tmp_path):
    write(tmp_path / "x.csv", *OFFERED["data sets"][:2])
    refused = type_words(["evaluate", "x.csv"], folder=tmp_path)
    assert refused.err.splitlines()[-1] == "Type: steelyard compare x.csv --layout datasets"


def test_a_mended_file_is_read_by_the_command_that_was_typed(tmp_path):
    rows = [[n, f"{n}%", f"{n + 3}%"] for n in range(3)]
    write(tmp_path / "x.csv", ["id", "a.iou", "b.iou"], rows)
    words = ["gate", "x.csv", "--value", "a.iou,b.iou", "--candidate", "a", "--baseline", "b"]
    refused = type_words([*words, "--require", "better"], folder=tmp_path)
    assert refused.err.splitlines()[-1] == (
        "Type: sed -E 's/([0-9]) *%/\\1e-2/g' x.csv > plain.csv && steelyard gate plain.csv "
        "--value a.iou,b.iou --candidate a --baseline b --require better"
    )


def test_names_that_say_both_ways_are_shown(tmp_path):
    rows = [[n, n % 5, 100 + n] for n in range(30)]
    path = write(tmp_path / "x.csv", ["id", "a.grade", "b.latency"], rows)
    said = refusal(path, value=["a.grade", "b.latency"])
    assert "Do these columns hold one quantity?" in said
    assert "a.grade higher, b.latency lower" in said


MISSING = {
    "id": list(range(12)),
    "a": [3.0, None, *range(10)],
    "b": [4.0, 1.0, None, *range(1, 10)],
}


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_missing_value_may_count_as_the_worst_of_a_stated_range(better):
    asked = {"value": ["a", "b"], f"{better}_is_better": True, "range": (0, 10)}
    worst = 0.0 if better == "higher" else 10.0
    filled = {
        name: [worst if cell is None else cell for cell in column]
        for name, column in MISSING.items()
    }
    found = sy.compare(MISSING, missing="worst", **asked)
    plain = sy.compare(filled, **asked)
    assert found.pairs == plain.pairs and found.systems == plain.systems
    said = [one for one in found.caveats if "missing=worst" in one]
    assert [one[:7] for one in said] == ["1 item ", "1 item "] and f"as {worst:g}" in said[0]


def test_what_makes_a_worst_value_known_is_asked_for():
    asked = {"value": ["a", "b"], "missing": "worst"}
    with pytest.raises(SteelyardError, match="the range that values can have"):
        sy.compare(MISSING, **asked, higher_is_better=True)
    with pytest.raises(SteelyardError, match="which way is better"):
        sy.compare(MISSING, **asked, range=(0, 10))
    cut = sy.compare(MISSING, **asked, higher_is_better=True, threshold=5)
    assert cut.items == 12 and any("of a counts as wrong" in one for one in cut.caveats)
    ratio = {"a.errors": [1, None, 2], "b.errors": [1, 2, 2], "words": [9, 9, 9]}
    with pytest.raises(SteelyardError, match="has no worst value"):
        sy.compare(ratio, errors=["a.errors", "b.errors"], per="words", missing="worst")

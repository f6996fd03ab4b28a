"""Which items: the list of a comparison, and that its counts are those of the answer."""

import csv
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.errors import NotComparable, RequestError

DATA = Path("src/steelyard/data")


def _rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_every_item_is_listed_with_its_answers_and_who_was_right(tmp_path: Path) -> None:
    target = tmp_path / "items.csv"
    found = sy.compare(DATA / "digits_labels.csv", items=target)
    rows = _rows(target)
    assert len(rows) == 899
    for one in found.systems:
        right = sum(int(row[f"{one.system} right"]) for row in rows)
        assert right == one.rate.successes
    for row in rows:
        right = [one.system for one in found.systems if row[one.system] == row["truth"]]
        assert row["who was right"] in {"all", "nobody"} or set(
            row["who was right"].split(", ")
        ) == set(right)


def test_flips_are_the_discordant_items_of_the_answer(tmp_path: Path) -> None:
    target = tmp_path / "flips.csv"
    found = sy.compare(DATA / "digits_labels.csv", items=target, flips=["svm", "knn3"])
    pair = next(one for one in found.pairs if {one.first, one.second} == {"svm", "knn3"})
    rows = _rows(target)
    assert len(rows) == pair.table.discordant
    assert sum(row["svm right"] == "1" for row in rows) in {pair.table.first, pair.table.second}


def test_items_come_with_cluster_and_slice_and_as_parquet(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    target = tmp_path / "items.parquet"
    rows = list(csv.DictReader((DATA / "radar_scans.csv").read_text(encoding="utf-8").splitlines()))
    columns = {
        name: [row[name] for row in rows] for name in ("item", "watch", "truth", "new", "old")
    }
    columns["sea"] = ["calm", "rough"] * 600
    sy.compare(columns, systems=["new", "old"], cluster="watch", group="sea", items=target)
    table = pq.read_table(target)
    assert table.column_names[-2:] == ["cluster", "slice"]
    assert table.num_rows == 1200
    assert str(table.schema.field("new right").type) == "int8"


def test_names_that_a_spreadsheet_would_run_are_disarmed(tmp_path: Path) -> None:
    target = tmp_path / "items.csv"
    data = {"item": ["=1+1", "b", "c"], "truth": ["x", "y", "x"], "a": ["x", "x", "x"],
            "b": ["y", "y", "x"]}  # fmt: skip
    sy.compare(data, items=target)
    assert _rows(target)[0]["item"] == "'=1+1"


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"items": "items.xlsx"}, RequestError, "items.csv, items.parquet"),
        ({"flips": ["svm", "rf"]}, RequestError, "items that are written"),
        ({"items": "i.csv", "flips": ["svm"]}, RequestError, "Name two of"),
        ({"items": "i.csv", "flips": ["svm", "none"]}, RequestError, "Name two of"),
    ],
)
def test_items_that_cannot_be_listed_are_refused(asked: dict, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        sy.compare(DATA / "digits_labels.csv", **asked)


def test_scores_have_no_right_items(tmp_path: Path) -> None:
    with pytest.raises(NotComparable, match=r"--threshold 0\.5"):
        sy.compare(DATA / "wdbc_scores.csv", positive=1, items=tmp_path / "items.csv")

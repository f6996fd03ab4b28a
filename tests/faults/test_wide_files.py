"""Files of many columns: what is asked of them takes as much as the columns in question."""

import json
import sys
import tracemalloc
import zipfile
from contextlib import suppress

import numpy as np
import polars as pl
import pytest
from limited import GIB, ask

import steelyard as sy
from steelyard.errors import SteelyardError
from steelyard.sources import Roles, open_predictions
from steelyard.sources.files.reader_files import find_reader_file
from steelyard.sources.shapes.measured_vectors import MANY_CLASSES
from steelyard.tally import (
    tally_class_scores,
    tally_class_scores_by,
    tally_confusion,
    tally_vector_scores,
)

WRITERS = {
    "csv": lambda frame, path: frame.write_csv(path),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "parquet": lambda frame, path: frame.write_parquet(path),
}


def features(columns: int, rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(7)
    table = rng.integers(0, 2, (rows, columns + 1))
    names = ["truth", *(f"s{n}" for n in range(columns))]
    return pl.DataFrame({name: table[:, n] for n, name in enumerate(names)})


def vectors(classes: int, rows: int) -> tuple[list[str], np.ndarray]:
    rng = np.random.default_rng(8)
    truth = np.concatenate([np.arange(classes), rng.integers(0, classes, rows - classes)])
    table = rng.random((rows, classes)).round(6) + 1e-6
    table[np.arange(rows), truth] += 0.4
    table[5, :2] = table[5].max() + 0.1  # a tie
    return [f"c{one}" for one in truth], table / table.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("form", list(WRITERS))
def test_one_system_of_thousands_of_columns_takes_little_memory(tmp_path, form):
    path = tmp_path / f"wide.{form}"
    WRITERS[form](features(5_000, 6), path)
    ended = ask("evaluate", str(path), systems=["s1"])
    assert not ended.code
    assert ended.said.startswith("s1 is right on")
    assert ended.peak < GIB


def test_hundreds_of_systems_take_little_memory(tmp_path):
    path = tmp_path / "wide.csv"
    features(200, 6).write_csv(path)
    ended = ask("evaluate", str(path))
    assert not ended.code
    assert ended.peak < GIB


@pytest.mark.parametrize("classes", ["ab", "xy"])
def test_no_statement_counts_the_different_values_of_many_columns_at_once(tmp_path, classes):
    """Each takes a hash table: 600 columns of 1,000 rows took more than six gigabytes."""
    path = tmp_path / "wide.csv"
    rows = [[classes[place % 2]] * 80 for place in range(6)]
    truth = [["a", "b"][place % 2] for place in range(6)]
    lines = [",".join([true, *row]) for true, row in zip(truth, rows, strict=True)]
    path.write_text("\n".join(["truth," + ",".join(f"s{n}" for n in range(80)), *lines]) + "\n")
    said: list[str] = []
    with suppress(SteelyardError):
        sy.evaluate(path, observe=lambda one: said.append(one.sql))
    assert len(said) > 80
    assert max(one.count("COUNT(DISTINCT") for one in said) <= 2


def test_many_systems_are_a_table_so_that_a_statement_binds_the_columns_it_uses(tmp_path):
    path = tmp_path / "wide.csv"
    features(40, 6).write_csv(path)
    said: list[str] = []
    sy.evaluate(path, observe=lambda one: said.append(one.sql))
    made = next(one for one in said if " AS s39 " in one)
    assert made.startswith("CREATE TEMP TABLE")


def test_more_systems_than_can_be_compared_are_refused_before_they_are_counted(tmp_path):
    path = tmp_path / "wide.csv"
    features(301, 6).write_csv(path)
    with pytest.raises(SteelyardError, match="301 systems make 45,150 pairs") as refused:
        sy.compare(path)
    assert refused.value.code == "too-many-systems"


def test_thousands_of_columns_that_could_be_systems_are_refused_in_words(tmp_path):
    path = tmp_path / "wide.csv"
    features(5_000, 6).write_csv(path)
    ended = ask("evaluate", str(path))
    assert ended.code == "too-many-systems"
    assert "Name the systems that you mean: systems='NAMES' (--systems NAMES)" in ended.said
    assert ended.peak < GIB


def test_a_frame_of_thousands_of_columns_is_asked_for_one():
    found = sy.evaluate(features(5_000, 6), systems=["s1"])
    assert [one.system for one in found.systems] == ["s1"]


def test_columns_that_are_not_asked_for_are_not_read():
    """A column of objects would be refused, were it looked at."""
    rows = {"truth": list("ab"), "cnn": list("ab"), "odd": [object(), object()]}
    assert sy.evaluate(rows, systems="cnn").systems[0].accuracy.value == 1.0


def test_a_name_that_is_not_there_is_looked_for_among_all_columns(tmp_path):
    path = tmp_path / "wide.csv"
    features(40, 6).write_csv(path)
    with pytest.raises(SteelyardError, match="Did you mean systems='s12'"):
        sy.evaluate(str(path), systems=["s12x"])


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl", "list", "object"])
def test_vectors_of_many_classes_are_those_of_arrays(tmp_path, form):
    """The same sums as the kernel of arrays gives, to the last bit, and the same calls."""
    size = MANY_CLASSES + 40
    truth, table = vectors(size, 300)
    names = [f"c{n}" for n in range(size)]
    columns = {f"cnn.{name}": table[:, n] for n, name in enumerate(names)}
    data: object = tmp_path / f"vectors.{form}"
    roles: dict[str, object] = {}
    if form == "list":
        data, roles = {"truth": truth, "cnn": list(table)}, {"classes": names}
    elif form == "object":
        lines = [
            json.dumps({"truth": of, "cnn": dict(zip(names, row, strict=True))})
            for of, row in zip(truth, table.tolist(), strict=True)
        ]
        data = tmp_path / "vectors.jsonl"
        data.write_text("\n".join(lines))
    else:
        WRITERS[form](pl.DataFrame({"truth": truth, **columns}), data)
    predictions = open_predictions(data, Roles.of(**roles))
    (system,) = predictions.systems
    order = [names.index(name) for name in predictions.classes]
    expected = sy.tally.vector_scores_of(
        truth, {"cnn": table[:, order]}, labels=predictions.classes
    )
    assert tally_vector_scores(predictions) == expected
    calls = tally_confusion(predictions, system)
    assert calls.total == 300
    best = table == table.max(axis=1, keepdims=True)
    right = [row[names.index(of)] and row.sum() == 1 for of, row in zip(truth, best, strict=True)]
    assert calls.right == sum(right)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (np.nan, "missing-vector"),
        (-1.0, "vector-negative"),
        (np.inf, "vector-infinite"),
        (0.9, "vector-sum"),
    ],
)
def test_vectors_of_many_classes_are_checked_like_others(row, code):
    size = MANY_CLASSES + 6
    truth, table = vectors(size, 100)
    table[40, 3] = row
    columns = {f"cnn.c{n}": table[:, n] for n in range(size)}
    with pytest.raises(SteelyardError) as refused:
        sy.evaluate({"truth": truth, **columns})
    assert [fault.code for fault in refused.value.faults] == [code]
    assert "row 41" in str(refused.value)


def test_more_class_columns_than_items_are_declared_by_their_template(tmp_path):
    """Four hundred classes and three hundred items: not every class can be true."""
    truth, table = vectors(400, 400)
    rows = {"truth": truth[:300], **{f"cnn.c{n}": table[:300, n] for n in range(400)}}
    path = tmp_path / "vectors.csv"
    pl.DataFrame(rows).write_csv(path)
    with pytest.raises(SteelyardError, match=r"--vector '?cnn=cnn\.\{class\}") as refused:
        sy.evaluate(str(path))
    assert refused.value.code == "vector-classes"
    ended = ask("evaluate", str(path), vector=["cnn=cnn.{class}"])
    assert (ended.code, ended.peak < GIB) == ("", True)


def test_lists_of_another_length_are_refused():
    size = MANY_CLASSES + 6
    truth, table = vectors(size, 100)
    rows = [*table[:99].tolist(), table[99, 1:].tolist()]
    with pytest.raises(SteelyardError, match=f"not hold {size} numbers"):
        sy.evaluate({"truth": truth, "cnn": rows}, classes=[f"c{n}" for n in range(size)])


def test_a_thousand_classes_take_the_memory_of_their_numbers(tmp_path):
    truth, table = vectors(1_000, 2_000)
    path = tmp_path / "vectors.parquet"
    pl.DataFrame(
        {"truth": truth, **{f"cnn.c{n}": table[:, n] for n in range(1_000)}}
    ).write_parquet(path)
    ended = ask("evaluate", str(path))
    assert not ended.code
    assert ended.peak < GIB


@pytest.mark.parametrize("verb", [sy.roc, sy.calibration])
def test_vectors_of_many_classes_are_read_in_one_pass(verb):
    """As many statements for a hundred classes as for seventy."""
    counts = []
    for size in (MANY_CLASSES + 6, MANY_CLASSES + 36):
        truth, table = vectors(size, 2 * size)
        data = {"truth": truth, **{f"cnn.c{n}": table[:, n] for n in range(size)}}
        statements = []
        verb(data, observe=statements.append)
        counts.append(len(statements))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("role", [None, "cluster"])
def test_tables_of_each_class_are_those_of_arrays(role):
    """One pass over lists counts what a statement for each class would, ties and clusters too."""
    size = MANY_CLASSES + 6
    truth, table = vectors(size, 200)
    table = table.round(3)
    table /= table.sum(axis=1, keepdims=True)
    parts = [str(n % 7) for n in range(200)]
    data = {"truth": truth, **{f"cnn.c{n}": table[:, n] for n in range(size)}, "cluster": parts}
    predictions = open_predictions(data, Roles())
    (system,) = predictions.systems
    place = 9
    hit = np.array(truth) == f"c{place}"
    scores = table[:, place]
    if role is None:
        found = tally_class_scores(predictions, system)[f"c{place}"]
        expected = sy.ScoreTable.from_scores(scores[hit], scores[~hit], positive=f"c{place}")
        assert found == expected
        return
    grouped = tally_class_scores_by(predictions, system, "cluster")[f"c{place}"]
    assert set(grouped.names) == set(parts)
    for name, found in zip(grouped.names, grouped.parts, strict=True):
        own = np.array(parts) == name
        assert found == sy.ScoreTable.from_scores(
            scores[hit & own], scores[~hit & own], positive=f"c{place}"
        )


def test_hand_and_tills_areas_are_those_of_every_pair():
    """Each pair by itself, pair of items by pair of items, with ties."""
    rng = np.random.default_rng(3)
    truth, table = rng.integers(0, 4, 60), rng.integers(0, 5, (60, 4)).astype(float)

    def area(i, j):
        own, other = table[truth == i, i][:, None], table[truth == j, i]
        return float(((own > other) + (own == other) / 2).mean())

    pairs = [(area(i, j) + area(j, i)) / 2 for i in range(4) for j in range(i)]
    found = sy.measures.hand_till(truth, table, classes=range(4))
    assert found.value == pytest.approx(sum(pairs) / len(pairs), abs=1e-14)


def test_a_number_for_each_item_takes_what_its_columns_take():
    """No statement has a term for every pair of systems."""
    rng = np.random.default_rng(1)
    sizes = {}
    for systems in (10, 40):
        told = []
        table = {f"v{n}": rng.random(8).round(3) for n in range(systems)}
        table["cluster"] = list("aabbccdd")
        asked = [f"v{n}" for n in range(systems)]
        sy.evaluate(table, value=asked, higher_is_better=True, observe=told.append)
        sizes[systems] = sum(len(one.sql) for one in told)
    assert sizes[40] < 5 * sizes[10]


def test_values_in_shares_beside_values_in_percent_are_still_refused():
    table = {"a": [0.5, 0.7, 0.9], "b": [50.0, 70.0, 90.0]}
    with pytest.raises(SteelyardError, match="shares beside percent"):
        sy.evaluate(table, value=["a", "b"], higher_is_better=True)


def wide_results(columns):
    rng = np.random.default_rng(2)
    return {"dataset": [f"d{n}" for n in range(6)]} | {f"s{n}": rng.random(6) for n in columns}


def test_results_of_many_algorithms_are_compared_for_those_that_are_named():
    asked = {"layout": "datasets", "higher_is_better": True}
    found = sy.compare(wide_results(range(1_200)), systems=["s1", "s7", "s8"], **asked)
    assert {one.system for one in found.systems} == {"s1", "s7", "s8"}
    with pytest.raises(SteelyardError, match=r"7,140 pairs, and more than 100 systems"):
        sy.compare(wide_results(range(120)), **asked)


@pytest.mark.parametrize("columns", [400, 2_000])
def test_readers_of_many_columns_are_refused_before_they_are_laid_out(columns):
    table = {"case": list("aabbccdd"), "reader": ["r", "q"] * 4, "truth": [0, 0, 1, 1] * 2}
    table |= {f"s{n}": np.arange(8.0) for n in range(columns)}
    with pytest.raises(SteelyardError) as refused:
        sy.compare(table, reader="reader", positive="1")
    assert refused.value.code == "too-many-systems"
    found = sy.compare(table, reader="reader", positive="1", systems=["s1", "s2"])
    assert len(found.systems) == 2


def test_the_list_of_sheets_of_a_workbook_is_read_in_part(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (1 << 26))
    tracemalloc.start()
    assert find_reader_file(path) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 26


TEXTS = b"<si><t>a</t></si>" * (5 << 20)


@pytest.mark.parametrize(
    ("part", "content", "said"),
    [("xl/sharedStrings.xml", TEXTS, "its texts are larger than 64 MiB"),
     ("xl/worksheets/sheet1.xml", b" " * (40 << 20), "times its size, as no table does")],
)  # fmt: skip
def test_a_small_workbook_that_unpacks_to_a_book_of_nothing_is_refused(
    tmp_path, part, content, said
):
    path = tmp_path / "rows.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr(part, content)
    with pytest.raises(SteelyardError, match=said):
        sy.evaluate(str(path))


PATTERNS = ("p_{}", "prob_{}", "pred_{}", "label_{}", "{}_true", "m{}.a", "x{} confidence", "F_{}")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_work_grows_with_the_number_of_columns_whatever_they_are_called(pattern):
    """Calls of functions are counted, not seconds: names were once compared each with each."""
    truth = ["a", "b", "a"]
    counts = []
    for size in (40, 40, 160):  # once before, so that no import is counted
        more = {pattern.format(n): truth for n in range(size)}
        data = {"truth": truth, "one": truth, **more}
        called = [0]

        def count(frame, event, argument, called=called):
            called[0] += event in {"call", "c_call"}

        sys.setprofile(count)
        try:
            sy.evaluate(data, systems=["one"])
        finally:
            sys.setprofile(None)
        counts.append(called[0])
    assert counts[2] < 4 * counts[1]


def test_systems_that_look_alike_are_named_by_their_letters():
    truth = ["a", "b", "a"]
    found = sy.evaluate({"truth": truth, "mo1": truth, "m\u043e1": truth})
    assert any("'mo1' and 'm\\u043e1' differ only by" in one for one in found.caveats)


def test_lists_of_floating_point_numbers_are_never_written_out_as_text(tmp_path):
    """They keep all their digits; their texts took four gibibytes of fifty million numbers."""
    truth, table = vectors(3, 60)
    path, said = tmp_path / "lists.parquet", []
    pl.DataFrame({"truth": truth, "cnn": list(table)}).write_parquet(path)
    sy.evaluate(str(path), classes=["c0", "c1", "c2"], observe=said.append)
    assert said
    assert not any("VARCHAR[]" in one.sql for one in said)

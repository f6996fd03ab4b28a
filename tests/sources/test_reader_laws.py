"""Laws of all readers: what was written is what is counted, and no content ends in a crash."""

import json
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as pa_feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import SteelyardError
from steelyard.sources import Roles, open_predictions
from steelyard.sources.logs import FORMATS, detect_log
from steelyard.suites import Suite, check_suite, new_suite
from steelyard.tally import tally_confusion, tally_score_table

LOGS = Path(__file__).parent / "logs/data"
few = settings(max_examples=settings().max_examples // 10 or 1, deadline=None)


def json_lines(rows, path):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def json_array(rows, path):
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def table_of(rows):
    return pa.Table.from_pylist(rows)


def stream(rows, path):
    with pa.ipc.new_stream(path, table_of(rows).schema) as writer:
        writer.write_table(table_of(rows))
    return path


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


FORMS = {
    "JSON lines": lambda rows, path: json_lines(rows, path / "a.jsonl"),
    "JSON array": lambda rows, path: json_array(rows, path / "a.json"),
    "Parquet": lambda rows, path: (
        pq.write_table(table_of(rows), path / "a.parquet") or path / "a.parquet"
    ),
    "dictionaries of Parquet": lambda rows, path: (
        pq.write_table(table_of(rows), path / "a.parquet", use_dictionary=True, row_group_size=2)
        or path / "a.parquet"
    ),
    "Feather": lambda rows, path: (
        pa_feather.write_feather(table_of(rows), path / "a.feather") or path / "a.feather"
    ),
    "Arrow stream": lambda rows, path: stream(rows, path / "a.arrows"),
    "pandas": lambda rows, path: pd.DataFrame(rows),
    "polars": lambda rows, path: pl.DataFrame(rows),
    "pyarrow": lambda rows, path: table_of(rows),
    "lists": lambda rows, path: columns(rows),
    "arrays": lambda rows, path: {k: np.array(v, dtype=object) for k, v in columns(rows).items()},
}
WORD = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=9
).map(lambda text: f"k{text}k")
FLOATS = st.one_of(st.floats(allow_nan=False), st.sampled_from([5e-324, 1e308, -0.0, 0.1 + 0.2]))


@pytest.mark.parametrize("form", FORMS)
@few
@given(drawn=st.lists(st.tuples(WORD, st.booleans()), min_size=1, max_size=9))
def test_labels_are_counted_as_they_were_written(form, drawn):
    rows = [
        {"id": f"i{n}", "truth": word, "a": word if right else drawn[0][0]}
        for n, (word, right) in enumerate(drawn)
    ]
    with tempfile.TemporaryDirectory() as folder:
        predictions = open_predictions(FORMS[form](rows, Path(folder)), Roles.of(called="a"))
        found = tally_confusion(predictions, predictions.systems[0])
    plain = [[unicodedata.normalize("NFC", row[name]) for name in ("truth", "a")] for row in rows]
    assert Counter({(t, c): n for t, c, n in found.cells}) == Counter(map(tuple, plain))


@pytest.mark.parametrize("form", FORMS)
@few
@given(drawn=st.lists(st.tuples(st.booleans(), FLOATS), min_size=2, max_size=12))
def test_scores_are_counted_to_the_last_bit(form, drawn):
    finite = form.startswith("JSON")  # JSON knows no infinite number
    rows = [
        {"id": f"i{n}", "truth": "x" if yes else "y", "s": score}
        for n, (yes, score) in enumerate(drawn)
        if not finite or abs(score) != float("inf")
    ]
    rows += [{"id": f"j{n}", "truth": of, "s": 0.5} for n, of in enumerate("xy")]
    with tempfile.TemporaryDirectory() as folder:
        data = FORMS[form](rows, Path(folder))
        predictions = open_predictions(data, Roles.of(score="s", positive="x"))
        found = tally_score_table(predictions, predictions.systems[0])
    plain = Counter((row["s"] + 0.0, row["truth"]) for row in rows)
    scores = sorted({row["s"] + 0.0 for row in rows})
    assert list(found.scores) == scores
    assert list(found.positives) == [plain[score, "x"] for score in scores]
    assert list(found.negatives) == [plain[score, "y"] for score in scores]


ANY_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
        st.sampled_from(["", "C", "I", "0", "1", "nan", "x" * 500, "<script>", "\x1b[2J", "2026"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=4,
)


def places(value, here=()):
    """List where the values of a tree stand."""
    yield here
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(one, (*here, key))


def replaced(value, place, new):
    """Put something else at one place of a tree; None at the end of a key takes it away."""
    if not place:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(place) == 1 and new == "take away":
        del copy[place[0]]
    else:
        copy[place[0]] = replaced(copy[place[0]], place[1:], new)
    return copy


def changed(data, content):
    """Change one to three values of JSON, in one text or in lines."""
    lines = content.splitlines() if content.count("\n}") == 0 and "\n{" in content else [content]
    trees = [json.loads(line) for line in lines if line.strip()]
    for _ in range(data.draw(st.integers(1, 3))):
        which = data.draw(st.integers(0, len(trees) - 1))
        known = list(places(trees[which]))
        place = known[data.draw(st.integers(0, len(known) - 1))]
        new = data.draw(st.one_of(ANY_JSON, st.just("take away")))
        trees[which] = replaced(trees[which], place, new)
    return "\n".join(map(json.dumps, trees))


# Archives of Inspect hold the same JSON, compressed; their bytes are flipped in tests/faults.
SAMPLES = [
    path
    for path in sorted(LOGS.rglob("*"))
    if path.suffix in {".json", ".jsonl"} and path.stat().st_size < 60_000
]


@pytest.mark.parametrize("path", SAMPLES, ids=[f"{p.parent.name}/{p.name}" for p in SAMPLES])
@few
@given(data=st.data())
def test_a_log_with_other_values_is_read_or_refused_and_nothing_else(path, data):
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / path.name
        target.write_text(changed(data, path.read_text(encoding="utf-8")), encoding="utf-8")
        for beside in path.parent.glob("*.json"):
            if not (Path(folder) / beside.name).exists():
                (Path(folder) / beside.name).write_bytes(beside.read_bytes())
        try:
            predictions = open_predictions(str(target), Roles.of())
        except SteelyardError as refused:
            assert len(str(refused)) > 20
            return
        assert predictions.rows > 0


def test_every_format_of_logs_has_a_sample_that_is_changed_or_fuzzed():
    told = {detect_log(path).name for path in sorted(LOGS.rglob("*")) if path.is_file()
            and detect_log(path) is not None}  # fmt: skip
    assert told >= {one.name for one in FORMATS} - {"Kaggle submission"}


WORDS = (
    '0|-1|1e400|nan|inf|true|""|"x"|[]|[1, 2]|{a = 1}|"\u0000"|2026-11-15|99999999999999999999|'
    '"../up"|[[]]|["a"]'
)
TOML = st.sampled_from(WORDS.split("|"))


@few
@given(data=st.data())
def test_a_suite_with_other_words_is_read_or_refused_and_nothing_else(data):
    with tempfile.TemporaryDirectory() as made:
        folder = new_suite(Path(made) / "mine").folder
        name = data.draw(st.sampled_from(["suite.toml", "problems/example/problem.toml"]))
        lines = (folder / name).read_text(encoding="utf-8").splitlines()
        known = [at for at, line in enumerate(lines) if "=" in line]
        for at in data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=2)):
            key = lines[at].partition("=")[0]
            lines[at] = f"{key}= {data.draw(TOML)}"
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        try:
            check_suite(Suite.read(folder))
        except SteelyardError as refused:
            assert len(str(refused)) > 20


@few
@given(data=st.data())
def test_tables_of_a_suite_with_other_cells_are_read_or_refused_and_nothing_else(data):
    with tempfile.TemporaryDirectory() as made:
        suite = new_suite(Path(made) / "mine")
        name = data.draw(st.sampled_from(["train", "test", "answers"]))
        path = suite.folder / f"problems/example/{name}.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(lines) - 1))
            cells = lines[at].split(",")
            place = data.draw(st.integers(0, len(cells) - 1))
            cells[place] = data.draw(st.text(st.characters(codec="utf-8"), max_size=8))
            lines[at] = ",".join(cells)
        path.write_bytes(("\n".join(lines) + "\n").encode())
        try:
            check_suite(suite)
        except SteelyardError as refused:
            assert len(str(refused)) > 20

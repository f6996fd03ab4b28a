"""Inputs that once ended in a traceback: they end in words, or in an answer."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import steelyard as sy
from steelyard.counts import Confusion
from steelyard.errors import SteelyardError
from steelyard.measures import mcc
from steelyard.surfaces.cli.entry import main

TRUTH = ["n", "p", "n", "p"]
SCORES = {"score": "s", "positive": "p"}


@pytest.mark.parametrize("dtype", [">f8", ">i4", ">u2", "<f4", "f2", "longdouble", "?"])
def test_numbers_of_any_width_and_order_of_bytes_are_read(dtype):
    values = np.array([0, 1, 0, 1]).astype(dtype)
    found = sy.evaluate({"truth": TRUTH, "s": values}, **SCORES)
    assert found.systems[0].area.value == 1.0
    assert sy.tally.area_of(TRUTH, values, pos_label="p") == 1


ODD = {
    "complex": np.array([1j, 2, 3, 4]),
    "structured": np.array([(1, 2.0)] * 4, dtype=[("a", int), ("b", float)]),
    "records": np.rec.array([(1, 2.0)] * 4, dtype=[("a", int), ("b", float)]),
    "beyond 64 bits": [2**200, 2**201, 2**200, 2**201],
    "objects": [object(), object(), object(), object()],
}


@pytest.mark.parametrize("name", list(ODD))
def test_values_that_are_no_numbers_are_refused_in_words(name):
    with pytest.raises(SteelyardError, match="Column 's' mixes types, or holds values"):
        sy.evaluate({"truth": TRUTH, "s": ODD[name]}, **SCORES)


DAY = dt.datetime(2026, 1, 2, 3, tzinfo=dt.UTC)
NO_NUMBERS = {
    "times": pa.array([DAY] * 4),
    "dates": pa.array([DAY.date()] * 4),
    "times of day": pa.array([DAY.time()] * 4),
    "durations": pa.array([dt.timedelta(hours=1)] * 4),
    "bytes": pa.array([b"\xff\x00"] * 4),
    "objects": pa.array([{"a": 1.0}] * 4),
    "lists": pa.array([[1.0, 2.0]] * 4),
    "maps": pa.array([[("a", 1)]] * 4, type=pa.map_(pa.string(), pa.int64())),
    "unions": pa.UnionArray.from_sparse(pa.array([0] * 4, pa.int8()), [pa.array(["x"] * 4)]),
}
WITH = {"w": [9, 9, 9, 9], "n": [0.1, 0.2, 0.3, 0.5]}
AS_NUMBERS = {
    "a value": lambda odd: sy.evaluate(pa.table({"s": odd}), value="s", higher_is_better=True),
    "errors": lambda odd: sy.evaluate(pa.table({"s": odd, **WITH}), errors="s", per="w"),
    "what errors are divided by": lambda odd: sy.evaluate(
        pa.table({"s": odd, **WITH}), errors="w", per="s"
    ),
    "a judge": lambda odd: sy.evaluate(
        pa.table({"s": odd, **WITH}), value="n", judge="s", higher_is_better=True
    ),
    "a score": lambda odd: sy.evaluate(pa.table({"truth": TRUTH, "s": odd}), **SCORES),
    "a weight": lambda odd: sy.evaluate(
        pa.table({"truth": TRUTH, "s": odd, "a": TRUTH}), weight="s", called="a"
    ),
    "an exposure": lambda odd: sy.evaluate(
        pa.table({"truth": TRUTH, "s": odd, "a": TRUTH}), called="a", positive="p", exposure="s"
    ),
    "a cost": lambda odd: sy.compare(
        pa.table({"s": odd, **WITH}), value=["w", "n"], cost=["s", "n"], higher_is_better=True
    ),
}


@pytest.mark.parametrize("role", list(AS_NUMBERS))
@pytest.mark.parametrize("name", list(NO_NUMBERS))
def test_columns_of_a_type_that_is_no_number_are_refused_in_our_words(name, role):
    with pytest.raises(SteelyardError) as refused:
        AS_NUMBERS[role](NO_NUMBERS[name])
    assert refused.value.code != "damaged"
    assert "Error" not in str(refused.value)


@pytest.mark.parametrize("frame", [pa.table, pd.DataFrame])
def test_numbers_of_sixteen_bits_are_numbers(frame):
    half = np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float16)
    assert sy.evaluate(frame({"truth": TRUTH, "s": half}), **SCORES).systems[0].area.value == 0.75


LAZY = {
    "a cast that fails": lambda: pl.LazyFrame({"truth": TRUTH, "s": TRUTH}).with_columns(
        pl.col("s").cast(pl.Float64)
    ),
    "a column that is not there": lambda: pl.LazyFrame({"truth": TRUTH}).select("nope"),
    "a file that is not there": lambda: pl.scan_csv("nowhere/at/all.csv"),
}


@pytest.mark.parametrize("name", list(LAZY))
def test_a_lazy_frame_that_fails_says_so_in_its_own_words(name):
    with pytest.raises(SteelyardError, match="LazyFrame could not be worked out"):
        sy.evaluate(LAZY[name](), **SCORES)


class Failing:
    """A column that works itself out when it is asked, and fails."""

    def __array__(self, *given, **more):
        raise RuntimeError("Can't call numpy() on a tensor that requires grad")


@pytest.mark.parametrize("truth", [None, pl.Object])
def test_objects_of_polars_are_refused_and_not_told_apart_by_where_they_lie(truth):
    frame = pl.DataFrame(
        [pl.Series("truth", TRUTH, dtype=truth), pl.Series("s", TRUTH, dtype=pl.Object)]
    )
    for data in (frame, frame.lazy()):
        with pytest.raises(SteelyardError, match="objects of Python") as refused:
            sy.evaluate(data, called="s")
        assert refused.value.code == "mixed-column"


def test_whole_numbers_of_128_bits_keep_their_digits():
    ids = pl.Series("item", [2**100 + n for n in range(len(TRUTH))], dtype=pl.Int128)
    found = sy.evaluate(pl.DataFrame([ids, pl.Series("truth", TRUTH), pl.Series("s", TRUTH)]))
    assert found.systems[0].items == len(TRUTH)
    with pytest.raises(SteelyardError, match="different numbers become the same"):
        sy.evaluate(pl.DataFrame([ids.alias("s"), pl.Series("truth", TRUTH)]), **SCORES)


def test_a_column_that_fails_says_so_in_its_own_words():
    with pytest.raises(SteelyardError, match=r"Column 's'.*requires grad"):
        sy.evaluate({"truth": TRUTH, "s": Failing()}, **SCORES)


def test_streams_and_batches_are_frames():
    table = pa.table({"truth": TRUTH, "s": TRUTH})
    for data in (table, table.to_reader(), table.to_batches()[0]):
        assert sy.evaluate(data).systems[0].accuracy.value == 1.0


@pytest.mark.parametrize(
    "name", ["undefined", "idna", "punycode", "base64", "rot13", "mbcs", "\0", ""]
)
def test_an_encoding_that_encodes_no_file_is_refused(tmp_path, name):
    path = tmp_path / "rows.csv"
    path.write_text("truth,s\nn,1\np,2\n")
    with pytest.raises(SteelyardError):
        sy.evaluate(str(path), encoding=name, **SCORES)


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_first_cell_that_is_a_whole_book_is_refused(tmp_path, quote):
    path = tmp_path / "rows.csv"
    path.write_text(f"{quote}{'x' * 140_000}{quote},truth,s\n1,n,1\n2,p,2\n")
    with pytest.raises(SteelyardError, match="a cell of more than 131,072 characters"):
        sy.evaluate(str(path), **SCORES)


DEEP = {
    "lists.json": "[" * 50_000 + "]" * 50_000,
    "objects.jsonl": '{"truth": "a", "s": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}\n",
    "state.json": '{"state":[1,2]}',
    "open lists.json": "[" * 50_000,
    "open objects.json": '{"a":' * 50_000,
    "long.jsonl": '{"truth": "a", "s": 0.12345678901234567890, "x": ' + "[" * 990 + "]" * 990 + "}",
}


@pytest.mark.parametrize("name", list(DEEP))
def test_json_that_is_nested_or_means_something_else_is_refused(tmp_path, name):
    (tmp_path / name).write_text(DEEP[name])
    with pytest.raises(SteelyardError):
        sy.evaluate(str(tmp_path / name))


@pytest.mark.parametrize("text", [DEEP["lists.json"], DEEP["state.json"], "9" * 400, "9" * 5_000])
def test_a_result_that_is_none_is_refused(text):
    for given in (text, f'{{"kind": "comparison", "schema": 1, "items": {text}}}'):
        with pytest.raises(SteelyardError):
            sy.read_result(given)


def typed(monkeypatch, capsys, *words) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["steelyard", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0), " ".join(capsys.readouterr().err.split())


def test_settings_that_are_nested_without_end_are_refused(tmp_path, monkeypatch, capsys):
    data, settings = tmp_path / "rows.csv", tmp_path / "deep.toml"
    data.write_text("truth,s\na,a\nb,b\n")
    settings.write_text(f"a = {'[' * 20_000}{']' * 20_000}\n")
    code, said = typed(monkeypatch, capsys, "evaluate", data, "--settings", settings)
    assert (code, "not TOML" in said) == (1, True)


def test_a_plan_for_more_samples_than_memory_holds_is_answered_in_words(monkeypatch, capsys):
    code, said = typed(monkeypatch, capsys, "plan", "select", "--among", 5, "--samples", 10**18)
    assert (code, said) == (0, "")


INHERITED = ("constructor", "toString", "valueOf", "hasOwnProperty", "__proto__", "if")


def test_classes_called_like_what_objects_of_javascript_have_are_drawn():
    calls = [*INHERITED[1:], INHERITED[0]]
    data = {"truth": [*INHERITED, *INHERITED], "cnn": [*INHERITED, *calls]}
    result = sy.evaluate(data)
    assert result.systems[0].accuracy.value == 0.5
    drawn = "".join(draw().svg() for draw in result.charts().values())
    assert all(name in drawn for name in INHERITED)


@pytest.mark.parametrize("name", [*INHERITED, "\x1f", "a\x1fb"])
def test_systems_and_slices_called_so_are_drawn_on_every_picture(name):
    truth, other = ["x", "y"] * 12, ["x", "y", "y"] * 8
    data = {"truth": truth, name: other, "b": truth, "group": [name, "c", "d"] * 8}
    values = {name: list(range(24)), "b": list(range(24, 0, -1))}
    results = (
        sy.evaluate(data),
        sy.compare(data),
        sy.compare(values, value=[name, "b"], higher_is_better=True),
    )
    for result in results:
        for draw in result.charts().values():
            assert draw().svg().startswith("<svg")


def test_the_coefficient_of_many_classes_is_the_formula_itself():
    """Gorodkin's formula on the margins, in whole numbers; and twenty thousand classes end."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 50, 3_000)
    called = np.where(rng.random(3_000) < 0.6, truth, rng.integers(0, 50, 3_000))
    matrix = np.zeros((50, 50), dtype=int)
    np.add.at(matrix, (truth, called), 1)
    n, right = matrix.sum(), np.trace(matrix)
    truly, calls = matrix.sum(axis=1), matrix.sum(axis=0)
    expected = (n * right - truly @ calls) / np.sqrt(
        float((n * n - calls @ calls) * (n * n - truly @ truly))
    )
    assert mcc(Confusion.from_matrix(matrix)).value == pytest.approx(expected, abs=1e-15)
    many = np.arange(20_000)
    assert mcc(sy.tally.confusion_of([*many, 0], [*many, 1])).value == pytest.approx(1, abs=1e-4)

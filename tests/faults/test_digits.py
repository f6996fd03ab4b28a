"""Scores with more digits than floating point has: their order is kept, or they are refused."""

from decimal import Decimal

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

import steelyard as sy
from steelyard.errors import SteelyardError, UnusableRows
from steelyard.tally import area_of

TRUTH = ["n", "p"] * 3
SCORES = {"score": "s", "positive": "p"}
CLOSE = (2**53, 2**53 + 1)
LONG = ("0.12345678901234567890", "0.12345678901234567891")


def written(tmp_path, name, values):
    path = tmp_path / name
    lines = [f'{{"truth": "{t}", "s": {v}}}' for t, v in zip(TRUTH, values * 3, strict=True)]
    if name.endswith(".csv"):
        lines = ["truth,s", *(f"{t},{v}" for t, v in zip(TRUTH, values * 3, strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
@pytest.mark.parametrize("values", [CLOSE, LONG, ("0.1", "0.10000000000000000001")])
def test_numbers_of_a_file_that_would_become_one_are_refused(tmp_path, name, values):
    with pytest.raises(SteelyardError, match="become the same one in floating point"):
        sy.evaluate(written(tmp_path, name, values), **SCORES)


@pytest.mark.parametrize(
    "values",
    [
        list(CLOSE) * 3,
        np.array(list(CLOSE) * 3, dtype=np.uint64),
        np.array([2**63, 2**63 + 1] * 3, dtype=np.uint64),
        pa.array([Decimal(one) for one in LONG] * 3),
        pl.Series(list(CLOSE) * 3),
    ],
    ids=["list", "uint64", "beyond int64", "decimal", "polars"],
)
def test_numbers_of_a_frame_that_would_become_one_are_refused(values):
    with pytest.raises(SteelyardError) as refused:
        sy.evaluate({"truth": TRUTH, "s": values}, **SCORES)
    assert refused.value.code == "score-digits"


@pytest.mark.parametrize(
    "values",
    [
        list(CLOSE) * 3,
        np.array(list(CLOSE) * 3),
        np.array(list(CLOSE) * 3, dtype=np.longdouble),
        [Decimal(one) for one in LONG] * 3,
    ],
    ids=["list", "int64", "longdouble", "decimal"],
)
def test_arrays_that_would_become_one_are_refused(values):
    if np.asarray(values).dtype == np.longdouble and np.finfo(np.longdouble).nmant <= 52:
        pytest.skip("a long double is a double here")
    with pytest.raises(SteelyardError) as refused:
        area_of(TRUTH, values, pos_label="p")
    assert refused.value.code in {"score-digits", "score-type"}


@pytest.mark.parametrize(
    "values",
    [
        ("0.10000000000000000", "0.100000000000000000"),
        (2**60, 2**61),
        ("0.30000000000000004", "0.3"),
        ("1e-05", "1.2345678901234567e-05"),
    ],
)
def test_long_numbers_that_stay_apart_or_say_the_same_are_answered(tmp_path, values):
    found = sy.evaluate(written(tmp_path, "rows.csv", values), **SCORES)
    first, second = (float(one) for one in values)
    expected = 0.5 if first == second else float(second > first)
    assert found.systems[0].area.value == expected


def test_a_number_and_the_exact_value_of_its_nearest_double_are_not_the_same(tmp_path):
    path = written(tmp_path, "rows.csv", ("0.1", "0.1000000000000000055511151231257827"))
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate(path, **SCORES)


def test_a_class_that_looks_like_a_power_of_ten_is_not_merged(tmp_path):
    path = tmp_path / "plates.csv"
    path.write_text("truth,cnn\n1E1,1E1\n10,1E1\n1E2,1E2\n100,100\n")
    found = sy.evaluate(str(path), called="cnn")
    assert found.systems[0].accuracy.value == 0.75


def test_ids_that_look_like_powers_of_ten_are_not_merged(tmp_path):
    path = tmp_path / "plates.csv"
    path.write_text("id,truth,cnn\n1E1,a,a\n10,b,b\n")
    assert sy.evaluate(str(path)).systems[0].accuracy.trials == 2


def test_a_declared_decimal_comma_holds_where_no_value_has_one(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("truth;s\nn;1.234\np;2.345\n")
    with pytest.raises(SteelyardError, match="such as 0,25, for the decimal mark is a comma"):
        sy.evaluate(str(path), decimal=",", **SCORES)
    path.write_text("truth;s\nn;1\np;2\n")
    assert sy.evaluate(str(path), decimal=",", **SCORES).systems[0].area.value == 1.0


LONG_ROWS = {
    "long": ("0.50000000000000000001", "0.49999999999999999999"),
    "as many as are kept": ("0.30000000000000005", "0.30000000000000004"),
    "beside a short one": ("0.50000000000000000001", "0.5"),
    "whole": (str(2**53 + 1), str(2**53)),
}
FORMS = {
    "columns.csv": lambda of, p, q: f"{of},{p},{q}",
    "columns.jsonl": lambda of, p, q: f'{{"truth": "{of}", "m.a": {p}, "m.b": {q}}}',
    "list.jsonl": lambda of, p, q: f'{{"truth": "{of}", "m": [{p}, {q}]}}',
    "object.jsonl": lambda of, p, q: f'{{"truth": "{of}", "m": {{"a": {p}, "b": {q}}}}}',
}


@pytest.mark.parametrize("form", list(FORMS))
@pytest.mark.parametrize("kind", list(LONG_ROWS))
def test_numbers_of_vectors_that_would_become_one_are_refused(tmp_path, form, kind):
    """Two of one row decide which class is called, two of one class which item ranks first."""
    more, less = LONG_ROWS[kind]
    lines = [FORMS[form](of, *((more, less) if of == "a" else (less, more))) for of in "abab"]
    path = tmp_path / form
    path.write_text("\n".join([*(["truth,m.a,m.b"] if form.endswith(".csv") else []), *lines]))
    roles = {"vector": "m", "classes": ["a", "b"]} if form.startswith("list") else {}
    with pytest.raises(SteelyardError, match="become the same one in floating point"):
        sy.evaluate(str(path), **roles)


@pytest.mark.parametrize("values", list(LONG_ROWS.values()))
def test_numbers_of_a_file_with_a_row_for_each_system_are_refused(tmp_path, values):
    path = tmp_path / "rows.jsonl"
    lines = [
        f'{{"item": {n}, "system": "m", "truth": "{of}", "s": {value}}}'
        for n, (of, value) in enumerate(zip(TRUTH, values * 3, strict=True))
    ]
    path.write_text("\n".join(lines))
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate(str(path), **SCORES)


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl"])
@pytest.mark.parametrize("values", [("1e-400", "2e-400"), ("4e-324", "5e-324")])
def test_numbers_too_small_to_be_told_apart_are_refused(tmp_path, name, values):
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate(written(tmp_path, name, values), **SCORES)


def test_large_whole_numbers_beside_fractions_are_refused(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text(f"truth,s\nn,0.5\nn,{2**53}\np,{2**53 + 1}\n")
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate(str(path), **SCORES)


@pytest.mark.parametrize(
    "rows",
    [
        [[2**53, 2**53 + 1]] * 2,
        np.array([[2**53, 2**53 + 1]] * 2),
        [[Decimal(one) for one in LONG_ROWS["long"]]] * 2,
    ],
    ids=["lists", "int64", "decimals"],
)
def test_vectors_of_arrays_that_would_become_one_are_refused(rows):
    with pytest.raises(SteelyardError, match="the same in floating point"):
        sy.tally.vector_scores_of(["a", "b"], {"m": rows}, labels=["a", "b"])
    table = np.asarray(rows).tolist()
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate(
            {"truth": ["a", "b"], "m.a": [r[0] for r in table], "m.b": [r[1] for r in table]}
        )


@pytest.mark.parametrize("form", list(FORMS))
def test_vectors_of_many_digits_that_stay_apart_are_answered(tmp_path, form):
    lines = [
        FORMS[form](of, *(("0.7000000000000000001", "0.3")[:: 1 if of == "a" else -1]))
        for of in "abab"
    ]
    path = tmp_path / form
    path.write_text("\n".join([*(["truth,m.a,m.b"] if form.endswith(".csv") else []), *lines]))
    roles = {"vector": "m", "classes": ["a", "b"]} if form.startswith("list") else {}
    assert sy.evaluate(str(path), **roles).systems[0].accuracy.value == 1.0


def test_decimals_of_more_digits_than_the_database_has_are_refused():
    values = pa.array([Decimal("0." + "1" * 45 + last) for last in "12"] * 3, pa.decimal256(60, 50))
    with pytest.raises(SteelyardError, match="become the same one"):
        sy.evaluate({"truth": TRUTH, "s": values}, **SCORES)


def test_a_key_that_stands_twice_is_refused_beside_long_numbers(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"truth": "a", "m": {"a": 0.10000000000000000001, "a": 0.9, "b": 0}}\n')
    with pytest.raises(SteelyardError, match="appears twice"):
        sy.evaluate(str(path))


def test_a_decimal_comma_is_refused_where_numbers_are_those_of_json(tmp_path):
    with pytest.raises(SteelyardError, match="numbers of JSON are written with a point"):
        sy.evaluate(written(tmp_path, "rows.jsonl", ("1.5", "2.5")), decimal=",", **SCORES)


@pytest.mark.parametrize("form", ["parquet", "feather"])
def test_files_of_decimals_with_more_digits_than_the_database_has_are_refused(tmp_path, form):
    """The database reads them as floating point: AUC 0.500 for scores that part the classes."""
    values = pa.array([Decimal(f"0.{'1' * 44}{n:03d}") for n in range(20)], pa.decimal256(60, 50))
    table = pa.table({"truth": [n >= 10 for n in range(20)], "s": values, "t": range(20)})
    path = tmp_path / f"long.{form}"
    {"parquet": pq.write_table, "feather": feather.write_feather}[form](table, path)
    with pytest.raises(SteelyardError, match="different numbers become the same"):
        sy.evaluate(path, positive="true", score="s", systems="s")
    assert sy.evaluate(path, positive="true", score="t", systems="t").systems[0].area.value == 1.0


LARGE = 2**53


@pytest.mark.parametrize(
    "columns",
    [
        {"a": [LARGE + 1] * 8, "b": [LARGE] * 8},
        {"a": [LARGE, LARGE + 1] * 4, "b": [1, 2] * 4},
        {"a": ["0.12345678901234567891"] * 8, "b": ["0.12345678901234567890"] * 8},
        {"a": np.array([LARGE + 1] * 8, dtype="uint64"), "b": np.array([LARGE] * 8)},
    ],
    ids=["two systems", "one system", "decimals", "numpy"],
)
def test_values_that_only_digits_tell_apart_are_refused_and_not_called_equal(columns):
    with pytest.raises(UnusableRows, match="become the same one in floating point") as refused:
        sy.compare(columns, value=["a", "b"], lower_is_better=True)
    assert "value-digits" in {fault.code for fault in refused.value.faults}


def test_values_within_floating_point_are_compared_whatever_their_size():
    columns = {"a": [LARGE - n for n in range(8)], "b": [LARGE - 9 - n for n in range(8)]}
    found = sy.compare(columns, value=["a", "b"], lower_is_better=True)
    assert abs(found.pairs[0].difference.value) == 9


def listed(tmp_path, values):
    """A list of trials with its key, and a reader study, with the same scores."""
    values = [values[n % 2] for n in range(8)]
    key = "".join(f"e{n} t {'target' if n % 2 else 'other'}\n" for n in range(8))
    (tmp_path / "key.txt").write_text(key)
    (tmp_path / "s.txt").write_text("".join(f"e{n} t {v}\n" for n, v in enumerate(values)))
    rows = [
        f"{n},{who},{n % 2},{v},{n}" for n, v in enumerate(values) for who in ("ann", "bob")
    ]  # fmt: skip
    (tmp_path / "study.csv").write_text("\n".join(["case,reader,truth,new,old", *rows]) + "\n")
    trials = {"truth": str(tmp_path / "key.txt"), "positive": "target"}
    readers = {"reader": "reader", "positive": "1"}
    return (
        lambda: sy.evaluate(str(tmp_path / "s.txt"), **trials),
        lambda: sy.compare(str(tmp_path / "study.csv"), **readers),
    )


@pytest.mark.parametrize("values", [CLOSE, LONG, ("1e-400", "2e-400")])
def test_scores_of_trials_and_of_readers_that_would_become_one_are_refused(tmp_path, values):
    for ask in listed(tmp_path, values):
        with pytest.raises(SteelyardError, match="become the same one in floating point"):
            ask()


@pytest.mark.parametrize("odd", ["1_0", "１０", "1e999", "0x10"])
def test_what_only_python_takes_for_a_number_is_no_score(tmp_path, odd):
    for ask in listed(tmp_path, ("1", odd)):
        with pytest.raises(SteelyardError):
            ask()


def test_a_trial_of_both_kinds_is_refused(tmp_path):
    ask, _ = listed(tmp_path, ("1", "2"))
    assert ask().systems[0].area.value == 1
    with (tmp_path / "key.txt").open("a") as file:
        file.write("e0 t target\n")
    with pytest.raises(SteelyardError, match="'e0 t' is said to be of both kinds"):
        ask()

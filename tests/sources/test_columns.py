import pytest

import steelyard as sy
from steelyard.engines.local import LocalEngine
from steelyard.errors import SteelyardError
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import look_at_columns

LOOKS = {
    ("true", "False", "TRUE"): "boolean",
    ("0", "1", "-5"): "integer",
    ("0.5", "1", "-.25", "1e-3", "inf"): "real",
    ("0.5", "NA", "nan", ""): "real",
    ("0.5", "-Infinity"): "real",
    ("007", "7"): "text",
    ("007.5", "0.25"): "real",
    ("cat", "dog"): "text",
    ("1", "cat"): "text",
    ("1", "NA"): "text",
    ("0x10", "0x11"): "text",
    ("1_000", "2_000"): "text",
    ("", ""): "text",
    ("0,5", "0,25"): "text",
}


def column(values, *, text=True, **facts):
    listed = ", ".join(f"('{value}')" for value in values)
    table = LocalEngine().table(f"SELECT * FROM (VALUES {listed}) AS rows(x)")
    origin = Origin(name="test", table=table, text=text, **facts)
    return origin, look_at_columns(origin, ["x"], titles={})["x"]


@pytest.mark.parametrize("values", LOOKS)
def test_the_kind_of_a_column_is_told_by_all_its_values(values):
    assert column(values)[1].kind == LOOKS[values]


def test_one_word_in_ten_does_not_make_numbers_text_but_more_do():
    assert column(["0.5"] * 9 + ["oops"])[1].kind == "real"
    assert column(["0.5"] * 8 + ["oops"] * 2)[1].kind == "text"


@pytest.mark.parametrize(
    ("values", "delimiter", "comma"),
    [
        (("0,5", "0,25"), ";", True),
        (("0,5", "1", "NA"), ";", True),
        (("0,5", "0.25"), ";", False),
        (("1,500", "2,250"), ";", False),
        (("0,354", "1,204"), ";", True),  # no thousands begin with 0
        (("0,5", "0,25"), ",", False),
    ],
)
def test_a_decimal_comma_needs_unanimous_evidence(values, delimiter, comma):
    assert column(values, delimiter=delimiter)[1].decimal_comma is comma


def test_a_declared_decimal_comma_is_believed():
    origin, found = column(("1,500", "2"), delimiter=";", decimal=",")
    rows = origin.table.query(f"SELECT {found.number_sql()} AS n FROM {{t}} ORDER BY n")
    assert rows == [(1.5,), (2.0,)]


@pytest.mark.parametrize(
    ("text", "number", "unreadable"),
    [
        ("0.5", 0.5, False),
        (" 5 ", 5.0, False),
        ("+1e3", 1000.0, False),
        (".5", 0.5, False),
        ("5.", 5.0, False),
        ("-inf", float("-inf"), False),
        ("NA", None, False),
        ("", None, False),
        ("1_000", None, True),
        ("0x10", None, True),
        ("1e400", float("inf"), True),
        ("cat", None, True),
        ("0,5", None, True),
    ],
)
def test_only_numbers_are_read_as_numbers(text, number, unreadable):
    origin, found = column([text])
    ((value, strange),) = origin.table.query(
        f"SELECT {found.number_sql()}, {found.unreadable_number_sql()} FROM {{t}}"
    )
    assert (value, strange) == (number, unreadable)


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        (("1.0", "2.0", "cat", *["3.0"] * 20), {"1", "2", "cat", "3"}),
        (("1.0", "NaN"), {"1", None}),
        (("true", "FALSE", ""), {"true", "false", None}),
        (("007", "7"), {"007", "7"}),
    ],
)
def test_labels_have_one_spelling(values, labels):
    origin, found = column(values)
    assert {
        name for (name,) in origin.table.query(f"SELECT {found.label_sql()} FROM {{t}}")
    } == labels


def test_names_are_not_looked_at():
    table = LocalEngine().table("SELECT '1.5' AS x")
    origin = Origin(name="test", table=table, text=True)
    assert look_at_columns(origin, ["x"], names_only=["x"], titles={})["x"].kind == "text"


def test_probabilities_that_were_rounded_are_divided_by_their_sum_and_others_refused():
    rows = {"truth": list("abca"), "a": [0.1478, 0.333, 0.2, 0.5], "b": [0.0004, 0.333, 0.3, 0.25]}
    rows["c"] = [0.8519, 0.333, 0.5, 0.25]
    found = sy.evaluate(rows, vector=["m={class}"], classes=["a", "b", "c"])
    assert ("vectors", "numbers of m sum to 1 within rounding; divided by their sum") in (
        found.provenance.understood
    )
    with pytest.raises(SteelyardError, match="1 row does not sum to 1"):
        sy.evaluate(
            {**rows, "c": [0.8519, 0.333, 0.49, 0.25]}, vector=["m={class}"], classes=list("abc")
        )


def test_systems_with_items_of_their_own_need_no_ids(tmp_path):
    for name, calls in (("one", "ababb"), ("two", "aabb")):
        lines = [f"{truth},{call}" for truth, call in zip("abaab", calls, strict=False)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["truth,called", *lines]) + "\n")
    files = {name: str(tmp_path / f"{name}.csv") for name in ("one", "two")}
    found = sy.compare(files, pairing="independent")
    assert {one.system: (one.rate.successes, one.rate.trials) for one in found.systems} == {
        "one": (4, 5),
        "two": (1, 4),
    }
    with pytest.raises(SteelyardError, match="needs the item's id"):
        sy.compare(files)

"""A real PostgreSQL server as the place where predictions lie."""

import json
import subprocess
import sys

import psycopg
import pytest

import steelyard as sy
from steelyard.errors import ExtraMissing, RequestError, SourceError
from steelyard.sources.files.databases import DatabaseAddress

ROWS = [
    ("007", "a,b", "a,b", True, 0.9, [0.75, 0.25]),
    ("7", 'say "x"', "a,b", False, 0.1, [0.5, 0.5]),
    ("\\N", "\\N", "\\N", True, float("inf"), [0.25, 0.75]),
    ("ü\nline", "\\N", 'say "x"', False, -1e-300, [0.125, 0.875]),
]


@pytest.fixture(scope="module")
def address(server):
    """A database with a user that has a password."""
    given = server.database().replace("+psycopg", "")
    with psycopg.connect(given) as connection:
        connection.execute(
            'CREATE TABLE runs (item text, truth text, "The CNN" text, hit boolean, s float8, '
            "v float8[])"
        )
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO runs VALUES (%s, %s, %s, %s, %s, %s)", ROWS)
        connection.execute("CREATE SCHEMA lab")
        connection.execute('CREATE TABLE lab.runs AS SELECT item, truth, "The CNN" FROM runs')
        connection.execute("CREATE SEQUENCE lab.numbers")
        connection.execute("GRANT ALL ON SEQUENCE lab.numbers TO PUBLIC")
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN PASSWORD 'pw%40tail'")
        connection.execute("GRANT pg_read_all_data, pg_write_all_data TO reader")
    return given.replace("postgres@", "reader:pw%2540tail@")


def test_a_table_counts_as_the_same_rows_from_memory_do(address):
    columns = {
        "item": [row[0] for row in ROWS],
        "truth": [row[1] for row in ROWS],
        "The CNN": [row[2] for row in ROWS],
    }
    expected = sy.evaluate(columns, systems=["The CNN"])
    for given in (
        sy.evaluate(address, table="runs", systems=["The CNN"]),
        sy.evaluate(f"{address}?table=lab.runs"),
        sy.evaluate(address, query='SELECT item, truth, "The CNN" FROM runs; '),
    ):
        assert given.systems == expected.systems


def test_types_come_over_as_they_are(address):
    scores = sy.evaluate(
        address, query="SELECT item, hit AS truth, s FROM runs", score="s", positive="true"
    )
    assert scores.systems[0].area.value == 1.0
    query = "SELECT item, CASE WHEN hit THEN 'b' ELSE 'a' END AS truth, v FROM runs"
    vectors = sy.evaluate(address, query=query, vector="v", classes=["b", "a"])
    assert vectors.systems[0].holds == "vector"
    assert (
        sy.evaluate(address, query="SELECT item, hit FROM runs", outcome="hit")
        .systems[0]
        .accuracy.successes
        == 2
    )


def test_nothing_can_be_written(address):
    with pytest.raises(SourceError, match="read-only"):
        sy.evaluate(address, query="SELECT nextval('lab.numbers') AS item, truth FROM runs")
    for query in ("SELECT 1) AS a; DROP TABLE runs; --", "DROP TABLE runs"):
        with pytest.raises(SourceError, match="did not give the rows"):
            sy.evaluate(address, query=query)
    assert sy.evaluate(address, table="runs", systems=["The CNN"]).systems[0].items == len(ROWS)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "which rows"),
        ({"table": "runs", "query": "SELECT 1"}, "both were named"),
    ],
)
def test_it_must_be_said_which_rows(address, asked, words):
    with pytest.raises(RequestError, match=words):
        sy.evaluate(address, **asked)


def test_a_table_of_a_file_is_refused():
    with pytest.raises(RequestError, match="is for a database"):
        sy.evaluate({"truth": ["a"], "x": ["a"]}, table="runs")


def test_a_table_that_is_not_there_and_repeated_columns_are_refused(address):
    with pytest.raises(SourceError, match='relation "rums" does not exist'):
        sy.evaluate(address, table="rums")
    with pytest.raises(SourceError, match="two columns have one name"):
        sy.evaluate(address, query="SELECT truth, truth FROM runs")
    with pytest.raises(SourceError, match="not one row"):
        sy.evaluate(address, query="SELECT * FROM runs WHERE FALSE")


def typed(*words):
    """Type a command; gives its code and all it said."""
    ended = subprocess.run(
        [sys.executable, "-m", "steelyard", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout


def test_the_password_is_shown_nowhere(address, tmp_path):
    secrets = ("pw%2540tail", "pw%40tail", "reader")
    page = tmp_path / "report.html"
    code, said = typed("report", f"cnn={address}?table=lab.runs", "-v", "-o", page)
    assert code == 0, said
    _, unsaid = typed("evaluate", address)
    _, gone = typed("evaluate", address.replace(":pw%2540", ":no%2540").rpartition(":")[0] + ":1/x")
    shown = sy.evaluate(address, table="runs", systems=["The CNN"]).to_json()
    for text in (said, page.read_text(), unsaid, gone, shown):
        assert not any(secret in text for secret in secrets)
    assert "runs of ledger" in json.loads(shown)["provenance"]["inputs"][0]["name"]


def test_each_system_may_have_a_query_of_its_own(address, tmp_path):
    other = tmp_path / "svm.csv"
    other.write_text('item,truth,called\n007,"a,b","a,b"\n7,"say ""x""","say ""x"""\n')
    query = address + "?query=SELECT+item,truth,%22The+CNN%22+FROM+runs+WHERE+item+~+%27%5B07%5D%27"
    found = sy.compare({"cnn": query, "svm": str(other)}, truth="truth", item="item")
    assert [one.system for one in found.systems] == ["cnn", "svm"]


def test_without_the_driver_the_line_to_type_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    with pytest.raises(ExtraMissing, match=r'pip install "steelyard\[postgres\]"'):
        sy.evaluate("postgresql://host/lab?table=runs")


def test_an_address_does_not_show_itself():
    address = DatabaseAddress.of("postgresql://me:secret@host/lab", table="runs", query=None)
    assert "secret" not in repr(address) + str(address)

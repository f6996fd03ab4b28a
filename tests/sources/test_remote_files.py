"""Addresses of the web and of object stores; `make test-tools` reads from a real server."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import steelyard as sy
from steelyard.engines.local import LocalEngine
from steelyard.errors import ExtraMissing
from steelyard.sources.files.remote import is_remote, show_address

ADDRESS = "https://me:pw@lake.example/run/split=test/a.parquet?signature=hush"


@pytest.fixture
def near(monkeypatch, tmp_path):
    """Stand in for DuckDB's extension: addresses of lake.example are files of a folder."""

    def place(address):
        return str(tmp_path / show_address(address).removeprefix("https://lake.example/"))

    plain = LocalEngine.run
    reached = []

    def run(engine, sql):
        for word in sql.split("'"):
            if is_remote(word):
                sql = sql.replace(word, place(word))
        return plain(engine, sql)

    monkeypatch.setattr(LocalEngine, "run", run)
    monkeypatch.setattr(LocalEngine, "reach", lambda self, *a, **k: reached.append((a, k)))
    folder = tmp_path / "run" / "split=test"
    folder.mkdir(parents=True)
    pq.write_table(pa.table({"truth": ["a", "b"], "svm": ["a", "a"]}), folder / "a.parquet")
    (folder / "a.csv").write_text("truth,svm\na,a\nb,a\n")
    return reached


@pytest.mark.parametrize("address", [ADDRESS, "s3://lake/run/*.parquet", "az://lake/a.csv"])
def test_without_the_extension_the_line_to_type_is_said(monkeypatch, tmp_path, address):
    monkeypatch.setenv("HOME", str(tmp_path))  # where DuckDB keeps extensions
    extension = "azure" if address.startswith("az") else "httpfs"
    with pytest.raises(ExtraMissing, match=rf"duckdb.sql\('INSTALL {extension}'\)") as refused:
        sy.evaluate(address)
    assert refused.value.code == "extension-missing"
    assert "hush" not in str(refused.value)
    assert "pw" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_parquet_is_read_in_place_and_shows_no_keys(near):
    said = []
    found = sy.evaluate(ADDRESS, group="split", observe=lambda statement: said.append(statement))
    assert found.systems[0].accuracy.successes == 1
    assert near == [(("httpfs",), {"address": "https://lake.example/run/split=test/a.parquet"})]
    (record,) = found.provenance.inputs
    assert (record.name, record.sha256) == ("split=test/a.parquet", "")
    assert record.bytes > 0
    shown = found.to_json() + "".join(statement.sql for statement in said)
    assert "hush" not in shown
    assert "pw@" not in shown


def test_other_files_are_copied_under_their_own_name(near):
    found = sy.evaluate(ADDRESS.replace(".parquet", ".csv"))
    (record,) = found.provenance.inputs
    assert record.name == "a.csv"
    assert len(record.sha256) == 64
    assert near


def test_shards_may_lie_in_different_places(near):
    both = sy.evaluate([ADDRESS, ADDRESS.replace("https://me:pw@", "https://")], group="split")
    assert both.systems[0].items == 4


@pytest.mark.parametrize(
    ("given", "remote"),
    [("s3://b/x", True), ("HTTPS://h/x", True), ("s3", False), ("a/b.csv", False), (3, False)],
)
def test_addresses_are_told_from_paths(given, remote):
    assert is_remote(given) is remote


@pytest.mark.parametrize("scheme", ["https://h", "s3://b", "postgresql://h/d?table=t"])
def test_addresses_in_a_column_are_texts_and_nothing_is_fetched(scheme, monkeypatch):
    """Rows come from anybody, and do not say where this machine connects to."""

    def reached(*asked, **named):
        raise AssertionError(asked)

    monkeypatch.setattr(LocalEngine, "reach", reached)
    truth = ["a", "b"] * 6
    urls = [f"{scheme}/{n}" for n in range(12)]
    for columns in ({"url": urls, "truth": truth, "a": truth}, {"truth": truth, "a": truth}):
        assert sy.evaluate(columns).systems[0].accuracy.value == 1
    assert sy.agreement({"url": urls, "anna": truth, "bert": truth}).pairs

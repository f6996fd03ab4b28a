"""The command line on a cluster."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from steelyard.errors import RequestError, SourceError
from steelyard.surfaces.cli.entry import steelyard

pytestmark = pytest.mark.xdist_group("cluster")

CALLS = {"truth": list("aabbab"), "A": list("aabbba"), "B": list("ababab")}


def run(*words):
    return CliRunner().invoke(steelyard, [str(word) for word in words])


def test_the_cluster_answers_what_this_machine_answers(spark, cluster, tmp_path):
    path = tmp_path / "calls.parquet"
    pq.write_table(pa.table(CALLS), path)
    here = run("evaluate", path, "--json")
    there = run("evaluate", path, "--engine", "spark", "--master", cluster.address, "--json")
    assert there.exit_code == here.exit_code == 0
    assert json.loads(there.stdout)["systems"] == json.loads(here.stdout)["systems"]


def test_a_file_the_cluster_cannot_see_is_named(spark, cluster, tmp_path):
    gone = tmp_path / "nothing.parquet"
    said = run("compare", gone, "--engine", "spark", "--master", cluster.address)
    assert isinstance(said.exception, SourceError)
    assert "The cluster cannot read" in str(said.exception)
    assert "table:NAME" in str(said.exception)


def test_a_cluster_without_an_address_is_asked_for():
    said = run("compare", "calls.parquet", "--engine", "spark")
    assert isinstance(said.exception, RequestError)
    assert "--master spark://HOST:7077" in str(said.exception)


def test_an_address_without_the_engine_is_wrong_usage():
    said = run("compare", "calls.parquet", "--master", "local[2]")
    assert said.exit_code == 2
    assert "--engine spark" in said.output

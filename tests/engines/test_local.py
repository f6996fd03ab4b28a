import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from types import SimpleNamespace

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from steelyard import evaluate
from steelyard.engines.local import STARTED, LocalEngine
from steelyard.errors import RefusedData, SteelyardError

LONG = """
import sys
from steelyard.engines.local import LocalEngine
from steelyard.sources import opening
from steelyard.surfaces.cli.entry import main

def endless(*_):
    print("started", file=sys.stderr, flush=True)
    LocalEngine().run("SELECT SUM(a.range * b.range) FROM range(10000000) a, range(10000000) b")

opening.understand = endless
main()
"""

KINDS = {
    "1": "integer", "1.5": "real", "1.5::DOUBLE": "real", "'a'": "text", "TRUE": "boolean",
    "[1.5]": "list", "['a']": "list", "{'x': 1}": "struct", "MAP {'x': 1}": "struct",
    "DATE '2020-01-01'": "text", "NULL::HUGEINT": "integer", "INTERVAL 1 DAY": "other",
}  # fmt: skip


@pytest.mark.parametrize("value", KINDS)
def test_a_type_says_what_kind_of_values_a_column_has(value):
    assert LocalEngine().table(f"SELECT {value} AS x").columns == {"x": KINDS[value]}


def test_statements_are_reported_with_their_time():
    seen = []
    LocalEngine(observe=seen.append).table("SELECT 1 AS x").query("SELECT x FROM {t}")
    assert seen[-1].sql.startswith("SELECT x FROM steelyard_")
    assert all(statement.seconds >= 0 for statement in seen)


def test_a_kept_table_is_computed_once():
    view = LocalEngine().table("SELECT random() AS x")
    kept = view.derive("SELECT x FROM {t}", keep=True)
    assert view.query("SELECT x FROM {t}") != view.query("SELECT x FROM {t}")
    assert kept.query("SELECT x FROM {t}") == kept.query("SELECT x FROM {t}")


def test_columns_come_as_arrays():
    table = LocalEngine().table("SELECT range AS x FROM range(3)")
    assert table.arrays("SELECT x FROM {t} ORDER BY x")["x"].tolist() == [0, 1, 2]


def test_a_complaint_of_the_database_is_a_refusal_of_ours():
    with pytest.raises(RefusedData, match=r"The rows cannot be read \(Binder Error"):
        LocalEngine().run("SELECT nothing")


def test_scratch_files_go_with_their_engine():
    engine = LocalEngine()
    path = engine.scratch(".csv")
    path.write_text("a")
    assert engine.scratch(".csv") != path
    folder = path.parent
    del engine
    gc.collect()
    assert not folder.exists()


def test_a_stored_table_holds_the_same_rows():
    engine = LocalEngine()
    table = engine.table("SELECT range AS x FROM range(5)")
    stored = engine.store(table)
    assert stored.query("SELECT SUM(x) FROM {t}") == table.query("SELECT SUM(x) FROM {t}")


def test_columns_of_parquet_keep_the_names_that_the_file_gives_them(tmp_path):
    columns = [pa.array([{"p": 1, "q": {"r": 2}}]), pa.array([[1, 2]]), pa.array([1])]
    table = pa.Table.from_arrays(columns, names=["s", "l", "S"])
    pq.write_table(table, tmp_path / "a.parquet")
    assert LocalEngine().parquet_columns(tmp_path / "a.parquet") == ["s", "l", "S"]


def test_nan_is_found_by_a_filter_on_parquet(tmp_path):
    pq.write_table(pa.table({"x": [1.0, float("nan"), 3.0]}), tmp_path / "a.parquet")
    table = LocalEngine().read_parquet(tmp_path / "a.parquet")
    assert table.query("SELECT COUNT(*) FROM {t} WHERE x > 2") == [(2,)]
    assert table.query("SELECT COUNT(*) FROM {t} WHERE ISNAN(x)") == [(1,)]


def test_an_interrupt_ends_a_long_query_at_once_and_quietly(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,b\nx,x,x\n")
    command = [sys.executable, "-c", LONG, "compare", str(path)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        try:
            assert process.stderr.readline() == "started\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()  # an endless query must not outlive its test
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "steelyard: stopped; nothing was written."


def test_a_counted_or_refused_file_leaves_no_database_behind(tmp_path, monkeypatch):
    """A database has threads and memory: thousands of them must not wait for the collector."""
    made = []
    begin = LocalEngine.__init__

    def noted(self, **given):
        made.append(weakref.ref(self))
        begin(self, **given)

    monkeypatch.setattr(LocalEngine, "__init__", noted)
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("id,truth,a\n1,x,x\n2,y,x\n", encoding="utf-8")
    bad.write_text("id,truth,a\n1,x,x\n2,y\n", encoding="utf-8")
    gc.disable()
    try:
        evaluate(str(good))
        with pytest.raises(SteelyardError):
            evaluate(str(bad))
        assert len(made) == 2
        assert [one() for one in made] == [None, None]
    finally:
        gc.enable()


def test_engines_share_one_database_and_see_nothing_of_each_other():
    one, two = LocalEngine(), LocalEngine()
    assert len(STARTED) == 1
    mine = one.table("SELECT 1 AS x", keep=True)
    assert two.table("SELECT 2 AS x", keep=True).name == mine.name
    assert (one.run(f"FROM {mine.name}"), two.run(f"FROM {mine.name}")) == ([(1,)], [(2,)])
    with pytest.raises(RefusedData, match="does not exist"):
        LocalEngine().run(f"FROM {mine.name}")


def test_what_an_engine_held_is_free_when_it_is_gone():
    used = "SELECT SUM(memory_usage_bytes)::BIGINT FROM duckdb_memory()"
    ((before,),) = LocalEngine().run(used)
    engine = LocalEngine()
    engine.table("SELECT random() AS x FROM range(1000000)", keep=True)
    assert engine.run(used)[0][0] >= before + 4_000_000
    del engine
    assert LocalEngine().run(used)[0][0] < before + 1_000_000


def test_other_memory_is_another_database():
    LocalEngine()
    limit = "SELECT current_setting('memory_limit')"
    assert LocalEngine(memory="512MiB").run(limit) == [("256.0 MiB",)]
    assert LocalEngine(memory="1GiB").run(limit) == [("512.0 MiB",)]
    assert len(STARTED) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_process_that_was_forked_starts_a_database_of_its_own():
    LocalEngine()
    child = os.fork()
    if child == 0:  # no assertion here: the child must end, whatever it finds
        right = not STARTED and LocalEngine().run("SELECT 40 + 2") == [(42,)]
        os._exit(0 if right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert LocalEngine().run("SELECT 1") == [(1,)]


def test_a_database_that_broke_is_not_used_again(monkeypatch):
    engine = LocalEngine()
    (broken,) = STARTED.values()

    def fail(_):
        raise duckdb.FatalException("database has been invalidated")

    monkeypatch.setattr(engine, "_database", SimpleNamespace(execute=fail))
    with pytest.raises(SteelyardError):
        engine.run("SELECT 1")
    assert LocalEngine().run("SELECT 1") == [(1,)]
    assert broken not in STARTED.values()


def test_a_program_that_ends_leaves_nothing_to_complain_of(tmp_path):
    # An overloaded verb was kept by `typing` until after the database looked for what was left.
    (tmp_path / "p.csv").write_text("id,truth,s,t\n1,a,a,a\n2,a,a,b\n3,b,a,b\n4,b,b,b\n")
    program = 'import steelyard as sy; print(sy.compare("p.csv").sentence())'
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "cannot be told apart" in ended.stdout
    assert ended.stderr == ""

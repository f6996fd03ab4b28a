"""No file that can run code is ever loaded, and nothing in the program could load one."""

import ast
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from surfaces import Page

import steelyard
from steelyard.errors import SteelyardError
from steelyard.journey import Campaign, leaderboard, run_suite
from steelyard.suites import new_suite
from steelyard.surfaces.cli.entry import main

SOURCES = sorted(Path(steelyard.__file__).parent.rglob("*.py"))
LOADERS = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "torch"}


class Trap:
    """An object whose loading leaves a file behind."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


NAMES = (
    "a.csv", "a.tsv", "a.parquet", "a.arrow", "a.feather", "a.json", "a.jsonl", "a.pkl", "a.npy",
    "a.npz", "a.joblib", "a.pt", "a.eval", "a.csv.gz", "a.db", "a",
)  # fmt: skip


def traps(folder, name):
    """Write the trap as a pickle of every protocol, and inside an array of objects."""
    sprung = folder / "sprung"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.dumps(Trap(sprung), protocol=protocol)
    array = folder / "array.npy"
    np.save(array, np.array([Trap(sprung)], dtype=object), allow_pickle=True)
    yield array.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_would_run_code_is_refused_and_never_loaded(name, tmp_path):
    path = tmp_path / name
    page = Page(tmp_path) if name in {"a.csv", "a.pkl"} else None
    for content in traps(tmp_path, name):
        path.write_bytes(content)
        for verb in (steelyard.evaluate, steelyard.compare, steelyard.agreement):
            with pytest.raises(SteelyardError):
                verb(str(path))
        with pytest.raises(SteelyardError):
            Campaign.open(path).status()
        if page is not None:
            assert page.refusal("evaluate", str(path), {})
    assert not (tmp_path / "sprung").exists()


def test_a_run_of_a_suite_that_was_swapped_for_a_trap_is_refused(tmp_path, monkeypatch, capsys):
    suite = new_suite(tmp_path / "mine")
    run_suite(suite)
    for kept in (tmp_path / "mine/runs").rglob("out.parquet"):
        kept.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(SteelyardError):
        leaderboard(suite)
    monkeypatch.setattr(sys, "argv", ["steelyard", "suite", "leaderboard", str(suite.folder)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().out == ""
    assert not (tmp_path / "sprung").exists()


def calls(tree):
    """Name what is called, with the words given by keyword."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            words = {one.arg: one.value for one in node.keywords}
            yield ast.unparse(node.func), words


@pytest.mark.parametrize("path", SOURCES, ids=[path.stem for path in SOURCES])
def test_no_module_can_load_code_from_data(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [a.name for a in node.names]
        )
    }
    assert not imported & LOADERS
    for called, words in calls(tree):
        assert called not in {"eval", "exec", "compile", "os.system", "os.popen", "yaml.load"}
        assert called not in {"np.load", "numpy.load", "pd.read_pickle", "pandas.read_pickle"}
        shell = words.get("shell")
        assert not (isinstance(shell, ast.Constant) and shell.value), called
        assert "allow_pickle" not in words

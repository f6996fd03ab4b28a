"""What a plain installation answers, also elsewhere than on Linux, and what it lacks is called."""

import json
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from steelyard.errors import PARTS
from tests.masked import type_masked
from tests.typed import type_words

ROOT = Path(__file__).parents[3]
DATA = Path(str(files("steelyard") / "data"))
HIDDEN = [*PARTS, "anyio", "pydantic", "httpx", "polars", "matplotlib"]

LABELS, SCORES = DATA / "digits_labels.csv", DATA / "cells_scores.csv"
ROC = [SCORES, "--truth", "truth", "--positive", "1"]
ANSWERS = [
    ["evaluate", LABELS, "--truth", "truth"],
    ["evaluate", "t.parquet"],
    ["evaluate", "t.jsonl"],
    ["evaluate", "long.jsonl", "--systems", "a,b"],
    ["evaluate", DATA / "speech_errors.csv", "--errors", "conformer.errors", "--per", "words"],
    ["compare", LABELS, "--truth", "truth"],
    ["compare", "t.json", "--json", "--chart", "chart.json"],
    ["compare", *ROC],
    ["compare", "--correct", "S=190,T=194", "--tested", "200"],
    ["gate", "t.parquet", "--candidate", "a", "--baseline", "b", "--require", "not worse by 0.9"],
    ["threshold", *ROC, "--score", "rf", "--cost", "fn=5,fp=1"],
    ["roc", *ROC],
    ["roc", DATA / "digits_scores_logreg.csv", "--vector", "logreg=p{class}", "--resamples", "0"],
    ["calibration", *ROC],
    ["targeting", *ROC],
    ["agreement", DATA / "judge_grades.csv"],
    ["plan", "pair", "--rates", "0.90,0.88"],
    ["plan", "best", "--pilot", "t.parquet"],
    ["catalogue", "MCC"],
    ["models", "--model", "a=llf:-9.5,k:3,n:50", "--model", "b=llf:-9,k:5,n:50"],
    ["demo"],
]
REFUSALS = {
    ("campaign", "new", "c.db", "--systems", "a,b", "--stop", "n >= 20"): "campaigns",
    ("campaign", "status", "postgresql://localhost/lab"): "campaigns",
    ("report", "t.csv", "-o", "r.html"): "report",
    ("verify", "r.html", "t.csv"): "report",
    ("serve", "t.csv", "--no-browser", "--state", "state"): "page",
    ("mcp", "."): "mcp",
    ("compare", "t.csv", "--chart", "c.svg"): "charts",
    ("compare", "t.csv", "--chart", "c.png"): "charts",
    ("compare", "t.csv", "--items", "i.parquet"): "arrow",
    ("evaluate", "t.feather"): "arrow",
    ("evaluate", "t.xlsx"): "excel",
    ("evaluate", "details.parquet"): "logs",
    ("evaluate", "postgresql://localhost/lab?table=runs"): "postgres",
    ("evaluate", "t.csv", "--engine", "spark", "--master", "local[1]"): "spark",
    ("suite", "run", "suite", "--algorithm", "lda"): "arrow",
}
BEFORE = """
import numpy as np, steelyard as sy
told_python = sy.evaluate({"truth": ["x", "y"] * 9, "a": np.array(["x", "y"] * 9), "b": ["x"] * 18})
assert told_python.systems
assert sy.evaluate({"truth": [0, 1] * 9, "s": np.linspace(0, 1, 18)}, positive=1).systems
vectors = [[0.2, 0.8], [0.7, 0.3]] * 9
for call in (
    lambda: sy.to_arrow(told_python),
    lambda: sy.to_pandas(told_python),
    lambda: sy.evaluate({"truth": ["x", "y"] * 9, "s": vectors}, vector=["s"], classes=["x", "y"]),
    lambda: sy.evaluate({"truth": ["x", "y"] * 9, "s": np.array(vectors)}, vector=["s"]),
):
    try:
        call()
    except ImportError as error:
        assert "pip install" in str(error)
    else:
        raise AssertionError(call)
exec("from steelyard import *")
assert all(hasattr(sy, name) for name in sy.__all__)
for use in (sy.Campaign, lambda: sy.Campaign.open("radar.db")):
    try:
        use()
    except ImportError as error:
        assert "steelyard[campaigns]" in str(error)
    else:
        raise AssertionError("a campaign without its part")
chart = sy.compare({"truth": ["x", "y"] * 9, "a": ["x", "y"] * 9, "b": ["x"] * 18}).chart()
shown = chart._repr_mimebundle_()
assert "text/html" not in shown and any("vegalite" in kind for kind in shown)
"""


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    import openpyxl
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import feather

    from steelyard.suites import new_suite

    folder = tmp_path_factory.mktemp("light")
    rows = [
        {"item": n, "truth": "xy"[n % 2], "a": "xy"[n % 20 % 2 if n % 7 else 0], "b": "x"}
        for n in range(60)
    ]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, folder / "t.parquet")
    feather.write_feather(table, folder / "t.feather")
    lines = [json.dumps(row) for row in rows]
    (folder / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "t.json").write_text(f"[{','.join(lines)}]", encoding="utf-8")
    long = [line.replace("}", ', "s": 0.12345678901234567891}') for line in lines]
    (folder / "long.jsonl").write_text("\n".join(long).replace('"s"', '"note"'), encoding="utf-8")
    csv = "\n".join(["item,truth,a,b", *(",".join(map(str, row.values())) for row in rows)])
    (folder / "t.csv").write_text(csv, encoding="utf-8")
    book = openpyxl.Workbook()
    book.active.append(["item", "truth", "a"])
    book.save(folder / "t.xlsx")
    details = {"doc": [{"id": "1"}], "model_response": ["x"], "metric": [{"em": 1.0}]}
    pq.write_table(pa.table(details), folder / "details.parquet")
    new_suite(folder / "suite")
    (folder / "r.html").write_text("<html></html>", encoding="utf-8")
    told = type_masked(
        [*ANSWERS, *REFUSALS], folder=folder, modules=HIDDEN, elsewhere=True, before=BEFORE
    )
    return dict(zip([*map(str, ANSWERS), *REFUSALS], told, strict=True))


@pytest.mark.parametrize("words", ANSWERS, ids=lambda words: " ".join(map(str, words))[-60:])
def test_the_core_answers_without_any_optional_part(typed, words):
    code, out, err = typed[str(words)]
    assert code == 0, err
    assert out


@pytest.mark.parametrize("words", REFUSALS, ids=" ".join)
def test_what_a_command_lacks_is_named_with_what_to_type(typed, words):
    code, _, err = typed[words]
    assert code in (1, 2), err
    assert f'pip install "steelyard[{REFUSALS[words]}]"' in err
    assert "Traceback" not in err


def test_a_part_that_is_installed_and_cannot_be_loaded_is_no_missing_one(tmp_path, monkeypatch):
    broken = tmp_path / "vl_convert.py"
    broken.write_text("raise ImportError('DLL load failed', name='vl_convert')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "vl_convert", raising=False)
    typed = type_words(["compare", LABELS, "--chart", tmp_path / "c.svg"])
    assert typed.code == 2
    assert "which cannot be loaded (DLL load failed)" in typed.words
    assert 'pip install --force-reinstall "steelyard[charts]"' in typed.words


def test_every_optional_module_belongs_to_an_extra_and_all_has_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert set(PARTS.values()) <= set(extras)
    (everything,) = extras["all"]
    named = set(everything.partition("[")[2].rstrip("]").split(","))
    # a connected Spark is a Spark; inspect is a tool in itself
    assert named == set(extras) - {"all", "dev", "docs", "inspect", "spark"}
    assert "steelyard[all]" in extras["dev"]
    assert len(project["dependencies"]) == 5

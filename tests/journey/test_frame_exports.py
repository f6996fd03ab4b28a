"""Rows of results as frames."""

import sys
from pathlib import Path

import polars as pl
import pytest

import steelyard as sy
from steelyard.errors import ExtraMissing
from steelyard.results import ROW_COLUMNS, read_result

FIXTURES = sorted((Path(__file__).parents[1] / "results/fixtures").glob("*.json"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_every_kind_of_result_gives_the_same_columns(path):
    result = read_result(path.read_text())
    frame = sy.to_arrow(result)
    assert tuple(frame.column_names) == ROW_COLUMNS
    assert frame.num_rows == len(result.rows()) == len(sy.to_pandas(result))
    assert pl.DataFrame(frame)["value"].dtype == pl.Float64
    assert result.to_markdown().strip()
    assert result.to_latex().count(r"\begin{table}") == len(result.tables())


def test_without_pandas_the_line_to_type_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ExtraMissing, match=r'pip install "steelyard\[notebook\]"'):
        sy.to_pandas(read_result(FIXTURES[0].read_text()))

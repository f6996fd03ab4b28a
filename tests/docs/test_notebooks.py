"""The notebooks of the documentation run, and are kept without what they showed."""

import importlib.util
import json
from pathlib import Path

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).parents[2]
NOT_IN_NOTEBOOKS = "vl_convert sqlalchemy starlette uvicorn psycopg pyspark sklearn openpyxl mcp"
"""What ``steelyard[notebook]``, ipykernel and nbconvert do not bring along."""
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def notebooks():
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "scripts" / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_two_or_more():
    assert len(NOTEBOOKS) >= 2


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    for cell in notebook["cells"]:
        assert cell["cell_type"] == "markdown" or cell["outputs"] == []
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_becomes_a_page(path, notebooks):
    run = notebooks.run_notebook(path)
    shown = [cell for cell in run["cells"] if cell["cell_type"] == "code" and cell["outputs"]]
    assert len(shown) >= 4
    page = notebooks.as_page(run, path.stem)
    assert page.startswith("# ")
    assert "<svg" in page
    assert f"({path.stem}.ipynb)" in page


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_a_kernel_that_has_nothing_but_itself(path, tmp_path):
    """Without ipywidgets, as a new environment has it; also without the part that draws."""
    assert importlib.util.find_spec("ipywidgets") is None, "this test needs a kernel without it"
    place = {"metadata": {"path": str(tmp_path)}}
    notebook = nbformat.read(path, as_version=4)
    hidden = f"import sys; sys.modules.update(dict.fromkeys({NOT_IN_NOTEBOOKS.split()}))"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(hidden))
    nbclient.NotebookClient(
        notebook, kernel_name="python3", timeout=None, resources=place
    ).execute()
    shown = [one for cell in notebook.cells if cell.cell_type == "code" for one in cell.outputs]
    assert len(shown) >= 4
    assert not [one for one in shown if one.output_type == "error"]


def test_an_error_in_a_cell_stops_the_build(notebooks, tmp_path):
    cell = {"cell_type": "code", "source": ["1 / 0"]}
    (tmp_path / "bad.ipynb").write_text(json.dumps({"cells": [cell]}))
    with pytest.raises(ZeroDivisionError):
        notebooks.run_notebook(tmp_path / "bad.ipynb")


def test_what_was_printed_and_what_a_line_is_are_shown(notebooks, tmp_path):
    cells = [
        {"cell_type": "code", "source": ["x = 3\n", "print('<x>')\n", "x"]},
        {"cell_type": "code", "source": ["x + 1"]},
        {"cell_type": "code", "source": ["x = 5"]},
    ]
    (tmp_path / "few.ipynb").write_text(json.dumps({"cells": cells}))
    first, second, third = notebooks.run_notebook(tmp_path / "few.ipynb")["cells"]
    assert first["outputs"][0]["text"] == "<x>\n"
    assert first["outputs"][1]["data"]["text/plain"] == "3"
    assert second["outputs"][0]["data"]["text/plain"] == "4"
    assert third["outputs"] == []

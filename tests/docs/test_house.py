"""Habits of the whole tree that no other tool checks."""

import ast
import csv
import importlib
import inspect
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from steelyard import errors

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src/steelyard").rglob("*.py"))
HEAVY = [
    "altair",
    "duckdb",
    "jinja2",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy.stats",
    "sqlalchemy",
    "starlette",
    "vl_convert",
]
OUTSIDE = ["/" + "work/", ".." + "/shared"]
SKIPPED = {
    ".git",
    ".venv",
    ".venv-tools",
    ".peers",
    "site",
    "build",
    "dist",
    "htmlcov",
    "__pycache__",
    ".hypothesis",
}
OWN_NAMES = re.compile(r"^(?:([A-Za-z]\w*)(?::[^=\n]*)? = |def (_[a-z]\w*))", re.M)
"""What a module defines for itself: constants, names of types, private functions."""
LEFTOVERS = re.compile(r"^(\..*_cache|\.coverage.*)$")


def committed_files() -> list[Path]:
    found = []
    for path in ROOT.rglob("*"):
        parts = path.relative_to(ROOT).parts
        if path.is_file() and not any(part in SKIPPED or LEFTOVERS.match(part) for part in parts):
            found.append(path)
    return found


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)


@pytest.mark.parametrize("path", MODULES, ids=module_name)
def test_every_module_opens_with_a_sentence_and_lists_its_names(path):
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree), "a module starts with a docstring"
    assigned = {
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name)
    }
    assert "__all__" in assigned or path.name == "__main__.py"


def test_every_constant_and_every_private_function_has_a_use():
    words = {path: Counter(re.findall(r"\w+", path.read_text())) for path in MODULES}
    unused = [
        f"{module_name(path)}.{name}"
        for path, own in words.items()
        for name in map("".join, OWN_NAMES.findall(path.read_text()))
        if own[name] == 1
        and not any(
            other[name] and other[path.stem] for other in words.values() if other is not own
        )
    ]
    assert unused == []


def test_no_message_reads_braces_that_it_shows_as_a_format():
    # {'order': 'item'} in the text of an f-string is a ValueError when it is said.
    wrong = [
        f"{path}:{node.lineno}"
        for path in sorted(Path("src").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FormattedValue)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and node.value.value
    ]
    assert not wrong


@pytest.mark.parametrize("stub", sorted((ROOT / "src").rglob("__init__.pyi")), ids=module_name)
def test_every_name_of_a_lazy_package_is_found_and_none_is_hidden_by_its_module(stub):
    package = importlib.import_module(module_name(stub).removesuffix(".__init__"))
    modules = {path.stem for path in stub.parent.iterdir()}
    assert not modules & set(package.__all__), "a module that is loaded would hide the name"
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_import_loads_no_engine_and_no_chart_or_web_library():
    script = f"import sys, steelyard; print(*[n for n in {HEAVY!r} if n in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert ended.stdout.split() == []


def test_every_error_class_is_documented():
    page = (ROOT / "docs/reference/errors.md").read_text()
    classes = [
        name
        for name, found in vars(errors).items()
        if inspect.isclass(found) and issubclass(found, errors.SteelyardError)
    ]
    assert len(classes) > 5
    for name in classes:
        assert f"`{name}`" in page


def test_no_file_points_outside_the_project():
    pointing = []
    for path in committed_files():
        text = path.read_bytes().decode("utf-8", errors="ignore")
        if any(place in text for place in OUTSIDE):
            pointing.append(str(path.relative_to(ROOT)))
    assert pointing == []


def test_pages_load_nothing_from_elsewhere():
    config = (ROOT / "mkdocs.yml").read_text()
    assert "font: false" in config
    assert "http" not in config


def test_the_readme_of_the_data_states_the_rows_of_every_file():
    folder = ROOT / "src/steelyard/data"
    listed = dict(
        re.findall(r"^\| `([\w.]+)` \| (\d+) \|", (folder / "README.md").read_text(), re.M)
    )
    counted = {}
    for path in folder.glob("*.csv"):
        with path.open(newline="") as lines:
            counted[path.name] = str(sum(1 for _ in csv.reader(lines)) - 1)
    assert listed == counted


def test_every_page_links_to_files_that_exist():
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text()):
            place = page.parent / target
            made = place.with_suffix(".ipynb")  # of which the page is made
            assert place.exists() or made.exists(), f"{page.name}: {target}"

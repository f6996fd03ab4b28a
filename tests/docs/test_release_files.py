"""What is said about a release in more than one file is said alike."""

import re
import tomllib
from pathlib import Path

import yaml

from steelyard._version import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = {"duckdb": "python-duckdb"}
"""Packages that have another name there."""


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_recipe_has_the_version_the_entry_point_and_the_packages_of_the_project():
    recipe = yaml.safe_load(read("packaging/conda/recipe.yaml"))
    assert recipe["context"]["version"] == __version__
    assert f">={recipe['context']['python_min']}" == PROJECT["requires-python"]
    run = {tuple(one.split()) for one in recipe["requirements"]["run"][1:]}
    asked = {re.match(r"([a-z-]+)(.*)", one).groups() for one in PROJECT["dependencies"]}
    assert run == {(CONDA.get(name, name), version) for name, version in asked}
    (entry,) = recipe["build"]["python"]["entry_points"]
    assert entry == f"steelyard = {PROJECT['scripts']['steelyard']}"


def test_the_citation_has_the_version_and_the_licence():
    citation = yaml.safe_load(read("CITATION.cff"))
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]


def test_the_image_runs_as_a_user_without_rights():
    last = read("Dockerfile").rpartition("\nFROM ")[2]
    assert re.search(r"^USER [1-9]\d*$", last, re.MULTILINE)
    assert "ENTRYPOINT" in last
    assert "-slim" in last.splitlines()[0]


def test_every_test_that_the_security_page_names_is_there():
    for path in re.findall(r"`(tests/[^`]+)`", read("SECURITY.md")):
        assert (ROOT / path).exists(), path


def test_the_table_of_sizes_has_the_core_at_half_of_what_it_was():
    rows = re.findall(r"^\| `(steelyard[^`]*)` \| (\d+) MB", read("docs/how-to/install.md"), re.M)
    sizes = {name: int(size) for name, size in rows}
    assert sizes["steelyard"] <= sizes["steelyard[arrow,page,report]"] / 2
    assert {f"steelyard[{extra}]" for extra in ("charts", "report", "page", "all")} <= set(sizes)

"""The list of bad inputs is whole: every row is tried on every surface, or cannot get there."""

import re
from pathlib import Path

import pytest
from corpus import BAD
from reached import BATCHES, FILES, ON_SUITES, ON_THE_PAGE
from rows import ROWS, SURFACES
from suite_corpus import BAD_SUITES, BAD_VECTORS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/bad-inputs.md"
REACHED = {
    "python": BAD,
    "command line": FILES,
    "page": ON_THE_PAGE,
    "campaign": BATCHES,
    "suite": ON_SUITES,
}
CASES = [(row, surface) for row in ROWS for surface in SURFACES]


def named(case, surface):
    """Tell whether a case is really there."""
    kind, mark, name = case.partition(": ")
    if mark and kind == "corpus":
        return name in {bad.name for bad in REACHED[surface]}
    if mark and kind == "suite":
        return surface == "suite" and name in {bad.name for bad in BAD_SUITES}
    if mark and kind == "vector":
        return surface == "suite" and name in BAD_VECTORS
    if mark and kind == "cannot":
        return len(name.split()) > 3
    file, _, test = case.partition("::")
    return f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("row", "surface"), CASES, ids=[f"{row.input}, {surface}" for row, surface in CASES]
)
def test_a_row_has_a_case_on_a_surface_or_a_reason(row, surface):
    assert row.cases[surface]
    missing = [case for case in row.cases[surface] if not named(case, surface)]
    assert missing == []


def test_the_page_lists_the_same_rows_in_the_same_order():
    text = PAGE.read_text(encoding="utf-8")
    table = text.partition("<!-- rows -->")[2].partition("<!-- end of the rows -->")[0]
    listed = re.findall(r"^\| (.+?) \|", table, re.MULTILINE)[1:]
    assert listed == [row.input for row in ROWS]


def test_no_row_is_listed_twice_and_all_know_the_same_surfaces():
    assert len({row.input for row in ROWS}) == len(ROWS)
    assert {tuple(row.cases) for row in ROWS} == {SURFACES}

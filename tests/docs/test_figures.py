"""Figures that stand on several pages are those that the rules of the certificates give."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from certificates.stopping import RULES
from steelyard.planning import PairedRates, stopping_properties

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/explanation"
BOUND = "best >= 0.975, weight ½"
EQUAL = PairedRates(only_first=0.1, only_second=0.1)
SIX = PairedRates(only_first=0.13, only_second=0.07)


@cache
def behave(rule, rates):
    """Follow a rule over every path of up to 1,000 items, of which a fifth is discordant."""
    return stopping_properties(RULES[rule], rates, cap=1000)


@pytest.mark.parametrize("page", ["p-best", "evidence", "when-may-i-stop"])
def test_every_page_gives_the_false_winners_that_the_rule_names(page):
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    said = re.findall(r"([\d.]+) % of\s+campaigns", text)
    assert f"{100 * behave(BOUND, EQUAL).winner:.1f}" in said
    assert "38" not in said


@pytest.mark.parametrize(
    ("page", "row", "rule"),
    [
        ("when-may-i-stop", "`best >= 0.975`", BOUND),
        ("when-may-i-stop", "`evidence >= 20`", "evidence >= 20"),
        ("when-may-i-stop", "`double-wald(0.65)`", "double-wald(0.65)"),
        ("sequential", "posterior P(better) ≥ 0.975, every item", BOUND),
        (
            "sequential",
            "exact McNemar $p < 0.05$, every 10 items",
            "McNemar, exact, every 10 items",
        ),
        ("sequential", "[e-process](evidence.md) on discordant items", "evidence >= 20"),
        ("sequential", "double sequential test", "double-wald(0.65)"),
    ],
)
def test_tables_of_stopping_rules_show_what_the_rules_do(page, row, rule):
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    (line,) = (
        line for line in text.splitlines() if line.startswith(f"| {row} |") and " / " in line
    )
    wrong, right, items = (cell.strip() for cell in line.split("|")[2:5])
    six, equal = behave(rule, SIX), behave(rule, EQUAL)
    assert wrong == f"{equal.winner:.3f}"
    assert right == f"{six.right:.3f}"
    assert items == f"{equal.expected:.0f} / {six.expected:.0f}"


def test_no_example_is_shown_as_a_quotation_and_no_prose_as_a_command():
    """Outside of a fence ``>>>`` is a quotation; in a console block a remark needs its ``#``."""
    wrong = []
    for path in sorted((ROOT / "docs").rglob("*.md")):
        fence = ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.lstrip().startswith("```"):
                fence = "" if fence else line.strip()
            elif not fence and line.startswith(">>>"):
                wrong.append(f"{path.name}:{number}: {line}")
            elif fence == "```console" and re.search(r"^\$ [^#]*\S {3,}[A-Za-z]", line):
                wrong.append(f"{path.name}:{number}: {line}")
    assert wrong == []


def test_every_extra_can_be_found_on_the_page_that_installs():
    page = (ROOT / "docs/how-to/install.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert [name for name in extras if f"[{name}]" not in page] == ["dev", "docs"]
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in page

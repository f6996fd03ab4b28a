"""Figures that appear on several pages are those that the rules of the certificates give."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from certificates import CERTIFICATES
from certificates.stopping import RULES
from steelyard.planning import PairedRates, stopping_properties

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/explanation"
BOUND = "best >= 0.975, weight ½"
EQUAL = PairedRates(only_first=0.1, only_second=0.1)
SIX = PairedRates(only_first=0.13, only_second=0.07)
NO_INFORMATION = "accuracy above the no-information rate, binomial"
EVERY_ITEM = "McNemar, mid-p, every item discordant"
READERS = "reader study of two equal systems"
GATE_OVER_CLUSTERS = "gate on a measure of calls over clusters"
BOOTSTRAP_OF_CALLS = "bootstrap of calls, balanced accuracy"


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


@cache
def found_in(name):
    """Read the share that the search for the worst cell found."""
    family = CERTIFICATES[name].family if name in CERTIFICATES else ""
    kept = json.loads((ROOT / f"certificates/results/{family}.json").read_text(encoding="utf-8"))
    return kept[name]["found"]["share"]


@pytest.mark.parametrize(
    ("page", "words", "name"),
    [
        ("detection", r"rejects up to (\d+) % of the systems", NO_INFORMATION),
        (
            "many-data-sets",
            r"of equal merit in up to (\d+) % of cases",
            "uncorrected t-test of splits",
        ),
        ("more-tests", r"and in (\d+) % in \[the worst", "McNemar of clusters, clusters ignored"),
        ("more-tests", r"mid-p errs in up to ([\d.]+) % of tests", EVERY_ITEM),
        ("more-tests", r"it errs in up to ([\d.]+) % \(16 items", EVERY_ITEM),
        ("agreement", r"covers (\d+) % instead of 95 % in the worst", "kappa"),
        ("thresholds", r"covers (\d+) % instead of 95 % with 20", "threshold by equal-rates"),
        ("thresholds", r"with 20 positives (\d+) %", "threshold by sensitivity"),
        ("paired-difference", r"on its limit passes in (\d+) % of tests", GATE_OVER_CLUSTERS),
        ("ratios", r"all wrong it covers (\d+) % instead", "ratio of shares, log"),
        ("reader-studies", r"apart in\s+\[(\d+) %\]", f"{READERS}, as published"),
        ("crossed-clusters", r"limits hold in \[(\d+) %\]", "share of crossed items"),
        ("equivalence", r"in up to (\d+) % of small tests", "P(equivalent) >= 0.95, paired"),
        ("resampling", r"bootstrap test errs in up to (\d+) %", BOOTSTRAP_OF_CALLS),
        ("dont-know", r"then broken in \[(\d+) %\]", "promised threshold"),
        ("values", r"skewness 2.8 cover (\d+) %", "mean, Student's t, few skewed values"),
        ("values", r"those of BCa (\d+) %", "mean, BCa bootstrap"),
        ("auc-delong", r"test of two areas errs in (\d+) %", "DeLong, difference of two areas"),
    ],
)
def test_the_figures_of_a_page_are_those_of_the_certificate(page, words, name):
    text = re.sub(r"\s+", " ", (PAGES / f"{page}.md").read_text(encoding="utf-8"))
    (said,) = re.findall(words, text)
    digits = len(said.partition(".")[2])
    assert said == f"{100 * found_in(name):.{digits}f}"


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, one in CERTIFICATES.items()
        if one.falls_short and re.search(r"(?:errs? in|differ in|^)[^;]*?[\d.]+ %", one.note)
    ],
)
def test_a_note_names_the_error_that_was_found(name):
    said = re.search(r"([\d.]+) %", CERTIFICATES[name].note)[1]
    assert abs(100 * found_in(name) - float(said)) <= 0.6


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

"""The words of README, documents, help and answers: plain English, one word for one thing."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = (ROOT / "docs/reference/glossary.md").read_text(encoding="utf-8")
ODD = {
    "what stands on it": "what it holds",
    "half of it all": "half of the RAM",
    "95% by": "95th percentile",
    "shows everybody out": "ends all sessions",
    "extreme enough": "underconfident",
    "says too much": "too high on average",
    "these very items": "exactly these items",
    "speaks of one direction": "asks in one direction",
    "as dear as": "as costly as",
    "nobody would bet": "hardly any evidence",
    "takes the systems for alike": "assumes that the systems are alike",
    "random state": "seed",
    "hang together": "belong together, or are correlated",
    "in place of 95": "instead of 95 %",
    "looks like no answers": "does not look like a system's answers",
    "nearest wish": "nearest request that can be met",
    "in vain": "attempts that failed",
    "is taken for": "is taken as",
    "however often one looks": "however often you look",
    "the very items": "the same items",
    "speaks of": "is about",
    "speak of": "are about",
    "asked often": "frequently asked",
    "come twice": "appear twice",
    "without rights": "unprivileged",
    "scores speak for": "high scores indicate",
    "stands few": "copes with few",
    "likelier": "more likely",
    "is no probability": "is not a probability",
    "test samples": "test items",
    "cannot be told yet whether": "is not clear yet whether",
    "stands at": "is at",
    "come about": "happen",
    "when really": "if it is really",
    "goes by the overlap": "takes the overlap",
    "speaks against": "counts against",
    "speaks most": "favours most",
    "comes twice": "appears twice",
    "stands twice": "appears twice",
    "comes more than once": "appears more than once",
    "come more than once": "appear more than once",
    "evidence can mend": "evidence can change",
    "written over": "overwritten",
    "hold the gate": "run the gate",
    "Hold the gate": "Run the gate",
    "part the classes": "separate the classes",
    "asked of a database": "is for a database",
    "is no text": "is not text",
    "is no share of": "is not a share of",
    "is no test at": "is not a test at",
    "hangs on": "depends on",
    "hang on": "depend on",
    "Who may talk to": "Who can reach",
    "and is said": "and is reported",
    "said, that": "said that",
    "gives back": "returns",
    "given back": "returned",
    "these very": "exactly these",
    "count nowhere": "do not count",
    "counts nowhere": "does not count",
    "Satterthwaite's freedom": "Satterthwaite's degrees of freedom",
    "in silence": "silently",
    "not yet surely": "not yet clearly",
}
"""Phrases that a reader stumbled over, and what is said now."""
READ = [
    ROOT / "README.md",
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "src/steelyard").rglob("*.py"),
    *(ROOT / "src/steelyard").rglob("*.html"),
    *(ROOT / "certificates").glob("*.py"),
]
MADE = (ROOT / "docs/reference", ROOT / "docs/decisions")
"""Made from the sources, which are read here; and records, which are never edited."""


@cache
def words_of(path):
    """Read what people read of a file: of Python its texts, put together where they are split."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        parts = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        text = "\n".join(part for part in parts if isinstance(part, str))
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("phrase", ODD)
def test_phrases_that_readers_stumbled_over_do_not_come_back(phrase):
    found = [
        str(path.relative_to(ROOT))
        for path in READ
        if not any(path.is_relative_to(made) for made in MADE) and phrase in words_of(path)
    ]
    assert found == [], f"write {ODD[phrase]!r}"


ABOUT_STEELYARD = {
    "accuracy", "bad-inputs", "charts", "peers", "performance", "scaling", "the-walk", "trust",
}  # fmt: skip
"""Pages that explain no method, so that there is nothing to decide."""
EXPLANATIONS = [
    path
    for path in sorted((ROOT / "docs/explanation").glob("*.md"))
    if path.stem not in ABOUT_STEELYARD
]


@pytest.mark.parametrize("page", EXPLANATIONS, ids=lambda page: page.stem)
def test_an_explanation_begins_with_the_question_and_what_to_do(page):
    first = page.read_text(encoding="utf-8").split("\n\n")[1]
    assert re.match(r"\*\*[^*]+\?\*\* \S", first), "a question in bold, then the decision"
    assert "$$" not in first


@pytest.mark.parametrize("shelf", ["how-to", "tutorials"])
def test_no_sentence_begins_inside_a_command(shelf):
    """A command is not the subject of the sentence below it."""
    begun = re.compile(
        r"^```\n\n(?:gives|says|prints|writes|starts|finds|ranks|shows) ", re.MULTILINE
    )
    found = [
        path.name
        for path in sorted((ROOT / "docs" / shelf).glob("*.md"))
        if begun.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_tests_are_counted_as_tests():
    trust = (ROOT / "docs/explanation/trust.md").read_text(encoding="utf-8")
    assert not re.search(r"\d laws", trust)


def rows(title):
    """Read the first and the second column of the table under a heading."""
    text = GLOSSARY.split(f"# {title}")[1].split("\n## ")[0]
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return {first: second for first, second in cells[1:]}


@pytest.mark.parametrize("word", ["detection rate", "$P_D$", "random seed"])
def test_what_others_call_it_is_declared_once(word):
    others = rows("Other people's words")
    assert sum(word in re.split(r", ", names) for names in others) == 1


def test_no_word_of_ours_means_two_things():
    ours = [
        name for names in rows("Glossary: one word for one thing") for name in names.split(", ")
    ]
    theirs = [name for names in rows("Other people's words") for name in names.split(", ")]
    for names in (ours, theirs):
        assert sorted({name for name in names if names.count(name) > 1}) == []
    assert {"item", "system", "seed", "threshold"} <= {*ours}

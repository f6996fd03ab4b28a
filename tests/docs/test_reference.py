"""The pages of the Python reference: one for each name, with all that can be passed to it."""

import importlib.util
import inspect
from pathlib import Path
from typing import get_args

import pytest

import steelyard as sy
from steelyard.journey.options import Verb, options_of

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("python_pages", ROOT / "scripts/python_pages.py")
python_pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(python_pages)
NAMES = [name for name in sy.__all__ if not name.startswith("_")]
VERBS = [name for name in NAMES if name in get_args(Verb)]


@pytest.fixture(scope="module")
def pages():
    return python_pages.pages()


def test_every_name_has_a_page_under_the_title_that_people_search_for(pages):
    for name in NAMES:
        assert f"title: sy.{name}\n" in pages[f"{name}.md"]
        assert f"[`sy.{name}`]({name}.md)" in pages["index.md"]


@pytest.mark.parametrize("verb", VERBS)
def test_the_page_of_a_verb_lists_every_role_and_setting(verb, pages):
    missing = [
        name for name in options_of(verb, "python") if f"| `{name}` |" not in pages[f"{verb}.md"]
    ]
    assert missing == []


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_an_example_and_a_function_says_what_it_returns(name):
    found = getattr(sy, name)
    words = inspect.getdoc(found)
    assert ">>> " in words
    if inspect.isfunction(found):
        assert "\nReturns\n-------\n" in words
        assert name == "to_arrow" or "\nRaises\n------\n" in words


def test_everything_public_stands_on_exactly_one_page(pages):
    places = [
        line.removeprefix("::: ")
        for text in pages.values()
        for line in text.splitlines()
        if line.startswith("::: ")
    ]
    assert len(places) == len(set(places)) > 900


def test_no_page_holds_more_than_a_reader_can_scroll_through():
    sizes = {chapter: len(places) for chapter, places in python_pages.chapters().items()}
    assert max(sizes.values()) <= 120, sizes


def test_a_name_that_a_docstring_mentions_becomes_a_link():
    html = (
        ":func:<code>steelyard.sources.open_predictions</code> of :mod:<code>steelyard.tally</code>"
    )
    linked = python_pages.link_names(html)
    assert 'identifier="steelyard.sources.opening.open_predictions"' in linked
    assert "<code>open_predictions</code>" in linked
    assert "<code>steelyard.tally</code>" in linked
    assert ":func:" not in linked


@pytest.fixture(scope="module")
def markup():
    found = importlib.util.spec_from_file_location("markup", ROOT / "scripts/docstring_markup.py")
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


def test_an_example_without_a_heading_is_code_and_not_a_quote(markup):
    text = "Adds.\n\n>>> 1 + 1\n2\n\nNo more."
    assert markup.write_markdown(text) == "Adds.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nNo more."
    below = "Adds.\n\nExamples\n--------\n>>> 1 + 1\n2"
    assert markup.write_markdown(below) == below


@pytest.mark.parametrize("written", [".. math:: a = b +\n    c", ".. math::\n\n    a = b +\n    c"])
def test_formulas_and_sources_of_docstrings_are_markdown(written, markup):
    text = f"See [1]_.\n\n{written}\n\nSo it is.\n\nReferences\n----------\n.. [1] Tango (1998)."
    assert markup.write_markdown(text) == (
        "See <sup>[1]</sup>.\n\n$$a = b + c$$\n\nSo it is.\n\n"
        "References\n----------\n[1] Tango (1998)."
    )

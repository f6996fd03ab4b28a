"""The words of an answer for a page: what is typed elsewhere is a control or a link here."""

import re
import shlex
from ast import literal_eval
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from steelyard.display.text import shorten
from steelyard.journey.options import Option
from steelyard.surfaces.report import mark_code
from steelyard.surfaces.web.asking import FILE_OF_TRUTH, TYPED, page_options

__all__ = ["find_field", "find_offers", "link_words", "name_controls"]

VALUE = r"(?:'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\[[^]]*\]|\([^()]*\)|[\w.+-]+)"
SWITCH = re.compile(rf"\b([a-z_]+)=({VALUE})? \(--[a-z-]+(?: ('[^']*'|[^()\s]+))?\)")
"""One setting as Python and the command line take it, as errors spell it."""
GIVEN = re.compile(rf"^([a-z_]+)=({VALUE})(?=;? )")
"""What a message begins with: the setting that cannot be."""
BOTH = re.compile(r"\b([a-z_]+)= and ([a-z_]+)= \(--[a-z-]+, --[a-z-]+\)")
"""Two settings that go together."""
ALONE = re.compile(r"(?<![\w(-])--([a-z][a-z-]*) ('[^']*'|[^\s();]*[^\s();.,:])")
"""One setting as the command line alone takes it."""
ELSEWHERE = re.compile(r"; a file of its own with its column: \S+ \(--truth [^)]+\)")
CHOSEN = f"; a file of its own: drop it here and choose it at “{FILE_OF_TRUTH}”"
TOGETHER = re.compile(r"Name it together with the submissions: .*")
DROPPED = "Drop it here together with the submissions."
TRUE_FILE = re.compile(r"(.+\.\w+):(.+)")
FOR_SHELLS = re.compile(r"Type: (?:sed|paste|python) .*", re.DOTALL)
"""What mends a file before it is read."""
CHANGED = "Drop the changed file here."
WHOLE = re.compile(r"(?:Type:|:?) steelyard ([a-z]+)((?: (?!\(|steelyard )(?:'[^']*'|[^\s'`]+))*)$")
"""A command at the end of a message."""
PAGES = {"compare": "Compare", "evaluate": "Evaluate", "roc": "Evaluate", "threshold": "Evaluate"}
QUOTES = "'\""
PLACEHOLDER = re.compile(r"COLUMNS?|NAMES?|CLASS|N")
"""Stands for a name that only the user knows."""
COMMAND = re.compile(r"<code>steelyard (compare|evaluate|plan)</code>")
VERB = re.compile(r"\buse (compare|evaluate|agreement)\b(?=[.,;]|$)")
MOST_OFFERS, LONGEST_OFFER = 3, 60
"""So many buttons stand below a refusal, with so many letters of a value each."""


def name_controls(text: str, page: str = "compare") -> str:
    """Name the control of a page where a message names a keyword, an option or a command.

    Examples
    --------
    >>> name_controls("For example: positive='1' (--positive 1). Or fold='' (--fold '').")
    'For example: “Positive class”: 1. Or “Folds”: none.'
    >>> name_controls("In their order: classes=['x', 'y'] (--classes x,y).")
    'In their order: “All classes”: x,y.'
    >>> name_controls("Name it: truth='COLUMN' (--truth COLUMN).")
    'Name it: “True class”.'
    >>> name_controls("Name it: truth='a.csv:label' (--truth a.csv:label).")
    'Name it: “Truth in a file of its own”: a.csv and “True class”: label.'
    >>> name_controls("Type lower_is_better=True (--lower-is-better).")
    'Type “lower is better”.'
    >>> name_controls("level='high' is not a number.")
    '“Level of intervals”: high is not a number.'
    >>> name_controls("Name errors= and per= (--errors, --per), or range=(1, 5) (--range 1,5).")
    'Name “Errors” and “What errors are divided by”, or “range”: 1,5.'
    >>> name_controls("Type them in: steelyard evaluate --confusion '8,2;1,9' --classes a,b")
    'Type them in: “Table of counts”: 8,2;1,9 and “All classes”: a,b on Evaluate.'
    >>> name_controls("It is a table. Type: steelyard evaluate --confusion counts.csv")
    'It is a table. Say “Table of counts” on Evaluate.'
    >>> name_controls("A title stands above. Type: sed 1d a.csv > b.csv && steelyard roc b.csv")
    'A title stands above. Drop the changed file here.'
    >>> name_controls("Only one system. To see how good it is, use evaluate.")
    'Only one system. To see how good it is, use Evaluate.'
    """
    text = FOR_SHELLS.sub(CHANGED, TOGETHER.sub(DROPPED, ELSEWHERE.sub(CHOSEN, text)))
    text = WHOLE.sub(lambda found: _settings(found, page), text)
    text = GIVEN.sub(lambda found: _given(found, page), text)
    text = BOTH.sub(lambda found: f"{_bare(found[1], page)} and {_bare(found[2], page)}", text)
    text = VERB.sub(lambda found: f"use {found[1].title()}", text)
    named = SWITCH.sub(lambda found: _control(found, page), text)
    return ALONE.sub(lambda found: _control_of(found[1], found[2], page) or found[0], named)


def _settings(found: re.Match[str], page: str) -> str:
    """Put the settings of a command, and the page that takes them, in the command's place."""
    if found[1] not in PAGES:
        return found[0]
    where = PAGES[found[1]]
    words = shlex.split(found[2])
    said = [
        _control_of(word.removeprefix("--"), value, where.casefold())
        for word, value in zip(words, [*words[1:], ""], strict=True)
        if word.startswith("--") and value != "CLASS"
    ]
    controls = " and ".join(one for one in said if one is not None)
    on = "" if where.casefold() == page else f" on {where}"
    start = "Say " if found[0].startswith("Type") else ": "
    return (f"{start}{controls}" if controls else "") + f"{on}."


def _control(found: re.Match[str], page: str) -> str:
    typed = found[3] or found[2] or "NAME"
    value = "" if typed == "True" or PLACEHOLDER.fullmatch(typed) else f": {typed}"
    return _control_of(found[1], typed, page) or f"“{found[1].replace('_', ' ')}”{value}"


def _given(found: re.Match[str], page: str) -> str:
    return _control_of(found[1], found[2], page) or found[0]


def _bare(name: str, page: str) -> str:
    return _control_of(name, "NAME", page) or f"“{name.replace('_', ' ')}”"


def _control_of(name: str, typed: str, page: str) -> str | None:
    """Name a control and what to put into it; nothing where no page has it."""
    value = typed.strip(QUOTES)
    name = _named(name, value)
    if name == "truth_file":
        file, _, column = value.rpartition(":")
        more = "" if PLACEHOLDER.fullmatch(column) else f" and “True class”: {column}"
        return f"“{FILE_OF_TRUTH}”: {file}{more}"
    row = {**page_options("compare"), **page_options(page)}.get(name)
    label = row.page.label if row and row.page else TYPED.get(name, "")
    label = label.partition(" (")[0]
    if not label:
        return None
    open_ = PLACEHOLDER.fullmatch(value) or (name == "confusion" and "," not in value)
    said = f"“{label}”" if open_ else f"“{label}”: {value or 'none'}"
    home = "evaluate" if name == "confusion" else "compare"
    here = page == home or name in page_options(page) or (row is not None and row.role)
    return said if here else f"{said} on {home.title()}"


def _named(name: str, value: str) -> str:
    """Give the name of the control; typed shares stand where typed counts do."""
    name = name.replace("-", "_")
    if name == "truth" and TRUE_FILE.fullmatch(value.strip(QUOTES)):
        return "truth_file"
    return "correct" if name == "accuracy" and "=" in value else name


def find_field(text: str, page: str = "compare") -> str:
    """Find the control that a refusal asks for, the first of several; nothing where it names none.

    Examples
    --------
    >>> find_field("None was named. For example: positive='1' (--positive 1).")
    'positive'
    """
    known = {"truth_file", *page_options("compare"), *page_options(page), *TYPED}
    text = FOR_SHELLS.sub("", ELSEWHERE.sub("", text))
    spelled = [_named(found[1], found[3] or "") for found in SWITCH.finditer(text)]
    alone = [found.groups() for found in ALONE.finditer(text)]
    typed = [_named(name, value) for name, value in alone if value != "CLASS"]
    return next((name for name in (*spelled, *typed) if name in known), "")


def find_offers(text: str, page: str = "compare") -> list[dict[str, Any]]:
    """Find the settings that a refusal spells whole, each as words for a button and as state.

    Examples
    --------
    >>> find_offers("None was named. For example: positive='1' (--positive 1).")
    [{'words': '“Positive class” to 1', 'say': [['positive', ['1']]]}]
    >>> find_offers("Name it: truth='COLUMN' (--truth COLUMN).")
    []
    """
    known = page_options(page)
    found = list(SWITCH.finditer(ELSEWHERE.sub("", text)))
    groups = [found[:1]] if found else []
    for before, after in pairwise(found):
        if text[before.end() : after.start()] == " and ":
            groups[-1].append(after)
        else:
            groups.append([after])
    offers = []
    for group in groups:
        said = [[one[1], _state_of(one, known)] for one in group]
        if all(values for _, values in said):
            words = " and ".join(
                _offer_words(_control(one, page), values)
                for one, (_, values) in zip(group, said, strict=True)
            )
            offers.append({"words": words, "say": said})
    return [one for place, one in enumerate(offers) if one not in offers[:place]][:MOST_OFFERS]


def _offer_words(control: str, values: Sequence[str]) -> str:
    label, _, value = control.partition("”: ")
    said = f"these {len(values)}" if len(values) > 1 else shorten(value, LONGEST_OFFER)
    return f"{label}” to {said}" if value else control


def _state_of(found: re.Match[str], known: dict[str, Option]) -> list[str]:
    """Give the values of a setting as a link holds them; none where only the user knows them."""
    row, python, typed = known.get(found[1]), found[2] or "", found[3] or ""
    if row is None or row.page is None or "..." in python or PLACEHOLDER.search(python):
        return []
    if found[1] == "truth" and TRUE_FILE.fullmatch(typed.strip(QUOTES)):
        return []
    try:
        value = literal_eval(python)
    except (SyntaxError, ValueError):
        return []
    if isinstance(value, list):
        texts = [str(one) for one in value]
        return [",".join(texts)] if row.kind == "labels" else texts
    if value is True:
        return ["true"]
    return [typed.strip(QUOTES) if isinstance(value, tuple) else str(value)]


def link_words(text: str) -> Markup:
    """Mark code, name controls, and link to the page that does what a command would.

    Examples
    --------
    >>> print(link_words("use `steelyard compare` before <choosing>"))
    use <a href="/compare" data-nav="/compare">Compare</a> before &lt;choosing&gt;
    """
    start, typed, _ = text.partition(": steelyard campaign new ")
    marked = str(mark_code(name_controls(start)))
    if typed:
        marked += ': <a href="/campaigns">Campaigns</a> says how.'
    linked = COMMAND.sub(
        lambda found: f'<a href="/{found[1]}" data-nav="/{found[1]}">{found[1].title()}</a>', marked
    )
    return Markup(linked)  # all but our own links was escaped by mark_code

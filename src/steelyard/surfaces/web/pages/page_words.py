"""The words of an answer for a page: what is typed elsewhere is a control or a link here."""

import re

from markupsafe import Markup

from steelyard.surfaces.report import mark_code
from steelyard.surfaces.web.asking import page_options

__all__ = ["find_field", "link_words", "name_controls"]

VALUE = r"(?:'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\[[^]]*\]|[\w.+-]+)"
SWITCH = re.compile(rf"\b([a-z_]+)=({VALUE}) \(--[a-z-]+(?: ('[^']*'|[^()\s]+))?\)")
"""One setting as Python and the command line take it, as errors spell it."""
ELSEWHERE = re.compile(r"; a file of its own with its column: \S+ \(--truth [^)]+\)")
"""What a page has no control for: it takes one file at a time."""
QUOTES = "'\""
PLACEHOLDER = re.compile(r"COLUMNS?|NAMES?|CLASS")
"""Stands for a name that only the user knows."""
COMMAND = re.compile(r"<code>steelyard (compare|evaluate|plan)</code>")


def name_controls(text: str, page: str = "compare") -> str:
    """Name the control of a page where a message names a keyword and an option.

    Examples
    --------
    >>> name_controls("For example: positive='1' (--positive 1). Or fold='' (--fold '').")
    'For example: “Positive class”: 1. Or “Folds”: none.'
    >>> name_controls("In their order: classes=['x', 'y'] (--classes x,y).")
    'In their order: “All classes”: x,y.'
    >>> name_controls("Name it: truth='COLUMN' (--truth COLUMN).")
    'Name it: “True class”.'
    """
    return SWITCH.sub(lambda found: _control(found, page), ELSEWHERE.sub("", text))


def _control(found: re.Match[str], page: str) -> str:
    row = {**page_options("compare"), **page_options(page)}.get(found[1])
    label = row.page.label if row and row.page and row.page.label else found[1].replace("_", " ")
    label = label.partition(" (")[0]
    typed = (found[3] or found[2]).strip(QUOTES)
    if PLACEHOLDER.fullmatch(typed):
        return f"“{label}”"
    return f"“{label}”: {typed or 'none'}"


def find_field(text: str, page: str = "compare") -> str:
    """Find the control that a refusal asks for, the first of several; nothing where it names none.

    Examples
    --------
    >>> find_field("None was named. For example: positive='1' (--positive 1).")
    'positive'
    """
    known = {**page_options("compare"), **page_options(page)}
    named = [found[1] for found in SWITCH.finditer(text) if found[1] in known]
    return named[0] if named else ""


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

"""Docstrings in Markdown, for the pages of the reference: examples, formulas, numbered sources.

What docstrings write for a terminal would be shown as it is: ``>>>`` is a quote in a quote in a
quote, and ``.. math::`` nothing at all.
"""

import re
from re import Match
from typing import Any

import griffe

__all__ = ["DocstringMarkup", "write_markdown"]

HEADING = "Examples\n---"
FORMULA = re.compile(
    r"^(?P<indent> *)\.\. math::(?P<first>[^\n]*)\n?(?P<rest>\n?(?:(?P=indent) +[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
SOURCE = re.compile(r"^(?P<indent> *)\.\. (?=\[\d+\] )", re.MULTILINE)
MENTION = re.compile(r"(\[\d+\])_(?!\w)")


class DocstringMarkup(griffe.Extension):
    """Look at every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        """Write a docstring in Markdown."""
        if obj.docstring is not None:
            obj.docstring.value = write_markdown(obj.docstring.value)


def write_markdown(text: str) -> str:
    """Put dollars around formulas, and a fence around examples that stand below no heading."""
    text = FORMULA.sub(_formula, text)
    text = MENTION.sub(r"<sup>\1</sup>", SOURCE.sub(r"\g<indent>", text))
    if HEADING in text:
        return text
    parts = text.split("\n\n")
    return "\n\n".join(
        f"```pycon\n{part.rstrip()}\n```" if part.startswith(">>> ") else part for part in parts
    )


def _formula(found: Match[str]) -> str:
    lines = [found["first"], *found["rest"].split("\n")]
    tex = " ".join(line.strip() for line in lines if line.strip())
    return f"{found['indent']}$${tex}$$\n"

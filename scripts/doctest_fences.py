"""Examples in docstrings become code on the pages of the reference, also without a heading.

In Markdown ``>>>`` is a quote in a quote in a quote; only below "Examples" it is read as code.
"""

from typing import Any

import griffe

__all__ = ["DoctestFences", "fence_doctests"]

HEADING = "Examples\n---"


class DoctestFences(griffe.Extension):
    """Look at every docstring that is read."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:  # noqa: ANN401
        """Put a fence around the examples of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = fence_doctests(obj.docstring.value)


def fence_doctests(text: str) -> str:
    """Put a fence around paragraphs that are examples, where no heading says that they are."""
    if HEADING in text:
        return text
    parts = text.split("\n\n")
    return "\n\n".join(
        f"```pycon\n{part.rstrip()}\n```" if part.startswith(">>> ") else part for part in parts
    )

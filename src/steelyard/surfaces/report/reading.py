"""A report read again: the data it keeps, and its text without pictures."""

import json
import re
from html.parser import HTMLParser
from typing import Any

from steelyard.errors import FileUnreadable
from steelyard.journey.reporting import ARGUMENTS

__all__ = ["saved_content", "without_pictures"]

PICTURE = re.compile(r"<svg xmlns=.*?</svg>", re.DOTALL)


PARTS: dict[str, dict[str, type]] = {
    "campaign": {"status": dict, "versions": dict},
    "leaderboard": {"board": dict, "run": str, "versions": dict},
}
"""What reports other than that of a file keep."""


class _Finder(HTMLParser):
    """Collects the text of the one element that keeps the data."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "script" and ("id", "steelyard-report") in attrs

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found.append(data)


def saved_content(text: str, *, name: str = "the report") -> dict[str, Any]:
    """Find the data that a report keeps for verification."""
    finder = _Finder()
    finder.feed(text)
    fix = "Name an HTML file that steelyard report, campaign report or suite report has written."
    if not finder.found:
        found = "it is not a Steelyard report."
        raise FileUnreadable.for_file(name=name, found=found, fix=fix, code="not-a-report")
    try:
        saved = json.loads("".join(finder.found))
    except ValueError:
        saved = None
    if not isinstance(saved, dict) or not _whole(saved):
        found = "the data inside the report are damaged."
        raise FileUnreadable.for_file(name=name, found=found, fix=fix, code="damaged-report")
    return saved


def _whole(saved: dict[str, Any]) -> bool:
    """Tell whether the parts that are needed are there, and no argument is a stranger."""
    needed = PARTS.get(str(saved.get("report", "")))
    if needed is not None:
        return all(isinstance(saved.get(name), kind) for name, kind in needed.items())
    if not isinstance(saved.get("arguments"), dict):
        return False
    record = saved.get("evaluation")
    inputs = record.get("provenance", {}).get("inputs") if isinstance(record, dict) else None
    return isinstance(inputs, list) and ARGUMENTS.issuperset(saved["arguments"])


def without_pictures(text: str) -> str:
    """Take the drawings out, whose last pixel depends on the fonts of a machine."""
    return PICTURE.sub("<svg/>", text)

"""Tables as CSV that no spreadsheet mistakes for a formula, JSON that steers no terminal."""

import json
import re
from collections.abc import Sequence
from typing import Any
from unicodedata import category, normalize

from steelyard.display.tables import Cell

__all__ = ["csv_text", "disarm", "json_text"]

STEERING = re.compile(
    r"[\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff]"
)
ARMED = ("=", "+", "-", "@")
"""First characters that make a spreadsheet run a cell, in any of their widths."""
UNSEEN = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})
"""Characters that some spreadsheet passes over before it looks: controls, marks, white space."""
MINUS = "\N{MINUS SIGN}"
"""Some spreadsheets take the minus of mathematics for theirs."""
EMPTY = '""'
"""A line with one empty cell, which would otherwise be no line at all."""


def json_text(value: Any, *, indent: int | None = None) -> str:  # noqa: ANN401
    r"""Write JSON in which letters stay letters; what steers a terminal is written as its number.

    Examples
    --------
    >>> json_text({"café": "a\u202eb"})
    '{"café": "a\\u202eb"}'
    """
    text = json.dumps(value, indent=indent, allow_nan=False, ensure_ascii=False)
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def disarm(text: str) -> str:
    """Put an apostrophe before a text that a spreadsheet would run as a formula.

    Examples
    --------
    >>> disarm("=cmd|' /C calc'!A0"), disarm("ship")
    ("'=cmd|' /C calc'!A0", 'ship')
    >>> disarm("\N{FULLWIDTH EQUALS SIGN}1+1")[0]
    "'"
    """
    if text.isascii() and text[:1].isalnum():
        return text  # what nearly every cell is
    seen = (one for one in text if category(one) not in UNSEEN)
    first = normalize("NFKC", next(seen, ""))
    hidden = text[:1] != "" and category(text[0]) == "Cc"
    return f"'{text}" if hidden or first.startswith(ARMED) or first == MINUS else text


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, raw: bool = False) -> str:
    r"""Write a table as CSV (RFC 4180 with line feeds); numbers are written in full, None is empty.

    Text that a spreadsheet would run as a formula gets an apostrophe in front unless ``raw``.

    Examples
    --------
    >>> csv_text(["system", "difference"], [["=1+1", -0.25], ["knn", None]])
    "system,difference\n'=1+1,-0.25\nknn,\n"
    """
    lines = [",".join(_quote(_write(cell, raw=raw)) for cell in row) for row in [columns, *rows]]
    return "".join(f"{line or EMPTY}\n" for line in lines)


def _quote(text: str) -> str:
    """Put quotes where a reader needs them; Python's own writer forgets those around a CR."""
    if any(character in text for character in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _write(cell: Cell, *, raw: bool) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell if raw else disarm(cell)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return repr(float(cell)) if isinstance(cell, float) else str(cell)

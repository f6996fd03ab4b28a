"""Numbers as people write them: decimal commas, thousands, units, times, error bars."""

import re
from collections.abc import Sequence

from steelyard.errors import listing, printable, switch
from steelyard.sources.files.pasted import plain_cell, plain_number

__all__ = ["explain_spelling"]

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
PLAIN = re.compile(NUMBER)
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d+)?")
COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
UNIT = re.compile(rf"(?:[$€£¥]\s*)?({NUMBER})\s*([^\W\d_]{{1,12}}|[%‰$€£¥°])?\.?")
TIME = re.compile(r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d+)?")


def explain_spelling(cells: Sequence[str]) -> str:
    """Say how cells that hold no plain number are to be written; nothing where they hold none.

    >>> explain_spelling(["1127ms", "950 ms"])
    "Write the number alone, 1127 for '1127ms'."
    >>> explain_spelling(["1127ms", "1.2s"])
    'They are in different units (ms, s): bring all to one, and write the number alone.'
    >>> explain_spelling(["five"])
    ''
    """
    found = [cell.strip() for cell in cells if cell.strip()]
    first = printable(found[0]) if found else ""
    if all(map(THOUSANDS.fullmatch, found)) and found:
        plain = re.sub(r"[^0-9.+-]", "", found[0])
        also = ", or give --decimal , if the comma is a decimal mark" * ("," in found[0])
        return f"Write {plain} for {first!r}, without marks of thousands{also}."
    if all(map(COMMA.fullmatch, found)) and found:
        return f"If the commas are decimal marks, say so: {switch('decimal', ',')}."
    if all(map(TIME.fullmatch, found)) and found:
        return f"These are times, such as {first!r}: give seconds."
    return _explain_rest(found, first)


def _explain_rest(found: Sequence[str], first: str) -> str:
    """Say that what stands beside each number is to be left out, and units brought to one."""
    units = [UNIT.fullmatch(cell) for cell in found]
    named = sorted({unit[2] for unit in units if unit and unit[2]})
    if all(units) and len(named) > 1:
        return (
            f"They are in different units ({listing(named)}): bring all to one, and write the "
            "number alone."
        )
    bare = [
        unit[1] if unit else plain_number(plain_cell(cell))
        for unit, cell in zip(units, found, strict=True)
    ]
    told = bool(bare) and all(map(PLAIN.fullmatch, bare))
    return f"Write the number alone, {bare[0]} for {first!r}." if told else ""

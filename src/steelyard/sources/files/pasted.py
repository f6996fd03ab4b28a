r"""Tables as pages and papers print them: bars or ``&`` between cells, bold, error bars."""

import csv
import io
import re
from collections.abc import Sequence
from itertools import takewhile

__all__ = ["NOTHING", "PrintedTable", "plain_cell", "plain_number", "split_table"]

PrintedTable = tuple[list[str], list[list[str]], bool]
"""Names of columns, rows, and whether it was set for the eye (Markdown, LaTeX)."""

RULE = re.compile(r"\s*\|?[\s:|-]*-[\s:|-]*\|?\s*")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
TAG = re.compile(r"</?[a-z]{1,6}/?>")
COMMAND = re.compile(
    r"\\(?:text(?:bf|it|sc|tt|rm)?|math(?:bf|rm|it)|underline|emph|bm|boldsymbol|uline)"
    r"\s*\{([^{}]*)\}"
)
"""What LaTeX puts around a cell to show that it is the best, or the second."""

SYMBOLS = {
    r"\pm": "±",
    r"\%": "%",
    r"\_": "_",
    r"\&": "&",
    r"\#": "#",
    r"\,": " ",
    "$": "",
    "~": " ",
}
ROW_END = re.compile(r"\\\\(?:\s*\[[^\]]*\])?(?:\s*\\\w+(?:\{[^}]*\})?)*\s*$")
LINE_START = re.compile(r"^(?:\s*\\(?:hline|toprule|midrule|bottomrule)\s*)+")
MARKS = str.maketrans("", "", "*`†‡§•◦∘●○▲▼↑↓⭐🥇🥈🥉")
ERROR = re.compile(r"\s*(?:±|\+/?-|\(|\[|_\{|\^\{).*")
NOTHING = frozenset({"", "-", "–", "—", "--", "---", "n/a", "na", "nan", "none", "null", "?"})
"""What stands in a cell where there is no number."""


def split_table(text: str) -> PrintedTable | None:
    r"""Split into names and rows without emphasis; None of what is no table.

    >>> split_table("| A | B |\n|---|---|\n| x | **1** |")
    (['A', 'B'], [['x', '1']], True)
    >>> split_table("A & B \\\\ \\hline\nx & \\textbf{1} \\\\\ny & 2 \\\\")
    (['A', 'B'], [['x', '1'], ['y', '2']], True)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 3:
        return None
    ruled = [place for place, line in enumerate(lines) if "|" in line and RULE.fullmatch(line)]
    typeset = [line for line in lines if "&" in line and ROW_END.search(line)]
    if ruled:
        rows = _ruled_rows(lines, ruled[0])
    elif len(typeset) > 2:
        rows = [_typeset_cells(line) for line in typeset]
    else:
        rows = _delimited_rows(lines)
    return _even(rows, printed=bool(ruled) or len(typeset) > 2)


def _ruled_rows(lines: Sequence[str], rule: int) -> list[list[str]]:
    """Split Markdown at its bars, up to the first line that has none."""
    if rule == 0:
        return []
    below = takewhile(lambda line: "|" in line, lines[rule + 1 :])
    return [_cells(line) for line in (lines[rule - 1], *below)]


def _delimited_rows(lines: Sequence[str]) -> list[list[str]]:
    counts = {mark: lines[0].count(mark) for mark in "\t;,"}
    mark = max(counts, key=lambda one: counts[one])
    if not counts[mark]:
        return []
    try:
        cells = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=mark))
    except csv.Error:
        return []
    return [[cell.strip() for cell in row] for row in cells]


def plain_cell(cell: str) -> str:
    r"""Take links and emphasis off a cell.

    >>> plain_cell("**0.91**"), plain_cell(r"$\mathbf{0.91}\pm 0.02$"), plain_cell("[a](b.html)")
    ('0.91', '0.91± 0.02', 'a')
    """
    if not cell:
        return cell
    if "\\" in cell or "$" in cell:
        before = ""
        while before != cell:
            before, cell = cell, COMMAND.sub(r"\1", cell)
        for symbol, plain in SYMBOLS.items():
            cell = cell.replace(symbol, plain)
    return TAG.sub("", LINK.sub(r"\1", cell)).translate(MARKS).strip()


def plain_number(cell: str) -> str:
    """Take the error bar off a number, and read a decimal comma.

    >>> plain_number("0.91 (0.02)"), plain_number("87,3 ± 1"), plain_number("12.5%")
    ('0.91', '87.3', '12.5%')
    """
    bare = ERROR.sub("", cell).strip()
    return re.sub(r"^(-?\d+),(\d+)", r"\1.\2", bare)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _typeset_cells(line: str) -> list[str]:
    bare = LINE_START.sub("", ROW_END.sub("", line))
    return [cell.strip() for cell in re.split(r"(?<!\\)&", bare)]


def _even(rows: Sequence[list[str]], *, printed: bool) -> PrintedTable | None:
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        return None
    header, *body = [[plain_cell(cell) for cell in row] for row in rows]
    return header, body, printed

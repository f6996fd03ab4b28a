"""Tables as HTML fragments, for notebooks and reports; every text is escaped."""

import re
from collections.abc import Sequence
from html import escape

from steelyard.display.numbers import show_cell
from steelyard.display.tables import Cell, Column, Table
from steelyard.display.text import clean_text

__all__ = [
    "STYLE",
    "breakable_text",
    "code_text",
    "result_fragment",
    "table_fragment",
    "table_markup",
]

STYLE = """\
.steelyard{font-family:system-ui,sans-serif;line-height:1.45;color:#1c1e21;max-width:64rem}
.steelyard p{margin:.4em 0}
.steelyard .headline{font-size:1.25em;font-weight:650}
.steelyard .sentence{font-size:1.05em;font-weight:600}
.steelyard .note{font-size:.9em;color:#55595f}
.steelyard .scroll{overflow-x:auto}
.steelyard table{border-collapse:collapse;margin:.8em 0;font-variant-numeric:tabular-nums}
.steelyard caption{text-align:left;font-weight:600;padding:.2em 0}
.steelyard th,.steelyard td{padding:.2em .8em .2em 0;text-align:left;font-weight:400;\
border:0;background:none;color:inherit}
.steelyard thead th{border-bottom:1px solid #9aa0a6;font-weight:600}
.steelyard .right{text-align:right}
@media (prefers-color-scheme:dark){.steelyard{color:#e6e7e9}.steelyard .note{color:#a9adb3}\
.steelyard thead th{border-bottom-color:#6b7076}}
"""


JOINTS = re.compile(r"(?<=\w[/_:-])(?=\w)|(?<=\w\.)(?=[^\W\d])")
CODE = re.compile(r"`([^`]+)`")
"""Names that could be mistaken for words of the sentence, and what to type."""


def table_fragment(
    sentence: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    caveats: Sequence[str] = (),
) -> str:
    """Write a sentence, one table of raw values and the caveats, with a style of its own."""
    aligns = [
        all(isinstance(row[place], int | float | None) for row in rows)
        for place in range(len(columns))
    ]
    table = Table(
        title="",
        columns=tuple(
            Column(name=name, align="right" if numbers else "left")
            for name, numbers in zip(columns, aligns, strict=True)
        ),
        rows=tuple(tuple(show_cell(cell) for cell in row) for row in rows),
    )
    return result_fragment(sentence, [table], caveats)


def result_fragment(
    sentence: str,
    tables: Sequence[Table],
    caveats: Sequence[str] = (),
    *,
    headline: str = "",
    details: Sequence[str] = (),
) -> str:
    """Write a headline, a sentence, its tables, caveats and small print, with their own style."""
    parts = [
        f"<style>{STYLE}</style>",
        *([f'<p class="headline">{code_text(headline)}</p>'] if headline else []),
        f'<p class="sentence">{code_text(sentence)}</p>',
        *(table_markup(table) for table in tables),
        *(f'<p class="note">Note: {code_text(caveat)}</p>' for caveat in caveats),
        *(f'<p class="note">{code_text(detail)}</p>' for detail in details),
    ]
    return '<div class="steelyard">\n' + "\n".join(parts) + "\n</div>"


def code_text(text: str) -> str:
    """Escape a text, and show what stands between backticks as code.

    Examples
    --------
    >>> code_text("Type `steelyard plan` for <more>")
    'Type <code>steelyard plan</code> for &lt;more&gt;'
    """
    return CODE.sub(r"<code>\1</code>", _text(text))


def breakable_text(text: str) -> str:
    """Escape a text that may be broken into lines after the signs that join names.

    Examples
    --------
    >>> breakable_text("org/model_v2 <b>")
    'org/<wbr>model_<wbr>v2 &lt;b&gt;'
    """
    return "<wbr>".join(_text(piece) for piece in JOINTS.split(clean_text(text)))


def table_markup(table: Table) -> str:
    """Write one table, without a style.

    Examples
    --------
    >>> from steelyard.display.tables import Column, Table
    >>> table = Table(title="<b>", columns=(Column(name="a"),), rows=(("x & y",),))
    >>> "<caption>&lt;b&gt;</caption>" in table_markup(table), "x &amp; y" in table_markup(table)
    (True, True)
    """
    table = table.without_drawings()
    caption = f"<caption>{_text(table.title)}</caption>" if table.title else ""
    heads = "".join(
        f'<th scope="col"{_class(head)}>{_text(head.name)}</th>' for head in table.columns
    )
    rows = "\n".join(_row(table.columns, row) for row in table.rows)
    note = f'\n<p class="note">{_text(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll"><table>{caption}\n<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>{note}"
    )


def _row(columns: Sequence[Column], row: Sequence[str | None]) -> str:
    cells = []
    for place, (head, cell) in enumerate(zip(columns, row, strict=True)):
        tag, scope = ("th", ' scope="row"') if place == 0 else ("td", "")
        cells.append(f"<{tag}{scope}{_class(head)}>{'-' if cell is None else _text(cell)}</{tag}>")
    return f"<tr>{''.join(cells)}</tr>"


def _class(head: Column) -> str:
    return ' class="right"' if head.align == "right" else ""


def _text(text: str) -> str:
    return escape(clean_text(text), quote=True)

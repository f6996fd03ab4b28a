r"""Sentences and tables as Markdown and LaTeX; names from data never become markup."""

import re
from collections.abc import Mapping, Sequence

from steelyard.display.tables import Table
from steelyard.display.text import clean_text

__all__ = ["LATEX_MARKS", "latex_table", "latex_text", "markdown_table", "markdown_text"]

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!()])")
LATEX_MARKS: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "Δ": r"$\Delta$",
    "−": r"$-$",
    "…": r"\ldots{}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


def markdown_text(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is.

    >>> print(markdown_text("a_b <i>"))
    a\_b \<i\>
    """
    return SPECIAL.sub(r"\\\1", clean_text(text))


def latex_text(text: str) -> str:
    r"""Write a text so that LaTeX shows it as it is.

    >>> print(latex_text("95% of a_b"))
    95\% of a\_b
    """
    return "".join(LATEX_MARKS.get(mark, mark) for mark in clean_text(text))


def markdown_table(table: Table) -> str:
    """Write a table with its title and its note."""
    table = table.without_drawings()
    heads = [markdown_text(column.name) for column in table.columns]
    rule = ["---:" if column.align == "right" else "---" for column in table.columns]
    rows = [["-" if cell is None else markdown_text(cell) for cell in row] for row in table.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]
    title = [f"{markdown_text(table.title)}\n"] if table.title else []
    note = [f"\n{markdown_text(table.note)}"] if table.note else []
    return "\n".join([*title, *lines, *note])


def latex_table(table: Table) -> str:
    r"""Write a table that needs no package; the title is its caption.

    >>> from steelyard.display.tables import Column
    >>> table = Table(title="", columns=(Column(name="a_b"),), rows=(("1%",),))
    >>> print(latex_table(table))
    \begin{table}
    \begin{tabular}{l}
    \hline
    a\_b \\
    \hline
    1\% \\
    \hline
    \end{tabular}
    \end{table}
    """
    table = table.without_drawings()
    form = "".join("r" if column.align == "right" else "l" for column in table.columns)
    rows = [_latex_row(["-" if cell is None else cell for cell in row]) for row in table.rows]
    parts = [
        r"\begin{table}",
        *([rf"\caption{{{latex_text(table.title)}}}"] if table.title else []),
        rf"\begin{{tabular}}{{{form}}}",
        r"\hline",
        _latex_row([column.name for column in table.columns]),
        r"\hline",
        *rows,
        r"\hline",
        r"\end{tabular}",
        *([latex_text(table.note)] if table.note else []),
        r"\end{table}",
    ]
    return "\n".join(parts)


def _latex_row(cells: Sequence[str]) -> str:
    # A row that starts with a bracket would be read as an argument of the line end before it.
    shown = [f"{{}}{cell}" if cell.startswith("[") else cell for cell in map(latex_text, cells)]
    return f"{' & '.join(shown)} \\\\"

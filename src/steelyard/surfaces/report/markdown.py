"""The report as Markdown, to paste into a page or a pull request."""

import re
from collections.abc import Sequence

from steelyard.display.tables import Table
from steelyard.display.text import clean_text
from steelyard.journey.reporting import ReportContent
from steelyard.surfaces.report.methods import methods_of
from steelyard.surfaces.report.page import default_title, versions

__all__ = ["escaped", "markdown_table", "report_markdown"]

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!()])")


def report_markdown(content: ReportContent, *, title: str | None = None, command: str = "") -> str:
    """Write the report without pictures; names from data never become markup."""
    evaluation, comparison = content.evaluation, content.comparison
    notes = [*evaluation.notes(), *(comparison.notes() if comparison else [])]
    record = (comparison or evaluation).provenance
    methods = methods_of(evaluation, comparison)
    sources = list(dict.fromkeys(source for one in methods for source in one.sources))
    parts = [
        f"# {escaped(title or default_title(content))}",
        f"**{escaped((comparison or evaluation).sentence())}**",
        "## How good is each system?",
        *map(markdown_table, evaluation.tables()),
        *(["## Which is better, and how sure is that?"] if comparison else []),
        *(map(markdown_table, comparison.tables()) if comparison else []),
        "## What to doubt, what was left out",
        _bullets([*dict.fromkeys(notes), *content.refusals, *map(str, record.excluded)])
        or "Every row was counted, nothing was refused, and no doubt was noted.",
        "## How it was found",
        " ".join(escaped(f"{one.said}.") for one in methods),
        _bullets(sources),
        "## Where it comes from",
        _bullets([*record.lines(), _versions(), *([f"Command: {command}"] if command else [])]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    r"""Write a text so that Markdown shows it as it is.

    >>> print(escaped("a_b <i>"))
    a\_b \<i\>
    """
    return SPECIAL.sub(r"\\\1", clean_text(text))


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


def _versions() -> str:
    return "Versions: " + ", ".join(f"{name} {version}" for name, version in versions().items())


def markdown_table(table: Table) -> str:
    """Write a table with its title and its note."""
    heads = [escaped(column.name) for column in table.columns]
    rule = ["---:" if column.align == "right" else "---" for column in table.columns]
    rows = [["-" if cell is None else escaped(cell) for cell in row] for row in table.rows]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]
    title = [f"{escaped(table.title)}\n"] if table.title else []
    note = [f"\n{escaped(table.note)}"] if table.note else []
    return "\n".join([*title, *lines, *note])

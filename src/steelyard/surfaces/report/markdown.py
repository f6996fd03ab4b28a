"""The report as Markdown, to paste into a page or a pull request."""

from collections.abc import Sequence

from steelyard.display.markup import markdown_table, markdown_text
from steelyard.journey.reporting import ReportContent
from steelyard.surfaces.report.methods import methods_of
from steelyard.surfaces.report.page import default_title, versions

__all__ = ["report_markdown"]


def report_markdown(content: ReportContent, *, title: str | None = None, command: str = "") -> str:
    """Write the report without pictures; names from data never become markup."""
    evaluation, comparison = content.evaluation, content.comparison
    notes = [*evaluation.notes(), *(comparison.notes() if comparison else [])]
    record = (comparison or evaluation).provenance
    methods = methods_of(evaluation, comparison)
    sources = list(dict.fromkeys(source for one in methods for source in one.sources))
    parts = [
        f"# {markdown_text(title or default_title(content))}",
        f"**{markdown_text((comparison or evaluation).sentence())}**",
        "## How good is each system?",
        *map(markdown_table, evaluation.tables()),
        *(["## Which is better, and how sure is that?"] if comparison else []),
        *(map(markdown_table, comparison.tables()) if comparison else []),
        "## What to doubt, what was left out",
        _bullets([*dict.fromkeys(notes), *content.refusals, *map(str, record.excluded)])
        or "Every row was counted, nothing was refused, and no doubt was noted.",
        "## How it was found",
        " ".join(markdown_text(f"{one.said}.") for one in methods),
        _bullets(sources),
        "## Where it comes from",
        _bullets([*record.lines(), _versions(), *([f"Command: {command}"] if command else [])]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _bullets(lines: Sequence[str]) -> str:
    return "\n".join(f"- {markdown_text(line)}" for line in lines)


def _versions() -> str:
    return "Versions: " + ", ".join(f"{name} {version}" for name, version in versions().items())

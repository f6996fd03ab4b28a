"""The report as Markdown, and as PDF."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from steelyard.display.markup import markdown_table, markdown_text
from steelyard.errors import RequestError
from steelyard.journey.reporting import ReportContent
from steelyard.surfaces.report.methods import methods_of
from steelyard.surfaces.report.page import default_title, merge_notes, versions

__all__ = ["report_markdown", "report_pdf"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 120


def report_markdown(content: ReportContent, *, title: str | None = None, command: str = "") -> str:
    """Write the report without pictures; names from data never become markup."""
    evaluation, comparison = content.evaluation, content.comparison
    notes = [note for part in content.parts for note in part.notes()]
    answer = content.answer
    said = [one for one in (answer.headline(), answer.sentence()) if one]
    record = answer.provenance
    methods = methods_of(evaluation, comparison)
    sources = list(dict.fromkeys(source for one in methods for source in one.sources))
    parts = [
        f"# {markdown_text(title or default_title(content))}",
        # The first line is bold: the headline, or the sentence where nothing is to be decided.
        f"**{markdown_text(said[0])}**",
        *map(markdown_text, said[1:]),
        *(["## How good is each system?"] if evaluation else []),
        *(map(markdown_table, evaluation.tables()) if evaluation else []),
        *(["## Which is better, and how sure is that?"] if comparison else []),
        *(map(markdown_table, comparison.tables()) if comparison else []),
        "## What to doubt, what was left out",
        _bullets(
            [*merge_notes(notes, content.systems), *content.refusals, *map(str, record.excluded)]
        )
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


def report_pdf(html: str) -> bytes:
    """Print a report; it asks nobody, so that the browser needs no network."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        message = (
            "A PDF is printed by Chromium, and none was found. Type: apt-get install chromium, or "
            "write HTML (-o report.html) and print it from your browser."
        )
        raise RequestError(message, code="no-browser")
    with tempfile.TemporaryDirectory() as folder:
        page, printed = Path(folder) / "report.html", Path(folder) / "report.pdf"
        page.write_text(html, encoding="utf-8")
        _print(browser, page, printed, Path(folder) / "profile")
        return printed.read_bytes()


def _print(browser: str, page: Path, printed: Path, profile: Path) -> None:
    # A browser that runs as root has no sandbox; what it opens here is our own page without scripts
    # of others.
    sandbox = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [
        browser,
        "--headless",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        f"--user-data-dir={profile}",
        "--no-pdf-header-footer",
        f"--print-to-pdf={printed}",
        *sandbox,
        page.as_uri(),
    ]
    try:
        subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass
    if not printed.is_file():
        message = (
            f"{Path(browser).name} did not print the report. Write HTML (-o report.html) and print "
            "it from your browser."
        )
        raise RequestError(message, code="not-printed")

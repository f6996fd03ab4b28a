"""The report as PDF, printed by a browser that is on this machine."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from steelyard.errors import RequestError

__all__ = ["report_pdf"]

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 120


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

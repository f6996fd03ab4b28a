"""A real browser, headless, that tells of everything it does."""

import os
import shutil
from dataclasses import dataclass, field

import pytest

__all__: list[str] = []

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Visit:
    """A page that was opened, with all it said and asked for."""

    page: object
    said: list = field(default_factory=list)
    asked: list = field(default_factory=list)


@pytest.fixture(scope="session")
def chromium():
    """Start Chromium once; without one, skip and say why, but fail where CI=true."""
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        reason = "no Chromium: apt-get install chromium"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=path, args=list(ARGUMENTS), timeout=600_000
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open a file at a width, in light or dark."""
    opened = []

    def go(path, *, width=1280, look="light", script=True):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=look,
            java_script_enabled=script,
            offline=True,
            reduced_motion="reduce",  # a page that still glides is measured too early
        )
        context.set_default_timeout(600_000)  # a busy machine is no reason to fail
        opened.append(context)
        page = context.new_page()
        seen = Visit(page=page)
        page.on("console", lambda message: seen.said.append(message.text))
        page.on("pageerror", lambda error: seen.said.append(str(error)))
        page.on("request", lambda request: seen.asked.append(request.url))
        page.goto(path.as_uri())
        return seen

    yield go
    for context in opened:
        context.close()

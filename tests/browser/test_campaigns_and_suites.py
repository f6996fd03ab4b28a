"""Campaigns and suites in a real browser: followed live, added to by hand, looked into."""

import shlex

import pytest

from steelyard.journey import run_suite
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.suites import new_suite
from steelyard.surfaces.web.served import ServedCampaigns, ServedSuites
from tests.browser.test_web import DRAWN, Served, axe

EVIL = "<img src=x onerror=document.title=7>"
ROGUE = shlex.quote(f"echo '{EVIL} loading'; echo '{EVIL} no weights' >&2; exit 3")
SYSTEMS = ("cnn", "<img src>")


def records(start, items):
    return [
        {"item": f"{EVIL}{n}", "system": system, "right": system == "cnn" or n % 3 == 0}
        for n in range(start, start + items)
        for system in SYSTEMS
    ]


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    where = str(tmp_path_factory.mktemp("ledger") / "radar.db")
    campaign = Campaign.create(where, systems=SYSTEMS, stop="evidence >= 1000 or n >= 80")
    campaign.report(records(0, 6))
    campaign.report([{"item": f"{EVIL} waits", "system": "cnn", "right": True}])
    return where


@pytest.fixture(scope="module")
def served(tmp_path_factory, ledger):
    folder = tmp_path_factory.mktemp("suites") / "mine"
    run_suite(new_suite(folder), ["lda", f"rogue=json:/bin/sh -c {ROGUE}"])
    running = Served(tmp_path_factory.mktemp("state"))
    app_state = running.server.config.app.app.state.app_state
    app_state.campaigns = ServedCampaigns.of([f"radar={ledger}"])
    app_state.suites = ServedSuites.of([str(folder)])
    yield running
    running.stop()


@pytest.fixture
def come(chromium, served):
    """Open a page as a user who was let in, and note all that the browser says and asks."""
    opened, said, asked = [], [], []

    def go(path, *, width=1280, look="light"):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=look, accept_downloads=True
        )
        context.set_default_timeout(600_000)  # a busy machine is no reason to fail
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(served.link(path))
        page.wait_for_selector(DRAWN)
        return page

    yield go
    for context in opened:
        context.close()
    ours = (f"http://127.0.0.1:{served.port}/", "data:", "blob:")
    assert [one for one in asked if not one.startswith(ours)] == []
    assert [one for one in said if "422" not in one] == []


def test_a_campaign_is_followed_live_and_added_to_by_hand(come, ledger):
    page = come("/campaigns")
    assert "after 6 items" in page.inner_text("#verdict .answer")
    Campaign.open(ledger).report(records(6, 4))
    page.wait_for_function(
        "() => document.querySelector('#verdict .answer').textContent.includes('after 10 items')"
    )
    page.wait_for_selector("#t-rule-1")
    page.click("#batch summary")
    assert page.is_disabled("#batch-send")
    page.fill("#batch-text", f"item,{','.join(SYSTEMS)}\np1,1,0\np2,1,0\n")
    page.click("#batch-send")
    page.wait_for_selector("#batch-refused:not([hidden])")
    page.fill("#batch-outcome", ",".join(SYSTEMS))
    page.click("#batch-send")
    page.wait_for_function(
        "() => document.getElementById('batch-said').textContent.includes('4 results')"
    )
    page.wait_for_function(
        "() => document.querySelector('#verdict .answer').textContent.includes('after 12 items')"
    )
    assert page.is_hidden("#batch-refused")
    page.click("[data-copy=command]")
    assert "steelyard campaign status" in page.inner_text("#copied")
    assert "campaign=radar" in page.url
    with page.expect_download() as coming:
        page.click("[data-download='result.json']")
    assert coming.value.suggested_filename == "campaigns.json"
    assert page.evaluate("document.querySelectorAll('img, [onerror]').length") == 0
    assert page.title() == "Campaigns · Steelyard"


def test_a_failed_cell_is_opened_from_the_grid_and_its_logs_are_text(come):
    page = come("/suites")
    page.focus(".cell.failed")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell-detail")
    assert f"{EVIL} loading" in page.inner_text("#cell-detail")
    assert "algorithm=rogue" in page.url
    assert page.evaluate("document.activeElement.className") == "cell failed"
    assert page.evaluate("document.querySelectorAll('img, [onerror]').length") == 0
    page.wait_for_selector(DRAWN)
    page.click("#cell-close")
    page.wait_for_selector("#cell-detail", state="detached")
    assert "algorithm" not in page.url


@pytest.mark.parametrize(("width", "look"), [(1280, "light"), (1280, "dark"), (390, "light")])
@pytest.mark.parametrize("name", ["campaigns", "suites"])
def test_axe_finds_nothing_and_nothing_runs_over_the_edge(come, name, width, look):
    page = come(f"/{name}", width=width, look=look)
    if name == "campaigns":
        page.wait_for_selector("#t-rule-1")
        page.click("#batch summary")
    else:
        page.click(".cell.failed")
        page.wait_for_selector("#cell-detail")
    page.wait_for_selector(DRAWN)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width

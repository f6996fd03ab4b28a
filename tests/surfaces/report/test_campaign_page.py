"""The report of a campaign: one file, the verdict first, nothing from data is run."""

import json
import re

import pytest

from steelyard.errors import LedgerError, RequestError
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.results.reading import read_result
from steelyard.surfaces.report import campaign_html, save_content, write_again

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def campaign(tmp_path):
    made = Campaign.create(
        tmp_path / "radar.db", EVIL, systems=["cnn", EVIL], stop="evidence >= 20 or n >= 60"
    )
    for turn in range(4):
        made.report(
            [
                {"item": f"{EVIL}{turn}{n}", "system": one, "right": one == "cnn" or n % 2 == 0}
                for n in range(5)
                for one in ("cnn", EVIL)
            ]
        )
    return made


def test_the_verdict_comes_first_and_the_status_can_be_read_back(campaign):
    status = campaign.status()
    html = campaign_html(status, campaign.history(), campaign.simulate())
    assert "What the rule really does" in html
    assert html.index('class="answer"') < html.index("<table")
    assert read_result(json.dumps(save_content(html)["status"])) == status
    assert html.count("<svg xmlns") == 2 * len(status.charts())


def test_every_cell_of_a_campaign_keeps_its_heading_where_a_phone_stacks_rows(campaign):
    html = campaign_html(campaign.status(), campaign.history(), campaign.simulate())
    wide = re.findall(r'<table class="apart">.*?</table>', html, re.DOTALL)
    assert len(wide) >= 2
    assert all("<td data-head=" in one and "<td>" not in one for one in wide)


def test_the_report_is_found_again_from_the_ledger_as_it_stood_then(campaign):
    html = campaign_html(campaign.status(), campaign.history(), campaign.simulate())
    files = [campaign.ledger.where]
    assert write_again(save_content(html), files, list) == (html, [])
    campaign.report([{"item": "late", "system": "cnn", "right": False}])
    campaign.correct({"item": [f"{EVIL}00"], "cnn": [0]}, outcome=["cnn"])
    assert write_again(save_content(html), files, list) == (html, [])
    forged = save_content(html)
    forged["status"]["items"] += 1
    _, found = write_again(forged, files, list)
    assert found == ["status.items: the report says 19, the data give 18"]
    with pytest.raises(RequestError, match="one ledger"):
        write_again(forged, [], list)


def test_a_ledger_that_was_cut_does_not_vouch_for_a_report(campaign):
    saved = save_content(campaign_html(campaign.status(), campaign.history(), None))
    saved["status"]["head_hash"] = "0" * 64
    with pytest.raises(LedgerError, match="cannot vouch"):
        write_again(saved, [campaign.ledger.where], list)


def test_names_from_data_stay_text_and_the_same_campaign_gives_the_same_bytes(campaign):
    parts = (campaign.status(), campaign.history(), None)
    html = campaign_html(*parts)
    assert EVIL not in html
    assert "What the rule really does" not in html
    assert campaign_html(*parts) == html
    assert not re.search(r"(src|href)=\"(?!#|data:)", html)


def test_a_campaign_without_results_has_a_report(tmp_path):
    empty = Campaign.create(tmp_path / "new.db", systems=["a", "b"], stop="n >= 10")
    html = campaign_html(empty.status(), empty.history(), None, title="Before the start")
    assert "no item counts yet" in html
    assert "<h1>Before the start</h1>" in html

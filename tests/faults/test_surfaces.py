"""The corpus on every surface that can receive it: one refusal, the same words, nothing kept.

Python and the command line see all of it in every run (test_refusals); page, reports and campaigns
read with the same code, and see one input for each kind of fault, and all of it in the long form.
"""

import sys

import pytest
from corpus import cli_arguments
from reached import BATCHES, FILES, KINDS, ON_THE_PAGE, each_kind
from surfaces import CAMPAIGN, Page, in_the_terminal, new_campaign

import steelyard
from steelyard.errors import SteelyardError
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.cli.entry import main
from steelyard.surfaces.web.pages.page_words import name_controls

# A report has more than the comparison: one that cannot be made is said inside, not refused. It
# reads as the other commands do, so one input for each kind of fault is enough.
REPORTED = list({bad.code: bad for bad in FILES if bad.code != "one-class"}.values())


def refused(call, *given, **roles):
    """Give the words of a refusal, or None where there is an answer."""
    try:
        call(*given, **roles)
    except SteelyardError as error:
        return str(error)
    return None


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return Page(tmp_path_factory.mktemp("page"))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    return new_campaign(tmp_path_factory.mktemp("ledger"))


def typed(monkeypatch, capsys, *words):
    """Type a command; give its exit code, output and complaint."""
    monkeypatch.setattr(sys, "argv", ["steelyard", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    return ended.value.code, out, err


@pytest.mark.parametrize("bad", each_kind(ON_THE_PAGE))
def test_the_page_says_the_same_and_names_its_controls(bad, page, tmp_path):
    data = bad.write(tmp_path)
    said = refused(getattr(steelyard, bad.verb), data, **bad.roles)
    assert page.refusal(bad.verb, data, bad.roles) == name_controls(said)


@pytest.mark.parametrize("bad", REPORTED, ids=[bad.name for bad in REPORTED])
def test_a_report_is_refused_in_the_same_words_and_not_written(bad, tmp_path, monkeypatch, capsys):
    data = bad.write(tmp_path)
    said = refused(getattr(steelyard, bad.verb), data, **bad.roles)
    made = tmp_path / "report.html"
    words = [*cli_arguments(data, bad.roles), "-o", str(made)]
    code, _, err = typed(monkeypatch, capsys, "report", *words)
    assert code == bad.exit_code
    assert err == in_the_terminal(said, err, ["report", *words])
    assert not made.exists()


@pytest.mark.parametrize("bad", each_kind(BATCHES))
def test_a_batch_of_a_campaign_is_refused_in_the_same_words_and_nothing_is_recorded(
    bad, page, ledger, tmp_path, monkeypatch, capsys
):
    data = bad.write(tmp_path)
    campaign = Campaign.open(ledger)
    before = campaign.ledger.entries(CAMPAIGN)
    said = refused(campaign.add, data, **bad.roles)
    assert said is not None
    words = ["add", ledger, *cli_arguments(data, bad.roles)]
    code, out, err = typed(monkeypatch, capsys, "campaign", *words)
    said_there = in_the_terminal(said, err, ["campaign", *words])
    assert (code in {1, 2}, out, err) == (True, "", said_there)
    if KINDS[bad.name] in {"file", "systems"}:
        assert page.batch_refusal(data, bad.roles) == said
        assert len(Campaign.open(page.ledger).ledger.entries(CAMPAIGN)) == 1, "the protocol alone"
    assert Campaign.open(ledger).ledger.entries(CAMPAIGN) == before

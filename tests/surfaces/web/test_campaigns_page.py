"""The page Campaigns: the verdict, its path, batches by hand, what others wrote meanwhile."""

import pytest

from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.web.served import ServedCampaigns

EVIL = "<img src=x onerror=alert(1)>"
ROWS = "item,truth,cnn,svm\n1,a,a,b\n2,b,b,b\n3,a,a,b\n"


@pytest.fixture
def ledger(tmp_path):
    where = tmp_path / "radar.db"
    Campaign.create(where, systems=["cnn", "svm"], stop="evidence >= 20 or n >= 60")
    return str(where)


@pytest.fixture
def radar(here, ledger):
    here.app_state.campaigns = ServedCampaigns.of([ledger])
    return here


@pytest.fixture
def add(radar, client):
    """Add a batch as the page does: the file first, then what to do with it."""

    def adding(text=ROWS, adds="error", **roles):
        kept = client.post("/files", content=text, headers={"X-File-Name": "mine.csv"}).json()
        said = [[name, value] for name, values in roles.items() for value in values]
        state = [["campaign", "radar"], ["data", kept["data"]], *said]
        return client.post("/campaigns/batch", json={"state": state, "adds": adds})

    return adding


def test_the_verdict_comes_first_and_the_rule_is_looked_through(radar, ask, ledger):
    radar.app_state.campaigns.find("radar").simulate()
    Campaign.open(ledger).report([{"item": 1, "system": "cnn", "right": True}])
    said = ask("campaigns", campaign="radar")
    status = Campaign.open(ledger).status()
    assert status.sentence().replace(">", "&gt;") in said["html"]
    assert said["html"].index('class="answer') < said["html"].index("<table")
    assert "What the rule really does" in said["html"]
    assert "Without a difference it names a winner" in said["html"]
    assert said["command"] == f"steelyard campaign status {ledger}"
    assert f'sy.Campaign.open("{ledger}")' in said["python"]


def test_the_simulation_comes_by_itself_and_the_mark_tells(radar, ask, client):
    served = radar.app_state.campaigns.find("radar")
    first = ask("campaigns", campaign="radar")
    served.simulate()
    mark = client.get("/marks/campaigns?campaign=radar").json()["mark"]
    assert mark.endswith("ruled")
    later = ask("campaigns", campaign="radar")
    assert later["mark"] == mark
    assert first["mark"] != mark or "being simulated" not in first["html"]
    assert "being simulated" not in later["html"]


def test_what_a_rig_wrote_moves_the_mark_and_the_path(radar, ask, client, ledger):
    before = ask("campaigns", campaign="radar")
    assert before["charts"] == []
    rig = Campaign.open(ledger)
    for turn in range(3):
        rig.report([{"item": turn, "system": one, "right": one == "cnn"} for one in ("cnn", "svm")])
    assert client.get("/marks/campaigns?campaign=radar").json()["mark"] != before["mark"]
    after = ask("campaigns", campaign="radar")
    assert [one["name"] for one in after["charts"]] == ["path"]
    assert "after 3 items cnn leads" in after["html"]


def test_a_batch_by_hand_is_recorded_once(add, ledger):
    assert add().json() == {"recorded": "Recorded as entry 1: 6 results."}
    assert "was there already" in add().json()["recorded"]
    assert Campaign.open(ledger).status().items == 3


def test_a_refused_batch_says_what_the_command_line_says_under_the_name_of_its_owner(add, ledger):
    add()
    again = add("item,truth,cnn,svm\n3,a,a,a\n4,b,a,b\n")
    assert again.status_code == 422
    assert again.json()["code"] == "item-counted"
    unread = add("item,truth\n1\n")
    assert unread.status_code == 422
    assert "mine.csv" in unread.json()["refused"]
    assert Campaign.open(ledger).status().entries == 2


def test_a_batch_may_skip_or_correct(add, ledger):
    add()
    more = "item,cnn,svm\n3,1,0\n4,1,0\n"
    graded = {"outcome": ["cnn", "svm"]}
    assert add(more, adds="skip", **graded).json()["recorded"].endswith("2 results.")
    mended = add("item,truth,cnn,svm\n1,a,b,b\n", adds="correct", classes=["a", "b"])
    assert mended.status_code == 200
    assert Campaign.open(ledger).history().entries[-1].kind == "correction"
    assert add(adds="whatever").status_code == 422


def test_the_cap_of_rows_holds_for_batches(radar, add):
    radar.app_state.most_rows = 2
    assert add().json()["code"] == "too-many-rows"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b'{"state": 3}', b'{"state": [["a"]]}', b'{"state": [["evil", "x"]]}']
)
def test_a_request_for_a_batch_that_makes_no_sense_is_refused(radar, client, body):
    assert client.post("/campaigns/batch", content=body).status_code == 422


def test_batches_and_marks_stand_behind_the_guard(radar):
    stranger = radar.client(let_in=False, token=False)
    assert stranger.post("/campaigns/batch", json={}).status_code == 401
    assert stranger.get("/marks/campaigns?campaign=radar").status_code == 401
    assert radar.client(token=False).post("/campaigns/batch", json={}).status_code == 401
    cross = {"Origin": "http://evil.example"}
    assert radar.client().post("/campaigns/batch", json={}, headers=cross).status_code == 403


def test_without_a_campaign_the_page_says_what_to_type(ask, client):
    assert "steelyard serve --campaign radar=radar.db" in ask("campaigns")["html"]
    assert "May I stop testing now?" in client.get("/campaigns").text
    refused = ask("campaigns", campaign="sonar")
    assert "--campaign NAME=LEDGER" in refused["refused"]
    assert client.get("/download/campaigns/result.json").status_code == 422


def test_the_result_can_be_taken_along(radar, client, ledger):
    taken = client.get("/download/campaigns/result.json?campaign=radar")
    assert taken.text == Campaign.open(ledger).status().to_json() + "\n"
    assert "campaigns.json" in taken.headers["content-disposition"]
    saved = client.get("/download/campaigns/campaign.html?campaign=radar")
    assert saved.text.startswith("<!doctype html>")
    assert client.get("/download/plan/campaign.html").status_code == 422


def test_names_from_data_stay_text(here, ask, client, tmp_path):
    where = str(tmp_path / "odd.db")
    campaign = Campaign.create(where, EVIL, systems=[EVIL, "b"], stop="best >= 0.99")
    campaign.report([{"item": f"{EVIL}{n}", "system": EVIL, "right": True} for n in range(3)])
    campaign.report([{"item": f"{EVIL}{n}", "system": "b", "right": False} for n in range(2)])
    here.app_state.campaigns = ServedCampaigns.of([f"odd={where}"])
    said = ask("campaigns", campaign="odd")
    assert "<img" not in said["html"]
    assert "&lt;img src=x onerror=alert(1)&gt;2" in said["html"]
    assert "<img" not in client.get("/campaigns?campaign=%3Cimg%20src=x%3E").text


def test_a_password_never_reaches_the_page():
    from steelyard.campaigns.ledger.connecting import hide_password

    assert "secret" not in hide_password("postgresql+psycopg://me:secret@host/team")

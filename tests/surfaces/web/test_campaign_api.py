"""Campaigns over HTTP: a rig reports with a token of its own, and hears go on or stop."""

import json
import threading
import time

import pytest

from steelyard.errors import LedgerError, RequestError
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.web.campaign_api import MOST_BATCH, OPERATIONS
from steelyard.surfaces.web.served import CHECKED_FOR, ServedCampaigns

RESULTS = "/api/campaigns/radar/results"
STATUS = "/api/campaigns/radar/status"
READS = ["status", "history", "next"]


def batch(start=0, items=3, **more):
    records = [
        {"item": f"scan-{n}", "system": system, "right": system == "cnn" or n % 4 == 0}
        for n in range(start, start + items)
        for system in ("cnn", "svm")
    ]
    return {"results": records, **more}


@pytest.fixture
def ledger(tmp_path):
    where = tmp_path / "radar.db"
    Campaign.create(where, systems=["cnn", "svm"], stop="best >= 0.99 or n >= 200")
    return str(where)


@pytest.fixture
def radar(here, ledger):
    here.app_state.campaigns = ServedCampaigns.of([f"radar={ledger}"])
    return here


@pytest.fixture
def rig(radar):
    """A client that holds nothing but the token of its campaign."""
    client = radar.client(let_in=False, token=False)
    client.headers["Authorization"] = f"Bearer {radar.access.book.issue('campaign:radar')}"
    return client


def test_a_rig_reports_and_hears_the_sentence_of_the_command_line(rig, ledger):
    answer = rig.post(RESULTS, json=batch(), headers={"Idempotency-Key": "rig-1"})
    assert answer.status_code == 200
    said = answer.json()
    status = Campaign.open(ledger).status()
    assert said["sentence"] == status.sentence()
    assert said["recorded"] == "Recorded as entry 1: 6 results."
    assert (said["go_on"], said["items"], said["winner"]) == (True, 3, None)
    assert said["head_hash"] == status.head_hash
    last = rig.post(RESULTS, json=batch(3, 60)).json()
    assert (last["go_on"], last["winner"]) == (False, "cnn")
    assert last["sentence"].startswith("Stop: cnn is the best")


@pytest.mark.parametrize("name", READS)
def test_what_is_read_is_the_result_of_python(rig, ledger, name):
    rig.post(RESULTS, json=batch())
    said = rig.get(f"/api/campaigns/radar/{name}").json()
    expected = getattr(Campaign.open(ledger), name)()
    assert said == {"sentence": expected.sentence(), "result": json.loads(expected.to_json())}


@pytest.mark.parametrize("inside", [True, False])
def test_a_batch_sent_twice_counts_once(rig, inside):
    given = batch(key="k1") if inside else batch()
    headers = {} if inside else {"Idempotency-Key": "k1"}
    first = rig.post(RESULTS, json=given, headers=headers).json()
    again = rig.post(RESULTS, json=given, headers=headers)
    assert again.status_code == 200
    assert "was there already" in again.json()["recorded"]
    assert again.json()["head_hash"] == first["head_hash"]


def test_a_key_used_for_other_results_is_a_conflict(rig):
    rig.post(RESULTS, json=batch(key="k1"))
    answer = rig.post(RESULTS, json=batch(50, key="k1"))
    assert answer.status_code == 409
    assert answer.json()["code"] == "key-reused"
    assert "The key 'k1' was used for another batch" in answer.json()["refused"]
    assert rig.get(STATUS).json()["result"]["items"] == 3


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "no list of results"),
        ([], "no list of results"),
        ({"results": []}, "The batch holds no results"),
        ({"results": {}}, "no list of results"),
        ({"results": [3]}, "Result 1 is 3; expected exactly item, system and right"),
        ({"results": [{"item": 1, "system": "cnn"}]}, "expected exactly item, system and right"),
        (batch(stop="now"), "'stop', which is not known"),
        (batch(key=3), "The key of the batch is 3"),
        (batch(key=""), "cannot be the key of a batch"),
        (batch(key="close"), "cannot be the key of a batch"),
        (batch(key="a\ud800"), "cannot be the key of a batch"),
        (batch(repeated="yes"), "repeated='yes' is not known"),
        ({"results": [{"item": 1, "system": "knn", "right": 1}]}, "names cnn, svm, not knn"),
        ({"results": [{"item": 1, "system": "cnn", "right": 2}]}, "right=2; expected true"),
        ({"results": [{"item": None, "system": "cnn", "right": 1}]}, "item=None; expected a text"),
        ({"results": [{"item": [1], "system": "cnn", "right": 1}]}, "item=[1]; expected a text"),
        ({"results": [{"item": 0.5, "system": "cnn", "right": 1}]}, "item=0.5; expected a text"),
        ({"results": [{"item": True, "system": "cnn", "right": 1}]}, "item=True; expected a text"),
        ({"results": [{"item": 1, "system": 5, "right": 1}]}, "system=5; expected a text"),
        ({"results": [{"item": "", "system": "cnn", "right": 1}]}, "Item ids need 1 to 500"),
        ({"results": [{"item": "\ud800", "system": "cnn", "right": 1}]}, "Item ids need 1 to 500"),
        ({"results": [{"item": "a\0b", "system": "cnn", "right": 1}]}, "Item ids need 1 to 500"),
        ({"results": [{"item": 1, "system": "cnn", "right": r} for r in (1, 0)]}, "appear twice"),
    ],
)
def test_what_cannot_be_recorded_is_refused_in_words_and_leaves_nothing(rig, given, words):
    answer = rig.post(RESULTS, content=json.dumps(given))
    assert answer.status_code == 422
    assert words in answer.json()["refused"]
    assert rig.get(STATUS).json()["result"]["entries"] == 1


def test_the_command_line_says_the_same(rig, ledger):
    rig.post(RESULTS, json=batch())
    again = batch(2, 2)
    answer = rig.post(RESULTS, json=again)
    assert answer.status_code == 422
    with pytest.raises(LedgerError) as refusal:
        Campaign.open(ledger).report(again["results"])
    assert answer.json() == {"refused": str(refusal.value), "code": "item-counted"}
    skipped = rig.post(RESULTS, json={**again, "repeated": "skip"})
    assert (skipped.status_code, skipped.json()["items"]) == (200, 4)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 100_000, b"item=1"])
def test_a_body_that_is_not_json_is_told_what_was_expected(rig, body):
    answer = rig.post(RESULTS, content=body)
    assert answer.status_code == 400
    assert '"results"' in answer.json()["refused"]


def test_keys_of_header_and_body_must_agree(rig):
    answer = rig.post(RESULTS, json=batch(key="a"), headers={"Idempotency-Key": "b"})
    assert answer.status_code == 422
    assert "Give one key" in answer.json()["refused"]


def test_a_batch_that_is_too_large_is_told_so(rig):
    answer = rig.post(RESULTS, content=b" " * (MOST_BATCH + 1))
    assert answer.status_code == 413
    assert "send smaller batches" in answer.json()["refused"]
    large = rig.post(RESULTS, json={**batch(), "key": "x" * (2 << 20)})
    assert large.status_code == 422


def test_a_campaign_that_is_not_served_is_not_found(radar):
    owner = radar.client(let_in=False, token=False)
    owner.headers["Authorization"] = f"Bearer {radar.access.token}"
    for name in ("sonar", "..", "radar.db", "%2e%2e"):
        assert owner.get(f"/api/campaigns/{name}/status").status_code == 404
    refused = owner.post("/api/campaigns/sonar/results", json=batch()).json()["refused"]
    assert "--campaign NAME=LEDGER" in refused
    assert owner.get(STATUS).status_code == 200


def test_only_a_token_of_the_campaign_opens_it(radar, ledger):
    client = radar.client(let_in=False, token=False)
    assert client.post(RESULTS, json=batch()).status_code == 401
    wrong = radar.access.book.issue("campaign:sonar")
    held = {"Authorization": f"Bearer {wrong}"}
    assert client.post(RESULTS, json=batch(), headers=held).status_code == 403
    for name in READS:
        assert client.get(f"/api/campaigns/radar/{name}", headers=held).status_code == 403
        assert client.get(f"/api/campaigns/radar/{name}").status_code == 401
    assert Campaign.open(ledger).status().entries == 1


def test_a_revoked_token_reports_no_more(radar, rig):
    assert rig.post(RESULTS, json=batch()).status_code == 200
    radar.access.book.revoke("campaign:radar")
    answer = rig.post(RESULTS, json=batch(10))
    assert answer.status_code == 401
    assert "revoked" in answer.json()["refused"]


def test_a_rig_opens_neither_pages_nor_the_description(rig):
    for path in ("/campaigns", "/api/openapi.json", "/marks/campaigns", "/campaigns/batch"):
        assert rig.get(path).status_code == 403
    assert rig.post("/answers/campaigns", json={"state": []}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}],
)
def test_another_site_cannot_report_even_with_cookie_or_token(radar, rig, headers):
    assert radar.client().post(RESULTS, json=batch(), headers=headers).status_code == 403
    assert rig.post(RESULTS, json=batch(), headers=headers).status_code == 403
    assert radar.client(token=False).post(RESULTS, json=batch()).status_code == 401
    assert rig.get(STATUS).json()["result"]["entries"] == 1


def test_a_read_changes_nothing(rig, radar):
    before = rig.get(STATUS).json()
    for name in READS:
        rig.get(f"/api/campaigns/radar/{name}")
    assert rig.get(RESULTS).status_code == 405
    assert rig.get(STATUS).json() == before


def test_two_rigs_at_once_lose_and_double_nothing(radar, ledger):
    token = radar.access.book.issue("campaign:radar")
    failed = []

    def work(place):
        client = radar.client(let_in=False, token=False)
        client.headers["Authorization"] = f"Bearer {token}"
        for turn in range(12):
            given = batch(start=1000 * place + turn, items=1, key=f"rig-{place}-{turn}")
            for _ in range(2):
                answer = client.post(RESULTS, json=given)
                failed.extend([] if answer.status_code == 200 else [answer.text])

    rigs = [threading.Thread(target=work, args=(place,)) for place in range(2)]
    for one in rigs:
        one.start()
    for one in rigs:
        one.join()
    assert failed == []
    campaign = Campaign.open(ledger)
    status = campaign.status()
    assert (status.entries, status.results) == (25, 48)
    assert campaign.verify().bad is None


def test_the_description_lists_every_route_and_nothing_else(radar):
    document = radar.client().get("/api/openapi.json").json()
    described = {
        (path, method.upper()) for path, held in document["paths"].items() for method in held
    }
    served = {
        (route.path, method)
        for route in radar.app().app.routes
        if route.path.startswith("/api/")
        for method in route.methods - {"HEAD"}
    }
    assert described == served == {(one.path, one.method) for one in OPERATIONS}
    assert document["openapi"] == "3.1.0"


def test_the_description_points_only_at_what_it_holds(radar):
    text = radar.client().get("/api/openapi.json").text
    document = json.loads(text)
    for part in text.split('"$ref":"')[1:]:
        name = part.split('"')[0].removeprefix("#/components/schemas/")
        assert name in document["components"]["schemas"]
    reading = document["paths"]["/api/campaigns/{name}/status"]["get"]
    assert set(reading["responses"]) == {"200", "401", "403", "404", "503"}
    assert "409" in document["paths"]["/api/campaigns/{name}/results"]["post"]["responses"]


def test_a_ledger_alone_serves_all_that_it_holds(tmp_path, ledger):
    Campaign.create(ledger, "sonar", systems=["a", "b"], stop="n >= 10")
    assert ServedCampaigns.of([ledger]).names() == ["radar", "sonar"]
    assert ServedCampaigns.of([f"sonar={ledger}"]).find("sonar").campaign.name == "sonar"
    with pytest.raises(LedgerError, match="holds no campaign 'lidar'"):
        ServedCampaigns.of([f"lidar={ledger}"])
    with pytest.raises(LedgerError, match="no such ledger"):
        ServedCampaigns.of([str(tmp_path / "none.db")])
    with pytest.raises(RequestError, match="Two campaigns would be served as 'radar'"):
        ServedCampaigns.of([ledger, f"radar={ledger}"])


def test_a_name_that_cannot_stand_in_an_address_needs_another(tmp_path):
    where = str(tmp_path / "odd.db")
    Campaign.create(where, "<b>odd</b> name", systems=["a", "b"], stop="n >= 10")
    with pytest.raises(RequestError, match="--campaign NAME=LEDGER"):
        ServedCampaigns.of([where])
    assert ServedCampaigns.of([f"odd={where}"]).find("odd").campaign.name == "<b>odd</b> name"


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ('{"results": [{"item": "1", "system": "cnn", "right": true, "right": false}]}', "right"),
        ('{"results": [], "results": [{"item": "1", "system": "cnn", "right": true}]}', "results"),
    ],
)
def test_a_body_that_says_one_thing_twice_is_refused_as_a_file_would_be(rig, ledger, body, key):
    answer = rig.post(RESULTS, content=body, headers={"Content-Type": "application/json"})
    said = f"The body: the key {key!r} appears twice in one object of JSON."
    assert answer.status_code == 422
    assert answer.json()["refused"].startswith(said)
    assert answer.json()["code"] == "repeated-key"
    assert Campaign.open(ledger).status().items == 0


def test_a_status_is_added_up_once_until_an_entry_comes_or_time_goes_by(rig, radar, monkeypatch):
    rig.post(RESULTS, json=batch())
    added = []
    status = Campaign.status
    monkeypatch.setattr(Campaign, "status", lambda self: added.append(1) or status(self))
    said = [rig.get(STATUS).json() for _ in range(3)]
    assert said[0] == said[1] == said[2]
    assert len(added) == 1
    rig.post(RESULTS, json=batch(3))
    assert rig.get(STATUS).json()["result"]["items"] == 6
    assert len(added) == 2
    later = time.monotonic() + CHECKED_FOR + 1
    monkeypatch.setattr("steelyard.surfaces.web.served.time.monotonic", lambda: later)
    rig.get(STATUS)
    assert len(added) == 3

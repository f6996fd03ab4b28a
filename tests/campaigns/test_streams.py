"""Claims of other shares than accuracy, and of events over an exposure, followed in a campaign."""

from importlib.resources import files

import numpy as np
import pytest

from steelyard.campaigns.rules.claims import campaign_claim
from steelyard.campaigns.rules.grammar import parse_rule
from steelyard.comparison.sequential.evidence import win_sequence
from steelyard.comparison.sequential.values import betting_evidence
from steelyard.errors import SteelyardError
from steelyard.journey import Campaign

SCANS = files("steelyard") / "data" / "radar_scans.csv"
BOTH = (
    "claim(new, 'recall of ship at least 0.8') and "
    "claim(new, 'false alarms at most 2 per hour', each=0.02) or n >= 600"
)


def test_detections_and_false_alarms_are_followed_together_until_both_are_decided(tmp_path):
    campaign = Campaign.create(tmp_path / "radar.db", systems=["new"], stop=BOTH)
    status = campaign.add(SCANS, positive="ship")
    assert status.stop is not None
    assert status.stop.reason == "rule"
    claims = {one.condition: one for one in status.conditions if "claim" in one.condition}
    assert len(claims) == 2
    assert all(one.holds for one in claims.values())
    assert campaign.verify().bad is None


def test_streams_hold_the_counts_of_the_gate(tmp_path):
    rule = BOTH.replace("0.8", "0.94").replace("n >= 600", "n >= 5000")
    campaign = Campaign.create(tmp_path / "radar.db", systems=["new"], stop=rule)
    status = campaign.add(SCANS, positive="ship")
    found = {one.system: (one.correct, one.tested) for one in status.systems}
    assert found == {"new: recall of ship": (355, 376), "new: false alarms": (22, 1200)}
    rates = {one.system: (one.rate, one.unit) for one in status.systems}
    assert rates["new: recall of ship"] == (None, None)
    assert rates["new: false alarms"] == (pytest.approx(22 / 24), "hour")
    assert "new: false alarms is at 0.917 per hour" in status.sentence()
    alarms = next(one for one in status.conditions if "hour" in one.condition)
    # The sequence of the share of scans with a false alarm, brought back to hours.
    assert alarms.value == pytest.approx(win_sequence(22, 1178, alpha=0.05).high / 0.02)
    assert alarms.bound == pytest.approx(2)


def test_what_is_tested_next_is_a_system_and_not_one_of_its_claims(tmp_path):
    campaign = Campaign.create(tmp_path / "radar.db", systems=["new"], stop=BOTH)
    found = campaign.next()
    assert [(one.system, one.share) for one in found.systems] == [("new", pytest.approx(1))]
    assert "false alarms" not in found.sentence()


def test_a_claim_of_recall_ever_passes_on_its_limit_in_five_percent_at_most():
    claim = campaign_claim(parse_rule("claim(new, 'recall of ship at least 0.9')"))
    rng = np.random.default_rng(3)
    wins = np.cumsum(rng.random((2000, 400)) < 0.9, axis=1)
    ever = (claim.decide(wins, np.arange(1, 401)[None, :]) == 1).any(axis=1)
    assert ever.mean() <= 0.05


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("claim(new, 'AUC at least 0.9')", "area of which class"),
        ("claim(new, 'AUC of ship at least 1.2')", "does not lie there"),
        ("claim(new, 'AUC of ship at least 0.9', low=0, high=1)", "leave low=, high= out"),
        (
            "claim(new, 'AUC of ship at least 0.9') and claim(new, 'recall of ship at least 0.9')",
            "run a campaign for each",
        ),
        ("claim(new, 'F1 of ship at least 0.9')", "not a share of single items"),
        ("claim(new, 'recall at least 0.9')", "recall of which class"),
        ("claim(new, 'recall of ship at least 1.5')", "does not lie there"),
        ("claim(new, 'false alarms at most 2 per hour')", "how much of one hour"),
        ("claim(new, 'false alarms at most 2 per hour', each=0.7)", "Take shorter items"),
        ("claim(new, 'accuracy at least 0.9', each=2)", "each= means nothing"),
        ("claim(old, 'recall of ship at least 0.9')", "needs one of the systems new"),
    ],
)
def test_claims_that_no_campaign_can_follow_are_refused(tmp_path, rule, words):
    with pytest.raises(SteelyardError, match=words):
        Campaign.create(tmp_path / "c.db", systems=["new"], stop=rule)


AREA = "claim(new, 'AUC of ship at least 0.8') or n >= 400"


def _scored(items: int, *, seed: int) -> dict[str, list[object]]:
    rng = np.random.default_rng(seed)
    ship = rng.random(items) < 0.3
    return {
        "item": [f"i{one}" for one in range(items)],
        "truth": ["ship" if one else "sea" for one in ship],
        "new": np.round(rng.standard_normal(items) + 2 * ship, 1).tolist(),
    }


def test_an_area_is_followed_by_pairs_however_its_scores_were_cut_into_batches(tmp_path):
    data, stops = _scored(900, seed=4), []
    for size in (900, 37):
        campaign = Campaign.create(
            tmp_path / f"{size}.db", systems=["new"], stop=AREA, order="given"
        )
        for at in range(0, 900, size):
            batch = {name: column[at : at + size] for name, column in data.items()}
            status = campaign.add(batch, score=["new"])
        assert campaign.verify().bad is None
        stops.append((status.stop.items, status.stop.verdict, status.stop.winner))
    assert stops[0] == stops[1] == (stops[0][0], "keeps", "new: AUC of ship")
    scores = {
        kind: [one for one, true in zip(data["new"], data["truth"], strict=True) if true == kind]
        for kind in ("ship", "sea")
    }
    pairs = [
        (ship > sea) + (ship == sea) / 2
        for ship, sea in zip(scores["ship"], scores["sea"], strict=False)
    ][: stops[0][0]]
    evidence = betting_evidence(pairs, bounds=(0, 1), against=0.8)
    assert evidence.decided
    assert not betting_evidence(pairs[:-1], bounds=(0, 1), against=0.8).decided
    assert status.systems[0].mean == pytest.approx(np.mean(pairs))
    assert status.systems[0].tested == len(pairs)


def test_an_area_on_its_limit_is_misjudged_in_five_percent_at_most(tmp_path):
    campaign = Campaign.create(tmp_path / "area.db", systems=["new"], stop=AREA)
    on_limit, within = campaign.simulate([0.8], campaigns=1000), campaign.simulate([0.9])
    assert on_limit.behaviours[0].wrong <= 0.05
    assert within.behaviours[0].right > 0.9


def test_a_claimed_class_that_is_true_of_no_item_is_named(tmp_path):
    campaign = Campaign.create(tmp_path / "c.db", systems=["new"], stop=BOTH.replace("ship", "shp"))
    status = campaign.add(SCANS, positive="ship")
    assert "no item of this batch is of class shp" in " ".join(status.caveats)
    assert "sea, ship" in " ".join(status.caveats)


def test_an_area_needs_scores_that_are_high_for_its_class(tmp_path):
    campaign = Campaign.create(tmp_path / "area.db", systems=["new"], stop=AREA)
    with pytest.raises(SteelyardError, match="needs a score of every item"):
        campaign.add(SCANS)
    with pytest.raises(SteelyardError, match="scores that are high for ship"):
        campaign.add(_scored(40, seed=1), score=["new"], positive="sea")


def test_a_stream_needs_classes_and_false_alarms_the_positive_one(tmp_path):
    campaign = Campaign.create(tmp_path / "c.db", systems=["new"], stop=BOTH)
    with pytest.raises(SteelyardError, match="needs the true class and the called one"):
        campaign.add({"item": [1, 2], "new": [1, 0]}, outcome=["new"])
    with pytest.raises(SteelyardError, match="false alarms of which class"):
        campaign.add(SCANS)


def test_claims_of_accuracy_stay_as_they_were(tmp_path):
    rule = "claim(new, 'accuracy at least 0.9') or n >= 600"
    campaign = Campaign.create(tmp_path / "c.db", systems=["new"], stop=rule)
    assert campaign.protocol.systems == ("new",)
    assert campaign.protocol.rule == rule

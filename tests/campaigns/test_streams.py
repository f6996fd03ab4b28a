"""Claims of other shares than accuracy, and of events over an exposure, followed in a campaign."""

from importlib.resources import files

import numpy as np
import pytest

from steelyard.campaigns.rules.claims import campaign_claim
from steelyard.campaigns.rules.grammar import parse_rule
from steelyard.comparison.sequential.evidence import win_sequence
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
    alarms = next(one for one in status.conditions if "hour" in one.condition)
    # The sequence of the share of scans with a false alarm, brought back to hours.
    assert alarms.value == pytest.approx(win_sequence(22, 1178, alpha=0.05).high / 0.02)
    assert alarms.bound == pytest.approx(2)


def test_a_claim_of_recall_ever_passes_on_its_limit_in_five_percent_at_most():
    claim = campaign_claim(parse_rule("claim(new, 'recall of ship at least 0.9')"))
    rng = np.random.default_rng(3)
    wins = np.cumsum(rng.random((2000, 400)) < 0.9, axis=1)
    ever = (claim.decide(wins, np.arange(1, 401)[None, :]) == 1).any(axis=1)
    assert ever.mean() <= 0.05


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("claim(new, 'AUC at least 0.9')", "no share of single items"),
        ("claim(new, 'F1 of ship at least 0.9')", "no share of single items"),
        ("claim(new, 'recall at least 0.9')", "recall of which class"),
        ("claim(new, 'recall of ship at least 1.5')", "does not lie there"),
        ("claim(new, 'false alarms at most 2 per hour')", "how much of one hour"),
        ("claim(new, 'false alarms at most 2 per hour', each=0.7)", "Take shorter items"),
        ("claim(new, 'accuracy at least 0.9', each=2)", "each= says nothing"),
        ("claim(old, 'recall of ship at least 0.9')", "needs one of the systems new"),
    ],
)
def test_claims_that_no_campaign_can_follow_are_refused(tmp_path, rule, words):
    with pytest.raises(SteelyardError, match=words):
        Campaign.create(tmp_path / "c.db", systems=["new"], stop=rule)


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

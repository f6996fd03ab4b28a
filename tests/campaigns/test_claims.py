"""Absolute claims in campaigns: valid at any time, one system or several."""

import json
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.claims import campaign_claim
from steelyard.campaigns.rules.grammar import parse_rule
from steelyard.campaigns.simulation.simulation import rule_behaviour
from steelyard.comparison import win_sequence
from steelyard.errors import RequestError

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}
RULE = "claim(new, 'accuracy at least 0.9') or n >= 600"


def test_the_sequence_behind_a_claim_is_the_golden_one() -> None:
    for case in GOLDEN["beta_binomial_confidence_sequence"]["expected"]:
        k, n = case["k"], case["n"]
        prior = tuple(map(float, case["prior"]))
        found = win_sequence(k, n - k, alpha=case["alpha"], prior=prior)
        assert [found.low, found.high] == pytest.approx([case["lower"], case["upper"]], abs=1e-9)


@pytest.mark.parametrize("side", ["at least", "at most"])
def test_a_claim_is_decided_exactly_where_the_sequence_leaves_its_limit_out(side: str) -> None:
    claim = campaign_claim(parse_rule(f"claim(a, 'accuracy {side} 0.8', alpha=0.1)"))
    for tested in (1, 7, 40, 150):
        for right in range(tested + 1):
            ends = win_sequence(right, tested - right, alpha=0.1)
            above, below = ends.low > 0.8, ends.high < 0.8
            kept = above if side == "at least" else below
            broken = below if side == "at least" else above
            assert int(claim.decide(right, tested)) == kept - broken


def test_a_campaign_of_one_system_stops_when_its_limit_is_kept(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    campaign = sy.Campaign.create(tmp_path / "radar.db", systems=["new"], stop=RULE)
    right = (rng.random(500) < 0.97).astype(int).tolist()
    status = campaign.add({"item": list(range(500)), "new": right}, outcome=["new"])
    assert status.stop is not None
    assert (status.stop.reason, status.stop.verdict, status.stop.winner) == ("rule", "keeps", "new")
    assert "new meets its limit" in status.sentence()
    assert campaign.verify().bad is None
    assert campaign.status().stop == status.stop


def test_a_system_beyond_its_limit_is_told_so(tmp_path: Path) -> None:
    campaign = sy.Campaign.create(tmp_path / "radar.db", systems=["new"], stop=RULE)
    status = campaign.add({"item": list(range(60)), "new": [1, 0] * 30}, outcome=["new"])
    assert status.stop is not None
    assert status.stop.verdict == "breaks"
    assert "does not meet its limit" in status.sentence()


def test_on_the_limit_a_claim_is_misjudged_in_five_percent_at_most() -> None:
    protocol = Protocol(systems=("new",), rule=RULE)
    on_limit = rule_behaviour(protocol, [0.9], seed=1, campaigns=2000)
    good = rule_behaviour(protocol, [0.97], seed=1, campaigns=500)
    assert on_limit.wrong <= 0.05
    assert good.right > 0.95
    assert good.items < 300


@pytest.mark.parametrize(
    ("systems", "rule", "words"),
    [
        (("new",), "best >= 0.95", "a campaign compares 2 or more"),
        (("new",), "n >= 10", "a campaign compares 2 or more"),
        (("a", "b"), "claim(a, 'at least 0.9') or best >= 0.95", "Run a campaign for each"),
        (("a", "b"), "claim(c, 'at least 0.9')", "needs one of the systems"),
        (("a",), "claim(a, 'at least 1.5')", "does not lie there"),
        (("a",), "claim(a, 'false alarms at most 2 per hour')", "each=0.02"),
        (("a",), "claim(a, 'recall of ship at least 0.9')", "under the name"),
        (("a",), "claim(a, 'good')", "is not a claim"),
        (("a",), "claim(a, 'at least 0.9', alpha=0.7)", "above 0 and below 0.5"),
    ],
)
def test_claims_that_a_campaign_cannot_follow_are_refused(
    systems: tuple[str, ...], rule: str, words: str
) -> None:
    with pytest.raises(RequestError, match=words):
        Protocol(systems=systems, rule=rule)


def test_missing_answers_that_pile_up_in_one_system_are_warned_of(tmp_path: Path) -> None:
    campaign = sy.Campaign.create(
        tmp_path / "radar.db", systems=["a", "b"], stop="evidence >= 20 or n >= 1000"
    )
    spread = {"item": list(range(40)), "a": [1] * 37 + [None] * 3, "b": [None] * 3 + [1] * 37}
    assert "missing by chance" not in " ".join(campaign.add(spread, outcome=["a", "b"]).caveats)
    piled = {"item": list(range(40, 80)), "a": [1] * 40, "b": [1] * 20 + [None] * 20}
    said = " ".join(campaign.add(piled, outcome=["a", "b"]).caveats)
    assert "23 of 26 missing answers are those of b" in said

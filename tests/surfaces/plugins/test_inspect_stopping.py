"""Early stopping for Inspect: what it skips, records and refuses.

Inspect itself is tried by `make test-tools`; here stands a double for the one class that is needed.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import anyio
import pytest

from steelyard.errors import ExtraMissing, LedgerError, RequestError
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.surfaces.plugins.inspect_stopping import CampaignStopping


@dataclass
class EarlyStop:
    id: str | int
    epoch: int
    reason: str


@pytest.fixture
def inspect_ai(monkeypatch):
    package, inner = ModuleType("inspect_ai"), ModuleType("inspect_ai.util")
    inner.EarlyStop = EarlyStop
    monkeypatch.setitem(sys.modules, "inspect_ai", package)
    monkeypatch.setitem(sys.modules, "inspect_ai.util", inner)


@pytest.fixture
def ledger(tmp_path):
    where = str(tmp_path / "adds.db")
    Campaign.create(where, systems=["alpha", "beta"], stop="evidence >= 20 or n >= 40")
    return where


def score(value, scorer="match"):
    return {scorer: SimpleNamespace(score=SimpleNamespace(value=value))}


def in_a_loop(function, *given):
    """Run in a thread of its own: a browser of other tests may keep a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, function, *given).result()


async def run(stopping, verdicts, model="beta", epochs=1):
    """Do what Inspect does with a task of one sample after another."""
    named = await stopping.start_task(SimpleNamespace(model=model), [], epochs)
    skipped = []
    for item, value in verdicts.items():
        stop = await stopping.schedule_sample(item, 1)
        if stop is None:
            await stopping.complete_sample(item, 1, score(value))
        else:
            skipped.append(stop)
    return named, skipped, await stopping.complete_task()


def test_an_evaluation_ends_when_the_campaign_says_stop(inspect_ai, ledger):
    in_a_loop(run, CampaignStopping(ledger, system="alpha"), dict.fromkeys(range(30), "C"), "a")
    stopping = CampaignStopping(ledger)
    named, skipped, told = in_a_loop(run, stopping, dict.fromkeys(range(30), "I"))
    assert named == "Steelyard campaign adds"
    assert told["winner"] == "alpha"
    assert told["go_on"] is False
    assert told["skipped"] == len(skipped) > 10
    assert skipped[0].reason.startswith("Stop: alpha is the best")
    status = Campaign.open(ledger).status()
    assert (status.items, status.sentence()) == (30 - len(skipped), told["sentence"])


def test_what_was_recorded_before_is_not_paid_for_again(inspect_ai, ledger):
    in_a_loop(run, CampaignStopping(ledger, system="beta"), {1: "C", 2: "I"})
    _, skipped, told = in_a_loop(
        run, CampaignStopping(ledger, system="beta"), {1: "C", 2: "I", 3: "C"}
    )
    assert [one.id for one in skipped] == [1, 2]
    assert "recorded before" in skipped[0].reason
    assert told["skipped"] == 2
    assert Campaign.open(ledger).status().results == 3


def test_a_system_that_left_is_tested_no_more(inspect_ai, tmp_path):
    where = str(tmp_path / "three.db")
    campaign = Campaign.create(where, systems=["a", "b", "c"], stop="best >= 0.999")
    campaign.drop("c", reason="withdrawn")
    _, skipped, _ = in_a_loop(run, CampaignStopping(where, system="c"), {1: "C"})
    assert skipped[0].reason.startswith("c is tested no more")


@pytest.mark.parametrize(
    ("value", "right_from", "right"),
    [("C", 1.0, 1), ("I", 1.0, 0), (1, 1.0, 1), (False, 1.0, 0), ("P", 1.0, 0), ("P", 0.5, 1)],
)
def test_a_score_becomes_right_or_wrong(inspect_ai, ledger, value, right_from, right):
    Campaign.open(ledger).report([{"item": 1, "system": "alpha", "right": True}])
    stopping = CampaignStopping(ledger, system="beta", right_from=right_from)
    in_a_loop(run, stopping, {1: value})
    beta = Campaign.open(ledger).status().systems[1]
    assert (beta.correct, beta.tested) == (right, 1)


def test_a_sample_without_a_score_stays_open(inspect_ai, ledger):
    stopping = CampaignStopping(ledger, system="beta")
    in_a_loop(run, stopping, {1: float("nan")})
    in_a_loop(stopping.complete_sample, 2, 1, {})
    assert Campaign.open(ledger).status().results == 0


def test_what_cannot_be_counted_is_refused_in_words(inspect_ai, ledger):
    with pytest.raises(RequestError, match=r"counts an item once\. Run with epochs=1"):
        in_a_loop(run, CampaignStopping(ledger, system="beta"), {}, "beta", 3)
    with pytest.raises(RequestError, match="compares alpha, beta, not openai/gamma"):
        in_a_loop(run, CampaignStopping(ledger), {}, "openai/gamma")
    with pytest.raises(RequestError, match="not gamma"):
        CampaignStopping(ledger, system="gamma")
    with pytest.raises(LedgerError, match="expected right or wrong"):
        in_a_loop(run, CampaignStopping(ledger), {1: "an essay"})
    used = CampaignStopping(ledger)
    in_a_loop(run, used, {})
    with pytest.raises(RequestError, match="Give each task and each model one of its own"):
        in_a_loop(run, used, {})


def test_several_scorers_need_a_choice(inspect_ai, ledger):
    two = score("C") | score("I", "model_graded")
    with pytest.raises(RequestError, match="several scorers: match, model_graded"):
        in_a_loop(CampaignStopping(ledger, system="beta").complete_sample, 1, 1, two)
    with pytest.raises(RequestError, match="scorer='mach' is not known"):
        in_a_loop(CampaignStopping(ledger, system="beta", scorer="mach").complete_sample, 1, 1, two)
    chosen = CampaignStopping(Campaign.open(ledger), system="beta", scorer="model_graded")
    chosen.campaign.report([{"item": 1, "system": "alpha", "right": True}])
    in_a_loop(chosen.complete_sample, 1, 1, two)
    beta = Campaign.open(ledger).status().systems[1]
    assert (beta.correct, beta.tested) == (0, 1)


def test_without_inspect_the_line_to_type_is_given(monkeypatch, ledger):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(ExtraMissing, match=r'pip install "steelyard\[inspect\]"'):
        CampaignStopping(ledger)

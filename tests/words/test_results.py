"""Every sentence and table of a result, against a text kept for reading.

Each case is a real walk over shipped data or typed counts; ``said/<case>.txt`` is what it must say.
To look at a change: ``STEELYARD_WORDS=write pytest tests/words`` writes the texts anew, then read
the diff.
"""

import os
import tempfile
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.display.text import display_width
from steelyard.measures import FittedModel
from steelyard.results import Estimate, Interval, Proportion

DATA = Path(str(files("steelyard") / "data"))
SAID = Path(__file__).parent / "said"


def _pair(both, first, second, neither):
    return sy.Outcomes.from_pair(
        both=both, first=first, second=second, neither=neither, systems=("cnn", "svm")
    )


def _twelve():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 300)
    columns = {"truth": truth.tolist()}
    for j in range(12):
        right = rng.random(300) < 0.6 + 0.02 * j
        calls = np.where(right, truth, (truth + 1) % 4)
        columns[f"model-{j:02d}-with-a-long-name"] = calls.tolist()
    return columns


def _slices():
    rng = np.random.default_rng(1)
    truth, group = rng.integers(0, 2, 900), np.array(["day", "dusk", "night"])[np.arange(900) % 3]
    columns = {"truth": truth.tolist(), "group": group.tolist()}
    for name, rates in {"cnn": (0.95, 0.9, 0.5), "svm": (0.8, 0.8, 0.85), "nb": (0.3,) * 3}.items():
        right = rng.random(900) < np.array(rates)[np.arange(900) % 3]
        columns[name] = np.where(right, truth, 1 - truth).tolist()
    return columns


def _saved(name):
    fixtures = Path(__file__).parents[1] / "results" / "fixtures"
    return sy.read_result((fixtures / name).read_text(encoding="utf-8"))


ODD = {
    "truth": ["<b>", "=1+1", "日本語", "a\x1b[31m"] * 3,
    "svm\nbig": ["<b>", "=1+1", "日本語", "<b>"] * 3,
    "\x1b[2J=cmd": ["<b>", "<b>", "日本語", "a\x1b[31m"] * 3,
}


def _campaign(stop, data=None, systems=("cnn", "svm"), ask=sy.Campaign.status, **rest):
    """Ask a new campaign; the last hash holds the clock, so it is left out."""
    with tempfile.TemporaryDirectory() as folder:
        campaign = sy.Campaign.create(f"{folder}/radar.db", systems=systems, stop=stop, **rest)
        if data is not None:
            campaign.add(data, outcome=list(systems))
        answer = ask(campaign)
        campaign.ledger.close()
    return replace(answer, head_hash="0" * 64) if hasattr(answer, "head_hash") else answer


def _first(number, cnn, svm):
    return {"item": list(range(number)), "cnn": cnn * (number // 4), "svm": svm * (number // 4)}


LEVEL = _first(20, [1, 0, 1, 0], [0, 1, 1, 0])
LEAD = _first(20, [1, 1, 1, 0], [0, 1, 1, 0])
HALF = {"item": [1, 2, 3], "cnn": [1, 0, 1], "svm": [0, None, None]}


CASES = {
    "gate-passes": lambda: sy.gate(_pair(860, 30, 22, 88), require="not worse by 0.01"),
    "gate-fails": lambda: sy.gate(_pair(560, 10, 42, 88), require="not worse by 0.01"),
    "gate-undecided": lambda: sy.gate(_pair(160, 8, 7, 25), require="same within 0.02"),
    "gate-several": lambda: sy.gate(
        DATA / "digits_labels.csv",
        candidate="svm",
        baseline="logreg",
        require=["better by 0.01", "recall of 8 not worse by 1%", "macro F1 better by 5%"],
    ),
    "campaign-new": lambda: _campaign("best >= 0.95 or n >= 100"),
    "campaign-level": lambda: _campaign("best >= 0.95 or n >= 100", LEVEL),
    "campaign-go-on": lambda: _campaign("best >= 0.999 or n >= 100", LEAD),
    "campaign-stop": lambda: _campaign("best >= 0.95 or n >= 100", LEAD),
    "campaign-used-up": lambda: _campaign("best >= 0.999 or n >= 8", LEAD),
    "campaign-budget": lambda: _campaign("best >= 0.999", LEAD, budget=30),
    "campaign-no-difference": lambda: _campaign(
        "double-wald(0.9)", _first(40, [1, 0, 1, 0], [0, 1, 1, 0])
    ),
    "campaign-waiting": lambda: _campaign("evidence >= 20", HALF),
    "campaign-next": lambda: _campaign("evidence >= 20 or n >= 50", HALF, ask=sy.Campaign.next),
    "campaign-next-apart": lambda: _campaign(
        "best >= 0.99", HALF, pairing="independent", order="given", ask=sy.Campaign.next
    ),
    "campaign-rule": lambda: _campaign("best >= 0.975 or n >= 1000", ask=sy.Campaign.simulate),
    "campaign-rule-simulated": lambda: _campaign(
        "racing or n >= 60",
        systems=("a", "b", "c"),
        ask=lambda campaign: campaign.simulate([0.5, 0.6, 0.95], campaigns=20),
    ),
    "campaign-check": lambda: _campaign("best >= 0.95 or n >= 100", LEAD, ask=sy.Campaign.verify),
    "compare-digits": lambda: sy.compare(DATA / "digits_labels.csv"),
    "compare-letters": lambda: sy.compare(DATA / "letter_labels.csv"),
    "compare-cancer": lambda: sy.compare(DATA / "wdbc_scores.csv", positive=1),
    "compare-twelve": lambda: sy.compare(_twelve()),
    "compare-two-different": lambda: sy.compare(_pair(160, 18, 5, 17)),
    "compare-two-undecided": lambda: sy.compare(_pair(160, 8, 5, 27)),
    "compare-two-identical": lambda: sy.compare(_pair(160, 0, 0, 40)),
    "compare-three-identical": lambda: sy.compare(
        sy.Outcomes.from_patterns({7: 45, 0: 5}, systems=["a", "b", "c"])
    ),
    "compare-from-a-paper": lambda: sy.compare(
        sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    ),
    "method-mcnemar": lambda: sy.compare(_pair(160, 18, 5, 17), method="mcnemar-midp"),
    "method-wald": lambda: sy.compare(_pair(160, 18, 5, 17), method="wald"),
    "method-list": lambda: sy.compare(_pair(160, 18, 5, 17), method="list"),
    "method-best": lambda: sy.compare(
        sy.Trials(correct={"S": 190, "T": 194, "U": 180}, tested=200, pairing="independent"),
        method="posterior-best",
    ),
    "method-bootstrap": lambda: sy.compare(
        DATA / "letter_labels.csv", systems=["rf", "svm"], measure="macro f1", method="bootstrap"
    ),
    "method-guarded": lambda: sy.compare(
        DATA / "letter_labels.csv", systems=["rf", "svm"], measure="macro f1"
    ),
    "compare-totals": lambda: sy.compare(
        sy.Trials(correct={"S": 190, "T": 194, "U": 170}, tested=200, pairing="common")
    ),
    "compare-margin": lambda: sy.compare(_pair(1600, 8, 5, 27), margin=0.01),
    "compare-margin-many": lambda: sy.compare(DATA / "letter_labels.csv", margin=0.03),
    "compare-prior": lambda: sy.compare(
        sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent"),
        prior={"T": (1900, 10)},
    ),
    "compare-slices": lambda: sy.compare(_slices(), by_group=True),
    "compare-akaike-alone": lambda: sy.compare(_pair(60, 14, 6, 20)),
    "compare-odd-names": lambda: sy.compare(ODD),
    "evaluate-digits": lambda: sy.evaluate(DATA / "digits_labels.csv"),
    "evaluate-one-system": lambda: sy.evaluate(DATA / "digits_labels.csv", systems="svm"),
    "evaluate-letters": lambda: sy.evaluate(DATA / "letter_labels.csv"),
    "evaluate-letters-one": lambda: sy.evaluate(DATA / "letter_labels.csv", systems="rf"),
    "evaluate-scores": lambda: sy.evaluate(DATA / "german_credit_scores.csv", positive=1),
    "evaluate-threshold": lambda: sy.evaluate(
        DATA / "german_credit_scores.csv", positive=1, threshold=0.5, systems="rf"
    ),
    "evaluate-slices": lambda: sy.evaluate(
        DATA / "species_presence_scores.csv", truth="OBSERVED", positive=1, group="SPECIES"
    ),
    "evaluate-vectors": lambda: sy.evaluate(
        DATA / "digits_scores_logreg.csv", vector="logreg=p{class}"
    ),
    "evaluate-weights": lambda: sy.evaluate(
        {"truth": list("abab"), "x": list("abbb"), "weight": [1, 2, 3, 0.5]}
    ),
    "evaluate-useless": lambda: sy.evaluate(
        sy.Confusion.from_binary(tp=0, fp=0, fn=50, tn=4950, positive="ill", negative="well")
    ),
    "evaluate-one-class": lambda: sy.evaluate(
        {"truth": ["yes"] * 4, "s": [0.1, 0.7, 0.3, 0.3]}, positive="yes"
    ),
    "evaluate-excluded": lambda: sy.evaluate(
        {"truth": ["a", "b", "a", None], "x": ["a", "b", None, "a"], "y": list("abab")},
        missing="exclude",
        unlabelled="exclude",
    ),
    "evaluate-odd-names": lambda: sy.evaluate(ODD),
    "threshold-kappa": lambda: sy.threshold(
        DATA / "german_credit_scores.csv", positive=1, score="rf"
    ),
    "threshold-cost": lambda: sy.threshold(
        DATA / "cells_scores.csv", positive=1, score="rf", by="min-cost", cost={"fn": 5, "fp": 1}
    ),
    "threshold-sensitivity": lambda: sy.threshold(
        DATA / "wdbc_scores.csv", positive=1, score="nb", by="sensitivity", sensitivity=0.99
    ),
    "threshold-fixed": lambda: sy.threshold(
        DATA / "german_credit_scores.csv", positive=1, score="rpart", by="fixed", threshold=0.5
    ),
    "threshold-presence-only": lambda: sy.threshold(
        sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [], positive="here"), by="lowest-positive"
    ),
    "threshold-none": lambda: sy.threshold(
        sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [], positive="here")
    ),
    "threshold-ties": lambda: sy.threshold(
        sy.ScoreTable.from_scores([18, 42, 82, 88, 92], [0, 11, 21, 35, 56], positive="ship")
    ),
    "leaderboard": lambda: _saved("leaderboard-1.json"),
    "cell": lambda: _saved("cell-1.json"),
    "agreement-two": lambda: sy.agreement(
        sy.Confusion.from_matrix([[81, 9], [6, 4]], classes=["yes", "no"])
    ),
    "agreement-many": lambda: sy.agreement(
        DATA / "digits_labels.csv", raters=["svm", "nb", "tree"], truth="truth"
    ),
    "agreement-ordered": lambda: sy.agreement(
        DATA / "diamonds_ordinal_labels.csv", raters=["polr", "rf"], weights="quadratic"
    ),
    "agreement-missing": lambda: sy.agreement(
        {
            "ann": ["a", "b", None, "a", "c", "c", None],
            "bob": ["a", "b", "b", None, "c", "a", "b"],
            "eve": ["a", "c", "b", "a", None, "c", None],
        }
    ),
    "targeting-budget": lambda: sy.targeting(
        DATA / "german_credit_scores.csv",
        positive=1,
        systems=["rf", "gbm"],
        budget=100,
        net_benefit=[0.1, 0.2, 0.3, 0.5],
    ),
    "targeting-one": lambda: sy.targeting(
        DATA / "wdbc_scores.csv", positive=1, systems="nb", share="0.25"
    ),
    "calibration-two": lambda: sy.calibration(
        DATA / "german_credit_scores.csv", positive=1, systems=["rf", "gbm"], bins=5
    ),
    "calibration-one": lambda: sy.calibration(
        DATA / "wdbc_scores.csv", positive=1, systems="nb", binning="width", bins=4
    ),
    "calibration-vectors": lambda: sy.calibration(
        {
            "logreg": DATA / "digits_scores_logreg.csv",
            "rf": DATA / "digits_scores_rf.csv",
        },
        vector="p{class}",
    ),
    "roc-lookups": lambda: sy.roc(
        DATA / "german_credit_scores.csv",
        positive=1,
        systems=["rf", "gbm"],
        at=["pfa=0.1", "threshold=0.5", "flagged=100"],
        partial="pfa:0:0.2",
        cost={"fn": 5},
        prevalence="0.1",
        resamples=200,
    ),
    "roc-folds": lambda: sy.roc(
        DATA / "cells_cv10.csv",
        positive=1,
        score="rf",
        thresholds="linear:20",
        average=["false-alarm-rate", "pooled"],
        resamples=0,
    ),
    "roc-classes": lambda: sy.roc(
        DATA / "digits_scores_logreg.csv", vector="logreg=p{class}", band="none", resamples=0
    ),
    "threshold-folds": lambda: sy.threshold(
        DATA / "cells_cv10.csv", positive=1, score="rf", resamples=100
    ),
    "evaluate-asked": lambda: sy.evaluate(
        sy.Confusion.from_binary(tp=80, fp=45, fn=20, tn=855, positive="ill", negative="well"),
        positive="ill",
        prevalence=0.01,
        cost={"fn": 10},
        average=["macro", "weighted"],
        method="clopper-pearson",
    ),
    "models": lambda: sy.rank_models(
        [
            FittedModel(name="poisson", log_likelihood=-120.5, parameters=3, items=100),
            FittedModel(name="negative binomial", log_likelihood=-119.0, parameters=4, items=100),
            FittedModel(name="saturated", log_likelihood=-90.0, parameters=99, items=100),
        ]
    ),
    "evaluate-paradox": lambda: sy.evaluate(
        sy.Confusion.from_matrix([[81, 9], [6, 4]], classes=["yes", "no"])
    ),
    "evaluate-clusters": lambda: sy.evaluate(
        {
            "truth": list("abab" * 6),
            "x": list("abab" * 3 + "abbb" * 3),
            "cluster": [f"c{place // 6}" for place in range(24)],
        }
    ),
    "plan-best": lambda: sy.plan({"S": 0.90, "T": 0.88, "U": 0.86}, samples=500),
    "plan-ranking": lambda: sy.plan([0.9, 0.85, 0.8], question="ranking", confidence=0.9),
    "plan-paired": lambda: sy.plan(
        {"cnn": 0.9, "svm": 0.88}, discordance=0.06, cost_per_sample=0.25
    ),
    "plan-pair": lambda: sy.plan({"cnn": 0.9, "svm": 0.88}, question="pair", design="paired"),
    "plan-margin": lambda: sy.plan([0.9, 0.9], question="pair", margin=0.03),
    "plan-every-pair": lambda: sy.plan([0.9, 0.85, 0.7], question="pair"),
    "plan-width": lambda: sy.plan([0.9], question="width", width=0.04),
    "plan-select": lambda: sy.plan([0.9, 0.85, 0.85], question="select", delta=0.05, samples=200),
    "plan-select-inverse": lambda: sy.plan(question="select", among=5, samples=500),
    "plan-area": lambda: sy.plan([0.8], question="area", null=0.7, prevalence=0.3),
    "plan-areas": lambda: sy.plan(
        [0.85, 0.8], question="area", design="paired", cost_per_sample=0.5
    ),
    "plan-area-width": lambda: sy.plan([0.9], question="area", width=0.1),
    "plan-kappa": lambda: sy.plan([0.6], question="kappa", null=0.4, samples=100),
    "plan-akaike": lambda: sy.plan([0.95, 0.97], question="akaike", both=0.945),
    "plan-stop": lambda: sy.plan(
        {"cnn": 0.9, "svm": 0.84}, question="stop", discordance=0.12, every=5
    ),
    "plan-stop-several": lambda: sy.plan([0.9, 0.8, 0.6], question="stop"),
    "plan-clusters": lambda: sy.plan([0.9, 0.85], cluster_size=20, icc=0.1, cost_per_sample=1),
    "plan-trials": lambda: sy.plan([0.9, 0.85], question="pair", trials=5, icc=0.5),
    "plan-not-inferior": lambda: sy.plan(
        [0.9, 0.9], question="pair", margin=0.03, claim="not inferior", discordance=0.06
    ),
    "plan-shares": lambda: sy.plan({"S": 0.9, "T": 0.85}, shares={"S": 3, "T": 1}),
    "plan-more-areas": lambda: sy.plan(more=DATA / "german_credit_scores.csv", positive="1"),
    "plan-beyond": lambda: sy.plan([0.9, 0.8999]),
    "plan-more": lambda: sy.plan(more=DATA / "digits_labels.csv"),
    "plan-more-apart": lambda: sy.plan(
        more=sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    ),
    "plan-pilot": lambda: sy.plan(pilot=DATA / "letter_labels.csv", samples=500),
    "proportion": lambda: Proportion(
        measure="accuracy",
        successes=8,
        trials=10,
        interval=Interval(low=0.49, high=0.943, level=0.95, method="wilson"),
    ),
    "proportion-undefined": lambda: Proportion(
        measure="precision", successes=0, trials=0, reason="nothing was called 'cat'", of="cat"
    ),
    "estimate": lambda: Estimate(measure="kappa", value=0.7, caveats=("few items",)),
}


@cache
def result(case):
    return CASES[case]()


@pytest.mark.parametrize("case", CASES)
def test_a_result_says_what_was_kept(case):
    said = result(case).text() + "\n"
    kept = SAID / f"{case}.txt"
    if os.environ.get("STEELYARD_WORDS") == "write":
        kept.write_text(said, encoding="utf-8")
    assert said == kept.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_no_line_is_wider_than_the_terminal(case):
    for width in (80, 100):
        lines = result(case).text(width).split("\n")
        assert all(display_width(line) <= width for line in lines)


@pytest.mark.parametrize("case", CASES)
def test_the_sentence_is_short_enough_to_read(case):
    assert len(result(case).sentence()) <= 320


@pytest.mark.parametrize("case", CASES)
def test_no_name_from_the_data_reaches_the_terminal_raw(case):
    assert "\x1b" not in result(case).text()

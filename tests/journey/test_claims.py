"""Absolute claims of a gate, and plans of acceptance tests."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom, chi2, poisson

import steelyard as sy
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures.catalogue.asked import read_measures
from steelyard.planning import acceptance_plan
from steelyard.results import read_result
from steelyard.results.claims import read_claim
from steelyard.uncertainty import clopper_pearson_interval

RADAR = files("steelyard") / "data" / "radar_scans.csv"
GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


def _scans(seed: int = 4, watches: int = 20, alarm: float = 0.015) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    size = watches * 40
    truth = np.where(rng.uniform(size=size) < 0.35, "ship", "sea")
    right = rng.uniform(size=size) < np.where(truth == "ship", 0.955, 1 - alarm)
    called = np.where(right, truth, np.where(truth == "ship", "sea", "ship"))
    return {
        "truth": truth.tolist(),
        "new": called.tolist(),
        "watch": np.repeat(np.arange(watches), 40).astype(str).tolist(),
        "hours": [0.025] * size,
    }


SCANS = _scans()
ASKED = {"truth": "truth", "positive": "ship", "systems": ["new"]}


@pytest.mark.parametrize(
    "text",
    [
        "false alarms at most 2 an hour",
        "false alarms per hour at most 2",
        "false alarms at most 2/h",
    ],
)
def test_a_rate_of_false_alarms_is_read_as_people_say_it(text: str) -> None:
    found = sy.gate(
        RADAR, candidate="new", claim=text, exposure="hours", cluster="watch", positive="ship"
    )
    assert found.claims[0].value == pytest.approx(22 / 24)
    assert found.outcome == "passes"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("at most two false alarms an hour", "false alarms at most 2 per hour"),
        ("P_FA of ship at most 1 in 20", "P_FA of ship at most 0.05"),
        ("P_FA < 5 out of 1,000", "P_FA at most 0.005"),
        ("P_FA at most 10^-1", "P_FA at most 0.1"),
        ("P_D for ship > 90 %", "recall of ship at least 0.9"),
        ("failure rate at most one", "error rate at most 1"),
    ],
)
def test_numbers_and_classes_are_written_in_many_ways(text: str, plain: str) -> None:
    one, two = read_claim(text), read_claim(plain)
    assert (one.side, one.limit, one.per) == (two.side, two.limit, two.per)
    if two.per is None:
        assert read_measures(one.measure) == read_measures(two.measure)


@pytest.mark.parametrize(
    "text",
    ["TPR@FPR=1% >= 0.9", "TPR at 1% FPR at least 0.9", "TPR at least 0.9 at an FPR of 1%",
     "TPR >= .9 @ FPR 0.01", "TPR at least 90% at 1%FPR"],
)  # fmt: skip
def test_a_point_of_the_curve_is_written_in_many_ways(text: str) -> None:
    plain = read_claim("TPR at least 0.9 at FPR 0.01")
    found = read_claim(text)
    assert (found.side, found.limit) == (plain.side, plain.limit)
    assert read_measures(found.measure) == read_measures(plain.measure)


@pytest.mark.parametrize(
    "text", ["TPR at least 0.9 at FPR 0.1 and AUC at least 0.9", "recall at least 0.9, P_FA < 0.1"]
)
def test_two_claims_in_one_are_told_apart(text: str) -> None:
    with pytest.raises(RequestError, match="more than one thing"):
        read_claim(text)


def test_more_hours_are_reckoned_on_both_sides_of_a_limit() -> None:
    for events, rate in ((30, 2.5), (18, 1.5)):
        claim = "false alarms at most 2 per hour"
        (check,) = sy.gate(sy.Exposure.of(events, "12 h"), claim=claim).claims
        assert check.outcome == "undecided"
        hours = 12 + check.more
        seen = poisson.rvs(rate * hours, size=4000, random_state=1)
        low, high = chi2.ppf(0.05, 2 * seen) / 2 / hours, chi2.ppf(0.95, 2 * seen + 2) / 2 / hours
        assert np.mean((low > 2) | (high < 2)) == pytest.approx(0.8, abs=0.05)


def test_shares_of_answers_are_planned_for() -> None:
    plans = [
        sy.plan([rate], question="accept", claim=claim).ways[0]
        for rate, claim in (
            (0.02, "selective risk at most 5%"),
            (0.98, "selective accuracy at least 0.95"),
            (0.98, "coverage at least 0.95"),
        )
    ]
    assert len({(one.most, one.failures) for one in plans}) == 1


def test_evaluate_says_the_false_alarms_of_every_system_over_the_exposure() -> None:
    asked = {"positive": "ship", "exposure": "hours", "cluster": "watch"}
    found = sy.evaluate(RADAR, **asked)
    assert "False alarms per hour: new 0.917 [0.574, 1.388], old 2.125" in found.sentence()
    (table,) = [one for one in found.tables() if one.title == "Over the exposure"]
    assert [row[0] for row in table.rows] == ["new", "old"]
    alone = sy.evaluate(RADAR, systems="old", **asked)
    assert "False alarms per hour: old 2.125" in alone.sentence()
    assert all(one.title != "Over the exposure" for one in alone.tables())


def test_an_area_may_name_its_class_as_a_campaign_does() -> None:
    rng = np.random.default_rng(1)
    ship = rng.random(300) < 0.4
    rows = {"truth": np.where(ship, "ship", "sea").tolist(), "s": (rng.random(300) + ship).tolist()}
    named = sy.gate(rows, score=["s"], claim="AUC of ship at least 0.9")
    usual = sy.gate(rows, score=["s"], claim="AUC at least 0.9", positive="ship")
    assert named.claims[0].low == usual.claims[0].low
    with pytest.raises(RequestError, match="names another class"):
        sy.gate(rows, score=["s"], claim="AUC of ship at least 0.9", positive="sea")
    plans = [
        sy.plan([0.95], question="accept", claim=f"AUC{of} at least 0.9") for of in (" of ship", "")
    ]
    assert plans[0].samples == plans[1].samples


def test_one_of_several_typed_events_is_the_candidate() -> None:
    typed = {"new": sy.Exposure.of(3, "12 h"), "old": sy.Exposure.of(40, "12 h")}
    claim = "false alarms at most 2 per hour"
    outcomes = {name: sy.gate(typed, claim=claim, candidate=name).outcome for name in typed}
    assert outcomes == {"new": "passes", "old": "fails"}
    with pytest.raises(RequestError, match="candidate"):
        sy.gate(typed, claim=claim)


def test_rates_of_one_in_a_billion_are_planned_for() -> None:
    plan = sy.plan([1e-10], question="accept", claim="P_FA at most 1e-9")
    (way,) = plan.ways
    assert way.accept_limit == pytest.approx(0.05, rel=1e-6)
    assert way.accept_supposed == pytest.approx(0.05**0.1, rel=1e-6)
    assert plan.tables()


def test_an_error_rate_is_claimed_as_what_is_right_is() -> None:
    asked = {"candidate": "new", "systems": ["new", "old"]}
    for more in ({}, {"cluster": "watch"}):
        right = sy.gate(RADAR, claim="accuracy at least 0.95", **asked, **more).claims[0]
        wrong = sy.gate(RADAR, claim="errors below 5%", **asked, **more).claims[0]
        assert wrong.outcome == right.outcome
        assert [wrong.value, wrong.low, wrong.high] == pytest.approx(
            [1 - right.value, 1 - right.high, 1 - right.low], abs=1e-12
        )
        found = [
            sy.gate(RADAR, require=f"{name} better", baseline="old", **asked, **more).checks[0]
            for name in ("accuracy", "error rate")
        ]
        assert found[0].advantage.interval == found[1].advantage.interval
        assert found[0].advantage.value == found[1].advantage.value > 0
        assert found[1].candidate == pytest.approx(1 - found[0].candidate)


def test_shares_right_and_wrong_are_told_apart_where_only_they_are_known() -> None:
    rows = {"a": [1] * 93 + [0] * 7, "b": [0] * 50 + [1] * 50}
    found = sy.gate(rows, outcome=["a", "b"], candidate="a", claim="error rate at most 0.2")
    assert found.claims[0].value == pytest.approx(0.07)
    (measured,) = sy.evaluate(rows, outcome=["a"], measure="error rate").systems[0].further
    assert (measured.successes, measured.trials) == (7, 100)
    plans = [
        sy.plan([rate], question="accept", claim=claim).ways[0]
        for rate, claim in ((0.05, "errors at most 10%"), (0.95, "accuracy at least 0.9"))
    ]
    assert plans[0].most == plans[1].most


def test_an_exposure_below_nothing_is_refused_as_one() -> None:
    with pytest.raises(CountsError, match="nothing could have happened"):
        sy.gate(SCANS, claim="false alarms at most 2 per hour", exposure="-3 h", **ASKED)


def test_a_plain_share_is_held_against_the_one_sided_exact_limit() -> None:
    for case in GOLDEN["clopper_pearson_one_sided"]["expected"]:
        k, n, alpha = case["k"], case["n"], 1 - case["confidence"]
        table = sy.Confusion.from_matrix([[k, n - k], [0, 0]], classes=("a", "b"))
        check = sy.gate(table, claim="accuracy at least 0.5", alpha=alpha).claims[0]
        assert check.low == pytest.approx(case["lower"], abs=1e-9)
        assert check.high == pytest.approx(case["upper"], abs=1e-9)


def test_a_claim_passes_fails_or_says_how_many_items_are_needed() -> None:
    outcomes = sy.Outcomes.from_pair(both=860, first=30, second=22, neither=88, systems=("a", "b"))
    asked = {"candidate": "a"}
    low, high = clopper_pearson_interval(890, 1000, level=0.9)
    assert sy.gate(outcomes, claim=f"at least {low}", **asked).outcome == "passes"
    assert sy.gate(outcomes, claim=f"at least {high + 1e-9}", **asked).outcome == "fails"
    open_still = sy.gate(outcomes, claim="accuracy at least 0.88", **asked)
    assert open_still.exit_code == 4
    assert open_still.claims[0].more == acceptance_plan(0.12, 0.11, beta=0.2).trials - 1000
    assert "more items may settle it" in open_still.sentence()
    assert sy.gate(outcomes, claim="accuracy at most 0.92", **asked).outcome == "passes"


@pytest.mark.parametrize(
    ("claim", "of", "wrong"),
    [
        ("recall at least 0.9", 100, 8),
        ("precision at least 0.65", 132, 40),
        ("P_FA at most 0.05", 900, 40),
        ("accuracy at least 0.945", 1000, 48),
    ],
)
def test_items_still_needed_count_all_that_come_and_settle_in_four_of_five_tests(
    claim: str, of: int, wrong: int
) -> None:
    """Ships were counted as items: a tenth of them, and the next gate settled one time in five."""
    table = sy.Confusion.from_binary(tp=92, fn=8, fp=40, tn=860)
    check = sy.gate(table, claim=claim, positive="positive").claims[0]
    assert check.outcome == "undecided"
    looked_at = check.more if check.more_of is None else check.more_of
    assert (check.more_of is None) == (of == 1000)
    assert check.more == pytest.approx(looked_at * 1000 / of, abs=1)
    trials, bad = int(of + looked_at), 1 - check.limit if check.side == "at least" else check.limit
    most = max(k for k in range(trials) if binom.cdf(k, trials, bad) <= 0.05)
    assert 0.8 <= binom.cdf(most, trials, wrong / of) < 0.83


def test_requirements_on_a_class_count_all_items_too() -> None:
    asked = {"positive": "ship", "candidate": "new", "baseline": "old"}
    (check,) = sy.gate(RADAR, require="recall of ship not worse by 0.05", **asked).checks
    assert check.more == pytest.approx(check.more_of * 1200 / 376, abs=1)
    (whole,) = sy.gate(RADAR, require="F1 of ship better by 0.01", **asked).checks
    assert whole.more is not None
    assert whole.more_of is None


def test_nothing_is_reckoned_from_a_limit_that_leaves_nothing_out() -> None:
    rng = np.random.default_rng(3)
    truth = [1] * 20 + [0] * 290
    rows = {"truth": truth, "s": (rng.normal(size=310) + 9 * np.array(truth)).tolist()}
    found = sy.gate(rows, claim="P_D at least 0.9 at P_FA 0.01", positive="1", score="s")
    assert found.claims[0].low == 0
    assert found.claims[0].more is None
    assert "leave nothing out" in found.sentence()


def test_several_claims_pass_at_alpha_and_fail_at_alpha_over_their_number() -> None:
    outcomes = sy.Outcomes.from_pair(both=860, first=30, second=22, neither=88, systems=("a", "b"))
    claims = ["accuracy at least 0.8", "accuracy at least 0.85"]
    for check in sy.gate(outcomes, claim=claims, candidate="a").claims:
        assert check.low == clopper_pearson_interval(890, 1000, level=0.9)[0]
        assert check.high == clopper_pearson_interval(890, 1000, level=0.95)[1]


@pytest.mark.parametrize(
    "claim",
    ["F1 of ship at least 0.9", "kappa at least 0.8", "MCC at least 0.8",
     "precision at least 0.9", "P_FA at most 0.05"],
)  # fmt: skip
def test_any_measure_with_an_interval_can_be_claimed(claim: str) -> None:
    found = sy.gate(SCANS, claim=claim, **ASKED)
    assert found.outcome == "passes"
    assert read_result(found.to_json()) == found


def test_scores_are_claimed_by_their_area_and_by_rates_read_off_the_curve() -> None:
    rng = np.random.default_rng(1)
    truth = (rng.uniform(size=600) < 0.4).astype(int)
    scores = {"truth": truth.tolist(), "s": (rng.normal(size=600) + 3 * truth).tolist()}
    asked = {"truth": "truth", "positive": "1"}
    assert sy.gate(scores, claim="AUC at least 0.95", **asked).outcome == "passes"
    assert sy.gate(scores, claim="at least 0.95", **asked).claims[0].measure == "AUC"
    assert sy.gate(scores, claim="P_FA at most 0.2 at P_D 0.9", **asked).outcome == "passes"
    assert sy.gate(scores, claim="P_D at least 0.99 at P_FA 0.01", **asked).outcome == "fails"


def test_detection_and_false_alarms_an_hour_are_judged_together() -> None:
    claims = ["recall of ship at least 0.90", "false alarms at most 2 per hour"]
    found = sy.gate(SCANS, claim=claims, exposure="hours", cluster="watch", **ASKED)
    assert [one.outcome for one in found.claims] == ["passes", "passes"]
    alarms = found.claims[1]
    assert alarms.exposure == pytest.approx(20.0)
    assert alarms.method == "periods"
    in_minutes = sy.gate(SCANS, claim=claims, exposure="1200 min", **ASKED)
    assert in_minutes.claims[1].value == pytest.approx(alarms.value)
    assert alarms.high >= in_minutes.claims[1].high


def test_events_over_an_exposure_are_measured_compared_and_claimed() -> None:
    rates = sy.evaluate({"new": sy.Exposure.of(12, "10 h"), "old": sy.Exposure.of(4, "9 h")})
    (ratio,) = rates.ratios
    wanted = GOLDEN["poisson_ratio"]["expected"][0]
    assert ratio.p == pytest.approx(wanted["p_exact_doubled"], abs=1e-9)
    assert [ratio.low, ratio.high] == pytest.approx(wanted["exact_interval"], abs=1e-7)
    assert read_result(rates.to_json()) == rates
    burst = sy.Exposure(events=40, amount=4.0, unit="hour", periods=((40, 1.0), (0, 3.0)))
    calm = sy.Exposure(events=4, amount=4.0, unit="hour", periods=((2, 2.0), (2, 2.0)))
    (by_period,) = sy.evaluate({"new": burst, "old": calm}).ratios
    assert (by_period.method, by_period.p > 0.05) == ("periods", True)
    one = sy.Exposure.of(3, "12 h")
    assert sy.gate(one, claim="false alarms at most 1 per hour").outcome == "passes"
    waiting = sy.gate(one, claim="false alarms at most 0.5 per hour").claims[0]
    assert waiting.outcome == "undecided"
    assert waiting.unit == "hour"
    assert waiting.more > 0
    none = sy.evaluate({"new": sy.Exposure.of(0, "10 h"), "old": sy.Exposure.of(0, "9 h")})
    assert none.ratios[0].value is None
    assert none.ratios[0].high is None
    assert none.systems[0].rate.interval.high > 0


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ({"claim": "accuracy at least 1.2"}, RequestError, "does not lie there"),
        ({"claim": "speed at least 3"}, RequestError, "speed"),
        ({"claim": "false alarms at most 2 per hour"}, RequestError, "needs the exposure"),
        ({"claim": "false alarms at most 2 per hour", "exposure": "0 h"}, CountsError,
         "nothing could have happened"),
        ({"claim": "false alarms at most 2 per km", "exposure": "3 h"}, RequestError,
         "in hours, and the claim is per kilometre"),
        ({"claim": "false alarms at most 2 per hour", "exposure": "days"}, Exception, "days"),
        ({"claim": "at least 0.9", "baseline": "old"}, RequestError, "leave the baseline out"),
        ({"claim": "AUC at least 0.9"}, NotComparable, "computed from scores"),
        ({}, RequestError, "--claim"),
    ],
)  # fmt: skip
def test_bad_claims_are_refused_in_words(asked: dict, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        sy.gate(SCANS, **ASKED, **asked)


def test_of_several_systems_the_claim_asks_which() -> None:
    outcomes = sy.Outcomes.from_pair(both=8, first=1, second=1, neither=1, systems=("a", "b"))
    with pytest.raises(RequestError, match="Which of a, b is the candidate"):
        sy.gate(outcomes, claim="at least 0.5")


def test_a_plan_to_accept_is_the_textbook_test_with_its_alternatives() -> None:
    found = sy.plan([0.98], question="accept", claim="P_D at least 0.9", power=0.9)
    fixed = found.way("fixed size")
    assert (fixed.most, fixed.failures) == (76, 3)
    assert found.lasting == 89
    for way in found.ways:
        assert way.accept_limit <= 0.05
    assert found.way("sequential").expected_supposed < fixed.most
    assert found.way("sequential").accept_supposed >= 0.9
    at_limit = next(one for one in found.curve if one.value == pytest.approx(0.9))
    assert at_limit.accept[0] == pytest.approx(fixed.accept_limit)
    assert read_result(found.to_json()) == found
    assert found.chart() is not None


def test_a_plan_to_accept_watches_for_events() -> None:
    found = sy.plan([0.4], question="accept", claim="false alarms at most 1 per hour", power=0.9)
    fixed = found.way("fixed size")
    assert fixed.failures == 10
    assert fixed.most == pytest.approx(16.9623, abs=1e-4)
    assert "watch for 17.0 hours" in found.sentence()


@pytest.mark.parametrize(
    ("claim", "rates", "words"),
    [
        (None, [0.95], "needs the claim"),
        ("P_D at least 0.9", [0.9], "does not hold at the assumed value"),
        ("P_D at least 0.9", [0.95, 0.96], "about one system"),
        ("average precision at least 0.9", [0.95], "not a plain share"),
        ("false alarms at least 2 per hour", [3], "too many events"),
        ("P_D at least 1", [], "no number of items"),
    ],
)
def test_plans_that_cannot_be_made_say_why(claim: str | None, rates: list, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        sy.plan(rates or None, question="accept", claim=claim)


@pytest.mark.parametrize(
    ("claim", "limit"),
    [
        ("accuracy at least 0.8", betaincinv(240, 61, 0.05)),
        ("errors below 20%", 1 - betaincinv(240, 61, 0.05)),
        ("recall of cat at least 0.8", betaincinv(120, 31, 0.05)),
        ("P_FA of cat at most 0.2", 1 - betaincinv(120, 31, 0.05)),
    ],
)
def test_a_pass_that_rests_on_what_was_answered_says_so(claim: str, limit: float) -> None:
    half = ["cat"] * 120 + ["dog"] * 15 + [""] * 15
    turned = ["dog"] * 120 + ["cat"] * 15 + [""] * 15
    rows = {"truth": ["cat"] * 150 + ["dog"] * 150, "a": half + turned}
    asked = {"truth": "truth", "positive": "cat", "missing": "exclude"}
    found = sy.gate(rows, claim=claim, **asked)
    assert found.outcome == "passes"
    (said,) = [one for one in found.caveats if "rests" in one or "were answered" in one]
    assert f"limit would be {limit:.3f} and it is undecided" in said
    easy = sy.gate(rows, claim="accuracy at least 0.7", **asked)
    assert not any("were answered" in one for one in easy.caveats)


def test_errors_among_what_was_answered_are_claimed_beside_unknown() -> None:
    truth = ["cat"] * 190 + ["dog"] * 10
    rows = {"truth": truth, "a": ["cat"] * 170 + ["dog"] * 10 + ["unknown"] * 20}
    claims = ["risk at most 10%", "selective accuracy at least 0.9", "coverage above 0.8"]
    asked = {"truth": "truth", "unknown": "unknown"}
    risk, right, _ = sy.gate(rows, claim=claims, **asked).claims
    assert (risk.measure, risk.count, risk.total) == ("selective risk", 10, 180)
    assert risk.high == pytest.approx(1 - right.low, abs=1e-12)

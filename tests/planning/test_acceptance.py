"""Acceptance plans against exact rationals, the binomial sum and simulation."""

import json
from math import log
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from steelyard.errors import RequestError
from steelyard.planning import (
    SequentialPlan,
    TwoStagePlan,
    acceptance_chance,
    acceptance_plan,
    exposure_plan,
    exposure_ratio_power,
    sequential_plan,
    sequential_points,
    two_stage_plan,
    two_stage_point,
    zero_event_exposure,
    zero_failure_trials,
)
from steelyard.uncertainty import clopper_pearson_interval

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


@pytest.mark.parametrize("name", [name for name in GOLDEN if name.startswith("plan_")])
def test_the_smallest_plan_is_the_one_of_exact_rationals(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    found = acceptance_plan(
        data["bad_failure_rate"],
        data["good_failure_rate"],
        alpha=data["alpha"],
        beta=data["beta"],
    )
    assert found is not None
    assert (found.trials, found.failures) == (wanted["n"], wanted["c"])
    assert found.accept_bad == pytest.approx(wanted["consumer_risk_accept_when_bad"], abs=1e-9)
    assert found.accept_good == pytest.approx(wanted["accept_when_good"], abs=1e-9)
    assert found.lasting == wanted["smallest_n_from_which_all_larger_qualify"]
    limits = clopper_pearson_interval(wanted["c"], wanted["n"], level=1 - 2 * data["alpha"])
    assert limits[1] == pytest.approx(wanted["clopper_pearson_upper_failure_rate_at_c"], abs=1e-9)
    short = 0
    for trials in range(wanted["n"] + 1, wanted["n"] + 401):
        most = int(binom.ppf(data["alpha"], trials, data["bad_failure_rate"]))
        most -= binom.cdf(most, trials, data["bad_failure_rate"]) > data["alpha"]
        short += binom.cdf(most, trials, data["good_failure_rate"]) < 1 - data["beta"]
    assert short == wanted["larger_n_within_400_that_do_not_qualify"]


@pytest.mark.parametrize("name", [name for name in GOLDEN if name.startswith("oc_")])
def test_the_operating_characteristic_is_the_binomial_sum(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], np.array(GOLDEN[name]["expected"])
    found = acceptance_chance(data["n"], data["c"], wanted[:, 0])
    assert found == pytest.approx(wanted[:, 1], abs=1e-10)


def test_a_zero_failure_test_counts_equality_as_kept() -> None:
    case = GOLDEN["zero_failure"]
    for data, wanted in zip(case["data"], case["expected"], strict=True):
        assert zero_failure_trials(data["q"], data["alpha"]) == wanted["n"]


def test_a_two_stage_plan_is_the_sum_over_its_first_stage() -> None:
    data = GOLDEN["double_sampling"]["data"]
    plan = TwoStagePlan(
        first=data["n1"],
        accept_first=data["c1"],
        reject_first=data["r1"],
        second=data["n2"],
        accept_both=data["c2"],
    )
    for wanted in GOLDEN["double_sampling"]["expected"]:
        point = two_stage_point(plan, wanted["failure_rate"])
        assert point.accept == pytest.approx(wanted["accept"], abs=1e-10)
        assert point.second_stage == pytest.approx(wanted["second_stage"], abs=1e-10)
        assert point.expected_trials == pytest.approx(wanted["asn"], abs=1e-8)


@pytest.mark.parametrize("name", ["sprt_0.02_0.06", "sprt_0.1_0.3"])
def test_a_sequential_test_is_walked_exactly(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    plan = SequentialPlan(
        good=data["p0"],
        bad=data["p1"],
        low=log(data["beta"] / (1 - data["alpha"])),
        high=log((1 - data["beta"]) / data["alpha"]),
        last=data["truncation"],
        accept_last=0,
    )
    assert plan.per_failure == pytest.approx(wanted["slope_per_failure"], abs=1e-12)
    assert plan.per_success == pytest.approx(wanted["slope_per_success"], abs=1e-12)
    # The golden file ends with "reject if the log likelihood ratio is above 0".
    last = int(-plan.last * plan.per_success / (plan.per_failure - plan.per_success))
    plan = SequentialPlan(
        good=plan.good, bad=plan.bad, low=plan.low, high=plan.high, last=plan.last, accept_last=last
    )
    for limit in wanted["limits"]:
        assert plan.accept_at(limit["n"]) == limit["accept_at_most"]
        assert plan.reject_at(limit["n"]) == limit["reject_at_least"]
    points = sequential_points(plan, [one["failure_rate"] for one in wanted["points"]])
    for point, one in zip(points, wanted["points"], strict=True):
        assert point.accept == pytest.approx(one["accept_total"], abs=1e-9)
        assert point.reject == pytest.approx(one["reject_total"], abs=1e-9)
        assert point.accept_early == pytest.approx(one["accept_before_truncation"], abs=1e-9)
        assert point.reject_early == pytest.approx(one["reject_before_truncation"], abs=1e-9)
        left = 1 - point.accept_early - point.reject_early
        assert left == pytest.approx(one["undecided_at_truncation"], abs=1e-9)
        assert point.expected_trials == pytest.approx(one["asn"], abs=1e-7)


RATES = [
    (0.1, 0.05, 0.05, 0.1),
    (0.05, 0.01, 0.1, 0.1),
    (0.3, 0.1, 0.05, 0.2),
    (0.5, 0.3, 0.01, 0.05),
]


@pytest.mark.parametrize(("bad", "good", "alpha", "beta"), RATES)
def test_staged_and_sequential_plans_keep_the_risks_asked_for_and_save_trials(
    bad: float, good: float, alpha: float, beta: float
) -> None:
    single = acceptance_plan(bad, good, alpha=alpha, beta=beta)
    staged = two_stage_plan(bad, good, alpha=alpha, beta=beta)
    walked = sequential_plan(bad, good, alpha=alpha, beta=beta)
    assert single is not None
    assert staged is not None
    assert walked is not None
    assert two_stage_point(staged, bad).accept <= alpha * (1 + 1e-9)
    assert two_stage_point(staged, good).accept >= (1 - beta) * (1 - 1e-9)
    at_good, at_bad = sequential_points(walked, [good, bad])
    assert at_bad.accept <= alpha
    assert at_good.reject <= beta
    assert at_good.expected_trials < single.trials
    assert two_stage_point(staged, good).expected_trials < single.trials


def test_no_smaller_test_keeps_both_risks() -> None:
    found = acceptance_plan(0.2, 0.08, alpha=0.07, beta=0.13)
    assert found is not None
    for trials in range(1, found.trials):
        most = int(binom.ppf(0.07, trials, 0.2))
        most -= binom.cdf(most, trials, 0.2) > 0.07
        assert most < 0 or binom.cdf(most, trials, 0.08) < 0.87


def test_watching_plans_are_those_of_chi_square_quantiles() -> None:
    case = GOLDEN["poisson_plan"]
    for data, wanted in zip(case["data"], case["expected"], strict=True):
        found = exposure_plan(
            data["bad_rate"], data["good_rate"], alpha=data["alpha"], beta=data["beta"]
        )
        assert found is not None
        assert found.events == wanted["c"]
        assert found.exposure == pytest.approx(wanted["smallest_exposure"], abs=1e-9)
        assert found.longest == pytest.approx(wanted["largest_exposure"], abs=1e-9)
        assert found.accept_good == pytest.approx(wanted["accept_when_good"], abs=1e-9)
        empty = zero_event_exposure(data["bad_rate"], data["alpha"])
        assert empty == pytest.approx(wanted["zero_event_exposure"], abs=1e-12)


def test_the_power_of_two_rates_is_the_double_sum() -> None:
    case = GOLDEN["poisson_ratio_power"]
    for data, wanted in zip(case["data"], case["expected"], strict=True):
        found = exposure_ratio_power(
            (data["rate1"], data["t1"]), (data["rate2"], data["t2"]), alpha=data["alpha"]
        )
        assert found == pytest.approx(wanted["power_two_sided_doubled"], abs=1e-8)


@pytest.mark.parametrize("planned", [acceptance_plan, sequential_plan, exposure_plan])
def test_a_good_rate_on_the_bad_side_is_refused(planned) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(RequestError, match="must be the smaller"):
        planned(0.05, 0.05)

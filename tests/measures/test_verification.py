"""Detection costs and Cllr against lir 1.3.1, scikit-learn's isotonic fit and direct sums."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from steelyard.counts import ScoreTable
from steelyard.errors import CountsError, RequestError
from steelyard.measures import (
    DetectionPoint,
    actual_detection_cost,
    cllr,
    detection_cost,
    least_cllr,
    least_detection_cost,
    likelihood_cost,
)

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}
CASES = ["verification_costs_tiny", "verification_costs_medium"]


@pytest.mark.parametrize("name", CASES)
def test_cllr_pools_tied_scores_before_it_pools_violators(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    found = likelihood_cost(data["target"], data["nontarget"])
    assert found.cllr == pytest.approx(wanted["cllr"], abs=1e-9)
    assert found.minimum == pytest.approx(wanted["min_cllr"], abs=1e-9)
    assert found.calibration_loss == pytest.approx(wanted["cllr_calibration_loss"], abs=1e-9)
    theirs = wanted["lir_1_3_1_cllr_and_min_cllr"]
    assert [found.cllr, found.minimum] == pytest.approx(theirs, abs=1e-9)
    assert found.minimum > wanted["wrong_min_cllr_if_ties_not_pooled_favourable_order"]


@pytest.mark.parametrize("name", CASES)
def test_detection_costs_are_the_sums_at_every_threshold(name: str) -> None:
    data = GOLDEN[name]["data"]
    for wanted in GOLDEN[name]["expected"]["dcf"]:
        point = DetectionPoint(
            miss=wanted["c_miss"], false_alarm=wanted["c_fa"], target=wanted["p_target"]
        )
        found = detection_cost(data["target"], data["nontarget"], point=point)
        assert found.threshold == pytest.approx(wanted["bayes_threshold"], abs=1e-9)
        assert found.actual == pytest.approx(wanted["actual_dcf_normalised"], abs=1e-9)
        assert found.minimum == pytest.approx(wanted["min_dcf_normalised"], abs=1e-9)
        assert found.misses == pytest.approx(wanted["p_miss_actual"], abs=1e-9)
        assert found.false_alarms == pytest.approx(wanted["p_fa_actual"], abs=1e-9)
        # Normalised by the cost of the better of accepting all and none.
        better = min(point.miss * point.target, point.false_alarm * (1 - point.target))
        assert found.actual * better == pytest.approx(wanted["actual_dcf"], abs=1e-9)
        assert found.minimum * better == pytest.approx(wanted["min_dcf"], abs=1e-9)
        assert list(found.best_thresholds) == [
            np.inf if one is None else one for one in wanted["minimising_thresholds"]
        ]


def test_one_kind_of_trials_is_refused() -> None:
    with pytest.raises(CountsError, match="0 scores of others"):
        likelihood_cost([1.0], [])
    with pytest.raises(RequestError, match="costs lie above 0"):
        detection_cost([1.0], [0.0], point=DetectionPoint(miss=0))


TARGETS, OTHERS = (
    np.random.default_rng(4).normal(centre, 2, size).round(3)
    for centre, size in ((2, 60), (-2, 90))
)
SCORED = ScoreTable.from_scores(TARGETS.tolist(), OTHERS.tolist())


def test_measures_of_a_table_are_those_of_the_trials() -> None:
    whole = likelihood_cost(TARGETS, OTHERS)
    assert cllr(SCORED).value == pytest.approx(whole.cllr, rel=1e-12)
    assert least_cllr(SCORED).value == pytest.approx(whole.minimum, rel=1e-12)
    for target in (0.01, 0.5):
        cost = detection_cost(TARGETS, OTHERS, point=DetectionPoint(target=target))
        assert actual_detection_cost(SCORED, target=target).value == pytest.approx(cost.actual)
        assert least_detection_cost(SCORED, target=target).value == pytest.approx(cost.minimum)


def test_cllr_has_the_limits_of_welch() -> None:
    losses = [np.log2(1 + np.exp(-TARGETS)), np.log2(1 + np.exp(OTHERS))]
    # The mean of two sides: Welch's interval of the difference to minus the other, halved.
    found = scipy.stats.ttest_ind(losses[0], -losses[1], equal_var=False).confidence_interval()
    ends = cllr(SCORED).interval
    assert (ends.low, ends.high) == pytest.approx((found.low / 2, found.high / 2), rel=1e-9)


def test_least_costs_have_no_interval_and_say_why() -> None:
    for found in (least_cllr(SCORED), least_detection_cost(SCORED, target=0.01)):
        assert found.interval is None
        assert "too low on average" in found.caveats[0]


def test_a_sure_mistake_makes_cllr_infinite_and_is_said() -> None:
    for targets, others in (([1.0, -np.inf], [-1.0, 0.5]), ([1.0, 2.0], [-1.0, np.inf])):
        table = ScoreTable.from_scores(targets, others)
        assert (cllr(table).value, "infinite" in (cllr(table).reason or "")) == (None, True)
        assert least_cllr(table).value == pytest.approx(likelihood_cost(targets, others).minimum)


def test_one_kind_of_trials_has_no_cost() -> None:
    alone = ScoreTable.from_scores([1.0, 2.0], [])
    for found in (cllr(alone), least_cllr(alone), actual_detection_cost(alone, target=0.5)):
        assert found.value is None
        assert "no negatives" in found.reason


def test_an_actual_cost_lies_in_its_interval_as_often_as_said() -> None:
    # Exact sums over both binomials, equal costs; targets 0.5 and 0.1 of 25 and 40 trials.
    for target, miss, alarm in ((0.5, 0.1, 0.05), (0.1, 0.2, 0.02), (0.1, 0.4, 0.2)):
        weights = target / min(target, 1 - target), (1 - target) / min(target, 1 - target)
        truth, covered = weights[0] * miss + weights[1] * alarm, 0.0
        for misses in range(26):
            for alarms in range(41):
                at = float(np.log((1 - target) / target))
                table = ScoreTable.from_counts(
                    [at - 1, at + 1],
                    [misses, 25 - misses],
                    [40 - alarms, alarms],
                    positive="target",
                )
                ends = actual_detection_cost(table, target=target).interval
                if ends.low <= truth <= ends.high:
                    covered += float(
                        scipy.stats.binom.pmf(misses, 25, miss)
                        * scipy.stats.binom.pmf(alarms, 40, alarm)
                    )
        assert covered > 0.93

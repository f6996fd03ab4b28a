"""Risk and coverage against shuffles, exact sums and the binomial tail."""

import json
from pathlib import Path

import numpy as np
import pytest

from steelyard.errors import CountsError, RequestError
from steelyard.measures import promised_threshold, risk_coverage

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


@pytest.mark.parametrize("name", ["aurc_tiny", "aurc_medium"])
def test_areas_are_those_of_all_orders_of_tied_scores(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    found = risk_coverage(data["score"], data["right"])
    block = risk_coverage(data["score"], data["right"], ties="block")
    assert found.aurc == pytest.approx(wanted["aurc_ties_random_order"], abs=1e-9)
    assert block.aurc == pytest.approx(wanted["aurc_ties_as_block"], abs=1e-9)
    assert found.best == pytest.approx(wanted["aurc_optimal_exact"], abs=1e-9)
    assert found.excess == pytest.approx(wanted["e_aurc_ties_random_order"], abs=1e-9)
    assert block.excess == pytest.approx(wanted["e_aurc_ties_as_block"], abs=1e-9)
    assert (found.items, found.errors) == (wanted["n"], wanted["errors"])
    least, most = wanted["aurc_ties_best_order"], wanted["aurc_ties_worst_order"]
    # An order of tied items that puts errors last, or first, is reached by a nudge.
    score, right = np.array(data["score"], dtype=float), np.array(data["right"])
    for way, there in ((1e-9, least), (-1e-9, most)):
        assert risk_coverage(score + way * right, right).aurc == pytest.approx(there, abs=1e-9)
    points = [[one.threshold, one.coverage, one.risk] for one in found.points]
    assert points == [
        pytest.approx(one, abs=1e-12) for one in wanted["curve_threshold_coverage_risk"]
    ]
    for risk, coverage in wanted["coverage_at_risk"].items():
        assert found.coverage_at(float(risk)) == pytest.approx(coverage, abs=1e-12)


@pytest.mark.parametrize("name", [name for name in GOLDEN if name.startswith("promised")])
def test_a_promise_stops_at_the_first_threshold_that_fails(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    if "same_data_as" in data:
        data = {**GOLDEN[data["same_data_as"]]["data"], **data}
    found = promised_threshold(
        data["score"],
        data["right"],
        target=data["target"],
        grid=data["grid"],
        confidence=1 - data["delta"],
    )
    assert found.threshold == wanted["chosen"]
    assert found.coverage == pytest.approx(wanted["coverage"], abs=1e-12)
    assert found.naive == wanted["ordinary_recipe_smallest_with_observed_precision"]
    alone = [one.threshold for one in found.steps if one.p <= 1 - found.confidence]
    assert (alone[-1] if alone else None) == wanted["invalid_smallest_with_pointwise_bound"]
    for step, one in zip(found.steps, wanted["steps"], strict=True):
        assert (step.threshold, step.answered, step.right) == (
            one["threshold"],
            one["answered"],
            one["right"],
        )
        assert step.p == pytest.approx(one["p_value"], abs=1e-9)
        assert step.low == pytest.approx(one["clopper_pearson_lower"], abs=1e-9)
        assert (step.tested, step.kept) == (one["tested"], one["rejected"])


def test_the_ordinary_recipe_breaks_its_promise_and_the_tested_one_does_not() -> None:
    rng = np.random.default_rng(2)
    grid, broken, naive = [0.9, 0.8, 0.7, 0.6, 0.5], 0, 0
    for _ in range(300):
        score = rng.uniform(0.4, 1, size=200)
        right = rng.uniform(size=200) < 0.5 + 0.45 * (score - 0.4) / 0.6
        found = promised_threshold(score, right, target=0.85, grid=grid)
        true = {one: 0.5 + 0.45 * ((one + 1) / 2 - 0.4) / 0.6 for one in grid}
        broken += found.threshold is not None and true[found.threshold] < 0.85
        naive += found.naive is not None and true[found.naive] < 0.85
    assert broken <= 15 + 2 * 4
    assert naive > 60


def test_bad_certainties_are_refused_in_words() -> None:
    with pytest.raises(CountsError, match="right \\(1\\) or wrong"):
        risk_coverage([0.4], [2])
    with pytest.raises(RequestError, match="thresholds to choose from"):
        promised_threshold([0.4], [1], target=0.9, grid=[])

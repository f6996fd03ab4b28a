"""Missing answers against explicit filling."""

import json
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.uncertainty import missing_difference_bounds, missing_share_bounds

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


@pytest.mark.parametrize("name", ["missing_tiny", "missing_medium"])
def test_bounds_are_those_of_explicit_filling(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    counts = {}
    for system in ("A", "B"):
        answers, there = data[system], wanted[system]
        right, missing = answers.count(1), answers.count(None)
        found = missing_share_bounds(right, missing, len(answers))
        assert found.least == pytest.approx(there["rate_missing_wrong"], abs=1e-9)
        assert found.largest == pytest.approx(there["rate_missing_right"], abs=1e-9)
        assert found.low == pytest.approx(there["lower_limit_at_worst"], abs=1e-9)
        assert found.high == pytest.approx(there["upper_limit_at_best"], abs=1e-9)
        counts[system] = (right, missing)
    low, high = missing_difference_bounds(counts["A"], counts["B"], len(data["A"]))
    assert low == pytest.approx(wanted["difference_worst_for_A"]["difference"], abs=1e-9)
    assert high == pytest.approx(wanted["difference_best_for_A"]["difference"], abs=1e-9)


@pytest.mark.parametrize("policy", ["exclude", "worst"])
def test_an_answer_says_what_missing_answers_could_do(policy: str) -> None:
    data = GOLDEN["missing_medium"]["data"]
    rows = {
        "item": list(range(120)),
        "truth": ["x"] * 119 + ["y"],
        "A": [None if one is None else ("x" if one else "y") for one in data["A"]],
        "B": [None if one is None else ("x" if one else "y") for one in data["B"]],
    }
    for name in ("A", "B"):  # the last item is of the other class
        last = data[name][-1]
        rows[name][-1] = None if last is None else ("y" if last else "x")
    compared = sy.compare(rows, missing=policy)
    said = " ".join(compared.caveats)
    assert "A gave no answer to 15 of 120 items: its accuracy" in said
    assert "from 0.692 to 0.817" in said
    assert "A minus B lies from -0.033 to +0.175" in said
    evaluated = sy.evaluate(rows, missing=policy)
    assert any("15 of 120" in one for one in evaluated.systems[0].caveats)

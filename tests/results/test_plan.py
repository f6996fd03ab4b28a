"""Words and rows of a plan."""

import json
from pathlib import Path

import pytest

from steelyard.results import MoreSamples, read_result
from steelyard.results.more import about

FIXTURES = Path(__file__).parent / "fixtures"


def fixture(name):
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


def test_a_comparison_saved_before_plans_were_known_is_read():
    saved = fixture("comparison-1.json")
    del saved["more"]
    assert read_result(json.dumps(saved)).more == ()


@pytest.mark.parametrize(
    ("count", "said"), [(7, "7"), (84, "84"), (104, "100"), (637, "640"), (12_345, "12,000")]
)
def test_estimates_are_said_with_two_figures(count, said):
    assert about(count) == said


def test_more_samples_say_their_number_or_their_reason():
    assert MoreSamples(first="a", second="b", samples=637).said() == "about 640"
    assert MoreSamples(first="a", second="b", samples=0).said() == "none"
    assert MoreSamples(first="a", second="b", samples=None, reason="too few").said() == "too few"


def test_rows_hold_the_answer_the_steps_and_the_options():
    plan = read_result(json.dumps(fixture("plan-1.json")))
    rows = plan.rows()
    assert rows[0]["measure"] == "samples"
    assert rows[0]["count"] == plan.samples
    steps = [row for row in rows if row["measure"] == plan.goal]
    assert [row["total"] for row in steps] == [s.samples for s in plan.steps] + [500]
    assert {row["of"] for row in rows if row["of"]} == {one.name for one in plan.options}

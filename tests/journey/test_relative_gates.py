"""Gates on numbers whose margin is a percentage of the baseline."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import SteelyardError


def drawn(seed=1, size=120, ratio=1.0):
    rng = np.random.default_rng(seed)
    shared = rng.gamma(20, 1, size)
    return ratio * (shared + rng.normal(0, 2, size)), shared + rng.normal(0, 2, size)


def gate(new, old, require, **given):
    rows = {"item": list(range(len(new))), "new": new, "old": old}
    asked = {"lower_is_better": True} | given
    rows |= asked.pop("rows", {})
    (check,) = sy.gate(
        rows, value=["new", "old"], candidate="new", baseline="old", require=[require], **asked
    ).checks
    return check


@pytest.mark.parametrize("way", ["lower_is_better", "higher_is_better"])
def test_limits_are_the_ratios_at_which_a_scaled_baseline_is_just_not_told_apart(way):
    new, old = drawn()
    asked = {"lower_is_better": way.startswith("lower"), "higher_is_better": way.startswith("h")}
    # Over clusters an absolute gate, too, knows sums alone, so that both allow for the same unit.
    asked |= {"cluster": "part", "rows": {"part": [k % 40 for k in range(120)]}}
    found = gate(new, old, "not worse by 5%", **asked)
    ends, sign = found.advantage.interval, -1 if way.startswith("lower") else 1
    assert found.advantage.value == pytest.approx(sign * (new.mean() / old.mean() - 1))
    for end in (ends.low, ends.high):
        ratio = 1 + sign * end
        scaled = gate(new, ratio * old, "better", **asked).advantage.interval
        assert min(abs(scaled.low), abs(scaled.high)) < 1e-6


def test_a_percentage_passes_and_fails_by_its_limits():
    new, old = drawn(ratio=1.02)
    found = gate(new, old, "not worse by 10%")
    assert found.outcome == "passes"
    assert found.advantage.interval.low > -0.1
    assert gate(new, old, "better by 10%").outcome == "fails"
    assert gate(new, old, "same within 10%").outcome == "passes"
    assert gate(1.3 * new, old, "not worse by 10%").outcome == "fails"
    # Units do not matter to a percentage.
    milli = gate(1000 * new, 1000 * old, "not worse by 10%").advantage.interval
    assert milli.low == pytest.approx(found.advantage.interval.low, rel=1e-9)


def test_ratios_of_sums_are_taken_too():
    rng = np.random.default_rng(4)
    words = rng.integers(5, 20, 200)
    rows = {
        "item": list(range(200)),
        "new.errors": rng.binomial(words, 0.08),
        "old.errors": rng.binomial(words, 0.10),
        "words": words,
    }
    (check,) = sy.gate(
        rows, errors=["new.errors", "old.errors"], per="words", candidate="new", baseline="old",
        require=["not worse by 15%"],
    ).checks  # fmt: skip
    ratio = rows["new.errors"].sum() / rows["old.errors"].sum()
    assert check.advantage.value == pytest.approx(1 - ratio)


def test_what_lies_on_its_limit_passes_rarely():
    passed = 0
    for seed in range(60):
        new, old = drawn(seed=seed, size=40, ratio=1.1)
        passed += gate(new, old, "not worse by 10%").outcome == "passes"
    assert passed <= 60 * 0.05 + 2 * np.sqrt(60 * 0.05 * 0.95)


@pytest.mark.parametrize(
    ("require", "words"),
    [("p95 not worse by 5%", "not of quantiles"), ("not worse by 100%", "below 1")],
)
def test_percentages_that_say_nothing_are_refused(require, words):
    new, old = drawn()
    with pytest.raises(SteelyardError, match=words):
        gate(new, old, require)


def test_a_baseline_near_zero_has_no_percentage():
    rng = np.random.default_rng(2)
    with pytest.raises(SteelyardError, match="not clearly above 0"):
        gate(rng.normal(0, 1, 50), rng.normal(0, 1, 50), "not worse by 5%")


def test_the_same_ratio_on_every_item_decides_nothing():
    old = drawn()[1]
    found = gate(0.9 * old, old, "better by 3%")
    assert (found.outcome, found.advantage.interval) == ("undecided", None)
    assert found.advantage.value == pytest.approx(0.1)
    assert "the same share" in found.reason

"""Whom a comparison or a gate speaks of."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import NotComparable, RequestError

TRIES = 6


def asked(rng, *, items=40, gap=0.1, tries=TRIES):
    """Items of very different chances, each asked several times."""
    chances = rng.uniform(0.05, 0.85, size=items)
    columns = {"item": [], "cluster": [], "new": [], "old": []}
    for item, chance in enumerate(chances):
        for turn in range(tries):
            columns["item"].append(f"{item} #{turn}")
            columns["cluster"].append(str(item))
            columns["new"].append(bool(rng.random() < chance + gap))
            columns["old"].append(bool(rng.random() < chance))
    return columns, chances


def compared(columns, **said):
    return sy.compare(columns, outcome=["new", "old"], **said)


def test_the_difference_on_these_items_has_the_spread_of_strata_and_of_one_unseen_answer():
    columns, _ = asked(np.random.default_rng(3))
    found = compared(columns, estimand="items").pairs[0].difference
    gaps = (np.array(columns["new"], float) - np.array(columns["old"], float)).reshape(-1, TRIES)
    error = np.sqrt((gaps.var(axis=1, ddof=1) / TRIES).sum()) / len(gaps)
    assert found.value == pytest.approx(gaps.mean(), abs=1e-12)
    # Normal theory, used before, has no width where answers never differ within their items.
    half = (found.interval.high - found.interval.low) / 2
    assert 1.96 * error < half < 1.96 * error + 3 * 2 / gaps.size


@pytest.mark.long
def test_on_these_items_the_interval_covers_and_is_the_shorter_one():
    rng = np.random.default_rng(11)
    chances = rng.uniform(0.05, 0.85, size=30)
    hits, runs = 0, 60
    for _ in range(runs):
        right = rng.random((2, 30, TRIES)) < np.stack([chances + 0.1, chances])[:, :, None]
        columns = {
            "item": [f"{i} #{t}" for i in range(30) for t in range(TRIES)],
            "cluster": [str(i) for i in range(30) for _ in range(TRIES)],
            "new": right[0].ravel().tolist(),
            "old": right[1].ravel().tolist(),
        }
        gate = sy.gate(
            columns, outcome=["new", "old"], candidate="new", baseline="old",
            require="better", alpha=0.05, estimand="items",
        )  # fmt: skip
        ends = gate.checks[0].advantage.interval
        hits += ends.low <= 0.1 <= ends.high
    assert 0.78 < hits / runs < 0.99  # 90% intervals


def test_a_gate_and_a_comparison_agree_on_these_items():
    columns, _ = asked(np.random.default_rng(4))
    pair = compared(columns, estimand="items", level=0.9).pairs[0]
    gate = sy.gate(
        columns, outcome=["new", "old"], candidate="new", baseline="old", require="better",
        estimand="items",
    )  # fmt: skip
    ends = gate.checks[0].advantage.interval
    assert (ends.low, ends.high) == pytest.approx(
        (pair.difference.interval.low, pair.difference.interval.high), abs=1e-12
    )
    assert "exactly these items" in " ".join(gate.caveats)


def test_what_has_no_repeats_is_refused():
    once = {"item": ["1", "2"], "new": [True, False], "old": [True, True]}
    for refused in (
        lambda: compared(once, estimand="items"),
        lambda: compared({**once, "cluster": ["1", "2"]}, estimand="items"),
        lambda: sy.gate(
            once,
            outcome=["new", "old"],
            candidate="new",
            baseline="old",
            require="better",
            estimand="items",
        ),
    ):
        with pytest.raises(NotComparable, match="estimand"):
            refused()
    with pytest.raises(RequestError, match="population, items"):
        compared(once, estimand="both")
    with pytest.raises(RequestError, match="whole comparison"):
        compared(once, estimand="items", method="tango")


def test_more_of_a_benchmark_makes_surer_until_all_is_known():
    outcomes = sy.Outcomes.from_pair(
        both=160, first=8, second=7, neither=25, systems=("new", "main")
    )
    widths, ends = [], []
    for benchmark in (None, 1000, 250, 200):
        check = sy.gate(outcomes, require="not worse by 0.01", benchmark=benchmark).checks[0]
        found = check.advantage.interval
        widths.append(found.high - found.low)
        ends.append(check.outcome)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0
    assert ends[0] == "undecided"
    assert ends[-1] == "passes"
    with pytest.raises(RequestError, match="--benchmark 200"):
        sy.gate(outcomes, require="better", benchmark=199)


def test_accuracy_of_a_whole_benchmark_is_what_beta_and_binomial_say():
    columns = {"truth": ["a"] * 100, "m": ["a"] * 80 + ["b"] * 20}
    found = sy.evaluate(columns, benchmark=200, classes=["a", "b"]).systems[0].accuracy
    assert (found.interval.low, found.interval.high) == (0.74, 0.85)
    assert found.interval.method == "beta-binomial"
    with pytest.raises(RequestError, match="asked once"):
        sy.evaluate(columns, benchmark=200, pass_at=2, classes=["a", "b"])

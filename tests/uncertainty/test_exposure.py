"""Rates over an exposure against chi-square quantiles, statsmodels and simulation."""

import json
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import CountsError
from steelyard.uncertainty import (
    exposure_interval,
    exposure_ratio,
    exposure_sequence,
    garwood_interval,
    periods_interval,
    periods_ratio,
)

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


def test_limits_of_a_rate_are_those_of_chi_square_quantiles() -> None:
    case = GOLDEN["poisson_rate"]
    for data, wanted in zip(case["data"], case["expected"], strict=True):
        seen, level = (data["events"], data["exposure"]), data["confidence"]
        assert exposure_interval(*seen, level=level) == pytest.approx(wanted["garwood"], abs=1e-8)
        midp = exposure_interval(*seen, level=level, method="midp")
        assert midp == pytest.approx(wanted["mid_p"], abs=1e-8)
        low, high = garwood_interval(*seen, level=2 * level - 1)
        assert high == pytest.approx(wanted["one_sided_upper"], abs=1e-8)
        assert low == pytest.approx(wanted["one_sided_lower"], abs=1e-8)


def test_ratios_are_conditional_binomials_with_doubled_tails() -> None:
    case = GOLDEN["poisson_ratio"]
    for data, wanted in zip(case["data"], case["expected"], strict=True):
        pair = (data["x1"], data["t1"]), (data["x2"], data["t2"])
        asked = {"level": data["confidence"], "null": data["null_ratio"]}
        exact = exposure_ratio(*pair, **asked)
        midp = exposure_ratio(*pair, method="midp", **asked)
        for found, limits, p in (
            (exact, "exact_interval", "p_exact_doubled"),
            (midp, "mid_p_interval", "p_mid_doubled"),
        ):
            low, high = wanted[limits]
            assert found.low == pytest.approx(low, abs=1e-7)
            assert found.high == (inf if high is None else pytest.approx(high, abs=1e-7))
            assert found.p == pytest.approx(wanted[p], abs=1e-9)


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0.1, 10), st.floats(0.1, 10))
def test_the_p_value_and_the_interval_agree_on_the_side(
    x1: int, x2: int, t1: float, t2: float
) -> None:
    for method in ("garwood", "midp"):
        found = exposure_ratio((x1, t1), (x2, t2), method=method)
        if abs(found.p - 0.05) > 1e-9:
            assert (found.p < 0.05) == (not found.low <= 1 <= found.high)


@pytest.mark.parametrize("exposure", [0, -1, float("nan"), inf])
def test_an_exposure_of_nothing_is_refused(exposure: float) -> None:
    with pytest.raises(CountsError, match="exposure above 0"):
        garwood_interval(3, exposure)


def test_calm_periods_make_nothing_surer_and_bursts_make_it_less_sure() -> None:
    single = garwood_interval(18, 12.0)
    calm = periods_interval([3] * 6, [2.0] * 6)
    bursts = periods_interval([0, 9, 1, 0, 8, 0], [2.0] * 6)
    assert calm == single
    assert bursts[0] < single[0]
    assert bursts[1] > single[1]


def test_bursts_of_equal_rates_are_not_told_apart_by_their_totals() -> None:
    # By totals alone equal rates in bursts differed in 59 % of tests.
    rng = np.random.default_rng(7)
    told = totals = 0
    for _ in range(200):
        sides = [(rng.poisson(12 * rng.gamma(1, 1, 20)).tolist(), [1.0] * 20) for _ in range(2)]
        found = periods_ratio(*sides)
        single = exposure_ratio(*((sum(events), 20.0) for events, _ in sides))
        assert found.low <= single.low < single.high <= found.high
        assert found.p >= single.p
        assert (found.p < 0.05) == (not found.low <= 1 <= found.high)
        told, totals = told + (found.p < 0.05), totals + (single.p < 0.05)
    assert totals > 60
    assert told <= 20


@pytest.mark.parametrize(
    ("first", "second"),
    [([0, 0, 0], [30, 0, 0]), ([0, 0], [0, 0]), ([1, 2, 0], [0, 40, 0]), ([3, 3], [2, 2])],
)
def test_one_burst_is_one_event_and_sides_change_places(
    first: list[int], second: list[int]
) -> None:
    times = [1.0] * len(first)
    found = periods_ratio((first, times), (second, times))
    turned = periods_ratio((second, times), (first, times))
    assert found.p == pytest.approx(turned.p)
    assert found.p > 0.05
    assert found.low <= 1 <= found.high


def test_limits_that_may_be_looked_at_any_time_hold_at_all_looks() -> None:
    rng = np.random.default_rng(5)
    rate, left_out = 2.0, 0
    for _ in range(400):
        seen = np.cumsum(rng.poisson(rate * 0.5, size=60))
        for step, events in enumerate(seen.tolist(), 1):
            low, high = exposure_sequence(events, 0.5 * step, about=1.0, alpha=0.1)
            if not low <= rate <= high:
                left_out += 1
                break
    assert left_out <= 0.1 * 400 + 2 * 6


def test_the_sequence_solves_its_equation() -> None:
    from mpmath import exp, gamma, mp, mpf

    mp.dps = 40
    low, high = exposure_sequence(7, 3.0, about=1.5, alpha=0.05)
    for rate in (low, high):
        a, b = mpf("0.5"), mpf("0.5") / mpf("1.5")
        mixed = gamma(a + 7) * b**a / (gamma(a) * (b + 3) ** (a + 7))
        assert float(mixed / (mpf(rate) ** 7 * exp(-mpf(rate) * 3))) == pytest.approx(20, rel=1e-9)

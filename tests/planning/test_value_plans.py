"""Items for means, paired differences and ratios beside the sizes of statsmodels."""

import numpy as np
import pytest

from steelyard.errors import CountsError, RequestError
from steelyard.planning import (
    detectable_mean_difference,
    difference_spread,
    mean_assurance,
    mean_assurance_samples,
    mean_power,
    mean_samples,
    mean_width_samples,
    ratio_difference_spread,
    ratio_spread,
)
from steelyard.uncertainty import estimate_ratio
from tests.golden.values_cases import CASES

PAIRED, STATED = CASES["plan-1"], CASES["plan-2"]


@pytest.mark.parametrize(
    ("asked", "golden"),
    list(zip(PAIRED["data"]["rows"], PAIRED["expected"]["rows"], strict=True)),
)
def test_a_paired_difference_needs_the_items_of_statsmodels(asked, golden):
    claim = {"two-sided": "different", "larger": "better"}[asked["alternative"]]
    found = mean_samples(
        asked["effect_size"], spread=1.0, power=asked["power"], alpha=asked["alpha"], claim=claim
    )
    assert found.items == golden["n"]
    assert found.exact == pytest.approx(golden["n_real"], abs=1e-4)
    assert found.power == pytest.approx(golden["power_at_n"], abs=1e-7)
    fewer = mean_power(
        golden["n"] - 1,
        difference=asked["effect_size"],
        spread=1.0,
        alpha=asked["alpha"],
        claim=claim,
    )
    assert fewer == pytest.approx(golden["power_at_n_minus_1"], abs=1e-7)


@pytest.mark.parametrize(
    ("asked", "golden"),
    list(zip(STATED["data"]["rows"], STATED["expected"]["rows"], strict=True)),
)
def test_stated_spreads_and_correlation_give_the_plan(asked, golden):
    spread = difference_spread(asked["sd1"], asked["sd2"], asked["correlation"])
    assert spread == pytest.approx(golden["sd_difference"], rel=1e-12)
    assert mean_samples(asked["difference"], spread=spread).items == golden["n"]
    given = asked["n_given"]
    power = mean_power(given, difference=asked["difference"], spread=spread)
    assert power == pytest.approx(golden["power_at_n_given"], abs=1e-7)
    # statsmodels stops its search at a power of 0.799997; ours is at 0.8.
    least = detectable_mean_difference(given, spread=spread)
    assert least == pytest.approx(golden["detectable_difference_at_n_given"], rel=1e-5)
    assert mean_power(given, difference=least, spread=spread) == pytest.approx(0.8, abs=1e-9)


@pytest.mark.parametrize(
    ("claim", "difference"), [("different", 0.6), ("not worse", -0.2), ("equivalent", 0.1)]
)
def test_the_power_of_every_claim_is_that_of_simulation(claim, difference):
    rng, items, margin = np.random.default_rng(1), 25, 0.8
    values = rng.normal(difference, 1.0, (40_000, items))
    mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(items)
    # Student's t with 24 degrees of freedom (R: qt(0.975, 24), qt(0.95, 24)).
    hits = {
        "different": np.abs(mean) > 2.0638986 * error,
        "not worse": mean + margin > 1.7108821 * error,
        "equivalent": np.abs(mean) + 1.7108821 * error < margin,
    }[claim]
    found = mean_power(items, difference=difference, spread=1.0, claim=claim, margin=margin)
    assert found == pytest.approx(hits.mean(), abs=5 * np.sqrt(0.25 / 40_000))
    plan = mean_samples(difference, spread=1.0, claim=claim, margin=margin)
    assert plan.power >= 0.8


def test_a_false_claim_is_not_planned():
    for claim, difference in (("different", 0.0), ("equivalent", 1.0), ("not worse", -2.0)):
        with pytest.raises(RequestError):
            mean_samples(difference, spread=1.0, claim=claim, margin=1.0)
    with pytest.raises(RequestError):
        mean_samples(0.1, spread=0.0)
    assert mean_samples(1e-5, spread=1.0).items is None


def test_assurance_averages_the_power_over_what_a_pilot_leaves_open():
    rng = np.random.default_rng(1)
    sigma = np.sqrt(11 / rng.chisquare(11, 4000))
    powers = [mean_power(60, difference=0.4, spread=float(one)) for one in sigma]
    found = mean_assurance(60, difference=0.4, spread=1.0, pilot=12)
    assert found == pytest.approx(np.mean(powers), abs=5 * np.std(powers) / np.sqrt(4000))
    open_too = mean_assurance(60, difference=0.4, spread=1.0, pilot=12, known_difference=False)
    assert open_too < found < mean_power(60, difference=0.4, spread=1.0)
    items = mean_assurance_samples(0.4, spread=1.0, pilot=12)
    assert items > mean_samples(0.4, spread=1.0).items
    reached = [mean_assurance(n, difference=0.4, spread=1.0, pilot=12) for n in (items - 1, items)]
    assert reached[0] < 0.8 <= reached[1]
    with pytest.raises(CountsError):
        mean_assurance(60, difference=0.4, spread=1.0, pilot=1)


def test_a_width_is_kept_and_with_assurance_in_nine_of_ten_samples():
    items = mean_width_samples(0.25, spread=1.0, assurance=0.9)
    rng = np.random.default_rng(1)
    spreads = np.sqrt(rng.chisquare(items - 1, 20_000) / (items - 1))
    # qt(0.975, n - 1) of R lies within 1.99 and 2.0 for 60 to 90 items.
    assert 60 < items < 90
    kept = (1.995 * spreads / np.sqrt(items) <= 0.25).mean()
    assert kept == pytest.approx(0.9, abs=0.04)
    assert mean_width_samples(0.25, spread=1.0) < items


def test_the_spread_of_a_pilot_gives_back_its_standard_error():
    errors, words = [1, 0, 2, 1, 3], [10, 8, 12, 10, 9]
    other = [2, 1, 1, 1, 2]
    found = estimate_ratio(errors, words)
    assert ratio_spread(errors, words) / np.sqrt(5) == pytest.approx(found.error)
    apart = ratio_difference_spread(errors, words, other, words)
    assert apart > 0

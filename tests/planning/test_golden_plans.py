"""Sizes and powers beside those of R (tests/golden/make_plans.R) and of statsmodels."""

import json
from math import ceil
from pathlib import Path

import pytest
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize

from steelyard.comparison import spending_bounds
from steelyard.planning import (
    PairedRates,
    area_samples,
    area_variance,
    independent_samples,
    paired_power,
)

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/plans.json").read_text())


@pytest.mark.parametrize(
    ("rates", "power"), [((0.9, 0.8), 0.8), ((0.95, 0.9), 0.9), ((0.6, 0.5), 0.8)]
)
def test_the_normal_approximation_is_that_of_power_prop_test(rates, power):
    (exact,) = GOLDEN[f"power.prop.test {rates[0]:g} {rates[1]:g} {power:g}"]
    assert independent_samples(*rates, power=power).approximate == ceil(exact)


@pytest.mark.parametrize("rates", [(0.9, 0.8), (0.6, 0.5), (0.95, 0.9)])
def test_two_proportions_lie_near_the_arcsine_power_of_statsmodels(rates):
    effect = proportion_effectsize(*rates)
    arcsine = NormalIndPower().solve_power(effect_size=effect, alpha=0.05, power=0.8)
    assert independent_samples(*rates).samples == pytest.approx(arcsine, rel=0.03)


@pytest.mark.parametrize(("area", "power", "prevalence"), [(0.8, 0.9, 1 / 2), (0.7, 0.8, 1 / 3)])
def test_an_area_takes_what_power_roc_test_says(area, power, prevalence):
    cases, controls = GOLDEN[f"power.roc.test {area:g}"]
    size = area_samples(area, power=power, prevalence=prevalence, variance="obuchowski")
    assert (size.positives, size.negatives) == (ceil(cases), ceil(controls))


def test_the_variance_of_an_area_is_hanley_and_mcneils():
    (found,) = GOLDEN["hanley variance 0.893 51 58"]
    assert area_variance(0.893, positives=51, negatives=58) == pytest.approx(found, rel=1e-11)


@pytest.mark.parametrize(("items", "first", "second"), [(155, 0.15, 0.05), (402, 0.04, 0.02)])
def test_mcnemars_power_is_the_plain_double_sum(items, first, second):
    golden = GOLDEN[f"mcnemar power {items} {first:g} {second:g}"]
    rates = PairedRates(only_first=first, only_second=second)
    found = [paired_power(rates, items, method=method).power for method in ("exact", "mid-p")]
    assert found == pytest.approx(golden, abs=1e-11)


@pytest.mark.parametrize(("kind", "word"), [("obrien-fleming", "asOF"), ("pocock", "asP")])
def test_planned_looks_have_the_bounds_of_rpact(kind, word):
    found = spending_bounds([0.2, 0.4, 0.6, 0.8, 1.0], alpha=0.05, kind=kind, sides=2)
    assert found.bounds == pytest.approx(GOLDEN[f"rpact {word} bounds"], abs=2e-5)

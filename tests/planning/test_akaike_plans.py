"""Samples until the Akaike criterion decides."""

from math import sqrt

import numpy as np
import pytest

from steelyard.comparison.akaike.criterion import akaike_common, akaike_independent
from steelyard.counts import PairTable
from steelyard.errors import RequestError
from steelyard.planning import akaike_difference, akaike_plan, akaike_power, akaike_samples


@pytest.mark.parametrize(
    ("second", "expected"), [(185, -0.927), (194, -0.948), (181, 1.058), (197, 2.103)]
)
def test_the_independent_curve_of_figure_1_is_reproduced(second, expected):
    found = akaike_difference(0.95, second / 200, 200, design="independent")
    assert found == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(("both", "expected"), [(184, -0.989), (189, 0.911), (190, 3.545)])
def test_the_complete_curve_of_figure_4_is_reproduced(both, expected):
    found = akaike_difference(0.95, 0.97, 200, both=both / 200)
    assert found == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize(
    ("second", "expected"), [(189, -0.966), (191, -0.966), (182, 1.061), (196, 1.135)]
)
def test_the_incomplete_curve_of_figure_1_is_reproduced(second, expected):
    found = akaike_difference(0.95, second / 200, 200, design="incomplete")
    assert found == pytest.approx(expected, abs=5e-4)


def test_the_verdict_changes_exactly_at_the_samples_given():
    size = akaike_samples(0.9, 0.8, design="independent")
    for samples, verdict in (
        (size.different, "different"),
        (size.different - 1, "undecided"),
        (size.same_up_to + 1, "undecided"),
        (size.same_up_to, "same"),
    ):
        found = akaike_difference(0.9, 0.8, samples, design="independent")
        expected = "different" if found > 1 else "same" if found < -1 else "undecided"
        assert verdict == expected
    whole = akaike_independent((900, 1000), (800, 1000)).difference
    assert akaike_difference(0.9, 0.8, 1000, design="independent") == pytest.approx(whole)
    table = PairTable(both=780, first=120, second=20, neither=80)
    assert akaike_difference(0.9, 0.8, 1000, both=0.78) == pytest.approx(
        akaike_common(table).difference
    )


def test_counting_who_was_right_together_saves_samples_when_systems_agree():
    plan = akaike_plan(0.95, 0.97, both=0.945)
    assert plan.complete.different == 207
    assert plan.saved == plan.incomplete.different - 207 > 150
    assert plan.saved_to_independent == plan.independent.different - 207 > 300
    apart = akaike_plan(0.95, 0.97)
    assert apart.both == pytest.approx(0.95 * 0.97)
    assert abs(apart.saved_to_independent) <= 2


def test_equal_rates_are_the_same_at_any_number_of_samples():
    for design in ("independent", "complete", "incomplete"):
        size = akaike_samples(0.9, 0.9, design=design)
        assert (size.different, size.same_up_to) == (None, None)
    assert akaike_plan(0.9, 0.9).saved is None
    assert akaike_plan(0.9, 0.9).saved_to_independent is None


def test_the_chance_of_the_verdict_holds_in_simulation():
    samples, both = 300, 0.88
    power = akaike_power(0.95, 0.9, samples, both=both)
    rng = np.random.default_rng(6)
    drawn = rng.multinomial(samples, [both, 0.07, 0.02, 0.03], size=1500)
    hits = 0
    for three, one, two, none in drawn.tolist():
        table = PairTable(both=three, first=one, second=two, neither=none)
        hits += akaike_common(table).verdict == "different" and one > two
    assert abs(hits - 1500 * power) < 4 * sqrt(1500 * power * (1 - power))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: akaike_samples(0.9, 0.8, both=0.85), r"nearest possible is both=0\.8"),
        (lambda: akaike_samples(0.9, 0.8, design="paired"), "design='paired'"),
        (lambda: akaike_difference(0.9, 1.2, 10), "above 1"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()

"""Samples to show equivalence, against tables summed one by one and simulation."""

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from steelyard.errors import RequestError
from steelyard.planning import (
    PairedRates,
    equivalence_power,
    equivalence_samples,
    paired_equivalence_power,
    paired_equivalence_samples,
    paired_rates,
)
from steelyard.uncertainty import miettinen_nurminen_interval, tango_interval


@pytest.mark.parametrize("claim", ["equivalent", "not inferior"])
def test_independent_power_is_the_share_of_intervals_inside_the_margin(claim):
    samples, margin = 24, 0.3
    expected = 0.0
    for x, y in product(range(samples + 1), repeat=2):
        low, high = miettinen_nurminen_interval((x, samples), (y, samples), level=0.9)
        inside = low > -margin and (claim == "not inferior" or high < margin)
        expected += inside * binom.pmf(x, samples, 0.8) * binom.pmf(y, samples, 0.75)
    found = equivalence_power(0.8, 0.75, samples, margin=margin, claim=claim)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("claim", ["equivalent", "not inferior"])
def test_paired_power_is_the_share_of_tango_intervals_inside_the_margin(claim):
    rates, samples, margin = PairedRates(only_first=0.1, only_second=0.07), 40, 0.2
    expected = 0.0
    for b, c in product(range(samples + 1), repeat=2):
        if b + c > samples:
            continue
        rest = samples - b - c
        weight = comb(samples, b) * comb(samples - b, c) * 0.1**b * 0.07**c * 0.83**rest
        if weight < 1e-12:
            continue
        low, high = tango_interval(rest, b, c, 0, level=0.9)
        expected += weight * (low > -margin and (claim == "not inferior" or high < margin))
    found = paired_equivalence_power(rates, samples, margin=margin, claim=claim)
    assert found == pytest.approx(expected, abs=1e-9)


def test_planned_items_show_equivalence_in_simulation():
    rates = paired_rates(0.9, 0.89, discordance=0.08)
    size = paired_equivalence_samples(rates, margin=0.06)
    rng = np.random.default_rng(1)
    chances = [rates.only_first, rates.only_second, 1 - rates.discordance]
    drawn = rng.multinomial(size.samples, chances, size=600)
    hits = 0
    for b, c, rest in drawn.tolist():
        low, high = tango_interval(rest, b, c, 0, level=0.9)
        hits += low > -0.06 and high < 0.06
    assert abs(hits - 600 * size.reached) < 4 * sqrt(600 * 0.16)
    assert size.reached >= 0.8


def test_planned_samples_show_that_a_system_is_not_inferior_in_simulation():
    size = equivalence_samples(0.85, 0.85, margin=0.1, claim="not inferior")
    rng = np.random.default_rng(2)
    hits = 0
    for x, y in rng.binomial(size.samples, 0.85, size=(500, 2)).tolist():
        low, _ = miettinen_nurminen_interval((x, size.samples), (y, size.samples), level=0.9)
        hits += low > -0.1
    assert abs(hits - 500 * size.reached) < 4 * sqrt(500 * 0.16)


def test_pairing_and_wider_margins_save_samples():
    apart = equivalence_samples(0.9, 0.9, margin=0.05).samples
    common = paired_equivalence_samples(
        paired_rates(0.9, 0.9, discordance=0.06), margin=0.05
    ).samples
    assert common < apart
    assert equivalence_samples(0.9, 0.9, margin=0.1).samples < apart / 3


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: equivalence_samples(0.9, 0.8, margin=0.05),
            r"nearest possible margin is above 0\.1",
        ),
        (lambda: equivalence_samples(0.9, 0.9, margin=-0.05), r"nearest possible is margin=0\.05"),
        (
            lambda: equivalence_samples(0.8, 0.9, margin=0.1, claim="not inferior"),
            "cannot be shown",
        ),
        (lambda: equivalence_power(0.9, 0.9, 10, margin=0.1, claim="better"), "claim='better'"),
    ],
)
def test_impossible_wishes_are_refused_with_the_nearest_possible_one(call, words):
    with pytest.raises(RequestError, match=words):
        call()


def test_a_better_system_is_easily_not_inferior():
    better = equivalence_samples(0.92, 0.9, margin=0.05, claim="not inferior").samples
    same = equivalence_samples(0.9, 0.9, margin=0.05, claim="not inferior").samples
    assert better < same

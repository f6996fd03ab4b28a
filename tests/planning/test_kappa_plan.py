"""Items for kappa, against simulated pairs of raters."""

from math import sqrt

import numpy as np
import pytest

from steelyard.errors import RequestError
from steelyard.planning import kappa_samples, kappa_variance, kappa_width_samples


def kappas(rng, kappa, prevalence, items, *, tests):
    mixed = prevalence * (1 - prevalence)
    cells = [
        prevalence**2 + mixed * kappa,
        mixed * (1 - kappa),
        mixed * (1 - kappa),
        (1 - prevalence) ** 2 + mixed * kappa,
    ]
    a, b, c, d = rng.multinomial(items, cells, size=tests).T / items
    seen, chance = a + d, (a + b) * (a + c) + (c + d) * (b + d)
    return (seen - chance) / (1 - chance)


@pytest.mark.parametrize(("kappa", "prevalence"), [(0.7, 0.5), (0.4, 0.3), (0.6, 0.15)])
def test_the_variance_is_that_of_simulated_raters(kappa, prevalence):
    drawn = kappas(np.random.default_rng(3), kappa, prevalence, 800, tests=4000)
    expected = kappa_variance(kappa, prevalence=prevalence) / 800
    assert drawn.var() == pytest.approx(expected, rel=0.1)


def test_planned_items_reach_the_power_in_simulation():
    items = kappa_samples(0.6, null=0.4, prevalence=0.3)
    drawn = kappas(np.random.default_rng(4), 0.6, 0.3, items, tests=4000)
    null = sqrt(kappa_variance(0.4, prevalence=0.3) / items)
    power = np.mean((drawn - 0.4) / null >= 1.959963984540054)
    assert abs(power - 0.8) < 4 * sqrt(0.16 / 4000) + 0.03


def test_rare_classes_and_narrow_intervals_take_more_items():
    assert kappa_width_samples(0.7, width=0.1) == pytest.approx(
        4 * kappa_width_samples(0.7, width=0.2), abs=4
    )
    assert kappa_width_samples(0.7, width=0.2, prevalence=0.1) > 500


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: kappa_samples(0.6, null=0.6), r"null=0\.5"),
        (lambda: kappa_variance(1.0), r"0 <= kappa < 1"),
        (lambda: kappa_width_samples(0.5, width=2), "narrower than 2"),
        (lambda: kappa_samples(0.6, null=0.4, prevalence=0), "prevalence=0"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()

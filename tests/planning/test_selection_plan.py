"""Samples to select the best."""

from math import sqrt

import numpy as np
import pytest

from steelyard.comparison.selection import items_needed
from steelyard.errors import RequestError
from steelyard.planning import selection_probability, selection_resolution, selection_samples


def test_the_golden_size_is_reproduced():
    # k = 2, delta 0.1: PCS(82) = 0.900059370319, PCS(81) = 0.898672828037.
    size = selection_samples(2, delta=0.1, confidence=0.9)
    assert size.samples == 82
    assert size.reached == pytest.approx(0.900059370319, abs=1e-12)
    assert selection_probability(81, 2, delta=0.1) == pytest.approx(0.898672828037, abs=1e-12)


@pytest.mark.parametrize(
    ("systems", "delta", "confidence"), [(3, 0.2, 0.95), (5, 0.1, 0.9), (4, 0.05, 0.8)]
)
def test_it_agrees_with_the_full_search(systems, delta, confidence):
    full = items_needed(systems, lead=delta, confidence=confidence)
    size = selection_samples(systems, delta=delta, confidence=confidence)
    assert size.samples == full.tested
    assert size.reached == pytest.approx(full.probability, abs=1e-9)


@pytest.mark.parametrize(("systems", "delta"), [(3, 0.1), (6, 0.15)])
def test_the_best_is_selected_as_often_as_promised_in_simulation(systems, delta):
    size = selection_samples(systems, delta=delta, confidence=0.9)
    rng = np.random.default_rng(systems)
    best = rng.binomial(size.samples, (1 + delta) / 2, size=6000)
    rivals = rng.binomial(size.samples, (1 - delta) / 2, size=(6000, systems - 1))
    top = rivals.max(axis=1)
    ties = (rivals == best[:, None]).sum(axis=1)
    share = np.mean(np.where(best > top, 1.0, np.where(best == top, 1 / (1 + ties), 0.0)))
    assert abs(share - size.reached) < 4 * sqrt(0.09 / 6000) + 0.002


def test_the_resolution_is_the_inverse():
    size = selection_samples(3, delta=0.15, confidence=0.9)
    assert selection_resolution(size.samples, 3, confidence=0.9) == pytest.approx(0.15, abs=2e-3)


def test_large_plans_are_approximate_and_said_to_be():
    near = selection_samples(3, delta=0.016)
    far = selection_samples(3, delta=0.008)
    assert near.exact
    assert not far.exact
    assert far.samples == pytest.approx(4 * near.samples, rel=0.01)
    assert selection_samples(3, delta=1e-4).samples is None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: selection_samples(1, delta=0.1), "2 or more"),
        (lambda: selection_samples(4, delta=0.1, confidence=0.2), r"confidence=0\.26"),
        (lambda: selection_samples(4, delta=-0.1), r"delta=0\.02"),
        (lambda: selection_samples(4, delta=0.1, confidence=1), "confidence=1"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()

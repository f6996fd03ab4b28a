"""The chance that a test really reaches the confidence, against plain sums and simulation."""

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from steelyard.comparison import (
    BetaPosteriors,
    pair_posterior,
    probability_best,
    probability_better,
    probability_of_ranking,
)
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import RequestError
from steelyard.planning import (
    paired_assurance,
    paired_rates,
    pilot_assurance,
    posterior_assurance,
    posterior_samples,
)


def posteriors(right, samples):
    return BetaPosteriors(
        systems=tuple(map(str, range(len(right)))),
        a=tuple(x + 1.0 for x in right),
        b=tuple(samples - x + 1.0 for x in right),
    )


@pytest.mark.parametrize(
    ("rates", "samples", "confidence"),
    [((0.8, 0.5), 12, 0.9), ((0.95, 0.6), 9, 0.95), ((0.2, 0.1), 15, 0.8)],
)
def test_two_systems_are_the_double_sum_over_both_binomials(rates, samples, confidence):
    right = wrong = 0.0
    for x, y in product(range(samples + 1), repeat=2):
        weight = binom.pmf(x, samples, rates[0]) * binom.pmf(y, samples, rates[1])
        better = probability_better(posteriors((x, y), samples)).better[0][1]
        right += weight * (better >= confidence)
        wrong += weight * (1 - better >= confidence)
    found = posterior_assurance(rates, samples, confidence=confidence)
    assert found.right == pytest.approx(right, abs=1e-12)
    assert found.wrong == pytest.approx(wrong, abs=1e-12)


def test_two_common_systems_are_the_sum_over_all_paired_tables():
    rates, samples, confidence = paired_rates(0.8, 0.6, discordance=0.3), 14, 0.9
    right = 0.0
    for b, c in product(range(samples + 1), repeat=2):
        if b + c > samples:
            continue
        rest = samples - b - c
        weight = comb(samples, b) * comb(samples - b, c)
        weight *= rates.only_first**b * rates.only_second**c * (1 - rates.discordance) ** rest
        table = PairTable(both=rest, first=b, second=c, neither=0)
        right += weight * (pair_posterior(table).first_better >= confidence)
    found = paired_assurance([rates], samples, confidence=confidence)
    assert found.right == pytest.approx(right, abs=1e-12)
    assert not found.bound


@pytest.mark.parametrize("question", ["best", "ranking"])
def test_more_systems_agree_with_tests_judged_one_by_one(question):
    rates, samples, draws = (0.9, 0.8, 0.7), 150, 120
    found = posterior_assurance(
        rates, samples, confidence=0.9, question=question, rng=np.random.default_rng(5), draws=draws
    )
    right = np.random.default_rng(5).binomial(samples, rates, size=(draws, 3))
    hits = 0
    for row in right:
        given = posteriors(row, samples)
        if question == "best":
            hits += probability_best(given).best[0] >= 0.9
        else:
            ranked = probability_of_ranking(given, ranking=given.systems)
            hits += ranked.probability >= 0.9
    assert found.right == hits / draws
    assert found.error == pytest.approx(sqrt(found.right * (1 - found.right) / draws), rel=0.06)


def test_at_the_expected_sample_size_about_half_of_the_tests_reach_the_confidence():
    size = posterior_samples([0.9, 0.85], 0.95)
    assert posterior_assurance([0.9, 0.85], size.samples).right == pytest.approx(0.5, abs=0.02)


def test_assurance_of_two_systems_holds_in_simulation():
    rng = np.random.default_rng(11)
    found = posterior_assurance([0.85, 0.75], 180)
    right = rng.binomial(180, [0.85, 0.75], size=(250, 2))
    hits = sum(
        probability_better(posteriors(row, 180)).better[0][1] >= 0.95 for row in right.tolist()
    )
    assert abs(hits - 250 * found.right) < 4 * sqrt(250 * found.right * (1 - found.right))


def test_paired_rivals_give_a_lower_bound():
    pilot = Outcomes.from_patterns({7: 70, 1: 10, 2: 4, 3: 4, 5: 4, 0: 8}, systems=("A", "B", "C"))
    rows = pilot.total
    pairs = []
    for rival in ("B", "C"):
        table = pilot.pair("A", rival)
        one, two = (table.both + table.first) / rows, (table.both + table.second) / rows
        pairs.append(paired_rates(one, two, discordance=table.discordant / rows))
    bound = paired_assurance(pairs, 300)
    drawn = pilot_assurance(pilot, 300, rng=np.random.default_rng(2))
    assert bound.bound
    assert 0.3 < bound.right < drawn.right + 4 * drawn.error


def test_pairing_raises_the_assurance_of_systems_that_agree():
    paired = paired_assurance([paired_rates(0.9, 0.85, discordance=0.07)], 200)
    apart = posterior_assurance([0.9, 0.85], 200)
    assert paired.right > apart.right + 0.3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"samples": 0}, "at least 1"),
        ({"samples": 10, "confidence": 0.4}, "above one half"),
        ({"samples": 10, "rates": (0.9, 0.8, 0.7)}, "default_rng"),
    ],
)
def test_what_cannot_be_assured_is_refused(arguments, words):
    rates = arguments.pop("rates", (0.9, 0.8))
    with pytest.raises(RequestError, match=words):
        posterior_assurance(rates, **arguments)

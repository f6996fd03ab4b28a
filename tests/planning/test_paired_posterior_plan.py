"""The joint posterior at planned chances."""

from itertools import pairwise

import numpy as np
import pytest

from steelyard.comparison import pair_posterior, paired_posterior
from steelyard.counts import Outcomes, PairTable
from steelyard.errors import RequestError
from steelyard.planning import (
    PairedRates,
    paired_confidence,
    paired_posterior_samples,
    pilot_rivals,
    rival_pairs,
)

PILOT = Outcomes.from_patterns({7: 70, 1: 10, 2: 4, 3: 4, 5: 4, 0: 8}, systems=("A", "B", "C"))


def test_one_rival_is_the_closed_form():
    table = PairTable(both=160, first=18, second=5, neither=17)
    pair = PairedRates(only_first=18 / 200, only_second=5 / 200)
    assert paired_confidence([pair], 200) == pytest.approx(
        pair_posterior(table).first_better, abs=1e-12
    )


def test_several_rivals_give_a_lower_bound_that_is_close():
    bound = paired_confidence(pilot_rivals(PILOT), PILOT.total)
    drawn = paired_posterior(PILOT, rng=np.random.default_rng(1), draws=40_000)
    assert bound <= drawn.best[0] + 4 * drawn.best_error[0]
    assert bound == pytest.approx(drawn.best[0], abs=0.02)


def test_the_samples_reach_the_confidence_and_one_less_does_not():
    pairs = rival_pairs([0.9, 0.87, 0.8], discordance=0.12)
    size = paired_posterior_samples(pairs, 0.95)
    assert size.reached >= 0.95 > paired_confidence(pairs, size.samples - 1)
    assert size.samples - 1 < size.exact <= size.samples


def test_a_ranking_pairs_neighbours_and_the_best_everybody():
    rates = [0.7, 0.9, 0.8]
    best, ranking = (rival_pairs(rates, question=q) for q in ("best", "ranking"))
    assert [round(pair.difference, 9) for pair in best] == [0.1, 0.2]
    assert [round(pair.difference, 9) for pair in ranking] == [0.1, 0.1]
    shown = pilot_rivals(PILOT, question="ranking")
    right = sorted(PILOT.correct(), reverse=True)
    gaps = [(one - two) / PILOT.total for one, two in pairwise(right)]
    assert [pair.difference for pair in shown] == pytest.approx(gaps)


def test_unrelated_errors_are_supposed_when_nothing_is_said():
    (pair,) = rival_pairs([0.9, 0.8])
    assert pair.discordance == pytest.approx(0.9 * 0.2 + 0.8 * 0.1)


def test_equal_systems_and_plans_beyond_the_limit():
    with pytest.raises(RequestError, match="equal"):
        paired_posterior_samples(rival_pairs([0.9, 0.9]), 0.95)
    assert paired_posterior_samples(rival_pairs([0.9, 0.8999]), 0.95).samples is None

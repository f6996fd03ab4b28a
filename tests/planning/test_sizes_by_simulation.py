"""Sample sizes are tried by drawing tests of that size: ``certificates/plans.py`` declares them."""

from math import comb

import numpy as np
import pytest

from certificates.plans import PLANS
from certificates.search import Space
from steelyard.planning import (
    area_power,
    area_samples,
    pair_alphas,
    paired_power,
    paired_rates,
    paired_samples,
)

PAIR = paired_rates(0.85, 0.78, discordance=0.15)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_is_drawn_and_makes_a_promise_at_both_ends_of_its_space(name):
    draw, axes, slack, _ = PLANS[name]
    cells = list(Space(axes=axes).cells())
    for cell in (cells[0], cells[-1]):
        there, promised = draw(cell, np.random.default_rng(21), 20)
        assert there.shape == (20,)
        assert 0 < promised <= 1
    assert 0 <= slack <= 0.09


def test_the_sizes_behind_them_reach_their_target():
    assert paired_power(PAIR, paired_samples(PAIR).samples).power >= 0.8
    assert area_power(0.8, area_samples(0.8, null=0.65).samples, null=0.65) >= 0.8
    assert len(PLANS) >= 12
    assert comb(3, 2) == len(pair_alphas([0.9, 0.8, 0.6]))

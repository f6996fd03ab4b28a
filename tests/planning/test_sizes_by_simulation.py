"""Sample sizes are tried by drawing tests of that size: ``certificates/plans.py`` declares them."""

from math import comb

import numpy as np
import pytest

from certificates.plans import PAIR, PLANS
from steelyard.planning import (
    area_power,
    area_samples,
    pair_alphas,
    paired_power,
    paired_samples,
)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_promises_what_its_certificate_was_tried_for(name):
    draw, declared, slack, _ = PLANS[name]
    there, promised = draw(np.random.default_rng(21), 20)
    assert promised == pytest.approx(declared, abs=1e-4)
    assert there.shape == (20,)
    assert 0 <= slack <= 0.04


def test_the_sizes_behind_them_reach_their_target():
    assert paired_power(PAIR, paired_samples(PAIR).samples).power >= 0.8
    assert area_power(0.8, area_samples(0.8, null=0.65).samples, null=0.65) >= 0.8
    assert len(PLANS) >= 12
    assert comb(3, 2) == len(pair_alphas([0.9, 0.8, 0.6]))

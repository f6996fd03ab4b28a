"""The harness that counts coverage must notice intervals that cover too rarely."""

import pytest

from steelyard.errors import RequestError
from steelyard.uncertainty import Coverage, coverage_of, wald_interval, wilson_interval


def draw(rng):
    return int(rng.binomial(30, 0.95))


def test_wilson_holds_and_walds_known_failure_is_seen():
    held = coverage_of(lambda x: wilson_interval(x, 30), draw, 0.95, repetitions=2000, seed=5)
    assert held.within(0.93, 0.97)
    # Covers 0.786 at p = 0.95, n = 30, the number the docs print.
    lost = coverage_of(lambda x: wald_interval(x, 30), draw, 0.95, repetitions=2000, seed=5)
    assert not lost.within(0.93, 0.97)
    assert lost.within(0.77, 0.80)


def test_draws_without_an_interval_are_reported_and_not_counted():
    found = coverage_of(
        lambda x: None if x == 30 else wilson_interval(x, 30), draw, 0.95, repetitions=300, seed=5
    )
    assert found.undefined > 0
    assert found.repetitions + found.undefined == 300


def test_the_same_seed_gives_the_same_hits():
    one, two = (
        coverage_of(lambda x: wilson_interval(x, 30), draw, 0.95, repetitions=100, seed=5)
        for _ in range(2)
    )
    assert one == two
    assert one.share == one.hits / 100


def test_no_hit_at_all_is_bad_luck_for_no_coverage():
    assert Coverage(hits=0, repetitions=10, undefined=0, seed=0).within(0.0, 0.1)
    with pytest.raises(RequestError, match="repetitions"):
        coverage_of(lambda x: (0, 1), draw, 0.5, repetitions=0, seed=1)

from math import log, sqrt

import numpy as np
import pytest

from steelyard.comparison.sequential.betting import benchmark_sequence, betting_sequence
from steelyard.comparison.sequential.evidence import win_sequence
from steelyard.errors import CountsError, RequestError


def capital(values, mean, alpha, items=None):
    """Write the hedged capital of Waudby-Smith & Ramdas as a plain loop."""
    up = down = 0.0
    total, squares, spread = 0.0, 0.0, 0.25
    for i, x in enumerate(values, start=1):
        fair = mean if items is None else (items * mean - total) / (items - i + 1)
        bet = sqrt(2 * log(2 / alpha) / (spread * i * log(1 + i)))
        up += log(1 + min(bet, 0.5 / fair) * (x - fair))
        down += log(1 - min(bet, 0.5 / (1 - fair)) * (x - fair))
        total += x
        centre = (0.5 + total) / (i + 1)
        squares += (x - centre) ** 2
        spread = (0.25 + squares) / (i + 1)
    return up, down


@pytest.mark.parametrize("items", [None, 90])
def test_the_limits_are_where_the_capital_reaches_its_bar(items):
    values = np.random.default_rng(3).beta(4, 2, 60)
    (look,) = betting_sequence(values, items=items)
    assert capital(values, look.low, 0.05, items)[0] == pytest.approx(log(40), abs=1e-6)
    assert capital(values, look.high, 0.05, items)[1] == pytest.approx(log(40), abs=1e-6)
    assert look.mean == values.mean()


def test_the_known_benchmark_has_its_limits():
    answer = benchmark_sequence(281, 400, items=500)
    assert (answer.low, answer.high) == (0.664, 0.736)
    wide = win_sequence(281, 119)
    assert (round(wide.low, 3), round(wide.high, 3)) == (0.621, 0.776)


def test_a_benchmark_asked_to_the_end_is_known_exactly():
    answer = benchmark_sequence(281, 500, items=500)
    assert answer.low == answer.high == 281 / 500
    values = np.repeat([0.0, 1.0], [20, 30])
    np.random.default_rng(1).shuffle(values)
    (look,) = betting_sequence(values, items=50)
    assert look.low == look.high == pytest.approx(0.6)
    assert look.estimand == "these items"


def test_a_benchmark_never_asked_is_not_known_at_all():
    answer = benchmark_sequence(0, 0, items=10)
    assert (answer.low, answer.high) == (0, 1)


def test_benchmark_limits_cover_at_all_times_together():
    rng, missed = np.random.default_rng(8), 0
    items = np.repeat([1, 0], [40, 20])
    for _ in range(300):
        right = rng.permutation(items).cumsum()
        looks = [benchmark_sequence(int(right[t - 1]), t, items=60) for t in range(1, 60, 3)]
        missed += any(not look.low <= 40 / 60 <= look.high for look in looks)
    assert missed < 0.05 * 300


@pytest.mark.parametrize("items", [None, 400])
def test_betting_limits_cover_at_all_looks_together(items):
    rng, missed = np.random.default_rng(4), 0
    population = rng.choice([-1.0, 0.0, 1.0], p=[0.08, 0.8, 0.12], size=400)
    for _ in range(150):
        values = rng.choice(population, size=200, replace=items is None)
        looks = betting_sequence(values, bounds=(-1, 1), items=items, looks=range(20, 201, 30))
        missed += any(not look.low <= population.mean() <= look.high for look in looks)
    assert missed < 0.05 * 150 + 3


def test_earlier_limits_stay_in_force():
    values = np.random.default_rng(12).random(200)
    looks = betting_sequence(values, looks=[10, 50, 100, 200])
    assert [look.seen for look in looks] == [10, 50, 100, 200]
    assert sorted(look.low for look in looks) == [look.low for look in looks]
    assert sorted((look.high for look in looks), reverse=True) == [look.high for look in looks]


def test_without_replacement_is_narrower():
    values = np.random.default_rng(6).random(150)
    (some,), (these,) = betting_sequence(values), betting_sequence(values, items=200)
    assert these.high - these.low < some.high - some.low


def test_bounds_only_scale_the_answer():
    values = np.random.default_rng(2).random(80)
    (unit,), (wide,) = betting_sequence(values), betting_sequence(values * 8 - 3, bounds=(-3, 5))
    assert wide.low == pytest.approx(unit.low * 8 - 3, abs=1e-9)
    assert wide.high == pytest.approx(unit.high * 8 - 3, abs=1e-9)


def test_mirrored_values_mirror_the_limits():
    values = np.random.default_rng(2).random(80)
    (one,), (two,) = betting_sequence(values), betting_sequence(1 - values)
    assert one.low == pytest.approx(1 - two.high, abs=1e-9)


def test_one_value_alone_excludes_little():
    (look,) = betting_sequence([1.0])
    assert look.high == 1
    assert look.low < 0.1


def test_strange_values_are_refused():
    with pytest.raises(CountsError, match="not all within"):
        betting_sequence([0.5, 1.5])
    with pytest.raises(CountsError, match="not all within"):
        betting_sequence([0.5, float("nan")])
    with pytest.raises(CountsError, match="without replacement"):
        betting_sequence([0.5, 0.5], items=1)
    with pytest.raises(CountsError, match="tested <= items"):
        benchmark_sequence(3, 5, items=4)
    for ask in (
        lambda: betting_sequence([0.5], bounds=(1, 0)),
        lambda: betting_sequence([0.5], alpha=0),
        lambda: betting_sequence([0.5], looks=[2]),
        lambda: benchmark_sequence(3, 5, items=9, alpha=1),
        lambda: benchmark_sequence(3, 5, items=9, prior=(0, 1)),
    ):
        with pytest.raises(RequestError):
            ask()

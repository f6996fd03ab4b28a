"""Limits that allow for one unseen item: exact at their edges, and never too sure between."""

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, binom, multinomial

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    clopper_pearson_interval,
    guarded_finite_interval,
    guarded_paired_interval,
    guarded_tail,
)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 200))
def test_at_no_difference_the_tail_is_the_exact_one_sided_mcnemar_test(first, second, rest):
    # scipy.stats.binom: at least as many items for the first under a fair coin
    expected = binom.sf(first - 1, first + second, 0.5) if first else 1.0
    assert guarded_tail(first, second, rest, at=0.0) == pytest.approx(expected, abs=1e-12)


@given(st.integers(0, 30), st.integers(1, 60))
def test_with_one_kind_of_discordant_items_the_limit_is_clopper_and_pearsons(lost, kept):
    low, _ = guarded_paired_interval(kept, 0, lost, 0, level=0.9)
    _, most = clopper_pearson_interval(lost, lost + kept, level=0.9)
    assert low == pytest.approx(-most, abs=1e-12)


@pytest.mark.parametrize(
    ("cells", "at"),
    [((4, 1, 3), -0.1), ((30, 22, 948), 0.002), ((1, 0, 10), 0.05), ((2, 7, 1), 0.1)],
)
def test_the_tail_is_that_of_the_dirichlet_distribution(cells, at):
    # The same probability by an integral over the first share: given it, the second is a beta.
    first, second, rest = cells
    ones = (np.arange(400_000) + 0.5) / 400_000
    density = beta.pdf(ones, first, second + 1 + rest)
    given_first = beta.sf((ones - at) / (1 - ones), second + 1, rest)
    expected = float((density * given_first).mean())
    assert guarded_tail(first, second, rest, at=at) == pytest.approx(expected, abs=2e-4)


@given(st.tuples(*[st.integers(0, 50)] * 4).filter(any), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
def test_limits_hold_the_difference_have_width_and_mirror(cells, level):
    both, first, second, neither = cells
    low, high = guarded_paired_interval(*cells, level=level)
    value = (first - second) / sum(cells)
    assert -1 <= low <= value <= high <= 1
    assert low < high
    turned = guarded_paired_interval(both, second, first, neither, level=level)
    assert turned == pytest.approx((-high, -low), abs=1e-12)


@pytest.mark.parametrize("number", [3, 6, 10])
def test_no_limit_is_passed_falsely_more_often_than_one_time_in_twenty(number):
    # Every table of three counts, summed exactly: the worst of a grid of margins and discordances.
    tables = [(b, c) for b in range(number + 1) for c in range(number + 1 - b)]
    worst = 0.0
    for gap, rarer in product((-0.6, -0.3, -0.1, -0.02, 0, 0.01, 0.1, 0.3), (0, 0.02, 0.1, 0.2)):
        ahead, behind = (rarer + gap, rarer) if gap > 0 else (rarer, rarer - gap)
        passing = [
            (b, c, number - b - c)
            for b, c in tables
            if guarded_tail(b, c, number - b - c, at=gap) < 0.05
        ]
        chances = [multinomial.pmf(x, number, [ahead, behind, 1 - ahead - behind]) for x in passing]
        worst = max(worst, float(np.sum(chances)))
    assert worst <= 0.05


def test_what_is_left_of_a_benchmark_keeps_its_level_where_one_item_was_not_tested():
    # 10 of 11 tested, the eleventh is the one lost: drawn in one of 11 cases, 9 %.
    low, high = guarded_finite_interval((10, 0, 0, 0), 11, level=0.9, rng=np.random.default_rng(1))
    assert low == pytest.approx(-1 / 11)
    assert high == pytest.approx(1 / 11)
    # Hypergeometric, exact: 40 of 50 tested without a loss; 3 lost in all would show in 99.3 %.
    unseen = comb(10, 2) * comb(40, 0) / comb(50, 2)
    assert unseen < 0.05
    low, _ = guarded_finite_interval((40, 0, 0, 0), 50, level=0.9, rng=np.random.default_rng(1))
    assert -2 / 50 <= low <= -1 / 50


def test_empty_tables_and_levels_outside_their_range_are_refused():
    with pytest.raises(CountsError, match="empty"):
        guarded_paired_interval(0, 0, 0, 0)
    with pytest.raises((RequestError, CountsError, ValueError)):
        guarded_paired_interval(1, 1, 1, 1, level=1.0)

"""Adjusted p-values: statsmodels, printed tables, and brute force over all groupings."""

from itertools import combinations, pairwise, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from steelyard.errors import RequestError
from steelyard.uncertainty import (
    benjamini_hochberg,
    bonferroni,
    holm,
    shaffer_dynamic,
    shaffer_numbers,
    shaffer_static,
)

p_value = st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0]))


@st.composite
def all_pairs(draw, most=5):
    k = draw(st.integers(2, most))
    pairs = k * (k - 1) // 2
    return k, draw(st.lists(p_value, min_size=pairs, max_size=pairs))


@pytest.mark.parametrize(
    ("ours", "theirs"), [(bonferroni, "bonferroni"), (holm, "holm"), (benjamini_hochberg, "fdr_bh")]
)
@pytest.mark.parametrize(
    "p_values",
    [
        [0.2],
        [0.04, 0.04, 0.04],
        [0.0, 1.0, 0.5, 0.013, 0.012],
        [0.03, 0.001, 0.2, 0.009, 0.0499, 0.7, 0.009, 0.31, 1e-9],
    ],
)
def test_adjusted_values_agree_with_statsmodels(ours, theirs, p_values):
    expected = multipletests(p_values, method=theirs)[1]
    assert ours(p_values) == pytest.approx(list(expected), abs=1e-12)


@pytest.mark.parametrize(
    ("systems", "numbers"),
    [
        (2, (1,)),
        (3, (3, 1, 1)),
        (4, (6, 3, 3, 3, 2, 1)),
        (5, (10, 6, 6, 6, 6, 4, 4, 3, 2, 1)),
    ],
)
def test_shaffer_numbers_follow_the_recursion(systems, numbers):
    # Worked by hand from the recursion of Shaffer (1986), JASA 81, 826-831.
    assert shaffer_numbers(systems) == numbers


def groupings(items):
    """All ways to part a list into groups."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [item for item in rest if item not in others]
            for more in groupings(left):
                yield [(first, *others), *more]


def brute_force(p_values, systems, *, uses_names):
    """Both of Shaffer's procedures by listing every grouping of equal systems."""
    pairs = list(combinations(range(systems), 2))
    equal = [
        {pair for group in grouping for pair in combinations(sorted(group), 2)}
        for grouping in groupings(list(range(systems)))
    ]
    order = sorted(range(len(pairs)), key=lambda i: p_values[i])
    adjusted, largest = {}, 0.0
    for step, place in enumerate(order):
        rejected = {pairs[i] for i in order[:step]}
        fits = [
            len(e)
            for e in equal
            if (not e & rejected if uses_names else len(e) <= len(pairs) - step)
        ]
        largest = max(largest, max(fits) * p_values[place])
        adjusted[place] = min(1.0, largest)
    return [adjusted[i] for i in range(len(pairs))]


@given(all_pairs())
def test_static_shaffer_agrees_with_listing_all_groupings(family):
    systems, p_values = family
    expected = brute_force(p_values, systems, uses_names=False)
    assert list(shaffer_static(p_values, systems=systems)) == expected


@given(all_pairs())
def test_dynamic_shaffer_agrees_with_listing_all_groupings(family):
    systems, p_values = family
    expected = brute_force(p_values, systems, uses_names=True)
    assert list(shaffer_dynamic(p_values, systems=systems)) == expected


@given(all_pairs(most=8))
def test_each_procedure_is_at_least_as_strong_as_the_simpler_one(family):
    systems, p_values = family
    ladder = [
        p_values,
        shaffer_dynamic(p_values, systems=systems),
        shaffer_static(p_values, systems=systems),
        holm(p_values),
        bonferroni(p_values),
    ]
    for stronger, weaker in pairwise(ladder):
        assert all(s <= w for s, w in zip(stronger, weaker, strict=True))


@given(all_pairs(most=6), st.sampled_from([0.01, 0.05, 0.2]))
def test_decisions_are_those_of_the_stepwise_rule(family, alpha):
    systems, p_values = family
    adjusted = shaffer_static(p_values, systems=systems)
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    open_still, rejected = True, set()
    for factor, place in zip(shaffer_numbers(systems), order, strict=True):
        open_still = open_still and factor * p_values[place] <= alpha
        if open_still:
            rejected.add(place)
    assert {i for i, p in enumerate(adjusted) if p <= alpha} == rejected


@given(all_pairs(most=6))
def test_adjusted_values_keep_the_order_of_the_raw_ones(family):
    systems, p_values = family
    for adjusted in (
        shaffer_static(p_values, systems=systems),
        shaffer_dynamic(p_values, systems=systems),
        holm(p_values),
        benjamini_hochberg(p_values),
    ):
        for (p, a), (q, b) in combinations(zip(p_values, adjusted, strict=True), 2):
            assert a <= b if p < q else a >= b if p > q else a == b
        assert max(adjusted) <= 1


@given(st.permutations(range(6)), st.lists(p_value, min_size=6, max_size=6))
def test_static_shaffer_does_not_care_about_the_order_of_pairs(order, p_values):
    adjusted = shaffer_static(p_values, systems=4)
    moved = shaffer_static([p_values[i] for i in order], systems=4)
    assert moved == tuple(adjusted[i] for i in order)


def test_which_pair_was_rejected_can_matter():
    # With 1 against 2 apart, of four systems at most 3 pairs are equal; 3 against 4 then leaves 2.
    p_values = [0.001, 0.3, 0.3, 0.3, 0.3, 0.012]
    assert shaffer_static(p_values, systems=4)[1] == pytest.approx(0.9)
    assert shaffer_dynamic(p_values, systems=4)[1] == pytest.approx(0.6)


def test_the_largest_family_allowed_lies_between_raw_and_static_values():
    p_values = [(37 * i % 66) / 1000 for i in range(66)]
    static = shaffer_static(p_values, systems=12)
    adjusted = shaffer_dynamic(p_values, systems=12)
    assert all(p <= a <= s for p, a, s in zip(p_values, adjusted, static, strict=True))
    assert adjusted != static


def test_what_is_no_family_of_p_values_is_refused():
    for adjust in (bonferroni, holm, benjamini_hochberg):
        assert adjust([]) == ()
        for bad in (float("nan"), -0.1, 1.1):
            with pytest.raises(RequestError, match="not a p-value"):
                adjust([0.5, bad])
    with pytest.raises(RequestError, match="all pairs are 6"):
        shaffer_static([0.1, 0.2], systems=4)
    with pytest.raises(RequestError, match="at least 2"):
        shaffer_numbers(1)
    with pytest.raises(RequestError, match="shaffer_static"):
        shaffer_dynamic([0.5] * 78, systems=13)


@pytest.mark.parametrize(("systems", "families"), [(2, 4), (3, 1), (3, 3), (4, 2), (5, 2)])
def test_numbers_over_slices_are_what_partitions_of_each_slice_allow(systems, families):
    def equal_pairs(left, groups):
        if not left:
            return {sum(comb(size, 2) for size in groups)}
        sizes = [[*groups[:k], size + 1, *groups[k + 1 :]] for k, size in enumerate(groups)]
        return set().union(*(equal_pairs(left - 1, one) for one in [*sizes, [*groups, 1]]))

    one = equal_pairs(systems, [])
    possible = {sum(some) for some in product(one, repeat=families)}
    pairs = comb(systems, 2) * families
    expected = tuple(max(s for s in possible if s <= pairs - step) for step in range(pairs))
    assert shaffer_numbers(systems, families=families) == expected


def test_shaffer_over_slices_is_never_weaker_than_holm():
    p_values = np.random.default_rng(5).random(12) ** 4
    over_slices = shaffer_static(p_values, systems=3, families=4)
    assert all(one <= two for one, two in zip(over_slices, holm(p_values), strict=True))
    with pytest.raises(RequestError, match="all pairs are 12"):
        shaffer_static(p_values[:9], systems=3, families=4)
    with pytest.raises(RequestError, match="families=0"):
        shaffer_numbers(3, families=0)

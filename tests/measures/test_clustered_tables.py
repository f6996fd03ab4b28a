"""Measures of tables in clusters: values of the whole, intervals that count clusters."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.counts import SCALE, Confusion, Grouped, WeightSums
from steelyard.measures import (
    average,
    balanced_accuracy,
    catalogue_entry,
    clustered_accuracy,
    clustered_measure,
    clustered_measures,
    diagnostic_odds_ratio,
    expected_cost,
    f1,
    f_beta,
    informedness,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    markedness,
    mcc,
    no_information_rate,
    npv,
    one_item_a_cluster,
    ppv_at,
    specificity,
)
from steelyard.measures.tables.averages import AVERAGINGS, MEASURES
from steelyard.measures.tables.estimates import table_value
from steelyard.measures.tables.formulas import Margins
from steelyard.uncertainty import jackknife_variance

cell = st.integers(0, 8)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)
some = st.lists(square.filter(lambda m: any(map(any, m))), min_size=2, max_size=5)
OF = {"of": "0"}
KNOWN = [
    balanced_accuracy,
    mcc,
    no_information_rate,
    *(partial(one, **OF) for one in (specificity, npv, f1, informedness, markedness)),
    partial(f_beta, beta=2.0, **OF),
    partial(likelihood_ratio_positive, **OF),
    partial(likelihood_ratio_negative, **OF),
    partial(diagnostic_odds_ratio, **OF),
    *(partial(average, measure=m, averaging=a) for m in MEASURES for a in AVERAGINGS),
]


def grouped(matrices):
    parts = {str(g): Confusion.from_matrix(m) for g, m in enumerate(matrices)}
    return Grouped.from_parts("cluster", parts)


def margins(table):
    place = {name: at for at, name in enumerate(table.classes)}
    cells = np.zeros((len(place), len(place)))
    for truth, called, rows in table.cells:
        cells[place[truth], place[called]] = rows
    return Margins(np.diag(cells)[None], cells.sum(axis=1)[None], cells.sum(axis=0)[None])


@settings(max_examples=30)
@given(square.filter(lambda m: any(map(any, m))))
def test_every_formula_gives_the_measure_it_is_named_after(matrix):
    table = Confusion.from_matrix(matrix)
    for measure in KNOWN:
        plain = measure(table)
        if plain.value is None:
            continue
        place = 0 if plain.of is None else table.classes.index(plain.of)
        found = table_value(catalogue_entry(plain.measure), replace(margins(table), place=place))
        assert found[0] == pytest.approx(plain.value, abs=1e-12), plain.measure


@settings(max_examples=20)
@given(some)
def test_values_are_those_of_all_clusters_together_and_lie_within_the_limits(matrices):
    parts = grouped(matrices)
    whole = parts.merged()
    for measure in (*KNOWN, partial(ppv_at, prevalence=0.1, **OF)):
        plain, found = measure(whole), clustered_measure(parts, measure)
        assert (found.value, found.reason) == (plain.value, plain.reason)
        if found.interval is not None:
            assert found.interval.low <= found.value + 1e-9
            assert found.value - 1e-9 <= found.interval.high


def test_single_items_have_the_error_of_independent_ones():
    table = Confusion.from_matrix([[25, 10], [5, 60]])
    cells = [pair for *pair, rows in table.cells for _ in range(rows)]
    parts = {
        str(g): Confusion.from_cells({(truth, called): 1}, classes=["0", "1"])
        for g, (truth, called) in enumerate(cells)
    }
    found = clustered_measure(Grouped.from_parts("item", parts), mcc)
    assert found.standard_error == pytest.approx(
        mcc(table).standard_error * (100 / 99) ** 0.5, rel=1e-6
    )


def test_clusters_that_are_copies_of_one_item_count_once():
    rng = np.random.default_rng(3)
    cells = rng.multinomial(1, [0.3, 0.1, 0.1, 0.5], size=40)
    once, often = (
        grouped([(times * one).reshape(2, 2).tolist() for one in cells]) for times in (1, 20)
    )
    for measure in (mcc, partial(f1, **OF), partial(likelihood_ratio_positive, **OF)):
        one, many = (clustered_measure(parts, measure).interval for parts in (once, often))
        assert (many.low, many.high) == pytest.approx((one.low, one.high), rel=1e-9)


def test_a_perfect_system_is_worth_an_item_a_cluster():
    parts = grouped([[[10, 0], [0, 10]]] * 12)
    found = clustered_measure(parts, partial(f1, **OF))
    alone = f1(one_item_a_cluster(parts), **OF).interval
    assert (found.value, found.interval.high) == (1, 1)
    assert found.interval.low == alone.low < f1(parts.merged(), **OF).interval.low
    assert found.interval.method.endswith("each cluster as one item")
    assert "counts each cluster as one item" in found.caveats[-1]


def test_an_infinite_ratio_says_a_lower_limit_that_counts_clusters():
    parts = grouped([[[9, 1], [0, 10]], [[8, 2], [0, 10]], [[5, 5], [0, 10]]])
    measure = partial(likelihood_ratio_positive, **OF)
    found = clustered_measure(parts, measure)
    assert found.value is None
    said, plain = found.caveats[0], measure(parts.merged()).caveats
    assert "lower limit" in said
    assert said not in plain


def test_a_class_that_one_cluster_holds_leaves_no_interval():
    parts = grouped([[[9, 1], [3, 7]], [[0, 0], [2, 8]], [[0, 0], [3, 7]]])
    found = clustered_measure(parts, partial(f1, **OF))
    assert found.value is not None
    assert found.interval is None
    assert "only one cluster" in found.caveats[-1]
    alone = clustered_measure(grouped([[[9, 1], [3, 7]]]), mcc)
    assert alone.interval is None


@settings(max_examples=20)
@given(some)
def test_the_cost_of_an_item_is_a_ratio_over_clusters(matrices):
    costs = {(t, c): float(t != c) for t in "012" for c in "012"}
    parts = grouped(matrices)
    found = clustered_measures(parts, lambda table: [expected_cost(table, costs)], costs=costs)[0]
    wrong = [part.total - part.right for _, part in parts]
    items = [part.total for _, part in parts]
    if found.interval.method == "cluster-robust":
        assert found.standard_error**2 == pytest.approx(jackknife_variance(wrong, items), rel=1e-9)


def test_weights_count_as_the_sizes_of_items():
    matrices = [[[9, 1], [3, 7]], [[4, 2], [2, 8]], [[3, 3], [1, 9]]]
    double = {}
    for name, part in grouped(matrices):
        cells = {(t, c): n for t, c, n in part.cells}
        sums = {pair: WeightSums(2 * n * SCALE, 4 * n * SCALE) for pair, n in cells.items()}
        double[name] = Confusion.from_cells(cells, weights=sums)
    plain, heavy = (
        clustered_measure(parts, mcc)
        for parts in (grouped(matrices), Grouped.from_parts("cluster", double))
    )
    assert heavy.value == pytest.approx(plain.value, abs=1e-12)
    assert heavy.interval.low == pytest.approx(plain.interval.low, abs=1e-9)


def test_accuracy_on_the_scale_of_odds_is_near_the_plain_cluster_robust_one():
    parts = grouped([[[9 - g, 1 + g], [1, 9]] for g in range(6)])
    micro = clustered_measure(parts, partial(average, averaging="micro"))
    plain = clustered_accuracy(parts)
    assert micro.value == plain.value
    assert micro.interval.low == pytest.approx(plain.interval.low, abs=0.03)

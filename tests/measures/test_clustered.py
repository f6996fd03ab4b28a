"""Items in clusters: the same values, other intervals; laws that tie them to the plain ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE, Confusion, Grouped, WeightSums
from steelyard.errors import CountsError, RequestError
from steelyard.measures import (
    CLASS_SHARES,
    accuracy,
    class_share,
    cluster_bootstrap,
    clustered_accuracy,
    clustered_class_share,
    clustered_kappa,
    clustered_trials,
    cohen_kappa,
    kappa_slopes,
    mcc,
)
from steelyard.uncertainty import cluster_share_interval

cell = st.integers(0, 8)
square = st.lists(st.lists(cell, min_size=2, max_size=2), min_size=2, max_size=2)
some = st.lists(square.filter(lambda m: any(map(any, m))), min_size=2, max_size=6)


def grouped(matrices):
    return Grouped.from_parts(
        "cluster", {str(g): Confusion.from_matrix(m) for g, m in enumerate(matrices)}
    )


@given(some)
def test_values_are_those_of_all_clusters_together(matrices):
    parts = grouped(matrices)
    whole = parts.merged()
    assert clustered_accuracy(parts).value == accuracy(whole).value
    assert clustered_kappa(parts).value == cohen_kappa(whole).value
    for name in CLASS_SHARES:
        found = clustered_class_share(parts, name, of="1")
        assert found.value == class_share(whole, name, of="1").value
        if found.interval:
            assert found.interval.method == "cluster-robust"
            assert found.interval.low < found.interval.high


@given(some)
def test_accuracy_has_the_interval_of_its_counts_by_cluster(matrices):
    parts = grouped(matrices)
    right = [part.right for _, part in parts]
    totals = [part.total for _, part in parts]
    found = clustered_accuracy(parts).interval
    assert (found.low, found.high) == pytest.approx(cluster_share_interval(right, totals))
    trials = clustered_trials(
        dict(zip(parts.names, right, strict=True)), dict(zip(parts.names, totals, strict=True))
    )
    assert trials.interval == found


def test_the_slopes_of_kappa_are_its_numerical_derivative():
    matrix = np.array([[25, 10], [5, 60]])

    def kappa(cells):
        p = cells / cells.sum()
        chance = p.sum(axis=0) @ p.sum(axis=1)
        return (np.trace(p) - chance) / (1 - chance)

    slopes = kappa_slopes(Confusion.from_matrix(matrix.tolist()))
    for i, j in np.ndindex(2, 2):
        step = np.zeros((2, 2))
        step[i, j] = 1e-4
        numeric = (kappa(matrix + step) - kappa(matrix - step)) / 2e-4
        assert slopes[str(i), str(j)] == pytest.approx(numeric, rel=1e-6)


def test_clusters_of_one_item_give_the_plain_error_of_kappa_but_for_the_factor():
    rows = [("0", "0")] * 25 + [("0", "1")] * 10 + [("1", "0")] * 5 + [("1", "1")] * 60
    parts = Grouped.from_parts(
        "item",
        {str(i): Confusion.from_cells({row: 1}, classes=["0", "1"]) for i, row in enumerate(rows)},
    )
    found = clustered_kappa(parts).standard_error
    plain = cohen_kappa(parts.merged()).standard_error
    assert found == pytest.approx(plain * (100 / 99) ** 0.5, rel=1e-9)


def test_doubled_clusters_widen_the_interval_that_ignores_them_only():
    once = [[[8, 2], [1, 9]], [[5, 5], [4, 6]], [[9, 1], [0, 10]], [[7, 3], [2, 8]]]
    twice = [[[2 * x for x in row] for row in m] for m in once]
    one, two = clustered_accuracy(grouped(once)), clustered_accuracy(grouped(twice))
    assert one.interval.low == pytest.approx(two.interval.low, abs=1e-12)
    plain, more = accuracy(grouped(once).merged()), accuracy(grouped(twice).merged())
    assert more.interval.low > plain.interval.low


def test_one_cluster_has_no_interval_and_says_why():
    parts = grouped([[[8, 2], [1, 9]]])
    for found in (clustered_accuracy(parts), clustered_kappa(parts)):
        assert found.interval is None
        assert "only one cluster" in found.caveats[-1]


def test_weights_enter_the_clusters():
    cells = {("a", "a"): 3, ("a", "b"): 1}
    heavy = {pair: WeightSums(2 * n * SCALE, 4 * n * SCALE) for pair, n in cells.items()}
    parts = Grouped.from_parts(
        "c",
        {
            "1": Confusion.from_cells(cells, weights=heavy),
            "2": Confusion.from_cells(
                {("a", "a"): 1, ("a", "b"): 3},
                weights={
                    ("a", "a"): WeightSums(SCALE, SCALE),
                    ("a", "b"): WeightSums(3 * SCALE, 3 * SCALE),
                },
            ),
        },
    )
    found = clustered_accuracy(parts)
    assert found.value == pytest.approx((6 + 1) / 12)
    assert (found.interval.low, found.interval.high) == pytest.approx(
        cluster_share_interval([6, 1], [8, 4], items=12**2 / 20)
    )
    with pytest.raises(CountsError, match="Weighted rows"):
        cluster_bootstrap(parts, mcc, rng=np.random.default_rng(1))


def test_the_bootstrap_takes_any_measure_and_counts_what_was_undefined():
    parts = grouped([[[8, 2], [1, 9]], [[0, 4], [0, 6]], [[0, 1], [0, 10]]])
    found = cluster_bootstrap(parts, mcc, rng=np.random.default_rng(1), repetitions=200)
    assert found.interval.method == "cluster-bootstrap"
    assert any("resamples left the measure undefined" in caveat for caveat in found.caveats)
    same = grouped([[[5, 0], [0, 5]]] * 3)
    alike = cluster_bootstrap(same, accuracy, rng=np.random.default_rng(1), repetitions=50)
    assert alike.interval is None
    assert "same number" in alike.caveats[-1]


def test_unknown_shares_are_refused():
    with pytest.raises(RequestError, match="name='recal'"):
        clustered_class_share(grouped([[[1, 0], [0, 1]]] * 2), "recal", of="0")

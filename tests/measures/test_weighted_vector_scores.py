"""Weighted vector scores against plain numpy, equal weights, and rows written out again."""

from functools import cache

import numpy as np
import pytest

from steelyard.counts import SCALE, VECTOR_RULES, Grouped, WeightedVectors
from steelyard.errors import CountsError, RequestError
from steelyard.journey.opening import open_data as opened_rows
from steelyard.measures import (
    vector_difference,
    vector_score,
    weighted_vector_difference,
    weighted_vector_score,
)
from steelyard.tally import (
    tally_vector_scores,
    tally_weighted_vectors,
    tally_weighted_vectors_by,
)

NAMES = ("x", "y", "z")
VECTORS = ["a=a_{class}", "b=b_{class}"]


def drawn(seed, rows=40):
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, rows)
    truth[:3] = [0, 1, 2]
    first, second = (np.round(rng.dirichlet([1, 1, 1], rows) * 0.9 + 0.1 / 3, 6) for _ in "ab")
    columns = {"truth": [NAMES[t] for t in truth]}
    for name, values in (("a", first), ("b", second)):
        columns |= {f"{name}_{of}": values[:, at].tolist() for at, of in enumerate(NAMES)}
    return truth, {"a": first, "b": second}, columns


def opened(columns, **more):
    return opened_rows({**columns, **more}, {"vector": VECTORS, "truth": "truth"})


def scored(rule, truth, vectors):
    rows = np.arange(truth.size)
    shares = vectors / vectors.sum(axis=1, keepdims=True)
    true = vectors[rows, truth]
    if rule == "spherical":
        return true / np.sqrt((vectors**2).sum(axis=1))
    if rule == "winner":
        top = vectors.max(axis=1)
        return (true == top) / (vectors == top[:, None]).sum(axis=1)
    if rule == "brier":
        return ((shares - np.eye(3)[truth]) ** 2).sum(axis=1)
    return -np.log(shares[rows, truth])


@pytest.mark.parametrize("seed", [1, 2])
def test_score_and_error_are_those_of_plain_arrays(seed):
    truth, vectors, columns = drawn(seed)
    weights = np.random.default_rng(seed).choice([0.5, 1, 2, 7], truth.size)
    sums = tally_weighted_vectors(opened(columns, weight=weights.tolist()))
    for rule in VECTOR_RULES:
        each = {name: scored(rule, truth, v) for name, v in vectors.items()}
        both = each["a"], each["a"] - each["b"]
        found = (
            weighted_vector_score(sums, rule, "a"),
            weighted_vector_difference(sums, rule, "a", "b"),
        )
        for one, x in zip(found, both, strict=True):
            mean = np.average(x, weights=weights)
            n = x.size
            error = np.sqrt(n / (n - 1) * (weights**2 * (x - mean) ** 2).sum()) / weights.sum()
            assert one.value == pytest.approx(mean, abs=1e-8)
            assert one.standard_error == pytest.approx(error, rel=1e-6)


@cache
def alike():
    _, _, columns = drawn(5)
    plain = tally_vector_scores(opened(columns))
    return plain, tally_weighted_vectors(opened(columns, weight=[3] * len(columns["truth"])))


@pytest.mark.parametrize("rule", VECTOR_RULES)
@pytest.mark.parametrize("given_classes", [None, {"x": 0.5, "y": 0.25, "z": 0.25}])
def test_equal_weights_give_the_unweighted_answer(rule, given_classes):
    plain, sums = alike()
    options = {"class_weights": given_classes, "level": 0.9}
    pairs = [
        (
            vector_score(plain, rule, "a", **options),
            weighted_vector_score(sums, rule, "a", **options),
        ),
        (
            vector_difference(plain, rule, "a", "b", **options),
            weighted_vector_difference(sums, rule, "a", "b", **options),
        ),
    ]
    for one, two in pairs:
        assert two.value == pytest.approx(one.value, abs=1e-8)
        assert two.interval.low == pytest.approx(one.interval.low, abs=1e-6)
        assert two.interval.high == pytest.approx(one.interval.high, abs=1e-6)


@pytest.mark.parametrize("seed", [1, 2])
def test_whole_weights_estimate_what_rows_written_out_again_do(seed):
    _, _, columns = drawn(9, rows=12)
    weights = [1, 2, 3, *np.random.default_rng(seed).integers(0, 5, 9).tolist()]
    sums = tally_weighted_vectors(opened(columns, weight=weights))
    again = {name: np.repeat(values, weights).tolist() for name, values in columns.items()}
    written = tally_vector_scores(opened(again))
    for rule in VECTOR_RULES:
        expected = vector_score(written, rule, "a").value
        assert weighted_vector_score(sums, rule, "a").value == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("given_classes", [None, {"x": 0.2, "y": 0.3, "z": 0.5}])
def test_clusters_are_the_units(given_classes):
    truth, vectors, columns = drawn(4)
    rng = np.random.default_rng(4)
    weights, cluster = rng.choice([1, 2, 5], truth.size), np.arange(truth.size) % 7
    predictions = opened(columns, weight=weights.tolist(), cluster=[str(one) for one in cluster])
    grouped = tally_weighted_vectors_by(predictions, "cluster")
    found = weighted_vector_score(grouped, "brier", "a", class_weights=given_classes)
    x = scored("brier", truth, vectors["a"])
    strata = (
        [np.ones(truth.size, bool)] if given_classes is None else [truth == c for c in range(3)]
    )
    shares = [1.0] if given_classes is None else list(given_classes.values())
    added, value = np.zeros(truth.size), 0.0
    for share, held in zip(shares, strata, strict=True):
        mean = np.average(x[held], weights=weights[held])
        value += share * mean
        added += share * held * weights * (x - mean) / weights[held].sum()
    totals = np.array([added[cluster == g].sum() for g in range(7)])
    assert found.value == pytest.approx(value, abs=1e-8)
    held = np.zeros(7)
    for share, part in zip(shares, strata, strict=True):
        held += share * np.bincount(cluster[part], weights[part], 7) / weights[part].sum()
    # Clusters left out in turn; never less than the variance of independent rows.
    left = np.sqrt(6 / 7 * ((totals / (1 - held)) ** 2).sum())
    alone = weighted_vector_score(grouped.merged(), "brier", "a", class_weights=given_classes)
    expected = max(left, alone.standard_error)
    assert found.standard_error == pytest.approx(expected, rel=1e-6)
    assert found.interval.method == "cluster-robust"


def test_what_cannot_be_said_has_a_reason():
    empty = WeightedVectors.from_sums(systems=["A"], classes=["x"], sums={("rows", "x"): 3})
    assert "weight 0" in weighted_vector_score(empty, "winner", "A").reason
    base = {("rows", "x"): 1, ("held", "x"): 1, ("weight", "x"): SCALE, ("square", "x"): SCALE}
    infinite = {**base, ("infinite", "A", "x"): 1}
    lost = WeightedVectors.from_sums(systems=["A"], classes=["x"], sums=infinite)
    assert "infinite loss" in weighted_vector_score(lost, "log", "A").reason
    alone = WeightedVectors.from_sums(
        systems=["A"], classes=["x"], sums={**base, ("sum", "brier", "A", "x"): SCALE // 2}
    )
    found = weighted_vector_score(alone, "brier", "A")
    assert (found.value, found.interval) == (0.5, None)
    assert "fewer than 2" in found.caveats[-1]
    assert (
        weighted_vector_score(Grouped.from_parts("c", {"1": alone}), "brier", "A").interval is None
    )


def test_unknown_names_are_refused():
    sums = WeightedVectors.from_sums(systems=["A"], classes=["x"], sums={("rows", "x"): 3})
    with pytest.raises(CountsError, match="No system 'B'"):
        weighted_vector_score(sums, "winner", "B")
    with pytest.raises(RequestError, match="rule"):
        weighted_vector_score(sums, "cubic", "A")
    with pytest.raises(RequestError, match="class_weights"):
        weighted_vector_score(sums, "winner", "A", class_weights={"y": 1.0})
    with pytest.raises(CountsError, match="not declared"):
        WeightedVectors.from_sums(systems=["A"], classes=["x"], sums={("rows", "y"): 3})
    other = WeightedVectors.from_sums(systems=["B"], classes=["x"], sums={})
    with pytest.raises(CountsError, match="cannot be added"):
        sums + other


def test_shards_may_be_added():
    _, _, columns = drawn(3)
    weights = [1, 2, 3, 4] * 10
    whole = tally_weighted_vectors(opened(columns, weight=weights))
    parts = tally_weighted_vectors_by(
        opened(columns, weight=weights, fold=[str(i % 3) for i in range(40)]), "fold"
    )
    assert parts.merged() == whole

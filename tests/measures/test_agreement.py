"""Kappa: printed tables as fractions, statsmodels' ASE1, scikit-learn, and the word scale."""

import csv
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

import steelyard.counts
from steelyard.counts import SCALE, Confusion, WeightSums
from steelyard.errors import RequestError
from steelyard.measures import cohen_kappa, exact_kappa, landis_koch, weighted_kappa
from steelyard.uncertainty import normal_quantile, wilson_interval

DATA = Path(steelyard.counts.__file__).parents[1] / "data"
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())
cell = st.integers(0, 30)
square = st.lists(st.lists(cell, min_size=3, max_size=3), min_size=3, max_size=3)


@pytest.mark.parametrize("name", sorted(GOLDEN["kappa_examples"]))
def test_the_printed_kappa_tables_are_reproduced_exactly(name):
    example = GOLDEN["kappa_examples"][name]
    a, b, c, d = (example["cells"][key] for key in "abcd")
    table = Confusion.from_matrix([[a, b], [c, d]])
    kappa = exact_kappa(table)
    assert kappa == Fraction(example["kappa"]["frac"])
    assert round(float(kappa), 3) == pytest.approx(example["printed"], abs=0.006)
    assert cohen_kappa(table).value == float(kappa)
    assert landis_koch(kappa) == example["label"]


@pytest.mark.parametrize("example", GOLDEN["confusion_examples"], ids=lambda e: e["text"])
def test_kappa_sees_through_the_four_useless_systems(example):
    cells = {name.lower(): example[name] for name in ("TP", "FP", "FN", "TN")}
    table = Confusion.from_binary(**cells)
    assert exact_kappa(table) == Fraction(example["stats"]["kappa"]["frac"]) == 0
    result = cohen_kappa(table)
    assert result.value == 0
    assert result.interval.low < 0 < result.interval.high
    assert result.interval.high < 0.2
    assert result.interval == cohen_kappa(table, method="adjusted").interval
    assert "standard error of kappa is 0" in result.caveats[0]


@pytest.mark.parametrize(("probe", "word"), GOLDEN["kappa_interpretation"]["probes"].items())
def test_the_word_scale_has_no_gaps(probe, word):
    assert landis_koch(Fraction(probe)) == word
    assert landis_koch(float(probe)) == word


@given(square)
def test_value_and_error_agree_with_statsmodels(matrix):
    result = cohen_kappa(Confusion.from_matrix(matrix), level=0.9)
    if result.standard_error is None:
        return
    theirs = cohens_kappa(matrix, return_results=True)
    assert result.value == pytest.approx(theirs.kappa, abs=1e-12)
    assert result.standard_error**2 == pytest.approx(theirs.var_kappa, abs=1e-12)
    half = normal_quantile(0.9) * result.standard_error
    assert result.interval.low == pytest.approx(max(-1, result.value - half), abs=1e-12)
    assert result.interval.high == pytest.approx(min(1, result.value + half), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "system"), [("digits_labels.csv", "nb"), ("letter_labels.csv", "rf")]
)
def test_kappa_agrees_with_scikit_learn_on_real_predictions(name, system):
    with (DATA / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    truth, called = [r["truth"] for r in rows], [r[system] for r in rows]
    cells = {}
    for pair in zip(truth, called, strict=True):
        cells[pair] = cells.get(pair, 0) + 1
    result = cohen_kappa(Confusion.from_cells(cells))
    assert result.value == pytest.approx(cohen_kappa_score(truth, called), abs=1e-13)
    assert result.items == len(rows)


@given(square, st.permutations(range(3)))
def test_relabelling_and_transposing_change_nothing(matrix, order):
    plain = cohen_kappa(Confusion.from_matrix(matrix))
    moved = [[matrix[i][j] for j in order] for i in order]
    turned = [list(column) for column in zip(*matrix, strict=True)]
    for other in (moved, turned):
        again = cohen_kappa(Confusion.from_matrix(other))
        assert (again.value, again.standard_error) == (plain.value, plain.standard_error)


def test_complete_agreement_keeps_an_interval_with_width():
    table = Confusion.from_matrix([[10, 0], [0, 10]])
    adjusted, result = cohen_kappa(table, method="adjusted"), cohen_kappa(table)
    assert (adjusted.value, adjusted.interval.high) == (1, 1)
    assert 0 < adjusted.interval.low < 1
    low = wilson_interval(20, 20)[0]
    assert (result.value, result.interval.high) == (1, 1)
    assert result.interval.low == pytest.approx((low - 0.5) / 0.5, abs=1e-12)
    assert "held fixed" in result.caveats[0]


@given(square, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_adjusted_interval_is_that_of_a_table_with_made_up_items(matrix, level):
    found = cohen_kappa(Confusion.from_matrix(matrix), level=level, method="adjusted")
    seen = [i for i in range(3) if any(matrix[i]) or any(row[i] for row in matrix)]
    if found.value is None:
        return
    number, z = len(seen), normal_quantile(level)
    cells = np.array(matrix, float)[np.ix_(seen, seen)]
    cells += np.where(np.eye(number), z * z / 2 / number, z * z / 2 / number / (number - 1))
    theirs = cohens_kappa(cells, return_results=True)
    half = z * theirs.var_kappa**0.5
    low, high = theirs.kappa - half, theirs.kappa + half
    assert found.interval.low == pytest.approx(max(-1, min(found.value, low)), abs=1e-9)
    assert found.interval.high == pytest.approx(min(1, max(found.value, high)), abs=1e-9)


@pytest.mark.parametrize(
    ("matrix", "said"),
    [
        ([[4, 11], [20, 865]], None),
        ([[4, 10], [20, 866]], "only 14 items are outside"),
        ([[50, 1], [0, 50]], "only 1 item is not agreed on"),
        ([[50, 8], [7, 50]], None),
    ],
)
def test_a_short_interval_says_so_and_what_to_type(matrix, said):
    table = Confusion.from_matrix(matrix)
    plain, weighted = cohen_kappa(table), weighted_kappa(table, order=["0", "1"])
    for found in (plain, weighted):
        typed = "kappa_method='adjusted' (--kappa-method adjusted)"
        told = [said is not None and said in one and typed in one for one in found.caveats]
        assert told == ([] if said is None else [True])
        assert found.interval.method == "ase1"
    assert cohen_kappa(table, method="adjusted").caveats == ()
    assert weighted_kappa(table, order=["0", "1"], method="adjusted").caveats == ()


def test_an_unknown_interval_of_kappa_is_refused():
    with pytest.raises(RequestError, match="adjusted"):
        cohen_kappa(Confusion.from_matrix([[2, 1], [1, 2]]), method="bayes")


def test_complete_disagreement_keeps_an_interval_with_width():
    result = cohen_kappa(Confusion.from_matrix([[0, 10], [10, 0]]))
    assert (result.value, result.interval.low) == (-1, -1)
    assert -1 < result.interval.high < 0


def test_kappa_is_undefined_when_chance_agrees_fully():
    table = Confusion.from_matrix([[9, 0], [0, 0]], classes=["cat", "dog"])
    result = cohen_kappa(table)
    assert exact_kappa(table) is None
    assert result.value is None
    assert result.reason.startswith("every item is truly 'cat' and was called so")
    assert cohen_kappa(Confusion.from_cells({})).reason == "the table holds no items"


def test_equal_weights_change_no_number_and_unequal_ones_widen():
    plain = Confusion.from_matrix([[25, 10], [5, 60]])
    cells = {(t, c): n for t, c, n in plain.cells}

    def weighted(squares):
        sums = {pair: WeightSums(n * SCALE, squares * n * SCALE) for pair, n in cells.items()}
        return cohen_kappa(Confusion.from_cells(cells, weights=sums))

    even, uneven = weighted(1), weighted(2)
    assert even.value == uneven.value == cohen_kappa(plain).value
    assert even.standard_error == pytest.approx(cohen_kappa(plain).standard_error, rel=1e-12)
    assert uneven.standard_error == pytest.approx(even.standard_error * 2**0.5, rel=1e-12)
    assert "Kish's effective number of rows, 50.0, instead of 100" in uneven.caveats[0]


def test_numbers_that_are_no_kappa_are_refused():
    with pytest.raises(RequestError, match="not in"):
        landis_koch(1.5)
    with pytest.raises(RequestError, match="level"):
        cohen_kappa(Confusion.from_cells({}), level=95)

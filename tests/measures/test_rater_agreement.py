"""Several raters: published examples, statsmodels, and laws that tie the coefficients together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from steelyard.counts import SCALE, Confusion, JointCalls, WeightSums
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.measures import (
    Ratings,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    ratings_of,
    weighted_kappa,
)
from steelyard.measures.agreement.raters import observed_agreement
from steelyard.uncertainty import wilson_interval

_ = None
# Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C: four observers,
# twelve units, missing ratings; the same table is cac.raw4raters of the R package irrCAC.
KRIPPENDORFF = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
        [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
        strict=True,
    )
)
ORDER = ["1", "2", "3", "4", "5"]
# The worked table of the encyclopedia article on Fleiss' kappa: ten subjects, fourteen raters.
FOURTEEN = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]
COEFFICIENTS = (fleiss_kappa, conger_kappa, gwet_ac, krippendorff_alpha)
items = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=4, max_size=15)


@pytest.mark.parametrize(
    ("metric", "printed"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorffs_printed_alphas_are_reproduced(metric, printed):
    found = krippendorff_alpha(Ratings.from_items(KRIPPENDORFF), metric=metric, order=ORDER)
    assert found.value == pytest.approx(printed, abs=5e-4)


@pytest.mark.parametrize(
    ("coefficient", "printed", "error"),
    [
        # R package irrCAC, functions gwet.ac1.raw, fleiss.kappa.raw, krippen.alpha.raw.
        (gwet_ac, 0.77544, 0.14295),
        (fleiss_kappa, 0.76117, 0.15302),
        (krippendorff_alpha, 0.74342, 0.14557),
    ],
)
def test_gwets_printed_coefficients_are_reproduced(coefficient, printed, error):
    found = coefficient(Ratings.from_items(KRIPPENDORFF))
    assert found.value == pytest.approx(printed, abs=5e-6)
    # Gwet linearises, we jackknife: with twelve items the two errors differ by up to a fifth.
    assert found.standard_error == pytest.approx(error, rel=0.2)
    assert found.interval.high <= 1


def test_the_textbook_table_of_fourteen_raters_is_reproduced():
    rows = [[c for c, n in enumerate(row) for _ in range(n)] for row in FOURTEEN]
    assert fleiss_kappa(Ratings.from_items(rows)).value == pytest.approx(0.210, abs=5e-4)


@given(items)
def test_fleiss_agrees_with_statsmodels(rows):
    table = np.array([[row.count(c) for c in range(3)] for row in rows])
    found = fleiss_kappa(Ratings.from_items(rows))
    if found.value is None:
        assert (table.sum(axis=0) > 0).sum() == 1
        return
    assert found.value == pytest.approx(statsmodels_fleiss(table), abs=1e-10)


@given(st.lists(st.lists(st.integers(0, 20), min_size=3, max_size=3), min_size=3, max_size=3))
def test_with_two_raters_conger_is_cohen(matrix):
    table = Confusion.from_matrix(matrix)
    one, two = conger_kappa(table), cohen_kappa(table)
    if one.value is None or two.value is None:
        assert one.value is None
        assert two.value is None
        return
    assert one.value == pytest.approx(two.value, abs=1e-10)
    order = ["0", "1", "2"]
    weighted = conger_kappa(table, weights="quadratic", order=order)
    assert weighted.value == pytest.approx(
        weighted_kappa(table, weights="quadratic", order=order).value, abs=1e-10
    )


@given(items)
def test_chance_of_conger_is_the_mean_over_pairs_of_raters(rows):
    found = conger_kappa(Ratings.from_items(rows))
    table = np.array(rows)
    raters = table.shape[1]
    pairs = [(g, h) for g in range(raters) for h in range(raters) if g != h]
    seen = np.mean([(table[:, g] == table[:, h]).mean() for g, h in pairs])
    habit = np.array([[(table[:, g] == c).mean() for c in range(3)] for g in range(raters)])
    chance = np.mean([habit[g] @ habit[h] for g, h in pairs])
    if found.value is not None:
        assert found.value == pytest.approx((seen - chance) / (1 - chance), abs=1e-10)


@given(items, st.randoms(use_true_random=False))
def test_the_order_of_items_and_the_names_of_categories_change_nothing(rows, random):
    plain = [coefficient(Ratings.from_items(rows)) for coefficient in COEFFICIENTS]
    moved = list(rows)
    random.shuffle(moved)
    moved = [["xyz"[c] for c in row] for row in moved]
    for one, coefficient in zip(plain, COEFFICIENTS, strict=True):
        other = coefficient(Ratings.from_items(moved))
        assert (one.value is None) == (other.value is None)
        if one.value is not None:
            assert other.value == pytest.approx(one.value, abs=1e-10)


def test_a_full_table_duplicated_gives_the_same_number_and_a_shorter_interval():
    joint = JointCalls.from_cells(
        {("a", ("a", "a", "b")): 5, ("b", ("b", "b", "b")): 9, ("a", ("a", "b", "b")): 2},
        systems=["x", "y", "z"],
    )
    for coefficient in (fleiss_kappa, conger_kappa, gwet_ac):
        one, two = coefficient(joint), coefficient(joint + joint)
        assert two.value == pytest.approx(one.value, abs=1e-12)
        assert two.standard_error < one.standard_error


def test_complete_agreement_keeps_width_and_one_category_is_undefined():
    rows = [["a", "a", "a"], ["b", "b", "b"]] * 6
    for coefficient in COEFFICIENTS:
        found = coefficient(Ratings.from_items(rows))
        assert (found.value, found.interval.high) == (pytest.approx(1), 1)
        assert 0 < found.interval.low < 1
    for coefficient in (fleiss_kappa, conger_kappa, krippendorff_alpha):
        assert "only one category" in coefficient(Ratings.from_items([["a", "a"]] * 5)).reason


def test_single_ratings_leave_nothing_to_compare():
    found = gwet_ac(Ratings.from_items([["a", None], [None, "b"]]))
    assert found.reason == "no item has two ratings or more"
    one = fleiss_kappa(Ratings.from_items([["a", "b"]]))
    assert one.interval is None
    assert "one item alone" in one.caveats[0]
    two = fleiss_kappa(Ratings.from_items([["a", "b"], ["a", "a"]]))
    assert (two.interval.low, two.interval.high) == (-1, 1)


def test_systems_are_the_raters_and_the_truth_is_not():
    joint = JointCalls.from_cells({("a", ("b", "b")): 4, ("b", ("a", "a")): 4}, systems=["x", "y"])
    assert fleiss_kappa(joint).value == pytest.approx(1)
    assert ratings_of(joint).raters == ("x", "y")


def test_bad_ratings_and_questions_are_refused():
    with pytest.raises(CountsError, match="two raters or more"):
        Ratings.from_items([["a"], ["b"]])
    with pytest.raises(RequestError, match="metric='nomnal'"):
        krippendorff_alpha(Ratings.from_items(KRIPPENDORFF), metric="nomnal")
    with pytest.raises(RequestError, match="needs a number for every category"):
        krippendorff_alpha(Ratings.from_items([["a", "b"], ["b", "b"]]), metric="interval")
    with pytest.raises(RequestError, match="needs the order"):
        krippendorff_alpha(Ratings.from_items(KRIPPENDORFF), metric="ordinal")
    weights = {("a", "a"): WeightSums(SCALE, SCALE)}
    with pytest.raises(NotComparable, match="weighted"):
        gwet_ac(Confusion.from_cells({("a", "a"): 1}, weights=weights))


def test_the_agreement_of_two_raters_is_a_share_with_wilsons_interval():
    table = Confusion.from_matrix([[4, 1], [1, 4]])
    found = observed_agreement(table)
    assert found.value == 0.8
    assert (found.interval.low, found.interval.high) == wilson_interval(8, 10)
    assert observed_agreement(Confusion.from_matrix([[5, 0], [0, 5]])).interval.low < 1

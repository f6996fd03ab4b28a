"""How far raters agree, from files to coefficients."""

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.errors import (
    NotComparable,
    RefusedData,
    RequestError,
    RolesUnclear,
    SteelyardError,
    UnusableRows,
)
from steelyard.measures import (
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    kappa_test,
    krippendorff_alpha,
    weighted_kappa,
)

DATA = Path(str(files("steelyard") / "data"))
LETTERS = {"ann": list("aabbc"), "bob": list("abbbc")}


def table(**columns):
    return {name: list(values) for name, values in columns.items()}


def test_two_columns_are_a_confusion_table():
    cells = {("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 2, ("c", "c"): 1}
    confusion = sy.Confusion.from_cells(cells)
    found = sy.agreement(LETTERS)
    (pair,) = found.pairs
    assert replace(pair.kappa, caveats=()) == cohen_kappa(confusion, method="adjusted")
    assert pair.zero_error == kappa_test(confusion).standard_error
    assert found.coefficients == sy.agreement(confusion).coefficients


def test_missing_ratings_are_kept_apart_from_every_category():
    rows = [["a", "a", None], ["b", "b", "b"], ["c", "c", "a"], [None, "a", "a"]]
    found = sy.agreement({"x": [r[0] for r in rows], "y": [r[1] for r in rows],
                          "z": [r[2] for r in rows]})  # fmt: skip
    expected = krippendorff_alpha(Ratings.from_items(rows, raters=["x", "y", "z"]))
    assert found.missing == 2
    assert found.coefficient("Krippendorff's alpha, nominal").value == expected.value
    assert found.pairs[0].agreement.trials == 3
    assert any("2 of 12 ratings are missing" in note for note in found.notes())


def test_the_truth_is_a_rater_only_when_it_is_named():
    file = DATA / "digits_labels.csv"
    without = sy.agreement(file, raters=["svm", "nb"])
    named = sy.agreement(file, raters=["svm", "nb"], truth="truth")
    assert without.raters == ("svm", "nb")
    assert named.raters == ("truth", "svm", "nb")
    every = sy.agreement(file)
    assert "truth" not in every.raters
    assert ("not used", "truth") in every.provenance.understood


def test_files_of_their_own_and_long_rows_say_the_same(tmp_path):
    wide = sy.agreement({"item": list("12345"), **LETTERS})
    for name, values in LETTERS.items():
        rows = "".join(f"{n},{v}\n" for n, v in zip("12345", values, strict=True))
        (tmp_path / f"{name}.csv").write_text(f"item,called\n{rows}")
    apart = sy.agreement({name: tmp_path / f"{name}.csv" for name in LETTERS})
    rows = [
        (i, n, v) for n, values in LETTERS.items() for i, v in zip("12345", values, strict=True)
    ]
    long = sy.agreement(
        table(item=[r[0] for r in rows], system=[r[1] for r in rows], called=[r[2] for r in rows])
    )
    assert wide.coefficients == apart.coefficients == long.coefficients


def test_weights_and_order_reach_every_coefficient():
    file = DATA / "diamonds_ordinal_labels.csv"
    found = sy.agreement(file, raters=["polr", "rf"], weights="quadratic")
    assert found.order == ("1", "2", "3", "4", "5")
    joint = sy.agreement(file, raters=["polr", "rf"], weights="quadratic", order=[1, 2, 3, 4, 5])
    assert found.coefficients == joint.coefficients
    given = {
        (str(i), str(j)): 1 - (i - j) ** 2 / 16 for i in range(1, 6) for j in range(1, 6) if i != j
    }
    same = sy.agreement(file, raters=["polr", "rf"], weights=given)
    assert same.pairs[0].weighted.value == pytest.approx(found.pairs[0].weighted.value, abs=1e-12)
    confusion = sy.Confusion.from_matrix([[53, 5, 2], [11, 14, 5], [1, 6, 3]])
    order = ("0", "1", "2")
    expected = weighted_kappa(confusion, weights="linear", order=order, method="adjusted")
    assert sy.agreement(confusion, weights="linear").pairs[0].weighted == expected


def test_joint_calls_and_ratings_may_be_handed_over():
    cells = {("x", ("a", "b", "a")): 3, ("x", ("b", "b", "b")): 2}
    joint = sy.JointCalls.from_cells(cells, systems=["A", "B", "C"], classes=["a", "b", "x"])
    assert sy.agreement(joint).coefficient("Fleiss' kappa") == fleiss_kappa(joint)


def test_yes_and_one_are_the_same_rating():
    found = sy.agreement(table(x=[True, False, True], y=[1, 0, 0]))
    assert found.categories == ("0", "1")
    assert found.pairs[0].agreement.successes == 2


@pytest.mark.parametrize(
    ("data", "options", "error", "said"),
    [
        (table(x="ab"), {}, NotComparable, "two raters or more"),
        (table(truth="ab", x="ab"), {}, NotComparable, "--truth truth"),
        (LETTERS, {"raters": ["ann", "boob"]}, SteelyardError, "bob"),
        (LETTERS, {"weights": "linear"}, RequestError, "order"),
        (LETTERS, {"weights": "cubic"}, RequestError, "quadratic"),
        (LETTERS, {"level": 1.0}, RequestError, "level"),
        (LETTERS, {"classes": ["a", "b"]}, NotComparable, "c"),
        (table(x=[0.5, 1.0], y=[1, 1]), {}, UnusableRows, "0.5"),
        ({"x": [[1], [2]], "y": [1, 2]}, {}, RolesUnclear, "categories"),
        (sy.Confusion.from_binary(tp=1, fp=0, fn=0, tn=1), {"raters": "x"}, RequestError, "raters"),
    ],
)  # fmt: skip
def test_a_question_without_an_answer_says_what_to_type(data, options, error, said):
    with pytest.raises(error, match=said):
        sy.agreement(data, **options)


def test_weights_of_rows_and_clusters_are_said_not_used():
    found = sy.agreement({**LETTERS, "weight": [1, 2, 3, 4, 5], "cluster": list("ppqqq")})
    assert found.raters == ("ann", "bob")
    assert any("weights was not used" in note for note in found.notes())
    assert any("clusters" in note for note in found.notes())


def test_there_is_a_picture_of_two_and_of_many():
    two, many = sy.agreement(LETTERS), sy.agreement({**LETTERS, "eve": list("cabbc")})
    assert list(two.charts()) == ["coefficients"]
    assert list(many.charts()) == ["pairs", "coefficients"]
    assert many.chart().svg()


@pytest.mark.parametrize(
    ("ids", "code"),
    [([1.0, 2.0, 3.0, 4.0, 5.0], "id-float"), ([*"abc", None, "e"], "missing-id")],
)
def test_ids_are_checked_as_everywhere(ids, code):
    with pytest.raises(RefusedData) as refused:
        sy.agreement({"id": ids, **LETTERS})
    assert refused.value.code == code


def test_no_items_are_refused_as_everywhere():
    with pytest.raises(RefusedData, match="there are columns, but not one row"):
        sy.agreement({"ann": [], "bob": []})


def test_more_categories_than_any_table_holds_are_refused_with_their_size():
    words = [f"c{n}" for n in range(3_000)]
    with pytest.raises(NotComparable, match=r"3,000 categories.*MB.*limits: 2,000 categories"):
        sy.agreement({"ann": words, "bob": words[::-1]})


def test_what_is_asked_for_in_vain_is_said():
    found = sy.agreement(LETTERS, raters=["ann", "bob"], missing="exclude", join="inner")
    assert found.caveats[-1].endswith("missing= (--missing), join= (--join)")
    assert not any("not used" in said for said in sy.agreement(LETTERS).caveats)

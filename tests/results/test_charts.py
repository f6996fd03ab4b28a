"""Results draw themselves: the usual picture, or the one that is named."""

from importlib.resources import files
from pathlib import Path

import pytest

import steelyard as sy
from steelyard.errors import RequestError
from steelyard.results import Proportion

DATA = Path(str(files("steelyard") / "data"))


@pytest.fixture(scope="module")
def comparison():
    return sy.compare(DATA / "digits_labels.csv")


def test_a_comparison_draws_its_differences_the_better_system_first(comparison):
    chart = comparison.chart()
    assert chart.title == "Differences"
    assert chart.summary.startswith("Differences: svm − knn3 +0.004 (undecided), svm − rf")
    values = [
        row["value"]
        for layer in chart.body["layer"][1:]
        for row in layer["data"]["values"]
        if "value" in row
    ]
    assert values
    assert min(values) >= 0


def test_a_comparison_draws_every_picture_it_names(comparison):
    kinds = list(comparison.charts())
    assert kinds == ["differences", "best", "systems", "ranks", "matrix"]
    for kind in kinds:
        assert comparison.chart(kind=kind).svg().startswith("<svg")


def test_a_picture_that_nobody_knows_is_refused_with_the_known_ones(comparison):
    with pytest.raises(RequestError, match="differences, best, systems, ranks, matrix"):
        comparison.chart(kind="pie")


def test_an_evaluation_draws_its_systems_from_the_highest_down():
    evaluation = sy.evaluate(DATA / "wdbc_scores.csv", positive="1")
    chart = evaluation.chart()
    assert chart.summary.startswith("Systems: AUC of logreg 0.983, svm 0.982")
    assert list(evaluation.charts()) == ["systems"]


def test_an_evaluation_of_calls_draws_confusions_that_add_up():
    confusion = sy.Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    evaluation = sy.evaluate(confusion)
    chart = evaluation.chart(kind="confusions")
    assert "17 of 20 items" in chart.summary
    assert chart.title == "Confusions of system"


def test_a_plain_number_has_no_picture():
    assert Proportion(measure="recall", successes=1, trials=2).chart() is None


def test_many_pairs_are_thinned_and_the_title_says_so():
    tested = {f"s{place:02d}": 100 + place for place in range(12)}
    trials = sy.Trials(correct=tested, tested=200, pairing="independent")
    chart = sy.compare(trials).chart()
    assert chart.title == "20 of 66 differences"


def test_long_names_that_share_start_and_end_are_drawn_as_different_rows():
    names = [
        f"eva02_large_patch14_448.mim_{one}_ft_in22k_in1k" for one in ("in22k", "m38m", "m30m")
    ]
    correct = {name: 150 + place for place, name in enumerate(names)}
    found = sy.compare(sy.Trials(correct=correct, tested=200, pairing="independent"))
    for kind, chart in found.charts().items():
        rows = {
            row["row"] for layer in chart().body["layer"] for row in layer["data"]["values"]
            if "row" in row
        }  # fmt: skip
        assert len(rows) == 3, kind
        assert max(map(len, rows)) <= (27 if kind == "differences" else 24), kind

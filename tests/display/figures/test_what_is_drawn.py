"""Charts of awkward data: nothing is empty without a word, nothing is left out unsaid."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.display import figures

ROWS = [0] * 20 + [1] * 20


def layers(chart):
    return chart.spec()["layer"]


def many(count):
    """Systems of which each is a little better than the one before it."""
    calls = [[truth if place % 20 < 8 + n else 1 - truth for place, truth in enumerate(ROWS)]
             for n in range(count)]  # fmt: skip
    return {f"s{n:02d}": [0.2 + 0.6 * call for call in each] for n, each in enumerate(calls)}


def test_a_perfect_system_has_no_det_line_and_the_chart_says_so():
    perfect = {"perfect": [0.1] * 20 + [0.9] * 20, "fair": [n / 40 for n in range(40)][::-1]}
    chart = sy.roc({"truth": ROWS, **perfect}, truth="truth", positive="1").charts()["det"]()
    assert any(note.startswith("No line for perfect") for note in chart.notes)
    drawn = figures.det_chart({"svm": ([0.1, 0.2, 0.3], [0.3, 0.2, 0.1])})
    assert not any("No line" in note for note in drawn.notes)


def test_a_perfect_curve_is_drawn_in_its_whole_width():
    for chart in (
        figures.roc_chart({"perfect": ([0, 0, 1], [0, 1, 1])}),
        figures.precision_recall_chart({"perfect": ([0, 1], [1, 1])}),
    ):
        (line,) = [one for one in layers(chart) if one["mark"].get("style") == "curve"]
        assert not line["mark"].get("clip")


@pytest.mark.parametrize(("verb", "kind"), [(sy.roc, "roc"), (sy.calibration, "calibration")])
def test_of_many_systems_the_best_are_drawn_and_the_chart_says_which(verb, kind):
    found = verb({"truth": ROWS, **many(12)}, truth="truth", positive="1")
    chart = found.charts()[kind]()
    assert "s11" in chart.summary and "s00" not in chart.summary
    assert "of 12 curves are drawn, those with the" in chart.notes[-1]


def test_of_many_slices_the_odd_ones_are_drawn():
    parts = [f"p{n:02d}" for n in range(40) for _ in range(10)]
    odd = [int(place % 10 < (2 if part == "p39" else 9)) for place, part in enumerate(parts)]
    data = {"cnn": odd, "where": parts}
    chart = sy.evaluate(data, outcome=["cnn"], group="where").charts()["slices"]()
    drawn = {row["row"] for layer in layers(chart) for row in layer["data"]["values"]}
    assert "p39" in drawn and len(drawn) < 40
    assert chart.notes == (
        f"{len(drawn)} of 40 slices are drawn, those where a system is farthest from its middle "
        "slice.",
    )


def test_the_histogram_of_a_calibration_is_dense_where_forecasts_lie():
    bins = [(0.05, 0.1, 0, 0.2, 50), (0.5, 0.5, 0.3, 0.7, 50)]
    chart = figures.calibration_chart({"svm": bins}, ends={"svm": [(0.0, 0.1), (0.1, 0.9)]})
    dense, sparse = chart.spec()["data"]["values"]
    assert dense["bar"] == pytest.approx(8 * sparse["bar"], rel=1e-3)
    assert (sparse["left"], sparse["right"]) == (0.1, 0.9)
    equal = figures.calibration_chart({"svm": bins[:1]}, ends={"svm": [(1.0, 1.0)]})
    (row,) = equal.spec()["data"]["values"]
    assert row["left"] < row["right"] <= 1


def test_a_long_legend_leaves_the_chart_its_height():
    names = [f"a-system-of-a-rather-long-name-{n}" for n in range(10)]
    few, lots = (
        figures.roc_chart(dict.fromkeys(names[:n], ([0, 0.1, 1], [0, 0.8, 1]))) for n in (1, 10)
    )
    assert lots.spec()["height"] > few.spec()["height"] + 50


def test_a_path_of_one_look_is_a_point():
    chart = figures.trajectory_chart(([10], [0.7]), bounds=[0.95])
    assert layers(chart)[-1]["mark"]["type"] == "point"
    assert chart.notes == ("Dashed: the bound.",)
    assert figures.trajectory_chart(([10], [0.7])).notes == ()


def test_a_hollow_pair_on_one_side_of_zero_is_explained():
    shares = np.random.default_rng(3).random((300, 8))
    right = {f"s{n:02d}": (shares[:, n] < 0.6 + 0.03 * n).astype(int).tolist() for n in range(8)}
    chart = sy.compare(right, outcome=list(right)).charts()["differences"]()
    assert any(note.startswith("Hollow: not told apart, allowing for 28") for note in chart.notes)
    two = sy.compare({name: right[name] for name in ("s00", "s01")}, outcome=["s00", "s01"])
    assert not any("Hollow" in note for note in two.charts()["differences"]().notes)


def test_precision_is_drawn_from_a_recall_of_none():
    chart = figures.precision_recall_chart({"few": ([0.25, 1], [0.75, 0.5])})
    (line,) = [one for one in layers(chart) if one["mark"].get("style") == "curve"]
    corners = [(row["x"], row["y"]) for row in line["data"]["values"]]
    assert corners == [(0, 0.75), (0.25, 0.75), (0.25, 0.5), (1, 0.5)]


@pytest.mark.parametrize(("classes", "width", "written"), [(3, 330, True), (10, 330, False),
                                                           (10, 640, True)])  # fmt: skip
def test_a_cell_holds_its_share_of_the_true_class_where_there_is_room(classes, width, written):
    names = [f"c{place}" for place in range(classes)]
    table = [[9 if row == at else 1 for at in range(classes)] for row in range(classes)]
    drawn = figures.confusion_chart(names, table).svg(width=width)
    assert (f"{9 / (8 + classes):.0%}<" in drawn) == written
    assert ">9<" in drawn


def test_long_names_and_panels_want_a_row_for_themselves():
    rows = [("a-name-of-a-system-that-goes-on", 0.5, 0.4, 0.6)]
    assert figures.interval_chart(rows).broad
    assert not figures.interval_chart([("svm", 0.5, 0.4, 0.6)]).broad
    panel = [(0.2, 0.25, 0.1, 0.4, 40)]
    assert figures.calibration_chart({"a": panel, "b": panel}).broad
    assert not figures.calibration_chart({"a": panel}).broad

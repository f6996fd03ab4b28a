"""Crossed clusters against statsmodels' two-way sums and double loops over pairs."""

import json
from pathlib import Path

import numpy as np
import pytest

from steelyard.errors import CountsError
from steelyard.uncertainty import crossed_interval, crossed_spread, dyadic_spread

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}
TWO_WAY = [name for name in GOLDEN if name.startswith("two_way") and name != "two_way_degenerate"]


def _spread(name: str):  # type: ignore[no-untyped-def]
    data = GOLDEN[name]["data"]
    if "same_rows_as" in data:
        data = {**GOLDEN[data["same_rows_as"]]["data"], **data}
    values = np.array(data["y"] if "y1" not in data else np.subtract(data["y1"], data["y2"]))
    added = (values - values.mean()) / values.size
    return values.mean(), crossed_spread(added, data["row"], data["column"])


@pytest.mark.parametrize("name", TWO_WAY)
def test_two_way_variances_are_those_of_statsmodels(name: str) -> None:
    wanted = GOLDEN[name]["expected"]
    value, spread = _spread(name)
    assert value == pytest.approx(wanted["mean"], abs=1e-12)
    assert [spread.two_way, spread.rows, spread.columns] == pytest.approx(
        wanted["statsmodels_correction"], abs=1e-10
    )
    assert spread.printed == pytest.approx(wanted["variance_used"], abs=1e-10)
    # Without the factors G/(G - 1) they are the plain sums.
    rows, columns, cells = (
        wanted["clusters_rows"],
        wanted["clusters_columns"],
        wanted["cells"],
    )
    plain = [spread.rows * (rows - 1) / rows, spread.columns * (columns - 1) / columns]
    assert plain == pytest.approx([wanted["var_rows"], wanted["var_columns"]], abs=1e-10)
    raw = wanted["var_rows"] + wanted["var_columns"] - wanted["var_cells"]
    assert sum(plain) - spread.cells * (cells - 1) / cells == pytest.approx(raw, abs=1e-10)
    assert raw == pytest.approx(wanted["var_two_way"], abs=1e-12)
    both = spread.rows + spread.columns - wanted["var_cells"] * cells / (cells - 1)
    assert both == pytest.approx(wanted["var_two_way_each_part_times_G_over_G_minus_1"], abs=1e-10)
    assert (spread.two_way < 0) == wanted["fallback_used_larger_one_way"]
    assert spread.freedom == wanted["df"]
    plain = crossed_interval(value, spread, variance=spread.printed)
    assert plain == pytest.approx(wanted["interval_plain_t"], abs=1e-10)
    if "interval_logit_t" in wanted:
        found = crossed_interval(value, spread, variance=spread.printed, scale="logit")
        assert found == pytest.approx(wanted["interval_logit_t"], abs=1e-10)


def test_naming_a_second_cluster_makes_nothing_surer() -> None:
    _, spread = _spread("two_way_paired_12x9")
    assert spread.two_way < spread.rows
    assert spread.variance == spread.rows


def test_a_checkerboard_has_an_interval_with_width() -> None:
    wanted = GOLDEN["two_way_degenerate"]["expected"]
    value, spread = _spread("two_way_degenerate")
    cells = spread.cells * 15 / 16  # without the factor G/(G - 1)
    assert [value, spread.rows, spread.columns, cells] == pytest.approx(
        [wanted[name] for name in ("mean", "var_rows", "var_columns", "var_cells")], abs=1e-12
    )
    assert spread.rows + spread.columns - cells == pytest.approx(wanted["var_two_way"], abs=1e-12)
    assert spread.variance == spread.cells
    low, high = crossed_interval(value, spread)
    assert low < value < high


@pytest.mark.parametrize("name", ["dyadic_unordered", "dyadic_ordered"])
def test_dyads_share_any_member_on_either_side(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    first, second = np.array(data["pairs"]).T
    values = np.array(data["y"])
    spread = dyadic_spread((values - values.mean()) / values.size, first, second)
    assert spread.two_way == pytest.approx(wanted["variance_double_loop"], abs=1e-12)
    assert spread.freedom == wanted["members"] - 1
    assert (len(values), values.mean()) == (wanted["n_pairs"], pytest.approx(wanted["mean"]))
    assert np.sqrt(spread.two_way) == pytest.approx(wanted["se"], abs=1e-12)


def test_dyads_with_loops_and_repeats_are_the_double_loop() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 6, size=(2, 40))
    added = rng.normal(size=40)
    looped = sum(
        added[i] * added[j]
        for i in range(40)
        for j in range(40)
        if {first[i], second[i]} & {first[j], second[j]}
    )
    assert dyadic_spread(added, first, second).two_way == pytest.approx(looped, abs=1e-10)


def test_one_cluster_on_one_side_is_refused_with_what_to_type() -> None:
    with pytest.raises(CountsError, match=r"1 cluster on the second side.*--cluster COLUMN"):
        crossed_spread([0.1, -0.1], ["a", "b"], ["x", "x"])

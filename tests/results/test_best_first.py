"""Answers of one number for each system name the best first, and draw no more than are told."""

import numpy as np
import pytest

import steelyard as sy

BEST = {
    "targeting": lambda one: -one.asked.captured.value,
    "calibration": lambda one: one.brier.value,
    "roc": lambda one: -one.area.value,
}


@pytest.fixture(scope="module")
def columns():
    rng = np.random.default_rng(4)
    truth = np.arange(200) % 2
    made = {
        f"model-{k}": 1 / (1 + np.exp(-truth - (k % 5) * 0.3 * truth - rng.normal(size=200)))
        for k in range(12)
    }
    return {"truth": truth, **made}


@pytest.mark.parametrize("verb", BEST)
def test_the_best_system_stands_first_in_every_table_and_picture(columns, verb):
    result = getattr(sy, verb)(columns, positive="1")
    parts = result.classes if verb == "calibration" else result.systems
    best = sorted(parts, key=BEST[verb])[0].system
    tables = [one for one in result.tables() if one.columns[0].name == "system"]
    assert {table.rows[0][0] for table in tables} == {best}
    for draw in result.charts().values():
        chart = draw()
        named = chart.names or [row[0] for row in (chart.rows.names if chart.rows else ())]
        assert len(chart.names) <= 10
        assert not named or named[0].startswith(best)


def test_of_many_systems_the_few_are_drawn_that_colours_tell_apart(columns):
    chart = sy.targeting(columns, positive="1").chart()
    assert len(chart.names) == 8
    assert "8 of 12 curves are drawn, those that capture most." in chart.notes

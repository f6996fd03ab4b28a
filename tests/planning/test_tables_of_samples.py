"""Samples for a confidence: every cell of the published tables 3 and 4."""

from functools import cache

import pytest

from steelyard.planning import posterior_samples
from tests.material import read_golden

WAYS = {
    "eq12": {"question": "best"},
    "eq14": {"question": "ranking", "method": "exact"},
    "eq15": {"question": "ranking", "method": "product"},
}


def rates(row):
    return tuple(float(row[key]) for key in ("p4", "p3", "p2", "p1") if key in row)


@cache
def needed(given, confidence, equation):
    return posterior_samples(given, confidence, **WAYS[equation])


@pytest.mark.parametrize("table", ["table3.csv", "table4.csv"])
@pytest.mark.parametrize("confidence", ["0.9", "0.95"])
def test_every_number_of_samples_of_the_published_tables_is_reproduced(confidence, table):
    compared = 0
    for row in read_golden(table):
        if row["confidence"] != confidence:
            continue
        for equation in WAYS:
            cell = row[f"computed_n_{equation}"]
            if cell:
                size = needed(rates(row), float(confidence), equation)
                assert size.exact == pytest.approx(float(cell), rel=1e-6), row
                compared += 1
        true = "eq12" if row["kind"] == "select" else "eq14"
        assert needed(rates(row), float(confidence), true).samples == int(row["ceil_n_true"])
        printed = "eq12" if row["kind"] == "select" else "eq15"
        if row["printed_n"]:
            got = needed(rates(row), float(confidence), printed).exact
            assert got == pytest.approx(float(row["printed_n"]), abs=0.0501), row
    assert compared >= 80


def test_the_rows_that_were_not_printed_are_reproduced():
    for row in read_golden("table4_absent_rows.csv"):
        for equation in WAYS:
            if row[f"n_{equation}"]:
                size = needed(rates(row), float(row["confidence"]), equation)
                assert size.exact == pytest.approx(float(row[f"n_{equation}"]), rel=1e-6)

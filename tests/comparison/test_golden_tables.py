"""The published tables of the posterior-probability procedure, cell by cell."""

import pytest

from steelyard.comparison import (
    BetaPosteriors,
    probability_best,
    probability_of_ranking,
    ranking_probability_by_product,
)
from tests.material import read_golden


def posteriors(row, n):
    """x = p n as it stands, prior Beta(1, 1); best system first."""
    names = sorted((key for key in row if key in {"p1", "p2", "p3", "p4"}), reverse=True)
    rates = [float(row[name]) for name in names]
    return BetaPosteriors(
        systems=tuple(names),
        a=tuple(p * n + 1 for p in rates),
        b=tuple(n - p * n + 1 for p in rates),
    )


QUESTIONS = {
    "eq12": lambda given: probability_best(given).best[0],
    "eq14": lambda given: probability_of_ranking(given, ranking=given.systems).probability,
    "eq15": lambda given: ranking_probability_by_product(given, ranking=given.systems).probability,
}


def answer(row, n, equation):
    return QUESTIONS[equation](posteriors(row, n))


@pytest.mark.parametrize("table", ["table1.csv", "table2.csv", "table2_absent_rows.csv"])
def test_every_computed_cell_is_reproduced_to_twelve_digits(table):
    compared = 0
    for row in read_golden(table):
        for equation in QUESTIONS:
            cell = row[f"computed_{equation}"]
            if cell:
                value = answer(row, float(row["n"]), equation)
                assert value == pytest.approx(float(cell), rel=0, abs=1e-12), row
                compared += 1
    assert compared >= {"table1.csv": 450, "table2.csv": 405}.get(table, 15)


@pytest.mark.parametrize("table", ["table1.csv", "table2.csv"])
def test_every_two_digit_cell_is_reproduced(table):
    for row in read_golden(table):
        equation = "eq12" if row["kind"] == "select" else "eq15"
        got = answer(row, float(row["n"]), equation)
        assert f"{got:.2f}" == row["corrected"], row


@pytest.mark.parametrize("table", ["table3.csv", "table4.csv"])
def test_the_confidence_is_reached_at_the_tabulated_number_of_samples(table):
    for row in read_golden(table):
        for equation in ("eq12", "eq14", "eq15"):
            cell = row[f"computed_n_{equation}"]
            if cell:
                got = answer(row, float(cell), equation)
                assert got == pytest.approx(float(row["confidence"]), rel=0, abs=2e-9), row


def test_the_confidence_is_reached_in_the_rows_that_were_not_printed():
    for row in read_golden("table4_absent_rows.csv"):
        for equation in ("eq12", "eq14", "eq15"):
            if row[f"n_{equation}"]:
                got = answer(row, float(row[f"n_{equation}"]), equation)
                assert got == pytest.approx(float(row["confidence"]), rel=0, abs=2e-9), row


@pytest.mark.parametrize(("table", "most"), [("table1.csv", 0.022), ("table2.csv", 0.035)])
def test_the_product_overstates_the_ranking_by_as_much_as_the_docs_say(table, most):
    excess = [
        float(row["computed_eq15"]) - float(row["computed_eq14"])
        for row in read_golden(table)
        if row["kind"] == "rank"
    ]
    assert max(excess) == pytest.approx(most, abs=6e-4)
    assert min(excess) > -1e-12

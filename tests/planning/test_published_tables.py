"""The published tables come out row by row."""

from itertools import islice

import pytest

from steelyard.errors import RequestError
from steelyard.planning.posterior.best import compute_published_table
from tests.material import read_golden


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_first_rows_are_those_of_the_paper(number):
    names = ("p4", "p3", "p2", "p1", "kind", "n", "confidence")
    golden = read_golden(f"table{number}.csv")
    for row, kept in zip(islice(compute_published_table(number), 20), golden, strict=False):
        assert [str(row[n]) for n in names if n in row] == [kept[n] for n in names if n in kept]
        for column, cell in kept.items():
            if column.startswith("computed") and cell:
                assert row[column] == pytest.approx(float(cell), rel=1e-6)
        assert row["in_print"] == "yes"
        if "ceil_n_true" in kept:
            assert row["ceil_n_true"] == int(kept["ceil_n_true"])


def test_the_rows_that_print_lacks_are_marked():
    rows = list(islice(compute_published_table(2), 60))
    marked = [row for row in rows if row["in_print"] == "no"]
    absent = read_golden("table2_absent_rows.csv")
    assert {row["p1"] + row["p2"] for row in marked} == {absent[0]["p1"] + absent[0]["p2"]}
    kept = {row["n"]: row for row in absent[:5]}
    for row in marked:
        column = "computed_eq12" if row["kind"] == "select" else "computed_eq14"
        assert row[column] == pytest.approx(float(kept[str(row["n"])][column]), abs=1e-9)


def test_there_are_four_tables():
    with pytest.raises(RequestError, match="tables 1, 2, 3 and 4"):
        next(compute_published_table(5))

"""Sheets of workbooks: every cell has its place, and what a sheet hides is said."""

import openpyxl
import pytest

import steelyard as sy

ROWS = [["xy"[n % 2], "xy"[(n % 2) ^ (n % 5 == 0)], "xy"[n % 3 % 2]] for n in range(20)]


def saved(path, rows, change=None):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    if change is not None:
        change(book.active)
    book.save(path)
    return str(path)


def right(path):
    return sy.evaluate(path).systems[0].accuracy.successes


def beside(sheet):
    sheet["C5"] = "looked at twice"


@pytest.mark.parametrize(
    ("rows", "change"),
    [
        ([["truth", "cnn"], *(row[:2] for row in ROWS)], None),
        ([["truth", "cnn", None], *ROWS], None),
        ([["truth", "cnn"], *(row[:2] for row in ROWS)], beside),
        ([["truth", "cnn"], *([*row[:2], n] for n, row in enumerate(ROWS))], None),
    ],
    ids=["plain", "a column without a name", "a remark beside", "numbers beside"],
)
def test_what_stands_beside_the_table_moves_no_name(tmp_path, rows, change):
    assert right(saved(tmp_path / "a.xlsx", rows, change)) == 16


def hide(sheet):
    for row in range(2, 12):
        sheet.row_dimensions[row].hidden = True


def test_rows_that_a_sheet_hides_are_counted_and_said(tmp_path):
    path = saved(tmp_path / "a.xlsx", [["truth", "cnn"], *(row[:2] for row in ROWS)], hide)
    found = sy.evaluate(path)
    assert found.systems[0].accuracy.trials == 20
    assert any(str(one).startswith("10 rows of sheet 'Sheet' are hidden") for one in found.caveats)
    plain = sy.evaluate(saved(tmp_path / "b.xlsx", [["truth", "cnn"], *(r[:2] for r in ROWS)]))
    assert not any("hidden" in str(one) for one in plain.caveats)


def test_a_workbook_is_one_whatever_it_is_called(tmp_path):
    path = saved(tmp_path / "a.xlsx", [["truth", "cnn"], *(row[:2] for row in ROWS)])
    assert right(str((tmp_path / "a.xlsx").rename(tmp_path / "a.csv"))) == 16
    assert path.endswith(".xlsx")

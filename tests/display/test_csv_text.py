import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.interchange import csv_text

cells = st.none() | st.text() | st.integers() | st.booleans()
cells |= st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    "start",
    [
        "=",
        "+",
        "-",
        "@",
        "\t",
        "\r",
        "\n",
        "\0",
        "＝",
        "＋",
        "－",
        "＠",
        "﹦",
        "−",
        " =",
        "\ufeff=",
        "\u200b＝",
    ],
)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(start):
    written = csv_text(["name"], [[f"{start}cmd"]])
    assert next(csv.reader(StringIO(written.partition("\n")[2], newline="")))[0][0] == "'"


def test_numbers_stay_numbers():
    assert csv_text(["a", "b", "c"], [[-0.25, -3, True]]) == "a,b,c\n-0.25,-3,true\n"


def test_raw_leaves_text_alone():
    assert csv_text(["a"], [["=1+1"]], raw=True) == "a\n=1+1\n"


@given(st.lists(cells, min_size=2, max_size=2))
def test_a_reader_gets_every_cell_back(row):
    written = csv_text(["a", "b"], [row], raw=True)
    read = list(csv.reader(StringIO(written, newline="")))[1]
    for cell, text in zip(row, read, strict=True):
        if isinstance(cell, float):
            assert float(text) == cell
        elif isinstance(cell, str) or cell is None:
            assert text == (cell or "")
        else:
            assert text == str(cell).lower()


def test_carriage_returns_inside_a_cell_stay_inside_it():
    written = csv_text(["a", "b"], [["x\ry", ""], ["p\nq", 'say "no"']])
    assert written == 'a,b\n"x\ry",\n"p\nq","say ""no"""\n'
    assert csv_text(["a"], [[""], [None]]) == 'a\n""\n""\n'

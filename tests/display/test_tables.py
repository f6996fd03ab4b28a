import re

from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.tables import Column, Table, lay_out_tables, number_columns, text_table
from steelyard.display.text import display_width

names = st.text(max_size=60)
rows = st.lists(st.tuples(names, st.integers(0, 10**9), st.none() | st.integers(0, 99)), max_size=5)


@given(rows, st.integers(30, 100))
def test_a_table_fits_and_keeps_every_number(cells, width):
    shown = text_table(["name", "right", "wrong"], cells, width=width)
    assert all(display_width(line) <= width for line in shown.split("\n")) or len(cells) > 1
    for _, right, _ in cells:
        assert str(right) in shown.replace("\n", " ").split()


def test_numbers_lie_right_and_nothing_is_a_dash():
    shown = text_table(["system", "right"], [["svm", 880], ["knn", None], ["a", 7]])
    assert shown.split("\n") == [
        "system  right",
        "─────────────",
        "svm       880",
        "knn         -",
        "a           7",
    ]


def test_text_is_cut_before_columns_go_into_blocks():
    table = Table(
        title="",
        columns=(Column(name="system"), *number_columns("accuracy")),
        rows=(("a-very-long-name-of-a-system-v1", "0.987"), ("short", "0.912")),
    )
    lines = table.text(25).split("\n")
    assert len(lines) == 4
    assert lines[2] == "a-very-long…v1      0.987"


def test_names_that_differ_at_one_end_only_stay_different_when_cut():
    for one, two in (("x" * 40 + "1", "x" * 40 + "2"), ("1" + "x" * 40, "2" + "x" * 40)):
        lines = text_table(["system", "n"], [[one, 1], [two, 2]], width=30).split("\n")
        assert lines[2][:-1].rstrip() != lines[3][:-1].rstrip()
        assert len(lines) == 4


def test_blocks_repeat_the_leading_columns_and_lose_no_number():
    heads = [Column(name="first"), Column(name="second"), *number_columns(*"abcdefgh")]
    cells = ["svm", "knn", *(f"0.{number}" for number in range(10000, 10008))]
    shown = Table.without_empty("Pairs", heads, [cells], lead=2).text(40)
    blocks = shown.split("\n\n")
    assert len(blocks) == 3
    assert all("svm    knn" in block for block in blocks)
    assert all(cell in shown for cell in cells)
    assert max(map(len, shown.split("\n"))) <= 40


def test_columns_in_which_nothing_stands_are_left_out():
    heads = [Column(name="system"), *number_columns("kappa", "AUC")]
    table = Table.without_empty("", heads, [["svm", None, "0.9"], ["knn", None, None]])
    assert [head.name for head in table.columns] == ["system", "AUC"]


def test_whole_columns_are_not_cut():
    heads = (Column(name="system"), Column(name="verdict", whole=True))
    shown = Table(title="", columns=heads, rows=(("a" * 30, "undecided"),)).text(22)
    assert "undecided" in shown


def test_title_and_note_are_clean_and_wrapped():
    table = Table(
        title="A \x1b[31mtitle", columns=(Column(name="a"),), rows=(("b",),), note="word " * 20
    )
    lines = table.text(20).split("\n")
    assert lines[0] == "A title"
    assert max(map(len, lines)) <= 20


def test_wide_characters_line_up():
    shown = text_table(["system", "n"], [["船舶", 1], ["abcd", 2]])
    assert [display_width(line) for line in shown.split("\n")] == [9, 9, 9, 9]


def test_optional_columns_give_way_from_the_right_before_blocks_are_made():
    table = Table(
        title="",
        columns=(
            Column(name="system"),
            *number_columns("accuracy"),
            Column(name="extra", align="right", optional=True),
            Column(name="more", align="right", optional=True),
            Column(name="verdict", whole=True),
        ),
        rows=(("svm", "0.987", "1.5", "2.5", "different"),),
    )
    heads = {width: table.text(width).split("\n")[0].split() for width in (80, 36, 30, 20)}
    assert heads[80] == ["system", "accuracy", "extra", "more", "verdict"]
    assert heads[36] == ["system", "accuracy", "extra", "verdict"]
    assert heads[30] == ["system", "accuracy", "verdict"]
    assert heads[20] == ["system", "accuracy"]


def test_a_very_long_head_over_numbers_is_cut_where_it_stays_itself():
    long = ["a" * 150 + "x" + "a" * 150, "b" * 300]
    drawn = text_table(["class", *long], [["sea", 0.5, 0.25]])
    assert max(map(len, drawn.splitlines())) <= 80
    assert "…" in drawn
    alike = ["c" * 30 + end + "c" * 30 for end in "xy"]
    kept = text_table(["class", *alike], [["sea", 0.5, 0.25]])
    assert len(set(kept.splitlines()[0].split()[1:])) == 2


def test_systems_as_heads_go_into_one_block_where_shorter_names_let_them():
    names = [f"timm/convnext_large.clip_laion2b_soup_ft_in{size}k" for size in (1, 12, 21, 22)]
    drawn = text_table(["class", *names], [["sea", 0.5, 0.25, 0.75, 0.1]], width=66)
    head, _, row = drawn.splitlines()
    assert len(set(head.split())) == 5
    assert len(row.split()) == 5
    whole = text_table(["class", *names], [["sea", 0.5, 0.25, 0.75, 0.1]], width=250)
    assert all(name in whole for name in names)


def pairs_of(names):
    """A table of pairs as a comparison shows it."""
    rows = [
        (first, second, "+0.010", "[-0.026, +0.046]", "1.000", "0.707", "undecided")
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]
    heads = number_columns("difference", "95% interval", "adj. p", "P(better)")
    columns = (Column(name="first"), Column(name="second"), *heads)
    return Table(
        title="Pairs", columns=(*columns, Column(name="verdict", whole=True)), rows=rows, lead=2
    )


def test_long_names_leave_room_for_the_verdict_and_each_system_keeps_one_name():
    names = [f"meta-llama/Llama-3.1-70B-Instruct (temperature=0.{one})" for one in range(12)]
    lines = pairs_of(names).text(80).splitlines()
    assert max(map(len, lines)) <= 80
    body = [re.split(" {2,}", line) for line in lines[3:]]
    assert all(line.rstrip().endswith("undecided") for line in lines[3:])
    assert len({name for first, second, *_ in body for name in (first, second)}) == len(names)


def test_a_long_name_that_leads_every_row_is_said_once():
    names = [f"meta-llama/Llama-3.1-70B-Instruct (temperature=0.{one})" for one in range(12)]
    table = pairs_of(names)
    table = Table(title="Pairs", columns=table.columns, rows=table.rows[:11], lead=2)
    lines = table.text(80).splitlines()
    assert lines[1] == f"first: {names[0]}, in every row"
    assert lines[3].startswith("second ")
    assert len({line.split("  ")[0] for line in lines[5:]}) == 11
    assert "first: " not in pairs_of(["svm", "knn"]).text(80)


def test_few_names_cut_to_a_few_letters_are_letters_which_all_tables_share():
    names = [f"meta-llama/Llama-3.1-70B-Instruct (temperature=0.{one})" for one in range(4)]
    systems = Table(
        title="Systems",
        columns=(Column(name="system"), *number_columns("accuracy")),
        rows=tuple((name, "0.900") for name in names),
    )
    lines = lay_out_tables([systems, pairs_of(names), pairs_of(names[2:])], 80).splitlines()
    assert lines[3].startswith(names[0])
    assert lines[11].startswith("A      B ")
    key = [f"{letter}: {name}" for letter, name in zip("ABCD", names, strict=True)]
    assert lines[18:22] == key
    assert lines[-1].startswith("C      D ")
    assert not pairs_of(["svm", "rf", "tree"]).text(80).startswith("A:")


def test_the_name_of_a_key_goes_on_below_itself():
    long = ["x" * 90 + "1", "x" * 90 + "2"]
    lines = pairs_of(long).text(80).splitlines()
    assert lines[5:9] == [
        "A: " + "x" * 77,
        "   " + "x" * 13 + "1",
        "B: " + "x" * 77,
        "   " + "x" * 13 + "2",
    ]


def test_names_that_leave_no_room_are_letters_with_a_key():
    names = [f"meta-llama/Llama-3.1-70B-Instruct (temperature=0.{one})" for one in range(4)]
    lines = pairs_of(names).text(74).splitlines()
    assert lines[3].startswith("A      B ")
    assert all(line.endswith("undecided") for line in lines[3:9])
    assert lines[9:] == ["", *(f"{a}: {name}" for a, name in zip("ABCD", names, strict=True))]
    assert max(map(len, lines)) <= 74

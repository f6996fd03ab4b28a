"""Markdown and LaTeX in which names from data stay names."""

import re

from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.markup import latex_table, latex_text, markdown_table, markdown_text
from steelyard.display.tables import Column, Table

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(texts)
def test_no_text_opens_a_command_of_latex(text):
    shown = latex_text(text)
    known = r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|ldots)\{\}"
    rest = re.sub(rf"{known}|\$\\Delta\$|\$-\$|\\[&%$#_{{}}]", "", shown)
    assert not set(rest) & set("\\&%$#_{}^~<>")


@given(texts)
def test_no_text_opens_markup_of_markdown(text):
    shown = re.sub(r"\\[\\`*_{}\[\]<>#|~&!()]", "", markdown_text(text))
    assert not set(shown) & set("\\`*_{}[]<>#|~&!()")


@given(st.lists(st.tuples(texts, st.none() | texts), min_size=1, max_size=3))
def test_a_row_of_a_table_is_one_line_with_all_its_cells(rows):
    table = Table(
        title="t",
        columns=(Column(name="system"), Column(name="value", align="right")),
        rows=tuple(rows),
    )
    lines = [line for line in markdown_table(table).split("\n") if line.startswith("| ")]
    assert len(lines) == 2 + len(rows)
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 3 for line in lines)
    packed = latex_table(table)
    assert packed.count("\\hline") == 3
    assert packed.count(" \\\\") >= 1 + len(rows)

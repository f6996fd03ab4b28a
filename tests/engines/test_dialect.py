from hypothesis import given
from hypothesis import strategies as st

from steelyard.engines.dialect import quote_literal, quote_name, with_table
from steelyard.engines.local import LocalEngine

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=20)


@given(TEXT)
def test_any_text_survives_as_a_literal(text):
    assert LocalEngine().run(f"SELECT {quote_literal(text)}") == [(text,)]


@given(TEXT.filter(bool))
def test_any_text_survives_as_a_name(name):
    table = LocalEngine().table(f"SELECT 1 AS {quote_name(name)}")
    assert list(table.columns) == [name]
    assert table.query(f"SELECT {quote_name(name)} FROM {{t}}") == [(1,)]


def test_the_table_is_never_put_inside_quotes():
    names = "'{t}' \"{t}\" `{t}` 'it''s {t}' {t}"
    assert with_table(names, "rows") == "'{t}' \"{t}\" `{t}` 'it''s {t}' rows"

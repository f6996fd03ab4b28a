import pytest

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.spark import respell


@pytest.mark.parametrize(
    ("ours", "sparks"),
    [
        ('SELECT "a`b" FROM {t}', "SELECT `a``b` FROM {t}"),
        ("'it''s' = x", "'it\\'s' = x"),
        ("'a\\b'", "'a\\\\b'"),
        ("'{t}' <> \"{t}\"", "'{{t}}' <> `{{t}}`"),
        ("CAST(x AS HUGEINT)", "CAST(x AS DECIMAL(38, 0))"),
        ("'VARCHAR' AS \"HUGEINT\"", "'VARCHAR' AS `HUGEINT`"),
        ("regexp_matches(x, '\\A[0-9]{2}\\z')", "regexp_like(x, '\\\\A[0-9]{{2}}\\\\z')"),
    ],
)
def test_each_token_is_respelled_by_what_it_is(ours, sparks):
    assert respell(ours) == sparks


def test_a_name_with_every_kind_of_quote_keeps_its_characters():
    name = "'\"`{t}\\"
    assert respell(quote_name(name)) == "`'\"``{{t}}\\`"
    assert respell(quote_literal(name)) == "'\\'\"`{{t}}\\\\'"

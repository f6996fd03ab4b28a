"""Rules are read by a grammar, and nothing else in them ever runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.campaigns.rules.grammar import (
    AllOf,
    AnyOf,
    Condition,
    conditions_of,
    most_items,
    parse_rule,
)
from steelyard.errors import RequestError

names = st.sampled_from(["best", "n", "pair", "wald-msrb", "x1", "resnet.50"])
words = st.text(st.characters(exclude_characters="'\"", exclude_categories=["Cs", "Cc"]))
numbers = st.floats(0, 1e9, allow_subnormal=False)
conditions = st.builds(
    lambda name, arguments, options, bound, mark: Condition(
        name=name,
        arguments=tuple(arguments),
        options=tuple(options),
        bound=bound,
        comparison=mark if bound is not None else None,
    ),
    names,
    st.lists(words | numbers, max_size=3),
    st.lists(st.tuples(st.sampled_from(["alpha", "beta"]), numbers), max_size=2),
    st.none() | numbers,
    st.sampled_from([">=", "<="]),
)
rules = st.recursive(
    conditions,
    lambda inner: st.builds(
        lambda kind, parts: kind(parts=tuple(parts)),
        st.sampled_from([AllOf, AnyOf]),
        st.lists(inner, min_size=2, max_size=3),
    ),
    max_leaves=6,
)


@given(rules)
def test_a_rule_that_was_written_down_reads_the_same(rule):
    once = parse_rule(str(rule))
    assert parse_rule(str(once)) == once
    assert list(conditions_of(once)) == list(conditions_of(rule))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_with_an_example(text):
    try:
        parse_rule(text)
    except RequestError as error:
        assert error.code == "rule"
        assert "evidence >= 20 or n >= 1000" in str(error)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", 1),
        ("best >=", 8),
        ("best >= high", 8),
        ("best >= 0.95 or", 16),
        ("(best >= 0.95", 14),
        ("best >= 0.95)", 13),
        ("best >= 0.95 n >= 10", 13),
        ("__import__('os').system('x')", 17),
        ("best >= 0.95; n >= 3", 13),
        ("pair(a,) >= 0.9", 8),
        ("best >= 1e999999x", 8),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused_at_its_place(text, place):
    with pytest.raises(RequestError, match=f"at character {place}:"):
        parse_rule(text)


def test_and_binds_tighter_than_or():
    rule = parse_rule("n >= 5 or best >= 0.9 and n >= 2")
    assert isinstance(rule, AnyOf)
    assert isinstance(rule.parts[1], AllOf)
    assert parse_rule("(n >= 5 or best >= 0.9) and n >= 2") != rule


def test_names_with_spaces_are_quoted():
    rule = parse_rule("pair('my net', \"it's\") >= 0.9")
    assert rule.arguments == ("my net", "it's")
    assert parse_rule(str(rule)) == rule


def test_nesting_and_length_have_an_end():
    with pytest.raises(RequestError, match="parentheses"):
        parse_rule("(" * 100 + "n >= 1" + ")" * 100)
    with pytest.raises(RequestError, match="characters"):
        parse_rule("n >= 1 or " * 1000)


def test_the_most_items_are_those_that_end_it_surely():
    assert most_items(parse_rule("best >= 0.9 or n >= 50 or n >= 40")) == 40
    assert most_items(parse_rule("best >= 0.9 and n >= 50")) is None
    assert most_items(parse_rule("(n >= 30 or racing) and n >= 50")) == 50

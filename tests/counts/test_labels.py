"""One text for one class."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import canonical_label, lookalike_classes, sort_classes
from steelyard.counts.labels import check_names
from steelyard.errors import CountsError


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("ship", "ship"),
        (np.str_("ship"), "ship"),
        (b"ship", "ship"),
        ("cafe\u0301", "caf\u00e9"),
        (7, "7"),
        (7.0, "7"),
        (np.float32(7), "7"),
        (np.uint64(2**64 - 1), "18446744073709551615"),
        (10**30, "1" + "0" * 30),
        (Decimal("7"), "7"),
        (Fraction(7), "7"),
        (-0.0, "0"),
        (True, "true"),
        (np.False_, "false"),
        ("", ""),
    ],
)
def test_labels_have_one_canonical_text(label, text):
    assert canonical_label(label) == text
    assert type(canonical_label(label)) is str


@pytest.mark.parametrize(
    "label",
    [None, 1.5, float("nan"), float("inf"), 1j, b"\xff", "\ud800", [1], Decimal("0.5"), 2.0**60],
)
def test_what_cannot_name_a_class_is_refused(label):
    with pytest.raises(CountsError) as refusal:
        canonical_label(label)
    assert refusal.value.code == "label-type"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_canonical_label_is_its_own_canonical_label(text):
    assert canonical_label(canonical_label(text)) == canonical_label(text)


@given(st.integers())
def test_whole_numbers_read_the_same_from_text(number):
    assert canonical_label(number) == canonical_label(str(number))


def test_numbers_sort_by_value_and_text_by_letters():
    assert sort_classes(["10", "9", "-1"]) == ("-1", "9", "10")
    assert sort_classes(["10", "9", "a"]) == ("10", "9", "a")
    assert sort_classes(["007", "10", "9"]) == ("007", "10", "9")
    assert sort_classes(["0", "-0"]) == ("-0", "0")


@given(st.lists(st.text(max_size=3)), st.randoms(use_true_random=False))
def test_the_order_of_classes_does_not_depend_on_how_they_came(names, random):
    shuffled = list(names)
    random.shuffle(shuffled)
    assert sort_classes(names) == sort_classes(shuffled)


@pytest.mark.parametrize(
    ("names", "code"), [(["a", "a"], "class-twice"), ([1], "name-type"), ("ab", "name-type")]
)
def test_names_are_text_and_each_is_there_once(names, code):
    with pytest.raises(CountsError) as refusal:
        check_names(names, "class")
    assert refusal.value.code == code


def test_lookalikes_differ_by_case_spaces_or_compatibility_forms():
    assert lookalike_classes(["ship", "Ship ", "car"]) == (("Ship ", "ship"),)
    assert lookalike_classes(["\ufb01sh", "fish"]) == (("fish", "\ufb01sh"),)
    assert lookalike_classes(["a", "a", "b"]) == ()


def test_lookalikes_differ_by_marks_without_width_or_letters_of_another_alphabet():
    assert lookalike_classes(["a", "a\u200b", "b"]) == (("a", "a\u200b"),)
    assert lookalike_classes(["cop", "\u0441\u043e\u0440"]) == (("cop", "\u0441\u043e\u0440"),)
    assert lookalike_classes(["ALPHA", "\u0391L\u03a1HA"]) == (("ALPHA", "\u0391L\u03a1HA"),)
    assert lookalike_classes(["\u03b1", "a", "\u0431", "6"]) == ()

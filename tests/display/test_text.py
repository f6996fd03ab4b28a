import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.display.text import (
    clean_text,
    display_width,
    join_names,
    natural_key,
    shorten,
    shorten_all,
    show_name,
    wrap_sentence,
)

any_text = st.text(st.characters())


@given(any_text)
def test_clean_text_holds_no_control_character_and_no_override(name):
    for character in clean_text(name):
        assert unicodedata.category(character) not in {"Cc", "Cs", "Zl", "Zp"}
        assert character not in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@given(any_text)
def test_cleaning_twice_changes_nothing_more(name):
    assert clean_text(clean_text(name)) == clean_text(name)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07svm", "svm"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred", "red"),
        ("a\r\nb", "a b"),
        ("abc\u202edef", "abcdef"),
        ("\u200bsvm\ufeff", "svm"),
        ("bell\x07", "bell"),
        ("lone \ud800", "lone \ufffd"),
        ("café 船 नमस्ते", "café 船 नमस्ते"),
    ],
)
def test_names_cannot_move_the_cursor_or_hide(name, clean):
    assert clean_text(name) == clean


@given(any_text.map(clean_text), st.integers(0, 30), st.sampled_from(["both", "start"]))
def test_a_cut_name_fits(name, width, keep):
    assert display_width(shorten(name, width, keep=keep)) <= width or display_width(name) <= width


def test_a_cut_name_keeps_both_ends_or_the_start():
    assert shorten("船舶認識システム", 7) == "船…ム"
    assert shorten("abcdefgh", 4) == "ab…h"
    assert shorten("abcdefgh", 4, keep="start") == "abc…"
    assert shorten("abc", 0) == ""


def test_names_are_listed_as_far_as_they_find_room():
    assert join_names(["a"]) == "a"
    assert join_names([]) == ""
    assert join_names(list("abcdefghi"), most=3) == "a, b, c and 6 more"
    assert join_names(["x" * 30, "y" * 30, "z" * 30], room=40) == "x" * 30 + " and 2 more"
    assert join_names(["x" * 30, "y" * 30], room=40) == "x" * 30 + " and " + "y" * 30
    assert show_name("\x07") == '""'


@given(any_text.map(clean_text), st.integers(4, 60))
def test_wrapped_lines_fit_and_keep_every_word(text, width):
    lines = wrap_sentence(text, width, indent="  ").split("\n")
    assert all(display_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_an_interval_is_not_broken():
    wrapped = wrap_sentence("AUC of the system [0.863, 0.879].", 25)
    assert wrapped == "AUC of the system\n[0.863, 0.879]."


LONG = [
    "meta-llama/Llama-3.1-70B-Instruct (temperature=0.7)",
    "meta-llama/Llama-3.1-70B-Instruct (temperature=0.0)",
    "eva02_large_patch14_448.mim_in22k_ft_in22k_in1k",
    "eva02_large_patch14_448.mim_m38m_ft_in22k_in1k",
    "convnext_large_mlp.clip_laion2b_soup_ft_in12k_in1k_384",
    "convnext_large_mlp.clip_laion2b_soup_ft_in12k_in1k_320",
]


@pytest.mark.parametrize("width", range(8, 60))
def test_names_that_share_start_and_end_are_cut_and_never_look_alike(width):
    cut = shorten_all(LONG, width)
    assert set(cut) == set(LONG)
    assert len({*cut.values()}) == len(LONG)
    assert max(map(display_width, cut.values())) <= width


def test_names_that_no_cut_tells_apart_at_a_width_are_not_cut_to_it():
    names = [f"{first}{'a' * 30}{last}" for first in "xy" for last in "12"]
    assert shorten_all(names, 2) is None
    assert shorten_all(names, 3) == {name: f"{name[0]}…{name[-1]}" for name in names}
    assert shorten_all([], 5) == {}


@given(st.sets(st.text("ab船é-", max_size=30), max_size=8), st.integers(1, 40))
def test_a_cut_is_as_narrow_as_asked_and_one_to_one(names, width):
    cut = shorten_all(names, width)
    if cut is not None:
        assert len({*cut.values()}) == len(names)
        assert all(display_width(text) <= width for text in cut.values())
    else:
        assert width < max(map(display_width, names))


def test_long_names_in_a_sentence_never_look_alike():
    names = [f"eva02_large_patch14_448.mim_{one}_ft_in22k_in1k_for_images" for one in ("a", "b")]
    first, second = join_names(names, room=100).split(" and ")
    assert first != second
    assert "mim_a_ft" in first
    assert "mim_b_ft" in second


def test_names_keep_the_words_that_tell_them_apart():
    names = [
        f"timm/{family}_{size}.fcmae_ft_in1k" for family in ("vit", "swinv2") for size in ("b", "h")
    ]
    cut = shorten_all(names, 16)
    assert list(map(cut.get, names)) == [
        "timm/vit_b…ft…",
        "timm/vit_h…ft…",
        "timm/swinv2_b…",
        "timm/swinv2_h…",
    ]


def test_numbers_in_names_sort_as_numbers():
    assert sorted(["run-10", "run-9", "-5 dB", "5 dB", "all"], key=natural_key) == [
        "-5 dB",
        "5 dB",
        "all",
        "run-9",
        "run-10",
    ]

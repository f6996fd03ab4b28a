"""Refusals are wrapped as answers are; what to type next always stands last, whole."""

import os
import re
from unittest import mock

import pytest

from steelyard.surfaces.cli.next_command import next_command
from steelyard.surfaces.cli.refusals import MOST_LINES, show_refusal
from tests.typed import type_words

LONG = "meta-llama/Llama-3.1-8B-Instruct-" + "checkpoint-" * 16


def height(said, width=80):
    return sum(max(1, -(-len(line) // width)) for line in said.rstrip("\n").split("\n"))


def test_a_refusal_is_wrapped_between_words(tmp_path):
    (tmp_path / "a.csv").write_text("one,two\nyes,no\nno,no\n")
    said = type_words(["evaluate", "a.csv", "--truth", "none"], folder=tmp_path).err
    assert said.count("\n") > 1
    assert all(len(line) <= 80 for line in said.split("\n"))


def test_a_terminal_says_how_wide_lines_are():
    said = "steelyard: " + "word " * 40
    for columns, longest in ((60, 60), (200, 100), (0, 80)):
        with mock.patch("os.get_terminal_size", return_value=os.terminal_size((columns, 24))):
            with mock.patch("sys.stderr.fileno", return_value=2, create=True):
                lines = show_refusal(said).split("\n")
        assert longest - 5 < max(map(len, lines)) <= longest


def test_commands_and_switches_are_never_broken():
    switch = "(--truth answers.csv:COLUMN)"
    command = f"sed '2,3d' {LONG} > plain.csv && steelyard evaluate plain.csv"
    said = show_refusal(
        f"steelyard: {'No column says what is true here. ' * 2}{switch}. Type: {command}"
    )
    assert switch in said
    assert said.split("\n")[-1] == f"Type: {command}"


def test_very_long_names_leave_ten_lines_and_what_to_type_next(tmp_path):
    rows = "".join(f"{LONG}{'ab'[n % 3 == 0]},0.{n},0.{9 - n}\n" for n in range(1, 9))
    (tmp_path / "a.csv").write_text(f"truth,{LONG}1,{LONG}2\n{rows}")
    said = type_words(["compare", "a.csv"], folder=tmp_path).err
    assert height(said) <= MOST_LINES
    *_, last = said.rstrip("\n").split("\n")
    assert last == f"Type: steelyard compare a.csv --positive {LONG}b"


def test_of_a_very_long_command_only_what_is_new_is_spelled():
    message = "For example: positive='1' (--positive 1)."
    command = next_command(message, "no-positive", ["evaluate", *(f"{n}.csv" for n in range(200))])
    assert command == "steelyard evaluate ... --positive 1"


def test_what_is_cut_ends_with_a_sentence_and_says_where_the_rest_is():
    said = show_refusal("steelyard: " + "This sentence comes again. " * 60, "steelyard roc a.csv")
    *lines, rest, typed = said.split("\n")
    assert lines[-1].endswith(".") and "--verbose" in rest and typed == "Type: steelyard roc a.csv"
    assert height(said) <= MOST_LINES
    whole = show_refusal("steelyard: " + "This sentence comes again. " * 60, whole=True)
    assert whole.count("again.") == 60


def test_wrong_usage_is_wrapped_too():
    said = type_words(["weigh", "a.csv"]).err
    assert "Commands:" in said and all(len(line) <= 80 for line in said.split("\n"))


@pytest.mark.parametrize("switch", ["--truth", "--positive", "--measure", "--encoding", "--memory"])
def test_a_value_that_would_fill_the_screen_leaves_the_words_around_it(tmp_path, switch):
    (tmp_path / "a.csv").write_text("truth,call\n1,0\n0,0\n1,1\n")
    said = type_words(["evaluate", "a.csv", switch, "x" * 10_000], folder=tmp_path)
    assert said.code in {1, 2}
    assert len(said.words) < 2_000
    assert re.search(r"x…x+['\"]?[^…]{40}", said.words), said.words

"""A sketch and colours stand in a terminal, and nowhere else."""

import pytest

import steelyard as sy
from steelyard.surfaces.cli import showing as sketching
from steelyard.surfaces.cli import terminal_output

TRIALS = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
TABLE = sy.ScoreTable.from_scores([0.2, 0.8, 0.9], [0.1, 0.3, 0.5], positive="a")


class Screen:
    """Standard output as it would be at a desk."""

    def __init__(self, *, tty=True, encoding="utf-8"):
        self.tty, self.encoding = tty, encoding

    def isatty(self):
        return self.tty


@pytest.fixture
def seen(monkeypatch):
    def sketch(result, *, width=80, term="xterm", **screen):
        monkeypatch.setattr(sketching.sys, "stdout", Screen(**screen))
        monkeypatch.setenv("TERM", term)
        return sketching.sketch_of(result, width=width)

    return sketch


def test_a_comparison_shows_where_the_rates_lie(seen):
    drawn = seen(sy.compare(TRIALS))
    assert "█" in drawn
    assert "\x1b" not in drawn
    assert all(len(line) <= 80 for line in drawn.split("\n"))


def test_a_threshold_shows_the_curve(seen):
    assert "ROC curve" in seen(sy.threshold(TABLE, resamples=0))


def test_pipes_dumb_terminals_narrow_ones_and_plain_letters_get_none(seen):
    result = sy.compare(TRIALS)
    assert seen(result, tty=False) is None
    assert seen(result, term="dumb") is None
    assert seen(result, width=59) is None
    assert seen(result, encoding="ascii") is None
    assert seen(result, encoding="no-such-encoding") is None


def test_what_has_no_sketch_gets_none(seen):
    assert seen(sy.evaluate(TRIALS)) is None
    assert seen(sy.plan([0.9, 0.8])) is None


def test_of_many_systems_the_first_are_sketched_and_that_is_said(seen):
    correct = {f"s{place:02d}": 100 + place for place in range(20)}
    drawn = seen(sy.compare(sy.Trials(correct=correct, tested=200, pairing="independent")))
    assert drawn.startswith("Where the rates lie (posterior, the first 12 of 20 systems)\ns19 ")


@pytest.fixture
def painted(monkeypatch):
    def paint(text, *, term="xterm", colourless="", **screen):
        monkeypatch.setattr(terminal_output.sys, "stdout", Screen(**screen))
        monkeypatch.setenv("TERM", term)
        monkeypatch.setenv("NO_COLOR", colourless)
        return terminal_output.paint(text)

    return paint


TEXT = "T is better\nthan S.\n\nPairs\nT  S  +0.1  different\nT  U  +0.0  undecided\n\nnote: few"


def test_the_sentence_is_bold_and_verdicts_and_doubts_are_coloured(painted):
    lines = painted(TEXT).split("\n")
    assert lines[:2] == ["\x1b[1mT is better\x1b[0m", "\x1b[1mthan S.\x1b[0m"]
    assert lines[4] == "T  S  +0.1  \x1b[32mdifferent\x1b[0m"
    assert lines[5] == "T  U  +0.0  \x1b[33mundecided\x1b[0m"
    assert lines[7] == "\x1b[33mnote:\x1b[0m few"


def test_pipes_dumb_terminals_and_no_color_get_plain_text(painted):
    assert painted(TEXT, tty=False) == TEXT
    assert painted(TEXT, term="dumb") == TEXT
    assert painted(TEXT, colourless="1") == TEXT

"""A sketch stands under an answer in a terminal, and nowhere else."""

import pytest

import steelyard as sy
from steelyard.surfaces.cli import sketching

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

"""Colours that can be told apart and read, by everybody."""

from itertools import combinations

import pytest

from steelyard.display.figures.theme import COLOURINGS, DASHES, SHAPES


def linear(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def luminance(colour):
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(one, other):
    """WCAG 2.2, 1.4.3."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", ["light", "dark", "print"])
def test_text_has_a_contrast_of_4_5_and_lines_of_3(look):
    colours = COLOURINGS[look]
    for text in (colours.ink, colours.soft):
        assert contrast(text, colours.paper) >= 4.5
    for line in (*colours.series, colours.accent, colours.warm, colours.good):
        assert contrast(line, colours.paper) >= 3
    assert contrast(colours.on_accent, colours.accent) >= 4.5


DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
"""Machado, Oliveira & Fernandes (2009), severity 1.0, doi:10.1109/TVCG.2009.113."""


def seen(colour, matrix):
    parts = linear(colour)
    return [sum(w * p for w, p in zip(row, parts, strict=True)) for row in matrix]


@pytest.mark.parametrize("matrix", [DEUTERANOPIA, PROTANOPIA], ids=["deuteranopia", "protanopia"])
@pytest.mark.parametrize("look", ["light", "dark", "print"])
def test_the_first_four_series_stay_apart_for_the_colour_blind(look, matrix):
    for one, other in combinations(COLOURINGS[look].series[:4], 2):
        apart = [abs(a - b) for a, b in zip(seen(one, matrix), seen(other, matrix), strict=True)]
        assert max(apart) > 0.06


def test_the_first_forty_two_series_differ_in_colour_or_in_dash_and_shape():
    colours = COLOURINGS["light"].series
    looks = {(n % len(colours), n % len(DASHES), n % len(SHAPES)) for n in range(42)}
    assert len(looks) == 42
    assert len(set(map(tuple, DASHES))) == len(DASHES)

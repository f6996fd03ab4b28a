"""Charts inside the page: one drawing for wide screens, one for phones, colours from the page."""

from dataclasses import dataclass

from markupsafe import Markup

from steelyard.display.figures import Chart
from steelyard.display.figures.svg import frame_of

__all__ = ["NARROW", "WIDE", "Picture", "picture"]

WIDE = 560
NARROW = 330
LOWEST = 0.95
"""A phone's drawing of a square chart is as high as it is wide, or a little less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Both drawings of a chart, its caption, and where the plot lies in each."""

    name: str
    title: str
    notes: tuple[str, ...]
    wide: Markup
    narrow: Markup
    frames: tuple[str, str] = ("", "")


def picture(name: str, chart: Chart, *, framed: bool = False) -> Picture:
    """Draw a chart twice; ``framed`` finds the plot, so that a script can point into it."""
    drawn = [
        chart.svg(look="page", width=width, titled=False, prefix=f"{name}-{suffix}")
        for width, suffix in ((min(WIDE, chart.width), "w"), (NARROW, "n"))
    ]
    frames = [" ".join(f"{edge:g}" for edge in frame_of(one)) if framed else "" for one in drawn]
    # The drawings hold nothing but shapes and escaped text: figures.svg refuses all else.
    wide, narrow = (Markup(one) for one in drawn)
    return Picture(
        name=name,
        title=chart.title,
        notes=chart.notes,
        wide=wide,
        narrow=narrow,
        frames=(frames[0], frames[1]),
    )

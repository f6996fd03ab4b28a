"""Charts inside the page: one drawing for wide screens, one for phones, colours from the page."""

from dataclasses import dataclass

from markupsafe import Markup

from steelyard.display.figures import Chart
from steelyard.display.figures.document import script_json
from steelyard.display.figures.svg import frame_of
from steelyard.display.text import clean_text
from steelyard.errors import RequestError

__all__ = ["NARROW", "WIDE", "Picture", "picture"]

WIDE = 560
ALONE = 900
"""One that has its row for itself."""
NARROW = 330
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
    hints: Markup | None = None
    alone: bool = False


def picture(name: str, chart: Chart) -> Picture:
    """Draw a chart twice, with the place of the plot in each and the words under the pointer."""
    width = ALONE if chart.broad else min(WIDE, chart.width)
    wide, hints = chart.hinted_svg(look="page", width=width, prefix=f"{name}-w")
    narrow = chart.svg(look="page", width=NARROW, titled=False, prefix=f"{name}-n")
    shown = [[hint.x, hint.y, _lines(hint.words)] for hint in hints]
    return Picture(
        name=name,
        title=chart.title,
        notes=chart.notes,
        # Nothing but shapes and escaped text (figures.svg refuses all else), and escaped JSON.
        wide=Markup(wide),
        narrow=Markup(narrow),
        frames=(_frame(wide), _frame(narrow)),
        hints=Markup(script_json(shown)) if shown else None,
        alone=chart.broad,
    )


def _frame(drawn: str) -> str:
    try:
        return " ".join(f"{edge:g}" for edge in frame_of(drawn))
    except RequestError:
        return ""


def _lines(words: str) -> str:
    return "\n".join(clean_text(line) for line in words.split("\n"))

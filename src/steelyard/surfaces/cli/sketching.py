"""A small picture under an answer, where a terminal is there to show it."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from steelyard.results import Result

__all__ = ["sketch_of"]

MOST_ROWS = 12
NARROWEST = 60


def sketch_of(result: "Result", *, width: int) -> str | None:
    """Draw what can be drawn with letters; None for a pipe, a dumb terminal or other results."""
    draw = SKETCHES.get(result.kind)
    if draw is None or width < NARROWEST or not _drawable():
        return None
    return draw(result, width)


def _drawable() -> bool:
    """Tell whether somebody looks, and whether blocks and dots reach them."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "") in {"", "dumb"}:
        return False
    try:
        "▁⠉".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def _posteriors(result: Any, width: int) -> str | None:  # noqa: ANN401
    from steelyard.display.sketches import density_sketch
    from steelyard.journey.comparison.posterior_curves import posterior_densities

    found = posterior_densities(result)
    if not found or len(found) > MOST_ROWS:
        return None
    return f"Where the rates lie (posterior)\n{density_sketch(found, width=width)}"


def _roc(result: Any, width: int) -> str | None:  # noqa: ANN401
    from steelyard.display.sketches import curve_sketch

    del width
    rates = [
        (1 - one.specificity, one.recall)
        for one in result.sweep
        if one.recall is not None and one.specificity is not None
    ]
    if len(rates) < 2:
        return None
    ends = sorted([(0.0, 0.0), *rates, (1.0, 1.0)])
    drawn = curve_sketch(([x for x, _ in ends], [y for _, y in ends]))
    return f"ROC curve: detection rate over false-alarm rate\n{drawn}"


SKETCHES: dict[str, Callable[["Result", int], str | None]] = {
    "comparison": _posteriors,
    "threshold": _roc,
}

"""How many more samples would settle what is still open."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.display.numbers import show_count
from steelyard.results.base import Cell, tidy_row

__all__ = ["MoreSamples", "about", "ask_again_lines", "settling"]

FIGURES = 2
FEW = 10
"""A lower limit below this says no more than that a few may do, and is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreSamples:
    """More samples until two systems are told apart, or until ``first`` is known to be best.

    ``second`` is None in the latter case. ``samples`` is None exactly when ``reason`` says why;
    ``beyond`` says that it would take more than a search looks for. ``samples`` suppose that the
    difference seen is the true one, ``least`` that it is as large as the data leave room for;
    there is no most, since two that are equal are never told apart.
    """

    first: str
    second: str | None
    samples: int | None
    reason: str | None = None
    beyond: bool = False
    least: int | None = None

    def rows(self) -> list[dict[str, Cell]]:
        """List what it takes if the difference is as seen, and what it takes at least."""
        pair = {"system": self.first, "against": self.second}
        rows = [tidy_row(measure="more items", count=self.samples, reason=self.reason, **pair)]
        if self.least is not None:
            rows.append(tidy_row(measure="more items at least", count=self.least, **pair))
        return rows

    def said(self) -> str:
        """Say the number as roughly as it is known."""
        if self.samples is None:
            return self.reason or "unknown"
        if self.samples == 0:
            return "none"
        least = "" if self.least is None or self.least < FEW else f", at least {about(self.least)}"
        return f"about {about(self.samples)}{least}"


def about(count: int) -> str:
    """Round a number of samples to two figures, as an estimate deserves.

    Examples
    --------
    >>> about(637), about(84), about(1_234_567)
    ('640', '84', '1,200,000')
    """
    return show_count(round(count, FIGURES - len(str(count))))


def settling(samples: int, least: int | None, *, each: str = "") -> str:
    """Say in one sentence what it may take to settle an open question.

    >>> settling(637, 148)
    'About 640 more items may settle it (at least 150, no upper limit).'
    """
    low = "" if least is None or least < FEW else f"at least {about(least)}, "
    return f"About {about(samples)} more items{each} may settle it ({low}no upper limit)."


def ask_again_lines(systems: Sequence[str], samples: int | None, *, common: bool) -> list[str]:
    """Say what asking again costs, and what to type instead."""
    lines = [
        "Do not add items and ask again as if for the first time: one more look at a level of 5% "
        "makes 9.5% false verdicts."
    ]
    if not common or not samples:
        return [*lines, "Say beforehand how many more items there will be, and halve alpha."]
    names = ",".join(systems)
    return [
        *lines,
        "A campaign may be looked at any time: steelyard campaign new LEDGER.db --systems "
        f'{names} --stop "evidence >= 20 or n >= {round(2 * samples, 1 - len(str(2 * samples)))}"',
    ]

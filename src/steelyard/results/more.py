"""How many more samples would settle what is still open."""

from dataclasses import dataclass

from steelyard.display.numbers import show_count
from steelyard.results.readable import Cell, tidy_row

__all__ = ["MoreSamples", "about"]

FIGURES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreSamples:
    """More samples until two systems are told apart, or until ``first`` is known to be best.

    ``second`` is None in the latter case. ``samples`` is None exactly when ``reason`` says why;
    ``beyond`` says that it would take more than a search looks for.
    """

    first: str
    second: str | None
    samples: int | None
    reason: str | None = None
    beyond: bool = False

    def rows(self) -> list[dict[str, Cell]]:
        """List one row."""
        return [
            tidy_row(
                measure="more items",
                system=self.first,
                against=self.second,
                count=self.samples,
                reason=self.reason,
            )
        ]

    def said(self) -> str:
        """Say the number as roughly as it is known."""
        if self.samples is None:
            return self.reason or "unknown"
        return "none" if self.samples == 0 else f"about {about(self.samples)}"


def about(count: int) -> str:
    """Round a number of samples to two figures, as an estimate deserves.

    Examples
    --------
    >>> about(637), about(84), about(1_234_567)
    ('640', '84', '1,200,000')
    """
    return show_count(round(count, FIGURES - len(str(count))))

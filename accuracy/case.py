"""What is judged: a function at its arguments, and who says the right numbers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp

from accuracy.digits import lre

__all__ = ["Case", "Judged"]

DIGITS = "70 digits"


@dataclass(frozen=True)
class Judged:
    """One numerical function: how users call it, who knows better, and at which arguments.

    ``name`` begins with the name that users import; what follows a comma says which of its
    numbers is meant. ``right`` computes in 70 digits; ``known`` holds numbers that others found.
    With ``absolute`` places after the point are counted, of numbers that are promised so.
    ``least`` are the right digits that it keeps at all of its arguments: more is welcome, less
    fails.
    """

    name: str
    ours: Callable[..., Any]
    right: Callable[..., Any] | None
    arguments: Sequence[tuple[Any, ...]]
    least: int = 14
    origin: str = DIGITS
    known: Sequence[tuple[str, ...]] = field(default=())
    absolute: bool = False

    def cases(self) -> list["Case"]:
        """Give a case for every tuple of arguments."""
        return [Case(self, one, place) for place, one in enumerate(self.arguments)]


@dataclass(frozen=True)
class Case:
    """One call."""

    judged: Judged
    arguments: tuple[Any, ...]
    place: int

    @property
    def function(self) -> str:
        """Say which function is called."""
        return self.judged.name

    @property
    def origin(self) -> str:
        """Say where the right numbers come from."""
        return self.judged.origin

    @property
    def name(self) -> str:
        """Say the call, as the key of what is kept."""
        return f"{self.function}{self.arguments}"

    def digits(self, right: Sequence[str]) -> list[float]:
        """Count the right digits of each number."""
        pairs = zip(self.ours(), right, strict=True)
        return [lre(ours, one, absolute=self.judged.absolute) for ours, one in pairs]

    def ours(self) -> tuple[float, ...]:
        """Compute it as users do."""
        return _several(self.judged.ours(*self.arguments))

    def right(self) -> tuple[str, ...]:
        """Compute it in 70 digits, slowly; or give what others said."""
        if self.judged.right is None:
            return tuple(self.judged.known[self.place])
        found = _several(self.judged.right(*self.arguments))
        return tuple(mp.nstr(mp.mpf(one), 30) for one in found)


def _several(found: Any) -> tuple[Any, ...]:
    return tuple(found) if isinstance(found, tuple | list) else (found,)

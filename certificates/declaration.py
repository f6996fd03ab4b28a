"""What a certificate says of itself, and what a run of it finds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from steelyard.uncertainty import Coverage

__all__ = ["ABOUT_95", "AT_LEAST_95", "AT_MOST_5", "Certificate", "Experiment", "Found"]

ABOUT_95 = (0.935, 0.965)
"""What an interval of 95 % may really cover and still be called one."""
AT_LEAST_95 = (0.945, 1.0)
"""What an interval may cover that promises 95 % or more."""
AT_MOST_5 = (0.0, 0.055)
"""How often a test at 5 % may reject what is true."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """How often it happened: hits among draws, or an exact share that was summed.

    ``cell`` is the worst setting found, where a space of settings was searched.
    """

    share: float
    draws: int = 0
    hits: int | None = None
    undefined: int = 0
    more: Mapping[str, float] = field(default_factory=dict)
    cell: Mapping[str, float] | None = None

    def within(self, low: float, high: float) -> bool:
        """Tell whether a true share in [low, high] explains what was found, but for bad luck."""
        if self.hits is None:
            return low - ROUNDING <= self.share <= high + ROUNDING
        counted = Coverage(hits=self.hits, repetitions=self.draws, undefined=0, seed=0)
        return counted.within(low, high)


Experiment = Callable[[int, int], Found]
"""Takes the number of draws and the seed. An exact one ignores both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """One claim, the setting it is tried in, and the shares that would bear it out.

    ``long`` is 0 when the share is summed exactly. ``falls_short`` is the range of what is really
    found where the claim does not hold; ``note`` then says what to take instead, and ``page`` (in
    ``docs/explanation``) must tell it to whoever chooses the method.
    """

    name: str
    family: str
    claim: str
    setting: str
    page: str
    experiment: Experiment = field(repr=False, compare=False)
    allowed: tuple[float, float] = ABOUT_95
    seed: int = 0
    short: int = 200
    long: int = 4000
    falls_short: tuple[float, float] | None = None
    note: str = ""

    def run(self, *, short: bool = False, worst: Mapping[str, float] | None = None) -> Found:
        """Try the claim, in the long form unless the short one is asked for.

        The short form of a search tries the worst cell that a long form found before.
        """
        if short and worst is not None and hasattr(self.experiment, "at"):
            found: Found = self.experiment.at(worst, self.short, self.seed)
            return found
        return self.experiment(min(self.short, self.long) if short else self.long, self.seed)

    def borne_out(self, found: Found) -> bool:
        """Tell whether a run shows what is written here: the claim, or how far it falls short."""
        return found.within(*(self.falls_short or self.allowed))

    def declared(self) -> dict[str, Any]:
        """Give what a result depends on; it is kept beside the result."""
        return {"setting": self.setting, "seed": self.seed, "asked": self.long}

"""One entry of the catalogue: what a measure is called, computes, needs and means."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from steelyard.measures.catalogue.cautions import CAUTIONS

__all__ = [
    "COMPLEMENT",
    "DOUBLED",
    "DOWN",
    "EITHER",
    "OPEN",
    "SAME",
    "SHARE",
    "SIGNED",
    "UP",
    "CatalogueEntry",
    "Direction",
    "OneToOne",
]

Direction = Literal["larger is better", "smaller is better", "neither"]
Counts = Literal[
    "Confusion", "ScoreTable", "JointCalls", "VectorScores", "vector of each item", "FittedModel"
]
Family = Literal[
    "detection", "agreement", "ranking", "targeting", "calibration", "vectors", "information"
]
UP: Direction = "larger is better"
DOWN: Direction = "smaller is better"
EITHER: Direction = "neither"
SHARE = (0.0, 1.0)
SIGNED = (-1.0, 1.0)
OPEN = (0.0, None)


@dataclass(frozen=True, slots=True)
class OneToOne:
    """Another measure's value times ``slope`` plus ``start``: two ways to say one thing."""

    slope: float
    start: float

    def __call__(self, value: float) -> float:
        """Turn a value of the other measure into one of this."""
        return self.slope * value + self.start


SAME = OneToOne(1.0, 0.0)
DOUBLED = OneToOne(2.0, -1.0)
COMPLEMENT = OneToOne(-1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueEntry:
    """One measure.

    ``bounds`` are the least and the largest value, None where there is none; ``needs`` the
    arguments beside the counts; ``mirror`` the measure that the other class has when two classes
    change places; ``page`` the chapter that explains it. ``same_as`` names the measure of which
    this one is a one-to-one transform, and the transform; the two share every test and verdict.
    ``two_classes`` says that they do so for two classes only.
    """

    name: str
    family: Family
    formula: str
    bounds: tuple[float | None, float | None]
    direction: Direction
    counts: Counts
    undefined: str
    source: str
    function: Callable[..., Any]
    synonyms: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    mirror: str | None = None
    interval: str = "wilson"
    same_as: tuple[str, OneToOne] | None = None
    two_classes: bool = False

    @property
    def page(self) -> str:
        """The chapter that explains the measure."""
        return {"ranking": "auc-delong", "vectors": "calibration"}.get(self.family, self.family)

    @property
    def misleads(self) -> str:
        """When the measure misleads."""
        return CAUTIONS.get(self.name, "")

    def described(self) -> dict[str, str]:
        """Give the entry as plain words, for tables and machines."""
        low, high = ("" if end is None else f"{end:g}" for end in self.bounds)
        return {
            "name": self.name,
            "synonyms": ", ".join(self.synonyms),
            "family": self.family,
            "formula": self.formula,
            "range": f"{low or '-inf'} to {high or 'inf'}",
            "direction": self.direction,
            "counts": self.counts,
            "needs": ", ".join(self.needs),
            "undefined": self.undefined,
            "interval": self.interval,
            "misleads": self.misleads,
            "source": self.source,
        }

"""What a method of comparison is given, and what it gives back."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.resampling.paired import TableMeasure
from steelyard.comparison.resampling.scores import ScoreMeasure
from steelyard.counts import Grouped, JointCalls, JointScores, Outcomes, Pairing, Trials
from steelyard.errors import RequestError, listing
from steelyard.results import Sheet, SheetRow
from steelyard.uncertainty import AreaSpreads

__all__ = ["Case", "Found", "Method", "Need", "Option", "pairs_sheet", "sheet", "systems_sheet"]

Need: TypeAlias = Literal[
    "answers",
    "common items",
    "own items",
    "totals",
    "calls",
    "scores",
    "areas",
    "placements",
    "clusters",
    "data sets",
    "fold scores",
    "three systems",
    "positive",
    "margin",
    "measure",
    "share",
]
"""What data must hold for a method to be valid."""

Held = TypeVar("Held")
Floats: TypeAlias = NDArray[np.float64]
Value: TypeAlias = str | int | float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """The data of one comparison, reduced in every way that fits them, and what was asked."""

    systems: tuple[str, ...]
    pairing: Pairing
    level: float = 0.95
    alpha: float = 0.05
    margin: float | None = None
    priors: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    seed: int = 0
    outcomes: Outcomes | None = None
    sequence: tuple[int, ...] | None = None
    trials: Trials | None = None
    totals: Trials | None = None
    calls: JointCalls | None = None
    scores: JointScores | None = None
    areas: tuple[Floats, Floats] | None = None
    spreads: AreaSpreads | None = None
    scale: float = 1.0
    clusters: Grouped[Outcomes] | None = None
    cluster_calls: Grouped[JointCalls] | None = None
    cluster_scores: Grouped[JointScores] | None = None
    groups: Grouped[Outcomes] | None = None
    by_group: Mapping[str, tuple[float, ...]] | None = None
    by_fold: Mapping[str, tuple[float, ...]] | None = None
    positive: str | None = None
    measure: str = "accuracy"
    higher_is_better: bool = True
    table_measure: TableMeasure | None = None
    share: Outcomes | Grouped[Outcomes] | None = None
    score_measure: ScoreMeasure | None = None
    ranks: bool = True
    using: Mapping[str, Any] = field(default_factory=dict)

    def rng(self) -> np.random.Generator:
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)

    def couples(self) -> list[tuple[int, int]]:
        """List the pairs of places."""
        return list(combinations(range(len(self.systems)), 2))

    def holds(self) -> frozenset[Need]:
        """List what these data have."""
        return frozenset(name for name, has in HOLDS.items() if has(self))

    def paired(self) -> Outcomes:
        """Give the outcomes on common items; a method that asks has declared that it needs them."""
        return _there(self.outcomes)

    def apart(self) -> Trials:
        """Give the trials on items of their own."""
        return _there(self.trials)

    def answers(self) -> Outcomes | Trials:
        """Give right and wrong answers, whichever way they are paired."""
        return self.apart() if self.outcomes is None else self.outcomes

    def rates(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Give the right answers and the items of each system."""
        counts = self.trials or self.totals
        if self.outcomes is not None:
            counts = self.outcomes.trials()
        found = _there(counts)
        return found.correct, found.tested

    def samples(self) -> list[tuple[int, int]]:
        """Give (right, tested) of each system with items of its own."""
        return list(zip(self.apart().correct, self.apart().tested, strict=True))


HOLDS: dict[Need, Callable[[Case], bool]] = {
    "answers": lambda case: case.outcomes is not None or case.trials is not None,
    "common items": lambda case: case.outcomes is not None,
    "own items": lambda case: case.trials is not None,
    "totals": lambda case: case.totals is not None or case.outcomes is not None,
    "calls": lambda case: case.calls is not None,
    "scores": lambda case: case.scores is not None,
    "areas": lambda case: case.areas is not None,
    "placements": lambda case: case.spreads is not None,
    "clusters": lambda case: case.clusters is not None,
    "data sets": lambda case: case.by_group is not None,
    "fold scores": lambda case: case.by_fold is not None,
    "three systems": lambda case: len(case.systems) > 2,
    "positive": lambda case: case.positive is not None,
    "margin": lambda case: case.margin is not None,
    "measure": lambda case: case.table_measure is not None or case.score_measure is not None,
    "share": lambda case: case.share is not None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a method gives back: the answer in words, the decision and the working."""

    answer: str
    decision: str | None = None
    sheets: tuple[Sheet, ...] = ()
    caveats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A setting that one method takes beside the common ones."""

    default: float | int | str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method: what it is called and cites, what it needs, and the function that does it."""

    name: str
    title: str
    needs: tuple[Need, ...]
    formula: str
    rule: str
    assumption: str
    reference: str
    page: str
    run: Callable[[Case], Found]
    uses_prior: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)

    def settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Fill in the defaults, and refuse what this method does not take."""
        unknown = [name for name in given if name not in self.options]
        if unknown:
            takes = listing(list(self.options)) or "none"
            message = f"{self.name} has no setting {listing(unknown)}; its settings: {takes}."
            raise RequestError(message)
        return {
            name: _read(name, given.get(name, option.default), option.default)
            for name, option in self.options.items()
        }


def sheet(
    title: str, keys: Sequence[str], columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Sheet:
    """Make a sheet of rows in which the keys come first; numbers become plain and finite."""
    return Sheet(
        title=title,
        keys=tuple(keys),
        columns=tuple(columns),
        rows=tuple(
            SheetRow(
                keys=tuple(str(one) for one in row[: len(keys)]),
                values=tuple(_plain(one) for one in row[len(keys) :]),
            )
            for row in rows
        ),
    )


def systems_sheet(
    case: Case, title: str, columns: Sequence[str], values: Sequence[Sequence[Any]]
) -> Sheet:
    """Make a sheet with a row for each system."""
    rows = [[name, *row] for name, row in zip(case.systems, values, strict=True)]
    return sheet(title, ["system"], columns, rows)


def pairs_sheet(
    case: Case, title: str, columns: Sequence[str], values: Sequence[Sequence[Any]]
) -> Sheet:
    """Make a sheet with a row for each pair."""
    rows = [
        [case.systems[i], case.systems[j], *row]
        for (i, j), row in zip(case.couples(), values, strict=True)
    ]
    return sheet(title, ["first", "second"], columns, rows)


def _plain(value: Any) -> Value:  # noqa: ANN401
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int | np.integer):
        return int(value)
    number = float(value)
    return number if isfinite(number) else None


def _read(name: str, given: Any, default: float | int | str) -> Any:  # noqa: ANN401
    if isinstance(default, str):
        return str(given)
    try:
        return type(default)(given)
    except (TypeError, ValueError):
        message = f"{name}={given!r}; expected a number such as {name}={default!r}."
        raise RequestError(message) from None


def _there(held: Held | None) -> Held:
    if held is None:
        message = "This method was asked of data that do not hold what it needs."
        raise RequestError(message)
    return held

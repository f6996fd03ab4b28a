"""What a method of comparison is given, and what it returns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isfinite
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.methods.quantities import WORDS, Quantity, code_of, heading_of
from steelyard.comparison.resampling.paired import TableMeasure
from steelyard.comparison.resampling.scores import ScoreMeasure
from steelyard.counts import (
    Grouped,
    JointCalls,
    JointScores,
    Linearised,
    Outcomes,
    Pairing,
    Trials,
    ValueTable,
)
from steelyard.errors import RequestError, listing
from steelyard.results import Caveat, Sheet, SheetRow
from steelyard.uncertainty import AreaSpreads

__all__ = [
    "Case",
    "Found",
    "Method",
    "Need",
    "Option",
    "Part",
    "facts_sheet",
    "pairs_sheet",
    "sheet",
    "systems_sheet",
]

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
    "values",
    "differences",
    "errors",
]
"""What data must hold for a method to be valid."""

Held = TypeVar("Held")
Floats: TypeAlias = NDArray[np.float64]
Value: TypeAlias = str | int | float | None
Number: TypeAlias = int | float | None


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
    averages: Linearised | None = None
    freedom: float | None = None
    differences: Mapping[tuple[int, int], ValueTable] | None = None
    segments: bool = False
    errors: bool = False
    without_error: Mapping[tuple[int, int], int] = field(default_factory=dict)
    using: Mapping[str, Any] = field(default_factory=dict)

    def rng(self) -> np.random.Generator:
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)

    def couples(self) -> list[tuple[int, int]]:
        """List the pairs of places."""
        return list(combinations(range(len(self.systems)), 2))

    def pair_place(self, first: str, second: str) -> str:
        """Say which pair a number is about: ``_1_3``; nothing where there are only two systems."""
        if len(self.systems) == 2:
            return ""
        return f"_{self.systems.index(first) + 1}_{self.systems.index(second) + 1}"

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
    "values": lambda case: case.averages is not None,
    "differences": lambda case: bool(case.differences),
    "errors": lambda case: case.segments or case.errors,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A sheet of the working for people, and its numbers by name for programs."""

    sheet: Sheet
    numbers: Mapping[str, Number]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a method returns: the answer in words, the decision and the working."""

    answer: str
    decision: str | None = None
    parts: tuple[Part, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets in their order."""
        return tuple(part.sheet for part in self.parts)

    @property
    def working(self) -> dict[str, Number]:
        """Every number by its name; None where it is undefined."""
        return {name: number for part in self.parts for name, number in part.numbers.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A setting that one method takes beside the common ones."""

    default: float | int | str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One method: what it is called and cites, what it needs, and the function that does it.

    ``falls_short`` is what every answer of it has to say, where a certificate found less than it
    promises.
    """

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
    falls_short: Caveat | None = None
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
    title: str,
    keys: Sequence[str],
    columns: Sequence[Quantity],
    rows: Sequence[Sequence[Any]],
    places: Sequence[str],
) -> Part:
    """Make a sheet of rows in which the keys come first; numbers become plain and finite.

    The name of a number is the code of its column and the place of its row, such as ``_1_3``.
    """
    cells = [[_plain(one) for one in row[len(keys) :]] for row in rows]
    made = Sheet(
        title=title,
        keys=tuple(keys),
        columns=tuple(heading_of(column) for column in columns),
        rows=tuple(
            SheetRow(keys=tuple(str(one) for one in row[: len(keys)]), values=tuple(values))
            for row, values in zip(rows, cells, strict=True)
        ),
    )
    numbers: dict[str, Number] = {
        f"{code_of(column)}{place}": value
        for place, values in zip(places, cells, strict=True)
        for column, value in zip(columns, values, strict=True)
        if code_of(column) not in WORDS and not isinstance(value, str)
    }
    return Part(sheet=made, numbers=numbers)


def systems_sheet(
    case: Case, title: str, columns: Sequence[Quantity], values: Sequence[Sequence[Any]]
) -> Part:
    """Make a sheet with a row for each system; its numbers end in the place of the system."""
    rows = [[name, *row] for name, row in zip(case.systems, values, strict=True)]
    places = [f"_{place + 1}" for place in range(len(rows))]
    return sheet(title, ["system"], columns, rows, places)


def pairs_sheet(
    case: Case, title: str, columns: Sequence[Quantity], values: Sequence[Sequence[Any]]
) -> Part:
    """Make a sheet with a row for each pair, in the order of ``couples``."""
    pairs = [(case.systems[i], case.systems[j]) for i, j in case.couples()]
    rows = [[*pair, *row] for pair, row in zip(pairs, values, strict=True)]
    return sheet(title, ["first", "second"], columns, rows, [case.pair_place(*p) for p in pairs])


def facts_sheet(title: str, facts: Sequence[tuple[Quantity, float | None]]) -> Part:
    """Make a sheet of single numbers, each under its own name."""
    rows = [(heading_of(quantity), value) for quantity, value in facts]
    made = sheet(title, ["quantity"], ("value",), rows, [""] * len(rows)).sheet
    return Part(sheet=made, numbers={code_of(one): _number(value) for one, value in facts})


def _number(value: float | None) -> Number:
    plain = _plain(value)
    return None if isinstance(plain, str) else plain


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
        message = "These data do not hold what this method needs."
        raise RequestError(message)
    return held

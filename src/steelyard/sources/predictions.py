"""Predictions: rows whose every column has been understood, and which may now be counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from steelyard.counts.exclusions import Exclusion
from steelyard.counts.trials import Pairing
from steelyard.engines.dialect import quote_real
from steelyard.engines.table import Table
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.sources.origins import InputFile
from steelyard.sources.roles.declared import Holds

__all__ = ["NO_ANSWER", "TIED", "Better", "Predictions", "SplitRole", "System", "ValueScale"]

NO_ANSWER = "(no answer)"
"""What a system called that gave no answer, when such items count as wrong."""

TIED = "(tie)"
"""What a vector calls whose largest number belongs to more than one class."""

SplitRole = Literal["cluster", "group", "fold"]
Better = Literal["lower", "higher"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueScale:
    """What the numbers of all systems are: their name, the better way, and a stated range.

    ``known_by`` says how the better way is known; ``better`` is None where it is not, and
    ``known_by`` then which names say the one and which the other, if they do.
    """

    name: str
    better: Better | None = None
    known_by: str = ""
    per: str | None = None
    low: float | None = None
    high: float | None = None

    def said(self) -> list[tuple[str, str]]:
        """Say it for people to check."""
        said = [("number", self.name if self.per is None else f"{self.name} per {self.per}")]
        if self.better is not None:
            said.append(("better", f"{self.better} ({self.known_by})"))
        if self.low is not None and self.high is not None:
            said.append(("range", f"{self.low:g} to {self.high:g} (declared)"))
        return said


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """One system: its name, what its columns hold, and where they are in the table.

    ``column`` holds the call, the outcome or the score; for a vector it holds the class with the
    largest number, and ``vector`` reaches each number, in the order of the classes. Where the
    classes are many, ``numbers`` names the column that holds them all as a list. A value may be
    counted ``per`` something, which then stands in a column of its own; and a ``judge`` may have
    given every item a value beside those that people gave to some.
    """

    name: str
    holds: Holds
    column: str
    vector: tuple[str, ...] = ()
    numbers: str = ""
    threshold: float | None = None
    probabilities: bool = False
    per: str = ""
    per_name: str = ""
    judge: str = ""

    def outcome_sql(self) -> str:
        """Right or wrong, for every kind of content that has an answer."""
        if self.holds == "outcome":
            return self.column
        if self.holds == "value":
            message = (
                f"{self.name} holds a number for each item, not right or wrong. This is asked of "
                "answers; compare and evaluate take numbers as they are."
            )
            raise NotComparable(message, code="values")
        if self.holds == "score":
            if self.threshold is None:
                message = (
                    f"{self.name} gives scores, and right or wrong needs a threshold: "
                    f"{switch('threshold', '0.5')}, or compare the areas under the curves."
                )
                raise NotComparable(message, code="no-threshold")
            return f"(({self.column} >= {quote_real(self.threshold)}) = positive)"
        return f"({self.column} = truth)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Predictions:
    """A checked table with the columns ``item``, ``truth``, ``positive``, ``s0``, ``s1``, …

    A null in the column of a system means that the system has no counted answer for the item: it
    was not tested on it (independent test sets) or the row was excluded on purpose, and then it
    is named in ``excluded``. ``notes`` says what was understood, for people to check.
    """

    table: Table
    systems: tuple[System, ...]
    rows: int
    pairing: Pairing
    classes: tuple[str, ...] = ()
    positive: str | None = None
    weighted: bool = False
    splits: tuple[SplitRole, ...] = ()
    excluded: tuple[Exclusion, ...] = ()
    files: tuple[InputFile, ...] = ()
    understood: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    caveats: tuple[str, ...] = ()
    values: ValueScale | None = None

    @property
    def crossed(self) -> bool:
        """Whether items share two things, each named by a column."""
        return "crossed_first" in self.table.columns

    def system(self, name: str) -> System:
        """Find a system by its name."""
        for system in self.systems:
            if system.name == name:
                return system
        names = [system.name for system in self.systems]
        raise RequestError.for_choice(name="system", given=name, choices=names)

    def holding(self, *holds: Holds) -> tuple[System, ...]:
        """Give the systems whose columns hold one of these."""
        return tuple(system for system in self.systems if system.holds in holds)

    def with_answers(self) -> tuple[System, ...]:
        """Give the systems that are right or wrong on an item."""
        return tuple(
            s
            for s in self.systems
            if s.holds != "value" and (s.holds != "score" or s.threshold is not None)
        )

    def split_column(self, role: SplitRole) -> str:
        """Give the column that splits the items by cluster, group or fold."""
        if role not in self.splits:
            message = f"No column has the role {role!r}. Declare it: {switch(role, 'COLUMN')}."
            raise RequestError(message)
        return {"cluster": "cluster", "group": "slice", "fold": "fold"}[role]

    def exclusions_for(self, systems: Sequence[System]) -> tuple[Exclusion, ...]:
        """Give the exclusions that concern these systems."""
        names = {system.name for system in systems}
        return tuple(e for e in self.excluded if e.system is None or e.system in names)

    def describe(self) -> str:
        """Say in one line what is here."""
        return f"{self.rows} items, {len(self.systems)} systems: " + listing(
            [f"{system.name} ({system.holds})" for system in self.systems]
        )

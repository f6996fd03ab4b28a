"""What the user said the columns mean, and what to do with rows that cannot be counted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Literal, Self, get_args

from steelyard.counts.labels import canonical_label
from steelyard.counts.trials import Pairing
from steelyard.errors import RequestError, listing, switch

__all__ = [
    "ASIDE",
    "BY_NAME",
    "CONVENTIONAL",
    "LEFT_ASIDE",
    "SINGLE_ROLES",
    "UNDECLARED",
    "Holds",
    "RoledColumns",
    "Roles",
    "say_by_name",
]

Holds = Literal["called", "outcome", "score", "vector"]
"""What the columns of a system hold: the class it named, right or wrong, a score, a vector."""

Missing = Literal["error", "exclude", "worst"]
Unlabelled = Literal["error", "exclude"]
Duplicates = Literal["error", "first"]
Join = Literal["error", "inner"]
Errors = Literal["refuse", "wrong", "drop-pair"]

SINGLE_ROLES = ("truth", "item", "weight", "cluster", "group", "fold", "system")
CONVENTIONAL: Mapping[str, tuple[str, ...]] = {
    "truth": ("truth",),
    "item": ("item", "id", "item_id"),
    "weight": ("weight",),
    "cluster": ("cluster",),
    "group": ("group",),
    "fold": ("fold",),
    "system": ("system",),
}
"""Column names that carry their role in themselves; anything else must be declared."""

LEFT_ASIDE = "left aside"
"""Under this word the record of an answer names columns that look like ids and were not used."""

BY_NAME = "by name"
"""Under this word it names columns that were given a role for their name alone."""

ASIDE = ("weight", "cluster", "group", "fold")
"""Roles that change numbers or intervals: a column of that name may be a mere feature, so that an
answer which took it for its name alone says so first, and an empty name declines it."""


def say_by_name(role: str) -> str:
    """Say that a column was given a role for its name alone, and how to decline it.

    >>> say_by_name("fold").partition(";")[0]
    'the column fold is taken for the fold of each item, for its name alone'
    """
    return (
        f"the column {role} is taken for the {role} of each item, for its name alone; if it is "
        f"something else, say so: {role}='' (--{role} '')"
    )


class RoledColumns(dict[str, Any]):
    """Columns that this package laid out itself, so that their names do carry their roles."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "pairing": get_args(Pairing),
    "missing": get_args(Missing),
    "unlabelled": get_args(Unlabelled),
    "duplicates": get_args(Duplicates),
    "join": get_args(Join),
    "errors": get_args(Errors),
}

UNDECLARED = frozenset({"open_classes", "proposals", "truth_elsewhere"})
"""What callers set, and users do not."""

LOG_CHOICES = ("scorer", "metric", "filter")
"""What is chosen among the several verdicts that an evaluation log may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The meaning of columns as declared; None means "take it from the file's own names".

    ``open_classes`` is for callers that count right and wrong only: a part of the data need not
    hold every class among its truths. ``proposals`` is off where every column may be a rater,
    ``truth_elsewhere`` on where the truth has a file of its own. Nobody declares these.
    """

    truth: str | None = None
    item: str | None = None
    weight: str | None = None
    cluster: str | None = None
    group: str | None = None
    fold: str | None = None
    system: str | None = None
    systems: tuple[str, ...] | None = None
    called: tuple[str, ...] = ()
    outcome: tuple[str, ...] = ()
    score: tuple[str, ...] = ()
    vector: tuple[str, ...] = ()
    classes: tuple[str, ...] | None = None
    positive: str | None = None
    threshold: float | None = None
    pairing: Pairing | None = None
    missing: Missing = "error"
    unlabelled: Unlabelled = "error"
    duplicates: Duplicates = "error"
    join: Join = "error"
    scorer: tuple[str, ...] = ()
    metric: tuple[str, ...] = ()
    filter: tuple[str, ...] = ()
    errors: Errors = "refuse"
    open_classes: bool = False
    proposals: bool = True
    truth_elsewhere: bool = False

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            given = getattr(self, name)
            if given is not None and given not in choices:
                raise RequestError.for_choice(name, given, choices)
        twice = [name for name in self.declared() if self._all_declared().count(name) > 1]
        if twice:
            message = f"{listing(twice)}: declared to hold two things. Name each once."
            raise RequestError(message)
        if self.threshold is not None and not isfinite(self.threshold):
            message = f"threshold={self.threshold}; expected a finite number."
            raise RequestError(message)

    @classmethod
    def of(cls, **given: Any) -> Self:  # noqa: ANN401
        """Build from what a caller passed: one name or several, labels of any type."""
        known = {field.name for field in fields(cls)} - UNDECLARED
        strange = sorted(set(given) - known)
        if strange:
            raise RequestError.for_choice(name="role", given=strange[0], choices=sorted(known))
        cleaned = {name: value for name, value in given.items() if value is not None}
        for name in ("systems", "called", "outcome", "score", "vector", *LOG_CHOICES):
            if name in cleaned:
                cleaned[name] = _several(cleaned[name])
        if "classes" in cleaned:
            cleaned["classes"] = _classes(given["classes"])
        if "positive" in cleaned:
            cleaned["positive"] = canonical_label(cleaned["positive"])
        return cls(**cleaned)

    def declared(self) -> dict[str, Holds]:
        """Give the systems (or value columns) whose content was declared."""
        kinds: tuple[Holds, ...] = get_args(Holds)
        return {name: kind for kind in kinds for name in getattr(self, kind)}

    def settings(self) -> tuple[tuple[str, str], ...]:
        """List what was declared, for the record in a result."""
        said = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default and field.name not in UNDECLARED:
                text = ", ".join(value) if isinstance(value, tuple) else str(value)
                said.append((field.name, text))
        return tuple(said)

    def refuse_log_choices(self) -> None:
        """Refuse what can be said about evaluation logs only, when there is none."""
        given = [name for name in LOG_CHOICES if getattr(self, name)]
        given += ["errors"] if self.errors != "refuse" else []
        if given:
            message = (
                f"{given[0]}= (--{given[0]}) is about evaluation logs, and these data are not read "
                "as one. Leave it out."
            )
            raise RequestError(message, code="not-a-log")

    def needs(self, role: str) -> str:
        """Say how to declare a role."""
        return f"Pass {switch(role, 'COLUMN')}."

    def _all_declared(self) -> list[str]:
        return [*self.called, *self.outcome, *self.score, *self.vector]


def _classes(given: str | Iterable[object]) -> tuple[str, ...]:
    if isinstance(given, str):
        message = f"classes={given!r} is one text. List the classes: classes=['cat', 'dog']."
        raise RequestError(message)
    names = tuple(canonical_label(name) for name in given)
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"classes names one twice: {listing(twice)}. Name each class once."
        raise RequestError(message)
    return names


def _several(given: str | Sequence[object]) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    return tuple(str(name) for name in given)

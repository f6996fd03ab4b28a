"""What the user said the columns mean, and what to do with rows that cannot be counted."""

import re
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
    "EVERY_CLASS",
    "IDLE_COLUMNS",
    "LEFT_ASIDE",
    "SINGLE_ROLES",
    "TRIES",
    "UNDECLARED",
    "Holds",
    "NamedColumns",
    "RoledColumns",
    "Roles",
    "say_by_name",
    "say_role",
]

Holds = Literal["called", "outcome", "score", "vector", "value"]
"""What the columns of a system hold: the class it named, right or wrong, a score, a vector, or a
number that is good or bad in itself (a grade, a latency, errors per word)."""

IDLE_COLUMNS = {
    "weight": "raters are counted item by item; the column of weights was not used",
    "cluster": "intervals take items as independent, although they come in clusters",
    "group": "raters are counted over all groups together; the column of groups was not used",
    "fold": "raters are counted over all folds together; the column of folds was not used",
}
"""Columns with a meaning that agreement does not look at, and how that is said."""

Missing = Literal["error", "exclude", "worst"]
Unlabelled = Literal["error", "exclude"]
Duplicates = Literal["error", "first"]
Join = Literal["error", "inner"]
Errors = Literal["refuse", "wrong", "drop-pair"]
Unsubmitted = Literal["wrong", "drop"]

SINGLE_ROLES = (
    "truth", "item", "weight", "cluster", "group", "fold", "system", "exposure", "crossed_first",
    "crossed_second",
)  # fmt: skip
CONVENTIONAL: Mapping[str, tuple[str, ...]] = {
    "truth": ("truth",),
    "item": ("item", "id", "item_id"),
    "weight": ("weight",),
    "cluster": ("cluster",),
    "group": ("group",),
    "fold": ("fold",),
    "system": ("system",),
    "exposure": (),
    "crossed_first": (),
    "crossed_second": (),
}
"""Column names that carry their role in themselves; anything else must be declared."""

TRIES = re.compile(
    r"(?i)(?:sample|completion|try|trial|attempt|run|seed|epoch|rep|repeat|repetition|replicate|"
    r"turn|fold|iteration|iter|split|judge|round|generation)(?:[_ .-]?(?:id|idx|index|no|number))?"
)
"""Names of columns that number what was asked of one item several times."""

EVERY_CLASS = ("all",)
"""Declared so, every class that is true or called somewhere is one."""

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
    'the column fold is taken as the fold of each item, for its name alone'
    """
    return (
        f"the column {role} is taken as the {role} of each item, for its name alone; if it is "
        f"something else, say so: {role}='' (--{role} '')"
    )


def say_role(role: str) -> str:
    """Give the word of a role: both columns of crossed clusters name a cluster."""
    return "cluster" if role.startswith("crossed") else role


class RoledColumns(dict[str, Any]):
    """Columns that this package laid out itself, so that their names do carry their roles."""


class NamedColumns(dict[str, Any]):
    """Columns that were read from something that has a name of its own, which faults say."""

    def __init__(self, columns: Mapping[str, Any], *, name: str) -> None:
        super().__init__(columns)
        self.name = name


CHOICES: Mapping[str, tuple[str, ...]] = {
    "pairing": (*get_args(Pairing), "rows"),
    "missing": get_args(Missing),
    "unlabelled": get_args(Unlabelled),
    "duplicates": get_args(Duplicates),
    "join": get_args(Join),
    "errors": get_args(Errors),
    "unsubmitted": get_args(Unsubmitted),
}

HELD_OTHERWISE = ("called", "outcome", "score", "vector")
RECORDED_AS = {"errors_of": "errors"}
"""Columns of errors are declared with the word that also says what becomes of unscored samples."""

UNDECLARED = frozenset(
    {
        "known_systems",
        "true_classes",
        "open_classes",
        "no_answer",
        "proposals",
        "truth_elsewhere",
        "errors_of",
        "exposure",
        "crossed_first",
        "crossed_second",
    }
)
"""What callers set, and users do not."""

LOG_CHOICES = ("scorer", "metric", "filter")
"""What is chosen among the several verdicts that an evaluation log may hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The meaning of columns as declared; None means "take it from the file's own names".

    ``open_classes`` is for callers that count right and wrong only: a part of the data need not
    hold every class among its truths; ``no_answer`` is a call that never is one. ``exposure`` names
    the column over which events are counted, where a verb was given one; ``crossed_first`` and
    ``crossed_second`` the two columns of clusters of crossed items. ``proposals`` is off where
    every column may be a rater, ``truth_elsewhere`` on where the truth has a file of its own.
    ``known_systems`` are systems whatever their columns are called, as the protocol of a campaign
    says; ``true_classes`` those of a truth in another file. Nobody declares these.
    ``pairing="rows"`` says that files without ids have the same items in the same order.
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
    pairing: Pairing | Literal["rows"] | None = None
    missing: Missing = "error"
    unlabelled: Unlabelled = "error"
    duplicates: Duplicates = "error"
    join: Join = "error"
    scorer: tuple[str, ...] = ()
    metric: tuple[str, ...] = ()
    filter: tuple[str, ...] = ()
    errors: Errors = "refuse"
    value: tuple[str, ...] = ()
    errors_of: tuple[str, ...] = ()
    per: tuple[str, ...] = ()
    judge: tuple[str, ...] = ()
    lower_is_better: bool = False
    higher_is_better: bool = False
    range: tuple[float, float] | None = None
    unsubmitted: Unsubmitted | None = None
    exposure: str | None = None
    crossed_first: str | None = None
    crossed_second: str | None = None
    open_classes: bool = False
    no_answer: str | None = None
    proposals: bool = True
    truth_elsewhere: bool = False
    known_systems: tuple[str, ...] = ()
    true_classes: tuple[str, ...] = ()

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
        self._check_values()

    def _check_values(self) -> None:
        if self.lower_is_better and self.higher_is_better:
            message = "Lower is better and higher is better were both said. Say one of them."
            raise RequestError(message)
        if self.measured:
            others = [name for name in HELD_OTHERWISE if getattr(self, name)]
            if others:
                message = (
                    f"{others[0]}= (--{others[0]}) and a number for each item were both declared. "
                    "Compare like with like: leave one of them out."
                )
                raise RequestError(message, code="mixed-holdings")
            return
        for name in ("per", "judge", "lower_is_better", "higher_is_better", "range"):
            if getattr(self, name):
                option = name.replace("_", "-")
                message = (
                    f"{name}= (--{option}) is about a number for each item, and none is declared: "
                    f"{switch('value', 'COLUMNS')}, or errors= and per= (--errors, --per)."
                )
                raise RequestError(message, code="no-values")

    @property
    def measured(self) -> bool:
        """Whether systems hold a number for each item."""
        return bool(self.value or self.errors_of)

    @classmethod
    def of(cls, **given: Any) -> Self:  # noqa: ANN401
        """Build from what a caller passed: one name or several, labels of any type."""
        known = {field.name for field in fields(cls)} - UNDECLARED
        strange = sorted(set(given) - known)
        if strange:
            raise RequestError.for_choice(name="role", given=strange[0], choices=sorted(known))
        cleaned = {name: value for name, value in given.items() if value is not None}
        if "errors" in cleaned:
            cleaned |= _errors(cleaned.pop("errors"))
        if "range" in cleaned:
            cleaned["range"] = _range(cleaned["range"])
        for name in (
            "systems",
            *HELD_OTHERWISE,
            "value",
            "errors_of",
            "per",
            "judge",
            *LOG_CHOICES,
        ):
            if name in cleaned:
                cleaned[name] = _several(cleaned[name])
        cleaned |= _take_judgements(cleaned)
        if "classes" in cleaned:
            cleaned["classes"] = _classes(given["classes"])
        if "positive" in cleaned:
            cleaned["positive"] = canonical_label(cleaned["positive"])
        return cls(**cleaned)

    def declared(self) -> dict[str, Holds]:
        """Give the systems (or value columns) whose content was declared."""
        kinds: tuple[Holds, ...] = get_args(Holds)
        held = {name: kind for kind in kinds for name in getattr(self, kind)}
        return held | dict.fromkeys(self.errors_of, "value")

    def names_no_column(self) -> bool:
        """Tell whether nobody said what a column holds, so that rows may be taken for a log."""
        said = (self.truth, self.item, self.weight, self.fold, self.system)
        return not self.declared() and all(name in {None, ""} for name in said)

    def list_systems(self) -> frozenset[str]:
        """Give the columns that are known to be systems; no name of theirs gets another role."""
        return frozenset({*self.declared(), *(self.systems or ()), *self.known_systems})

    def settings(self) -> tuple[tuple[str, str], ...]:
        """List what was declared, for the record in a result."""
        said = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default and field.name not in UNDECLARED - {*RECORDED_AS}:
                text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                if field.name == "cluster" and self.crossed_first is not None:
                    text = f"{self.crossed_first},{self.crossed_second}"
                said.append((RECORDED_AS.get(field.name, field.name), text))
        return tuple(said)

    def refuse_log_choices(self) -> None:
        """Refuse what can be said about evaluation logs only, when there is none."""
        given = [name for name in LOG_CHOICES if getattr(self, name)]
        given += ["errors"] if self.errors != "refuse" else []
        given += ["unsubmitted"] if self.unsubmitted is not None else []
        if given:
            message = (
                f"{given[0]}= (--{given[0]}) is about evaluation logs, and these data are not read "
                "as one. Leave it out."
            )
            if given[0] == "metric":
                message += f" A measure of the catalogue is named by {switch('measure', 'NAME')}."
            raise RequestError(message, code="not-a-log")

    def needs(self, role: str) -> str:
        """Say how to declare a role."""
        return f"Pass {switch(role, 'COLUMN')}."

    def _all_declared(self) -> list[str]:
        held = [name for kind in get_args(Holds) for name in getattr(self, kind)]
        return [*held, *self.errors_of]


def _errors(given: str | Sequence[object]) -> dict[str, Any]:
    """Tell what becomes of samples that were not scored from columns of errors."""
    named = _several(given)
    if len(named) == 1 and named[0] in get_args(Errors):
        return {"errors": named[0]}
    return {"errors_of": named}


def _take_judgements(given: Mapping[str, Any]) -> dict[str, Any]:
    """Take what people and a judge call right for a number of each item, 0 or 1."""
    if not (given.get("judge") and given.get("outcome")):
        return {}
    value = (*given.get("value", ()), *given["outcome"])
    return {"value": value, "outcome": (), "range": (0.0, 1.0), "higher_is_better": True}


def _range(given: Any) -> tuple[float, float]:  # noqa: ANN401
    """Read the least and the largest value that there can be."""
    parts = given.split(",") if isinstance(given, str) else given
    try:
        low, high = (float(one) for one in parts)
    except (TypeError, ValueError):
        low = high = 0.0
    if not (isfinite(low) and isfinite(high) and low < high):
        message = (
            f"range={given!r}; expected the least and the largest value that there can be: "
            "range=(1, 5) (--range 1,5)."
        )
        raise RequestError(message)
    return low, high


def _classes(given: str | Iterable[object]) -> tuple[str, ...]:
    if given == "all":
        return EVERY_CLASS
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

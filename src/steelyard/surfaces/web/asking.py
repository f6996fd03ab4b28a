"""What a page was asked: a flat state of names and texts, the same in a link, a form and a body."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from steelyard.errors import RequestError, printable

__all__ = ["DATA_FIELDS", "FIELDS", "SEVERAL", "State", "read_state"]

MOST_VALUES = 400
LONGEST = 2000


def _text(name: str, given: Sequence[str]) -> str:
    del name
    return given[-1]


def _names(name: str, given: Sequence[str]) -> list[str]:
    del name
    return list(given)


def _number(name: str, given: Sequence[str]) -> float:
    """Read a number; whether it may be infinite is said where it is used, in the same words."""
    try:
        value = float(given[-1])
    except ValueError:
        value = float("nan")
    if isnan(value):
        message = f"{name}={printable(given[-1])!r} is not a number."
        raise RequestError(message)
    return value


def _whole(name: str, given: Sequence[str]) -> int:
    try:
        return int(given[-1])
    except ValueError:
        message = f"{name}={printable(given[-1])!r} is not a whole number."
        raise RequestError(message) from None


def _prior(name: str, given: Sequence[str]) -> Any:  # noqa: ANN401
    """Read ``1:1`` for all systems, or ``S=190:10,T=1:1``."""
    text = given[-1]
    try:
        if "=" not in text:
            return _two(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        return {system.strip(): _two(numbers) for system, _, numbers in pairs}
    except ValueError:
        message = f"{name}={printable(text)!r} is not a list such as S=190:10,T=1:1, nor 1:1."
        raise RequestError(message) from None


def _two(text: str) -> tuple[float, float]:
    first, second = text.split(":")
    return float(first), float(second)


def _rates(name: str, given: Sequence[str]) -> Any:  # noqa: ANN401
    """Read ``0.90,0.88`` or ``S=0.90,T=0.88``."""
    text = given[-1]
    parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        if "=" not in text:
            return [float(part) for part in parts]
        named = [part.rpartition("=") for part in parts]
        return {system.strip(): float(number) for system, _, number in named}
    except ValueError:
        message = f"{name}={printable(text)!r} is not a list of rates such as 0.90,0.88."
        raise RequestError(message) from None


Reader = Callable[[str, Sequence[str]], Any]

DATA_FIELDS: Mapping[str, Reader] = {
    "truth": _text,
    "systems": _names,
    "positive": _text,
    "item": _text,
    "system": _text,
    "called": _names,
    "score": _names,
    "outcome": _names,
    "vector": _names,
    "classes": _names,
    "threshold": _number,
    "weight": _text,
    "cluster": _text,
    "group": _text,
    "fold": _text,
    "pairing": _text,
    "missing": _text,
    "unlabelled": _text,
    "duplicates": _text,
    "join": _text,
    "delimiter": _text,
    "decimal": _text,
    "encoding": _text,
}
"""What can be said about a file; the names are those of Python and the command line."""

SEVERAL = frozenset(name for name, reader in DATA_FIELDS.items() if reader is _names)
"""What is a list of names."""

FIELDS: Mapping[str, Mapping[str, Reader]] = {
    "evaluate": {**DATA_FIELDS, "level": _number},
    "compare": {
        **DATA_FIELDS,
        "level": _number,
        "alpha": _number,
        "margin": _number,
        "prior": _prior,
        "rng": _whole,
    },
    "plan": {
        "rates": _rates,
        "question": _text,
        "confidence": _number,
        "samples": _whole,
        "design": _text,
        "discordance": _number,
        "alpha": _number,
        "power": _number,
        "margin": _number,
        "delta": _number,
        "width": _number,
        "cost_per_sample": _number,
        "rng": _whole,
    },
    "campaigns": DATA_FIELDS,
    "suites": {},
}
VIEWED = (
    "data",
    "shown",
    "at",
    "by",
    "correct",
    "tested",
    "campaign",
    "suite",
    "run",
    "algorithm",
    "problem",
)
"""Parts of a state that say what is looked at, not how it is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """One state, taken apart: arguments of the journey, and what is looked at."""

    page: str
    arguments: Mapping[str, Any]
    viewed: Mapping[str, str] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """The key of the file, or nothing."""
        return self.viewed.get("data", "")


def read_state(page: str, pairs: Iterable[tuple[str, str]]) -> State:
    """Take a state apart; what is empty was not said, what is unknown is refused.

    Examples
    --------
    >>> found = read_state("evaluate", [("data", "ab"), ("positive", "1"), ("level", "0.9")])
    >>> dict(found.arguments), found.data
    ({'positive': '1', 'level': 0.9}, 'ab')
    """
    known = FIELDS[page]
    gathered: dict[str, list[str]] = {}
    for count, (name, value) in enumerate(pairs):
        if count >= MOST_VALUES or len(value) > LONGEST:
            message = "This link says more than a page can hold."
            raise RequestError(message)
        if value != "":
            gathered.setdefault(name, []).append(value)
    strangers = [name for name in gathered if name not in known and name not in VIEWED]
    if strangers:
        message = f"This link holds {printable(strangers[0])!r}, which the page does not know."
        raise RequestError(message)
    return State(
        page=page,
        arguments={
            name: read(name, gathered[name]) for name, read in known.items() if name in gathered
        },
        viewed={name: gathered[name][-1] for name in VIEWED if name in gathered},
    )

"""A format of evaluation logs: how its files are told and read, and its rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Literal

from steelyard.sources.logs.json_text import first_keys

__all__ = [
    "Asked",
    "Head",
    "Log",
    "LogFormat",
    "LogRow",
    "Provenance",
    "as_number",
    "as_text",
    "plain_facts",
]

Asked = Literal["scorer", "metric"]
"""What a format calls the thing that judged an answer."""
JUDGED: Mapping[str, float] = {
    "c": 1.0,
    "correct": 1.0,
    "yes": 1.0,
    "true": 1.0,
    "pass": 1.0,
    "i": 0.0,
    "incorrect": 0.0,
    "n": 0.0,
    "no": 0.0,
    "false": 0.0,
    "fail": 0.0,
    "p": 0.5,
    "partial": 0.5,
}
"""Words that stand for a score; ``P`` is half right and ``N`` no answer, as Inspect reads them."""
Provenance = Literal["written by the tool", "written by the tool's own classes", "unverified"]
"""Where the sample came from that the reader was made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """One sample: who answered which item, the how-manieth time, and how each judge scored it.

    ``values`` holds the number that each scorer or metric gave; ``truth`` and ``called`` are set
    where the log holds classes instead. ``error`` says why a sample was not scored; one that was
    never ``submitted`` was not even tried. ``facts`` are further fields of the item, any of which
    may be named as its cluster or group.
    """

    item: str
    system: str
    values: Mapping[str, float] = field(default_factory=dict)
    truth: str | None = None
    called: str | None = None
    task: str = ""
    filter: str | None = None
    repeat: str | None = None
    error: str | None = None
    submitted: bool = True
    facts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The rows of one file and what is to be said about them.

    ``default`` names the judge that the format itself calls the verdict, if there is one; else a
    choice among several is asked for. A file without rows may still say, in ``caveats``, what is
    to be known about the rows of its neighbours.
    """

    rows: Sequence[LogRow]
    asked: Asked = "metric"
    default: str | None = None
    notes: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


def as_number(value: object) -> float | None:
    """Read what a judge gave as a number: true and false, numbers, and words such as ``C``.

    >>> as_number("C"), as_number(False), as_number(0.25), as_number("P"), as_number("an essay")
    (1.0, 0.0, 0.25, 0.5, None)
    """
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value) if isfinite(value) else None
    if isinstance(value, str):
        word = value.strip().lower()
        return JUDGED[word] if word in JUDGED else _parse(word)
    return None


def as_text(value: object) -> str:
    """Write an id or a fact as text, so that 7 and "7" are one item in every log.

    >>> as_text(7), as_text("7"), as_text(7.0), as_text(True)
    ('7', '7', '7', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def plain_facts(given: Any) -> dict[str, str]:  # noqa: ANN401
    """Keep the fields of an object that are one value each.

    >>> plain_facts({"subject": "law", "year": 2020, "messages": [], "hint": None})
    {'subject': 'law', 'year': '2020'}
    """
    if not isinstance(given, Mapping):
        return {}
    plain = (str, int, float, bool)
    return {str(name): as_text(value) for name, value in given.items() if isinstance(value, plain)}


def _parse(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if isfinite(number) else None


@dataclass(frozen=True)
class Head:
    """The first bytes of a file, and what they show."""

    path: Path
    name: str
    start: bytes

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the first JSON object, as far as they show."""
        return frozenset(first_keys(self.start))

    @cached_property
    def is_array(self) -> bool:
        """Tell whether it starts as a JSON array."""
        return self.start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFormat:
    """One format: ``tells`` looks at the head of a file, ``read`` gives its rows.

    ``item``, ``repeats`` and ``traps`` are for the page that lists the formats. ``plain`` rows may
    as well be a table, and are one where roles are given to its columns.
    """

    name: str
    tells: Callable[[Head], bool]
    read: Callable[[Path, str], Log]
    item: str
    repeats: str
    traps: str
    provenance: Provenance = "written by the tool"
    plain: bool = False

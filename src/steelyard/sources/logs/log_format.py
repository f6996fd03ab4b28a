"""A format of evaluation logs: how its files are told, how they are read, who wrote them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from steelyard.sources.logs.json_text import first_keys
from steelyard.sources.logs.rows import Log

__all__ = ["Head", "LogFormat", "Provenance"]

Provenance = Literal["written by the tool", "written by the tool's own classes", "unverified"]
"""Where the sample came from that the reader was made for."""


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

"""What a page was asked: a flat state of names and texts, the same in a link, a form and a body."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from typing import Any

from steelyard.errors import RequestError, once, printable
from steelyard.journey.options import Kind, Option, Verb, options_of

__all__ = ["FILE_OF_TRUTH", "TYPED", "State", "dials", "page_options", "read_number", "read_state"]

MOST_VALUES = 400
LONGEST = 2000


def _text(name: str, given: Sequence[str]) -> str:
    del name
    return given[-1]


def _names(name: str, given: Sequence[str]) -> list[str]:
    del name
    return list(given)


def _labels(name: str, given: Sequence[str]) -> list[str]:
    """Read ``a,b`` of a field, or a class each time in a link."""
    del name
    return [part.strip() for part in given[0].split(",")] if len(given) == 1 else list(given)


def read_number(name: str, given: Sequence[str]) -> float:
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


def _flag(name: str, given: Sequence[str]) -> bool:
    del name
    return given[-1] in ("true", "on", "1")


def _prior(name: str, given: Sequence[str]) -> Any:  # noqa: ANN401
    """Read ``1:1`` for all systems, or ``S=190:10,T=1:1``."""
    text = given[-1]
    try:
        if "=" not in text:
            return _two(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        named = once(text, ((system, numbers) for system, _, numbers in pairs))
        return {system: _two(numbers) for system, numbers in named.items()}
    except RequestError:
        raise
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
        pairs = (part.rpartition("=") for part in parts)
        named = once(text, ((system, number) for system, _, number in pairs))
        return {system: float(number) for system, number in named.items()}
    except RequestError:
        raise
    except ValueError:
        message = f"{name}={printable(text)!r} is not a list of rates such as 0.90,0.88."
        raise RequestError(message) from None


def _costs(name: str, given: Sequence[str]) -> dict[str, float]:
    """Read ``fn=5,fp=1``."""
    text = given[-1]
    try:
        pairs = [part.split("=") for part in text.split(",")]
        named = once(text, ((kind, number) for kind, number in pairs))
        return {kind: float(number) for kind, number in named.items()}
    except RequestError:
        raise
    except ValueError:
        message = f"{name}={printable(text)!r} is not a list of costs such as fn=5,fp=1."
        raise RequestError(message) from None


Reader = Callable[[str, Sequence[str]], Any]

READERS: Mapping[Kind, Reader] = {
    "names": _names,
    "each": _names,
    "labels": _labels,
    "share": read_number,
    "number": read_number,
    "count": _whole,
    "seed": _whole,
    "flag": _flag,
    "priors": _prior,
    "rates": _rates,
    "costs": _costs,
}
"""How the text of a kind of option is read; all others stay texts."""


def _reader(row: Option) -> Reader:
    """Find how an option is read; names of columns are typed into one field."""
    return _labels if row.name == "columns" else READERS.get(row.kind, _text)


VERBS: Mapping[str, tuple[Verb, ...]] = {
    "evaluate": ("evaluate", "threshold"),
    "compare": ("compare",),
    "plan": ("plan",),
    "calibration": ("calibration",),
    "targeting": ("targeting",),
    "agreement": ("agreement",),
    "gate": ("gate",),
    "campaigns": ("campaign",),
    "suites": (),
}
"""Whose options a page takes."""


def page_options(page: str) -> dict[str, Option]:
    """Give what a page can be told; the names are those of Python and the command line.

    The page of a plan reads no rows, so that it takes no roles.
    """
    rows = [row for verb in VERBS[page] for row in options_of(verb, "page").values()]
    return {row.name: row for row in rows if not (row.role and page == "plan")}


TYPED: Mapping[str, str] = {
    "correct": "Right answers",
    "tested": "Items tested",
    "paired": "Two systems on the same items",
    "accuracy": "Column of shares",
    "confusion": "Table of counts",
}
"""What is typed instead of a file, or beside a table of published results, and its label."""

FILE_OF_TRUTH = "Truth in a file of its own"

VIEWED = (
    *TYPED,
    "data",
    "truth_file",
    "shown",
    "at",
    "by",
    "campaign",
    "suite",
    "run",
    "algorithm",
    "problem",
)
"""Parts of a state that say what is looked at, not how it is counted."""


def dials(page: str) -> list[Option]:
    """List what is asked under a control of its own, in the order of the page."""
    rows = [row for row in page_options(page).values() if not row.role]
    shown = [row for row in rows if row.page is not None and row.page.label]
    return sorted(shown, key=lambda row: row.page.place if row.page else 0)


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
    known = page_options(page)
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
            name: _reader(row)(name, gathered[name])
            for name, row in known.items()
            if name in gathered
        },
        viewed={name: gathered[name][-1] for name in VIEWED if name in gathered},
    )

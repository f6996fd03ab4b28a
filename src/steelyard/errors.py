"""Every way Steelyard says no, drawn as a tree.

SteelyardError
    RequestError          an argument lies outside its domain (command line: exit code 2)
        ExtraMissing      an optional part is not installed
    RefusedData           the data cannot answer the question asked (exit code 1)
        SourceError       a file, frame or array cannot be read or understood
            FileUnreadable
            ColumnMissing
            RolesUnclear
            UnusableRows
        CountsError       the numbers contradict one another
        NotComparable     the counts do not hold what this method needs
        LedgerError       the ledger of a campaign cannot be read, written or trusted

Each message says what was found, what was expected and what to type next. The same text reaches
Python, the command line and the page, so a hint shows both spellings of a switch.
"""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from importlib import import_module
from shlex import quote
from typing import Any, Self

__all__ = [
    "MOST_LISTED",
    "PARTS",
    "ColumnMissing",
    "CountsError",
    "ExtraMissing",
    "Fault",
    "FileUnreadable",
    "LedgerError",
    "NotComparable",
    "PublishedTable",
    "RefusedData",
    "RequestError",
    "RolesUnclear",
    "SourceError",
    "SteelyardError",
    "UnusableRows",
    "check_share",
    "counted",
    "listing",
    "need",
    "once",
    "printable",
    "stand_in",
    "strip_control_characters",
    "switch",
    "switch_list",
]

CONTROLS = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that could move a cursor, colour or reorder text; a line feed is not among them."""

LONGEST, LONG_ONES = 120, 72
"""A name in a list is shown up to this many characters; fewer where there are several."""

MOST_TYPED = 40
"""A hint spells at most this many names out."""
MOST_EXAMPLES = 2
"""Names that a hint begins with where it cannot spell all of them."""
MOST_LISTED = 240
MOST_SPELLED = 300
"""Letters that names fill in a list before a hint, and in the hint, so that long ones leave room
for what to type next. One name is always shown, and in a hint it is whole."""
USUAL = {"level": 0.95, "alpha": 0.05, "margin": 0.02, "confidence": 0.95, "power": 0.8}
"""Shares to show as an example where one was refused."""


def printable(name: object) -> str:
    r"""Write a name from data on one line, without characters that steer a terminal.

    >>> printable("red \x1b[31malert\nnext")
    'red \ufffd[31malert next'
    """
    return CONTROLS.sub("\ufffd", str(name).replace("\r\n", " ").replace("\n", " "))


def strip_control_characters(text: str) -> str:
    r"""Take out of a text whatever steers a terminal; its lines stay lines.

    >>> strip_control_characters("one\x1b[2J\ntwo")
    'one\ufffd[2J\ntwo'
    """
    return CONTROLS.sub("\ufffd", text)


def counted(number: int, what: str, verb: str = "") -> str:
    """Put a number before a noun, and the verb of a plural after it.

    >>> counted(1, "row", "have"), counted(3, "row", "have"), counted(1, "class")
    ('1 row has', '3 rows have', '1 class')
    """
    one = number == 1
    many = f"{what}es" if what.endswith("s") else f"{what}s"
    singular = {"have": "has", "are": "is", "do": "does"}
    said = singular.get(verb, f"{verb}s") if one and verb else verb
    return f"{number:,} {what if one else many} {said}".rstrip()


def switch(name: str, value: str) -> str:
    """Spell one setting the way Python and the command line take it.

    >>> switch("missing", "exclude")
    "missing='exclude' (--missing exclude)"
    """
    typed = value.replace("\t", r"\t")  # a tab cannot be seen, and hardly be typed
    return f"{name}={value!r} (--{name.replace('_', '-')} {quote(typed)})"


def _spell_share(name: str, share: float) -> str:
    return f"{name}={share:g} (--{name.replace('_', '-')} {share:g})"


def switch_list(name: str, values: Sequence[str]) -> str:
    """Spell a setting that takes several names; a long list is cut.

    >>> switch_list("classes", ["cat", "dog"])
    "classes=['cat', 'dog'] (--classes cat,dog)"
    """
    shown = _within([printable(value) for value in values[:MOST_TYPED]], MOST_SPELLED)
    cut = len(values) > len(shown)
    shown = shown[:MOST_EXAMPLES] if cut else shown
    python = ", ".join([*map(repr, shown), *(["..."] if cut else [])])
    typed = ",".join([*shown, *(["..."] if cut else [])])
    return f"{name}=[{python}] (--{name.replace('_', '-')} {quote(typed)})"


def listing(names: Sequence[object], *, most: int = 12, room: int | None = None) -> str:
    """List names for a message, as many as fit ``room`` letters, and say how many were left out.

    >>> listing(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    longest = LONGEST if len(names) == 1 else LONG_ONES
    fit = [_cut(printable(name), longest) for name in names[:most]]
    fit = fit if room is None else _within(fit, room)
    shown, left = ", ".join(fit), len(names) - len(fit)
    return f"{shown} and {left} more" if left > 0 else shown


def _within(names: list[str], room: int) -> list[str]:
    """Keep the first names that fit, and one at least."""
    kept = names[:1]
    for name in names[1:]:
        room -= len(name) + 2
        if len(kept[0]) > room:
            break
        kept.append(name)
    return kept


def once(given: str, parts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Take names with their values, as in S=190,T=194; each has a name, and one of its own.

    >>> once("S=190, T=194", [("S", "190"), (" T", "194")])
    {'S': '190', 'T': '194'}
    """
    found: dict[str, list[str]] = {}
    for name, value in parts:
        found.setdefault(name.strip(), []).append(value.strip())
    if "" in found:
        message = f"{printable(given)!r} has an empty name. Name each value, as in S=190,T=194."
        raise RequestError(message)
    twice = next((name for name, values in found.items() if len(values) > 1), None)
    if twice is not None:
        message = (
            f"{printable(given)!r} names {printable(twice)!r} {len(found[twice])} times "
            f"({', '.join(map(printable, found[twice]))}). Which is meant? Name each once."
        )
        raise RequestError(message)
    return {name: values[0] for name, values in found.items()}


def _cut(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[:longest]}…"


class SteelyardError(Exception):
    """Anything Steelyard raises on purpose; ``code`` is stable and may be tested against.

    Examples
    --------
    >>> import steelyard as sy
    >>> try:
    ...     sy.compare({"truth": ["a", "b"], "one": ["a", "b"]})
    ... except sy.SteelyardError as error:
    ...     print(error.code)
    one-system
    """

    code: str = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(strip_control_characters(message))
        if code is not None:
            self.code = code

    def __str__(self) -> str:
        """Undo KeyError, which would quote the message."""
        return str(self.args[0]) if self.args else ""

    def _render_traceback_(self) -> list[str]:
        """Let a notebook show what was refused and what to do, not the way through our code."""
        return [f"{type(self).__name__}: {self}"]


class RequestError(SteelyardError, ValueError):
    """An argument lies outside its domain.

    Examples
    --------
    >>> import steelyard as sy
    >>> try:
    ...     sy.plan([0.9, 0.8], confidence=95)
    ... except sy.RequestError as error:
    ...     print(error)
    confidence=95 is not strictly between 0 and 1. For 95% type confidence=0.95 (--confidence 0.95).
    """

    code = "bad-request"

    @classmethod
    def for_choice(cls, name: str, given: object, choices: Sequence[str]) -> Self:
        """Refuse a word that is not in a closed list."""
        near = get_close_matches(str(given), choices, n=1)
        hint = f" Did you mean {switch(name, near[0])}?" if near else ""
        return cls(f"{name}={given!r} is not known. Choose one of: {', '.join(choices)}.{hint}")

    @classmethod
    def for_level(cls, name: str, given: object) -> Self:
        """Refuse a share that is not strictly between 0 and 1."""
        message = f"{name}={given!r} is not strictly between 0 and 1."
        if isinstance(given, int | float) and 1 < given <= 100:
            message += f" For {given:g}% type {_spell_share(name, given / 100)}."
        elif name in USUAL:
            message += f" Type {_spell_share(name, USUAL[name])}, for example."
        return cls(message)


class ExtraMissing(RequestError, ImportError):
    """An optional part is not installed."""

    code = "extra-missing"

    @classmethod
    def for_part(cls, what: str, extra: str) -> Self:
        """Name the part and the line that installs it, or why what is installed cannot be had."""
        error = sys.exception()
        broken = isinstance(error, ImportError) and not isinstance(error, ModuleNotFoundError | cls)
        state = f", which cannot be loaded ({printable(error)})" if broken else ""
        again = " --force-reinstall" if broken else ""
        line = f'pip install{again} "steelyard[{extra}]"'
        return cls(f"{what} needs an optional part{state}. Type: {line}")

    @classmethod
    def for_module(cls, what: str, module: str) -> Self:
        """Name what needs a module, and the line that installs the part it belongs to."""
        return cls.for_part(what, extra=PARTS[module.partition(".")[0]])

    @classmethod
    def for_extension(cls, address: str, extension: str) -> Self:
        """Name the address, the extension of DuckDB that reads it, and the line that gets it."""
        return cls(
            f"{printable(address)}: reading from there needs DuckDB's extension {extension}, which "
            "is not installed here, and nothing is downloaded behind your back. Type once: "
            f"python -c \"import duckdb; duckdb.sql('INSTALL {extension}')\"",
            code="extension-missing",
        )


PARTS: Mapping[str, str] = {
    "altair": "notebook",
    "inspect_ai": "inspect",
    "jinja2": "report",
    "markupsafe": "report",
    "mcp": "mcp",
    "openpyxl": "excel",
    "pandas": "notebook",
    "psycopg": "postgres",
    "pyarrow": "arrow",
    "pyspark": "spark",
    "skimage": "textures",
    "sklearn": "sklearn",
    "sqlalchemy": "campaigns",
    "starlette": "page",
    "uvicorn": "page",
    "vl_convert": "charts",
    "zstandard": "logs",
}
"""Modules that only some commands need, and the extra that brings each."""


def need(module: str, what: str, *, extra: str | None = None) -> None:
    """Refuse, with the line to type, where an optional part is not installed.

    >>> need("json", "A test")
    """
    try:
        import_module(module)
    except ImportError as error:
        raise ExtraMissing.for_part(what, extra or PARTS[module]) from error


def check_share(name: str, given: float) -> float:
    """Refuse what is not strictly between 0 and 1.

    >>> check_share("alpha", 0.05)
    0.05
    """
    if not 0 < given < 1:
        raise RequestError.for_level(name=name, given=given)
    return float(given)


def stand_in(name: str, error: ExtraMissing) -> type:
    """Make a class in place of one whose part is missing: it can be named, and refuses to be used.

    So that ``from steelyard import *`` and tools that look at every name need no optional part.

    >>> missing = stand_in("Chart", ExtraMissing("A chart needs an optional part."))
    >>> isinstance(1, missing)
    False
    >>> missing()
    Traceback (most recent call last):
    ...
    steelyard.errors.ExtraMissing: A chart needs an optional part.
    """

    class Missing(type):
        def __call__(cls, *given: object, **named: object) -> object:
            raise ExtraMissing(str(error))

        def __getattr__(cls, wanted: str) -> object:
            if wanted.startswith("_"):  # what tools look for on anything
                raise AttributeError(wanted)
            raise ExtraMissing(str(error))

    return Missing(name, (), {"__doc__": str(error)})


class RefusedData(SteelyardError):
    """The data cannot answer the question asked.

    Examples
    --------
    >>> import steelyard as sy
    >>> try:
    ...     sy.evaluate({"truth": ["a", "b", None], "one": ["a", "b", "b"]})
    ... except sy.RefusedData as error:
    ...     print(error)  # doctest: +ELLIPSIS
    columns, column 'truth': 1 of 3 rows has no truth. First: row 3: empty. ...
    """

    code = "refused"


class SourceError(RefusedData):
    """A file, frame or array cannot be read or understood."""

    code = "source"


class FileUnreadable(SourceError, ValueError):
    """A file is absent, empty, damaged or not in the format its name claims."""

    code = "unreadable"

    @classmethod
    def for_file(cls, name: str, found: str, *, fix: str, code: str = "unreadable") -> Self:
        """Name the file, what is wrong with it, and what to type next."""
        return cls(f"{printable(name)}: {found} {fix}", code=code)

    @classmethod
    def for_access(cls, name: str, error: OSError) -> Self:
        """Name a file that the system does not hand out, or that is gone since it was found."""
        gone = isinstance(error, FileNotFoundError)
        fix = "It was there a moment ago: wait until it is written, and ask again."
        found = f"the file cannot be opened ({error.strerror or error})."
        return cls.for_file(
            name, found, fix=fix if gone else "Check its permissions.", code="no-access"
        )

    @classmethod
    def for_change(cls, name: str) -> Self:
        """Name a file that was another one at the end than at the beginning."""
        found = "the file changed while it was read, and no answer would belong to its bytes."
        fix = "Wait until it is written, or copy it first, and ask again."
        return cls.for_file(name, found, fix=fix, code="file-changed")

    @classmethod
    def for_repeated_key(cls, name: str, key: object) -> Self:
        """Name an object of JSON that says one thing twice."""
        found = f"the key {printable(key)!r} appears twice in one object of JSON."
        fix = "There is no telling which value counts, so none is used. Write every key once."
        return cls.for_file(name, found, fix=fix, code="repeated-key")


class ColumnMissing(SourceError, KeyError):
    """A role points at a column that is not there."""

    code = "column-missing"
    role: str = ""
    wanted: str = ""
    present: Sequence[str] = ()

    @classmethod
    def for_role(
        cls, role: str, wanted: str, present: Sequence[str], *, among: Sequence[str] = ()
    ) -> Self:
        """Build the message from what was wanted, ``among`` which names, and what is there."""
        named = list(among) or [wanted]
        near = _nearest(named, present)
        if len(near) < len(named):
            hint = f"Pass {switch(role, 'COLUMN' if len(named) == 1 else 'COLUMN,COLUMN')}."
        else:
            meant = switch(role, near[0]) if len(near) == 1 else switch_list(role, near)
            hint = f"Did you mean {meant}?"
        made = cls(f"No column {wanted!r} for the role {role!r}. Found: {listing(present)}. {hint}")
        made.role, made.wanted, made.present = role, wanted, present
        return made

    @classmethod
    def for_crossed(cls, pair: Sequence[str], present: Sequence[str]) -> Self:
        """Name the columns that are likely meant by two that were named together."""
        wanted = next(name for name in pair if name not in present)
        meant = _nearest(pair, present)
        hint = (
            f"Did you mean {switch('cluster', ','.join(meant))}?"
            if len(meant) == len(pair)
            else f"Two columns are named together: {switch('cluster', 'COLUMN,COLUMN')}."
        )
        return cls(
            f"No column {wanted!r} for the role 'cluster'. Found: {listing(present)}. {hint}"
        )


def _nearest(wanted: Sequence[str], present: Sequence[str]) -> list[str]:
    """Give for each name the one that is likely meant, where there is one that no other has."""
    near = [
        name if name in present else next(iter(get_close_matches(name, present, 1, 0.5)), None)
        for name in wanted
    ]
    return list(dict.fromkeys(name for name in near if name is not None))


class RolesUnclear(SourceError, ValueError):
    """The columns do not say what they hold, and nobody else did."""

    code = "roles-unclear"


class PublishedTable(RolesUnclear):
    """A table of published results, which has no row for each item; ``board`` is what it says."""

    code = "leaderboard"
    board: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong with the rows: where, how often, first examples, and the way out."""

    code: str
    where: str
    found: str
    fix: str
    count: int = 0
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        first = f" First: {'; '.join(self.examples)}." if self.examples else ""
        return f"{self.where}: {self.found}{first} {self.fix}"


class UnusableRows(SourceError, ValueError):
    """Some rows cannot be counted; every fault that was found is listed."""

    code = "unusable-rows"

    def __init__(self, message: str, *, faults: tuple[Fault, ...] = ()) -> None:
        super().__init__(message, code=faults[0].code if faults else None)
        self.faults = faults

    @classmethod
    def of(cls, faults: Sequence[Fault]) -> Self:
        """List the faults, one per line, so that one run shows them all."""
        if len(faults) == 1:
            return cls(str(faults[0]), faults=tuple(faults))
        # What all faults are in is named once.
        places = [fault.where.partition(", ") for fault in faults]
        name = places[0][0] if len({place for place, _, rest in places if rest}) == 1 else ""
        shared = name and all(place == name and rest for place, _, rest in places)
        shown = [
            replace(fault, where=rest) if shared else fault
            for fault, (_, _, rest) in zip(faults, places, strict=True)
        ]
        lines = "\n".join(f"  {number}. {fault}" for number, fault in enumerate(shown, 1))
        within = name if shared else "the data"
        return cls(f"{len(faults)} faults in {within}:\n{lines}", faults=tuple(faults))


class CountsError(RefusedData, ValueError):
    """The numbers contradict one another."""

    code = "counts"


class NotComparable(RefusedData, ValueError):
    """The counts do not hold what this method needs."""

    code = "not-comparable"


class LedgerError(RefusedData, ValueError):
    """The ledger of a campaign cannot be read, written or trusted."""

    code = "ledger"

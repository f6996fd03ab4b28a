"""Verbs as tools for agents: their JSON schemas, what a call types, and a fence around files.

A schema is read from the table of options, a call is the command that a person would type, and the
answer is its result; so an agent is given neither more nor less than the command line has.
"""

import io
import json
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import click

from steelyard.errors import RequestError, SteelyardError, printable
from steelyard.journey.options import PLAN_QUESTIONS, Kind, Option, Verb, options_of
from steelyard.surfaces.cli.entry import COMMANDS, steelyard
from steelyard.surfaces.cli.running import ADDRESS, split_name

__all__ = [
    "OUTPUT_SCHEMA",
    "Answer",
    "Fence",
    "ask",
    "describe",
    "input_schema",
    "tool_names",
    "words_of",
]

TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
NUMBER = {"type": "number"}
BY_NAME = {"type": "object", "additionalProperties": {"type": ["number", "string"]}}

SCHEMAS: Mapping[Kind, Mapping[str, Any]] = {
    "names": TEXTS,
    "labels": TEXTS,
    "each": TEXTS,
    "share": NUMBER,
    "number": NUMBER,
    "exact": NUMBER,
    "count": {"type": "integer"},
    "seed": {"type": "integer"},
    "flag": {"type": "boolean"},
    "range": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2},
    "numbers": {"type": "array", "items": {"type": "integer"}},
    "rates": {"anyOf": [{"type": "array", "items": NUMBER}, BY_NAME]},
    "counts": {"anyOf": [{"type": "integer"}, BY_NAME]},
    "priors": {"anyOf": [TEXT, BY_NAME]},
    "costs": BY_NAME,
    "shares": BY_NAME,
    "settings": BY_NAME,
}
"""What an argument of a kind may be; all other kinds are texts."""

OUTPUT_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["kind", "schema", "sentence"],
    "properties": {
        "kind": TEXT,
        "schema": {"type": "integer"},
        "sentence": TEXT,
        "caveats": TEXTS,
    },
}
"""What every result has; its other fields are those of its kind."""

ELSEWHERE = {"engine", "master", "query"}
"""Clusters and databases lie outside of any folder."""
SHOWN = {"as_json", "as_csv", "raw_csv", "details", "verbose"}
"""How an answer is printed: here it is always the result itself."""
FILES = {"type": "array", "items": TEXT, "description": "Files of predictions, or NAME=FILE."}


def tool_names(*, writing: bool) -> tuple[Verb, ...]:
    """Name the verbs that are tools; a report is a file, and needs leave to write.

    >>> tool_names(writing=False)[:3]
    ('evaluate', 'compare', 'gate')
    """
    unfit = {"campaign"} if writing else {"campaign", "report"}
    return tuple(verb for verb in get_args(Verb) if verb not in unfit)


def rows_of(verb: Verb, *, writing: bool) -> dict[str, Option]:
    """Give the options of a verb that an agent may set."""
    hidden = ELSEWHERE | SHOWN | (set() if writing else {"picture"})
    hidden |= {"question", "more"} if verb == "plan" else set()
    return {
        name: row
        for name, row in options_of(verb, "cli").items()
        if name not in hidden and (writing or not _written(row))
    }


def _written(row: Option) -> bool:
    return row.kind == "chart" or (row.kind == "file" and row.group == "Output")


def input_schema(verb: Verb, *, writing: bool = False) -> dict[str, Any]:
    """Say as a JSON schema what a tool takes.

    >>> found = input_schema("gate")["properties"]
    >>> found["alpha"]["type"], found["estimand"]["enum"], "junit" in found
    ('number', ['population', 'items'], False)
    """
    properties: dict[str, Any] = {"files": FILES}
    rows = rows_of(verb, writing=writing)
    for name, row in rows.items():
        told = dict(SCHEMAS.get(row.kind, TEXT))
        if row.choices and row.kind == "choice":
            told["enum"] = list(row.choices)
        usual = f" Without it: {row.shown_default}." if row.shown_default else ""
        properties[name] = {**told, "description": f"{row.words}{usual}"}
    if verb == "plan":
        questions = ", ".join(f"{name}: {words}" for name, words in PLAN_QUESTIONS.items())
        described = {"enum": list(PLAN_QUESTIONS), "description": questions}
        properties["question"] = {**TEXT, **described}
    required = [name for name, row in rows.items() if row.required]
    return {
        "type": "object",
        "properties": properties,
        "required": [*required, *(["question"] if verb == "plan" else [])],
        "additionalProperties": False,
    }


def words_of(verb: Verb, given: Mapping[str, Any], *, writing: bool = False) -> list[str]:
    """Write a call as the command that a person would type.

    >>> words_of("compare", {"files": ["a.csv"], "level": 0.9, "systems": ["x", "y"]})
    ['compare', '--json', '--systems=x', '--systems=y', '--level=0.9', '--', 'a.csv']
    """
    known = rows_of(verb, writing=writing)
    own = {"files", "question"} if verb == "plan" else {"files"}
    strange = sorted(set(given) - set(known) - own)
    if strange:
        message = f"{verb} takes no {strange[0]!r} here. It takes: {', '.join(sorted(known))}."
        raise RequestError(message)
    words: list[str] = [verb]
    if verb == "plan":
        words.append(str(given.get("question", "best")))
    if verb != "report":
        words.append("--json")
    for name, row in known.items():
        if (value := given.get(name)) is not None:
            words += _words(row, value)
    files = given.get("files") or []
    return [*words, "--", *([files] if isinstance(files, str) else map(str, files))]


def _words(row: Option, value: Any) -> list[str]:  # noqa: ANN401
    flag = row.flags[-1]
    if row.kind == "flag":
        return [flag] if value is True else []
    if isinstance(value, list) and row.kind in {"names", "labels", "each"}:
        return [f"{flag}={one}" for one in value]
    if isinstance(value, list):
        return [f"{flag}={','.join(map(str, value))}"]
    if isinstance(value, Mapping):
        return [f"{flag}={','.join(f'{name}={one}' for name, one in value.items())}"]
    return [f"{flag}={value}"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool gives back: words, and the result where there is one."""

    text: str
    result: dict[str, Any] | None = None

    @property
    def refused(self) -> bool:
        """Whether there is no result."""
        return self.result is None


@dataclass(slots=True, kw_only=True)
class Fence:
    """The folders whose files an agent may read, and whether it may write there.

    Two walls: what an argument names is looked at before anything is opened, and while a tool is at
    work Python itself refuses to open what lies outside.
    """

    folders: tuple[Path, ...]
    writing: bool = False
    _closed: bool = False
    _watched: bool = field(default=False)
    _looking: threading.local = field(default_factory=threading.local, init=False, repr=False)

    def check(self, verb: Verb, given: Mapping[str, Any]) -> None:
        """Refuse an argument that names a file outside, or something that is no file."""
        rows = rows_of(verb, writing=self.writing)
        files = given.get("files") or []
        for text in [files] if isinstance(files, str) else files:
            self._check_path(split_name(str(text))[2])
        for name, value in given.items():
            named = name in rows and rows[name].kind in {"file", "rows", "chart"}
            for text in _texts(value):
                if named:
                    self._check_path(text)
                else:
                    self._check_text(text)

    def _check_text(self, text: str) -> None:
        """Refuse a text that is the name of a file outside: a truth or a cost may be one."""
        for part in (text, text.rpartition(":")[0], text.partition("=")[2]):
            if ADDRESS.match(part) or (part and _there(Path(part)) and not self.holds(Path(part))):
                raise self._outside(part)

    def _check_path(self, text: str) -> None:
        if ADDRESS.match(text) or text == "-":
            raise self._outside(text)
        pattern = next((n for n, mark in enumerate(text) if mark in "*?["), None)
        fixed = text if pattern is None else text[:pattern].rpartition("/")[0] or "."
        parts = Path(text).parts
        if not self.holds(Path(fixed)) or (pattern is not None and ".." in parts):
            raise self._outside(text)

    def _outside(self, text: str) -> RequestError:
        inside = ", ".join(map(str, self.folders))
        message = f"{printable(text)!r} is outside of the folders that may be read: {inside}."
        return RequestError(message, code="outside")

    def holds(self, path: Path) -> bool:
        """Tell whether a path leads inside, also where it is a link."""
        try:
            real = path.expanduser().resolve()
        except (OSError, RuntimeError, ValueError):
            return False
        return any(real.is_relative_to(folder) for folder in self.folders)

    @contextmanager
    def closed(self) -> Iterator[None]:
        """Refuse, while the block runs, to open anything outside."""
        if not self._watched:  # there is no way to take a hook out again
            sys.addaudithook(self._watch)
            self._watched = True
        self._closed = True
        try:
            yield
        finally:
            self._closed = False

    def _watch(self, event: str, given: tuple[Any, ...]) -> None:
        if event != "open" or not self._closed or not isinstance(given[0], str | bytes | Path):
            return
        if getattr(self._looking, "now", False):  # what this very look opens, in its own thread
            return
        path = Path(given[0].decode() if isinstance(given[0], bytes) else given[0])
        writes = isinstance(given[1], str) and any(mark in given[1] for mark in "wax+")
        self._looking.now = True
        try:
            fine = self._permits(path, writes=writes)
        finally:
            self._looking.now = False
        if not fine:
            message = f"outside of the folders of this server: {printable(path)}"
            raise PermissionError(message)

    def _permits(self, path: Path, *, writes: bool) -> bool:
        real = path.resolve()
        scratch = Path(tempfile.gettempdir()).resolve()
        if real.is_relative_to(scratch) and real != scratch:
            own = real.relative_to(scratch).parts[0].startswith("steelyard-")
            return own or self._holds_to_write(path, writes=writes)
        if self._holds_to_write(path, writes=writes):
            return True
        return not writes and any(real.is_relative_to(one) for one in _own_places())

    def _holds_to_write(self, path: Path, *, writes: bool) -> bool:
        return self.holds(path) and (self.writing or not writes)


def _own_places() -> list[Path]:
    """Name where Python, its packages and the facts about this machine lie."""
    own = [sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]), "/proc", "/sys", "/dev"]
    packages = [one for one in sys.path if one.endswith(("site-packages", "dist-packages"))]
    return [Path(one).resolve() for one in (*own, *packages)]


def _there(path: Path) -> bool:
    try:
        return path.expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for one in value.values() for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []


def ask(verb: Verb, given: Mapping[str, Any], fence: Fence) -> Answer:
    """Call a verb, and give its sentence and its result; a refusal is words alone."""
    try:
        if verb not in tool_names(writing=fence.writing):
            raise RequestError.for_choice(
                name="tool", given=verb, choices=tool_names(writing=fence.writing)
            )
        fence.check(verb, given)
        words = words_of(verb, given, writing=fence.writing)
        with fence.closed():
            printed = _typed(words)
    except click.ClickException as error:
        return Answer(text=error.format_message())
    except SteelyardError as error:
        return Answer(text=str(error))
    except (OSError, MemoryError) as error:
        return Answer(text=f"{type(error).__name__}: {printable(error)}")
    if verb == "report":
        return Answer(text=printed.strip() or "The report is written.", result={"words": words})
    result: dict[str, Any] = json.loads(printed)
    caveats = [f"Caveat: {one}" for one in result.get("caveats") or []]
    return Answer(text="\n".join([str(result.get("sentence", "")), *caveats]), result=result)


def _typed(words: Sequence[str]) -> str:
    """Type a command inside this process and give what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        steelyard.main(args=list(words), prog_name="steelyard", standalone_mode=False)
    return out.getvalue() or err.getvalue()


def describe(verb: Verb) -> str:
    """Say what a verb answers, for whoever chooses among tools."""
    return COMMANDS[verb]

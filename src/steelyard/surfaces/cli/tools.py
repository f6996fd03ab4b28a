"""Verbs as tools for agents: their JSON schemas, and what a call types.

A schema is read from the table of options, a call is the command that a person would type, and the
answer is its result; so an agent is given neither more nor less than the command line has.
"""

import io
import json
import traceback
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, get_args

import click

from steelyard.errors import PARTS, ExtraMissing, RequestError, SteelyardError, printable
from steelyard.journey.options import PLAN_QUESTIONS, Kind, Option, Verb, options_of
from steelyard.surfaces.cli.entry import COMMANDS, steelyard
from steelyard.surfaces.cli.fence import Fence

__all__ = [
    "OUTPUT_SCHEMA",
    "Answer",
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
POINTS = 100
"""Points of a curve, unless more are asked for: an agent reads all that it is given."""
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
        if name not in hidden and (writing or not _is_output(row))
    }


def _is_output(row: Option) -> bool:
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
        default = POINTS if name == "points" else row.shown_default
        usual = f" Without it: {default}." if default else ""
        properties[name] = {**told, "description": f"{row.words}{usual}"}
    if verb == "plan":
        questions = ", ".join(f"{name}: {words}" for name, words in PLAN_QUESTIONS.items())
        described = {"enum": list(PLAN_QUESTIONS), "description": questions}
        properties["question"] = {**TEXT, **described}
    return {
        "type": "object",
        "properties": properties,
        "required": ["question"] if verb == "plan" else [],
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
        near = get_close_matches(strange[0], known, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        listed = ", ".join(sorted(known))
        message = f"{verb} takes no {strange[0]!r} here.{hint} It takes: {listed}."
        raise RequestError(message)
    _check_shapes(given, input_schema(verb, writing=writing)["properties"])
    words: list[str] = [verb]
    if verb == "plan":
        question = given.get("question") or "best"
        if question not in PLAN_QUESTIONS:
            raise RequestError.for_choice(
                name="question", given=question, choices=list(PLAN_QUESTIONS)
            )
        words.append(question)
    if verb != "report":
        words.append("--json")
    usual = {"points": POINTS} if "points" in known else {}
    for name, row in known.items():
        if (value := given.get(name, usual.get(name))) is not None:
            words += _words(row, value)
    files = given.get("files") or []
    return [*words, "--", *map(str, files if isinstance(files, list) else [files])]


def _check_shapes(given: Mapping[str, Any], schemas: Mapping[str, Mapping[str, Any]]) -> None:
    """Refuse what cannot be typed: a list where one value is meant, or a list of lists."""
    for name, value in given.items():
        kinds = {one["type"] for one in schemas[name].get("anyOf", [schemas[name]])}
        if isinstance(value, list | Mapping):
            inside = value.values() if isinstance(value, Mapping) else value
            kind = "object" if isinstance(value, Mapping) else "array"
            fits = kind in kinds and all(map(_is_plain, inside))
        else:
            fits = value is None or (kinds != {"boolean"} and _is_plain(value))
            fits |= isinstance(value, bool) and "boolean" in kinds
        if not fits:
            expected, told = " or ".join(sorted(kinds)), schemas[name]["description"]
            message = f"{name}={json.dumps(value)}; expected {expected}: {told}"
            raise RequestError(message)


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _words(row: Option, value: Any) -> list[str]:  # noqa: ANN401
    flag = row.flags[-1]
    if row.kind == "flag":
        return [flag] if value is True else []
    if isinstance(value, list | Mapping) and row.kind != "each":
        _refuse_marks(row, value)
    if isinstance(value, list) and row.kind in {"names", "labels", "each"}:
        return [f"{flag}={one}" for one in value]
    if isinstance(value, list):
        return [f"{flag}={','.join(map(str, value))}"]
    if isinstance(value, Mapping):
        return [f"{flag}={','.join(f'{name}={one}' for name, one in value.items())}"]
    return [f"{flag}={value}"]


def _refuse_marks(row: Option, value: Sequence[Any] | Mapping[str, Any]) -> None:
    """Refuse a name that, typed, would be two: commas separate names, and = ends one."""
    texts = [*value, *value.values()] if isinstance(value, Mapping) else value
    marked = [one for one in map(str, texts) if "," in one]
    marked += [one for one in value if "=" in str(one)] if isinstance(value, Mapping) else []
    if marked:
        exact = " Classes are named exactly by class_names." if row.name == "classes" else ""
        message = (
            f"{row.name}: {printable(str(marked[0]))!r} would be taken apart at its mark. Let each "
            f"name be an entry; rename what holds one.{exact}"
        )
        raise RequestError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tool returns: words, and the result where there is one."""

    text: str
    result: dict[str, Any] | None = None

    @property
    def refused(self) -> bool:
        """Whether there is no result."""
        return self.result is None


def ask(verb: Verb, given: Mapping[str, Any], fence: Fence) -> Answer:
    """Call a verb, and give its sentence and its result; a refusal is words alone."""
    known = tool_names(writing=fence.writing)
    if verb not in known:
        return Answer(text=str(RequestError.for_choice(name="tool", given=verb, choices=known)))
    try:
        words = words_of(verb, given, writing=fence.writing)
        fence.check(rows_of(verb, writing=fence.writing), given)
        with fence.closing():
            printed = _type_command(words)
    except Exception as error:  # the agent is told, whatever it is, and the server goes on
        return Answer(text=_complaint(verb, error))
    if verb == "report":
        return Answer(text=printed.strip() or "The report is written.", result={"words": words})
    result: dict[str, Any] = json.loads(printed)
    caveats = [f"Caveat: {one}" for one in result.get("caveats") or []]
    return Answer(text="\n".join([str(result.get("sentence", "")), *caveats]), result=result)


def _complaint(verb: Verb, error: Exception) -> str:
    """Say in words what went wrong; what is a fault of ours stands whole in the server's log."""
    said = printable(f"{type(error).__name__}: {error}")
    module = str(getattr(error, "name", None)).partition(".")[0]
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, SteelyardError):
        return str(error)
    if isinstance(error, ImportError) and module in PARTS:
        return str(ExtraMissing.for_module(f"steelyard {verb}", module))
    if isinstance(error, OSError | MemoryError):
        return said
    traceback.print_exception(error)
    return f"Steelyard itself failed ({said}). Tell its authors what was asked."


def _type_command(words: Sequence[str]) -> str:
    """Type a command inside this process and give what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        steelyard.main(args=list(words), prog_name="steelyard", standalone_mode=False)
    return out.getvalue() or err.getvalue()


def describe(verb: Verb) -> str:
    """Say what a verb answers, for whoever chooses among tools.

    >>> describe("plan")  # doctest: +ELLIPSIS
    'How many test items do I need? Says how many items to test so that the best system, ...'
    """
    command = steelyard.get_command(click.Context(steelyard), verb)
    prose = (command.help or "").partition("\b")[0] if command is not None else COMMANDS[verb]
    return " ".join(prose.split())

"""Markdown that is made from the code itself; cog inserts it into docs/reference/."""

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, get_args

import click
from click.testing import CliRunner

if TYPE_CHECKING:
    from steelyard.journey.options import Option

__all__ = [
    "command_pages",
    "error_table",
    "log_formats",
    "option_table",
    "option_types",
    "walk_commands",
]

PYTHON_TYPES = {
    "column": "str",
    "name": "str",
    "text": "str",
    "choice": "str",
    "share": "float",
    "number": "float",
    "exact": "Number",
    "count": "int",
    "seed": "int",
    "flag": "bool",
    "size": "str | int",
    "range": "str | tuple[float, float]",
    "costs": "Mapping[str, Number]",
    "shares": "Mapping[str, float]",
    "settings": "Mapping[str, Any]",
    "observer": "Callable[[Statement], None]",
}
"""What a kind of option is in Python; all others are looked at by the verb itself."""

ENTRY = "steelyard.surfaces.cli.entry"


def entry_command() -> click.Command:
    """Find the click command behind the console script."""
    module = importlib.import_module(ENTRY)
    for candidate in (module.main, *vars(module).values()):
        if isinstance(candidate, click.Command):
            return candidate
    message = f"{ENTRY} exposes no click command."
    raise LookupError(message)


def walk_commands() -> Iterator[tuple[str, ...]]:
    """List every command that is shown to people, as the words after ``steelyard``."""
    root = entry_command()
    return _walk(root, (), click.Context(root, info_name="steelyard"))


def command_pages() -> str:
    """Give the help text of every command under a heading of its own."""
    pages = []
    for path in walk_commands():
        title = " ".join(("steelyard", *path))
        pages.append(f"## `{title}`\n\n```text\n{_help_text(path)}\n```\n")
    return "\n".join(pages)


def option_types() -> str:
    """Write the types of every verb's keywords: the roles, its own settings, and all together."""
    from steelyard.journey.options import Verb, options_of, role_names

    roles = role_names()
    rows = {verb: options_of(verb, "python") for verb in get_args(Verb)}
    shared = [row for row in rows["compare"].values() if row.name in roles]
    made = {"RoleArguments": _typed_dict("RoleArguments", _role_words(shared), shared)}
    for verb, known in rows.items():
        own = [row for row in known.values() if row.name not in roles and not row.overloaded]
        asked, whole = f"{verb.title()}Settings", f"{verb.title()}Options"
        if own:
            made[asked] = _typed_dict(asked, f"What {verb} is asked.", own)
            made[whole] = (
                f"class {whole}({asked}, RoleArguments, total=False):\n"
                f'    """Every keyword of {verb}."""\n'
            )
    listed = "".join(f'    "{name}",\n' for name in sorted(made))
    return "\n\n".join([f"__all__ = [\n{listed}]\n", *made.values()])


def _role_words(rows: "list[Option]") -> str:
    said = " ".join(f"``{row.name}``: {row.words}" for row in rows)
    indent = "    "
    told = textwrap.fill(said, 100, initial_indent=indent, subsequent_indent=indent)
    return f"What is said about the data.\n\n{told}\n{indent}"


def _typed_dict(name: str, words: str, rows: "list[Option]") -> str:
    fields = "\n".join(f"    {row.name}: {_python_type(row)}" for row in rows)
    return f'class {name}(TypedDict, total=False):\n    """{words}"""\n\n{fields}\n'


def _python_type(row: "Option") -> str:
    known = row.python or PYTHON_TYPES.get(row.kind, "Any")
    optional = not row.python and known != "Any" and row.default is None
    return f"{known} | None" if optional else known


def option_table() -> str:
    """List every option: which verbs take it, what it is without it, and who offers it."""
    from steelyard.journey.options import GROUPS, OPTIONS

    lines = []
    for group in GROUPS:
        lines += [f"## {group}", ""]
        lines += ["| Python | command line | page | `steelyard.toml` | verbs | what it says |"]
        lines += ["|---|---|---|---|---|---|"]
        lines += [_option_row(row) for row in OPTIONS if row.group == group]
        lines += [""]
    return "\n".join(lines)


def _option_row(row: "Option") -> str:
    from steelyard.journey.options import Verb

    default = f" [default: {row.shown_default}]" if row.shown_default else ""
    page = "–" if row.page is None else row.page.label or "in links"
    words = f"{row.words}{default}"
    cells = (
        "–" if row.python is None else f"`{row.name}`",
        " ".join(f"`{flag}`" for flag in row.flags) or "–",
        page,
        f"`{row.name}`" if row.toml else "–",
        "all" if set(row.verbs) == set(get_args(Verb)) else ", ".join(row.verbs),
        words,
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def error_table() -> str:
    """List every error class: its code, the builtins it also is, and what it means."""
    module = importlib.import_module("steelyard.errors")
    base = module.SteelyardError
    lines = ["| class | code | also a | exit code | meaning |", "|---|---|---|---|---|"]
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.isclass(found) and issubclass(found, base):
            lines.append(_error_row(found, module))
    return "\n".join(lines) + "\n"


def log_formats() -> str:
    """List every format of evaluation logs, with a tick where a sample is read in the tests."""
    from steelyard.sources.logs import FORMATS, detect_log

    samples = Path(__file__).parents[1] / "tests/sources/logs/data"
    told = [detect_log(path) for path in sorted(samples.rglob("*")) if path.is_file()]
    lines = [
        "| format | item | repeats | reader | sample | traps tested | provenance of the sample |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in FORMATS:
        tick = "✓" if one in told else "made in the tests"
        name = f"{one.name} (unverified format)" if one.provenance == "unverified" else one.name
        cells = (name, one.item, one.repeats, "✓", tick, one.traps, one.provenance)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _walk(
    command: click.Command, path: tuple[str, ...], context: click.Context
) -> Iterator[tuple[str, ...]]:
    yield path
    if not isinstance(command, click.Group):
        return
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        if child is not None and not child.hidden:
            inner = click.Context(child, info_name=name, parent=context)
            yield from _walk(child, (*path, name), inner)


def _help_text(path: tuple[str, ...]) -> str:
    arguments = [*path, "--help"]
    told = CliRunner().invoke(
        entry_command(),
        arguments,
        catch_exceptions=False,
        prog_name="steelyard",
        terminal_width=80,
        max_content_width=80,
    )
    if told.exit_code:
        message = f"steelyard {' '.join(arguments)} ended with {told.exit_code}:\n{told.output}"
        raise RuntimeError(message)
    return "\n".join(line.rstrip() for line in told.output.rstrip().splitlines())


def _error_row(error: type, module: ModuleType) -> str:
    builtins = [
        base.__name__
        for base in error.__mro__[1:]
        if base.__module__ == "builtins" and base not in {Exception, BaseException, object}
    ]
    wrong_usage = issubclass(error, module.RequestError)
    base_only = error is module.SteelyardError
    status = "" if base_only else "2" if wrong_usage else "1"
    code = getattr(error, "code", "")
    meaning = _first_line(error)
    return f"| `{error.__name__}` | `{code}` | {', '.join(builtins)} | {status} | {meaning} |"


def _first_line(found: object) -> str:
    return (inspect.getdoc(found) or "").partition("\n")[0].replace("|", "\\|")

"""What a command line cannot mean, whatever the command: refused before anything is read.

An option that takes one value is given twice; two forms of output are asked for at once; a file
would overwrite one that is read.
"""

import glob
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import click

__all__ = ["refuse_contradictions"]

WRITTEN = ("output", "items", "chart", "curve", "junit", "summary")
"""Options that name a file to write."""
PICTURES = {".html", ".md", ".pdf", ".png", ".svg", ".xml"}


def refuse_contradictions(command: click.Command) -> click.Command:
    """Let a command, and those below it, refuse what would be settled silently."""
    if not getattr(command, "contradictions_refused", False):
        command.parse_args = partial(_parse, command, command.parse_args)  # type: ignore[method-assign]
        command.contradictions_refused = True  # type: ignore[attr-defined]
    if isinstance(command, click.Group):
        for one in command.commands.values():
            refuse_contradictions(one)
    return command


def _parse(
    command: click.Command,
    parse: Callable[[click.Context, list[str]], list[str]],
    context: click.Context,
    args: list[str],
) -> list[str]:
    _refuse_repeats(command, context, args)
    left = parse(context, args)
    given = context.params
    if given.get("as_json") and (given.get("as_csv") or given.get("raw_csv")):
        message = "--json and --csv are two forms of one answer. Which is meant? Give one of them."
        raise click.UsageError(message, ctx=context)
    for name in WRITTEN:
        target = given.get(name)
        if target is not None and Path(target).is_file():
            _refuse_overwriting(Path(target), given, context)
    return left


def _refuse_repeats(command: click.Command, context: click.Context, args: list[str]) -> None:
    try:
        _, _, order = command.make_parser(context).parse_args(list(args))
    except click.NoSuchOption as error:
        raise _say_who_takes_it(error, context) from None
    except click.BadOptionUsage as error:
        raise _say_what_it_takes(error, context) from None
    seen: set[str] = set()
    for parameter in order:
        if not isinstance(parameter, click.Option) or _may_repeat(parameter):
            continue
        if parameter.name in seen:
            message = (
                f"{parameter.opts[-1]} is given twice, and takes one value. Which is meant? Give "
                "it once."
            )
            raise click.UsageError(message, ctx=context)
        seen.add(str(parameter.name))


def _say_who_takes_it(error: click.NoSuchOption, context: click.Context) -> click.UsageError:
    """Say of an option that other commands take which these are."""
    from steelyard.journey.options import verbs_with

    near = _neighbours(error.option_name, context)
    takers = set(near) or verbs_with(error.option_name)  # of one group: campaign add, say
    if not takers:
        return error
    *others, last = sorted(takers)
    verbs = f"{', '.join(others)} and {last}" if others else last
    message = f"No such option {error.option_name!r} here; it belongs to {verbs}."
    return click.UsageError(message, context)


def _neighbours(option: str, context: click.Context) -> list[str]:
    """List the commands of the same group that take an option."""
    around = context.parent
    if around is None or around.parent is None or not isinstance(around.command, click.Group):
        return []
    found = {name: around.command.get_command(around, name)
             for name in around.command.list_commands(around)}  # fmt: skip
    return [
        f"{around.info_name} {name}"
        for name, command in found.items()
        if command is not None and any(option in one.opts for one in command.params)
    ]


def _say_what_it_takes(error: click.BadOptionUsage, context: click.Context) -> click.UsageError:
    """Say of an option without its value what the value is, in the words of the help."""
    for option in context.command.params:
        help_record = option.get_help_record(context)
        if error.option_name in option.opts and "requires an arg" in error.message and help_record:
            switch, said = help_record
            return click.UsageError(f"{error.option_name} takes a value: {switch}. {said}", context)
    return error


def _may_repeat(option: click.Option) -> bool:
    """Tell options that gather what they are given, and switches that say the same twice."""
    return option.multiple or option.count or (option.is_flag and not option.secondary_opts)


def _refuse_overwriting(target: Path, given: Mapping[str, Any], context: click.Context) -> None:
    inside = target.suffix.lower() not in PICTURES  # which no folder is read for
    for name, value in given.items():
        texts = () if name in WRITTEN else _texts(value)
        within = inside and name == "files"
        if any(one.samefile(target) for text in texts for one in _files(text, within=within)):
            message = (
                f"{target} is read here, and would be overwritten: what it holds would be lost. "
                "Name another file to write."
            )
            raise click.UsageError(message, ctx=context)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str | Path):
        yield str(value)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one)


def _files(text: str, *, within: bool) -> Iterator[Path]:
    """List the files that a text may mean: a path, NAME=PATH, PATH:COLUMN, a pattern, a folder."""
    for part in {text, text.partition("=")[2], text.rpartition(":")[0]} - {""}:
        try:
            # The text itself, too: a name may hold what is a mark in patterns.
            for found in (Path(part), *map(Path, glob.iglob(part, recursive=True))):  # noqa: PTH207
                if found.is_file():
                    yield found
                elif within and found.is_dir():
                    yield from (one for one in found.iterdir() if one.is_file())
        except (OSError, ValueError):
            continue

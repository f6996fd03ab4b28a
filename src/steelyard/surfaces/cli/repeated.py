"""An option that takes one value, given twice: refused, for every command in one place."""

from collections.abc import Callable
from functools import partial

import click

__all__ = ["refuse_repeats"]


def refuse_repeats(command: click.Command) -> click.Command:
    """Let a command, and those below it, refuse an option whose last value would win silently."""
    if not getattr(command, "repeats_refused", False):
        command.parse_args = partial(_parse_once, command, command.parse_args)  # type: ignore[method-assign]
        command.repeats_refused = True  # type: ignore[attr-defined]
    if isinstance(command, click.Group):
        for one in command.commands.values():
            refuse_repeats(one)
    return command


def _parse_once(
    command: click.Command,
    parse: Callable[[click.Context, list[str]], list[str]],
    context: click.Context,
    args: list[str],
) -> list[str]:
    _, _, order = command.make_parser(context).parse_args(list(args))
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
    return parse(context, args)


def _may_repeat(option: click.Option) -> bool:
    """Tell options that gather what they are given, and switches that say the same twice."""
    return option.multiple or option.count or (option.is_flag and not option.secondary_opts)

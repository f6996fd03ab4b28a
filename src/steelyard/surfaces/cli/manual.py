"""The manual page: the texts of ``--help`` as ``man`` reads them."""

from collections.abc import Iterator

import click

from steelyard._version import __version__

__all__ = ["write_manual"]

WIDTH = 78


def write_manual(root: click.Group) -> str:
    r"""Write one page with the help of every command, in the language of ``man``.

    Examples
    --------
    >>> @click.group()
    ... def scale():
    ...     "Weigh things."
    >>> print(write_manual(scale).splitlines()[1:3])
    ['.SH NAME', 'steelyard \\- weigh recognition systems against one another']
    """
    lines = [
        f'.TH STEELYARD 1 "" "steelyard {__version__}" "User Commands"',
        ".SH NAME",
        r"steelyard \- weigh recognition systems against one another",
        ".SH SYNOPSIS",
        r".B steelyard",
        "COMMAND [OPTIONS] [FILE...]",
    ]
    for path, context in _walk(root, click.Context(root, info_name="steelyard")):
        title = "DESCRIPTION" if context.parent is None else f"{' '.join(path)}"
        lines += [".SH " + _plain(title) if len(path) < 3 else ".SS " + _plain(title), ".nf"]
        lines += [_plain(line) for line in context.command.get_help(context).splitlines()]
        lines.append(".fi")
    return "\n".join([*lines, ""])


def _walk(
    command: click.Command, context: click.Context, path: tuple[str, ...] = ("steelyard",)
) -> Iterator[tuple[tuple[str, ...], click.Context]]:
    context.terminal_width = WIDTH
    yield path, context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                inner = click.Context(child, info_name=name, parent=context)
                yield from _walk(child, inner, (*path, name))


def _plain(line: str) -> str:
    """Write a line so that nothing in it is a command of the page."""
    text = line.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{text}" if text.startswith((".", "'")) else text

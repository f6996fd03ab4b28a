"""A refusal on the screen: words wrapped, commands whole, twelve lines, what to type next last."""

import os
import re
import sys

from steelyard.display.saving import WINDOWS
from steelyard.display.text import display_width

__all__ = ["show_refusal", "wrap_refusal"]

MOST_LINES, FEWEST_LINES = 12, 3
"""How many lines a refusal fills, and how many are its own beside a very long command."""

USUAL_WIDTH, WIDEST, NARROWEST = 80, 100, 30
"""Columns where no terminal says how wide it is; and the widest and narrowest lines."""

REST = "... The rest is shown with --verbose."
COMMAND = re.compile(r"(?:^| )(Type(?: once)?: .+)$")
UNIT = re.compile(
    r"\((?:--[a-z]|[a-z_]+=)[^()]*\)\S*"  # a switch as it is typed
    r"|steelyard(?: [a-z]+(?!\S)){1,2}(?: (?:--[a-z-]+|[A-Z]{2,}(?!\w)|\S*[./='<]\S*))*"
    r"|\S+"
)
"""What stays in one line: a switch, a command, a word."""
LONG = re.compile(r"(\S{60})\S{400,}(\S{20})")
"""A word that would fill the screen: what was pasted in place of a name."""
START = re.compile(r" *(?:\d+\. )?")
QUOTED = re.compile(r"(?<=[ =])'[^']*'(?:\"'\"'[^']*')*")
"""A word as POSIX quotes it."""


def show_refusal(message: str, typed: str | None = None, *, whole: bool = False) -> str:
    """Wrap a refusal; what is too long is cut, but never the command to type next.

    Examples
    --------
    >>> print(show_refusal("steelyard: Neither is known.", "steelyard evaluate a.csv"))
    steelyard: Neither is known.
    Type: steelyard evaluate a.csv
    """
    width = _width()
    message = message if whole else LONG.sub(r"\1…\2", message)
    commands = [] if typed is None else [f"Type: {typed}"]
    lines = wrap_refusal(message, width).split("\n")
    while not commands and lines and lines[-1].startswith("Type"):
        commands.append(lines.pop())
    room = max(FEWEST_LINES, MOST_LINES - _height(commands, width))
    if not whole and _height(lines, width) > room:
        while len(lines) > 1 and _height(lines, width) > room - 1:
            lines.pop()
        lines = [*_end(_without_bare_number(lines)), REST]
    return "\n".join([*lines, *map(_quote_for_here, commands)])


def wrap_refusal(text: str, width: int | None = None) -> str:
    """Break a text between words; a command stands in a line of its own, which is never broken.

    Examples
    --------
    >>> print(wrap_refusal("Say which: truth='y' (--truth y). Type: steelyard roc a.csv", 30))
    Say which: truth='y'
    (--truth y).
    Type: steelyard roc a.csv
    """
    columns = _width() if width is None else width
    lines: list[str] = []
    for paragraph in text.split("\n"):
        found = COMMAND.search(paragraph)
        words = paragraph[: found.start()] if found else paragraph
        lines += _wrap(words, columns) if words.strip() or not found else []
        lines += [_quote_for_here(found[1])] if found else []
    return "\n".join(lines)


def _quote_for_here(words: str) -> str:
    """Quote what is typed as this system's shells read it: the command prompt knows ``"`` alone."""
    typed = words.startswith(("Type", "(--", "steelyard "))
    return QUOTED.sub(_in_double_quotes, words) if WINDOWS and typed else words


def _in_double_quotes(found: re.Match[str]) -> str:
    word = found[0].replace("'\"'\"'", "'")[1:-1]
    if any(sign in word for sign in '"$`'):  # PowerShell, at least, takes it as it is
        return found[0]
    ending = len(word) - len(word.rstrip("\\"))  # a sign before the last quote would take it away
    return f'"{word}{chr(92) * ending}"'


def _wrap(paragraph: str, width: int) -> list[str]:
    start = START.match(paragraph)
    first = start[0] if start else ""
    lines = [first]
    for unit in map(_quote_for_here, UNIT.findall(paragraph[len(first) :])):
        line = lines[-1]
        joined = f"{line} {unit}" if line.strip() and line != first else line + unit
        # A word that is wider than the terminal is broken there: what follows goes on behind it.
        if line == first or display_width(joined) <= _rows(line, width) * width:
            lines[-1] = joined
        else:
            lines.append(" " * len(first) + unit)
    return lines


def _without_bare_number(lines: list[str]) -> list[str]:
    """Leave out a last line that only begins to say something: its number, and one line of it."""
    return lines[:-1] if len(lines) > 1 and re.match(r" *\d+\. ", lines[-1]) else lines


def _end(lines: list[str]) -> list[str]:
    """End with a sentence where one ends in the last two lines, else with a mark."""
    for place in range(len(lines) - 1, max(len(lines) - 3, 0), -1):
        kept, stop, _ = f"{lines[place]} ".rpartition(". ")
        if stop:
            return [*lines[:place], f"{kept}."]
    return [*lines[:-1], f"{lines[-1].rstrip(' ,;:…')} …"]


def _height(lines: list[str], width: int) -> int:
    return sum(_rows(line, width) for line in lines)


def _rows(line: str, width: int) -> int:
    return max(1, -(-display_width(line) // width))


def _width() -> int:
    """Count the columns of the terminal that shows refusals."""
    try:
        seen = os.get_terminal_size(sys.stderr.fileno()).columns
    except (AttributeError, ValueError, OSError):
        return USUAL_WIDTH
    return min(WIDEST, max(NARROWEST, seen)) if seen else USUAL_WIDTH

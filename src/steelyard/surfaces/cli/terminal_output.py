"""Words for people: nothing that came from data or file names steers their terminal."""

import codecs
import os
import re
import sys
from typing import TextIO, cast

import click

from steelyard.errors import strip_control_characters

__all__ = ["hand_over", "json_out", "paint", "say", "settle_streams"]

ALIKE = {
    "─": "-", "│": "|", "├": "|", "┤": "|", "●": "o", "−": "-", "–": "-", "—": "-", "…": "...",
    "≥": ">=", "≤": "<=", "Δ": "d", "×": "x", "’": "'", "±": "+-", "→": "->", "✅": "[ok]",
}  # fmt: skip
"""What stands for a character of ours on a console that does not have it."""

COLOURS = {
    "different": "green",
    "pass": "green",
    "same": "cyan",
    "undecided": "yellow",
    "fail": "red",
    "note:": "yellow",
}
"""Never the only sign: each of these is a word that says it."""
WORDS = re.compile(r"(?<=  )(?:different|same|undecided|pass|fail)$|^note:", re.MULTILINE)


def say(text: str, *, err: bool = False) -> None:
    """Say something in words."""
    click.echo(strip_control_characters(text), err=err)


def settle_streams() -> None:
    """Let a console of few characters, such as one of Windows, show what it can.

    Ours are replaced by others that look alike, those of data by their numbers. Where there is no
    standard input, output or words of errors (``>&-``), the null device is in its place, so that no
    file that is opened later gets its number.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            setattr(sys, name, _open_nothing(number, mode))
    codecs.register_error("steelyard", _replace)
    for stream in (sys.stdout, sys.stderr):
        if not _is_unicode(stream.encoding) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="steelyard")


def _open_nothing(number: int, mode: str) -> TextIO:
    nothing = os.open(os.devnull, os.O_RDWR)
    if nothing != number:
        os.dup2(nothing, number)
        os.close(nothing)
    return cast(TextIO, open(number, mode, encoding="utf-8"))


def _is_unicode(encoding: str | None) -> bool:
    """Tell whether a stream takes every character; one without an encoding takes text as it is."""
    return encoding is None or encoding.lower().startswith(("utf", "cp65001"))


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(ALIKE.get(one) or _number(one) for one in missing), error.end


def _number(character: str) -> str:
    """Write a character as JSON does, so that JSON stays what it says."""
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def json_out(text: str) -> str:
    """Give JSON with all its characters, also where a console does not have them."""
    if text.isascii() or _is_unicode(sys.stdout.encoding):
        return text
    return "".join(one if one.isascii() else _number(one) for one in text)


def hand_over(text: str) -> None:
    """Print what a program is to read, byte for byte; on a terminal a person reads it."""
    seen = sys.stdout.isatty()
    if not seen and not _is_unicode(sys.stdout.encoding):
        click.echo(text.encode(), nl=False)
        return
    # With color=True nothing is taken out of what goes to a program.
    click.echo(strip_control_characters(text) if seen else text, nl=False, color=True)


def paint(text: str) -> str:
    """Make the sentence bold and colour verdicts and doubts, where somebody wants to see that.

    Nothing changes in a pipe, on a dumb terminal, or where ``NO_COLOR`` is set
    (https://no-color.org).
    """
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR"):
        return text
    sentence, between, rest = text.partition("\n\n")
    bold = "\n".join(click.style(line, bold=True) for line in sentence.split("\n"))
    return bold + between + WORDS.sub(lambda found: click.style(found[0], COLOURS[found[0]]), rest)

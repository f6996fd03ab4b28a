"""What a case leaves behind when it is typed, and whether that is what was kept."""

import difflib
import hashlib
import os
import re
import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from datetime import UTC, datetime
from importlib import import_module
from math import isclose
from pathlib import Path
from pkgutil import walk_packages
from typing import Any
from unittest import mock

import click

import steelyard
from steelyard.results import Result
from steelyard.surfaces.cli.entry import steelyard as entry
from tests.typed import Typed, type_words

__all__ = ["agrees", "clock_stopped", "command_of", "difference", "outputs"]

MASKS: list[tuple[str, str]] = [
    (rf"(?i)(steelyard |\"version\": \"){re.escape(steelyard.__version__)}", r"\1VERSION"),
    # A page is as long as the last digits in it, and these are the processor's.
    (r"(wrote out\.html) \([\d,]+ bytes\)", r"\1 (SIZE)"),
    # The policy of a page holds hashes of its script and style, which are kept as such below.
    (r"sha256-[\w+/]+=", "sha256-HASH="),
]
"""What truly varies, and what stands in its place."""

WRITING = ("campaign new", "campaign add")
"""Commands that answer otherwise when they are typed again."""

PIECES = re.compile(r"(<(svg|script|style)\b[^>]*>)(.*?)(</\2>)", re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
FULL = re.compile(r"-?\d+\.\d{11,}(?:[eE][-+]?\d+)?|-?\d+(?:\.\d+)?[eE]-\d+|\b0\.0\b")
"""A number with all its digits; 0.0 too, since what cancels may leave 1e-16 elsewhere."""

CLOSE = 1e-7
"""Processors differ in the last digits of long sums; where a lowest value is searched for, its
place is known to half of the digits only."""


def outputs(lines: list[str], fresh: Callable[[], Path], *, again: bool) -> dict[str, str]:
    """Type lines in a fresh folder; give what they leave, by the ending of the kept file.

    The last line is typed ``again`` with ``--json``, or the result that it printed is written so.
    """
    here = fresh()
    with chdir(here):
        before = "".join(_told(line) for line in lines[:-1])
        with _noting_results() as printed:
            left = {"txt": before + _told(lines[-1])}
        page = Path("out.html")
        if page.exists():
            left["html"] = _without_drawings(page.read_text(encoding="utf-8"))
    again = again or not printed or "--methods-text" in lines[-1]
    if _answers_json(lines[-1]) and not again:
        left["json"] = _masked(f"{printed[-1].to_json()}\n")
    elif _answers_json(lines[-1]):
        writes = lines[-1].startswith(WRITING)
        with chdir(fresh() if writes else here):
            for line in lines[:-1] if writes else ():
                _type(line)
            left["json"] = _masked(_type(f"{lines[-1]} --json").out)
    return {ending: text for ending, text in left.items() if text}


@contextmanager
def _noting_results() -> Iterator[list[Result]]:
    """Note the results that are printed as text."""
    printed: list[Result] = []
    text = Result.text

    def noting(result: Result, **asked: Any) -> str:
        printed.append(result)
        return text(result, **asked)

    with mock.patch.object(Result, "text", noting):
        yield printed


def command_of(line: str) -> tuple[str, click.Command]:
    """Find the command that a line names, and its words."""
    command: click.Command = entry
    path = []
    for word in shlex.split(line):
        if not isinstance(command, click.Group) or word.startswith("-"):
            break
        command = command.get_command(click.Context(command), word)  # type: ignore[assignment]
        path.append(word)
    return " ".join(path), command


def _answers_json(line: str) -> bool:
    options = {name for option in command_of(line)[1].params for name in option.opts}
    return "--json" in options and not {"--csv", "--table"} & set(line.split())


def _told(line: str) -> str:
    code, out, err = _type(line)
    errors = f"--- on standard error\n{err}" if err else ""
    ended = f"--- ended with {code}\n" if code else ""
    return _masked(f"$ steelyard {line}\n{out}{errors}{ended}")


def _type(line: str) -> Typed:
    return type_words(shlex.split(line))


def _masked(text: str) -> str:
    text = text.replace(os.getcwd(), "FOLDER")  # noqa: PTH109
    for pattern, word in MASKS:
        text = re.sub(pattern, word, text)
    return text


def _without_drawings(page: str) -> str:
    """Put a hash in the place of every drawing, script, style sheet and embedded JSON.

    Where things lie in a drawing depends on the fonts of the machine, so that its numbers do not
    count; those of the data do, to six digits.
    """

    def hashed(piece: re.Match[str]) -> str:
        opening, name, content, closing = piece.groups()
        drawn = name == "svg" or 'class="hints"' in opening
        steady = NUMBER.sub("0", content) if drawn else FULL.sub(_six_digits, content)
        opening = NUMBER.sub("0", opening) if drawn else opening
        return f"{opening}{hashlib.sha256(steady.encode()).hexdigest()}{closing}"

    return PIECES.sub(hashed, _masked(page))


def _six_digits(number: re.Match[str]) -> str:
    return f"{float(number[0]):.6g}"


def agrees(left: str, kept: str, *, to_the_byte: bool) -> bool:
    """Compare byte for byte, but for the last digits of numbers that are given in full."""
    if left == kept or to_the_byte:
        return left == kept
    if FULL.sub("N", left) != FULL.sub("N", kept):
        return False
    return all(
        isclose(float(one), float(two), rel_tol=CLOSE, abs_tol=1e-15)
        for one, two in zip(FULL.findall(left), FULL.findall(kept), strict=True)
    )


def difference(left: str, kept: str, name: str) -> str:
    """Show what changed as a patch would."""
    lines = difflib.unified_diff(
        kept.splitlines(), left.splitlines(), f"kept/{name}", "now", lineterm="", n=2
    )
    return "\n".join(lines)


@contextmanager
def clock_stopped() -> Iterator[None]:
    """Stop the clock wherever a campaign reads it: the hashes of a ledger hold the time."""

    class Noon(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime(2030, 1, 1, 12, tzinfo=UTC).astimezone(tz)

    room = import_module("steelyard.campaigns")
    names = [module.name for module in walk_packages(room.__path__, f"{room.__name__}.")]
    with ExitStack() as stopped:
        for name in names:
            if vars(import_module(name)).get("datetime") is datetime:
                stopped.enter_context(mock.patch(f"{name}.datetime", Noon))
        yield

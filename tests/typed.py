"""A command line to type at, inside the process that runs the tests.

Starting Python and what it loads takes most of a second; what a command says is the same here.
Where the process itself is the point (signals, what is loaded, other environments), start one.
"""

import io
import os
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from steelyard.surfaces.cli.entry import main

__all__ = ["Typed", "type_words"]


class Typed(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def words(self) -> str:
        """What was said on standard error, as if a line had no end."""
        return " ".join(self.err.split())


def type_words(
    words: Sequence[object],
    *,
    folder: Path | str = ".",
    given: bytes | None = None,
    environment: dict[str, str] | None = None,
    encoding: str = "utf-8",
) -> Typed:
    """Type ``steelyard WORDS`` in a folder, with bytes on standard input."""
    read, out, err = (_stream(content, encoding) for content in (given or b"", b"", b""))
    typed = mock.patch.multiple(sys, argv=["steelyard", *map(str, words)], stdin=read)
    around = mock.patch.dict(os.environ, environment or {})
    # Words of usage name the program, also where the tests were started by ``python -m``.
    program = mock.patch.object(sys.modules["__main__"], "__package__", None)
    code: object = 0
    with typed, around, program, chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        out.flush()
        err.flush()
    return Typed(int(str(code)), _read(out), _read(err))


def _stream(content: bytes, encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="")


def _read(stream: io.TextIOWrapper) -> str:
    return stream.buffer.getvalue().decode(stream.encoding)  # type: ignore[attr-defined]

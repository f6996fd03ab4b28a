"""A fence around the files that an agent may read, and perhaps write."""

import errno
import glob
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steelyard.errors import RequestError, printable
from steelyard.journey.options import Option
from steelyard.surfaces.cli.running import ADDRESS, split_name

__all__ = ["Fence"]

FACTS = {
    "meminfo", "cpuinfo", "stat", "statm", "status", "cgroup", "mounts", "mountinfo", "limits",
    "maps", "version", "uptime", "loadavg", "filesystems",
}  # fmt: skip
"""What may be read below /proc: facts, and not the environment or the open files of a process."""
DEVICES = {"null", "urandom", "random"}


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

    def check(self, rows: Mapping[str, Option], given: Mapping[str, Any]) -> None:
        """Refuse an argument that names a file outside, or something that is no file."""
        files = given.get("files") or []
        for text in files if isinstance(files, list) else [files]:
            self._check_path(split_name(str(text))[2])
        for name, value in given.items():
            named = name in rows and rows[name].kind in {"file", "rows", "chart"}
            for text in _texts(value):
                # A baseline may be the name of a system, and then no file has it.
                if named and (name != "baseline" or _may_be_files(text)):
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
        fixed = text if pattern is None else text[: _folder_end(text, pattern)] or "."
        parts = Path(text).parts
        if not self.holds(Path(fixed)) or (pattern is not None and ".." in parts):
            raise self._outside(text)
        found = [text] if pattern is None else glob.iglob(text, recursive=True)  # noqa: PTH207
        for path in map(Path, found):
            if not self.holds(path):  # a link that leads out
                raise self._outside(str(path))
            if _there(path) and not (path.is_file() or path.is_dir()):
                message = f"{printable(path)!r} is not a file: a pipe or a device may never end."
                raise RequestError(message, code="no-file")

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
    def closing(self) -> Iterator[None]:
        """Refuse, while the block runs, to open anything outside."""
        tempfile.gettempdir()  # tries the folder out, once, under a lock: not from within the hook
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
            message = "it lies outside of the folders of this server"
            raise PermissionError(errno.EACCES, message, printable(path))

    def _permits(self, path: Path, *, writes: bool) -> bool:
        real = path.resolve()
        if not writes and _is_our_own(real):
            return True
        scratch = Path(tempfile.gettempdir()).resolve()
        if real.is_relative_to(scratch) and real != scratch:
            own = real.relative_to(scratch).parts[0].startswith("steelyard-")
            return own or self._holds_to_write(path, writes=writes)
        return self._holds_to_write(path, writes=writes)

    def _holds_to_write(self, path: Path, *, writes: bool) -> bool:
        return self.holds(path) and (self.writing or not writes)


def _folder_end(text: str, end: int) -> int:
    """Give where the folder ends that stands before a place, its last separator included.

    >>> _folder_end("data/run*.csv", 8), _folder_end("/*", 1), _folder_end("*.csv", 0)
    (5, 1, 0)
    """
    return 1 + max(text.rfind(one, 0, end) for one in (os.sep, os.altsep or os.sep))


def _is_our_own(real: Path) -> bool:
    """Tell a file of Python, or a fact about this machine; the environment of a process is none."""
    top = real.parts[1:2]
    if top == ("proc",):
        return real.name in FACTS
    if top == ("dev",):
        return real.name in DEVICES or real.is_relative_to("/dev/shm")
    return any(real.is_relative_to(one) for one in _own_places())


def _own_places() -> list[Path]:
    """Name where Python, its packages and the facts about this machine lie."""
    own = [sys.prefix, sys.base_prefix, str(Path(__file__).parents[3]), "/sys"]
    packages = [one for one in sys.path if one.endswith(("site-packages", "dist-packages"))]
    return [Path(one).resolve() for one in (*own, *packages)]


def _there(path: Path) -> bool:
    try:
        return path.expanduser().exists()
    except (OSError, RuntimeError, ValueError):
        return False


def _may_be_files(text: str) -> bool:
    return any(mark in text for mark in f"*?[{os.sep}{os.altsep or os.sep}~") or _there(Path(text))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for one in value.values() for text in _texts(one)]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []

"""Plug-ins: what other packages add, found by their entry points, loaded when it is asked for.

A package says in its ``pyproject.toml`` under ``[project.entry-points."steelyard.measures"]`` (or
another group of :data:`GROUPS`) where its object is. Nothing of it is imported before a question
needs it, and one that cannot be loaded is left out, with the reason kept for
``steelyard catalogue --plugins``.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Any, Literal, TypeVar, get_args

from steelyard.errors import FileUnreadable, RefusedData, printable

__all__ = [
    "GROUPS",
    "PATIENCE",
    "Kind",
    "Plugin",
    "find_plugins",
    "forget_plugins",
    "load_all",
    "refuse_plugin",
    "try_call",
]

Kind = Literal["logs", "tables", "measures", "algorithms"]
Wanted = TypeVar("Wanted")

GROUPS: Mapping[Kind, str] = {
    "logs": "a format of evaluation logs",
    "tables": "a format of files that hold a table",
    "measures": "a measure of the catalogue",
    "algorithms": "an algorithm for suites",
}
"""What a package can add; its entry points stand in the group ``steelyard.KIND``."""

PATIENCE = 60.0
"""Seconds in which a plug-in is imported, or tells whether a file is its own; reading it may take
longer."""

MARK = b"[steelyard."
"""How a group of ours begins in the file of entry points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point: its kind and name, where its object is, and whose it is."""

    kind: Kind
    name: str
    where: str
    package: str
    version: str

    @property
    def owner(self) -> str:
        """The package and its version."""
        return f"{self.package} {self.version}"

    def load(self) -> Any:  # noqa: ANN401
        """Import the object, or say in one line why it cannot be had."""
        found, error = try_call(_import, self.where, patience=PATIENCE)
        return found if error is None else Unloaded(plugin=self, reason=_say_error(error))

    def say_failure(self, what: str, error: BaseException) -> RefusedData:
        """Say that something of this plug-in, and not of the house, failed."""
        found = f"{what} of {self.owner} failed ({_say_error(error)}). Tell its authors."
        return RefusedData(found, code="plugin-failed")

    def say_failure_at(self, file: str, error: BaseException) -> FileUnreadable:
        """Say that this plug-in, and not the house, could not read a file."""
        found = f"{self.owner}, which knows such files, failed ({_say_error(error)})."
        fix = "Tell its authors; or write the answers to CSV and pass that."
        return FileUnreadable.for_file(file, found, fix=fix, code="plugin-failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unloaded:
    """A plug-in that cannot be had, and why."""

    plugin: Plugin
    reason: str


class Hung(BaseException):
    """A plug-in that does not come to an end; no ``except Exception`` of its own holds this up."""


def try_call(
    call: Callable[..., Any], *given: object, patience: float | None = None
) -> tuple[Any, BaseException | None]:
    """Call what others wrote; give what it gave, or what it raised, whatever that is.

    It may want to exit, it may raise a ``KeyboardInterrupt`` of its own, and a library below it may
    panic; who presses Ctrl-C still means it. What it prints goes beside the answer, which may be
    JSON. With ``patience`` it is stopped after so many seconds.

    >>> try_call(int, "x")[1]
    ValueError("invalid literal for int() with base 10: 'x'")
    """
    noted: list[int] = []
    try:
        with redirect_stdout(sys.stderr), _note_interrupts(noted):
            return (call if patience is None else _limit(call, patience))(*given), None
    except BaseException as error:
        if noted and isinstance(error, KeyboardInterrupt):
            raise
        return None, error


@contextmanager
def _note_interrupts(noted: list[int]) -> Iterator[None]:
    """Note every Ctrl-C, which does what it always did: a mere exception looks no different."""
    usual = signal.getsignal(signal.SIGINT)
    # Signals reach the main thread alone, and only what is written in Python raises there.
    if current_thread() is not main_thread() or not callable(usual):
        yield
        return

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        usual(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def _limit(call: Callable[..., Any], patience: float) -> Callable[..., Any]:
    """Stop a call after so many seconds: by an alarm, which ends a sleep, too, where there is one.

    The main thread alone hears it, and Windows has none; there, nothing can stop the call, and it
    is left behind in a thread of its own.
    """
    heard = current_thread() is main_thread() and hasattr(signal, "setitimer")
    return partial(_call_with_alarm if heard else _call_apart, call, patience)


def _call_with_alarm(call: Callable[..., Any], patience: float, *given: object) -> object:
    ended = Event()

    def ring(number: int, frame: FrameType | None) -> None:
        if not ended.is_set():
            raise _hung(patience)

    usual = signal.signal(signal.SIGALRM, ring)
    # It rings again every second: whoever catches everything once may do so in a loop.
    before = signal.setitimer(signal.ITIMER_REAL, patience, 1)
    try:
        return call(*given)
    finally:
        ended.set()
        signal.setitimer(signal.ITIMER_REAL, *before)
        signal.signal(signal.SIGALRM, usual or signal.SIG_DFL)


def _call_apart(call: Callable[..., Any], patience: float, *given: object) -> object:
    told: list[tuple[Any, BaseException | None]] = []

    def work() -> None:
        try:
            told.append((call(*given), None))
        except BaseException as error:
            told.append((None, error))

    apart = Thread(target=work, daemon=True)
    apart.start()
    apart.join(patience)
    found, error = told[0] if told else (None, _hung(patience))
    if error is not None:
        raise error
    return found


def _hung(patience: float) -> Hung:
    return Hung(f"it did not end within {patience:g} seconds")


@cache
def find_plugins(kind: Kind) -> tuple[Plugin, ...]:
    """List what packages declare, without importing any of it.

    >>> [one.package for one in find_plugins("measures")]
    []
    """
    if not _has_entry_points():
        return ()
    from importlib.metadata import entry_points

    found = []
    for one in entry_points(group=f"steelyard.{kind}"):
        whose = one.dist
        found.append(
            Plugin(
                kind=kind,
                name=one.name,
                where=one.value,
                package=whose.name if whose is not None else "?",
                version=whose.version if whose is not None else "?",
            )
        )
    return tuple(sorted(found, key=lambda one: (one.name, one.package)))


def load_all(kind: Kind, wanted: type[Wanted]) -> list[tuple[Wanted, Plugin]]:
    """Load every plug-in of a kind that gives what is wanted, or a list of it."""
    return [(one, plugin) for one, plugin in _load(kind) if isinstance(one, wanted)]


@cache
def _load(kind: Kind) -> tuple[tuple[object, Plugin], ...]:
    return tuple((one, plugin) for plugin in find_plugins(kind) for one in _as_list(plugin.load()))


def refuse_plugin(plugin: Plugin, wanted: type) -> str:
    """Say why a plug-in cannot be used; an empty text when it can."""
    found = plugin.load()
    if isinstance(found, Unloaded):
        return found.reason
    odd = [one for one in _as_list(found) if not isinstance(one, wanted)]
    if odd or not _as_list(found):
        got = type(odd[0]).__name__ if odd else "an empty list"
        return f"{plugin.where} gives {got}, expected {wanted.__name__}"
    return ""


def forget_plugins() -> None:
    """Look again the next time: a package was installed meanwhile."""
    _has_entry_points.cache_clear()
    find_plugins.cache_clear()
    _load.cache_clear()


def _say_error(error: BaseException) -> str:
    return printable(f"{type(error).__name__}: {error}")[:300]


def _as_list(found: object) -> list[object]:
    return list(found) if isinstance(found, tuple | list) else [found]


def _import(where: str) -> object:
    from importlib import import_module

    module, _, path = where.partition(":")
    found: Any = import_module(module.strip())
    for name in path.split("[")[0].strip().split("."):
        found = getattr(found, name) if name else found
    return found


@cache
def _has_entry_points() -> bool:
    """Look for entry points of ours; nearly nobody has one.

    The standard library takes 60 ms to be ready to look, this 3 ms.
    """
    return any(_declares(folder) for folder in sys.path)


def _declares(folder: str) -> bool:
    """Tell whether a package in this folder has an entry point of ours."""
    try:
        with os.scandir(folder or ".") as entries:
            infos = [entry.path for entry in entries if entry.name.endswith(INFO)]
    except OSError:  # a zip file or nothing: what lies there is not looked through
        return False
    return any(MARK in _entry_points(Path(info)) for info in infos)


INFO = (".dist-info", ".egg-info")


def _entry_points(info: Path) -> bytes:
    try:
        return (info / "entry_points.txt").read_bytes()
    except OSError:
        return b""


assert set(GROUPS) == set(get_args(Kind))

"""Types commands in a process where modules cannot be imported, or calls are not there.

``python -m tests.masked JSON`` reads what to hide and what to type, and prints what came of it.
Where hiding is the point, a process of its own is: what this one has imported cannot be hidden.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

__all__ = ["type_masked"]

ROOT = Path(__file__).parents[1]


POSIX = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog", "posix")
"""Modules that Windows does not have; libraries beside ours have their own ways there."""
POSIX_CALLS = (
    "fork forkpty memfd_create getuid geteuid getgid getegid setuid setgid chown lchown killpg "
    "setsid getpgid getpgrp nice sysconf uname sched_getaffinity sched_setaffinity mkfifo pipe2 "
    "getloadavg statvfs posix_spawn pread pwrite wait4 register_at_fork getppid O_NOFOLLOW "
    "O_DIRECTORY O_CLOEXEC"
).split()
POSIX_SIGNALS = (
    "SIGKILL SIGXCPU SIGXFSZ SIGHUP SIGQUIT SIGALRM SIGUSR1 SIGUSR2 SIGPIPE SIGCHLD "
    "pthread_sigmask setitimer alarm"
).split()


def hide_from_ours(names: Iterable[str], attributes: Iterable[str]) -> None:
    """Hide modules, and names of ``os`` and ``signal``, from whatever is ours."""
    import builtins

    hidden, gone, load = frozenset(names), frozenset(attributes), builtins.__import__

    class Without(ModuleType):
        """A module as it is on another system."""

        def __getattr__(self, name: str) -> object:
            if name in gone:
                message = f"module {self.__name__!r} has no attribute {name!r}"
                raise AttributeError(message)
            return getattr(REAL[self.__name__], name)

    fake = {name: Without(name) for name in REAL}

    def imported(name, globals=None, locals=None, fromlist=(), level=0):
        ours = str((globals or {}).get("__name__", "")).startswith("steelyard")
        if ours and name.partition(".")[0] in hidden:
            message = f"No module named {name!r}"
            raise ModuleNotFoundError(message, name=name)
        if ours and name in fake and not fromlist:
            return fake[name]
        return load(name, globals, locals, fromlist, level)

    builtins.__import__ = imported


REAL = {"os": os, "signal": signal}


class Blocker(MetaPathFinder):
    """Says of some modules that they are not installed."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Refuse a hidden module in the words of Python."""
        if name.partition(".")[0] in self.names:
            message = f"No module named {name!r}"
            raise ModuleNotFoundError(message, name=name)


def type_masked(
    commands: Sequence[Sequence[object]],
    *,
    folder: Path,
    modules: Sequence[str] = (),
    elsewhere: bool = False,
    before: str = "",
) -> list[tuple[int, str, str]]:
    """Type commands, one after another, and give code, output and complaint of each.

    ``modules`` are hidden from everybody; ``elsewhere`` hides from our own code what only systems
    like Linux have.
    """
    told = {
        "commands": [[str(word) for word in words] for words in commands],
        "folder": str(folder),
        "modules": list(modules),
        "elsewhere": elsewhere,
        "before": before,
    }
    ended = subprocess.run(
        [sys.executable, "-m", "tests.masked"],
        input=json.dumps(told),
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert not ended.stderr, "Python ends without a word, also of the database"
    return [tuple(one) for one in json.loads(ended.stdout)]


def main() -> None:
    """Hide, type, and tell."""
    told = json.load(sys.stdin)
    sys.meta_path.insert(0, Blocker(told["modules"]))
    for name in told["modules"]:
        sys.modules.pop(name, None)
    if told["elsewhere"]:
        hide_from_ours(POSIX, [*POSIX_CALLS, *POSIX_SIGNALS])
    exec(told["before"], {})
    from tests.typed import type_words

    answers = [type_words(words, folder=told["folder"]) for words in told["commands"]]
    print(json.dumps(answers))


if __name__ == "__main__":
    main()

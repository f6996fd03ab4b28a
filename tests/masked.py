"""Types commands in a process where modules cannot be imported, or calls are not there.

``python -m tests.masked JSON`` reads what to hide and what to type, and prints what came of it.
Where hiding is the point, a process of its own is: what this one has imported cannot be hidden.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType

__all__ = ["type_masked"]

ROOT = Path(__file__).parents[1]


POSIX = frozenset(
    "fcntl resource pwd grp spwd nis crypt termios tty pty syslog posix readline curses "
    "_posixsubprocess _posixshmem".split()
)
"""Modules that Windows does not have; libraries beside ours have their own ways there."""
OF_WINDOWS: dict[str, frozenset[str]] = {
    "os": frozenset(
        "DirEntry F_OK O_APPEND O_BINARY O_CREAT O_EXCL O_NOINHERIT O_RANDOM O_RDONLY O_RDWR "
        "O_SEQUENTIAL O_SHORT_LIVED O_TEMPORARY O_TEXT O_TRUNC O_WRONLY P_DETACH P_NOWAIT "
        "P_NOWAITO P_OVERLAY P_WAIT PathLike R_OK SEEK_CUR SEEK_END SEEK_SET TMP_MAX W_OK X_OK abc "
        "abort access altsep chdir chmod close closerange cpu_count curdir defpath device_encoding "
        "devnull dup dup2 environ error execl execle execlp execlpe execv execve execvp execvpe "
        "extsep fdopen fsdecode fsencode fspath fstat fsync ftruncate get_exec_path "
        "get_handle_inheritable get_inheritable get_terminal_size getcwd getcwdb getenv getlogin "
        "getpid getppid isatty kill linesep link listdir lseek lstat makedirs mkdir name open "
        "pardir path pathsep pipe popen putenv read readlink remove removedirs rename renames "
        "replace rmdir scandir sep set_handle_inheritable set_inheritable spawnl spawnle spawnv "
        "spawnve st startfile stat stat_result statvfs_result strerror supports_bytes_environ "
        "supports_dir_fd supports_effective_ids supports_fd supports_follow_symlinks symlink sys "
        "system terminal_size times times_result truncate umask uname_result unlink unsetenv "
        "urandom utime waitpid waitstatus_to_exitcode walk write".split()
    ),
    "signal": frozenset(
        "CTRL_BREAK_EVENT CTRL_C_EVENT Handlers NSIG SIGABRT SIGBREAK SIGFPE SIGILL SIGINT SIGSEGV "
        "SIGTERM SIG_DFL SIG_IGN Signals default_int_handler getsignal raise_signal set_wakeup_fd "
        "signal strsignal valid_signals".split()
    ),
    "select": frozenset(["error", "select"]),
    "mmap": frozenset(
        "ACCESS_COPY ACCESS_DEFAULT ACCESS_READ ACCESS_WRITE ALLOCATIONGRANULARITY PAGESIZE error "
        "mmap".split()
    ),
}
"""What these modules have on Windows, by their documentation; all else is hidden."""
NOT_OF_WINDOWS = {
    "socket": ("AF_UNIX", "AF_NETLINK", "SOCK_SEQPACKET", "SCM_RIGHTS", "CMSG_LEN", "CMSG_SPACE",
               "send_fds", "recv_fds", "sethostname"),
    "time": ("tzset", "clock_gettime", "clock_settime", "clock_getres", "pthread_getcpuclockid"),
}  # fmt: skip
"""What these lack there; the rest of them is the same."""


def hide_posix() -> None:
    """Hide from whatever is ours the modules, and the names of others, that Windows lacks."""
    import builtins

    load = builtins.__import__
    fake = {name: Elsewhere(name) for name in (*OF_WINDOWS, *NOT_OF_WINDOWS)}

    def imported(name, globals=None, locals=None, fromlist=(), level=0):
        ours = str((globals or {}).get("__name__", "")).startswith("steelyard")
        if ours and name.partition(".")[0] in POSIX:
            message = f"No module named {name!r}"
            raise ModuleNotFoundError(message, name=name)
        return fake[name] if ours and name in fake else load(name, globals, locals, fromlist, level)

    builtins.__import__ = imported
    start = subprocess.Popen.__init__

    def started(self, *given, **named):
        for name in ("preexec_fn", "pass_fds", "start_new_session", "process_group"):
            if named.get(name) and "steelyard" in str(sys._getframe(1).f_globals.get("__name__")):
                message = f"{name} is not supported on Windows platforms"
                raise ValueError(message)
        start(self, *given, **named)

    subprocess.Popen.__init__ = started


class Elsewhere(ModuleType):
    """A module as it is on Windows."""

    def __getattr__(self, name: str) -> object:
        of = OF_WINDOWS.get(self.__name__)
        gone = name in NOT_OF_WINDOWS.get(self.__name__, ()) if of is None else name not in of
        if gone and not name.startswith("__"):
            message = f"module {self.__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        return getattr(import_module(self.__name__), name)


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
        hide_posix()
    exec(told["before"], {})
    from tests.typed import type_words

    answers = [type_words(words, folder=told["folder"]) for words in told["commands"]]
    print(json.dumps(answers))


if __name__ == "__main__":
    main()

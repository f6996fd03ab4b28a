"""A limit on memory for every test: one gibibyte, in its own process and in each that it starts.

What is really held is watched (RSS): a limit on addresses would stop databases and thread pools,
which reserve far more than they use. Other programs (Java, PostgreSQL, a browser) go free.
"""

import os
import resource
import signal
import sys
import threading
from pathlib import Path

import pytest

__all__ = ["GIB", "MemoryWatch"]

GIB = 2**30
PAGE = os.sysconf("SC_PAGE_SIZE")
OWN = Path(sys.executable).resolve()
EVERY = 0.25
"""Seconds between two looks at what is running."""
CEILING = 4 * GIB
"""Where the process of the tests is ended at once, before the machine suffers."""


class MemoryWatch:
    """Fails a test that takes too much, naming it, and ends what goes on taking more."""

    def __init__(self, limit: int = GIB) -> None:
        self.limit = limit
        self.test = "the collection of tests"
        self.too_large = 0
        self._ended = threading.Event()

    def start(self) -> None:
        """Look at this process and its children from now on."""
        threading.Thread(target=self._look, name="memory watch", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._ended.set()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item):
        """Compare the peak of a test with what was held before it."""
        self.test, self.too_large = item.nodeid, 0
        before, mark = held("self"), _peak()
        outcome = yield
        peak = _peak()
        # The mark of a process only rises, so a test that stays below an earlier peak is not told.
        grown = max(peak - before if peak > mark else 0, self.too_large)
        if grown > self.limit and outcome.excinfo is None:
            message = (
                f"{item.nodeid} took {grown / GIB:.2f} GiB of memory; a test may take "
                f"{self.limit / GIB:g} GiB."
            )
            outcome.force_exception(MemoryError(message))

    def _look(self) -> None:
        while not self._ended.wait(EVERY):
            if held("self") > CEILING:
                said = f"{self.test} holds more than {CEILING // GIB} GiB of memory and was ended."
                os.write(2, f"\n{said}\n".encode())
                os._exit(70)
            for process in _pythons():
                taken = held(process)
                if taken > self.limit:
                    self.too_large = max(self.too_large, taken)
                    os.kill(int(process), signal.SIGKILL)


def held(process: str) -> int:
    """Bytes that a process holds now; 0 where the system does not tell, or it has ended."""
    try:
        return int(Path("/proc", process, "statm").read_text().split()[1]) * PAGE
    except OSError:
        return 0


def _peak() -> int:
    # Not ru_maxrss on Linux: a new process starts with the peak of the one that has started it.
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def _pythons() -> list[str]:
    """List the processes below this one that run Python.

    A child that still has the words of its parent is about to become a program: until then it holds
    the parent's memory, not its own.
    """
    found, parents = [], ["self"]
    while parents:
        parent = parents.pop()
        words = _words(parent)
        for process in _children(parent):
            parents.append(process)
            try:
                runs = Path("/proc", process, "exe").resolve() == OWN
            except OSError:
                continue
            if runs and _words(process) != words:
                found.append(process)
    return found


def _words(process: str) -> bytes:
    try:
        return Path("/proc", process, "cmdline").read_bytes()
    except OSError:
        return b""


def _children(process: str) -> list[str]:
    try:
        lists = Path("/proc", process, "task").glob("*/children")
        return [number for path in lists for number in path.read_text().split()]
    except OSError:
        return []

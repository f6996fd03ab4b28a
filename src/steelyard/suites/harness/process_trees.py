"""Processes that a program has started: found, counted, weighed and ended."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

__all__ = ["descendants", "kill_process", "memory_below", "user_processes"]


def kill_process(pid: int) -> None:
    """Kill a process, unless it has ended already."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def descendants(pid: int) -> Iterator[int]:
    """List the processes below one, the nearest first, without those that have ended."""
    try:
        threads = [thread.name for thread in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return
    for thread in threads:
        try:
            below = Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
        except OSError:
            continue
        for child in map(int, below):
            if not _ended_already(child):
                yield child
            yield from descendants(child)


def _ended_already(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def memory_below(pid: int) -> tuple[int, int]:
    """Count the processes below the launcher, and their memory in bytes."""
    number = memory = 0
    page = os.sysconf("SC_PAGE_SIZE")
    for child in descendants(pid):
        number += 1
        try:
            resident, shared = Path(f"/proc/{child}/statm").read_text().split()[1:3]
        except (OSError, ValueError):
            continue
        # Pages of the same files are counted once at most: private ones matter.
        memory += (int(resident) - int(shared)) * page
    return number, memory


def user_processes() -> int:
    """Count the processes of this user: the limit of the system counts them as well."""
    mine, number = os.getuid(), 0
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                number += path.stat().st_uid == mine
            except OSError:
                continue
    return number

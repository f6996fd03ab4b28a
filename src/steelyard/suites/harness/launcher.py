"""The small program between the harness and an algorithm: it confines itself, then starts it.

Runs as a script of its own, with the standard library only, so that it starts fast and nothing of
the harness is in its memory. It reports what protection the system gave, and how the program ended.
"""

import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["main"]

NEW_MOUNTS, NEW_IPC, NEW_USER, NEW_PIDS, NEW_NETWORK = (
    0x20000,
    0x8000000,
    0x10000000,
    0x20000000,
    0x40000000,
)
SETS = (
    NEW_NETWORK | NEW_MOUNTS | NEW_PIDS | NEW_IPC,
    NEW_NETWORK | NEW_MOUNTS | NEW_PIDS,
    NEW_NETWORK | NEW_MOUNTS,
    NEW_NETWORK,
)
"""Sets of namespaces to ask for, the best first."""

BIND, PRIVATE, RECURSIVE, READ_ONLY, NO_SUID, NO_DEVICES, NO_EXEC = (
    4096,
    1 << 18,
    16384,
    1,
    2,
    4,
    8,
)
DEATH_SIGNAL, DROP_CAPABILITY, NO_NEW_PRIVILEGES, SUBREAPER = 1, 24, 38, 36
CAPABILITIES = 64
libc = ctypes.CDLL(None, use_errno=True)

Order = dict[str, Any]


def main() -> None:
    """Confine, start the program, wait for it, and report."""
    order: Order = json.loads(sys.argv[1])
    libc.prctl(DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != order["parent"]:
        sys.exit(1)
    libc.prctl(SUBREAPER, 1)
    spaces = _leave_namespaces()
    child = os.fork()
    if child == 0:
        _run(lambda: _inside(order, spaces), order)
    status = _wait_for(child)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    _report(
        order,
        exit=status,
        cpu_seconds=used.ru_utime + used.ru_stime,
        memory=used.ru_maxrss * 1024,
    )


def _leave_namespaces() -> int:
    """Ask for namespaces of our own, as an ordinary user with a user namespace around them."""
    user, group = os.getuid(), os.getgid()
    for asked in SETS:
        wanted = asked if user == 0 else asked | NEW_USER
        if libc.unshare(wanted) == 0:
            if user != 0:
                _map_ids(user, group)
            return asked
    return 0


def _map_ids(user: int, group: int) -> None:
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(line)


def _inside(order: Order, spaces: int) -> None:
    """Hide what must not be seen, drop what must not be held, and become the program."""
    libc.prctl(DEATH_SIGNAL, signal.SIGKILL)
    hidden = bool(spaces & NEW_MOUNTS) and _hide(order["hide"], fresh=bool(spaces & NEW_PIDS))
    if spaces & NEW_PIDS:
        _become_first_process(order)
    gained = ["process group"]
    gained += ["no network"] if spaces & NEW_NETWORK else []
    gained += ["own processes"] if spaces & NEW_PIDS else []
    gained += ["answers hidden"] if hidden else []
    gained += _drop_rights(order["user"])
    _limit(order["limits"])
    os.chdir(order["folder"])
    _report(order, gained=gained)
    os.close(order["report"])
    os.execvpe(order["command"][0], order["command"], order["environment"])


def _hide(paths: list[str], *, fresh: bool) -> bool:
    """Lay an empty file over each file, an empty folder over each folder."""
    if libc.mount(b"none", b"/", None, PRIVATE | RECURSIVE, None) != 0:
        return False
    done = True
    flags = READ_ONLY | NO_SUID | NO_DEVICES | NO_EXEC
    for path in paths:
        place = os.fsencode(path)
        if os.path.isdir(place):  # noqa: PTH112
            done &= libc.mount(b"none", place, b"tmpfs", flags, b"size=4k") == 0
        elif os.path.exists(place):  # noqa: PTH110
            done &= libc.mount(b"/dev/null", place, None, BIND, None) == 0
    if fresh:
        libc.mount(b"proc", b"/proc", b"proc", NO_SUID | NO_DEVICES | NO_EXEC, None)
    return done


def _become_first_process(order: Order) -> None:
    """Stay as the first of the new processes, which all die with it; go on in a child."""
    child = os.fork()
    if child == 0:
        libc.prctl(DEATH_SIGNAL, signal.SIGKILL)
        return
    os.close(order["report"])
    status = _wait_for(child)
    # A signal is passed on as 128 + N, as shells do.
    os._exit(status if status >= 0 else 128 - status)


def _drop_rights(user: int | None) -> list[str]:
    gained = []
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if os.getuid() == 0:
        for one in range(CAPABILITIES):
            libc.prctl(DROP_CAPABILITY, one, 0, 0, 0)
        gained.append("no rights of root")
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            gained.append("own user")
        else:
            gained.append("still root")
    return gained


def _limit(limits: dict[str, int]) -> None:
    for name, value in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_DATA", limits["memory"]),
        ("RLIMIT_CPU", limits["seconds"]),
        ("RLIMIT_FSIZE", limits["file"]),
        ("RLIMIT_NPROC", limits["processes"]),
    ):
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # At the soft limit of time a program is told which limit it was; at the hard one killed.
        resource.setrlimit(kind, (most, most + 1 if name == "RLIMIT_CPU" and most < hard else most))


def _wait_for(child: int) -> int:
    """Reap every process that ends until the child does; give its exit code, -N for signal N."""
    while True:
        found, status = os.wait()
        if found == child:
            return os.waitstatus_to_exitcode(status)


def _report(order: Order, **facts: object) -> None:
    os.write(order["report"], (json.dumps(facts) + "\n").encode())


def _run(what: Callable[[], None], order: Order) -> None:
    """Run the child's part; whatever goes wrong ends the child, never the parent's code."""
    try:
        what()
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
        os._exit(127)
    os._exit(0)


if __name__ == "__main__":
    main()

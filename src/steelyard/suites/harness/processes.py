"""A program in a process of its own: confined, watched, weighed and ended with all it started."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from steelyard.results import CellState

__all__ = [
    "Ended",
    "Limits",
    "descendants",
    "kill_process",
    "memory_below",
    "run_confined",
    "user_threads",
]


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
            if not _is_over(child):
                yield child
            yield from descendants(child)


def _is_over(pid: int) -> bool:
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


def user_threads(user: int) -> int:
    """Count the threads of a user: the limit of the system on processes counts them as well."""
    number = 0
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                threads = (path / "task").stat()
            except OSError:
                continue
            number += threads.st_nlink - 2 if threads.st_uid == user else 0
    return number


LAUNCHER = Path(__file__).with_name("launcher.py")
LOOKS = 0.03
"""Seconds between two looks at a running program."""

NOBODY = 65534
KEPT = 1 << 18
"""Bytes kept of the start and of the end of a log."""

SIGNS: dict[CellState, tuple[str, ...]] = {
    "oom": ("MemoryError", "bad_alloc", "Cannot allocate memory", "Unable to allocate"),
    "forks": ("Resource temporarily unavailable", "can't start new thread"),
    "flood": ("File too large",),
}
NETWORK = ("Network is unreachable", "name resolution", "Name or service not known")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one cell may use: seconds, bytes of memory, processes, bytes of output and of a file."""

    seconds: float = 120.0
    memory: int = 2 << 30
    processes: int = 64
    output: int = 16 << 20
    file: int = 256 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended, what it used, what it wrote and what protected the rest of us."""

    state: CellState
    reason: str | None
    seconds: float
    cpu_seconds: float | None
    memory: int
    exit_code: int | None
    protections: tuple[str, ...]
    output: bytes
    log: bytes


@dataclass(slots=True)
class Watch:
    """What is seen of a running program."""

    limits: Limits
    stdout: bytearray = field(default_factory=bytearray)
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    report: bytearray = field(default_factory=bytearray)
    written: int = 0
    memory: int = 0
    stopped: tuple[CellState, str] | None = None

    def keep_output(self, part: bytes) -> None:
        """Keep what the program wrote, up to the limit."""
        self.written += len(part)
        if self.written <= self.limits.output:
            self.stdout += part

    def keep_log(self, part: bytes) -> None:
        """Keep the start and the end of the log."""
        if len(self.head) < KEPT:
            self.head += part[: KEPT - len(self.head)]
            part = part[KEPT - len(self.head) :] if len(self.head) == KEPT else b""
        self.tail = (self.tail + part)[-KEPT:]

    def facts(self) -> dict[str, object]:
        """Read what the launcher reported."""
        found: dict[str, object] = {}
        for line in self.report.splitlines():
            found |= json.loads(line)
        return found


def run_confined(
    command: Sequence[str],
    *,
    folder: Path,
    limits: Limits,
    hide: Sequence[Path] = (),
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program in a folder and wait for it, at most as long as the limits say.

    The program gets a session of its own and, where the system allows it, namespaces without
    network, with the files of ``hide`` covered, and in which every process ends with the first.
    A plain subprocess is not a sandbox for hostile code; ``protections`` says what there was.
    """
    started = time.monotonic()
    watch = Watch(limits=limits)
    reading, writing = os.pipe()
    user = _other_user(command, folder, environment or {})
    order = {
        "command": list(command),
        "folder": str(folder),
        "environment": dict(environment or {}),
        "hide": [str(path.resolve()) for path in hide],
        "user": user,
        "parent": os.getpid(),
        "report": writing,
        "limits": {
            "memory": limits.memory,
            "seconds": int(limits.seconds) + 1,
            "file": limits.file,
            "processes": limits.processes + _others(user),
        },
    }
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(order)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=[writing],
        start_new_session=True,
    ) as launched:
        os.close(writing)
        with os.fdopen(reading, "rb") as reported:
            readers = _readers(launched, reported, watch)
            try:
                _watch(launched, watch, started)
            finally:
                _end(launched)
            for reader in readers:
                reader.join()
    return _describe_end(watch, launched.returncode, time.monotonic() - started)


def _others(user: int | None) -> int:
    """Count what the system would count against a program, though it did not start it."""
    mine = os.getuid() if user is None else user
    return user_threads(mine) if mine else 0


def _readers(
    launched: subprocess.Popen[bytes], reported: IO[bytes], watch: Watch
) -> list[threading.Thread]:
    def drain(stream: IO[bytes] | None, keep: object) -> None:
        if stream is None or not callable(keep):
            raise TypeError(stream)
        while part := os.read(stream.fileno(), 1 << 16):
            keep(part)

    pairs = (
        (launched.stdout, watch.keep_output),
        (launched.stderr, watch.keep_log),
        (reported, watch.report.extend),
    )
    readers = [threading.Thread(target=drain, args=pair, daemon=True) for pair in pairs]
    for reader in readers:
        reader.start()
    return readers


def _watch(launched: subprocess.Popen[bytes], watch: Watch, started: float) -> None:
    """Look until the program has ended or has used more than it may."""
    limits = watch.limits
    while watch.stopped is None:
        try:
            launched.wait(LOOKS)
        except subprocess.TimeoutExpired:
            pass
        else:
            return
        number, memory = memory_below(launched.pid)
        watch.memory = max(watch.memory, memory)
        tests: tuple[tuple[bool, CellState, str], ...] = (
            (
                time.monotonic() - started > limits.seconds,
                "timeout",
                f"took longer than {limits.seconds:g} s",
            ),
            (
                watch.written > limits.output,
                "flood",
                f"wrote more than {limits.output:,} bytes to standard output",
            ),
            (number > limits.processes, "forks", f"started more than {limits.processes} processes"),
            (memory > limits.memory, "oom", f"used more than {limits.memory:,} bytes of memory"),
        )
        watch.stopped = next(((state, why) for failed, state, why in tests if failed), None)


def _end(launched: subprocess.Popen[bytes]) -> None:
    """End the launcher and everything below it; the launcher goes last and collects orphans."""
    for _ in range(1000):
        left = list(descendants(launched.pid))
        if not left:
            break
        for pid in left:
            kill_process(pid)
        time.sleep(0.002)
    if launched.poll() is None:
        kill_process(launched.pid)
        launched.wait()


def _other_user(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> int | None:
    """As root, run as nobody where nobody can reach the program; else stay, without its rights."""
    if os.getuid() != 0:
        return None
    needed = [command[0], str(folder), *environment.get("PYTHONPATH", "").split(os.pathsep)]
    needed += [word for word in command[1:] if Path(word).is_absolute()]
    needed += [sys.prefix, sys.base_prefix, __file__] if command[0] == sys.executable else []
    if not _reachable([word for word in needed if word]):
        return None
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    return NOBODY


def _reachable(paths: Sequence[str]) -> bool:
    """Ask, as nobody, whether every path can be read."""
    script = 'for path; do test -r "$path" || exit 1; done'
    ended = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *paths],
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        capture_output=True,
        check=False,
    )
    return ended.returncode == 0


def _describe_end(watch: Watch, code: int | None, seconds: float) -> Ended:
    facts = watch.facts()
    log = bytes(watch.head) + (b"\n...\n" if watch.tail else b"") + bytes(watch.tail)
    exit_code = facts.get("exit", code)
    # A first process passes the signal of the program on as 128 + N, as shells do.
    state, reason = watch.stopped or _name_end(exit_code, log.decode(errors="replace"), watch)
    peak = facts.get("memory", 0)
    cpu = facts.get("cpu_seconds")
    return Ended(
        state=state,
        reason=reason,
        seconds=seconds,
        cpu_seconds=cpu if isinstance(cpu, float) else None,
        memory=max(watch.memory, peak if isinstance(peak, int) else 0),
        exit_code=exit_code if isinstance(exit_code, int) else None,
        protections=tuple(map(str, _as_list(facts.get("gained")))),
        output=bytes(watch.stdout),
        log=log,
    )


def _as_list(found: object) -> list[object]:
    return found if isinstance(found, list) else []


def _name_end(code: object, log: str, watch: Watch) -> tuple[CellState, str | None]:
    """Name the end of a program that was not stopped from here."""
    limits = watch.limits
    if watch.written > limits.output:
        return "flood", f"wrote more than {limits.output:,} bytes to standard output"
    if code == 0:
        return "ok", None
    number = code if isinstance(code, int) else 1
    ending = -number if number < 0 else number - 128
    by_signal: dict[int, tuple[CellState, str]] = {
        signal.SIGXCPU: ("timeout", f"computed longer than {limits.seconds:g} s"),
        signal.SIGXFSZ: ("flood", f"wrote a file of more than {limits.file:,} bytes"),
    }
    if ending in by_signal:
        return by_signal[ending]
    how = f"signal {ending}" if 0 < ending < 65 else f"exit code {number}"
    return _from_log(log, how)


def _from_log(log: str, how: str) -> tuple[CellState, str]:
    """Name a failure by what the program said last."""
    last = next((line.strip() for line in reversed(log.splitlines()) if line.strip()), "no message")
    for state, signs in SIGNS.items():
        if any(sign in log[-4000:] for sign in signs):
            return state, last[:200]
    if any(sign in log for sign in NETWORK):
        return "failed", f"tried the network, which is closed ({last[:120]})"
    return "failed", f"{how}: {last[:200]}"

"""A process of its own that sorts whole numbers, where numpy here sorts them slowly.

numpy chooses its sort when it is loaded, by the features of the processor. On Zen 4 its choice is
three to six times slower than the next best one (decision 0015), and turning features off would
change the last bits of logarithms as well. So a second process loads numpy without those features
and sorts in memory that both share: whole numbers have no last bits to change.
"""

import atexit
import contextlib
import mmap
import os
import select
import socket
import struct
import subprocess
import sys
import threading
import weakref
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import SteelyardError

__all__ = ["SorterLost", "expect_sorting", "room_for_keys", "slow_sorts", "sort_elsewhere"]

WISH = "STEELYARD_SORT"
"""Set to ``here`` by whoever wants no second process."""

WORTH_STARTING = 2_000_000
WORTH_ASKING = 200_000
"""Numbers from which on a sorter is started, and asked once it runs; many sorts of fewer add up."""

PROCESSOR = Path("/proc/cpuinfo")
ZEN_4 = 25
"""The family of AMD processors that stores compressed vectors by microcode."""

SLOW_SORTS = {"X86_V4": {"avx512f", "avx512vl"}, "AVX512_ICL": {"avx512_vbmi2", "avx512_bitalg"}}
"""Parts of numpy whose sort is slow there, and the flags of processors that have them."""

REQUEST = struct.Struct("<QQQQ")
"""Offset, length, bytes of a number, threads; the memory itself is handed over beside it."""

LEND = REQUEST.pack(0, 0, 0, 0)
"""Asks for the memory of the last sort, to fill it anew: pages that are there cost nothing."""

MOST_KEPT = 1 << 27
"""Bytes of memory that the sorter keeps for the next sort, for as long as it lives."""

PROGRAM = Path(__file__).with_name("sorter_program.py")

Kind = TypeVar("Kind", bound=np.generic)


class SorterLost(SteelyardError):
    """The sorting process ended in the middle, and numbers may have gone with it."""

    code = "sorter-lost"


class SharedMemory(mmap.mmap):
    """Memory without a name that another process can be let into."""

    file: int
    inode: int
    address: int


_rooms: "weakref.WeakSet[SharedMemory]" = weakref.WeakSet()
_lock = threading.Lock()


def room_for_keys(size: int, kind: "np.dtype[Kind]") -> NDArray[Kind]:
    """Make an array without content, in memory that a sorter can be let into if one will be asked.

    >>> room_for_keys(3, np.dtype(np.int32)).size
    3
    """
    if size < WORTH_ASKING or not slow_here():
        return np.empty(size, dtype=kind)
    expect_sorting(size)
    return _shared(size, kind)


def expect_sorting(size: int) -> None:
    """Start the sorter, if so many numbers are worth it: it is ready when they are."""
    if size >= WORTH_ASKING and slow_here():
        with _lock:
            Sorter.asked_for += size
            Sorter.find(start=Sorter.asked_for >= WORTH_STARTING)


def _shared(size: int, kind: "np.dtype[Kind]") -> NDArray[Kind]:
    """Reserve memory, that of the last sort if it is free; new pages count when written to."""
    length = size * kind.itemsize
    file = -1
    try:
        file = _lent()
        if file < 0:
            file = os.memfd_create("steelyard-keys")
        if os.fstat(file).st_size < length:
            os.ftruncate(file, length)
        room = SharedMemory(file, length)
    except OSError:
        if file >= 0:
            os.close(file)
        return np.empty(size, dtype=kind)
    keys: NDArray[Kind] = np.frombuffer(room, dtype=kind)
    room.file, room.inode, room.address = file, os.fstat(file).st_ino, keys.ctypes.data
    weakref.finalize(room, _left, file, room.inode)
    _rooms.add(room)
    return keys


def _lent() -> int:
    """Borrow the memory of the last sort from the sorter; -1 where there is none to be had."""
    with _lock:
        sorter = Sorter.find(start=False)
        return -1 if sorter is None or not sorter.idle else sorter.lend()


def _left(file: int, inode: int) -> None:
    """No array looks at this memory any more: it may be lent again."""
    os.close(file)
    sorter = Sorter.running
    if sorter is not None and sorter.kept == inode:
        sorter.idle = True


def sort_elsewhere(keys: NDArray[Any], *, threads: int) -> bool:
    """Sort keys by the sorter, and tell whether that was done; False leaves them untouched."""
    if keys.size < WORTH_ASKING or not keys.flags.c_contiguous:
        return False
    room = _room_of(keys)
    if room is None:
        return False
    with _lock:
        large = keys.size >= WORTH_STARTING
        sorter = Sorter.find(start=large)
        if sorter is None or not (large or sorter.has_loaded()):
            return False
        return sorter.sort(keys, room, threads)


def _room_of(keys: NDArray[Any]) -> SharedMemory | None:
    start = keys.ctypes.data
    for room in list(_rooms):
        if room.address <= start and start + keys.nbytes <= room.address + len(room):
            return room
    return None


class Sorter:
    """The process and the line to it; one for all threads, none inherited by a fork."""

    running: "Sorter | None" = None
    failed = False
    """One could not even load numpy; no other is started."""
    asked_for = 0
    """Numbers that were to be sorted in this process so far."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        home = str(Path(np.__file__).parents[1])
        with theirs:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "-I", "-S", str(PROGRAM)),
                    *(str(theirs.fileno()), home, str(MOST_KEPT)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(slow_here())},
            )
        self.line = ours
        self.ready = False
        self.kept = -1
        self.idle = False
        self.owner = os.getpid()
        atexit.register(self.end)

    @classmethod
    def find(cls, *, start: bool) -> "Sorter | None":
        """Give the one that runs, else start one if that is worth it."""
        now = cls.running
        if now is not None and (now.owner != os.getpid() or now.process.poll() is not None):
            cls.running = now = None
        if now is None and start and not cls.failed:
            with contextlib.suppress(OSError):
                cls.running = now = cls()
        return now

    def has_loaded(self) -> bool:
        """Tell whether it can sort at once: few numbers are sorted here before it is ready."""
        return self.ready or bool(select.select([self.line], [], [], 0)[0])

    def sort(self, keys: NDArray[Any], room: SharedMemory, threads: int) -> bool:
        """Let the process into the memory, and wait until it has sorted."""
        if not self.ready:
            self.ready = self._hear() == b"ready"
            if not self.ready:
                self.end()
                Sorter.failed = True
                return False
        offset = keys.ctypes.data - room.address
        asked = REQUEST.pack(offset, keys.size, keys.itemsize, threads)
        try:
            socket.send_fds(self.line, [asked], [room.file])
        except OSError:
            self.end()
            return False
        if self._hear() != b"taken":  # it ended, for want of work, before it heard: all is there
            self.end()
            return False
        if self._hear() != b"sorted":
            self.end()
            message = (
                "The process that sorts ended in the middle (killed, or out of memory), so that "
                f"there is no answer. Try again, or sort in this process: {WISH}=here"
            )
            raise SorterLost(message)
        fits = os.fstat(room.file).st_size <= MOST_KEPT
        self.kept, self.idle = room.inode if fits else -1, False
        return True

    def lend(self) -> int:
        """Ask for the memory of the last sort, that nobody looks at any more; -1 if it is gone."""
        self.idle = False
        try:
            self.line.send(LEND)
            _, files, _, _ = socket.recv_fds(self.line, 16, 1)
        except OSError:
            files = []
        except BaseException:
            self.end()
            raise
        if not files:
            self.end()
            return -1
        return files[0]

    def _hear(self) -> bytes:
        try:
            return self.line.recv(16)
        except OSError:
            return b""
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Let it go: a line that was left in the middle is of no more use."""
        atexit.unregister(self.end)
        if self.owner != os.getpid():
            return
        self.line.close()
        self.process.kill()
        self.process.wait()
        Sorter.running = None


@cache
def slow_here() -> tuple[str, ...]:
    """Name the parts of numpy to do without for a fast sort, none where there is nothing to win."""
    name = Path(sys.executable or "nothing").name
    if os.environ.get(WISH) == "here" or not name.startswith("python"):
        return ()
    if os.environ.get("NPY_DISABLE_CPU_FEATURES"):
        return ()
    try:
        with PROCESSOR.open(encoding="utf-8", errors="replace") as file:
            return tuple(slow_sorts(file.read(8192)))
    except OSError:
        return ()


def slow_sorts(told: str) -> list[str]:
    r"""Name the parts of numpy that sort slowly on a processor, from what the kernel tells of it.

    >>> slow_sorts("vendor_id : AuthenticAMD\ncpu family : 25\nflags : avx512f avx512vl")
    ['X86_V4']
    >>> slow_sorts("vendor_id : GenuineIntel\ncpu family : 6\nflags : avx512f avx512vl")
    []
    """
    facts: dict[str, str] = {}
    for line in told.splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    if facts.get("vendor_id") != "AuthenticAMD" or facts.get("cpu family") != str(ZEN_4):
        return []
    flags = set(facts.get("flags", "").split())
    return [part for part, needed in SLOW_SORTS.items() if needed <= flags]

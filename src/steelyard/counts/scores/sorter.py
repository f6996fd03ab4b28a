"""Whole numbers sorted in place, by a process of its own where numpy here sorts them slowly.

numpy chooses its sort when it is loaded, by the features of the processor. On Zen 4 its choice is
four to five times slower than the next best one (decision 0016), and turning features off would
change the last bits of logarithms as well. So a second process loads numpy without those features
and sorts in memory that both share: whole numbers have no last bits to change. This file is also
the program of that process, so that nothing may be imported above which it cannot have.
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

if __name__ == "__main__":  # started without site-packages: numpy alone is found again
    sys.path.append(sys.argv[2])

import numpy as np
from numpy.typing import NDArray

__all__ = ["WORTH_THREADS", "expect_sorting", "room_for_keys", "slow_sorts", "sort_keys"]

WISH = "STEELYARD_SORT"
"""Set to ``here`` by whoever wants no second process."""

WORTH_THREADS = 1 << 20
"""Two threads pay from this many rows on."""

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

PATIENCE = 60.0
"""Seconds without work after which the process ends."""

PROGRAM = Path(__file__)

Kind = TypeVar("Kind", bound=np.generic)


class SharedMemory(mmap.mmap):
    """Memory without a name that another process can be let into."""

    file: int
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
    length = size * kind.itemsize
    try:
        file = os.memfd_create("steelyard-keys")
    except (OSError, AttributeError):  # only Linux has such memory
        return np.empty(size, dtype=kind)
    try:
        os.ftruncate(file, length)  # pages count when they are written to
        room = SharedMemory(file, length)
    except OSError:
        os.close(file)
        return np.empty(size, dtype=kind)
    keys: NDArray[Kind] = np.frombuffer(room, dtype=kind)
    room.file, room.address = file, keys.ctypes.data
    weakref.finalize(room, os.close, file)
    _rooms.add(room)
    return keys


def expect_sorting(size: int) -> None:
    """Start the sorter, if so many numbers are worth it: it is ready when they are."""
    if size >= WORTH_ASKING and slow_here():
        with _lock:
            Sorter.asked_for += size
            Sorter.find(start=Sorter.asked_for >= WORTH_STARTING)


def sort_keys(keys: NDArray[Any]) -> None:
    """Sort keys in place, with two threads where that pays, elsewhere where that is faster.

    >>> keys = np.array([3, 1, 2])
    >>> sort_keys(keys)
    >>> keys.tolist()
    [1, 2, 3]
    """
    threads = 1 if keys.size < WORTH_THREADS or (os.cpu_count() or 1) < 2 else 2
    if not sort_elsewhere(keys, threads=threads):
        _sort_here(keys, threads)


def _sort_here(keys: NDArray[Any], threads: int) -> None:
    if threads == 1:
        keys.sort()
        return
    middle = keys.size // 2
    keys.partition(middle)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as other:
        lower = other.submit(keys[:middle].sort)
        keys[middle:].sort()
        lower.result()


def sort_elsewhere(keys: NDArray[Any], *, threads: int) -> bool:
    """Sort keys by the sorter, and tell whether that was done; False leaves them untouched."""
    if keys.size < WORTH_ASKING or not keys.flags.c_contiguous:
        return False
    start, end = keys.ctypes.data, keys.ctypes.data + keys.nbytes
    held = (r for r in list(_rooms) if r.address <= start and end <= r.address + len(r))
    room = next(held, None)
    if room is None:
        return False
    with _lock:
        large = keys.size >= WORTH_STARTING
        sorter = Sorter.find(start=large)
        if sorter is None or not (large or sorter.has_loaded()):
            return False
        return sorter.sort(keys, room, threads)


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
                [sys.executable, "-I", "-S", str(PROGRAM), str(theirs.fileno()), home],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(slow_here())},
            )
        self.line = ours
        self.ready = False
        self.owner = os.getpid()
        atexit.register(self.end)

    @classmethod
    def find(cls, *, start: bool) -> "Sorter | None":
        """Give the one that runs, else start one if that is worth it."""
        now = cls.running
        if now is not None and (now.owner != os.getpid() or now.process.poll() is not None):
            cls.running = now = None
        if now is None and start and not cls.failed:
            with contextlib.suppress(OSError, AttributeError):
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
        request = REQUEST.pack(offset, keys.size, keys.itemsize, threads)
        try:
            socket.send_fds(self.line, [request], [room.file])
        except OSError:
            self.end()
            return False
        if self._hear() != b"taken":  # it ended, for want of work, before it heard: all is there
            self.end()
            return False
        if self._hear() != b"sorted":
            from steelyard.errors import CountsError

            self.end()
            message = (
                "The process that sorts ended in the middle (killed, or out of memory), so that "
                f"there is no answer. Try again, or sort in this process: {WISH}=here"
            )
            raise CountsError(message, code="sorter-lost")
        return True

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


def _serve(line: int) -> None:
    """Be the second process: sort what is handed over, until there is no work for a minute."""
    with socket.socket(fileno=line) as owner:
        owner.settimeout(PATIENCE)
        owner.send(b"ready")
        while True:
            try:
                message, files, _, _ = socket.recv_fds(owner, REQUEST.size, 1)
            except TimeoutError:
                return
            if not message:
                return
            offset, size, width, threads = REQUEST.unpack(message)
            owner.send(b"taken")
            keys = np.frombuffer(mmap.mmap(files[0], 0), f"i{width}", size, offset)
            os.close(files[0])
            _sort_here(keys, threads)
            del keys  # the pages go back with the last look at them
            owner.send(b"sorted")


if __name__ == "__main__":
    _serve(int(sys.argv[1]))

"""The program of the sorting process: waits for memory to be handed over, sorts it, says so.

Runs as a script of its own with numpy alone, and ends with the process that started it or after a
minute without work. Until then it keeps the memory of the last sort, to lend it for the next one:
the pages of new memory cost as much as a third of a sort.
"""

import mmap
import os
import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["main"]

PATIENCE = 60.0
"""Seconds without work after which the process ends."""

REQUEST = struct.Struct("<QQQQ")


class Memory:
    """The memory of the last sort; its pages go back with the last look at it."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.inode = os.fstat(file).st_ino
        self.map = mmap.mmap(file, 0)

    def __del__(self) -> None:
        os.close(self.file)

    def covers(self, file: int, end: int) -> bool:
        """Tell whether this is what was handed over, and long enough."""
        return self.inode == os.fstat(file).st_ino and len(self.map) >= end


def main(line: int, home: str, most_kept: int) -> None:
    """Serve one process."""
    sys.path.append(home)
    import numpy as np

    asked_by = socket.socket(fileno=line)
    asked_by.settimeout(PATIENCE)
    asked_by.send(b"ready")
    pool = ThreadPoolExecutor(1)
    last: Memory | None = None
    while True:
        try:
            message, files, _, _ = socket.recv_fds(asked_by, REQUEST.size, 1)
        except TimeoutError:
            return
        if not message:
            return
        offset, size, width, threads = REQUEST.unpack(message)
        if not width:
            socket.send_fds(asked_by, [b"lent"], [] if last is None else [last.file])
            continue
        asked_by.send(b"taken")
        if last is not None and last.covers(files[0], offset + size * width):
            os.close(files[0])
        else:
            last = Memory(files[0])
        sort(np.frombuffer(last.map, f"i{width}", size, offset), pool if threads > 1 else None)
        if len(last.map) > most_kept:
            last = None
        asked_by.send(b"sorted")


def sort(keys: "NDArray[Any]", pool: ThreadPoolExecutor | None) -> None:
    """Sort in place, one half in another thread if there is one."""
    if pool is None:
        keys.sort()
        return
    middle = keys.size // 2
    keys.partition(middle)
    lower = pool.submit(keys[:middle].sort)
    keys[middle:].sort()
    lower.result()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))

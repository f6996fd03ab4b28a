"""The program of the sorting process: waits for memory to be handed over, sorts it, says so.

Runs as a script of its own with numpy alone, and ends with the process that started it or after a
minute without work.
"""

import mmap
import os
import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor

__all__ = ["main"]

PATIENCE = 60.0
"""Seconds without work after which the process ends."""


def main(line: int, home: str) -> None:
    """Serve one process."""
    sys.path.append(home)
    import numpy as np

    request = struct.Struct("<QQQQ")
    asked_by = socket.socket(fileno=line)
    asked_by.settimeout(PATIENCE)
    asked_by.send(b"ready")
    pool = ThreadPoolExecutor(1)
    while True:
        try:
            message, files, _, _ = socket.recv_fds(asked_by, request.size, 1)
        except TimeoutError:
            return
        if not message:
            return
        asked_by.send(b"taken")
        offset, size, width, threads = request.unpack(message)
        with mmap.mmap(files[0], 0) as room:
            keys = np.frombuffer(room, dtype=f"i{width}", count=size, offset=offset)
            if threads < 2:
                keys.sort()
            else:
                middle = size // 2
                keys.partition(middle)
                lower = pool.submit(keys[:middle].sort)
                keys[middle:].sort()
                lower.result()
            del keys
        os.close(files[0])
        asked_by.send(b"sorted")


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])

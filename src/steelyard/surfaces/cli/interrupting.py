"""Ctrl-C and SIGTERM end a command at once, also while the database waits for its own threads."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["INTERRUPTED", "STOPPED", "TERMINATED", "ends_promptly"]

INTERRUPTED, TERMINATED = 130, 143
STOPPED = "steelyard: stopped; nothing was written."
GRACE = 1.0
"""Seconds that an interrupted command has to end by itself."""


@contextmanager
def ends_promptly() -> Iterator[None]:
    """Watch for a signal that Python itself cannot act upon, and end the process then.

    A handler written in Python runs only when the main thread comes back from the database, which
    may wait for a worker that does not look up. The byte that the signal writes wakes a thread.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.settimeout(0)
    done = threading.Event()
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    # Without a handler the system would end the process, and temporary files would stay behind.
    known = signal.signal(signal.SIGTERM, _terminate)
    threading.Thread(target=_watch, args=(reader, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()
        signal.signal(signal.SIGTERM, known)
        signal.set_wakeup_fd(before)
        writer.close()


def _terminate(number: int, frame: object) -> None:
    del number, frame
    sys.exit(TERMINATED)


def _watch(reader: socket.socket, done: threading.Event) -> None:
    codes = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}
    with reader:
        while signals := reader.recv(64):
            code = next((codes[one] for one in codes if one in signals), None)
            if code is not None and not done.wait(GRACE):
                _end(code)


def _end(code: int) -> None:
    local = sys.modules.get("steelyard.engines.local")
    if local is not None:
        local.remove_scratch()
    print(f"\n{STOPPED}", file=sys.stderr, flush=True)
    os._exit(code)

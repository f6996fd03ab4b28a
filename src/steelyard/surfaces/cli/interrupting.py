"""Ctrl-C ends a command at once, also while the database waits for one of its own threads."""

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["INTERRUPTED", "STOPPED", "ends_promptly"]

INTERRUPTED = 130
STOPPED = "steelyard: stopped; nothing was written."
GRACE = 1.0
"""Seconds that an interrupted command has to end by itself."""


@contextmanager
def ends_promptly() -> Iterator[None]:
    """Watch for an interrupt that Python itself cannot act upon, and end the process then.

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
    threading.Thread(target=_watch, args=(reader, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()
        signal.set_wakeup_fd(before)
        writer.close()


def _watch(reader: socket.socket, done: threading.Event) -> None:
    with reader:
        while signals := reader.recv(64):
            if signal.SIGINT in signals and not done.wait(GRACE):
                _end()


def _end() -> None:
    local = sys.modules.get("steelyard.engines.local")
    if local is not None:
        local.remove_scratch()
    print(f"\n{STOPPED}", file=sys.stderr, flush=True)
    os._exit(INTERRUPTED)

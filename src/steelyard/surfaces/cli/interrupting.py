"""A command ends at once: when it has answered, and by Ctrl-C or SIGTERM also before.

The latter also while the database waits for its own threads.
"""

import atexit
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["INTERRUPTED", "STOPPED", "TERMINATED", "ends_promptly", "leaves_at_once"]

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


@contextmanager
def leaves_at_once() -> Iterator[None]:
    """End the process when what is inside has ended and all is written and tidied up.

    Python would take down every module first, which takes as long as to load numpy and the engine.
    Where somebody else waits for the end, such as a tool that looks at the process, it does.
    """
    code: list[int] = []
    if not atexit._ncallbacks():
        # What is registered first is called last.
        atexit.register(_leave, code, os.getpid())
    try:
        yield
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            code.append(ended.code or 0)
        raise


def _leave(code: list[int], process: int) -> None:
    if code and os.getpid() == process:
        # Where words cannot be written, Python says so.
        with suppress(AttributeError, OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code[0])


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

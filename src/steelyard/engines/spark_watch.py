"""A cluster that has lost all of its workers: waited for, but not for ever."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from steelyard.errors import RefusedData

__all__ = ["PATIENCE", "bounded_wait"]

PATIENCE = 600.0
"""So many seconds a statement waits for a cluster without any executor before it is given up."""

STEP = 1.0


@contextmanager
def bounded_wait(session: Any) -> Iterator[None]:  # noqa: ANN401
    """Give a statement up when the cluster has no executor for long.

    Spark itself would wait for a new worker without end. Only the jobs of this statement are
    cancelled, by a tag that is taken away again. Sessions that run on this machine have no workers
    to lose, and those of Spark Connect do not show theirs: both are left alone.
    """
    context = _context(session)
    if context is None:
        yield
        return
    tag = f"steelyard-{uuid.uuid4().hex}"
    done, lost = threading.Event(), threading.Event()
    watcher = threading.Thread(target=_watch, args=(context, tag, done, lost), daemon=True)
    context.addJobTag(tag)
    watcher.start()
    try:
        yield
    except Exception as error:
        if lost.is_set():
            raise _given_up() from error
        raise
    finally:
        done.set()
        watcher.join()
        context.removeJobTag(tag)


def _context(session: Any) -> Any:  # noqa: ANN401
    """Give the context of a session at a master whose workers may be lost; else None."""
    try:
        context = session.sparkContext
        watched = hasattr(context, "addJobTag") and not context.master.startswith("local")
    except Exception:
        return None
    return context if watched else None


def _watch(context: Any, tag: str, done: threading.Event, lost: threading.Event) -> None:  # noqa: ANN401
    alone_since = None
    while not done.wait(STEP):
        # The driver itself is one of those that hold memory.
        if context._jsc.sc().getExecutorMemoryStatus().size() > 1:
            alone_since = None
            continue
        alone_since = alone_since or time.monotonic()
        if time.monotonic() - alone_since >= PATIENCE:
            lost.set()
            context.cancelJobsWithTag(tag)


def _given_up() -> RefusedData:
    message = (
        f"The cluster has had no worker for {PATIENCE:,.0f} seconds, and the question was given "
        "up. Nothing was answered. Start workers at its master, and ask again."
    )
    return RefusedData(message, code="no-workers")

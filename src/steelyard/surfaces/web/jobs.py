"""Work that may take long: done beside the server, asked about until it is ready."""

import asyncio
import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Job", "Progress", "Workshop"]

WORKERS = 2
KEPT = 48
SOON = 0.6
"""An answer that takes no longer is given at once."""


@dataclass(slots=True)
class Progress:
    """How far a piece of work is: what is done, its passes over the data, the time so far."""

    what: str = "Reading the file"
    started: float = field(default_factory=time.monotonic)
    passes: int = 0

    def __call__(self, statement: object) -> None:
        """Note one more pass; handed to the engine as its observer."""
        del statement
        self.passes += 1

    def said(self) -> str:
        """Say it in words."""
        seconds = time.monotonic() - self.started
        if not self.passes:
            return f"{self.what} … {seconds:.0f} s"
        return f"Counting … {seconds:.0f} s, {self.passes} passes over the data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of work, its name in addresses, and how far it is."""

    name: str
    progress: Progress
    future: "Future[Any]"


class Workshop:
    """Does each piece of work once, keeps the latest answers, and runs a few side by side."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="steelyard")

    def start(self, key: object, work: Callable[[Progress], Any]) -> Job:
        """Begin, or find what was begun for the same key; what has failed is tried again."""
        name = _name(key)
        with self._lock:
            known = self._jobs.get(name)
            if known is not None and not _failed(known):
                self._jobs.move_to_end(name)
                return known
            progress = Progress()
            job = Job(name=name, progress=progress, future=self._threads.submit(work, progress))
            self._jobs[name] = job
            while len(self._jobs) > KEPT:
                self._jobs.popitem(last=False)
            return job

    def known(self, key: object) -> Job | None:
        """Find what was begun for a key."""
        with self._lock:
            return self._jobs.get(_name(key))

    async def answer(self, job: Job) -> tuple[bool, Any]:
        """Wait a moment; tell whether it is done, and give the answer or raise what was raised."""
        waiting = asyncio.wrap_future(job.future)
        try:
            return True, await asyncio.wait_for(asyncio.shield(waiting), SOON)
        except TimeoutError:
            if job.future.done():
                return True, job.future.result()
            return False, None

    def close(self) -> None:
        """Let nothing new begin."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _name(key: object) -> str:
    text = json.dumps(key, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _failed(job: Job) -> bool:
    return job.future.done() and (job.future.cancelled() or job.future.exception() is not None)

"""Work that may take long: done beside the server, asked about until it is ready."""

import asyncio
import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Job", "JobQueue", "Progress"]

WORKERS = 2
KEPT = 48
MOST_DRAWN = 12 << 20
"""Bytes of answers as they are sent, kept for those who ask the same again."""
SOON = 0.6
"""An answer that takes no longer is given at once."""
REFUSED_FOR = 60.0
"""Seconds for which a failure stands as the answer: who asks again meanwhile hears it."""


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
    ended: list[float] = field(default_factory=list)

    def has_failed_long_ago(self) -> bool:
        """Tell whether it failed so long ago that it is worth another try."""
        failed = self.future.done() and (self.future.cancelled() or self.future.exception())
        return bool(failed) and time.monotonic() - (self.ended or [0.0])[0] > REFUSED_FOR


class JobQueue:
    """Does each piece of work once, keeps the latest answers, and runs a few side by side.

    A refusal is an answer, too: the page asks for work that took long a second time to fetch what
    came of it, and would start it for ever if a failure were not kept for that.
    """

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._lock = threading.Lock()
        self._drawn: OrderedDict[Hashable, bytes] = OrderedDict()
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="steelyard")

    def start(self, key: object, work: Callable[[Progress], Any]) -> Job:
        """Begin, or find what was begun for the same key; an old failure is tried again."""
        name = _name(key)
        with self._lock:
            known = self._jobs.get(name)
            if known is not None and not known.has_failed_long_ago():
                self._jobs.move_to_end(name)
                return known
            progress = Progress()
            job = Job(name=name, progress=progress, future=self._threads.submit(work, progress))
            job.future.add_done_callback(lambda _: job.ended.append(time.monotonic()))
            self._jobs[name] = job
            while len(self._jobs) > KEPT:
                self._jobs.popitem(last=False)
            return job

    def find(self, key: object) -> Job | None:
        """Find what was begun for a key."""
        with self._lock:
            return self._jobs.get(_name(key))

    async def answer(self, job: Job) -> tuple[bool, Any]:
        """Wait a moment; tell whether it is done, and give the answer or raise what was raised."""
        waiting = asyncio.wrap_future(job.future)
        # A refusal that comes after the moment is asked for again, and is no news for a log.
        waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            return True, await asyncio.wait_for(asyncio.shield(waiting), SOON)
        except TimeoutError:
            if job.future.done():
                return True, job.future.result()
            return False, None

    def draw(self, key: Hashable, draw: Callable[[], bytes]) -> bytes:
        """Give an answer as it is sent: drawn once for all who look at it in the same way."""
        with self._lock:
            known = self._drawn.get(key)
            if known is not None:
                self._drawn.move_to_end(key)
                return known
        made = draw()
        with self._lock:
            self._drawn[key] = made
            while sum(map(len, self._drawn.values())) > MOST_DRAWN:
                self._drawn.popitem(last=False)
        return made

    def busy(self) -> bool:
        """Tell whether something is still being worked out."""
        with self._lock:
            return any(job.future.running() for job in self._jobs.values())

    def close(self) -> None:
        """Let nothing new begin."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _name(key: object) -> str:
    text = json.dumps(key, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]

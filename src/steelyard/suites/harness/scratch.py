"""Folders for one cell each, outside the suite; those of a harness that was killed are removed."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

__all__ = ["remove_abandoned", "scratch_folder"]

PREFIX = "steelyard-cell-"
SETTLED = 60.0
"""Seconds after which a folder without a lock was left behind, and is not just being made."""


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Make a folder that any user can reach, hold a lock on it, and remove it at the end.

    The system gives the lock back when a process dies in whatever way, so that the next run knows
    which folders nobody works in any more.
    """
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(held)


def remove_abandoned() -> None:
    """Remove what a killed harness left behind; what is locked, young or another's stays."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.stat().st_mtime > SETTLED and not _is_held(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_held(folder: Path) -> bool:
    tried = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
    try:
        fcntl.flock(tried, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(tried)
    return False

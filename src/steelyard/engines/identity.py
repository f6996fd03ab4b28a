"""Which file was read: what tells it from one that took its place, or from itself rewritten."""

import time
from pathlib import Path
from typing import NamedTuple, Self

__all__ = ["FileIdentity"]

TICK = 0.02
"""Seconds after which a second write has another time than the first, on any common disk."""


class FileIdentity(NamedTuple):
    """Device, inode, size and the times of the last change to the bytes and to the inode.

    The time of the inode cannot be set back by a program, so that a file which was rewritten, or
    replaced and put back, is another one even when its size and its date are the same.
    """

    device: int
    inode: int
    size: int
    written: int
    changed: int

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """Take the identity of a file before it is read; None for what is no plain file.

        A file that was written a moment ago could be written again within the same tick of the
        disk's clock and look the same: its identity is taken when that tick is over.
        """
        found = cls._now(path)
        if found is None:
            return None
        age = time.time() - max(found.written, found.changed) / 1e9
        if 0 <= age < TICK:
            time.sleep(TICK - age)
            found = cls._now(path)
        return found

    @classmethod
    def _now(cls, path: Path) -> Self | None:
        try:
            if not path.is_file():
                return None
            seen = path.stat()
        except OSError:
            return None
        return cls(seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)

    def still(self, path: Path) -> bool:
        """Tell whether the file is there as it was."""
        return self._now(path) == self

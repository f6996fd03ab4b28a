"""How much memory a run may use."""

import os
import re
from pathlib import Path

from steelyard.errors import RequestError

__all__ = ["memory_budget", "said_bytes"]

UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
WRITTEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?\s*", re.IGNORECASE)
SHARE = 2
"""By default one part in so many of the machine."""
LEAST = 256 * 2**20
MOST = 2**60
"""More bytes than any machine has, and than a database takes for a number of them."""
LIMIT = Path("/sys/fs/cgroup/memory.max")


def memory_budget(given: str | int | None = None) -> int:
    """Read a number of bytes as people write it; by default half of the machine.

    Units are powers of 1024, and a container that may use less than the machine has counts as the
    machine.

    Examples
    --------
    >>> memory_budget("1.5GiB"), memory_budget("800 MB")
    (1610612736, 838860800)
    """
    if given is None:
        return max(LEAST, _machine() // SHARE)
    found = WRITTEN.fullmatch(str(given))
    amount = float(found[1]) * UNITS[found[2].lower()] if found else 0.0
    size = int(amount) if amount < MOST else 0
    if size < LEAST:
        message = (
            f"memory={given!r} is no amount that can be worked with; expected {said_bytes(LEAST)} "
            "or more, written like 1.5GiB (--memory 1.5GiB)."
        )
        raise RequestError(message)
    return size


def said_bytes(size: int) -> str:
    """Write a number of bytes for people.

    >>> said_bytes(1610612736), said_bytes(838860800)
    ('1.5 GiB', '800 MiB')
    """
    if size >= 2**30:
        return f"{size / 2**30:.1f} GiB"
    return f"{size / 2**20:.0f} MiB"


def _machine() -> int:
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        allowed = LIMIT.read_text(encoding="ascii").strip()
    except OSError:
        return whole
    return min(whole, int(allowed)) if allowed.isdigit() else whole

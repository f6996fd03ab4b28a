"""How much memory a run may use."""

import os
import re
from pathlib import Path

from steelyard.errors import RequestError

__all__ = ["memory_budget", "say_bytes"]

UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
WRITTEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)i?b?\s*", re.IGNORECASE)
SHARE = 2
"""By default one part in so many of the machine."""
LEAST = 256 * 2**20
MOST = 2**60
"""More bytes than any machine has, and than a database takes for a number of them."""
LIMIT = Path("/sys/fs/cgroup/memory.max")
UNKNOWN = 4 * 2**30
"""What a machine is taken to have that does not say."""


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
            f"memory={given!r} is not a usable amount; expected {say_bytes(LEAST)} "
            "or more, written like 1.5GiB (--memory 1.5GiB)."
        )
        raise RequestError(message)
    return size


def say_bytes(size: int) -> str:
    """Write a number of bytes for people.

    >>> say_bytes(1610612736), say_bytes(838860800)
    ('1.5 GiB', '800 MiB')
    """
    if size >= 2**30:
        return f"{size / 2**30:.1f} GiB"
    return f"{size / 2**20:.0f} MiB"


def _read_installed() -> int:
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return _ask_windows() or UNKNOWN


def _ask_windows() -> int:
    """Ask Windows how much memory there is; 0 where it does not answer."""
    import ctypes

    kernel = getattr(getattr(ctypes, "windll", None), "kernel32", None)
    if kernel is None:
        return 0
    # MEMORYSTATUSEX: its own length, the load in percent, then seven sizes, of which the first is
    # what is installed.
    status = (ctypes.c_uint64 * 8)()
    status[0] = ctypes.sizeof(status)
    return int(status[1]) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else 0


def _machine() -> int:
    whole = _read_installed()
    try:
        allowed = LIMIT.read_text(encoding="ascii").strip()
    except OSError:
        return whole
    return min(whole, int(allowed)) if allowed.isdigit() else whole

"""What a command loads, and how: scipy without what nobody asked for, numpy sorting fast if asked.

Both are done for the command line alone, which owns its process, and only while nothing else has
loaded the library. A program that imports Steelyard keeps what it has.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["SLOW_SORTS", "load_numbers", "slow_sorts"]

VARIABLE = "NPY_DISABLE_CPU_FEATURES"
WISH = "STEELYARD_FAST_SORT"
"""Set to 1 by whoever sorts large files on Zen 4 and can do without the last bit of a logarithm."""

PROCESSOR = Path("/proc/cpuinfo")
ZEN_4 = 25
"""The family of AMD processors that stores compressed vectors by microcode."""

SLOW_SORTS = {"X86_V4": {"avx512f", "avx512vl"}, "AVX512_ICL": {"avx512_vbmi2", "avx512_bitalg"}}
"""Parts of numpy whose sort is slow there, and the flags of processors that have them."""

QUIET = frozenset({"-h", "--help", "-V", "--version"})
"""Questions that need no number."""

UNASKED = frozenset(
    {"f2py", "testing", "ma", "polynomial", "ctypeslib", "random", "rec", "char", "test"}
)
"""Parts of numpy that scipy would load by copying every name of numpy, and never uses."""


def load_numbers(arguments: list[str]) -> None:
    """Load numpy and scipy as a command wants them, before anything else does."""
    if not arguments or QUIET & set(arguments) or "numpy" in sys.modules:
        return
    slow = slow_sorts(_told_of_processor()) if os.environ.get(WISH) == "1" else []
    if slow and VARIABLE not in os.environ:
        os.environ[VARIABLE] = " ".join(slow)
        try:
            import numpy  # noqa: F401
        finally:
            # Programs that this one starts are not to inherit it.
            del os.environ[VARIABLE]
    with _without_unasked():
        import scipy.special  # noqa: F401


def slow_sorts(told: str) -> list[str]:
    r"""Name the parts of numpy that sort slowly on a processor, from what the kernel tells of it.

    >>> slow_sorts("vendor_id : AuthenticAMD\ncpu family : 25\nflags : avx512f avx512vl")
    ['X86_V4']
    >>> slow_sorts("vendor_id : GenuineIntel\ncpu family : 6\nflags : avx512f avx512vl")
    []
    """
    facts: dict[str, str] = {}
    for line in told.splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    if facts.get("vendor_id") != "AuthenticAMD" or facts.get("cpu family") != str(ZEN_4):
        return []
    flags = set(facts.get("flags", "").split())
    return [part for part, needed in SLOW_SORTS.items() if needed <= flags]


def _told_of_processor() -> str:
    try:
        with PROCESSOR.open(encoding="utf-8", errors="replace") as file:
            return file.read(8192)
    except OSError:
        return ""


@contextmanager
def _without_unasked() -> Iterator[None]:
    """Keep numpy from naming what nobody asked for, so that copying its names does not load it."""
    import numpy as np

    whole = np.__all__
    listed: set[str] = getattr(np, "__numpy_submodules__", set())
    hidden = listed & UNASKED
    np.__all__ = [name for name in whole if name not in UNASKED]
    listed -= hidden
    try:
        yield
    finally:
        np.__all__ = whole
        listed |= hidden

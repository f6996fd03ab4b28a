"""What a command loads, and how: scipy without what nobody asked for.

Done for the command line alone, which owns its process, and only while nothing else has loaded the
library. A program that imports Steelyard keeps what it has.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["load_numbers"]

QUIET = frozenset({"-h", "--help", "-V", "--version"})
"""Questions that need no number."""

UNASKED = frozenset(
    {"f2py", "testing", "ma", "polynomial", "ctypeslib", "random", "rec", "char", "test"}
)
"""Parts of numpy that scipy would load by copying every name of numpy, and never uses."""


def load_numbers(arguments: list[str]) -> None:
    """Load scipy as a command wants it, before anything else does."""
    if not arguments or QUIET & set(arguments) or "numpy" in sys.modules:
        return
    with _without_unasked():
        import scipy.special  # noqa: F401


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

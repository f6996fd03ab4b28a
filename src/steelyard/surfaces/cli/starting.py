"""What a command loads, and how: scipy without what nobody asked for.

Done for the command line alone, which owns its process, and only while nothing else has loaded the
library. A program that imports Steelyard keeps what it has.
"""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["load_numbers"]

QUIET = frozenset({"-h", "--help", "-V", "--version"})
"""Questions that need no number."""

UNASKED = frozenset(
    {"f2py", "testing", "ma", "polynomial", "ctypeslib", "random", "rec", "char", "test"}
)
"""Parts of numpy that scipy would load by copying every name of numpy, and never uses."""

DOCUMENTING = "scipy._lib._docscrape"
"""Takes the documentation of scipy apart to add a table to it, a tenth of a short command."""

RARELY = (50_000, 20, 100)
"""A command makes many objects once and drops few: looking for lost ones is put off."""


class PlainDocumentation:
    """The documentation of a function as it is."""

    def __init__(self, function: object) -> None:
        self.text = function.__doc__ or ""

    def __getitem__(self, section: str) -> list[Any]:
        del section
        return []

    def __str__(self) -> str:
        return f"\n{self.text}"


def load_numbers(arguments: list[str]) -> None:
    """Load scipy as a command wants it, before anything else does."""
    if not arguments or QUIET & set(arguments) or "numpy" in sys.modules:
        return
    gc.set_threshold(*RARELY)
    with _without_unasked():
        try:
            with _documentation_as_it_is():
                import scipy.special
        except (ImportError, AttributeError, TypeError):  # another scipy, that wants more of it
            for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
                del sys.modules[name]
            import scipy.special  # noqa: F401


@contextmanager
def _documentation_as_it_is() -> Iterator[None]:
    """Let scipy leave its documentation alone while it is loaded."""
    plain = ModuleType(DOCUMENTING)
    vars(plain)["FunctionDoc"] = PlainDocumentation
    sys.modules[DOCUMENTING] = plain
    try:
        yield
    finally:
        sys.modules.pop(DOCUMENTING, None)
        for name, module in list(sys.modules.items()):
            if name.startswith("scipy.") and "FunctionDoc" in vars(module):
                vars(module)["FunctionDoc"] = _documentation_in_full


def _documentation_in_full(*given: Any, **named: Any) -> Any:  # noqa: ANN401
    """Take documentation apart after all, for parts of scipy that are loaded later."""
    return import_module(DOCUMENTING).FunctionDoc(*given, **named)


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

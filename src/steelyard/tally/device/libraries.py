"""The few steps on arrays that counting needs, in torch, and in CuPy, which speaks as numpy does.

None of the libraries is imported unless an array of it is handed in. Kernels are written once, on
these steps; the tests run them on numpy, where every step is checked against the tables of
:mod:`steelyard.tally.arrays`.
"""
# ruff: noqa: D102 -- the steps are described once, in Library

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from steelyard.errors import RequestError

__all__ = ["ON_HOST", "Library", "NumpyLike", "Torch", "is_on_device", "library_of"]

ON_HOST = frozenset({1, 3})
"""DLPack's numbers for memory that this machine's processor reads: plain, and pinned by CUDA."""

Array = Any


class Distinct(NamedTuple):
    """Distinct values in rising order, and how often each occurs."""

    values: Array
    counts: Array


class Library(Protocol):
    """What a library of arrays must be able to do; whole numbers stay whole and 64 bits wide."""

    name: str

    def bits(self, values: Array) -> Array:
        """See floats as whole numbers of the same width, -0.0 as 0.0."""

    def whole(self, values: Array) -> Array:
        """Turn whole numbers of any width into 64 bits."""

    def distinct(self, values: Array) -> Distinct:
        """Sort, and count what is equal."""

    def below(self, ordered: Array, values: Array) -> Array:
        """Count the entries of an ordered list that are smaller than each value."""

    def running(self, values: Array) -> Array:
        """Add up from the first, with a 0 before it."""

    def order(self, keys: Array, carried: Array) -> tuple[Array, Array]:
        """Sort keys, and take another column along."""

    def runs(self, ordered: Array) -> Distinct:
        """Count what is equal in an ordered list."""

    def histogram(self, codes: Array, size: int) -> Array:
        """Count codes from 0 to ``size - 1``."""

    def scale(self, values: Array, factor: float) -> Array:
        """Multiply whole numbers in double precision, and cut off what is behind the point."""

    def about(self, values: Array, others: Array) -> Array:
        """Multiply whole numbers in double precision."""

    def gather(
        self, whole: Sequence[Array], floats: Sequence[Array] = ()
    ) -> tuple[list[int], list[float]]:
        """Bring single numbers to this machine, all at once: every wait for a device costs."""

    def put(self, values: NDArray[Any], like: Array) -> Array:
        """Bring numbers of this machine to where another array lives."""

    def host(self, values: Array) -> NDArray[Any]:
        """Bring numbers to this machine."""


class NumpyLike:
    """Numpy, and CuPy, which has its names; CuPy sorts keys alone, without their places."""

    def __init__(self, module: Array) -> None:
        self.name, self._of = module.__name__, module

    def bits(self, values: Array) -> Array:
        kind = self._of.int32 if values.dtype.itemsize == 4 else self._of.int64
        return (values + values.dtype.type(0)).view(kind)

    def whole(self, values: Array) -> Array:
        return values.astype(self._of.int64)

    def distinct(self, values: Array) -> Distinct:
        found, counts = self._of.unique(values, return_counts=True)
        return Distinct(found, counts.astype(self._of.int64))

    def below(self, ordered: Array, values: Array) -> Array:
        return self._of.searchsorted(ordered, values)

    def running(self, values: Array) -> Array:
        out = self._of.zeros(values.size + 1, dtype=self._of.int64)
        self._of.cumsum(values, out=out[1:])
        return out

    def order(self, keys: Array, carried: Array) -> tuple[Array, Array]:
        places = self._of.argsort(keys)
        return keys[places], carried[places]

    def runs(self, ordered: Array) -> Distinct:
        first = self._of.ones(ordered.size, dtype=self._of.bool_)
        first[1:] = ordered[1:] != ordered[:-1]
        at = self._of.append(self._of.flatnonzero(first), ordered.size)
        return Distinct(ordered[at[:-1]], self._of.diff(at))

    def histogram(self, codes: Array, size: int) -> Array:
        return self._of.bincount(codes, minlength=size)

    def scale(self, values: Array, factor: float) -> Array:
        return (values * factor).astype(self._of.int64)

    def about(self, values: Array, others: Array) -> Array:
        return values.astype(self._of.float64) * others

    def gather(
        self, whole: Sequence[Array], floats: Sequence[Array] = ()
    ) -> tuple[list[int], list[float]]:
        bits = [self.whole(one) for one in whole] + [one.view(self._of.int64) for one in floats]
        found = self.host(self._of.stack(bits))
        return found[: len(whole)].tolist(), found[len(whole) :].view(np.float64).tolist()

    def put(self, values: NDArray[Any], like: Array) -> Array:
        del like
        return self._of.asarray(values)

    def host(self, values: Array) -> NDArray[Any]:
        return np.asarray(values.get() if hasattr(values, "get") else values)


class Torch:
    """PyTorch. Its ``unique`` without places is a radix sort of the keys alone."""

    name = "torch"

    def __init__(self, module: Array) -> None:
        self._of = module

    def bits(self, values: Array) -> Array:
        kind = self._of.int32 if values.element_size() == 4 else self._of.int64
        return (values + 0.0).view(kind)

    def whole(self, values: Array) -> Array:
        return values.to(self._of.int64)

    def distinct(self, values: Array) -> Distinct:
        return Distinct(*self._of.unique(values, return_counts=True))

    def below(self, ordered: Array, values: Array) -> Array:
        return self._of.searchsorted(ordered, values)

    def running(self, values: Array) -> Array:
        out = self._of.zeros(len(values) + 1, dtype=self._of.int64, device=values.device)
        self._of.cumsum(values, 0, out=out[1:])
        return out

    def order(self, keys: Array, carried: Array) -> tuple[Array, Array]:
        ordered, places = self._of.sort(keys)
        return ordered, carried[places]

    def runs(self, ordered: Array) -> Distinct:
        return Distinct(*self._of.unique_consecutive(ordered, return_counts=True))

    def histogram(self, codes: Array, size: int) -> Array:
        return self._of.bincount(codes, minlength=size)

    def scale(self, values: Array, factor: float) -> Array:
        return (values.double() * factor).to(self._of.int64)

    def about(self, values: Array, others: Array) -> Array:
        return values.double() * others

    def gather(
        self, whole: Sequence[Array], floats: Sequence[Array] = ()
    ) -> tuple[list[int], list[float]]:
        bits = [self.whole(one) for one in whole] + [one.view(self._of.int64) for one in floats]
        found = self.host(self._of.stack(bits))
        return found[: len(whole)].tolist(), found[len(whole) :].view(np.float64).tolist()

    def put(self, values: NDArray[Any], like: Array) -> Array:
        return self._of.from_numpy(np.ascontiguousarray(values)).to(like.device)

    def host(self, values: Array) -> NDArray[Any]:
        return np.asarray(values.cpu().numpy())


def is_on_device(values: object) -> bool:
    """Tell whether an array lives in memory that this machine's processor does not read.

    >>> is_on_device(np.zeros(3)), is_on_device([1, 2])
    (False, False)
    """
    asked = getattr(values, "__dlpack_device__", None)
    return asked is not None and int(asked()[0]) not in ON_HOST


def library_of(values: Array) -> tuple[Library, Array]:
    """Find the library of an array on a device; of others, torch or CuPy takes it by DLPack."""
    own = type(values).__module__.partition(".")[0]
    if own == "torch":
        return Torch(import_module("torch")), values.detach()
    if own == "cupy":
        return NumpyLike(import_module("cupy")), values
    for name, library in (("torch", Torch), ("cupy", NumpyLike)):
        try:
            module = import_module(name)
        except ImportError:
            continue
        return library(module), module.from_dlpack(values)
    message = (
        f"An array of {own} lives on a GPU, and neither torch nor cupy is installed to count it "
        "there. Install one of them, or bring the array to this machine first."
    )
    raise RequestError(message, code="no-device-library")

"""How each type of field is written as JSON, read back and described."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from steelyard.errors import RequestError

__all__ = [
    "Array",
    "Choice",
    "Fixed",
    "ListOf",
    "OneOf",
    "Path",
    "Plain",
    "Scalar",
    "Shape",
    "refusal",
    "spelled",
]

Path = tuple[Any, ...]
"""Where in a result: a chain of (outer path, field or place), written out only in a message."""

Plain = Any
"""Dicts, lists, numbers, text and None."""


class Shape(ABC):
    """One type of field: written, read and described."""

    @abstractmethod
    def owns(self, value: object) -> bool:
        """Tell whether this shape can write the value."""

    @abstractmethod
    def fits(self, plain: Plain) -> bool:
        """Tell whether this looks like something the shape wrote."""

    @abstractmethod
    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Give the value as plain data."""

    @abstractmethod
    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Rebuild the value from plain data."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Describe the plain data in JSON Schema."""

    def parts(self) -> "tuple[Shape, ...]":
        """Give the shapes inside this one."""
        return ()


class Scalar(Shape):
    """Text, whole number, number, yes/no or nothing."""

    NAMES: ClassVar[dict[type, str]] = {
        str: "string",
        int: "integer",
        float: "number",
        bool: "boolean",
        type(None): "null",
    }

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def owns(self, value: object) -> bool:
        """Accept numpy's numbers too; a yes/no is no number."""
        if isinstance(value, bool | np.bool_):
            return self.kind is bool
        if self.kind is int:
            return isinstance(value, int | np.integer)
        if self.kind is float:
            return isinstance(value, float | int | np.floating | np.integer)
        return isinstance(value, self.kind)

    def fits(self, plain: Plain) -> bool:
        """Accept a whole number where any number will do."""
        if self.kind is float:
            return isinstance(plain, float | int) and not isinstance(plain, bool)
        return type(plain) is self.kind

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Refuse what JSON has no number for."""
        if not self.owns(value):
            raise refusal(path, value, self.NAMES[self.kind])
        return self._checked(value, path)

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Refuse another type."""
        if not self.fits(plain):
            raise refusal(path, plain, self.NAMES[self.kind])
        return self._checked(plain, path)

    def _checked(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        if value is None:
            return None
        try:
            made = self.kind(value)
        except OverflowError:
            raise refusal(path, value, "a finite number") from None
        if self.kind is float and not isfinite(made):
            raise refusal(path, value, "a finite number; undefined is null with a reason")
        if self.kind is str and not made.isascii():
            _check_text(made, path)
        return made

    def schema(self) -> dict[str, Any]:
        """Name the type."""
        return {"type": self.NAMES[self.kind]}


class Choice(Shape):
    """One word of a closed list."""

    def __init__(self, words: tuple[Any, ...]) -> None:
        self.words = words

    def owns(self, value: object) -> bool:
        """Look the word up."""
        return any(type(value) is type(word) and value == word for word in self.words)

    def fits(self, plain: Plain) -> bool:
        """Look the word up."""
        return self.owns(plain)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Refuse any other word."""
        if not self.owns(value):
            raise refusal(path, value, f"one of {', '.join(map(repr, self.words))}")
        return value

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Refuse any other word."""
        return self.write(plain, path)

    def schema(self) -> dict[str, Any]:
        """List the words."""
        return {"enum": list(self.words)}


class ListOf(Shape):
    """A tuple of any length."""

    def __init__(self, item: Shape) -> None:
        self.item = item

    def owns(self, value: object) -> bool:
        """Accept tuples."""
        return isinstance(value, tuple)

    def fits(self, plain: Plain) -> bool:
        """Accept lists."""
        return isinstance(plain, list)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Write item by item."""
        if not isinstance(value, tuple):
            raise refusal(path, value, "a tuple")
        return [self.item.write(one, (path, place)) for place, one in enumerate(value)]

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Read item by item."""
        if not isinstance(plain, list):
            raise refusal(path, plain, "a list")
        return tuple(self.item.read(one, (path, place)) for place, one in enumerate(plain))

    def parts(self) -> tuple[Shape, ...]:
        """Give the shape of the items."""
        return (self.item,)

    def schema(self) -> dict[str, Any]:
        """Describe the items."""
        return {"type": "array", "items": self.item.schema()}


class Fixed(Shape):
    """A tuple of a fixed length, or a named tuple."""

    def __init__(self, items: tuple[Shape, ...], build: Callable[[list[Any]], Any] = tuple) -> None:
        self.items = items
        self.build = build

    def owns(self, value: object) -> bool:
        """Accept tuples of this length."""
        return isinstance(value, tuple) and len(value) == len(self.items)

    def fits(self, plain: Plain) -> bool:
        """Accept lists of this length."""
        return isinstance(plain, list) and len(plain) == len(self.items)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Write place by place."""
        if not self.owns(value):
            raise refusal(path, value, f"a tuple of {len(self.items)}")
        return [
            shape.write(one, (path, place))
            for place, (shape, one) in enumerate(zip(self.items, value, strict=True))
        ]

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Read place by place."""
        if not self.fits(plain):
            raise refusal(path, plain, f"a list of {len(self.items)}")
        return self.build(
            [
                shape.read(one, (path, place))
                for place, (shape, one) in enumerate(zip(self.items, plain, strict=True))
            ]
        )

    def parts(self) -> tuple[Shape, ...]:
        """Give the shapes of the places."""
        return self.items

    def schema(self) -> dict[str, Any]:
        """Describe each place."""
        return {
            "type": "array",
            "prefixItems": [item.schema() for item in self.items],
            "items": False,
            "minItems": len(self.items),
        }


class Array(Shape):
    """A numpy array as nested lists; infinite numbers as the texts ``inf`` and ``-inf``."""

    INFINITE: ClassVar[dict[str, float]] = {"inf": float("inf"), "-inf": float("-inf")}

    def __init__(self, dtype: type[np.generic]) -> None:
        self.dtype = np.dtype(dtype)
        self.item = Scalar({"f": float, "i": int, "b": bool}[self.dtype.kind])

    def owns(self, value: object) -> bool:
        """Accept arrays of this type."""
        return isinstance(value, np.ndarray) and value.dtype == self.dtype

    def fits(self, plain: Plain) -> bool:
        """Accept lists."""
        return isinstance(plain, list)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Write nested lists."""
        if not self.owns(value):
            raise refusal(path, value, f"an array of {self.dtype}")
        if self.dtype.kind == "f" and np.isnan(value).any():
            raise refusal(path, "NaN", "numbers")
        return self._spelled(value.tolist()) if self.dtype.kind == "f" else value.tolist()

    def _spelled(self, plain: Plain) -> Plain:
        if isinstance(plain, list):
            return [self._spelled(one) for one in plain]
        return plain if isfinite(plain) else str(plain)

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Build the array from nested lists of one depth and length."""
        if not isinstance(plain, list):
            raise refusal(path, plain, "a list")
        try:
            return np.array(self._parsed(plain, path), dtype=self.dtype)
        except (ValueError, OverflowError, TypeError) as error:
            if isinstance(error, RequestError):
                raise
            raise refusal(path, plain, f"an array of {self.dtype}") from None

    def _parsed(self, plain: Plain, path: Path) -> Plain:
        if isinstance(plain, list):
            return [self._parsed(one, (path, place)) for place, one in enumerate(plain)]
        if self.dtype.kind == "f" and isinstance(plain, str) and plain in self.INFINITE:
            return self.INFINITE[plain]
        return self.item.read(plain, path)

    def schema(self) -> dict[str, Any]:
        """Describe the numbers."""
        number = {
            "f": {"anyOf": [{"type": "number"}, {"enum": list(self.INFINITE)}]},
            "i": {"type": "integer"},
            "b": {"type": "boolean"},
        }[self.dtype.kind]
        return {"type": "array", "items": {"anyOf": [number, {"type": "array", "items": number}]}}


class OneOf(Shape):
    """One of several types; several classes are told apart by a ``kind`` in the object."""

    def __init__(self, members: tuple[Shape, ...]) -> None:
        self.members = members

    def owns(self, value: object) -> bool:
        """Ask every member."""
        return any(member.owns(value) for member in self.members)

    def fits(self, plain: Plain) -> bool:
        """Ask every member."""
        return any(member.fits(plain) for member in self.members)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Let the first member that owns the value write it."""
        for member in self.members:
            if member.owns(value):
                return member.write(value, path)
        raise refusal(path, value, "one of the types of this field")

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Let the first member that the data fit read them."""
        for member in self.members:
            if member.fits(plain):
                return member.read(plain, path)
        raise refusal(path, plain, "one of the types of this field")

    def parts(self) -> tuple[Shape, ...]:
        """Give the members."""
        return self.members

    def schema(self) -> dict[str, Any]:
        """List the members."""
        # Python remembers a union by its members, in whatever order it met them first.
        return {"anyOf": sorted((member.schema() for member in self.members), key=json.dumps)}


def _check_text(text: str, path: Path) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise refusal(path, text, "text that UTF-8 can hold (no lone surrogates)") from None


def refusal(path: Path, found: object, wanted: str) -> RequestError:
    """Build the error that names the place, what was found and what was expected."""
    shown = repr(found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return RequestError(f"{spelled(path)} is {shown}; expected {wanted}.", code="result-value")


def spelled(path: Path) -> str:
    """Write a path out, such as ``systems[2].accuracy.interval``."""
    if len(path) == 1:
        return str(path[0])
    outer, last = path
    return f"{spelled(outer)}[{last}]" if isinstance(last, int) else f"{spelled(outer)}.{last}"

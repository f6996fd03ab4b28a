"""Frozen dataclasses as plain dicts, lists, numbers and text, and back: their types say how.

Each type of field has one shape, which writes, reads and describes it. A shape takes only what it
wrote itself; anything else is refused with the place, what stands there and what was expected.
"""

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from steelyard.counts import Trials
from steelyard.errors import CountsError, RequestError

__all__ = ["from_plain", "records_within", "shape_of", "to_plain"]

Made = TypeVar("Made")

Path = tuple[Any, ...]
"""Where in a result: a chain of (outer path, field or place), written out only in a message."""

Plain = Any
"""Dicts, lists, numbers, text and None."""


def to_plain(value: Any) -> dict[str, Any]:  # noqa: ANN401
    """Give a dataclass as plain data, field by field in the order of the class.

    Numbers that JSON does not have (NaN, infinity) are refused with the name of their field;
    only arrays of scores may be infinite, and say so in words.

    Examples
    --------
    >>> from steelyard.counts import PairTable
    >>> to_plain(PairTable(both=160, first=18, second=5, neither=17))
    {'both': 160, 'first': 18, 'second': 5, 'neither': 17}
    """
    cls: Any = type(value)
    plain: dict[str, Any] = shape_of(cls).write(value, (cls.__name__,))
    return plain


def from_plain(cls: type[Made], plain: dict[str, Any]) -> Made:
    """Rebuild what ``to_plain`` gave; anything unknown, missing or of another type is refused.

    Examples
    --------
    >>> from steelyard.counts import PairTable
    >>> from_plain(PairTable, {"both": 160, "first": 18, "second": 5, "neither": 17}).discordant
    23
    """
    if not isinstance(plain, dict):
        message = f"{cls.__name__} is rebuilt from a dict, not from {type(plain).__name__}."
        raise RequestError(message, code="result-value")
    hint: Any = cls
    made: Made = shape_of(hint).read(plain, (cls.__name__,))
    return made


@dataclass(frozen=True, slots=True)
class Shape:
    """One type of field: what it takes, how it is written, read back and described.

    ``wanted`` names it in Python and in JSON; ``parts`` are the shapes inside. A dataclass has a
    ``name`` and a ``definition``, at which its ``schema`` points.
    """

    wanted: tuple[str, str]
    owns: Callable[[Any], bool]
    fits: Callable[[Plain], bool]
    written: Callable[[Any, Path], Plain]
    made: Callable[[Plain, Path], Any]
    schema: Callable[[], dict[str, Any]]
    parts: "tuple[Shape, ...]" = ()
    name: str | None = None
    definition: Callable[[], dict[str, Any]] = dict

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Give a value as plain data, or refuse it."""
        if not self.owns(value):
            raise _refusal(path, value, self.wanted[0])
        return self.written(value, path)

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Rebuild a value from plain data, or refuse them."""
        if not self.fits(plain):
            raise _refusal(path, plain, self.wanted[1])
        return self.made(plain, path)


SCALARS: dict[Any, tuple[str, Any]] = {
    str: ("string", str),
    int: ("integer", int | np.integer),
    float: ("number", float | int | np.floating | np.integer),
    bool: ("boolean", bool | np.bool_),
    type(None): ("null", type(None)),
}
"""Text, numbers, yes/no and nothing: the name in JSON, and the types taken, numpy's too."""


def _scalar(kind: type) -> Shape:
    name, taken = SCALARS[kind]
    # Python takes a yes/no for a whole number; here it is none.
    barred = () if kind is bool else bool
    # JSON has one kind of number: 1 stands for 1.0 too.
    shown = {kind, int} if kind is float else {kind}

    def check(value: Any, path: Path) -> Plain:  # noqa: ANN401
        if value is None:
            return None
        try:
            made = kind(value)
            # A whole number of 400 digits is read, but no share can be made of it.
            finite = kind is str or isfinite(made)
        except OverflowError:
            raise _refusal(path, value, "a finite number") from None
        if not finite:
            raise _refusal(path, value, "a finite number; undefined is null with a reason")
        if kind is str and not made.isascii():
            try:
                made.encode()
            except UnicodeEncodeError:
                wanted = "text that UTF-8 can hold (no lone surrogates)"
                raise _refusal(path, made, wanted) from None
        return made

    return Shape(
        wanted=(name, name),
        owns=lambda value: isinstance(value, taken) and not isinstance(value, barred),
        fits=lambda plain: type(plain) in shown,
        written=check,
        made=check,
        schema=lambda: {"type": name},
    )


def _choice(words: tuple[Any, ...]) -> Shape:
    """One word of a closed list."""

    def is_choice(value: object) -> bool:
        return any(type(value) is type(word) and value == word for word in words)

    return Shape(
        wanted=(f"one of {', '.join(map(repr, words))}",) * 2,
        owns=is_choice,
        fits=is_choice,
        written=lambda value, _: value,
        made=lambda plain, _: plain,
        schema=lambda: {"enum": list(words)},
    )


def _list_of(item: Shape) -> Shape:
    """A tuple of any length."""
    return Shape(
        wanted=("a tuple", "a list"),
        owns=lambda value: isinstance(value, tuple),
        fits=lambda plain: isinstance(plain, list),
        written=lambda value, path: [item.write(one, (path, at)) for at, one in enumerate(value)],
        made=lambda plain, path: tuple(item.read(one, (path, at)) for at, one in enumerate(plain)),
        schema=lambda: {"type": "array", "items": item.schema()},
        parts=(item,),
    )


def _mapping(item: Shape) -> Shape:
    """A mapping from names, as an object."""
    return Shape(
        wanted=("a mapping", "an object"),
        owns=lambda value: isinstance(value, Mapping) and all(isinstance(k, str) for k in value),
        fits=lambda plain: isinstance(plain, dict),
        written=lambda value, path: {k: item.write(one, (path, k)) for k, one in value.items()},
        made=lambda plain, path: {k: item.read(one, (path, k)) for k, one in plain.items()},
        schema=lambda: {"type": "object", "additionalProperties": item.schema()},
        parts=(item,),
    )


def _shape_fixed(parts: tuple[Shape, ...], build: Callable[[Any], Any] = tuple) -> Shape:
    """A tuple of a fixed length, or a named tuple."""
    many = len(parts)
    return Shape(
        wanted=(f"a tuple of {many}", f"a list of {many}"),
        owns=lambda value: isinstance(value, tuple) and len(value) == many,
        fits=lambda plain: isinstance(plain, list) and len(plain) == many,
        written=lambda value, path: [p.write(value[i], (path, i)) for i, p in enumerate(parts)],
        made=lambda plain, path: build(p.read(plain[i], (path, i)) for i, p in enumerate(parts)),
        schema=lambda: {
            "type": "array",
            "prefixItems": [part.schema() for part in parts],
            "items": False,
            "minItems": many,
        },
        parts=parts,
    )


INFINITE = {"inf": float("inf"), "-inf": float("-inf")}


def _array(dtype: np.dtype[Any]) -> Shape:
    """A numpy array as nested lists; infinite numbers as the texts ``inf`` and ``-inf``."""
    item = _scalar({"f": float, "i": int, "b": bool}[dtype.kind])
    real = dtype.kind == "f"
    number = {"anyOf": [item.schema(), {"enum": list(INFINITE)}]} if real else item.schema()

    def write(value: Any, path: Path) -> Plain:  # noqa: ANN401
        if real and np.isnan(value).any():
            raise _refusal(path, "NaN", "numbers")
        return _spell_infinite(value.tolist())

    def parse(plain: Plain, path: Path) -> Plain:
        if isinstance(plain, list):
            return [parse(one, (path, at)) for at, one in enumerate(plain)]
        if real and isinstance(plain, str) and plain in INFINITE:
            return INFINITE[plain]
        return item.read(plain, path)

    def make(plain: Plain, path: Path) -> Any:  # noqa: ANN401
        numbers = parse(plain, path)
        try:
            return np.array(numbers, dtype=dtype)
        except (ValueError, OverflowError, TypeError):
            # Rows of unequal length, or a whole number that the type has no room for.
            raise _refusal(path, plain, f"an array of {dtype}") from None

    return Shape(
        wanted=(f"an array of {dtype}", "a list"),
        owns=lambda value: isinstance(value, np.ndarray) and value.dtype == dtype,
        fits=lambda plain: isinstance(plain, list),
        written=write,
        made=make,
        schema=lambda: {
            "type": "array",
            "items": {"anyOf": [number, {"type": "array", "items": number}]},
        },
    )


def _spell_infinite(plain: Plain) -> Plain:
    if isinstance(plain, list):
        return [_spell_infinite(one) for one in plain]
    return plain if isfinite(plain) else str(plain)


def _one_of(hints: tuple[Any, ...]) -> Shape:
    """One of several types; several classes are told apart by a ``kind`` in the object."""
    origins: dict[Any, Any] = {hint: get_origin(hint) or hint for hint in hints}
    classes = [hint for hint in hints if is_dataclass(origins[hint])]
    kinds = {hint: getattr(origins[hint], "kind", origins[hint].__name__) for hint in classes}
    tags = kinds if len(classes) > 1 else {}
    # An exact type goes first: float would also take what int owns.
    ranked = sorted(hints, key=lambda hint: hint is float)
    parts = tuple(shape_of(hint, tags.get(hint)) for hint in ranked)
    return Shape(
        wanted=("one of the types of this field",) * 2,
        owns=lambda value: any(part.owns(value) for part in parts),
        fits=lambda plain: any(part.fits(plain) for part in parts),
        written=lambda value, path: next(p for p in parts if p.owns(value)).write(value, path),
        made=lambda plain, path: next(p for p in parts if p.fits(plain)).read(plain, path),
        # Python remembers a union by its members, in whatever order it met them first.
        schema=lambda: {"anyOf": sorted((part.schema() for part in parts), key=json.dumps)},
        parts=parts,
    )


def _record(cls: type, shapes: dict[str, Shape], tag: str | None) -> Shape:
    """A dataclass as an object; unknown and missing keys are refused."""
    name = cls.__name__ if tag is None else f"Tagged{cls.__name__}"
    start = {} if tag is None else {"kind": tag}
    absent = (MISSING, MISSING)
    needed = [one.name for one in fields(cls) if (one.default, one.default_factory) == absent]

    def make(plain: Plain, path: Path) -> Any:  # noqa: ANN401
        given = {key: one for key, one in plain.items() if key not in start}
        for word, keys in (
            ("has unknown keys", given.keys() - shapes.keys()),
            ("lacks keys", set(needed) - given.keys()),
        ):
            if keys:
                message = (
                    f"{_spell(path)} {word}: {', '.join(sorted(map(str, keys)))}. "
                    f"A {cls.__name__} has: {', '.join(shapes)}. "
                    "Save the result again with to_json() (--json)."
                )
                raise RequestError(message, code="result-keys")
        values = {key: shapes[key].read(one, (path, key)) for key, one in given.items()}
        try:
            return _trials(**values) if cls is Trials else cls(**values)
        except CountsError as error:
            message = f"{_spell(path)}: {error}"
            raise CountsError(message, code=error.code) from None

    return Shape(
        wanted=(f"a {cls.__name__}", f"an object for {cls.__name__}"),
        owns=lambda value: isinstance(value, cls),
        fits=lambda plain: isinstance(plain, dict) and (not start or plain.get("kind") == tag),
        written=lambda value, path: (
            start
            | {key: shape.write(getattr(value, key), (path, key)) for key, shape in shapes.items()}
        ),
        made=make,
        schema=lambda: {"$ref": f"#/$defs/{name}"},
        parts=tuple(shapes.values()),
        name=name,
        definition=lambda: {
            "type": "object",
            "description": (cls.__doc__ or "").split("\n")[0],
            "properties": {key: {"const": tag} for key in start}
            | {key: shape.schema() for key, shape in shapes.items()},
            "required": [*start, *needed],
            "additionalProperties": False,
        },
    )


def _trials(*, systems: Any, correct: Any, tested: Any, **rest: Any) -> Trials:  # noqa: ANN401
    """Build Trials, whose arguments are mappings, from its fields."""
    if not len(set(systems)) == len(systems) == len(correct) == len(tested):
        message = f"{len(systems)} systems, {len(correct)} right, {len(tested)} tested; need equal."
        raise CountsError(message, code="systems-differ")
    right, seen = (dict(zip(systems, counts, strict=True)) for counts in (correct, tested))
    return Trials(correct=right, tested=seen, **rest)


@cache
def shape_of(hint: Any, tag: str | None = None) -> Shape:  # noqa: ANN401, C901, PLR0911 - a table of types
    """Find the shape of a type hint, once; ``tag`` tells the classes of a union apart."""
    origin, inner = get_origin(hint), get_args(hint)
    cls: Any = origin or hint
    if hasattr(cls, "__value__"):  # from Python 3.12 on numpy names its arrays by an alias
        return shape_of(cls.__value__[inner], tag)
    if hint is None or hint in SCALARS:
        return _scalar(hint or type(None))
    if origin is Literal:
        return _choice(inner)
    if origin in {Union, types.UnionType}:
        return _one_of(inner)
    if origin is tuple and inner[1:] == (Ellipsis,):
        return _list_of(shape_of(inner[0]))
    if origin is tuple:
        return _shape_fixed(tuple(map(shape_of, inner)))
    if origin is Mapping:
        return _mapping(shape_of(inner[1]))
    if origin is np.ndarray:
        return _array(np.dtype(get_args(inner[1])[0]))
    hints = get_type_hints(cls) if isinstance(cls, type) else {}
    if isinstance(cls, type) and is_dataclass(cls):
        filled = dict(zip(getattr(cls, "__parameters__", ()), inner, strict=True))
        kinds = {one.name: _fill(hints[one.name], filled) for one in fields(cls)}
        return _record(cls, {name: shape_of(kind) for name, kind in kinds.items()}, tag)
    if hasattr(cls, "_fields"):
        return _shape_fixed(tuple(shape_of(hints[name]) for name in cls._fields), cls._make)
    message = (
        f"A field of type {hint!r} cannot be saved. Use dataclasses, tuples, text and numbers."
    )
    raise RequestError(message, code="field-type")


def _fill(hint: Any, given: dict[Any, Any]) -> Any:  # noqa: ANN401
    """Put the types in place that a generic class was given."""
    if isinstance(hint, TypeVar):
        return given[hint]
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(given[one] for one in parameters)] if parameters else hint


def records_within(shape: Shape) -> dict[str, Shape]:
    """Find the dataclasses inside a shape, each once, by name."""
    found: dict[str, Shape] = {}
    waiting = list(shape.parts)
    while waiting:
        one = waiting.pop()
        if one.name not in found:
            found |= {} if one.name is None else {one.name: one}
            waiting += one.parts
    return found


def _refusal(path: Path, found: object, wanted: str) -> RequestError:
    """Name the place, what was found and what was expected."""
    shown = repr(found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}..."
    return RequestError(f"{_spell(path)} is {shown}; expected {wanted}.", code="result-value")


def _spell(path: Path) -> str:
    """Write a path out, such as ``systems[2].accuracy.interval``."""
    if len(path) == 1:
        return str(path[0])
    outer, last = path
    return f"{_spell(outer)}[{last}]" if isinstance(last, int) else f"{_spell(outer)}.{last}"

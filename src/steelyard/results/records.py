"""Dataclasses as JSON objects, and which shape a type hint has."""

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np

from steelyard.counts import Trials
from steelyard.errors import CountsError, RequestError
from steelyard.results.shapes import (
    Array,
    Choice,
    Fixed,
    ListOf,
    OneOf,
    Path,
    Plain,
    Scalar,
    Shape,
    refusal,
    spelled,
)

__all__ = ["Record", "records_within", "shape_of"]


class Record(Shape):
    """A dataclass as an object; unknown and missing keys are refused."""

    def __init__(self, cls: type, hints: dict[str, Any], *, tag: str | None = None) -> None:
        self.cls = cls
        self.tag = tag
        self.hints = hints
        self.name = cls.__name__ if tag is None else f"Tagged{cls.__name__}"
        self.names = [field.name for field in fields(cls)]
        self.needed = {
            field.name
            for field in fields(cls)
            if field.default is MISSING and field.default_factory is MISSING
        }

    def owns(self, value: object) -> bool:
        """Accept objects of the class."""
        return isinstance(value, self.cls)

    def fits(self, plain: Plain) -> bool:
        """Go by the tag when there is one."""
        return isinstance(plain, dict) and (self.tag is None or plain.get("kind") == self.tag)

    def write(self, value: Any, path: Path) -> Plain:  # noqa: ANN401
        """Write field by field, in the order of the class."""
        if not self.owns(value):
            raise refusal(path, value, f"a {self.cls.__name__}")
        start = {} if self.tag is None else {"kind": self.tag}
        return start | {
            name: shape_of(self.hints[name]).write(getattr(value, name), (path, name))
            for name in self.names
        }

    def read(self, plain: Plain, path: Path) -> Any:  # noqa: ANN401
        """Read field by field and build the object, which checks itself."""
        if not self.fits(plain):
            raise refusal(path, plain, f"an object for {self.cls.__name__}")
        given = {name: one for name, one in plain.items() if self.tag is None or name != "kind"}
        self._check_keys(given, path)
        values = {
            name: shape_of(self.hints[name]).read(one, (path, name)) for name, one in given.items()
        }
        try:
            return REBUILT.get(self.cls, self.cls)(**values)
        except CountsError as error:
            message = f"{spelled(path)}: {error}"
            raise CountsError(message, code=error.code) from None

    def _check_keys(self, given: dict[str, Any], path: Path) -> None:
        for word, keys in (
            ("has unknown keys", given.keys() - set(self.names)),
            ("lacks keys", self.needed - given.keys()),
        ):
            if keys:
                message = (
                    f"{spelled(path)} {word}: {', '.join(sorted(map(str, keys)))}. "
                    f"A {self.cls.__name__} has: {', '.join(self.names)}. "
                    "Save the result again with to_json() (--json)."
                )
                raise RequestError(message, code="result-keys")

    def schema(self) -> dict[str, Any]:
        """Point at the definition of the class."""
        return {"$ref": f"#/$defs/{self.name}"}

    def parts(self) -> tuple[Shape, ...]:
        """Give the shapes of the fields."""
        return tuple(shape_of(self.hints[name]) for name in self.names)

    def definition(self) -> dict[str, Any]:
        """Describe the class itself."""
        tag = {} if self.tag is None else {"kind": {"const": self.tag}}
        return {
            "type": "object",
            "description": (self.cls.__doc__ or "").split("\n")[0],
            "properties": tag | {n: shape_of(self.hints[n]).schema() for n in self.names},
            "required": [*tag, *(name for name in self.names if name in self.needed)],
            "additionalProperties": False,
        }


def _trials(*, systems: Any, correct: Any, tested: Any, **rest: Any) -> Trials:  # noqa: ANN401
    """Build Trials, which takes mappings, from its fields."""
    if not len(set(systems)) == len(systems) == len(correct) == len(tested):
        message = f"{len(systems)} systems, {len(correct)} right, {len(tested)} tested; need equal."
        raise CountsError(message, code="systems-differ")
    return Trials(
        correct=dict(zip(systems, correct, strict=True)),
        tested=dict(zip(systems, tested, strict=True)),
        **rest,
    )


REBUILT: dict[type, Callable[..., Any]] = {Trials: _trials}
"""Classes whose arguments are not their fields."""


def shape_of(hint: Any) -> Shape:  # noqa: ANN401
    """Find the shape of a type hint; found once, then remembered."""
    return _shape_of(hint)


@cache
def _shape_of(hint: Any) -> Shape:  # noqa: ANN401, C901, PLR0911 - a table of types reads best flat
    origin = get_origin(hint)
    if hint in Scalar.NAMES:
        return Scalar(hint)
    if hint is None:
        return Scalar(type(None))
    if origin is Literal:
        return Choice(get_args(hint))
    if origin in {Union, types.UnionType}:
        return _one_of(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if origin is np.ndarray:
        return Array(get_args(get_args(hint)[1])[0])
    if is_dataclass(origin or hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields"):
        hints = get_type_hints(hint)
        return Fixed(tuple(shape_of(hints[n]) for n in hint._fields), lambda v: hint(*v))
    message = (
        f"A field of type {hint!r} cannot be saved. Use dataclasses, tuples, text and numbers."
    )
    raise RequestError(message, code="field-type")


def _one_of(hints: tuple[Any, ...]) -> OneOf:
    classes = [hint for hint in hints if is_dataclass(get_origin(hint) or hint)]
    several = len(classes) > 1
    # An exact type goes first: float would also take what int owns.
    ranked = sorted(hints, key=lambda hint: hint is float)
    return OneOf(
        tuple(
            _record(hint, tag=_tag(hint)) if several and hint in classes else shape_of(hint)
            for hint in ranked
        )
    )


def _tag(hint: Any) -> str:  # noqa: ANN401
    cls = get_origin(hint) or hint
    return str(getattr(cls, "kind", cls.__name__))


def _tuple(hints: tuple[Any, ...]) -> Shape:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return ListOf(shape_of(hints[0]))
    return Fixed(tuple(shape_of(hint) for hint in hints))


def _record(hint: Any, *, tag: str | None = None) -> Record:  # noqa: ANN401
    cls = get_origin(hint) or hint
    given = dict(zip(getattr(cls, "__parameters__", ()), get_args(hint), strict=True))
    return Record(
        cls, {name: _filled(one, given) for name, one in get_type_hints(cls).items()}, tag=tag
    )


def _filled(hint: Any, given: dict[Any, Any]) -> Any:  # noqa: ANN401
    if isinstance(hint, TypeVar):
        return given[hint]
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(given[one] for one in parameters)] if parameters else hint


def records_within(shape: Shape) -> list[Record]:
    """List the dataclasses that a shape is made of, itself included, each once."""
    found: dict[str, Record] = {}
    waiting = [shape]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Record):
            if one.name in found:
                continue
            found[one.name] = one
        waiting += one.parts()
    return list(found.values())

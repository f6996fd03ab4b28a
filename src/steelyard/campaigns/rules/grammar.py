"""Stopping rules as people type them: parsed by hand, never evaluated as code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

from steelyard.errors import RequestError, printable

__all__ = ["AllOf", "AnyOf", "Condition", "Rule", "conditions_of", "most_items", "parse_rule"]

LONGEST = 2000
"""A rule is typed by people; what is longer is no rule, and is not parsed."""
DEEPEST = 20
"""The parser calls itself for each parenthesis."""

TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)(?![\w.-])
    |(?P<name>[^\W][\w.-]*)
    |'(?P<single>[^']*)'|"(?P<double>[^"]*)"
    |(?P<mark>>=|<=|[(),=])
    )""",
    re.VERBOSE,
)
PLAIN = re.compile(r"[^\W\d][\w.-]*")
RESERVED = {"and", "or"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One thing a rule asks for: ``name(arguments) >= bound``.

    ``arguments`` are numbers and names in their order, ``options`` numbers with a name of their
    own. Conditions such as ``racing`` have no bound.
    """

    name: str
    arguments: tuple[float | str, ...] = ()
    options: tuple[tuple[str, float], ...] = ()
    comparison: Literal[">=", "<="] | None = None
    bound: float | None = None

    def __str__(self) -> str:
        given = [_write_argument(one) for one in self.arguments]
        given += [f"{name}={_write_number(value)}" for name, value in self.options]
        called = f"{self.name}({', '.join(given)})" if given else self.name
        if self.bound is None:
            return called
        return f"{called} {self.comparison} {_write_number(self.bound)}"

    def option(self, name: str, default: float) -> float:
        """Look an option up by its name."""
        return dict(self.options).get(name, default)


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """Every part holds."""

    parts: "tuple[Rule, ...]"

    def __str__(self) -> str:
        return " and ".join(f"({p})" if isinstance(p, AnyOf) else str(p) for p in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """At least one part holds."""

    parts: "tuple[Rule, ...]"

    def __str__(self) -> str:
        return " or ".join(str(part) for part in self.parts)


Rule: TypeAlias = Condition | AllOf | AnyOf


def parse_rule(text: str) -> Rule:
    """Read a stopping rule.

    ``or`` binds weaker than ``and``; parentheses group. What the conditions mean, and which there
    are, is checked against the systems by :class:`~steelyard.campaigns.protocol.Protocol`.

    Examples
    --------
    >>> print(parse_rule("evidence >= 20 or n>=1000"))
    evidence >= 20 or n >= 1000
    >>> parse_rule("spending(obrien-fleming, 5 looks)").arguments
    ('obrien-fleming', 5.0)
    """
    if len(text) > LONGEST:
        message = f"The rule has {len(text):,} characters; at most {LONGEST:,} are read."
        raise RequestError(message, code="rule")
    reading = _Reading(text)
    rule = reading.any_of(0)
    if reading.kind != "end":
        reading.refuse("'and', 'or' or the end")
    return rule


def conditions_of(rule: Rule) -> Iterator[Condition]:
    """List the conditions of a rule from left to right.

    >>> [one.name for one in conditions_of(parse_rule("best >= 0.9 and (n >= 50 or racing)"))]
    ['best', 'n', 'racing']
    """
    if isinstance(rule, Condition):
        yield rule
    else:
        for part in rule.parts:
            yield from conditions_of(part)


def most_items(rule: Rule) -> int | None:
    """Find the number of items at which the rule stops whatever the results; None without one.

    >>> most_items(parse_rule("best >= 0.9 or n >= 50")), most_items(parse_rule("best >= 0.9"))
    (50, None)
    """
    if isinstance(rule, Condition):
        return int(rule.bound) if rule.name == "n" and rule.bound is not None else None
    ends = [most_items(part) for part in rule.parts]
    known = [end for end in ends if end is not None]
    if isinstance(rule, AnyOf):
        return min(known, default=None)
    return max(known) if len(known) == len(ends) else None


class _Reading:
    """A text and the place up to which it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.end = 0
        self.start = 0
        self.kind = ""
        self.value = ""
        self.advance()

    def advance(self) -> None:
        self.start = self.end
        if not self.text[self.end :].strip():
            self.kind, self.value = "end", ""
            return
        found = TOKEN.match(self.text, self.end)
        if found is None or found.lastgroup is None:
            self.kind, self.value = "strange", self.text[self.end :].strip()[0]
            self.refuse("a condition such as evidence >= 20")
        self.end = found.end()
        self.kind, self.value = found.lastgroup, found[found.lastgroup]
        if self.kind in ("single", "double"):
            self.kind = "quoted"
        elif self.kind == "name" and self.value in RESERVED:
            self.kind = self.value
        elif self.kind == "mark":
            self.kind = self.value

    def refuse(self, expected: str) -> NoReturn:
        found = "the end" if self.kind == "end" else repr(printable(self.value))
        message = (
            f"The rule {printable(self.text)!r} cannot be read at character {self.start + 1}: "
            f"found {found}, expected {expected}. A rule looks like "
            "'evidence >= 20 or n >= 1000'."
        )
        raise RequestError(message, code="rule")

    def take(self, kind: str, expected: str) -> str:
        if self.kind != kind:
            self.refuse(expected)
        value = self.value
        self.advance()
        return value

    def any_of(self, depth: int) -> Rule:
        if depth > DEEPEST:
            self.refuse(f"at most {DEEPEST} parentheses inside one another")
        parts = [self.all_of(depth)]
        while self.kind == "or":
            self.advance()
            parts.append(self.all_of(depth))
        return _join(AnyOf, parts)

    def all_of(self, depth: int) -> Rule:
        parts = [self.one(depth)]
        while self.kind == "and":
            self.advance()
            parts.append(self.one(depth))
        return _join(AllOf, parts)

    def one(self, depth: int) -> Rule:
        if self.kind == "(":
            self.advance()
            inner = self.any_of(depth + 1)
            self.take(")", "')'")
            return inner
        return self.condition()

    def condition(self) -> Condition:
        name = self.take("name", "a condition such as evidence >= 20")
        arguments: list[float | str] = []
        options: list[tuple[str, float]] = []
        if self.kind == "(":
            self.advance()
            self.argument(arguments, options)
            while self.kind == ",":
                self.advance()
                self.argument(arguments, options)
            self.take(")", "',' or ')'")
        comparison: Literal[">=", "<="] | None = None
        bound = None
        if self.kind in (">=", "<="):
            comparison = ">=" if self.kind == ">=" else "<="
            self.advance()
            bound = float(self.take("number", "a number"))
        return Condition(
            name=name,
            arguments=tuple(arguments),
            options=tuple(options),
            comparison=comparison,
            bound=bound,
        )

    def argument(self, arguments: list[float | str], options: list[tuple[str, float]]) -> None:
        if self.kind == "number":
            arguments.append(float(self.take("number", "a number")))
            if self.kind == "name" and self.value in ("looks", "look"):
                self.advance()
            return
        if self.kind not in ("name", "quoted", "and", "or"):
            self.refuse("a name or a number")
        name, plain = self.value, self.kind == "name"
        self.advance()
        if plain and self.kind == "=":
            self.advance()
            options.append((name, float(self.take("number", "a number"))))
        else:
            arguments.append(name)


def _join(kind: type[AllOf] | type[AnyOf], parts: list[Rule]) -> Rule:
    if len(parts) == 1:
        return parts[0]
    flat: list[Rule] = []
    for part in parts:
        flat += part.parts if isinstance(part, kind) else (part,)
    return kind(parts=tuple(flat))


def _write_argument(argument: float | str) -> str:
    if isinstance(argument, float):
        return _write_number(argument)
    if PLAIN.fullmatch(argument) and argument not in RESERVED:
        return argument
    return f'"{argument}"' if "'" in argument else f"'{argument}'"


def _write_number(value: float) -> str:
    """Write a number as shortly as reads back the same."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)

"""What the columns of each system hold: declared, or derived from their types and then shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from steelyard.counts.labels import canonical_label
from steelyard.errors import (
    ColumnMissing,
    RequestError,
    RolesUnclear,
    listing,
    printable,
    switch,
)
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.declared import Holds, Roles
from steelyard.sources.roles.layout import MOST_SYSTEMS, Wide, columns_of_template, too_many_systems

__all__ = ["Holding", "find_holdings", "name_systems"]

KINDS = {
    "text": "text",
    "integer": "whole numbers",
    "real": "numbers",
    "boolean": "true/false",
    "list": "lists",
    "struct": "objects",
    "other": "values",
}
BY_TYPE: Mapping[str, Holds] = {
    "text": "called",
    "integer": "called",
    "boolean": "called",
    "real": "score",
    "list": "vector",
    "struct": "vector",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A system, what it holds, its columns (one, or one per class) and how that is known.

    ``probabilities`` is False for vectors that were declared to be scores.
    """

    system: str
    holds: Holds
    columns: Mapping[str, str]
    known_by: str
    probabilities: bool = True


def name_systems(wide: Wide, roles: Roles, classes: Sequence[str]) -> dict[str, Mapping[str, str]]:
    """List the systems with their columns: those asked for, or all that have no other role."""
    values = _with_vectors(wide, roles, classes)
    asked = roles.systems
    if asked is None and wide.declared and not wide.origin.present:
        asked = tuple(name.partition("=")[0] for name in wide.declared)
    if asked is None:
        if not values:
            message = (
                f"{wide.origin.name} has no column left for a system. Columns: "
                f"{listing(wide.origin.columns)}. Add one column of answers per system."
            )
            raise RolesUnclear(message, code="no-systems")
        if len(values) > MOST_SYSTEMS:
            raise too_many_systems(len(values), list(values))
        return values
    for name in asked:
        if name not in values:
            raise ColumnMissing.for_role(role="systems", wanted=name, present=list(values))
    if len(set(asked)) != len(asked):
        message = f"systems names one twice: {listing(asked)}. Name each once."
        raise RequestError(message)
    return {name: values[name] for name in asked}


def _with_vectors(wide: Wide, roles: Roles, classes: Sequence[str]) -> dict[str, Mapping[str, str]]:
    """Gather columns such as cnn.cat, cnn.dog (or a declared template) into one system."""
    values = dict(wide.values)
    if wide.origin.present:  # gathered rows name their systems themselves
        return values
    for declared in roles.vector:
        name, mark, template = declared.partition("=")
        if mark and "" in values.get(name, {"": ""}):
            _replace(values, name, _templated(list(wide.values), template))
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in _dotted(plain, set(classes)).items():
        if len(columns) > 1 and name not in values:
            _replace(values, name, columns)
            if roles.systems is None and roles.classes is None and not wide.declared:
                _refuse_further(name, list(columns), list(values))
    return values


def _refuse_further(system: str, classes: Sequence[str], left: Sequence[str]) -> None:
    """Ask what columns such as cnn.owl are where no owl is true, beside cnn.cat and cnn.dog."""
    further = [one for one in left if one.startswith(f"{system}.")]
    if not further:
        return
    message = (
        f"{printable(system)} has columns for {listing(classes)}, which are true classes, and "
        f"{listing(further)}, which are none here. If these are classes too, say so: "
        f"{switch('vector', f'{system}={system}.{{class}}')}. If not, name the systems: "
        f"{switch('systems', system)}."
    )
    raise RolesUnclear(message, code="vector-classes")


def _templated(columns: Sequence[str], template: str) -> dict[str, str]:
    found = columns_of_template(columns, template)
    if not found:
        raise ColumnMissing.for_role(role="vector", wanted=template, present=columns)
    return found


def _dotted(columns: Sequence[str], classes: set[str]) -> dict[str, dict[str, str]]:
    """Find columns named SYSTEM.CLASS; a dot inside either name does no harm."""
    found: dict[str, dict[str, str]] = {}
    for name in columns:
        for place, letter in enumerate(name):
            if letter == "." and canonical_label(name[place + 1 :]) in classes:
                found.setdefault(name[:place], {})[canonical_label(name[place + 1 :])] = name
    return found


def _replace(values: dict[str, Mapping[str, str]], system: str, columns: Mapping[str, str]) -> None:
    for column in columns.values():
        values.pop(column, None)
    values[system] = columns


def find_holdings(
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    truth: Column | None,
    declared: Mapping[str, Holds],
) -> list[Holding]:
    """Say what every system holds; what its type leaves open is refused, not guessed."""
    short = {name.partition("=")[0]: holds for name, holds in declared.items()} | dict(declared)
    return [
        _holding(system, named, [columns[column] for column in named.values()], truth, short)
        for system, named in systems.items()
    ]


def _holding(
    system: str,
    named: Mapping[str, str],
    columns: Sequence[Column],
    truth: Column | None,
    declared: Mapping[str, Holds],
) -> Holding:
    """Say what one system holds. Vectors declared as scores need not be probabilities."""
    is_vector = "" not in named or columns[0].kind in {"list", "struct"}
    if is_vector and declared.get(system) == "score":
        holds, known_by, probabilities = "vector", "declared scores", False
    elif system in declared:
        holds, known_by, probabilities = declared[system], "declared", True
    elif "" not in named:
        holds, known_by, probabilities = "vector", "a column per class", True
    else:
        (holds, known_by), probabilities = _by_type(system, columns[0], truth), True
    numberless = {column.kind for column in columns} & {"text", "boolean", "other"}
    if (holds == "vector") != is_vector or (holds == "vector" and numberless):
        wanted = "a column of numbers for each class, a list or an object"
        message = (
            f"{printable(system)} is taken for {'a vector' if holds == 'vector' else holds}, but "
            f"{columns[0].title} holds {KINDS[columns[0].kind]}. "
            f"{f'Expected {wanted}.' if holds == 'vector' else 'Declare it as a vector.'}"
        )
        raise RolesUnclear(message, code="holds-other")
    return Holding(
        system=system,
        holds=cast(Holds, holds),
        columns=named,
        known_by=known_by,
        probabilities=probabilities,
    )


def _by_type(system: str, column: Column, truth: Column | None) -> tuple[Holds, str]:
    if column.kind not in BY_TYPE:
        message = (
            f"{column.title} holds values that are no classes, scores or vectors. Choose the "
            f"columns of systems: {switch('systems', 'NAMES')}."
        )
        raise RolesUnclear(message, code="holds-other")
    if truth is None:
        message = (
            "No column says what is true. If one does, name it: "
            f"{switch('truth', 'COLUMN')}. If the columns hold right and wrong (1 and 0), say so: "
            f"{switch('outcome', printable(system))}."
        )
        raise RolesUnclear(message, code="no-truth")
    if column.kind == "real" and truth.kind == "real":
        message = (
            f"{column.title} and the truth both hold numbers with fractions or a decimal point: "
            f"scores, or classes written like 1.0? Say which: {switch('score', system)} or "
            f"{switch('called', system)}."
        )
        raise RolesUnclear(message, code="called-or-score")
    return BY_TYPE[column.kind], f"by type: {KINDS[column.kind]}"

"""What the columns of each system hold: declared, or derived from their types and then shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from steelyard.counts.labels import canonical_label
from steelyard.engines.dialect import quote_name
from steelyard.errors import (
    MOST_LISTED,
    ColumnMissing,
    RequestError,
    RolesUnclear,
    listing,
    printable,
    switch,
    switch_list,
)
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.declared import Holds, Roles
from steelyard.sources.roles.layout import (
    MOST_SYSTEMS,
    Wide,
    columns_of_template,
    name_as_classes,
    too_many_systems,
)
from steelyard.sources.roles.proposals import proposed_holding

__all__ = ["Holding", "find_holdings", "name_systems", "refuse_without_truth"]

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


ERRORS = re.compile(r"(?i)(?:^|[_ .-])(?:err|errs|errors?|mistakes)$")
DATA_SETS = re.compile(r"(?i)data[_ .-]?sets?(?:[_ .-]?names?)?|benchmarks?|corpus")
"""Names of columns whose rows are no items, but whole data sets."""

SUM_TO_ONE = 1e-3
"""Probabilities that were rounded to four digits still add up to 1 within this."""


def name_systems(
    wide: Wide, roles: Roles, classes: Sequence[str], finder: RowFinder
) -> dict[str, Mapping[str, str]]:
    """List the systems with their columns: those asked for, or all that have no other role."""
    values = _with_vectors(wide, roles, classes, finder)
    asked = roles.systems
    if asked is None and wide.declared and not wide.origin.present:
        # Once: a vector may be declared to hold scores, too.
        asked = tuple(dict.fromkeys(name.partition("=")[0] for name in wide.declared))
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


def _with_vectors(
    wide: Wide, roles: Roles, classes: Sequence[str], finder: RowFinder
) -> dict[str, Mapping[str, str]]:
    """Gather columns such as cnn.cat, cnn.dog (or a declared template) into one system.

    Columns that are called as the classes are, all with the same words before and after, are one
    system's probabilities where they add up to 1 in every row.
    """
    values = dict(wide.values)
    if wide.origin.present:  # gathered rows name their systems themselves
        return values
    for declared in roles.vector:
        name, mark, template = declared.partition("=")
        if mark and "" in values.get(name, {"": ""}):
            matched = _template(list(wide.values), template)
            _replace(values, name, _of_classes(matched, roles, classes, finder))
    _gather_dotted(values, wide, roles, classes)
    if roles.proposals and not wide.declared:
        _gather_probabilities(values, classes, finder)
    return values


def _gather_dotted(
    values: dict[str, Mapping[str, str]], wide: Wide, roles: Roles, classes: Sequence[str]
) -> None:
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in _dotted(plain, set(classes)).items():
        if len(columns) > 1 and name not in values:
            _replace(values, name, columns)
            if roles.systems is None and roles.classes is None and not wide.declared:
                _refuse_further(name, list(columns), list(values))


def _gather_probabilities(
    values: dict[str, Mapping[str, str]], classes: Sequence[str], finder: RowFinder
) -> None:
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in name_as_classes(plain, classes).items():
        if _add_up(finder, list(columns.values())):
            _replace(values, name if name not in values else f"{name} (vector)", columns)


def _of_classes(
    matched: Mapping[str, str], roles: Roles, classes: Sequence[str], finder: RowFinder
) -> Mapping[str, str]:
    """Keep, of the columns that a template matches, those of classes.

    Declared classes decide. Else all that match are classes, but where the columns of the true
    classes alone add up to 1, the others (``pred`` beside ``p{class}``) are something else.
    """
    known = {of: name for of, name in matched.items() if canonical_label(of) in {*classes}}
    if roles.classes is not None:
        return known or matched
    settled = 1 < len(known) < len(matched) and _add_up(finder, list(known.values()))
    return known if settled else matched


def _add_up(finder: RowFinder, columns: Sequence[str]) -> bool:
    """Tell whether columns hold numbers of 0 or more that add up to 1 in every row."""
    kinds = finder.origin.table.columns
    if any(kinds.get(name) not in {"text", "integer", "real"} for name in columns):
        return False
    numbers = [f"TRY_CAST({quote_name(name)} AS DOUBLE)" for name in columns]
    # Sums of sums: engines limit how deep an expression may nest, and a sum nests once a term.
    parts = [f"({' + '.join(numbers[at : at + 50])})" for at in range(0, len(numbers), 50)]
    close = f"ABS({' + '.join(parts)} - 1) <= {SUM_TO_ONE}"
    rows, kept = finder.count("TRUE", f"(LEAST({', '.join(numbers)}) >= 0 AND {close})")
    return rows == kept > 0


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


def _template(columns: Sequence[str], template: str) -> dict[str, str]:
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


def _is_verdict(system: str, column: Column) -> bool:
    return column.kind == "boolean" or proposed_holding(system) == "outcome"


def refuse_without_truth(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    declared: Mapping[str, Holds],
) -> None:
    """Refuse answers that nothing says the truth of; verdicts need none."""
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    if all(name in declared or _is_verdict(name, column) for name, column in single.items()):
        return
    flags = {n: c for n, c in single.items() if c.kind in {"boolean", "integer"}}
    odd = finder.count(
        *(f"(NOT {c.no_outcome_sql()} AND {c.outcome_sql()} IS NULL)" for c in flags.values())
    )
    verdicts = [name for name, others in zip(flags, odd, strict=True) if not others]
    said = _offer_errors(single)
    if not said and verdicts:
        named = listing(verdicts, room=MOST_LISTED)
        said = f" If {named} say right and wrong (1, 0): {_say('outcome', verdicts)}."
    said = said or _offer_value(finder.origin.names, single)
    message = (
        f"No column says what is true.{said} If a column does, name it: "
        f"{switch('truth', 'COLUMN')}; a file of its own with its column: "
        f"{switch('truth', 'answers.csv:COLUMN')}."
    )
    raise RolesUnclear(message, code="no-truth")


def _say(role: str, names: Sequence[str]) -> str:
    """Spell one column of a role, or several."""
    return switch(role, names[0]) if len(names) == 1 else switch_list(role, names)


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
            f"{printable(system)} is taken as {'a vector' if holds == 'vector' else holds}, but "
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


def _offer_errors(single: Mapping[str, Column]) -> str:
    """Say how columns of errors are declared beside the one that says out of how many."""
    numbers = [name for name, column in single.items() if column.kind in {"integer", "real"}]
    errors = [name for name in numbers if ERRORS.search(name)]
    others = [name for name in numbers if name not in errors]
    if not errors or len(others) != 1:
        return ""
    return (
        f" If systems made errors in so many {others[0]}: {_say('errors', errors)} and "
        f"{switch('per', others[0])}."
    )


def _offer_value(names: Sequence[str], single: Mapping[str, Column]) -> str:
    """Say how columns of numbers are declared that are good or bad in themselves."""
    numbers = [name for name, column in single.items() if column.kind in {"integer", "real"}]
    if not numbers or any(column.kind == "text" for column in single.values()):
        return ""
    if len(numbers) > 1 and any(DATA_SETS.fullmatch(name) for name in names):
        return (
            " If each row is a data set, with a result of each system, compare takes it: "
            f"{switch('layout', 'datasets')}."
        )
    return (
        " If they hold a number for each item (a grade, a latency, a cost), say so: "
        f"{_say('value', numbers)}."
    )


def _by_type(system: str, column: Column, truth: Column | None) -> tuple[Holds, str]:
    if column.kind not in BY_TYPE:
        message = (
            f"{column.title} holds values that are not classes, scores or vectors. Choose the "
            f"columns of systems: {switch('systems', 'NAMES')}."
        )
        raise RolesUnclear(message, code="holds-other")
    by_name = proposed_holding(system)
    if truth is None:
        named = by_name == "outcome"
        return "outcome", "by its name" if named else f"by type: {KINDS[column.kind]}, no truth"
    if by_name == "score" and column.kind in {"integer", "real"}:
        return "score", "by its name"
    if by_name == "called" and column.kind == truth.kind == "real":
        return "called", "by its name"
    if column.kind == "real" and truth.kind == "real":
        message = (
            f"{column.title} and the truth both hold numbers with fractions or a decimal point: "
            f"scores, or classes written like 1.0? Say which: {switch('score', system)} or "
            f"{switch('called', system)}."
        )
        raise RolesUnclear(message, code="called-or-score")
    return BY_TYPE[column.kind], f"by type: {KINDS[column.kind]}"

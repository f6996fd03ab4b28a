"""What the columns of each system hold: declared, or derived from their types and then shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import cast

from steelyard.counts.labels import canonical_label
from steelyard.engines.dialect import quote_name
from steelyard.errors import (
    ColumnMissing,
    RequestError,
    RolesUnclear,
    listing,
    printable,
    switch,
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
from steelyard.sources.roles.name_words import says_probability
from steelyard.sources.roles.proposals import PREDICTED, propose_holding

__all__ = ["Holding", "add_up", "find_holdings", "name_systems"]

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
        # A column may have the mark in its name, as lr=0.1 has; of others it names a template.
        told = (one if one in values else one.partition("=")[0] for one in wide.declared)
        asked = tuple(dict.fromkeys(told))
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
            raise ColumnMissing.for_role(
                role="systems", wanted=name, present=[*values], among=asked
            )
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
        if roles.positive is None and roles.systems is None:
            _ask_about_vectors(values, classes, finder)
            _ask_about_order(values, classes, finder)
    return values


def _gather_dotted(
    values: dict[str, Mapping[str, str]], wide: Wide, roles: Roles, classes: Sequence[str]
) -> None:
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in _find_dotted(plain, set(classes)).items():
        if len(columns) > 1 and name not in values:
            _replace(values, name, columns)
            if roles.systems is None and roles.classes is None and not wide.declared:
                _refuse_further(name, list(columns), list(values))


def _gather_probabilities(
    values: dict[str, Mapping[str, str]], classes: Sequence[str], finder: RowFinder
) -> None:
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in name_as_classes(plain, classes).items():
        if add_up(finder, list(columns.values())):
            _replace(values, name if name not in values else f"{name} (vector)", columns)


def _ask_about_vectors(
    values: Mapping[str, Mapping[str, str]], classes: Sequence[str], finder: RowFinder
) -> None:
    """Ask whether numbers for every class, which do not add up to 1, are scores of one system."""
    plain = [name for name, columns in values.items() if "" in columns]
    for name, columns in name_as_classes(plain, classes).items():
        kinds = finder.origin.table.columns
        if any(kinds.get(one) not in {"text", "real"} for one in columns.values()):
            continue
        numbers = [f"TRY_CAST({quote_name(one)} AS DOUBLE)" for one in columns.values()]
        fraction = " OR ".join(f"{number} <> FLOOR({number})" for number in numbers)
        filled = " AND ".join(f"{number} IS NOT NULL" for number in numbers)
        below = f"(LEAST({', '.join(numbers)}) < 0)"
        rows, read, fractions, negative = finder.count(
            "TRUE", f"({filled})", f"({fraction})", below
        )
        of, column = next(iter(columns.items()))
        template = column.replace(of, "{class}") if column.count(of) == 1 else ""
        if not rows == read or not fractions or not template:
            continue
        if negative:
            raise RolesUnclear(_say_softmax(finder, [*columns.values()]), code="vector-scores")
        message = (
            f"{listing([*columns.values()])} hold a number for each class, and do not add up to 1. "
            f"As scores of one system: {switch('vector', f'{name}={template}')} and "
            f"{switch('score', name)}. If each is a system of its own, name the class that high "
            f"scores indicate: {switch('positive', classes[-1])}."
        )
        raise RolesUnclear(message, code="vector-scores")


MOST_BESIDE = 30
"""So many columns may stand beside those of probabilities."""


def _ask_about_order(
    values: Mapping[str, Mapping[str, str]], classes: Sequence[str], finder: RowFinder
) -> None:
    """Ask which class is whose, of as many numbers as classes that add up to 1 in every row."""
    kinds, most = finder.origin.table.columns, 2 * len(classes) + MOST_BESIDE
    own = [one[""] for one in values.values() if "" in one]
    likely = [name for name in own if kinds.get(name) in ("text", "real")]
    shares = [f"(TRY_CAST({quote_name(name)} AS DOUBLE) BETWEEN 0 AND 1)" for name in likely]
    rows, *held = finder.count("TRUE", *shares) if 1 < len(likely) <= most else [0]
    plain = [name for name, times in zip(likely, held, strict=False) if times == rows]
    if not 1 < len(plain) == len(classes) or not add_up(finder, plain):
        return
    whole = " AND ".join(f"TRY_CAST({quote_name(name)} AS DOUBLE) IN (0, 1)" for name in plain)
    if 2 * finder.count(f"({whole})")[0] >= rows:  # flags of which one is set
        return
    message = (
        f"{listing(plain)} add up to 1 in every row, as probabilities of {len(classes)} classes "
        f"do, and are not called as the classes are: {listing(classes)}. Call them so; in this "
        "order, if it is theirs."
    )
    files, names = finder.origin.files, finder.origin.names
    named = {one: f"p_{of}" for one, of in zip(plain, classes, strict=True)}
    header = ",".join(named.get(name, name) for name in names)
    comma = len(files) == 1 and files[0].read_as.startswith("CSV: comma")
    if comma and header.count(",") == len(names) - 1 and not {*header} & {*"/\\&'\""}:
        shown = quote(printable(files[0].name))
        message += (
            f" Type: sed '1s/.*/{header}/' {shown} > named.csv && steelyard evaluate named.csv"
        )
    raise RolesUnclear(message, code="vector-order")


def _say_softmax(finder: RowFinder, columns: Sequence[str]) -> str:
    """Say how logits of one system become its probabilities; nothing is squashed on the way in."""
    found = f"{listing(columns)} hold a number for each class, some below 0, as logits do."
    files = finder.origin.files
    if len(files) != 1 or not files[0].read_as.startswith(("CSV", "TSV")):
        return f"{found} Take the softmax first, in every row; nothing is squashed for you."
    shown = printable(files[0].name)
    code = (
        f"import pandas as pd; d = pd.read_csv({shown!r}, sep=None, engine='python'); "
        f"c = {[*columns]!r}; e = 2.718281828459045 ** d[c].sub(d[c].max(axis=1), axis=0); "
        "d[c] = e.div(e.sum(axis=1), axis=0); d.to_csv('soft.csv', index=False)"
    )
    typed = quote(code) if {*code} & {*'"$`!\\'} else f'"{code}"'
    return f"{found} Take the softmax first. Type: python -c {typed} && steelyard evaluate soft.csv"


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
    settled = 1 < len(known) < len(matched) and add_up(finder, list(known.values()))
    return known if settled else matched


def add_up(finder: RowFinder, columns: Sequence[str]) -> bool:
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
        f"{listing(further)}, which are not classes here. If they are classes too, say so: "
        f"{switch('vector', f'{system}={system}.{{class}}')}. If not, name the systems: "
        f"{switch('systems', system)}."
    )
    raise RolesUnclear(message, code="vector-classes")


def _template(columns: Sequence[str], template: str) -> dict[str, str]:
    found = columns_of_template(columns, template)
    if not found:
        raise ColumnMissing.for_role(role="vector", wanted=template, present=columns)
    return found


def _find_dotted(columns: Sequence[str], classes: set[str]) -> dict[str, dict[str, str]]:
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
    finder: RowFinder,
) -> list[Holding]:
    """Say what every system holds; what its type leaves open is refused, not guessed."""
    short = {name.partition("=")[0]: holds for name, holds in declared.items()} | dict(declared)
    whole = _whole(finder, systems, columns, truth)
    return [
        _holding(system, named, [columns[column] for column in named.values()], truth, short)
        if system not in whole or system in short
        else Holding(
            system=system,
            holds="called",
            columns=named,
            known_by="by type: whole numbers with a decimal point",
        )
        for system, named in systems.items()
    ]


def _whole(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    truth: Column | None,
) -> set[str]:
    """Find columns of 1.0 and 0.0 beside a truth of 1 and 0 whose name says that they are calls.

    Under any other name they may be scores, and what a column holds is not read off its values.
    """
    if truth is None or truth.kind not in {"integer", "boolean", "real"}:
        return set()
    real = {
        name: columns[named[""]]
        for name, named in systems.items()
        if "" in named
        and columns[named[""]].kind == "real"
        and propose_holding(name) != "score"
        and not says_probability(name)
        and PREDICTED.search(name)
    }
    odd = finder.count(
        *(
            f"({column.number_sql()} IS NOT NULL AND NOT ISNAN({column.number_sql()}) AND "
            f"{column.number_sql()} NOT IN (0, 1))"
            for column in real.values()
        )
    )
    return {name for name, fractions in zip(real, odd, strict=True) if not fractions}


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


def _by_type(system: str, column: Column, truth: Column | None) -> tuple[Holds, str]:
    if column.kind not in BY_TYPE:
        message = (
            f"{column.title} holds values that are not classes, scores or vectors. Choose the "
            f"columns of systems: {switch('systems', 'NAMES')}."
        )
        raise RolesUnclear(message, code="holds-other")
    by_name = propose_holding(system)
    if truth is None:
        named = by_name == "outcome"
        return "outcome", "by its name" if named else f"by type: {KINDS[column.kind]}, no truth"
    if column.kind == "real" and says_probability(system):
        return "score", "by its name"
    if by_name == "score" and column.kind in {"integer", "real"}:
        return "score", "by its name"
    if by_name == "called" and column.kind == truth.kind == "real":
        return "called", "by its name"
    if column.kind == "real" and truth.kind == "real":
        message = (
            f"{column.title} and the truth both hold numbers with fractions or a decimal point: "
            f"scores, or classes written like 1.0? Say which: {switch('called', system)} or "
            f"{switch('score', system)}."
        )
        raise RolesUnclear(message, code="called-or-score")
    return BY_TYPE[column.kind], f"by type: {KINDS[column.kind]}"

"""Vectors: one number per class, in columns, a list or an object, checked row by row."""

from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.counts.labels import canonical_label
from steelyard.engines.dialect import quote_literal
from steelyard.errors import Fault, RequestError, RolesUnclear, listing, printable, switch
from steelyard.errors import switch_list as switch_all
from steelyard.sources.columns import Column
from steelyard.sources.faults import wrong_value
from steelyard.sources.holdings import Holding
from steelyard.sources.predictions import TIED
from steelyard.sources.readings import Context, Reading, absent_answers

__all__ = ["read_vector"]

SUM_TOLERANCE = 1e-6
"""Numbers that sum to 1 within this, times the number of classes, are probabilities."""

EXACT = 1e-12
"""Sums that are off by more than this, times the number of classes, are said to be divided."""

MOST_SHOWN = 8
INFINITY = "CAST('inf' AS DOUBLE)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Numbers:
    """A vector as SQL: one expression per class, tests on its form, and how to show a row."""

    column: Column
    each: tuple[str, ...]
    unreadable: str = "FALSE"
    uneven_length: str = "FALSE"

    @property
    def lost(self) -> str:
        return "(" + " OR ".join(f"{x} IS NULL OR ISNAN({x})" for x in self.each) + ")"

    @property
    def total(self) -> str:
        return "(" + " + ".join(self.each) + ")"

    @property
    def shown(self) -> str:
        if self.column.kind in {"list", "struct"}:
            return self.column.sql
        return f"[{', '.join(self.each[:MOST_SHOWN])}]"


def read_vector(context: Context, holding: Holding) -> Reading:
    """Check the numbers of every row; nothing is squashed, clipped or normalised in silence."""
    numbers = _numbers(context, holding)
    present = context.present(holding.system)
    tests = _tests(numbers, holding)
    broken = f"({numbers.uneven_length} OR {numbers.unreadable})"
    missing = f"({present} AND NOT {broken} AND {numbers.lost})"
    rough = f"ABS({numbers.total} - 1) > {EXACT * len(numbers.each)!r}"
    lost, rounded, *counted = context.finder.count(missing, rough, *(test.sql for test in tests))
    faults = [
        _fault(context, numbers, test, count)
        for test, count in zip(tests, counted, strict=True)
        if count
    ]
    absent = absent_answers(
        context, holding, numbers.column, condition=missing, count=lost, value=numbers.shown
    )
    notes: tuple[tuple[str, str], ...] = ()
    if rounded and holding.probabilities:
        said = f"numbers of {holding.system} sum to 1 within rounding; divided by their sum"
        notes = (("vectors", said),)
    return Reading(
        holding=holding,
        sql=_largest(numbers, context.classes),
        vector=tuple(f"CASE WHEN NOT {numbers.lost} THEN {x} END" for x in numbers.each),
        faults=(*faults, *absent.faults),
        left_out=absent.left_out,
        caveats=absent.caveats,
        probabilities=holding.probabilities,
        notes=notes,
    )


@dataclass(frozen=True, slots=True)
class _Test:
    code: str
    sql: str
    found: tuple[str, str]
    fix: str


def _tests(numbers: _Numbers, holding: Holding) -> list[_Test]:
    size = len(numbers.each)
    negative = " OR ".join(f"{x} < 0" for x in numbers.each)
    infinite = " OR ".join(f"ABS({x}) = {INFINITY}" for x in numbers.each)
    zero = " AND ".join(f"{x} = 0" for x in numbers.each)
    plain = "Expected a number from 0 up for each class; nothing is squashed or clipped for you."
    wrong_length = ("do", f"not hold {size} numbers, one per class")
    tests = [
        _Test("vector-length", numbers.uneven_length, wrong_length, "Mend the lists."),
        _Test("vector-not-a-number", numbers.unreadable, ("hold", "text beside numbers"), plain),
        _Test("vector-negative", negative, ("hold", "a number below 0"), plain),
        _Test("vector-infinite", infinite, ("hold", "an infinite number"), plain),
        _Test("vector-zero", zero, ("hold", "only zeros, which favour no class"), plain),
    ]
    if holding.probabilities:
        uneven = (
            f"NOT ({negative}) AND NOT ({infinite}) AND NOT ({zero}) AND "
            f"ABS({numbers.total} - 1) > {SUM_TOLERANCE * size!r}"
        )
        fix = (
            "Probabilities of an item sum to 1. If the numbers are scores, not probabilities, say "
            f"so: {switch('score', printable(holding.system))}."
        )
        tests.append(_Test("vector-sum", uneven, ("do", "not sum to 1"), fix))
    return tests


def _fault(context: Context, numbers: _Numbers, test: _Test, count: int) -> Fault:
    return wrong_value(
        context.finder,
        numbers.column,
        condition=test.sql,
        count=count,
        code=test.code,
        found=test.found,
        fix=test.fix,
        value=numbers.shown,
    )


def _numbers(context: Context, holding: Holding) -> _Numbers:
    """Give one expression per class, in the order of the classes."""
    context.known_truth(holding.system, "vectors")
    if "" not in holding.columns:
        return _from_columns(context, holding)
    column = context.only_column(holding)
    return _from_object(context, column) if column.kind == "struct" else _from_list(context, column)


def _from_columns(context: Context, holding: Holding) -> _Numbers:
    columns = {canonical_label(of): context.columns[name] for of, name in holding.columns.items()}
    _check_classes(context, holding.system, list(columns))
    named = [columns[of] for of in context.classes]
    title = f"the columns of {holding.system!r}"
    return _Numbers(
        column=Column(name=named[0].name, title=title, kind=named[0].kind),
        each=tuple(column.number_sql() for column in named),
        unreadable="(" + " OR ".join(column.unreadable_number_sql() for column in named) + ")",
    )


def _from_object(context: Context, column: Column) -> _Numbers:
    """Read an object with a field per class: a struct, or a map from class to number."""
    table, name = context.finder.origin.table, column.sql
    ((kind,),) = table.query(f"SELECT MIN(typeof({name})) FROM {{t}}")
    is_map = str(kind).startswith("MAP")
    listed = f"map_keys({name})" if is_map else f"struct_keys({name})"
    rows = table.query(f"SELECT DISTINCT UNNEST({listed}) AS key FROM {{t}} ORDER BY key")
    keys = {canonical_label(key): quote_literal(str(key)) for (key,) in rows}
    _check_classes(context, column.name, list(keys))
    fields = [
        f"{name}[{keys[of]}]" if is_map else f"struct_extract({name}, {keys[of]})"
        for of in context.classes
    ]
    return _Numbers(column=column, each=tuple(f"TRY_CAST({one} AS DOUBLE)" for one in fields))


def _from_list(context: Context, column: Column) -> _Numbers:
    classes = context.classes
    if context.roles.classes is None:
        message = (
            f"{column.title} holds a list of numbers; which class does each belong to? Declare "
            f"the order: {switch_all('classes', classes)}."
        )
        raise RequestError(message, code="class-order")
    each = tuple(
        f"TRY_CAST(list_extract({column.sql}, {place}) AS DOUBLE)"
        for place in range(1, len(classes) + 1)
    )
    uneven = f"({column.sql} IS NOT NULL AND LEN({column.sql}) <> {len(classes)})"
    return _Numbers(column=column, each=each, uneven_length=uneven)


def _check_classes(context: Context, system: str, found: Sequence[str]) -> None:
    if set(found) == set(context.classes):
        return
    message = (
        f"{printable(system)} has numbers for {listing(found)}, but the classes are "
        f"{listing(context.classes)}. Give one number per class, or declare "
        f"{switch_all('classes', found)}."
    )
    raise RolesUnclear(message, code="vector-classes")


def _largest(numbers: _Numbers, classes: Sequence[str]) -> str:
    """Name the class with the largest number; a shared first place is a tie."""
    top = f"GREATEST({', '.join(numbers.each)})"
    shared = " + ".join(f"CASE WHEN {x} = {top} THEN 1 ELSE 0 END" for x in numbers.each)
    cases = " ".join(
        f"WHEN {x} = {top} THEN {quote_literal(name)}"
        for x, name in zip(numbers.each, classes, strict=True)
    )
    return (
        f"CASE WHEN {numbers.lost} THEN NULL WHEN {shared} > 1 THEN {quote_literal(TIED)} "
        f"{cases} END"
    )

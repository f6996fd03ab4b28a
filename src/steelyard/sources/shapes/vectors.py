"""Vectors: one number per class, in columns, a list or an object, checked row by row."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote

from steelyard.counts.labels import canonical_label
from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalTable
from steelyard.errors import Fault, RequestError, RolesUnclear, listing, printable, switch
from steelyard.errors import switch_list as switch_all
from steelyard.sources.faults import wrong_value
from steelyard.sources.origins import Origin
from steelyard.sources.predictions import TIED
from steelyard.sources.roles.columns import Column
from steelyard.sources.roles.holdings import Holding
from steelyard.sources.roles.readings import (
    Context,
    Numbers,
    Reading,
    absent_answers,
    find_collapsed_vectors,
)
from steelyard.sources.shapes.measured_vectors import (
    MANY_CLASSES,
    MOST_SHOWN,
    Written,
    measure_vectors,
)

__all__ = ["VECTOR_FAULTS", "VECTOR_FIX", "lay_out_vectors", "read_vector"]

ROUNDED, MOST_ROUNDED = 5e-4, 0.01
"""Probabilities are written with three digits or more: each is off by half of the last one at most,
and all of a row together never by more than a hundredth."""

EXACT = 1e-12
"""Sums that are off by more than this, times the number of classes, are said to be divided."""

INFINITY = "CAST('inf' AS DOUBLE)"

DEEP = 100
"""So many conditions are written one after another; engines refuse some thousand."""

VECTOR_FAULTS = {
    "vector-not-a-number": ("hold", "text beside numbers"),
    "vector-negative": ("hold", "a number below 0"),
    "vector-infinite": ("hold", "an infinite number"),
    "vector-zero": ("hold", "only zeros, which favour no class"),
}
"""What no vector may hold, wherever it comes from: a verb (plural) and the rest."""

VECTOR_FIX = "Expected a number from 0 up for each class; nothing is squashed or clipped for you."


def lay_out_vectors(context: Context, holdings: Sequence[Holding], *, keep: bool) -> Context:
    """Give the numbers of every vector a column of their own, or, of many classes, one list.

    Later expressions name these columns, so that their text grows with the number of classes, not
    with its square. Of many classes it does not grow at all: rows are measured once, as arrays.
    """
    found = {h.system: _write(context, h) for h in holdings if h.holds == "vector"}
    if not found:
        return context
    origin = context.finder.origin
    digits = {
        system: find_collapsed_vectors(context.finder, one.column, one.parts, one.texts)
        for system, one in found.items()
    }
    mark = "steelyard number"
    while any(name.lower().startswith(mark) for name in origin.columns):
        mark += "_"
    if len(context.classes) > MANY_CLASSES and isinstance(origin.table, LocalTable):
        used = [name for h in holdings if h.system in found for name in h.columns.values()]
        measured, vectors = measure_vectors(
            origin.table, found, mark=mark, classes=context.classes, replaced=used
        )
        spread = replace(origin, table=measured)
    else:
        spread, vectors = _as_columns(context, found, mark=mark, keep=keep)
    vectors = {system: replace(one, digits=digits[system]) for system, one in vectors.items()}
    return replace(context, finder=replace(context.finder, origin=spread), vectors=vectors)


def _as_columns(
    context: Context, found: Mapping[str, Written], *, mark: str, keep: bool
) -> tuple[Origin, dict[str, Numbers]]:
    """Name each number, and say in terms of all of them what is asked of a row."""
    inner, outer, vectors = [], [], {}
    for place, (system, written) in enumerate(found.items()):
        names = [quote_name(f"{mark} {place} {n}") for n in range(len(written.each))]
        top = quote_name(f"{mark} top {place}")
        inner += [f"{x} AS {name}" for x, name in zip(written.each, names, strict=True)]
        outer.append(f"GREATEST({', '.join(names)}) AS {top}")
        first = " ".join(
            f"WHEN {x} = {top} THEN {quote_literal(name)}"
            for x, name in zip(names, context.classes, strict=True)
        )
        texts = [f"COALESCE(CAST({one} AS VARCHAR), 'NULL')" for one in names[:MOST_SHOWN]]
        whole = written.column.kind in {"list", "struct"}
        vectors[system] = Numbers(
            column=written.column,
            size=len(names),
            each=tuple(names),
            lost="(" + " OR ".join(f"{x} IS NULL OR ISNAN({x})" for x in names) + ")",
            total="(" + " + ".join(names) + ")",
            negative="(" + " OR ".join(f"{x} < 0" for x in names) + ")",
            infinite="(" + " OR ".join(f"ABS({x}) = {INFINITY}" for x in names) + ")",
            zero="(" + " AND ".join(f"{x} = 0" for x in names) + ")",
            sharing="("
            + " + ".join(f"CASE WHEN {x} = {top} THEN 1 ELSE 0 END" for x in names)
            + ")",
            first=f"CASE {first} END",
            shown=written.column.sql
            if whole
            else "'[' || " + " || ', ' || ".join(texts) + " || ']'",
            unreadable=written.unreadable,
            uneven_length=written.uneven_length,
        )
    spread = context.finder.origin.derive(
        f"SELECT *, {', '.join(outer)} FROM (SELECT *, {', '.join(inner)} FROM {{t}}) AS numbers",
        keep=keep,
    )
    return spread, vectors


def read_vector(context: Context, holding: Holding) -> Reading:
    """Check the numbers of every row; nothing is squashed, clipped or normalised silently."""
    numbers = context.vectors[holding.system]
    present = context.present(holding.system)
    tests = _tests(context, numbers, holding)
    broken = f"({numbers.uneven_length} OR {numbers.unreadable})"
    missing = f"({present} AND NOT {broken} AND {numbers.lost})"
    rough = f"ABS({numbers.total} - 1) > {EXACT * numbers.size!r}"
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
        sql=f"CASE WHEN {numbers.lost} THEN NULL WHEN {numbers.sharing} > 1 "
        f"THEN {quote_literal(TIED)} ELSE {numbers.first} END",
        vector=tuple(f"CASE WHEN NOT {numbers.lost} THEN {x} END" for x in numbers.each),
        numbers=f"CASE WHEN NOT {numbers.lost} THEN {numbers.numbers} END"
        if numbers.numbers
        else "",
        faults=(*faults, *([numbers.digits] if numbers.digits else []), *absent.faults),
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


def _tests(context: Context, numbers: Numbers, holding: Holding) -> list[_Test]:
    size, negative, infinite, zero = (
        numbers.size,
        numbers.negative,
        numbers.infinite,
        numbers.zero,
    )
    wrong_length = ("do", f"not hold {size} numbers, one per class")
    tests = [_Test("vector-length", numbers.uneven_length, wrong_length, "Correct the lists.")]
    wrong = (numbers.unreadable, negative, infinite, zero)
    fixes = {"vector-negative": f"{VECTOR_FIX} {_say_softmax(context, numbers.column)}".strip()}
    tests += [
        _Test(code, sql, found, fixes.get(code, VECTOR_FIX))
        for (code, found), sql in zip(VECTOR_FAULTS.items(), wrong, strict=True)
    ]
    if holding.probabilities:
        uneven = (
            f"NOT {numbers.lost} AND NOT {negative} AND NOT {infinite} AND NOT {zero} AND "
            f"ABS({numbers.total} - 1) > {min(ROUNDED * size, MOST_ROUNDED) + EXACT * size!r}"
        )
        fix = (
            "Probabilities of an item sum to 1. If the numbers are scores, not probabilities, say "
            f"so: {switch('score', printable(holding.system))}."
        )
        tests.append(_Test("vector-sum", uneven, ("do", "not sum to 1"), fix))
    return tests


def _fault(context: Context, numbers: Numbers, test: _Test, count: int) -> Fault:
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


def _write(context: Context, holding: Holding) -> Written:
    """Give one expression per class, in the order of the classes."""
    context.need_truth(holding.system, "vectors")
    if "" not in holding.columns:
        return _from_columns(context, holding)
    column = context.only_column(holding)
    return _from_object(context, column) if column.kind == "struct" else _from_list(context, column)


def _from_columns(context: Context, holding: Holding) -> Written:
    columns = {canonical_label(of): context.columns[name] for of, name in holding.columns.items()}
    _check_classes(context, holding.system, list(columns))
    named = [columns[of] for of in context.classes]
    title = f"the columns of {holding.system!r}"
    unreadable = [sql for column in named if (sql := column.unreadable_number_sql()) != "FALSE"]
    return Written(
        column=Column(name=named[0].name, title=title, kind=named[0].kind),
        each=tuple(column.number_sql() for column in named),
        texts=_as_texts([column.sql for column in named]),
        parts=tuple(named),
        unreadable=_any(unreadable),
    )


def _as_texts(numbers: Sequence[str]) -> str:
    return f"[{', '.join(f'CAST({one} AS VARCHAR)' for one in numbers)}]"


def _any(tests: Sequence[str]) -> str:
    """Write that one of many holds: in halves, for engines take no expression that is too deep."""
    if len(tests) <= DEEP:
        return "(" + (" OR ".join(tests) or "FALSE") + ")"
    middle = len(tests) // 2
    return f"({_any(tests[:middle])} OR {_any(tests[middle:])})"


def _from_object(context: Context, column: Column) -> Written:
    """Read an object with a field per class: a struct, or a map from class to number."""
    table = context.finder.origin.table
    form, found = table.keys(column.name)
    keys = {canonical_label(key): key for key in found}
    _check_classes(context, column.name, list(keys))
    reach = table.dialect.entry_of if form == "map" else table.dialect.field_of
    fields = [reach(column.sql, keys[of]) for of in context.classes]
    return Written(
        column=column,
        each=tuple(f"TRY_CAST({one} AS DOUBLE)" for one in fields),
        texts=_as_texts(fields),
        parts=(column,),
    )


def _from_list(context: Context, column: Column) -> Written:
    classes, dialect = context.classes, context.finder.origin.table.dialect
    numbered = tuple(classes) == tuple(str(place) for place in range(len(classes)))
    if context.roles.classes is None and not numbered:  # 0, 1, 2 are places already
        message = (
            f"{column.title} holds a list of numbers; which class does each belong to? Declare "
            f"the order: {switch_all('classes', classes)}."
        )
        raise RequestError(message, code="class-order")
    each = tuple(
        f"TRY_CAST({dialect.element_of(column.sql, place)} AS DOUBLE)"
        for place in range(1, len(classes) + 1)
    )
    length = dialect.length_of(column.sql)
    uneven = f"({column.sql} IS NOT NULL AND {length} <> {len(classes)})"
    return Written(
        column=column,
        each=each,
        texts=f"CAST({column.sql} AS VARCHAR[])",
        parts=(column,),
        uneven_length=uneven,
        listed=f"TRY_CAST({column.sql} AS DOUBLE[])",
    )


def _say_softmax(context: Context, column: Column) -> str:
    """Say how lists of logits in JSON become probabilities."""
    files = context.finder.origin.files
    if column.kind != "list" or len(files) != 1 or ".json" not in files[0].name:
        return ""
    array = files[0].read_as.startswith("JSON array")
    first = f"{'.[] | ' if array else ''}.[{json.dumps(column.name)}] |="
    code = f"{first} (map(exp) | add as $sum | map(. / $sum))"
    return (
        f"Of logits take the softmax. Type: jq -c {quote(code)} "
        f"{quote(printable(files[0].name))} > soft.jsonl && steelyard evaluate soft.jsonl"
    )


def _check_classes(context: Context, system: str, found: Sequence[str]) -> None:
    if set(found) == set(context.classes):
        return
    message = (
        f"{printable(system)} has numbers for {listing(found)}, but the classes are "
        f"{listing(context.classes)}. Give one number per class, or declare "
        f"{switch_all('classes', found)}."
    )
    raise RolesUnclear(message, code="vector-classes")

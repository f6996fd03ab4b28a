"""Each system's columns turned into one checked expression, with the faults found on the way."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation

from steelyard.counts.labels import sort_classes
from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.local import LocalTable
from steelyard.errors import Fault, RolesUnclear, counted, printable, switch
from steelyard.sources.faults import (
    RowFinder,
    class_not_whole,
    missing_value,
    unseen_labels,
    wrong_value,
)
from steelyard.sources.predictions import NO_ANSWER
from steelyard.sources.roles.columns import LARGEST_EXACT, SHORT, TINY, Column, Levels, read_levels
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.holdings import Holding

__all__ = [
    "Context",
    "Numbers",
    "Reading",
    "absent_answers",
    "describe_merged",
    "find_collapsed",
    "find_collapsed_values",
    "find_collapsed_vectors",
    "read_called",
    "read_outcome",
    "read_score",
    "with_every_class",
]

# --- numbers with more digits than floating point keeps: told apart, or refused ------------------


MOST_GROUPS = 10_000
"""So many numbers that are written in several ways are compared digit by digit."""

SEVERAL = f"COUNT(DISTINCT v) > 1 AND (MAX(LENGTH(v)) > {SHORT} OR ABS(number) < {TINY})"
"""Numbers that are written in several ways, of which one has too many digits to be kept."""

EXACT_TYPES = re.compile(r"INT\b|DECIMAL|VARCHAR")
"""Types of numbers with digits that floating point may not keep, as the database names them."""

FIX_VALUES = (
    "Their difference would come out as 0: subtract a constant, give them in other units, or write "
    "fewer digits on purpose."
)
FIX = (
    "Only the order of scores counts: subtract a constant, hand in ranks, or write fewer digits "
    "on purpose."
)


def find_collapsed(finder: RowFinder, column: Column) -> Fault | None:
    """Find scores that differ as they are written and are one number in floating point.

    Whole numbers beyond 2^53 and decimals of more than 15 digits may do so; their order would be
    lost, and with it the area under the curve. Columns that cannot hold such numbers cost nothing.
    """
    if column.kind == "integer":
        return _whole(finder, column)
    if column.parsed:
        looked_at = column.stored_as_text and not column.long
        return None if looked_at else _write(finder, column)
    if column.kind == "real" and _is_decimal(finder, column):
        return _whole(finder, column, above=0)
    return None


def find_collapsed_values(context: "Context", readings: "Sequence[Reading]") -> list[Fault]:
    """Find values, of one system or of two, that differ as written and not in floating point.

    Their differences would be 0 without being so. Only columns with such digits are looked at.
    """
    finder = context.finder
    held = [context.columns[r.holding.columns[""]] for r in readings if r.holding.holds == "value"]
    known = list({column.name: column for column in held}.values())
    typed = [one for one in known if not one.stored_as_text and one.kind == "integer"]
    beyond = finder.count(*(f"(ABS({one.number_sql()}) >= {LARGEST_EXACT})" for one in typed))
    exact = {one.name for one, large in zip(typed, beyond, strict=True) if not large}
    parts = [
        one
        for one in known
        if one.name not in exact
        and (one.long or not one.stored_as_text)
        and (one.kind != "real" or one.parsed or _is_decimal(finder, one))
    ]
    if not parts:
        return []
    texts = ", ".join(f"CAST({one.sql} AS VARCHAR)" for one in parts)
    fault = find_collapsed_vectors(finder, parts[0], parts, f"[{texts}]")
    return [] if fault is None else [replace(fault, code="value-digits", fix=FIX_VALUES)]


def find_collapsed_vectors(
    finder: RowFinder, column: Column, parts: Sequence[Column], texts: str
) -> Fault | None:
    """Find numbers of vectors that differ as they are written and are one in floating point.

    All numbers of a system are held against each other: two of one row decide which class is
    called, two of one class which item ranks first. ``texts`` is the list of a row's numbers as
    text. Vectors of floating-point numbers cost nothing.
    """
    table = finder.origin.table
    if not isinstance(table, LocalTable) or not _may_collapse(table, parts):
        return None
    comma = any(part.decimal_comma for part in parts)
    written = "REPLACE(v, ',', '.')" if comma else "v"
    groups = table.query(
        f"SELECT LIST(DISTINCT v) FROM (SELECT v, TRY_CAST({written} AS DOUBLE) AS number FROM "
        f"(SELECT UNNEST({texts}) AS v FROM {{t}} WHERE {finder.keep}) AS every) AS written "
        f"WHERE number IS NOT NULL GROUP BY number HAVING {SEVERAL} LIMIT {MOST_GROUPS}"
    )
    return _first_different(finder, column, groups, comma=comma)


def _may_collapse(table: LocalTable, parts: Sequence[Column]) -> bool:
    """Tell numbers of any type but floating point, and text with digits beyond its range."""
    text = (one for one in parts if one.parsed and not one.stored_as_text and one.kind != "list")
    if any(text) or any(part.long for part in parts):
        return True
    typed = [part.sql for part in parts if not part.stored_as_text]
    if not typed:
        return any(part.kind == "integer" and part.long for part in parts)
    rows = table.query(f"SELECT {', '.join(f'typeof({one})' for one in typed)} FROM {{t}} LIMIT 1")
    return any(EXACT_TYPES.search(str(kind)) for kind in (rows[0] if rows else ()))


def _is_decimal(finder: RowFinder, column: Column) -> bool:
    rows = finder.origin.table.query(f"SELECT typeof({column.sql}) FROM {{t}} LIMIT 1")
    return bool(rows) and str(rows[0][0]).lower().startswith("decimal")


def _whole(finder: RowFinder, column: Column, *, above: int = LARGEST_EXACT) -> Fault | None:
    """Compare the distinct values with the distinct floating-point numbers they become."""
    number = column.number_sql()
    large = f"ABS({number}) >= {above} AND {finder.keep}"
    rows = finder.origin.table.query(
        f"SELECT number, CAST(MIN(v) AS VARCHAR), CAST(MAX(v) AS VARCHAR) FROM "
        f"(SELECT {number} AS number, {column.sql} AS v FROM {{t}} WHERE {large}) AS large "
        "GROUP BY number HAVING COUNT(DISTINCT v) > 1 LIMIT 1"
    )
    return _fault(finder, column, rows[0][1:]) if rows else None


def _write(finder: RowFinder, column: Column) -> Fault | None:
    """Compare texts that become one number digit by digit: 0.10 and 0.1 are the same."""
    number = column.number_sql()
    groups = finder.origin.table.query(
        f"SELECT LIST(DISTINCT v) FROM (SELECT {number} AS number, {column.text_sql} AS v "
        f"FROM {{t}} WHERE {number} IS NOT NULL AND {finder.keep}) AS written GROUP BY number "
        f"HAVING {SEVERAL} LIMIT {MOST_GROUPS}"
    )
    return _first_different(finder, column, groups, comma=column.decimal_comma)


def _first_different(
    finder: RowFinder, column: Column, groups: Sequence[tuple[Sequence[str]]], *, comma: bool
) -> Fault | None:
    for (texts,) in groups:
        different = {_exactly(text, comma=comma): text for text in texts}
        if len(different) > 1:
            return _fault(finder, column, sorted(different.values())[:2])
    return None


def _exactly(text: str, *, comma: bool) -> Decimal | str:
    try:
        return Decimal(text.strip().replace(",", ".") if comma else text.strip())
    except InvalidOperation:
        return text


def _fault(finder: RowFinder, column: Column, examples: Sequence[str]) -> Fault:
    return describe_merged(finder.where(column), examples)


def describe_merged(where: str, examples: Sequence[str]) -> Fault:
    """Name two scores that differ as they are written and are one in floating point."""
    return Fault(
        code="score-digits",
        where=where,
        found="different numbers become the same one in floating point, which keeps 15 to 17 "
        "digits.",
        fix=FIX,
        examples=(" and ".join(str(one) for one in examples),) if examples else (),
    )


# --- each system's columns turned into one checked expression, with the faults found on the way --


RIGHT_WRONG = frozenset({"0", "1", "true", "false"})
HALF = 0.5
FREE_TEXTS = 50
"""More different truths than this, most of which come once, are no classes but answers in words."""

MANY = 20
"""So many calls of a batch that never name a true class are no coincidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """A vector as SQL: what is known of a row's numbers, and how to show a row.

    ``each`` gives the expression of every class; where the classes are many, it is empty and
    ``numbers`` names the column that holds them all as a list. ``lost`` is true where there is no
    number for some class, ``top`` the largest number, ``first`` the class that has it, ``sharing``
    how many classes have it, and ``total`` the sum. ``digits`` is the fault of numbers that would
    become one in floating point.
    """

    column: Column
    size: int
    each: tuple[str, ...] = ()
    numbers: str = ""
    lost: str = "FALSE"
    total: str = "NULL"
    negative: str = "FALSE"
    infinite: str = "FALSE"
    zero: str = "FALSE"
    sharing: str = "1"
    first: str = "NULL"
    shown: str = "NULL"
    unreadable: str = "FALSE"
    uneven_length: str = "FALSE"
    digits: Fault | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What the readings of all systems share."""

    finder: RowFinder
    roles: Roles
    columns: Mapping[str, Column]
    classes: tuple[str, ...]
    truth: Levels | None
    positive: str | None
    rows: int
    vectors: Mapping[str, Numbers] = field(default_factory=dict)

    def present(self, system: str) -> str:
        """True where the system has a row for the item."""
        column = self.finder.origin.present.get(system)
        return "TRUE" if column is None else quote_name(column)

    def only_column(self, holding: Holding) -> Column:
        """Give the column of a system that has one."""
        return self.columns[holding.columns[""]]

    def positive_sql(self) -> str:
        """True where the item is truly of the positive class."""
        if self.truth is None or self.positive is None:
            return "NULL"
        return f"({self.truth.sql()} = {quote_literal(self.positive)})"

    def need_truth(self, system: str, what: str) -> Levels:
        """Give the truth, which this system cannot do without."""
        if self.truth is None:
            message = (
                f"{printable(system)} gives {what}, which need the truth. "
                f"{self.roles.needs('truth')}"
            )
            raise RolesUnclear(message, code="no-truth")
        return self.truth


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One system as SQL over the origin; ``sql`` is null where it has no counted answer.

    ``vector`` gives one expression per class; ``leaves_out`` is the condition under which a row is
    excluded for this system, when that was asked for, and ``left_out`` the number of such rows.
    """

    holding: Holding
    sql: str
    vector: tuple[str, ...] = ()
    numbers: str = ""
    faults: tuple[Fault, ...] = ()
    left_out: int = 0
    left_out_for: str = "no answer"
    probabilities: bool = False
    caveats: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """What becomes of rows without an answer: a fault, an exclusion or a caveat."""

    faults: tuple[Fault, ...] = ()
    left_out: int = 0
    caveats: tuple[str, ...] = ()


def absent_answers(
    context: Context,
    holding: Holding,
    column: Column,
    *,
    condition: str,
    count: int,
    value: str | None = None,
) -> Absent:
    """Handle rows without an answer as the ``missing`` policy says."""
    policy = context.roles.missing
    if count == 0:
        return Absent()
    if policy == "exclude":
        return Absent(left_out=count)
    if policy == "worst" and holding.holds not in {"vector", "value"}:
        note = (
            f"{counted(count, 'item')} without an answer of {printable(holding.system)} "
            f"count{'s' if count == 1 else ''} as wrong (missing=worst)"
        )
        return Absent(caveats=(note,))
    fault = missing_value(
        context.finder,
        column,
        condition=condition,
        count=count,
        rows=context.rows,
        role=holding.holds,
        value=value,
    )
    return Absent(faults=(fault,))


def read_called(context: Context, holding: Holding) -> Reading:
    """Check called classes: each one is a true class, or declared."""
    truth = context.need_truth(holding.system, "called classes")
    column, finder = context.only_column(holding), context.finder
    if column.kind == "real":
        (fractions,) = finder.count(column.no_class_sql())
        if fractions:
            held = switch("score", printable(column.name))
            fix = f"If the column holds scores, say so: {held}."
            fault = class_not_whole(finder, column, fractions, fix)
            return Reading(holding=holding, sql="NULL", faults=(fault,))
    present = context.present(holding.system)
    levels, spelled = _as_called(context, holding, truth)
    known = {*context.classes, NO_ANSWER}
    strange = [name for name in levels.names if name not in known]
    faults: tuple[Fault, ...] = ()
    free = strange and _is_free_text(truth, levels, strange)
    if free:
        unknown = sum(levels.names[name] for name in strange)
        spelled = (
            *spelled,
            f"{counted(unknown, 'answer')} of {printable(holding.system)} "
            f"{'is' if unknown == 1 else 'are'} the true answer of no item and "
            "count as wrong; texts are right where they are the same letter by letter",
        )
    elif strange and not _may_be_classes(context.roles, levels, truth):
        faults = (unseen_labels(finder, levels, strange, truth, system=holding.system),)
    condition = f"({present} AND {levels.sql()} IS NULL)"
    absent = absent_answers(context, holding, column, condition=condition, count=levels.missing)
    sql = levels.sql()
    if free:
        true = ", ".join(quote_literal(name) for name in context.classes)
        wrong = f"WHEN {sql} IS NOT NULL THEN {quote_literal(NO_ANSWER)}"
        sql = f"CASE WHEN {sql} IN ({true}) THEN {sql} {wrong} END"
    if context.roles.missing == "worst":
        sql = f"CASE WHEN {present} THEN COALESCE({sql}, {quote_literal(NO_ANSWER)}) END"
    return Reading(
        holding=holding,
        sql=sql,
        faults=(*faults, *absent.faults),
        left_out=absent.left_out,
        caveats=(*spelled, *absent.caveats),
    )


def _as_called(context: Context, holding: Holding, truth: Levels) -> tuple[Levels, tuple[str, ...]]:
    """Count what was called, in the spelling of the classes, and say what was read as what."""
    keep = f"{context.finder.keep} AND {context.present(holding.system)}"
    column = context.only_column(holding)
    levels = read_levels(context.finder.origin, column, digits=truth.digits, keep=keep)
    known = {*context.classes, NO_ANSWER}
    if {*levels.names} <= known:
        return levels, ()
    from steelyard.sources.roles.spellings import spell_as_true, without_words_for_nothing

    levels, spelled = spell_as_true(levels, context.classes, context.roles)
    levels, said = without_words_for_nothing(levels, known, context.roles)
    return levels, (*spelled, *said)


def with_every_class(context: Context, holdings: Sequence[Holding]) -> Context:
    """Declare every class that is true or called somewhere, as ``classes="all"`` asks for."""
    truth = context.truth
    if truth is None:
        return context
    called = [
        name
        for holding in holdings
        if holding.holds == "called"
        for name in _as_called(context, holding, truth)[0].names
    ]
    classes = sort_classes({*context.classes, *called} - {NO_ANSWER})
    return replace(context, classes=classes, roles=replace(context.roles, classes=classes))


def _is_free_text(truth: Levels, levels: Levels, strange: Sequence[str]) -> bool:
    """Tell answers in words of their own: hardly any true one is repeated, and some are right."""
    rows = sum(truth.names.values())
    own = len(truth.names) > FREE_TEXTS and len(truth.names) > HALF * rows
    return own and truth.column.kind == "text" and len(strange) < len(levels.names)


def _may_be_classes(roles: Roles, levels: Levels, truth: Levels) -> bool:
    """Tell whether calls that are never true here may be classes that are true elsewhere.

    Right and wrong beside named classes are not: they were meant as something else. Neither are
    calls of which many never name a true class: the truth is another column then.
    """
    if not roles.open_classes or roles.classes is not None:
        return False
    answers = {name: rows for name, rows in levels.names.items() if name != roles.no_answer}
    if sum(answers.values()) >= MANY and not set(answers) & set(truth.names):
        return False
    return not set(levels.names) <= RIGHT_WRONG or set(truth.names) <= RIGHT_WRONG


def read_outcome(context: Context, holding: Holding) -> Reading:
    """Check right and wrong: 1 and 0, or true and false."""
    column, finder = context.only_column(holding), context.finder
    present = context.present(holding.system)
    outcome, nothing = column.outcome_sql(), column.no_outcome_sql()
    missing = f"({present} AND {nothing})"
    strange = f"(NOT {nothing} AND {outcome} IS NULL)"
    lost, odd = finder.count(missing, strange)
    faults: tuple[Fault, ...] = ()
    if odd:
        fault = wrong_value(
            finder,
            column,
            condition=strange,
            count=odd,
            code="outcome-value",
            found=("are", "neither right nor wrong"),
            fix="Right and wrong are written 1 and 0, or true and false. For a number of each item "
            f"(a grade, a latency, a cost): {switch('value', printable(holding.system))}.",
        )
        faults = (fault,)
    absent = absent_answers(context, holding, column, condition=missing, count=lost)
    sql = outcome
    if context.roles.missing == "worst":
        sql = f"CASE WHEN {present} THEN COALESCE({outcome}, FALSE) END"
    return Reading(
        holding=holding,
        sql=sql,
        faults=(*faults, *absent.faults),
        left_out=absent.left_out,
        caveats=absent.caveats,
    )


def read_score(context: Context, holding: Holding) -> Reading:
    """Check scores: numbers, infinities among them, but no NaN."""
    context.need_truth(holding.system, "scores")
    column, finder = context.only_column(holding), context.finder
    present = context.present(holding.system)
    number, nothing = column.number_sql(), column.no_number_sql()
    unreadable = column.unreadable_number_sql()
    missing = f"({present} AND NOT {unreadable} AND {nothing})"
    lost, odd = finder.count(missing, unreadable)
    faults: tuple[Fault, ...] = ()
    if odd:
        such = "0,25, for the decimal mark is a comma here" if column.decimal_comma else "0.25"
        fault = wrong_value(
            finder,
            column,
            condition=unreadable,
            count=odd,
            code="score-not-a-number",
            found=("hold", "no number that can be read"),
            fix=(
                f"A score is a number such as {such}. If classes stand there: "
                f"{switch('called', printable(holding.system))}."
            ),
        )
        faults = (fault,)
    elif (collapsed := find_collapsed(finder, column)) is not None:
        faults = (collapsed,)
    absent = absent_answers(context, holding, column, condition=missing, count=lost)
    # Adding 0.0 makes -0.0 and 0.0 one score on every engine.
    sql = f"CASE WHEN NOT {nothing} THEN {number} + 0e0 END"
    if context.roles.missing == "worst":
        worst = (
            f"CASE WHEN {context.positive_sql()} THEN CAST('-inf' AS DOUBLE) "
            "ELSE CAST('inf' AS DOUBLE) END"
        )
        sql = f"CASE WHEN NOT {nothing} THEN {number} + 0e0 WHEN {present} THEN {worst} END"
    return Reading(
        holding=holding,
        sql=sql,
        faults=(*faults, *absent.faults),
        left_out=absent.left_out,
        caveats=absent.caveats,
    )

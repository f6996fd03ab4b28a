"""A number for each item, read and checked: what is missing, infinite, outside, or over nothing."""

from collections.abc import Sequence
from dataclasses import replace

from steelyard.counts.grids import LARGEST_VALUE
from steelyard.engines.dialect import quote_real
from steelyard.errors import Fault, RolesUnclear, counted, printable, switch
from steelyard.sources.faults import missing_value, wrong_value
from steelyard.sources.roles.columns import Column, is_infinite
from steelyard.sources.roles.holdings import Holding
from steelyard.sources.roles.readings import Context, Reading, absent_answers
from steelyard.sources.roles.value_names import JUDGE, PER, scale_of

__all__ = ["CUT_PRICE", "read_value"]

EVERY_ITEM = "A judge has a value for every item: fill it in, or leave the row out of the file."
A_VALUE = "A value is a number such as 0.25; leave a cell empty where there is none."
NO_NUMBER = "value-not-a-number"
LOOKED_AT = 1000
"""So many cells that are no numbers are looked at for how they are written."""

UNLABELLED = "no label by people; the judge's is used"
CUT_PRICE = (
    "the values were cut into right and wrong, which throws away what they say beyond it: of "
    "grades from 1 to 5 it takes 1.8 times the items (cut at 4) to 2.9 times (cut at 5) to tell "
    "two systems apart as reliably as by their means; leave --threshold out to compare those"
)


def read_value(context: Context, holding: Holding) -> Reading:
    """Check a number for each item: finite, inside a stated range, over something above 0."""
    column = context.columns[holding.columns[""]]
    judged = JUDGE in holding.columns
    if column.kind == "boolean" and judged:
        message = (
            f"{column.title} holds true/false. Beside a judge right and wrong are numbers: write 1 "
            "and 0, and leave what people did not look at empty."
        )
        raise RolesUnclear(message, code="holds-other")
    if column.kind in {"boolean", "list", "struct", "other"}:
        message = (
            f"{column.title} holds {'true/false' if column.kind == 'boolean' else 'no numbers'}. "
            f"Right and wrong are declared so: {switch('outcome', printable(holding.system))}."
        )
        raise RolesUnclear(message, code="holds-other")
    if judged:
        return _read_judged(context, holding, column)
    faults, left_out = _read_number(context, holding, column, errors=bool(context.roles.errors_of))
    number = column.number_sql()
    empty = column.no_number_sql()
    vector: tuple[str, ...] = ()
    if PER in holding.columns:
        below = context.columns[holding.columns[PER]]
        faults += _read_denominator(context, holding, below)[0]
        vector = (f"CASE WHEN NOT {below.no_number_sql()} THEN {below.number_sql()} END",)
        empty = f"({empty} OR {below.no_number_sql()})"
    if context.roles.missing == "exclude":
        # A row may lack both its number and its denominator, and is left out once.
        (left_out,) = context.finder.count(f"({context.present(holding.system)} AND {empty})")
    if context.roles.threshold is not None:
        whole = Reading(holding=holding, sql=number, faults=tuple(faults), left_out=left_out)
        return _cut(context, whole, empty)
    worst = _worst_value(context, holding)
    else_worst, caveats = _fill_in(context, holding, empty=empty, worst=worst)
    return Reading(
        holding=holding,
        sql=f"CASE WHEN NOT {empty} THEN {number} + 0e0{else_worst} END",
        vector=vector,
        faults=tuple(faults),
        left_out=left_out,
        caveats=caveats,
    )


def _worst_value(context: Context, holding: Holding) -> float | None:
    """Give the end of a stated range that a missing value counts as; None where none is known."""
    scale = scale_of(context.roles, [context.finder.origin.name])
    unknown = scale.low is None or scale.better is None or PER in holding.columns
    if context.roles.missing != "worst" or unknown:
        return None
    return scale.low if scale.better == "higher" else scale.high


def _fill_in(
    context: Context, holding: Holding, *, empty: str, worst: float | None
) -> tuple[str, tuple[str, ...]]:
    """Let missing values count as the worst one, and say how many did."""
    if worst is None:
        return "", ()
    said = _say_filled(context, holding, empty, f"{worst:g}, the worst of the range")
    return f" WHEN {context.present(holding.system)} THEN {quote_real(worst)}" if said else "", said


def _say_filled(context: Context, holding: Holding, empty: str, what: str) -> tuple[str, ...]:
    """Say how many missing values count as the worst there is; nothing where none does."""
    if context.roles.missing != "worst":
        return ()
    (count,) = context.finder.count(f"({context.present(holding.system)} AND {empty})")
    said = (
        f"{counted(count, 'item')} without a value of {printable(holding.system)} "
        f"count{'s' if count == 1 else ''} as {what} (missing=worst)"
    )
    return (said,) if count else ()


def _read_judged(context: Context, holding: Holding, column: Column) -> Reading:
    """Check what people gave to some items and a judge to all of them."""
    if context.roles.threshold is not None:
        message = "threshold= (--threshold) cuts values, and beside a judge they stay as they are."
        raise RolesUnclear(message, code="threshold-of-judge")
    judge = context.columns[holding.columns[JUDGE]]
    some = replace(context, roles=replace(context.roles, missing="exclude"))
    faults, unlabelled = _read_number(some, holding, column, errors=False)
    every = replace(context, roles=replace(context.roles, missing="error"))
    faults += [
        replace(one, fix=EVERY_ITEM) if one.code.startswith("missing") else one
        for one in _read_number(every, holding, judge, errors=False)[0]
    ]
    return Reading(
        holding=holding,
        sql=f"CASE WHEN NOT {column.no_number_sql()} THEN {column.number_sql()} + 0e0 END",
        vector=(f"CASE WHEN NOT {judge.no_number_sql()} THEN {judge.number_sql()} + 0e0 END",),
        faults=tuple(faults),
        left_out=unlabelled,
        left_out_for=UNLABELLED,
        notes=(("judge", f"{judge.title}, for {printable(holding.system)}"),),
    )


def _cut(context: Context, reading: Reading, empty: str) -> Reading:
    """Cut values into right and wrong, and say what that costs."""
    if PER in reading.holding.columns:
        message = (
            "threshold= (--threshold) cuts a number for each item, and these are ratios of sums. "
            "Leave it out, or name the ratio of each item as the value."
        )
        raise RolesUnclear(message, code="threshold-of-ratio")
    scale = scale_of(context.roles, [context.finder.origin.name])
    if scale.better is None:
        message = (
            "threshold= (--threshold) calls values right from it up, or from it down? Say which "
            "way is better: --lower-is-better or --higher-is-better."
        )
        raise RolesUnclear(message, code="better-unknown")
    mark = "<=" if scale.better == "lower" else ">="
    limit = quote_real(context.roles.threshold or 0.0)
    present = context.present(reading.holding.system)
    wrong = f" WHEN {present} THEN FALSE" if context.roles.missing == "worst" else ""
    return replace(
        reading,
        holding=replace(reading.holding, holds="outcome"),
        sql=f"CASE WHEN NOT {empty} THEN ({reading.sql} {mark} {limit}){wrong} END",
        caveats=(CUT_PRICE, *_say_filled(context, reading.holding, empty, "wrong")),
        notes=(("right", f"{scale.name} {mark} {context.roles.threshold:g}"),),
    )


Check = tuple[str, str, tuple[str, str], str]


def _read_number(
    context: Context, holding: Holding, column: Column, *, errors: bool
) -> tuple[list[Fault], int]:
    """Find values that are missing, unreadable, infinite, or outside what was stated."""
    present, number = context.present(holding.system), column.number_sql()
    unreadable = column.unreadable_number_sql()
    missing = f"({present} AND NOT {unreadable} AND {column.no_number_sql()})"
    checks: list[Check] = [
        (
            unreadable,
            NO_NUMBER,
            ("hold", "no number that can be read"),
            A_VALUE,
        ),
        (
            f"({is_infinite(number)} AND NOT {unreadable})",
            "value-infinite",
            ("hold", "an infinite value"),
            "A mean of it would be infinite. Give the value that was measured, or leave the row "
            "out of the file and say why.",
        ),
        (
            f"(ABS({number}) > {quote_real(LARGEST_VALUE)} AND NOT {is_infinite(number)})",
            "value-too-large",
            ("hold", "a value beyond 1e100"),
            "Squares of it cannot be held. Check it for a slip, or give it in larger units.",
        ),
    ]
    if errors:
        fix = "Errors are counted from 0 up. For numbers that may be negative: --value."
        below = f"({number} < 0 AND NOT {is_infinite(number)})"
        checks.append((below, "errors-negative", ("have", "negative errors"), fix))
    if context.roles.range is not None:
        low, high = context.roles.range
        outside = f"({number} < {quote_real(low)} OR {number} > {quote_real(high)})"
        checks.append(
            (
                f"({outside} AND NOT {is_infinite(number)})",
                "value-outside",
                ("hold", f"a value outside the stated range, {low:g} to {high:g}"),
                "Correct them, or state the range that values can have: range=(low, high) (--range "
                "LOW,HIGH).",
            )
        )
    return _check_column(context, holding, column, missing, checks)


def _read_denominator(
    context: Context, holding: Holding, column: Column
) -> tuple[list[Fault], int]:
    present, number = context.present(holding.system), column.number_sql()
    unreadable = column.unreadable_number_sql()
    missing = f"({present} AND NOT {unreadable} AND {column.no_number_sql()})"
    bad = f"({unreadable} OR {number} <= 0 OR {number} > {quote_real(LARGEST_VALUE)})"
    fix = (
        "What errors are divided by is a finite number above 0. An item without any (0 words) has "
        "no rate: join it to its neighbour, or leave the row out."
    )
    found = ("have", "a denominator that is 0, negative, infinite or no number")
    return _check_column(context, holding, column, missing, [(bad, "denominator", found, fix)])


def _ask_for_worst(context: Context, holding: Holding) -> str:
    """Say what makes a worst value known, or that there is none."""
    if PER in holding.columns:
        return (
            f"A ratio of sums has no worst value. {switch('missing', 'exclude')} leaves them out."
        )
    needed = []
    if context.roles.range is None:
        needed.append("the range that values can have: range=(low, high) (--range LOW,HIGH)")
    if scale_of(context.roles, [context.finder.origin.name]).better is None:
        needed.append("which way is better: --lower-is-better or --higher-is-better")
    return f"The worst value is known by {' and '.join(needed)}."


def _how_to_write(context: Context, holding: Holding, column: Column, condition: str) -> str:
    """Say how the cells that were found are written as numbers, or what else they may be."""
    from steelyard.sources.roles.number_spellings import explain_spelling

    finder = context.finder
    rows = finder.origin.table.query(
        f"SELECT CAST({column.sql} AS VARCHAR) FROM {{t}} WHERE ({condition}) AND ({finder.keep}) "
        f"LIMIT {LOOKED_AT}"
    )
    spelled = explain_spelling([str(cell) for (cell,) in rows if cell is not None])
    if spelled:
        return spelled
    if 2 * len(rows) <= min(context.rows, LOOKED_AT) or PER in holding.columns:
        return A_VALUE
    named = next((one for one in holding.columns.values() if one in finder.origin.names), "")
    return (
        f"{A_VALUE} If classes stand there: {switch('called', printable(named or holding.system))}."
    )


def _check_column(
    context: Context, holding: Holding, column: Column, missing: str, checks: Sequence[Check]
) -> tuple[list[Fault], int]:
    finder = context.finder
    lost, *counts = finder.count(missing, *(condition for condition, *_ in checks))
    faults = [
        wrong_value(
            finder, column, condition=condition, count=count, code=code, found=found,
            fix=_how_to_write(context, holding, column, condition) if code == NO_NUMBER else fix,
        )
        for (condition, code, found, fix), count in zip(checks, counts, strict=True)
        if count
    ]  # fmt: skip
    if not lost:
        return faults, 0
    if context.roles.missing == "exclude":
        return faults, lost
    if context.roles.missing == "worst":
        if _worst_value(context, holding) is not None or context.roles.threshold is not None:
            return faults, 0
        fault = missing_value(
            finder, column, condition=missing, count=lost, rows=context.rows, role="value"
        )
        return [*faults, replace(fault, fix=_ask_for_worst(context, holding))], 0
    absent = absent_answers(context, holding, column, condition=missing, count=lost)
    return [*faults, *absent.faults], absent.left_out

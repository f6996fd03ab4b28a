"""Ids, weights, and the columns that split the items by cluster, group or fold."""

from collections.abc import Mapping

from steelyard.counts.weights import SCALE, SMALLEST_LARGEST
from steelyard.errors import Fault, printable, switch
from steelyard.sources.faults import RowFinder, wrong_value
from steelyard.sources.predictions import SplitRole
from steelyard.sources.roles.columns import Column, is_infinite

__all__ = ["SPLITS", "check_other_roles", "role_columns"]

SPLITS: Mapping[SplitRole, str] = {"cluster": "cluster", "group": "slice", "fold": "fold"}
"""The column that each way to split has in the table of predictions."""

CROSSED = ("crossed_first", "crossed_second")
"""The columns of clusters of items that are crossed."""

Check = tuple[Column, str, str, tuple[str, str], str]


def check_other_roles(finder: RowFinder, role: Mapping[str, Column]) -> list[Fault]:
    """Check ids, weights and splits in one scan."""
    faults = []
    item = role.get("item")
    if item is not None and item.kind == "real" and not item.stored_as_text:
        fault = Fault(
            code="id-float",
            where=finder.where(item),
            found="ids are floating-point numbers, which cannot name items reliably.",
            fix="Write them as text or whole numbers.",
        )
        faults.append(fault)
    checks = _checks(role, finder.origin.table.dialect.largest_weight)
    if not checks:
        return faults
    small = _small_weights(role)
    *counts, some, enough = finder.count(*(condition for _, condition, *_ in checks), *small)
    if some and not enough:
        faults.append(_too_small(finder, role["weight"]))
    for (column, condition, code, found, fix), count in zip(checks, counts, strict=True):
        if count:
            fault = wrong_value(
                finder, column, condition=condition, count=count, code=code, found=found, fix=fix
            )
            faults.append(fault)
    return faults


def role_columns(role: Mapping[str, Column]) -> list[str]:
    """Select ids, weights and splits under the names that tallies expect."""
    columns = []
    if "item" in role:
        columns.append(f"{role['item'].identifier_sql()} AS item")
    if "weight" in role:
        number = role["weight"].number_sql()
        columns.append(f"CAST(FLOOR({number} * {SCALE} + 0.5) AS BIGINT) AS w")
        # The square of the largest weight, times SCALE, needs 94 bits.
        columns.append(f"CAST(FLOOR({number} * {number} * {SCALE} + 0.5) AS HUGEINT) AS w2")
    columns += [f"{role[name].part_sql()} AS {name}" for name in CROSSED if name in role]
    if "exposure" in role:
        columns.append(f"{role['exposure'].number_sql()} AS exposure")
    columns += [
        f"{role[name].part_sql()} AS {made}" for name, made in SPLITS.items() if name in role
    ]
    return columns


def _checks(role: Mapping[str, Column], largest_weight: int) -> list[Check]:
    checks: list[Check] = []
    if "item" in role:
        column = role["item"]
        condition = f"({column.identifier_sql()} IS NULL)"
        fix = "Give every item an id."
        checks.append((column, condition, "missing-id", ("have", "no id"), fix))
    if "weight" in role:
        checks += _weight_checks(role["weight"], largest_weight)
    if "exposure" in role:
        checks.append(_exposure_check(role["exposure"]))
    for name in CROSSED:
        if name in role:
            column = role[name]
            fix = "Every item has a cluster on both sides: fill it in, or name other columns."
            found = ("have", "no cluster")
            checks.append((column, f"({column.part_sql()} IS NULL)", "missing-cluster", found, fix))
    for name in SPLITS:
        if name in role:
            column = role[name]
            fix = (
                f"Every item belongs to one {name}: fill it in, or name another column: "
                f"{switch(name, 'COLUMN')}."
            )
            found = ("have", f"no {name}")
            checks.append((column, f"({column.part_sql()} IS NULL)", f"missing-{name}", found, fix))
    return checks


def _small_weights(role: Mapping[str, Column]) -> tuple[str, str]:
    """Conditions of a weight at all, and of one that is large enough to be squared."""
    if "weight" not in role or role["weight"].kind not in {"integer", "real", "text"}:
        return "(1 = 0)", "(1 = 0)"
    number = role["weight"].number_sql()
    return f"({number} > 0)", f"({number} >= {SMALLEST_LARGEST!r})"


def _too_small(finder: RowFinder, column: Column) -> Fault:
    return Fault(
        code="weight-too-small",
        where=finder.where(column),
        found="all weights are below 1/256, and their squares would lose their digits.",
        fix=f"Multiply all of {printable(column.title)} by one number, such as the number of rows; "
        "shares do not change.",
    )


def _exposure_check(column: Column) -> Check:
    number = column.number_sql()
    if column.kind not in {"integer", "real", "text"}:
        number = "CAST(NULL AS DOUBLE)"
    bad = f"({number} IS NULL OR ISNAN({number}) OR {is_infinite(number)} OR {number} < 0)"
    fix = (
        "An exposure is a finite number, 0 or more, for every row. Name another column, or the "
        f"amount for all rows: {switch('exposure', '12h')}."
    )
    return column, bad, "exposure-value", ("have", "no usable exposure"), fix


def _weight_checks(column: Column, largest: int) -> list[Check]:
    number = column.number_sql()
    if column.kind not in {"integer", "real", "text"}:
        number = "CAST(NULL AS DOUBLE)"
    bad = f"({number} IS NULL OR ISNAN({number}) OR {is_infinite(number)})"
    fix = (
        "A weight is a finite number, 0 or more. If the column holds something else, rename it or "
        f"name the right one: {switch('weight', 'COLUMN')}."
    )
    large = f"(NOT {bad} AND {number} > {largest})"
    smaller = f"Divide all of {printable(column.title)} by one number; shares do not change."
    return [
        (column, bad, "weight-value", ("have", "no usable weight"), fix),
        (column, f"({number} < 0)", "weight-negative", ("have", "a negative weight"), fix),
        (
            column,
            large,
            "weight-too-large",
            ("have", f"a weight above 2^{largest.bit_length() - 1}"),
            smaller,
        ),
    ]

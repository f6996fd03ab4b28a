"""Long tables, with a row per item and system, gathered into a row per item."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.errors import RolesUnclear, UnusableRows, printable, switch
from steelyard.sources.origins import Origin
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.layout import (
    CARRIED,
    MOST_SYSTEMS,
    RESERVED,
    Wide,
    declare_value,
    list_proposed_roles,
    need_item,
    take_by_name,
    value_columns,
)
from steelyard.sources.roles.repeats import disagreements, unusable_keys, without_repeats

__all__ = ["arrange_long"]


def arrange_long(origin: Origin, roles: Roles, found: Mapping[str, str]) -> Wide:
    """Turn long rows into wide ones: one row per item, one column per system."""
    if "item" not in found:
        by_name = "" if roles.system else f", for its column {found['system']!r}"
        why = f"has a row per item and system{by_name}, so it needs the item's id to pair them"
        mere = f" If that column names no system: {switch('system', '')}." if by_name else ""
        raise need_item(origin, roles, why, mere, system=found["system"])
    value = value_columns(origin, roles, found)
    carried = {role: found[role] for role in CARRIED if role in found}
    keys = [found["item"], found["system"]]
    table, repeated = without_repeats(origin, roles.duplicates, keys)
    faults = (
        *unusable_keys(origin, found["item"], what="item"),
        *unusable_keys(origin, found["system"], what="system"),
        *repeated,
        *disagreements(table, found["item"], carried),
    )
    if faults:
        raise UnusableRows.of(faults)
    names = _system_names(table, found["system"])
    plan = _Plan(item=found["item"], system=found["system"], carried=carried, value=value)
    gathered = table.derive(plan.sql(names), keep=True)
    holds = declare_value(roles, value)
    return Wide(
        origin=replace(
            gathered,
            present={name: f"{RESERVED}has {n}" for n, name in enumerate(names)},
            numbered=False,
        ),
        roles={role: RESERVED + role for role in (*carried, "item")},
        values={name: plan.value_names(n) for n, name in enumerate(names)},
        titles=plan.titles(names),
        declared=dict.fromkeys(names, holds) if holds else {},
        notes=(f"{origin.name} has a row per item and system", *table.notes),
        by_name=take_by_name(origin, roles, found),
        proposed=list_proposed_roles(roles, found),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """Which columns are gathered; the gathered ones have names of our own."""

    item: str
    system: str
    carried: Mapping[str, str]
    value: Mapping[str, str]

    def value_names(self, number: int) -> dict[str, str]:
        """Name the columns of one system."""
        return {of: f"{RESERVED}value {number} {place}" for place, of in enumerate(self.value)}

    def titles(self, names: Sequence[str]) -> dict[str, str]:
        """Say for messages what the gathered columns are."""
        titles = {
            made: f"column {self.value[of]!r} of {name!r}"
            for number, name in enumerate(names)
            for of, made in self.value_names(number).items()
        }
        roles = {**self.carried, "item": self.item}
        return titles | {RESERVED + role: f"column {name!r}" for role, name in roles.items()}

    def sql(self, names: Sequence[str]) -> str:
        """Gather all systems in one grouping; no key appears twice, so MIN takes the only value."""
        item = f"CAST({quote_name(self.item)} AS VARCHAR)"
        columns = [f"{item} AS {quote_name(RESERVED + 'item')}"]
        columns += [
            f"MIN({quote_name(column)}) AS {quote_name(RESERVED + role)}"
            for role, column in self.carried.items()
        ]
        for number, name in enumerate(names):
            test = f"CAST({quote_name(self.system)} AS VARCHAR) = {quote_literal(name)}"
            has = quote_name(f"{RESERVED}has {number}")
            columns.append(f"COUNT(CASE WHEN {test} THEN 1 END) > 0 AS {has}")
            columns += [
                f"MIN(CASE WHEN {test} THEN {quote_name(self.value[of])} END) AS {quote_name(made)}"
                for of, made in self.value_names(number).items()
            ]
        return f"SELECT {', '.join(columns)} FROM {{t}} GROUP BY {item}"


def _system_names(origin: Origin, column: str) -> list[str]:
    rows = origin.table.query(
        f"SELECT DISTINCT CAST({quote_name(column)} AS VARCHAR) AS name FROM {{t}} ORDER BY name "
        f"LIMIT {MOST_SYSTEMS + 1}"
    )
    if len(rows) > MOST_SYSTEMS:
        message = (
            f"{printable(origin.name)}, column {column!r}: more than {MOST_SYSTEMS:,} systems. Is "
            f"it the right column? Pass {switch('system', 'COLUMN')}."
        )
        raise RolesUnclear(message, code="too-many-systems")
    return [name for (name,) in rows]

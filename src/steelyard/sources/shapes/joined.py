"""One file (or frame) per system, joined by the item's id."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.counts.exclusions import merge_exclusions
from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.errors import Fault, UnusableRows, counted, listing, printable, switch
from steelyard.sources.origins import Origin
from steelyard.sources.roles.declared import Roles, say_role
from steelyard.sources.roles.layout import (
    CARRIED,
    RESERVED,
    Wide,
    declare_value,
    find_roles,
    list_proposed_roles,
    need_item,
    take_by_name,
    value_columns,
    with_joint_item,
)
from steelyard.sources.roles.repeats import unusable_keys, without_repeats

__all__ = ["arrange_files"]


BY_ROWS = (
    f" If all files have the same items in the same order: {switch('pairing', 'rows')}. If each "
    f"has items of its own: {switch('pairing', 'independent')}."
)

ROW = RESERVED + "row"
"""The column of row numbers, where items need no id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One system's table: its number, the columns of its roles, and where its value stands."""

    number: int
    system: str
    origin: Origin
    found: Mapping[str, str]
    value: Mapping[str, str]
    faults: tuple[Fault, ...]

    @property
    def carried(self) -> tuple[str, ...]:
        return tuple(role for role in CARRIED if role in self.found)

    def value_names(self) -> dict[str, str]:
        """Name the columns of this system in the joined table."""
        return {of: f"{RESERVED}value {self.number} {n}" for n, of in enumerate(self.value)}

    def fact(self, role: str) -> str:
        """The column of a role; whole numbers as text, which every format can give."""
        name = quote_name(self.found[role])
        kind = self.origin.table.columns[self.found[role]]
        number = role in {"weight", "exposure"}
        return f"CAST({name} AS VARCHAR)" if kind == "integer" and not number else name

    def sql(self) -> str:
        """Select what is joined, under names of our own."""
        columns = [f"CAST({quote_name(self.found['item'])} AS VARCHAR) AS item"]
        columns += [f"{self.fact(role)} AS of_{role}" for role in self.carried]
        columns += [f"{quote_name(name)} AS v{n}" for n, name in enumerate(self.value.values())]
        table = self.origin.local_name()
        return f"(SELECT {', '.join(columns)}, TRUE AS here FROM {table}) AS p{self.number}"


def arrange_files(origins: Mapping[str, Origin], roles: Roles) -> Wide:
    """Join one table per system by the item's id."""
    parts = [
        _part(number, system, origin, roles)
        for number, (system, origin) in enumerate(origins.items())
    ]
    faults = [fault for part in parts for fault in part.faults]
    if faults:
        raise UnusableRows.of(faults)
    if _lacks_pairs(parts) and roles.pairing == "rows":
        _refuse_uneven(parts)
    first = parts[0].origin
    joined = replace(
        first.derive(_join(parts), keep=True),
        name=" + ".join(part.origin.name for part in parts),
        text=any(part.origin.text for part in parts),
        delimiter=_delimiter(parts),
        files=tuple(file for part in parts for file in part.origin.files),
        present={part.system: f"{RESERVED}has {part.number}" for part in parts},
        excluded=merge_exclusions(*(part.origin.excluded for part in parts)),
        numbered=False,
    )
    _refuse_disagreements(joined, parts)
    return Wide(
        origin=joined,
        roles={role: RESERVED + role for role in (*_carry(parts), "item")},
        values={part.system: part.value_names() for part in parts},
        titles=_titles(parts),
        declared={
            part.system: holds for part in parts if (holds := declare_value(roles, part.value))
        },
        notes=(
            f"{counted(len(parts), 'file')}, one per system, {_say_joined(parts, roles)}",
            *(note for part in parts for note in part.origin.notes),
        ),
        by_name=tuple(
            dict.fromkeys(
                name for part in parts for name in take_by_name(part.origin, roles, part.found)
            )
        ),
        proposed=tuple(
            dict.fromkeys(
                role
                for part in parts
                for role in list_proposed_roles(roles, part.found)
                if part.found.get(role) != ROW
            )
        ),
    )


def _lacks_pairs(parts: Sequence[_Part]) -> bool:
    return all(part.found["item"] == ROW for part in parts)


def _say_joined(parts: Sequence[_Part], roles: Roles) -> str:
    if not _lacks_pairs(parts):
        return "joined by item id"
    return "joined row by row" if roles.pairing == "rows" else "each with rows of its own"


def _refuse_uneven(parts: Sequence[_Part]) -> None:
    """Refuse to pair rows by their place where the files have not as many, or no truth agrees."""
    rows = {part.origin.name: part.origin.table.query("SELECT COUNT(*) FROM {t}")[0][0]
            for part in parts}  # fmt: skip
    if len({*rows.values()}) == 1:
        return
    said = listing([f"{name} has {count:,}" for name, count in rows.items()])
    fault = Fault(
        code="rows-uneven",
        where=printable(" and ".join(rows)),
        found=f"rows are to be paired by their place, and there are not as many: {said}.",
        fix="Give every row the id of its item, or name such a column: "
        f"{switch('item', 'COLUMN')}.",
    )
    raise UnusableRows.of([fault])


def _part(number: int, system: str, origin: Origin, roles: Roles) -> _Part:
    origin = with_joint_item(origin, roles)
    found = find_roles(origin, replace(roles, systems=None))
    found.pop("system", None)
    if roles.pairing == "rows" and roles.item is None:
        found.pop("item", None)
    if "item" not in found and roles.pairing in {"independent", "rows"}:
        # Where nothing is paired, the number of a row is id enough, each system's own.
        whose = f"{quote_literal(f'{system} ')} || " if roles.pairing == "independent" else ""
        own = f"{whose}CAST(ROW_NUMBER() OVER () AS VARCHAR)"
        origin = origin.derive(f"SELECT *, {own} AS {quote_name(ROW)} FROM {{t}}", keep=True)
        found["item"] = ROW
    if "item" not in found:
        why = "needs the item's id, to pair its rows with those of the other systems"
        raise need_item(origin, roles, why, BY_ROWS)
    value = value_columns(origin, roles, found)
    keys = unusable_keys(origin, found["item"], what="item")
    table, repeated = without_repeats(origin, roles.duplicates, [found["item"]])
    return _Part(
        number=number,
        system=system,
        origin=table,
        found=found,
        value=value,
        faults=(*keys, *repeated),
    )


def _delimiter(parts: Sequence[_Part]) -> str | None:
    """Give a delimiter that leaves the comma free to be a decimal mark, if there is one."""
    marks = [part.origin.delimiter for part in parts]
    return next((mark for mark in marks if mark not in {",", None}), marks[0])


def _carry(parts: Sequence[_Part]) -> list[str]:
    return [role for role in CARRIED if any(role in part.carried for part in parts)]


def _titles(parts: Sequence[_Part]) -> dict[str, str]:
    named = [part.found["item"] for part in parts if part.found["item"] != ROW]
    titles = {RESERVED + "item": f"column {named[0]!r}" if named else "the number of the row"}
    for role in _carry(parts):
        holder = next(part for part in parts if role in part.carried)
        titles[RESERVED + role] = f"column {holder.found[role]!r}"
    for part in parts:
        titles |= {
            made: f"column {part.value[of]!r} of {part.origin.name}"
            for of, made in part.value_names().items()
        }
    return titles


def _join(parts: Sequence[_Part]) -> str:
    columns = [f"item AS {quote_name(RESERVED + 'item')}"]
    for role in _carry(parts):
        holders = [part for part in parts if role in part.carried]
        facts = [f"p{part.number}.of_{role}" for part in holders]
        columns.append(f"COALESCE({', '.join(facts)}) AS {quote_name(RESERVED + role)}")
        columns += [
            f"{fact} AS {quote_name(_own(role, part))}"
            for fact, part in zip(facts, holders, strict=True)
        ]
    for part in parts:
        has = quote_name(f"{RESERVED}has {part.number}")
        columns.append(f"p{part.number}.here IS NOT NULL AS {has}")
        columns += [
            f"p{part.number}.v{n} AS {quote_name(made)}"
            for n, made in enumerate(part.value_names().values())
        ]
    joins = " FULL JOIN ".join(
        part.sql() if part is parts[0] else f"{part.sql()} USING (item)" for part in parts
    )
    return f"SELECT {', '.join(columns)} FROM {joins}"


def _own(role: str, part: _Part) -> str:
    return f"{RESERVED}{role} {part.number}"


def _refuse_disagreements(joined: Origin, parts: Sequence[_Part]) -> None:
    faults = []
    for role in _carry(parts):
        first, *others = [part for part in parts if role in part.carried]
        faults += [fault for other in others for fault in _disagreement(joined, role, first, other)]
    if faults:
        raise UnusableRows.of(faults)


def _disagreement(joined: Origin, role: str, first: _Part, other: _Part) -> list[Fault]:
    item = quote_name(RESERVED + "item")
    one, two = quote_name(_own(role, first)), quote_name(_own(role, other))
    rows = joined.table.query(
        f"SELECT {item}, {one}, {two}, COUNT(*) OVER () FROM {{t}} "
        f"WHERE {one} <> {two} ORDER BY {item} LIMIT 3"
    )
    if not rows:
        return []
    count = rows[0][3]
    fault = Fault(
        code=f"{say_role(role)}-disagrees",
        where=printable(f"{first.origin.name} and {other.origin.name}"),
        found=f"the {say_role(role)} of {counted(count, 'item', 'differ')} between the files.",
        fix=f"An item has one {say_role(role)}: correct the files.",
        count=count,
        examples=tuple(
            f"item {i!r}: {listing([repr(a)])} and {listing([repr(b)])}" for i, a, b, _ in rows
        ),
    )
    return [fault]

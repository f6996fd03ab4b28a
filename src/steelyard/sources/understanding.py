"""From a table as it came to predictions that may be counted: every check, once, at the door."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import canonical_label, sort_classes
from steelyard.counts.trials import Pairing
from steelyard.errors import (
    Fault,
    RolesUnclear,
    UnusableRows,
    counted,
    listing,
    switch,
    switch_list,
)
from steelyard.sources.faults import RowFinder
from steelyard.sources.origins import Origin
from steelyard.sources.predictions import Predictions, System, ValueScale
from steelyard.sources.roles.aside import find_aside, find_no_verdicts, say_certainties
from steelyard.sources.roles.columns import (
    Column,
    Levels,
    class_caveats,
    look_at_columns,
    say_alike,
)
from steelyard.sources.roles.declared import BY_NAME, EVERY_CLASS, LEFT_ASIDE, Roles, say_role
from steelyard.sources.roles.holdings import (
    Holding,
    find_holdings,
    name_systems,
)
from steelyard.sources.roles.layout import Wide
from steelyard.sources.roles.name_words import says_call
from steelyard.sources.roles.other_roles import SPLITS, check_other_roles, role_columns
from steelyard.sources.roles.proposals import (
    ask_about_readers,
    propose_holding,
    say_repeated_ids,
    say_whose_rows,
)
from steelyard.sources.roles.ranked import ask_about_ranks
from steelyard.sources.roles.readings import (
    Context,
    Reading,
    find_collapsed_values,
    read_called,
    read_outcome,
    read_score,
    with_every_class,
)
from steelyard.sources.roles.repeats import Matched, match_items, own_items
from steelyard.sources.roles.truth import (
    describe_unlabelled,
    list_classes,
    name_positive,
    needs_digits,
    read_truth,
)
from steelyard.sources.roles.value_names import JUDGE, PER, scale_of
from steelyard.sources.roles.values import read_value
from steelyard.sources.shapes.vectors import lay_out_vectors, read_vector

__all__ = ["count_rows", "understand"]

KEEP_ROWS = 5_000_000
"""Numbers read out of text are held in memory up to this many rows."""
MANY_SYSTEMS, KEEP_CELLS = 32, 10_000_000
"""More systems than these are held as a table, while it has no more cells than that."""

BY_ITS_NAME = " (by its name)"

NAMES_ONLY = ("item", "cluster", "group", "fold", "crossed_first", "crossed_second")
"""Roles whose values are names: whether they look like numbers does not matter."""

READERS = {
    "called": read_called,
    "outcome": read_outcome,
    "score": read_score,
    "vector": read_vector,
    "value": read_value,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Understood:
    """Everything that was found out, ready to be assembled."""

    wide: Wide
    context: Context
    role: Mapping[str, Column]
    matched: Matched
    readings: Sequence[Reading]
    pairing: Pairing
    excluded: tuple[Exclusion, ...]
    aside: Mapping[str, str]


def understand(wide: Wide, roles: Roles) -> Predictions:
    """Give every column its meaning, check every row, and refuse with all faults at once."""
    origin = wide.origin
    rows = count_rows(origin)
    columns = look_at_columns(
        origin,
        list(wide.roles.values()),
        names_only=[wide.roles[one] for one in NAMES_ONLY if one in wide.roles],
        titles=wide.titles,
    )
    role = {name: columns[column] for name, column in wide.roles.items()}
    finder = RowFinder(origin=origin, item=role.get("item"))
    matched = _match(wide, finder, roles, rows)
    finder = replace(finder, keep=matched.keep)
    truth = read_truth(finder, role["truth"]) if "truth" in role else None
    if truth is not None and roles.classes is not None and not {*truth.names} <= {*roles.classes}:
        from steelyard.sources.roles.spellings import name_places

        truth, said = name_places(truth, roles.classes)
        wide = replace(wide, notes=(*wide.notes, *said))
    faults = [*wide.faults, *matched.faults]
    excluded = [*origin.excluded, *matched.excluded]
    rows -= sum(exclusion.rows for exclusion in matched.excluded)
    if truth is not None and truth.missing:
        if roles.unlabelled == "exclude":
            excluded.append(Exclusion(reason="no truth", rows=truth.missing))
            labelled = f"{truth.column.label_sql()} IS NOT NULL"
            finder = replace(finder, keep=f"{finder.keep} AND {labelled}")
            rows -= truth.missing
        else:
            faults += describe_unlabelled(finder, truth, rows)
    if rows == 0:
        raise _refuse_nothing(origin.name)
    context = _context(wide, finder, roles=roles, columns=columns, truth=truth, rows=rows)
    readings = [READERS[holding.holds](context.shared, holding) for holding in context.holdings]
    faults += [fault for reading in readings for fault in reading.faults]
    faults += find_collapsed_values(context.shared, readings)
    if any(reading.holding.holds == "value" for reading in readings):
        from steelyard.sources.roles.summary_rows import find_summary_rows

        faults += find_summary_rows(context.shared, readings, role)
    faults += check_other_roles(finder, role)
    if faults:
        raise UnusableRows.of(list(dict.fromkeys(faults)))
    own = own_items(roles, origin, [reading.left_out for reading in readings], rows)
    return _assemble(
        _Understood(
            wide=wide,
            context=context.shared,
            role=role,
            matched=matched,
            readings=readings,
            pairing="independent" if own else matched.pairing,
            excluded=tuple(excluded),
            aside=context.aside,
        )
    )


def count_rows(origin: Origin) -> int:
    """Count the rows, and refuse a table that has none."""
    ((rows,),) = origin.table.query("SELECT COUNT(*) FROM {t}")
    if rows:
        return int(rows)
    fault = Fault(
        code="no-items",
        where=origin.name,
        found="there are columns, but not one row.",
        fix="Expected one row per item.",
    )
    raise UnusableRows.of([fault])


def _refuse_nothing(name: str) -> UnusableRows:
    fix = "Nothing remains to be counted."
    fault = Fault(code="no-items", where=name, found="all rows were left out.", fix=fix)
    return UnusableRows.of([fault])


def _match(wide: Wide, finder: RowFinder, roles: Roles, rows: int) -> Matched:
    present = wide.origin.present
    asked = [name for name in present if roles.systems is None or name in roles.systems]
    has = [f'"{present[name]}"' for name in asked]
    return match_items(finder, roles, asked, has, rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Systems:
    shared: Context
    holdings: Sequence[Holding]
    aside: Mapping[str, str]


def _context(
    wide: Wide,
    finder: RowFinder,
    *,
    roles: Roles,
    columns: Mapping[str, Column],
    truth: Levels | None,
    rows: int,
) -> _Systems:
    """Name the systems and what they hold, then settle classes and the positive one."""
    every = roles.classes == EVERY_CLASS
    roles = replace(roles, classes=None) if every else roles
    systems = name_systems(wide, roles, list_classes(truth, roles), finder)
    named = [name for own in systems.values() for name in own.values()]
    columns = {**columns, **look_at_columns(finder.origin, named, titles=wide.titles)}
    aside = _aside(wide, finder, roles=roles, systems=systems, columns=columns, truth=truth)
    systems = {name: own for name, own in systems.items() if name not in aside}
    column = truth.column if truth else None
    if truth is None and any(
        not _is_said(name, wide, columns, own) for name, own in systems.items()
    ):
        from steelyard.sources.roles.likely_truth import refuse_without_truth

        refuse_without_truth(finder, systems, columns)
    holdings = find_holdings(systems, columns, column, wide.declared, finder)
    if truth is not None and needs_digits(truth, holdings, columns):
        truth = truth.as_digits()
    classes = list_classes(truth, roles)
    if roles.classes is None:
        # A template that was typed in declares the classes of its columns.
        typed = {one.partition("=")[0] for one in roles.vector if "=" in one} & set(systems)
        declared = {canonical_label(of) for name in typed for of in systems[name]}
        classes = sort_classes({*classes, *declared}) if declared else classes
    shared = Context(
        finder=finder,
        roles=roles,
        columns=columns,
        classes=classes,
        truth=truth,
        positive=None,
        rows=rows,
    )
    if every:
        shared = with_every_class(shared, holdings)
    positive = name_positive(roles, holdings, shared.classes, truth)
    shared = replace(shared, positive=positive)
    keep = finder.origin.text and rows <= KEEP_ROWS
    shared = lay_out_vectors(shared, holdings, keep=keep)
    return _Systems(shared=shared, holdings=holdings, aside=aside)


def _is_said(name: str, wide: Wide, columns: Mapping[str, Column], own: Mapping[str, str]) -> bool:
    """Tell answers that were declared, or are verdicts by themselves, and need no truth."""
    if "" not in own or wide.declared.get(name, "score") != "score":
        return True
    if propose_holding(name) == "outcome":
        return True
    return columns[own[""]].kind == "boolean" and not any(map(says_call, wide.values))


def _aside(
    wide: Wide,
    finder: RowFinder,
    *,
    roles: Roles,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    truth: Levels | None,
) -> dict[str, str]:
    """Find columns that nobody named and that look like no system's answers."""
    if roles.systems or wide.declared or wide.origin.present:
        return {}
    if truth is None:
        return find_no_verdicts(wide.origin, systems, columns) if roles.proposals else {}
    if roles.open_classes:
        return {}
    ask_about_readers(wide.origin, systems, columns)
    ask_about_ranks(finder, systems, columns, truth.column.name)
    unnamed = roles.positive is None and truth.column.kind != "boolean"
    classes = list_classes(truth, roles)
    aside = find_aside(
        finder,
        systems,
        columns,
        classes,
        truth=truth.column,
        positive=roles.positive,
        needs_positive=unnamed,
    )
    if len(aside) < len(systems):
        return aside
    said = listing([f"{name} ({what})" for name, what in aside.items()])
    called = [
        n for n, what in aside.items() if propose_holding(n) == "called" and "never" != what[:5]
    ]
    numbers = [name for name, what in aside.items() if what == "numbers"]
    offer = switch_list("systems", called) if called else switch("systems", "NAMES")
    more = ""
    if numbers and not called:
        more = f" For the numbers of each item (grades, scores of a judge): {_say_value(numbers)}."
    message = (
        f"No column of {wide.origin.name} looks like the answers of a system: {said}. Truth: "
        f"{truth.column.title}.{more} Name the systems ({offer}), or another truth "
        f"({switch('truth', 'COLUMN')})."
    )
    raise RolesUnclear(message, code="no-systems")


def _say_value(names: Sequence[str]) -> str:
    return switch("value", names[0]) if len(names) == 1 else switch_list("value", names)


def _assemble(understood: _Understood) -> Predictions:
    """Build the table with canonical columns and the record of what was understood."""
    context, readings, role = understood.context, understood.readings, understood.role
    origin, truth = understood.wide.origin, understood.context.truth
    systems, columns = _system_columns(readings, context)
    known = []
    if truth is not None:
        known = [f"{truth.sql()} AS truth", f"{context.positive_sql()} AS positive"]
    chosen = ", ".join([*known, *role_columns(role), *columns])
    parsed = origin.text and any(
        reading.holding.holds in {"score", "value"} for reading in readings
    )
    table = context.finder.origin.table.derive(
        f"SELECT {chosen} FROM {{t}} WHERE {context.finder.keep}",
        keep=(parsed and context.rows <= KEEP_ROWS) or _is_wide(readings, context.rows),
    )
    left_out = [
        Exclusion(reason=reading.left_out_for, rows=reading.left_out, system=reading.holding.system)
        for reading in readings
    ]
    return Predictions(
        table=table,
        systems=tuple(systems),
        rows=context.rows,
        pairing=understood.pairing,
        classes=context.classes,
        positive=context.positive,
        weighted="weight" in role,
        splits=tuple(name for name in SPLITS if name in role),
        excluded=merge_exclusions(understood.excluded, left_out),
        files=origin.files,
        understood=_say(understood),
        settings=context.roles.settings(),
        caveats=(
            *understood.wide.say_roles_by_name(),
            *origin.caveats,
            *say_alike("systems", [one.name for one in systems]),
            *(class_caveats(truth.names) if truth else ()),
            *say_certainties(understood.aside),
            *_say_repeated(understood),
            *understood.matched.caveats,
            *dict.fromkeys(caveat for reading in readings for caveat in reading.caveats),
        ),
        values=_scale(understood),
    )


def _scale(understood: _Understood) -> ValueScale | None:
    """Say what the numbers are, where systems hold numbers."""
    if all(reading.holding.holds != "value" for reading in understood.readings):
        return None
    return scale_of(understood.context.roles, [file.name for file in understood.wide.origin.files])


def _is_wide(readings: Sequence[Reading], rows: int) -> bool:
    """Tell whether every statement would spend its time on the names of columns it never uses."""
    return len(readings) > MANY_SYSTEMS and rows * len(readings) <= KEEP_CELLS


def _say_repeated(understood: _Understood) -> tuple[str, ...]:
    if "cluster" in understood.role or understood.wide.origin.present:
        return ()
    wide, aside = understood.wide, [*understood.aside]
    if understood.context.roles.measured:  # numbers are named, and other columns never looked at
        used = {name for columns in wide.values.values() for name in columns.values()}
        used |= {*wide.roles.values()}
        aside = [one for one in wide.origin.names if one not in used]
        if len(wide.values) == 1 and (said := say_whose_rows(wide.origin, aside)):
            return said
    return say_repeated_ids(wide.origin, aside, understood.context.rows)


def _system_columns(
    readings: Sequence[Reading], context: Context
) -> tuple[list[System], list[str]]:
    systems: list[System] = []
    columns: list[str] = []
    for number, reading in enumerate(readings):
        name = f"s{number}"
        vector = tuple(f"{name}_{place}" for place in range(len(reading.vector)))
        columns.append(f"{reading.sql} AS {name}")
        columns += [f"{x} AS {made}" for x, made in zip(reading.vector, vector, strict=True)]
        numbers = f"{name}_numbers" if reading.numbers else ""
        if numbers:
            columns.append(f"{reading.numbers} AS {numbers}")
            places = range(1, len(context.classes) + 1)
            vector = tuple(f"list_extract({numbers}, {place})" for place in places)
        holds = reading.holding.holds
        systems.append(
            System(
                name=reading.holding.system,
                holds=holds,
                column=name,
                vector=() if holds == "value" else vector,
                numbers=numbers,
                threshold=context.roles.threshold if holds == "score" else None,
                probabilities=reading.probabilities,
                judge=vector[0] if JUDGE in reading.holding.columns and holds == "value" else "",
                **_denominator(reading, vector, systems),
            )
        )
    return systems, columns


def _denominator(
    reading: Reading, made: Sequence[str], systems: Sequence[System]
) -> dict[str, str]:
    """Name the column that values are divided by; systems that share one share its name."""
    if reading.holding.holds != "value" or PER not in reading.holding.columns:
        return {}
    name = reading.holding.columns[PER]
    shared = [one.per for one in systems if one.per_name == name]
    return {"per": shared[0] if shared else made[0], "per_name": name}


def _say(understood: _Understood) -> tuple[tuple[str, str], ...]:
    """Say, for people to check, what every column was taken for."""
    context, readings = understood.context, understood.readings
    said = [(BY_NAME, role) for role in understood.wide.by_name]
    said += [("layout", note) for note in understood.wide.notes]
    if context.truth is not None:
        by_name = BY_ITS_NAME if "truth" in understood.wide.proposed else ""
        said += _say_of_truth(context, context.truth, readings, by_name)
    if context.positive is not None:
        said.append(("positive", context.positive))
    scale = _scale(understood)
    said += [] if scale is None else scale.said()
    proposed = understood.wide.proposed
    said += [
        (say_role(name), column.title + (BY_ITS_NAME if name in proposed else ""))
        for name, column in understood.role.items()
        if name != "truth"
    ]
    by_kind: dict[str, list[str]] = {}
    for reading in readings:
        holding = reading.holding
        by_kind.setdefault(f"{holding.holds} ({holding.known_by})", []).append(holding.system)
    said += [(kind, listing(names, most=20)) for kind, names in by_kind.items()]
    used = {name for reading in readings for name in reading.holding.columns.values()}
    if understood.aside:
        names = listing(list(understood.aside))
        one = len(understood.aside) == 1
        how = (
            f"{'does' if one else 'do'} not look like a system's answers; "
            f"{switch('systems', 'NAMES')} includes {'it' if one else 'them'} anyway"
        )
        said.append((LEFT_ASIDE, f"{names}: {how}"))
    used |= {*understood.aside}
    unused = [name for name in understood.wide.values if name not in used]
    if unused and not understood.wide.origin.present and scale is None:
        said.append(("not used", listing(unused)))
    commas = [column.name for column in context.columns.values() if column.decimal_comma]
    if commas:
        said.append(("decimal comma", listing(commas)))
    said += [note for reading in readings for note in reading.notes]
    if len(readings) > 1:
        said.append(("pairing", f"{understood.pairing} items"))
    return tuple(said)


def _say_of_truth(
    context: Context, truth: Levels, readings: Sequence[Reading], by_name: str
) -> list[tuple[str, str]]:
    classes = context.classes
    listed = f"{counted(len(classes), 'class')}: {listing(classes, most=10)}"
    said = [("truth", f"{truth.column.title}{by_name}, {listed}")]
    called = [r.holding.columns[""] for r in readings if r.holding.holds == "called"]
    columns = [truth.column, *(context.columns[name] for name in called)]
    if truth.digits:
        said.append(("classes", "true is read as 1, false as 0"))
    if any(column.kind == "real" for column in columns):
        said.append(("classes", "whole numbers with a decimal point, such as 1.0, are read as 1"))
    return said

"""How predictions are laid out: roles matched to columns, and one table as it stands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import get_args

from steelyard.engines.dialect import quote_name
from steelyard.errors import ColumnMissing, Fault, RolesUnclear, listing, printable, switch
from steelyard.sources.origins import Origin, refuse_repeated_columns
from steelyard.sources.roles.declared import (
    ASIDE,
    CONVENTIONAL,
    SINGLE_ROLES,
    TRIES,
    Holds,
    Roles,
    say_by_name,
)
from steelyard.sources.roles.name_words import (
    find_paired_truth,
    is_coded,
    says_call,
    says_probability,
)
from steelyard.sources.roles.proposals import (
    differs_in_every_row,
    find_item_of,
    may_be_answer,
    propose_holding,
    propose_item,
    propose_long,
    propose_single_role,
    propose_truth,
)
from steelyard.sources.roles.repeats import without_repeats
from steelyard.sources.roles.value_names import (
    check_value_columns,
    name_value_systems,
    value_and_per,
)

__all__ = [
    "CARRIED",
    "MOST_SYSTEMS",
    "RESERVED",
    "Wide",
    "arrange_wide",
    "columns_in_question",
    "columns_of_template",
    "declare_value",
    "find_roles",
    "list_proposed_roles",
    "need_item",
    "take_by_name",
    "too_many_systems",
    "value_columns",
    "value_columns_in_question",
    "with_joint_item",
]

CARRIED = tuple(role for role in SINGLE_ROLES if role not in {"item", "system"})
"""Roles that belong to the item, whatever system a row is about."""

RESERVED = "steelyard "
"""Columns that are made on the way get names of their own, in tables that hold no others."""


ROW_NAMES = frozenset({".row", "rowIndex", "row_id", "row_ids"})
"""How packages of R call the column that names the row of an item."""

MOST_SYSTEMS = 1_000
"""More systems than this are not meant: the columns are features, or ids became columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """A table with a row per item, the columns of each role, and the columns left for systems.

    ``values`` maps a system to its columns: one under the empty name, or one for each class.
    ``by_name`` names roles that were given to a column for its name alone and change numbers,
    ``proposed`` the other roles that a column has for its name.
    """

    origin: Origin
    roles: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    titles: Mapping[str, str]
    declared: Mapping[str, Holds]
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    by_name: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()

    def say_roles_by_name(self) -> tuple[str, ...]:
        """Say which columns were given a role for their name alone, and how to decline it."""
        return tuple(say_by_name(role) for role in self.by_name)


def arrange_wide(origin: Origin, roles: Roles, found: Mapping[str, str]) -> Wide:
    """Take a table that has a row per item already."""
    faults: tuple[Fault, ...] = ()
    if "item" in found:
        origin, faults = without_repeats(origin, roles.duplicates, [found["item"]])
        if faults and found["item"] == found.get("cluster"):  # it names clusters, and no item
            found = {role: name for role, name in found.items() if role != "item"}
            faults = ()
    values: Mapping[str, Mapping[str, str]] = {
        name: {"": name} for name in _list_rest(origin, roles, found)
    }
    if roles.measured:
        check_value_columns(origin.names, roles)
        values = name_value_systems(roles)
    return Wide(
        origin=origin,
        roles=found,
        values=values,
        titles={},
        declared=dict.fromkeys(values, "value") if roles.measured else roles.declared(),
        faults=faults,
        by_name=take_by_name(origin, roles, found),
        proposed=list_proposed_roles(roles, found),
        notes=(
            *origin.notes,
            *(
                f"{name!r} of {origin.name} has no name of its own and was not used"
                for name in origin.unnamed
                if name not in found.values()
            ),
            *_say_partitions(origin, found),
        ),
    )


def _say_partitions(origin: Origin, found: Mapping[str, str]) -> list[str]:
    """Say what the folders tell that no role asks for."""
    left = [name for name in origin.partitions if name not in found.values()]
    return [f"the folders' {listing(left)} were not used"] if left else []


def with_joint_item(origin: Origin, roles: Roles) -> Origin:
    """Add the column that an item or system of several columns needs: ``question_id,turn``."""
    for named in (roles.item, roles.system):
        parts = (named or "").split(",")
        if len(parts) < 2 or named in origin.columns or not {*parts} <= {*origin.columns}:
            continue
        texts = [f"CAST({quote_name(part)} AS VARCHAR)" for part in parts]
        joint = " || ', ' || ".join(texts)
        made = f"SELECT *, {joint} AS {quote_name(str(named))} FROM {{t}}"
        origin = origin.derive(made, keep=True)
    return origin


def columns_in_question(names: Sequence[str], roles: Roles) -> Sequence[str]:
    """Choose the columns of a table that are read: those of roles, and those of the systems.

    Where nobody says which systems are meant, all columns may be, up to :data:`MOST_SYSTEMS`;
    columns such as cnn.cat and cnn.dog belong to one.
    """
    if roles.system or (roles.system is None and "system" in names):
        chosen = value_columns_in_question(names, roles)
        # Where no name says which column holds the ids, all are read, so that it can be told.
        ids = {*CONVENTIONAL["item"], *(roles.item or "").split(",")}
        known = any(one in ids or propose_single_role(one) == "item" for one in chosen)
        return chosen if known else names
    said = {*(roles.systems or ()), *roles.declared()}
    said |= {name.partition("=")[0] for name in roles.declared()}
    if not said:
        _refuse_many(names)
        return names
    wanted = {*_role_names(roles), *said, *_propose_names(names, roles)}
    wanted |= _that_pair(names) if roles.proposals and roles.truth is None else set()
    for template in roles.vector:
        wanted |= {*columns_of_template(names, template.rpartition("=")[2]).values()}
    # Where no name is there, all are read, so that the one that is meant can be told.
    return [name for name in names if name in wanted or _begins_with(name, said)] or names


def _that_pair(names: Sequence[str]) -> set[str]:
    """Give the columns by which a truth is told: those called after it, other writings of it."""
    paired = find_paired_truth(names)
    truths = {name for name in names if propose_single_role(name) == "truth"}
    found = {name for name in names if any(is_coded(name, one) for one in truths)}
    if paired is not None:
        found |= {paired, *(name for name in names if says_call(name) or says_probability(name))}
    return found | ({name for name in names if says_call(name)} if found else set())


def value_columns_in_question(names: Sequence[str], roles: Roles) -> Sequence[str]:
    """Choose the columns of roles, and the one (or the vector) that holds what a system said."""
    proposed = _propose_names(names, roles)
    wanted = {*_role_names(roles), *proposed, *roles.declared(), *get_args(Holds)}
    wanted |= {name for name in names if roles.proposals and propose_holding(name)}
    wanted |= {name for name in names if TRIES.fullmatch(name)}  # to tell repeated ids apart
    for template in roles.vector:
        wanted |= {*columns_of_template(names, template.rpartition("=")[2]).values()}
    kept = [name for name in names if name in wanted]
    values = [name for name in kept if name not in {*_role_names(roles), *proposed}]
    return kept if values else names


def _role_names(roles: Roles) -> set[str]:
    said = {getattr(roles, role) for role in SINGLE_ROLES} - {None} | {*roles.per, *roles.judge}
    said |= {*(roles.item or "").split(","), *(roles.system or "").split(",")}
    return said | {name for names in CONVENTIONAL.values() for name in names} | {*ASIDE}


def _propose_names(names: Sequence[str], roles: Roles) -> set[str]:
    if not roles.proposals:
        return set()
    return {name for name in names if propose_single_role(name) or may_be_answer(name)}


def _begins_with(name: str, systems: set[str]) -> bool:
    """Tell a column such as cnn.cat of a system cnn; either may have dots of its own."""
    places = [place for place, letter in enumerate(name) if letter == "."]
    return any(name[:place] in systems for place in places)


def _refuse_many(names: Sequence[str]) -> None:
    systems = {name.partition(".")[0] for name in names}
    if len(systems) > MOST_SYSTEMS:
        raise too_many_systems(len(names), names)


def too_many_systems(count: int, names: Sequence[str]) -> RolesUnclear:
    """Refuse to take every one of very many columns for a system."""
    message = (
        f"{count:,} columns could each be a system, more than {MOST_SYSTEMS:,}: "
        f"{listing(names)}. Name the systems that you mean: {switch('systems', 'NAMES')}."
    )
    return RolesUnclear(message, code="too-many-systems")


def find_roles(origin: Origin, roles: Roles) -> dict[str, str]:
    """Match roles to columns: as declared, else by the column names that carry their role."""
    found: dict[str, str] = {}
    others = {getattr(roles, role) for role in SINGLE_ROLES}  # a declared cluster is no item, too
    # A column called group is the truth where another is called group_predicted.
    paired = {find_paired_truth(origin.columns)} if roles.proposals and not roles.truth else {None}
    for role in SINGLE_ROLES:
        declared = getattr(roles, role)
        if _declines(roles, role):
            continue
        if declared is not None:
            if declared not in origin.columns:
                _refuse_repeated(origin, roles, found)
                if role.startswith("crossed"):
                    pair = (roles.crossed_first or "", roles.crossed_second or "")
                    raise ColumnMissing.for_crossed(pair, origin.names)
                raise ColumnMissing.for_role(role, declared, origin.names)
            found[role] = declared
            continue
        taken = {*found.values(), *roles.list_systems(), *others, *paired}
        name = _conventional(origin, role, taken)
        found |= {role: name} if name is not None else {}
    if roles.proposals:
        _propose(origin, roles, found)
        _prefer_row_names(origin, roles, found)
    _refuse_repeated(origin, roles, found)
    return found


def _conventional(origin: Origin, role: str, taken: Collection[str | None]) -> str | None:
    """Give the column that has a role by its name; an id in any case: ``ID``, ``Id``."""
    names = CONVENTIONAL[role]
    free = [name for name in origin.columns if name not in taken]
    exact = next((name for name in names if name in free), None)
    if exact is None and role == "item":
        return next((name for name in free if name.casefold() in names), None)
    return exact


def _prefer_row_names(origin: Origin, roles: Roles, found: dict[str, str]) -> None:
    """Take ``.row`` for the item where a column called ``id`` names folds, as in tidymodels."""
    if roles.item is not None or "system" in found or "item" not in found:
        return
    rows = [name for name in origin.columns if name in ROW_NAMES and name not in found.values()]
    if rows and not differs_in_every_row(origin, found["item"]):
        better = next((name for name in rows if differs_in_every_row(origin, name)), None)
        found |= {} if better is None else {"item": better}


def _declines(roles: Roles, role: str) -> bool:
    """Tell a role that no column has here, whatever columns are called."""
    elsewhere = role == "truth" and (roles.truth_elsewhere or roles.measured)
    return elsewhere or (role in {*ASIDE, "system"} and getattr(roles, role) == "")


def _refuse_repeated(origin: Origin, roles: Roles, found: Mapping[str, str]) -> None:
    """Refuse a name that several columns have where that name is asked for."""
    if not origin.repeated:
        return
    asked = {*roles.list_systems(), *(getattr(roles, role) for role in SINGLE_ROLES)}
    asked |= {name for role in SINGLE_ROLES if role not in found for name in CONVENTIONAL[role]}
    left = [name for name in origin.names if name not in {*found.values(), *origin.unnamed}]
    twice = [
        name
        for name in origin.repeated
        if name in asked
        or propose_holding(name)
        or ("truth" not in found and propose_single_role(name) == "truth")
    ]
    if twice or not left:
        alike = {name.casefold() for name in twice or origin.repeated}
        refuse_repeated_columns(
            origin.name, [name for name in origin.repeated if name.casefold() in alike]
        )


def _propose(origin: Origin, roles: Roles, found: dict[str, str]) -> None:
    """Fill roles that nobody declared by what the names of columns propose."""
    single = {getattr(roles, role) for role in SINGLE_ROLES}
    taken = {*roles.list_systems(), *single}
    if "truth" not in found and not (roles.outcome or roles.truth_elsewhere or roles.measured):
        truth = propose_truth(origin, {*found.values(), *taken})
        found |= {"truth": truth} if truth else {}
    if "system" not in found and roles.system is None:
        found |= propose_long(origin, found, roles)
    if "item" not in found and "system" not in found:
        item = propose_item(origin, {*found.values(), *taken})
        found |= {"item": item} if item else {}


def list_proposed_roles(roles: Roles, found: Mapping[str, str]) -> tuple[str, ...]:
    """Name the roles that a column has for what its name proposes."""
    return tuple(
        role
        for role, column in found.items()
        if role not in ASIDE and getattr(roles, role) is None and column not in CONVENTIONAL[role]
    )


def need_item(
    origin: Origin, roles: Roles, why: str, more: str = "", *, system: str | None = None
) -> RolesUnclear:
    """Ask for the column of ids; beside a ``system``, one that comes once for each of these."""
    likely = [name for name in origin.columns if propose_single_role(name) == "item"]
    if not likely and system is not None:
        taken = {system, *roles.list_systems()}
        free = [n for n in origin.columns if n not in taken and not _has_part(n)]
        likely = [name for name in (find_item_of(origin, system, free),) if name is not None]
    named = f"Pass {switch('item', likely[0])}." if likely else roles.needs("item")
    message = f"{printable(origin.name)} {why}. Found: {listing(origin.names)}. {named}{more}"
    return RolesUnclear(message, code="no-item")


def _has_part(name: str) -> bool:
    """Tell a column whose name says what it is: a truth, or an answer."""
    held = name in get_args(Holds) or propose_holding(name)
    return bool(held or propose_single_role(name))


def value_columns(origin: Origin, roles: Roles, found: Mapping[str, str]) -> dict[str, str]:
    """Find the column that holds what a system said, or the columns of its vector by class."""
    for template in roles.vector:
        classes = columns_of_template(origin.columns, template.rpartition("=")[2])
        if classes:
            return classes
    if roles.measured:
        return value_and_per(origin.names, roles)
    left = _list_rest(origin, roles, found)
    declared = [name for name in roles.declared() if name in origin.columns]
    conventional = [name for name in left if name in get_args(Holds)]
    proposed = [name for name in left if roles.proposals and propose_holding(name)]
    calls = [name for name in proposed if propose_holding(name) == "called"]
    if len(proposed) > 1 and all(propose_holding(n) == "score" for n in {*proposed} - {*calls}):
        proposed = calls or proposed  # a score beside calls is a confidence in them
    worded = _name_calls(origin, left, found.get("truth")) if roles.proposals else []
    for chosen in (declared, conventional, proposed, left, worded):
        if len(chosen) == 1:
            return {"": chosen[0]}
    known = roles.true_classes
    by_class = _class_columns(origin, left, found.get("truth"), known) if roles.proposals else {}
    if by_class:
        return by_class
    alike = takewhile(lambda letters: len({*letters}) == 1, zip(*left, strict=False))
    before = "".join(letters[0] for letters in alike) if len(left) > 1 else ""
    message = (
        f"{printable(origin.name)}: which column holds what the system said? Left over: "
        f"{listing(left) or 'none'}. Pass {switch('called', 'COLUMN')}, "
        f"{switch('score', 'COLUMN')}, {switch('outcome', 'COLUMN')} or, for a column of each "
        f"class, {switch('vector', f'{before}{{class}}')}."
    )
    raise RolesUnclear(message, code="value-unclear")


def _name_calls(origin: Origin, left: Sequence[str], truth: str | None) -> list[str]:
    """Keep columns that their names call predictions, of several those that name true classes."""
    names = [name for name in left if says_call(name)]
    names = names or [name for name in left if says_probability(name)]
    if len(names) < 2 or truth is None:
        return names
    label = f"CAST({quote_name(truth)} AS VARCHAR)"
    asked = ", ".join(
        f"COUNT(CASE WHEN CAST({quote_name(name)} AS VARCHAR) IN (SELECT {label} FROM {{t}}) "
        "THEN 1 END)"
        for name in names
    )
    (counts,) = origin.table.query(f"SELECT {asked} FROM {{t}}")
    return [name for name, right in zip(names, counts, strict=True) if right]


def declare_value(roles: Roles, value: Mapping[str, str]) -> Holds | None:
    """Say what the value column holds: as declared, or by its conventional name."""
    if "" not in value:
        return "vector"
    column = value[""]
    named: Mapping[str, Holds] = {kind: kind for kind in get_args(Holds)}
    return roles.declared().get(column) or named.get(column) or _outcome_by_name(roles, column)


def _outcome_by_name(roles: Roles, column: str) -> Holds | None:
    by_name = propose_holding(column) if roles.proposals else None
    return "outcome" if by_name == "outcome" else None


def columns_of_template(columns: Sequence[str], template: str) -> dict[str, str]:
    """Match columns to a template such as ``p{class}``; gives the column of each class.

    >>> columns_of_template(["id", "p0", "p1"], "p{class}")
    {'0': 'p0', '1': 'p1'}
    """
    before, mark, after = template.partition("{class}")
    if not mark:
        return {}
    return {
        name[len(before) : len(name) - len(after)]: name
        for name in columns
        if name.startswith(before) and name.endswith(after) and len(name) > len(before + after)
    }


def name_as_classes(columns: Sequence[str], classes: Sequence[str]) -> dict[str, dict[str, str]]:
    """Find columns named by all classes with the same words before and after, in any case.

    >>> name_as_classes(["obs", ".pred_no", ".pred_yes"], ["no", "yes"])
    {'pred': {'no': '.pred_no', 'yes': '.pred_yes'}}
    >>> name_as_classes(["P(NO)", "P(YES)"], ["no", "yes"])
    {'P': {'no': 'P(NO)', 'yes': 'P(YES)'}}
    """
    if len(classes) < 2:
        return {}
    for spell in (str, str.casefold):
        there = {spell(name): name for name in columns}
        known = [spell(of) for of in classes]
        if len(there) < len({*columns}) or len({*known}) < len(classes):
            return {}  # case tells columns or classes apart
        found = {
            _clip(words) or "probabilities": dict(zip(classes, named, strict=True))
            for words, named in _find_alike(there, known)
        }
        if found:
            return found
    return {}


def _clip(words: str) -> str:
    """Give what stands around classes as the name of a system.

    >>> _clip("P (species="), _clip("Prob["), _clip(".pred_")
    ('P (species)', 'Prob', 'pred')
    """
    named = words.strip("._- :[]()=")
    return f"{named})" if named.count("(") > named.count(")") else named


def _find_alike(
    there: Mapping[str, str], known: Sequence[str]
) -> Iterator[tuple[str, Sequence[str]]]:
    """Give the words around the first class, and the columns with the same around every class."""
    size = len(known[0])
    for name, title in there.items():
        places = [at for at in range(len(name) - size + 1) if name.startswith(known[0], at)]
        for at in places:
            named = [f"{name[:at]}{of}{name[at + size :]}" for of in known]
            if there.keys() >= {*named}:
                yield f"{title[:at]}{title[at + size :]}", [there[one] for one in named]


def _class_columns(
    origin: Origin, left: Sequence[str], truth: str | None, known: Sequence[str]
) -> dict[str, str]:
    """Give the columns of one system's numbers for each class, where nothing else is left over."""
    if len(left) < 2:
        return {}
    if truth is None:
        named = name_as_classes(left, known).values()
        return next((own for own in named if len(own) == len(left)), {})
    # A class more than there are columns is enough to know that they are not named by classes.
    rows = origin.table.query(
        f"SELECT DISTINCT CAST({quote_name(truth)} AS VARCHAR) AS label FROM {{t}} "
        f"LIMIT {len(left) + 1}"
    )
    classes = sorted(str(label) for (label,) in rows if label is not None)
    found = name_as_classes(left, classes)
    return next((named for named in found.values() if len(named) == len(left)), {})


def _list_rest(origin: Origin, roles: Roles, found: Mapping[str, str]) -> list[str]:
    meant = {*(roles.systems or ()), *roles.declared()}
    used = {*found.values(), *origin.unnamed, *origin.partitions, *(set(ASIDE) - meant)}
    return [name for name in origin.names if name not in used]


def take_by_name(origin: Origin, roles: Roles, found: Mapping[str, str]) -> tuple[str, ...]:
    """Name the roles that change numbers and were given to a column for its name alone."""
    asked = {role for role in ASIDE if getattr(roles, role) is not None} | {*origin.carries}
    return tuple(role for role in ASIDE if role in found and role not in asked)

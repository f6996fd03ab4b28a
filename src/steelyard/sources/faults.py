"""Rows that cannot be counted: how many, the first of them, and the switch that would allow it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from steelyard.counts.labels import sort_classes
from steelyard.engines.dialect import quote_literal
from steelyard.errors import Fault, counted, listing, printable, switch, switch_list
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import MISSING_LOOKING, Column, Levels
from steelyard.sources.roles.name_words import says_call

__all__ = [
    "RowFinder",
    "class_not_whole",
    "missing_value",
    "offer_places",
    "unseen_labels",
    "wrong_value",
]

MOST_SHOWN = 60
"""A value is shown up to this many characters."""

FRACTION = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
COMMA_FRACTION = re.compile(r"[+-]?\d+,\d+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFinder:
    """Shows the first rows for which a condition holds, by item id where there is one.

    ``keep`` is the condition on rows that take part at all.
    """

    origin: Origin
    item: Column | None = None
    keep: str = "TRUE"

    def count(self, *conditions: str) -> list[int]:
        """Count the kept rows for which each condition holds, in one scan."""
        if not conditions:
            return []
        asked = ", ".join(f"COUNT(CASE WHEN {condition} THEN 1 END)" for condition in conditions)
        (found,) = self.origin.table.query(f"SELECT {asked} FROM {{t}} WHERE {self.keep}")
        return list(found)

    def first(self, condition: str, value: str) -> tuple[str, ...]:
        """Name the first three rows with what stands there."""
        item = self.item.identifier_sql() if self.item else "CAST(NULL AS VARCHAR)"
        # Rows of gathered tables, and those of a cluster, come in no order; their ids do.
        ordered = self.origin.numbered and self.origin.table.dialect.ordered
        place = "ROW_NUMBER() OVER ()" if ordered else "CAST(NULL AS INTEGER)"
        order = "place" if ordered else "item, value"
        rows = self.origin.table.query(
            f"SELECT place, item, value FROM (SELECT {place} AS place, "
            f"{item} AS item, CAST({value} AS VARCHAR) AS value, ({condition}) AND ({self.keep}) "
            f"AS bad FROM {{t}}) AS seen WHERE bad ORDER BY {order} LIMIT 3"
        )
        return tuple(self._show(*row) for row in rows)

    def where(self, column: Column) -> str:
        """Name the file and the column."""
        return printable(f"{self.origin.name}, {column.title}")

    def _show(self, place: int | None, item: str | None, value: str | None) -> str:
        if place is None:
            row = "a row" if item is None else f"item {item!r}"
        else:
            row = f"row {place}" if item is None else f"row {place} (item {item!r})"
        if value is None:
            return f"{row}: empty"
        cut = value if len(value) <= MOST_SHOWN else f"{value[:MOST_SHOWN]}..."
        return f"{row}: {cut!r}"


@dataclass(frozen=True, slots=True)
class _Absence:
    code: str
    what: str
    policy: str = "missing"
    worst: bool = True


ABSENT = {
    "truth": _Absence("missing-label", "no truth", policy="unlabelled", worst=False),
    "called": _Absence("missing-call", "no called class"),
    "outcome": _Absence("missing-outcome", "neither right nor wrong"),
    "score": _Absence("missing-score", "no score"),
    "vector": _Absence("missing-vector", "no number for some class", worst=False),
    "value": _Absence("missing-value", "no value", worst=False),
    "number": _Absence("missing-number", "no number", worst=False),
}


def missing_value(
    finder: RowFinder,
    column: Column,
    *,
    condition: str,
    count: int,
    rows: int,
    role: str,
    value: str | None = None,
) -> Fault:
    """A row has no truth, no call or no score."""
    absence = ABSENT[role]
    them = "it" if count == 1 else "them"
    fix = f"Fill {them} in, or leave {them} out on purpose: {switch(absence.policy, 'exclude')}"
    if absence.worst:
        fix += f"; to count {them} as wrong: {switch('missing', 'worst')}"
    have = "has" if count == 1 else "have"
    return Fault(
        code=absence.code,
        where=finder.where(column),
        found=f"{count:,} of {counted(rows, 'row')} {have} {absence.what}.",
        fix=f"{fix}.",
        count=count,
        examples=finder.first(condition, value or column.sql),
    )


def wrong_value(
    finder: RowFinder,
    column: Column,
    *,
    condition: str,
    count: int,
    code: str,
    found: tuple[str, str],
    fix: str,
    value: str | None = None,
) -> Fault:
    """A row holds what the role cannot take; ``found`` is a verb (plural) and the rest."""
    verb, what = found
    return Fault(
        code=code,
        where=finder.where(column),
        found=f"{counted(count, 'row', verb)} {what}.",
        fix=fix,
        count=count,
        examples=finder.first(condition, value or column.sql),
    )


def class_not_whole(finder: RowFinder, column: Column, count: int, fix: str) -> Fault:
    """A class is written as a fraction; ``fix`` says what to type where it is something else."""
    return wrong_value(
        finder,
        column,
        condition=column.no_class_sql(),
        count=count,
        code="label-fraction",
        found=("hold", "a number that cannot name a class"),
        fix=f"Classes are text, whole numbers or true/false. {fix}",
    )


def unseen_labels(
    finder: RowFinder, levels: Levels, strange: Sequence[str], truth: Levels, *, system: str
) -> Fault:
    """A system called classes that are never true and were not declared."""
    rows = sum(levels.names[name] for name in strange)
    places = offer_places(finder, truth.column, levels.column, sort_classes(truth.names))
    is_are = "is" if len(strange) == 1 else "are"
    return Fault(
        code="unseen-label",
        where=finder.where(levels.column),
        found=(
            f"{counted(rows, 'row', 'call')} {counted(len(strange), 'class')} that {is_are} never "
            f"true: {listing(strange, most=6)}."
        ),
        fix=places
        + _offer_answers(finder, levels.column, system)
        + " ".join(_ways_out(levels, strange, truth, printable(system))),
        count=rows,
        examples=finder.first(f"{levels.sql()} NOT IN ({_list_known(truth)})", levels.column.sql)
        if len(truth.names) <= MOST_SHOWN
        else (),
    )


def _offer_answers(finder: RowFinder, column: Column, system: str) -> str:
    """Offer the columns whose names say that they hold answers, beside one whose name does not."""
    called = [name for name in finder.origin.columns if says_call(name)]
    if finder.origin.present or not called or says_call(column.name):
        return ""
    return f"If {printable(system)!r} holds no answers: {switch_list('systems', called)}. "


def offer_places(finder: RowFinder, truth: Column, call: Column, classes: Sequence[str]) -> str:
    """Offer the words called most often beside the truths 0, 1, 2 ... as what these mean."""
    if [*classes] != [str(place) for place in range(len(classes))]:
        return ""
    rows = finder.origin.table.query(
        f"SELECT place, word FROM (SELECT {truth.label_sql()} AS place, {call.label_sql()} AS "
        "word, COUNT(*) AS times FROM {t} GROUP BY 1, 2) AS pairs "
        "WHERE word IS NOT NULL ORDER BY times DESC, place, word"
    )
    found: dict[str, str] = {}
    for true, called in rows:
        if str(true) not in found and str(called) not in found.values():
            found[str(true)] = str(called)
    words = {str(called) for _, called in rows}
    same = len(words) == len(classes) and len(found) == len(classes)
    if not same or words & {*classes}:
        return ""
    order = [found[place] for place in classes]
    meant = ", ".join(f"{place} means {printable(one)}" for place, one in enumerate(order))
    return f"If {meant}, say so: {switch_list('classes', order)}. "


def _list_known(truth: Levels) -> str:
    return ", ".join(quote_literal(name) for name in truth.names)


NO_ANSWER = re.compile(
    r"(?i)unknown|unsure|undecided|uncertain|abstain(?:ed)?|reject(?:ed)?|refused?|no[ _-]?answer"
    r"|(?:i )?do(?:n'?t| not) know|dk|idk|inconclusive|indeterminate|not sure|can'?t (?:say|tell)"
)
"""Calls by which a system says that it does not know."""


def _say_unsure(strange: Sequence[str]) -> list[str]:
    """Offer to take a call for no answer, where one word says so."""
    unsure = [name for name in strange if NO_ANSWER.fullmatch(name)]
    if len(unsure) != 1:
        return []
    return [f"If {unsure[0]!r} is no answer, say so: {switch('unknown', unsure[0])}."]


def _ways_out(levels: Levels, strange: Sequence[str], truth: Levels, system: str) -> list[str]:
    """Offer what the values suggest, the likeliest first."""
    classes = sorted(truth.names)
    ways = [f"True classes: {listing(classes)}."]
    total = sum(truth.names.values())
    if len(classes) == total > MOST_SHOWN:
        ways.append(
            f"Every row has a true class of its own: if {truth.column.title} holds ids, name "
            f"the right one: {switch('truth', 'COLUMN')}."
        )
    if any(name.casefold() in MISSING_LOOKING for name in strange):
        ways.append("Where there was no answer, leave the cell empty.")
    ways += _say_unsure(strange)
    if any(FRACTION.fullmatch(name) for name in strange):
        ways.append(f"If {system!r} holds scores, say so: {switch('score', system)}.")
    elif any(COMMA_FRACTION.fullmatch(name) for name in strange):
        ways.append(f"If the commas are decimal marks, say so: {switch('decimal', ',')}.")
    elif levels.column.kind == "integer" and {*levels.names} <= {*map(str, range(len(classes)))}:
        ways.append(
            "If these numbers are places in a list of classes, from 0, give the list in its order: "
            f"{switch_list('classes', classes)}."
        )
    elif levels.column.kind in {"integer", "boolean"}:
        if not says_call(levels.column.name):
            ways.append(
                f"If {system!r} holds something else, say so: {switch('outcome', system)} for "
                f"right and wrong, {switch('score', system)} for scores."
            )
    declared = switch_list("classes", [*classes, *strange])
    declared = switch("classes", "all") if "..." in declared else declared
    ways.append(f"If those calls are legal, declare all classes: {declared}.")
    return ways

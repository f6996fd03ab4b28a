"""The classes a column names, with how many rows name each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from steelyard.counts.labels import canonical_label, lookalike_classes
from steelyard.engines.dialect import quote_literal
from steelyard.errors import Fault, RolesUnclear, UnusableRows, counted, listing, switch
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import Column

__all__ = ["MISSING_LOOKING", "MOST_CLASSES", "Levels", "class_caveats", "read_levels"]

MOST_CLASSES = 100_000
"""A column with more distinct values than this does not hold classes."""

MOST_COMPARED = 10_000
"""Classes that look alike are searched for among at most this many."""

MISSING_LOOKING = frozenset({"nan", "na", "n/a", "none", "null", "?", "-"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Rows by class in one column; ``rewritten`` maps text as written to its canonical form.

    ``missing`` rows name no class; ``digits`` says that true and false are read as 1 and 0.
    """

    column: Column
    names: Mapping[str, int]
    rewritten: Mapping[str, str]
    missing: int
    digits: bool = False

    def sql(self) -> str:
        """The column as canonical class names; text in another Unicode form is rewritten."""
        written = self.column.label_sql(digits=self.digits)
        if not self.rewritten:
            return written
        cases = " ".join(
            f"WHEN {quote_literal(raw)} THEN {quote_literal(name)}"
            for raw, name in self.rewritten.items()
        )
        return f"CASE {written} {cases} ELSE {written} END"

    def as_digits(self) -> "Levels":
        """Read true and false as 1 and 0."""
        if self.column.kind != "boolean":
            return replace(self, digits=True)
        digit = {"true": "1", "false": "0"}
        return replace(
            self, digits=True, names={digit[name]: rows for name, rows in self.names.items()}
        )


def read_levels(
    origin: Origin, column: Column, *, digits: bool = False, keep: str = "TRUE"
) -> Levels:
    """Count the rows of each class in one column, among the rows that are kept."""
    label = column.label_sql(digits=digits)
    found = origin.table.query(
        f"SELECT label, COUNT(*) FROM (SELECT {label} AS label FROM {{t}} WHERE {keep}) AS labels "
        f"GROUP BY label ORDER BY label LIMIT {MOST_CLASSES + 2}"
    )
    rows = dict(found)
    missing = rows.pop(None, 0)
    if len(rows) > MOST_CLASSES:
        message = (
            f"{origin.name}, {column.title}: more than {MOST_CLASSES:,} different values; that is "
            f"no column of classes, perhaps one of ids. Pass {switch('truth', 'COLUMN')} and "
            f"{switch('systems', 'NAMES')}."
        )
        raise RolesUnclear(message, code="too-many-classes")
    _refuse_unseen(origin, column, rows)
    names: dict[str, int] = {}
    rewritten = {}
    for raw, count in rows.items():
        name = canonical_label(raw)
        names[name] = names.get(name, 0) + count
        if name != raw:
            rewritten[raw] = name
    return Levels(column=column, names=names, rewritten=rewritten, missing=missing, digits=digits)


def _refuse_unseen(origin: Origin, column: Column, rows: Mapping[str, int]) -> None:
    """Refuse classes of blanks or control characters: a gap that somebody filled with nothing."""
    unseen = [
        name for name in rows if not any(one.isprintable() and not one.isspace() for one in name)
    ]
    if not unseen:
        return
    fault = Fault(
        code="label-blank",
        where=f"{origin.name}, {column.title}",
        found=f"{counted(sum(rows[one] for one in unseen), 'row', 'hold')} nothing that can be "
        f"seen: {listing([repr(one) for one in unseen])}.",
        fix="Write the class there, or leave the cell empty, which is a missing value.",
    )
    raise UnusableRows.of([fault])


def class_caveats(classes: Mapping[str, int]) -> tuple[str, ...]:
    """Warn of classes that look alike, or that look like missing values."""
    alike = lookalike_classes(classes) if len(classes) <= MOST_COMPARED else ()
    caveats = [
        f"classes {one!r} and {two!r} differ only by case, spaces or look; they are counted apart"
        for one, two in alike[:3]
    ]
    caveats += [
        f"{counted(rows, 'row', 'have')} the class {name!r}, which looks like a missing value"
        for name, rows in classes.items()
        if name.casefold() in MISSING_LOOKING
    ]
    return tuple(caveats)

"""One column: what its values are, established over all rows, and how it is read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from steelyard.counts.labels import canonical_label, lookalike_classes
from steelyard.engines.dialect import quote_literal, quote_name
from steelyard.engines.table import ColumnKind
from steelyard.errors import Fault, RolesUnclear, UnusableRows, counted, listing, switch
from steelyard.sources.origins import Origin

__all__ = [
    "LARGEST_EXACT",
    "MISSING_LOOKING",
    "MISSING_WORDS",
    "MOST_CLASSES",
    "RIGHT_WORDS",
    "SHORT",
    "TINY",
    "VERDICTS",
    "WRONG_WORDS",
    "Column",
    "Levels",
    "class_caveats",
    "is_infinite",
    "look_at_columns",
    "read_levels",
    "say_alike",
]

# --- one column: what its values are, established over all rows, and how it is read --------------


MISSING_WORDS = ("na", "n/a", "nan", "null", "none", "")
"""In a column of numbers these words mean "no number"; among classes they are ordinary text."""

RIGHT_WORDS = tuple("true 1 1.0 pass passed correct right ✓ ✔ ✅".split())
WRONG_WORDS = tuple("false 0 0.0 fail failed incorrect wrong ✗ ✘ ❌".split())
VERDICTS = frozenset({*RIGHT_WORDS, *WRONG_WORDS})
"""How a column that was declared to say right and wrong says so."""

MOSTLY = 0.9
"""A text column of which this share parses as fractions is meant to be numbers."""

SAMPLE_ROWS = 10_000
"""So many rows tell whether the values of a column come again and again."""

LARGEST_EXACT = 2**53
"""Beyond this, different whole numbers look the same as floating-point numbers."""

SHORT = 15
"""A number of so many characters, or fewer, is another one than all others of that length."""

TINY = 1e-290
"""Below this, numbers come close to the smallest there are and lose digits, then all of them."""

SPACES = r"[ \t\n\f\r]*"
NUMBER = SPACES + r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?" + SPACES
COMMA_NUMBER = NUMBER.replace("[.]", "[,]")
NONZERO = "[^eE]*[1-9].*"
ANCHORED = r"\A(?:{})\z"
INFINITE = ("inf", "infinity", "+inf", "-inf", "+infinity", "-infinity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column with the kind of its values; ``stored_as_text`` when the file has no types.

    Of text, all values were looked at: ``clean`` says that each is a finite number in plain
    digits, ``powers`` that some are written like 1E1, ``long`` that some have more digits than
    a floating-point number keeps.
    """

    name: str
    title: str
    kind: ColumnKind
    stored_as_text: bool = False
    decimal_comma: bool = False
    clean: bool = False
    powers: bool = False
    long: bool = False

    @property
    def sql(self) -> str:
        """The column as it stands."""
        return quote_name(self.name)

    @property
    def parsed(self) -> bool:
        """Whether numbers have to be read out of text: whatever is no number has a text, too."""
        return self.stored_as_text or self.kind in {"text", "list", "struct", "other"}

    @property
    def text_sql(self) -> str:
        """The values as text; dates, bytes and lists have another type."""
        return self.sql if self.stored_as_text else f"CAST({self.sql} AS VARCHAR)"

    def number_sql(self) -> str:
        """The values as numbers; null where there is none."""
        if not self.parsed:
            return f"CAST({self.sql} AS DOUBLE)"
        if self.clean:
            return f"CAST({self.sql} AS DOUBLE)"
        if self.decimal_comma:
            form, text = COMMA_NUMBER, f"REPLACE({self.text_sql}, ',', '.')"
        else:
            form, text = NUMBER, self.text_sql
        return (
            f"CASE WHEN {_matches(self.text_sql, form)} "
            f"OR {self._plain()} IN ({_list(INFINITE)}) THEN TRY_CAST({text} AS DOUBLE) END"
        )

    def no_number_sql(self) -> str:
        """True where there is no number: a null, NaN, or a word for "missing"."""
        number = self.number_sql()
        return f"({number} IS NULL OR ISNAN({number}))"

    def unreadable_number_sql(self) -> str:
        """True where the text is neither a number nor a word for "missing", or overflows."""
        if not self.parsed or self.clean:
            return "FALSE"
        number, plain = self.number_sql(), self._plain()
        return (
            f"({self.sql} IS NOT NULL AND {plain} NOT IN ({_list(MISSING_WORDS)}) AND "
            f"({number} IS NULL OR ({is_infinite(number)} AND "
            f"{plain} NOT IN ({_list(INFINITE)}))))"
        )

    def label_sql(self, *, digits: bool = False) -> str:
        """The values as canonical class names, but for NFC; null where there is none.

        ``digits`` writes true and false as 1 and 0, for files that use both spellings.
        """
        yes, no = ("'1'", "'0'") if digits else ("'true'", "'false'")
        if self.kind == "boolean":
            test = f"LOWER({self.sql}) = 'true'" if self.stored_as_text else self.sql
            value = f"NULLIF({self.sql}, '')" if self.stored_as_text else self.sql
            return f"CASE WHEN {test} THEN {yes} WHEN {value} IS NOT NULL THEN {no} END"
        # 1E1 may be the name of a class (a plate, a gene, a part): it is never merged with 10.
        if self.kind == "real" and not (self.powers or self.long):
            whole = f"CAST(TRY_CAST({self.number_sql()} AS HUGEINT) AS VARCHAR)"
            if not self.parsed:
                return whole
            return f"CASE WHEN {self.unreadable_number_sql()} THEN {self.sql} ELSE {whole} END"
        return f"NULLIF(CAST({self.sql} AS VARCHAR), '')"

    def no_class_sql(self) -> str:
        """True where a number cannot name a class: a fraction, or too large to be exact."""
        number = self.number_sql()
        return (
            f"({number} IS NOT NULL AND NOT ISNAN({number}) AND "
            f"({number} <> FLOOR({number}) OR ABS({number}) > {LARGEST_EXACT}))"
        )

    def outcome_sql(self) -> str:
        """The values as right (true) or wrong (false); null where they are neither."""
        text = self._plain()
        return (
            f"CASE WHEN {text} IN ({_list(RIGHT_WORDS)}) THEN TRUE "
            f"WHEN {text} IN ({_list(WRONG_WORDS)}) THEN FALSE END"
        )

    def no_outcome_sql(self) -> str:
        """True where nothing is said: a null, NaN, or a word for "missing"."""
        return f"({self.sql} IS NULL OR {self._plain()} IN ({_list(MISSING_WORDS)}))"

    def identifier_sql(self) -> str:
        """The values as text, leading zeros kept; null where there is none."""
        return f"NULLIF(CAST({self.sql} AS VARCHAR), '')"

    def part_sql(self) -> str:
        """The values as names of clusters, groups or folds; null where there is none."""
        if self.kind == "real" and not self.parsed:
            return f"CASE WHEN NOT ISNAN({self.sql}) THEN CAST({self.sql} AS VARCHAR) END"
        return self.identifier_sql()

    def _plain(self) -> str:
        return f"LOWER(TRIM(CAST({self.sql} AS VARCHAR)))"


def is_infinite(number: str) -> str:
    """True where a number is infinite.

    >>> is_infinite("x")
    "(ABS(x) = CAST('inf' AS DOUBLE))"
    """
    return f"(ABS({number}) = CAST('inf' AS DOUBLE))"


def look_at_columns(
    origin: Origin,
    names: Sequence[str],
    *,
    names_only: Sequence[str] = (),
    titles: Mapping[str, str],
) -> dict[str, Column]:
    """Establish the kind of each column: by its type, or, in a file of text, by all its values.

    The values of ``names_only`` are names whatever they look like.
    """
    known = origin.table.columns
    looked_at = [name for name in names if name not in names_only]
    texts = [name for name in looked_at if origin.text and known[name] == "text"]
    profiles = _profiles(origin, texts) if texts else {}
    return {
        name: _column(origin, name, titles.get(name, f"column {name!r}"), profiles.get(name))
        for name in names
    }


def _column(origin: Origin, name: str, title: str, seen: "_Profile | None") -> Column:
    if seen is None:
        return Column(name=name, title=title, kind=origin.table.columns[name])
    comma = _decimal_comma(origin, seen)
    return Column(
        name=name,
        title=title,
        kind=_kind(seen, comma=comma),
        stored_as_text=True,
        decimal_comma=comma,
        clean=not comma and 0 < seen.filled == seen.plain,
        powers=seen.powers > 0,
        long=seen.long + seen.large > 0,
    )


class _Profile(NamedTuple):
    """How many values of a text column look like what.

    ``powers`` are numbers like 1E1, ``long`` those with more digits than a floating-point number
    keeps, ``large`` whole ones of so many digits, ``endless`` those that are not finite as one.
    """

    flags: int
    whole: int
    large: int
    codes: int
    points: int
    powers: int
    long: int
    endless: int
    commas: int
    grouped: int
    missing: int
    others: int

    @property
    def filled(self) -> int:
        return sum(self)

    @property
    def plain(self) -> int:
        """Finite numbers that every engine reads as they stand."""
        return self.whole + self.large + self.points + self.powers + self.long

    @property
    def pointed(self) -> int:
        """Numbers in a form that only numbers have."""
        return self.points + self.powers + self.long + self.endless


def _profiles(origin: Origin, names: Sequence[str]) -> dict[str, _Profile]:
    """Look at every value, column by column; values that come again are looked at once."""
    # A sketch of a few kilobytes a column: counting exactly would take a hash table for each.
    asked = ", ".join(f"APPROX_COUNT_DISTINCT({quote_name(name)})" for name in names)
    (distinct,) = origin.table.query(
        f"SELECT {asked} FROM (SELECT * FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample"
    )
    profiles = {}
    for name, different in zip(names, distinct, strict=True):
        values, times = f"SELECT {quote_name(name)} AS v FROM {{t}}", "COUNT(*)"
        if different < SAMPLE_ROWS // 2:
            values = f"SELECT v, COUNT(*) AS m FROM ({values}) AS every GROUP BY v"
            times = "SUM(m)"
        rows = origin.table.query(
            f"SELECT {_look('v')} AS look, {times} FROM ({values}) AS a GROUP BY look"
        )
        counts = {look: int(count) for look, count in rows}
        profiles[name] = _Profile(*(counts.get(n, 0) for n in range(len(_Profile._fields))))
    return profiles


def _look(column: str) -> str:
    """Say what one value looks like, as a place in :class:`_Profile`; null for an empty cell.

    The first character decides cheaply whether the value can be a number at all, and only short
    values are compared with words.
    """
    numeric = f"UNICODE({column}) BETWEEN 43 AND 57 OR UNICODE({column}) = 32"
    word = f"LOWER(TRIM({column}))"
    pointed = f"CONTAINS({column}, '.') AND NOT CONTAINS({column}, '_')"
    number = f"TRY_CAST({column} AS DOUBLE)"
    finite = f"ABS({number}) < CAST('inf' AS DOUBLE)"
    # Text that is the shortest one of its number stands for it alone, however many its digits.
    # Close to nothing, numbers have few digits or none: 1e-400 and 2e-400 are both read as 0.
    tiny = f"(ABS({number}) < {TINY} AND {_matches(column, NONZERO)})"
    long = f"((LENGTH({column}) > {SHORT} AND CAST({number} AS VARCHAR) <> {column}) OR {tiny})"
    power = f"CONTAINS(LOWER({column}), 'e')"
    numbers = (
        # What this takes, the regular expression below takes too, but it is slower.
        (f"{pointed} AND {finite} AND {long}", "long"),
        (f"{pointed} AND {finite} AND {power}", "powers"),
        (f"{pointed} AND {finite}", "points"),
        (_matches(column, "-?(0|[1-9][0-9]{0,14})"), "whole"),
        (_matches(column, "-?[1-9][0-9]{15,37}"), "large"),
        (_matches(column, "[+-]?0[0-9]+"), "codes"),
        (f"{_matches(column, NUMBER)} AND {finite} AND {long}", "long"),
        (f"{_matches(column, NUMBER)} AND {finite} AND {power}", "powers"),
        (f"{_matches(column, NUMBER)} AND {finite}", "points"),
        (_matches(column, NUMBER), "endless"),
        (_matches(column, "[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+"), "grouped"),
        (_matches(column, COMMA_NUMBER), "commas"),
    )
    words = (
        (f"LENGTH({column}) > 10", "others"),
        (f"{word} IN ({_list(INFINITE)})", "endless"),
        (f"{word} IN ({_list(MISSING_WORDS)})", "missing"),
        (f"LOWER({column}) IN ('true', 'false')", "flags"),
    )
    return (
        f"CASE WHEN {column} IS NULL OR {column} = '' THEN NULL "
        f"WHEN {numeric} THEN {_cases([*numbers, *words])} ELSE {_cases(words)} END"
    )


def _cases(tests: Sequence[tuple[str, str]]) -> str:
    place = _Profile._fields.index
    cases = " ".join(f"WHEN {test} THEN {place(of)}" for test, of in tests)
    return f"CASE {cases} ELSE {place('others')} END"


def _matches(column: str, form: str) -> str:
    # Anchored by hand: not every engine has a function that matches the whole text.
    return f"regexp_matches({column}, {quote_literal(ANCHORED.format(form))})"


def _list(words: Sequence[str]) -> str:
    return ", ".join(quote_literal(word) for word in words)


def _decimal_comma(origin: Origin, seen: _Profile) -> bool:
    """Believe in a decimal comma when it was declared, or when all values speak for it.

    Declared, it holds for every number of the file: 1.234 is then no number that can be read.
    """
    if origin.decimal is not None:
        return origin.decimal == "," and seen.commas + seen.grouped + seen.pointed > 0
    unanimous = seen.commas > 0 == seen.pointed + seen.others + seen.codes + seen.flags
    return unanimous and origin.delimiter not in {",", None}


def _kind(seen: _Profile, *, comma: bool) -> ColumnKind:
    if 0 < seen.filled == seen.flags:
        return "boolean"
    if 0 < seen.filled == seen.whole + seen.large:
        return "integer"
    fractions = seen.pointed + (seen.commas + seen.grouped if comma else 0)
    numbers = fractions + seen.whole + seen.large
    meant = fractions > 0 and seen.codes == 0
    return "real" if meant and numbers + seen.missing >= MOSTLY * seen.filled else "text"


# --- the classes a column names, with how many rows name each ------------------------------------


MOST_CLASSES = 100_000
"""A column with more distinct values than this does not hold classes."""

MOST_COMPARED = 10_000
"""Classes that look alike are searched for among at most this many."""

MISSING_LOOKING = frozenset({"nan", "na", "n/a", "none", "null", "?", "-"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """Rows by class in one column; ``rewritten`` maps text as written to its canonical form.

    ``missing`` rows name no class; ``digits`` says that true and false are read as 1 and 0;
    ``nothing`` are words as written that stand for no answer.
    """

    column: Column
    names: Mapping[str, int]
    rewritten: Mapping[str, str]
    missing: int
    digits: bool = False
    nothing: tuple[str, ...] = ()

    def sql(self) -> str:
        """The column as canonical class names; text in another Unicode form is rewritten."""
        written = self.column.label_sql(digits=self.digits)
        if not (self.rewritten or self.nothing):
            return written
        cases = " ".join(
            [
                *(f"WHEN {quote_literal(raw)} THEN NULL" for raw in self.nothing),
                *(
                    f"WHEN {quote_literal(raw)} THEN {quote_literal(name)}"
                    for raw, name in self.rewritten.items()
                ),
            ]
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
            f"not a column of classes, perhaps one of ids. Pass {switch('truth', 'COLUMN')} and "
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


def say_alike(kind: str, names: Collection[str]) -> Iterator[str]:
    """Warn of names that look alike; where one hides what tells it apart, spell it out."""
    alike = lookalike_classes(names) if len(names) <= MOST_COMPARED else ()
    for one, two in alike[:3]:
        show = repr if len({"".join(name.casefold().split()) for name in (one, two)}) < 2 else ascii
        yield (
            f"{kind} {show(one)} and {show(two)} differ only by case, spaces or look; they are "
            "counted apart"
        )


def class_caveats(classes: Mapping[str, int]) -> tuple[str, ...]:
    """Warn of classes that look alike, or that look like missing values."""
    caveats = list(say_alike("classes", classes))
    caveats += [
        f"{counted(rows, 'row', 'have')} the class {name!r}, which looks like a missing value"
        for name, rows in classes.items()
        if name.casefold() in MISSING_LOOKING
    ]
    return tuple(caveats)

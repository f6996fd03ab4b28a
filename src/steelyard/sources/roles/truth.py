"""The truth: its classes, the positive one among them, and rows that have none."""

from collections.abc import Mapping, Sequence
from shlex import quote

from steelyard.counts.labels import sort_classes
from steelyard.engines.dialect import quote_name
from steelyard.errors import (
    Fault,
    NotComparable,
    RequestError,
    RolesUnclear,
    UnusableRows,
    listing,
    printable,
    switch,
    switch_list,
)
from steelyard.sources.faults import RowFinder, class_not_whole, missing_value
from steelyard.sources.predictions import NO_ANSWER, TIED
from steelyard.sources.roles.columns import SAMPLE_ROWS, Column, Levels, read_levels
from steelyard.sources.roles.declared import Roles
from steelyard.sources.roles.holdings import Holding
from steelyard.sources.roles.name_words import says_call

__all__ = [
    "describe_unlabelled",
    "likely_positive",
    "list_classes",
    "name_positive",
    "needs_digits",
    "read_truth",
]

HALF = 0.5
"""More different numbers than these, most of them once, are quantities and no classes."""

FEW = 50
"""More different whole numbers than these may be quantities."""

FLAGS_AND_DIGITS = frozenset({"boolean", "integer", "real"})


def read_truth(finder: RowFinder, column: Column) -> Levels:
    """Count the true classes; a number that cannot name a class is refused at once."""
    if column.kind in {"list", "struct", "other"}:
        inside = ""
        if column.kind == "struct":
            inside = (
                " They are objects; write what is inside them as fields of their own, for example "
                f"with jq: jq -c '. + {{truth: .{column.name}.label}}' in.jsonl > out.jsonl"
            )
        message = (
            f"{finder.where(column)}: its values cannot name classes. Pass "
            f"{switch('truth', 'COLUMN')}.{inside}"
        )
        raise RolesUnclear(message, code="holds-other")
    if column.kind == "real":
        (fractions,) = finder.count(column.no_class_sql())
        if fractions:
            refuse_true_numbers(finder, column)
            fix = f"If another column holds the truth, name it: {switch('truth', 'COLUMN')}."
            raise UnusableRows.of([class_not_whole(finder, column, fractions, fix)])
    levels = read_levels(finder.origin, column, keep=finder.keep)
    if column.kind == "integer" and len(levels.names) > FEW:
        refuse_true_numbers(finder, column)
    return levels


def describe_unlabelled(finder: RowFinder, truth: Levels, rows: int) -> list[Fault]:
    """Describe the rows without a truth."""
    if not truth.missing:
        return []
    column = truth.column
    condition = f"({column.label_sql()} IS NULL)"
    fault = missing_value(
        finder, column, condition=condition, count=truth.missing, rows=rows, role="truth"
    )
    return [fault]


def list_classes(truth: Levels | None, roles: Roles) -> tuple[str, ...]:
    """List the classes: those that occur in the truth, or all that were declared."""
    if truth is None:
        return roles.classes or ()
    reserved = sorted({NO_ANSWER, TIED} & {*truth.names, *(roles.classes or ())})
    if reserved:
        message = f"No class may be called {listing(reserved)}: that word is ours. Rename it."
        raise RolesUnclear(message, code="class-reserved")
    if roles.classes is None:
        named = {roles.positive} if roles.open_classes and roles.positive is not None else set()
        return sort_classes({*truth.names, *named})
    strange = sorted(set(truth.names) - set(roles.classes))
    if strange:
        message = (
            f"The truth holds classes that were not declared: {listing(strange)}. Declared: "
            f"{listing(roles.classes)}. Declare all: "
            f"{switch_list('classes', [*roles.classes, *strange])}."
        )
        raise NotComparable(message, code="class-unknown")
    return roles.classes


def needs_digits(truth: Levels, holdings: Sequence[Holding], columns: Mapping[str, Column]) -> bool:
    """Tell whether some columns write true and false where others write 1 and 0."""
    kinds = {truth.column.kind}
    kinds |= {columns[h.columns[""]].kind for h in holdings if h.holds == "called"}
    return "boolean" in kinds and len(kinds) > 1 and kinds <= FLAGS_AND_DIGITS


def name_positive(
    roles: Roles, holdings: Sequence[Holding], classes: Sequence[str], truth: Levels | None
) -> str | None:
    """Give the positive class: the declared one, or true in a column of true and false."""
    if truth is None:
        return roles.positive
    if roles.positive is not None:
        return _spell(roles.positive, classes)
    if truth.column.kind == "boolean":
        return "1" if truth.digits else "true"
    scored = [holding.system for holding in holdings if holding.holds == "score"]
    if scored:
        example = switch("positive", likely_positive(classes) if classes else "CLASS")
        message = (
            f"Scores of {listing(scored)} are about one class, and none was named as the positive "
            f"one. Classes: {listing(classes)}. For example: {example}. It is never chosen by the "
            "alphabet."
        )
        raise RequestError(message, code="no-positive")
    return None


POSITIVES = frozenset(
    "1 true yes y t positive pos malignant abnormal attack spam fraud toxic sick disease genuine "
    "match target tar tgt bonafide bona-fide mated".split()
)


def likely_positive(classes: Sequence[str]) -> str:
    """Give the class that people usually mean, for an example: it is never taken by itself.

    >>> likely_positive(["GON+", "GON-"]), likely_positive(["ham", "spam"])
    ('GON+', 'spam')
    >>> likely_positive(["non-toxic", "toxic"]), likely_positive(["a", "b"])
    ('toxic', 'b')
    """
    said = [one for one in classes if one.casefold() in POSITIVES or one.endswith("+")]
    return said[0] if len(said) == 1 else classes[-1]


def _spell(positive: str, classes: Sequence[str]) -> str:
    """Give the class that was meant, also where only the case of its letters differs."""
    if positive in classes:
        return positive
    alike = [name for name in classes if name.casefold() == positive.casefold()]
    if len(alike) == 1:
        return alike[0]
    refused = RequestError.for_choice(name="positive", given=positive, choices=classes[:20])
    if "(--" in str(refused) or not classes:
        raise refused
    example = switch("positive", likely_positive(classes))
    message = f"{refused} For example: {example}."
    raise RequestError(message)


def refuse_true_numbers(finder: RowFinder, truth: Column) -> None:
    """Refuse a true quantity beside predictions of it, and say how errors are compared."""
    if truth.kind not in {"integer", "real"}:
        return
    called = [
        name for name in finder.origin.names if says_call(name) and name in finder.origin.columns
    ]
    numbers = [name for name in called if name != truth.name and _is_quantity(finder, name)]
    if not numbers or not _is_quantity(finder, truth.name):
        return
    files = finder.origin.files
    found = (
        f"{finder.where(truth)}: this is a true number of each item, and {listing(numbers)} "
        f"predict{'s' if len(numbers) == 1 else ''} it. Numbers are not right or wrong; how far "
        "off they are can be weighed."
    )
    if len(files) != 1 or not files[0].read_as.startswith(("CSV", "TSV")):
        message = f"{found} Pass the absolute error of each item as a column for each system."
        raise RolesUnclear(message, code="true-numbers")
    command = _errors_command(printable(files[0].name), truth.name, numbers)
    message = f"{found} Type: {command}"
    raise RolesUnclear(message, code="true-numbers")


def _is_quantity(finder: RowFinder, name: str) -> bool:
    """Tell numbers of which most are different."""
    number = f"TRY_CAST({quote_name(name)} AS DOUBLE)"
    ((rows, read, different),) = finder.origin.table.query(
        f"SELECT COUNT(*), COUNT(v), COUNT(DISTINCT v) FROM (SELECT {number} AS v FROM {{t}} "
        f"LIMIT {SAMPLE_ROWS}) AS sample"
    )
    return bool(
        read > HALF * rows and different > HALF * read and different > min(FEW, HALF * rows)
    )


def _errors_command(shown: str, truth: str, numbers: Sequence[str]) -> str:
    code = (
        f"import pandas as pd; d = pd.read_csv({shown!r}, sep=None, engine='python'); "
        f"d[{[*numbers]!r}].sub(d[{truth!r}], axis=0).abs()"
        ".to_csv('errors.csv', index_label='item')"
    )
    typed = quote(code) if {*code} & {*'"$`!\\'} else f'"{code}"'
    verb = "compare" if len(numbers) > 1 else "evaluate"
    return (
        f"python -c {typed} && steelyard {verb} errors.csv --value {quote(','.join(numbers))} "
        "--lower-is-better"
    )

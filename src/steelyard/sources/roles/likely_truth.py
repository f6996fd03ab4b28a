"""Where no name says what is true: what most likely does, or what else the columns may hold."""

import re
from collections.abc import Mapping, Sequence

from steelyard.engines.dialect import quote_name
from steelyard.errors import MOST_LISTED, RolesUnclear, listing, switch, switch_list
from steelyard.sources.faults import RowFinder
from steelyard.sources.roles.columns import SAMPLE_ROWS, VERDICTS, Column
from steelyard.sources.roles.declared import TRIES
from steelyard.sources.roles.holdings import add_up
from steelyard.sources.roles.name_words import (
    CALL_WORDS,
    DATA_SETS,
    TRUTH_WORDS,
    says_call,
    says_probability,
    says_truth,
    words,
)
from steelyard.sources.roles.proposals import (
    differs_in_every_row,
    is_system_name,
    is_thing,
    propose_holding,
    propose_single_role,
)
from steelyard.sources.roles.ranked import ask_about_ranks
from steelyard.sources.roles.truth import likely_positive
from steelyard.sources.roles.value_names import better_by_name

__all__ = ["offer_truth", "refuse_without_truth", "says_truth"]

RATERS = frozenset("reader rater annotator judge coder radiologist observer expert".split())

SPREAD, MEANS = {"std", "sd", "stdev", "stderr", "sem"}, {"mean", "avg", "average"}
"""Words in the names of columns that sum up the numbers of many items."""

MOST_CLASSES = 50
MOST_GRADES = 11
"""Steps of a scale of grades: 0 to 10 has as many."""

COMMON = 0.5
"""Of the values of two columns, classes both, at least so many are the same."""


LIKENESS = frozenset("distance score similarity rating".split())
"""Numbers by which a class is told, though a name says which way they are better."""

ERRORS = re.compile(
    r"(?i)(?:^|[_ .-])(?:err|errs|errors?|mistakes)$|^(?:err|errs|errors?|mistakes)[_ .-]"
)
SIZES = re.compile(r"(?i)(?:^|[_ .-])(?:words?|tokens?|chars?|characters?|n|total|length)$")
"""Columns of errors, and of what they are counted out of."""


def offer_truth(finder: RowFinder, single: Mapping[str, Column]) -> str:
    """Say which column may be the truth: one whose classes another column calls, too.

    A proposal and no more: nothing is taken before it was typed.
    """
    if finder.origin.present:  # gathered rows have one column for all systems
        return ""
    kinds = {"text", "integer", "boolean"}
    real = [name for name, column in single.items() if column.kind == "real"]
    odd = finder.count(*(single[name].no_class_sql() for name in real))
    whole = [name for name, fractions in zip(real, odd, strict=True) if not fractions]
    named = [name for name, one in single.items() if one.kind in kinds or name in whole]
    values = {name: found for name in named if (found := _values(finder, single[name]))}
    alike = [
        name
        for name, own in values.items()
        if any(_share(own, other) >= COMMON for of, other in values.items() if of != name)
    ]
    truths = [name for name in alike if says_truth(name)]
    if len(truths) > 1:
        return _one_label_at_a_time(truths, single)
    flags = all(values[name] <= VERDICTS for name in alike)
    said = truths or any(words(name) & CALL_WORDS for name in alike)
    numbers = all(single[name].kind in {"integer", "real"} for name in alike)
    called = [name for name in alike if says_call(name) or propose_holding(name) == "called"]
    true = [name for name in alike if name not in called and propose_holding(name) is None]
    if len(alike) < 2 or (flags and not truths and not (called and true)):
        return ""
    if numbers and not said:
        return ""
    if all(words(name) & RATERS for name in alike):
        message = (
            f"No column says what is true. {listing(alike)} look like raters: use agreement for "
            "how far they agree. If one of them is the truth, or the truth stands in a file of its "
            f"own, name it: {switch('truth', 'COLUMN')}."
        )
        raise RolesUnclear(message, code="raters-alone")
    if all(map(says_call, alike)):
        return ""
    calls = [name for name in alike if says_call(name)]
    likely = truths or [name for name in alike if not words(name) & CALL_WORDS] or alike
    first = _most_agreed(finder, likely, calls)
    return (
        f" {listing(alike)} have the same values: if {first!r} is the truth, "
        f"{switch('truth', first)}; if all of them are raters, use agreement."
    )


def _most_agreed(finder: RowFinder, names: Sequence[str], calls: Sequence[str]) -> str:
    """Give the column that predictions agree with most often, for an example."""
    if not calls or len(names) == 1:
        return names[0]
    agreed = finder.count(
        *(f"({quote_name(name)} = {quote_name(calls[0])})" for name in names if name != calls[0])
    )
    likely = [name for name in names if name != calls[0]]
    return max(zip(agreed, likely, strict=True), key=lambda one: one[0])[1] if likely else names[0]


def _one_label_at_a_time(truths: list[str], single: Mapping[str, Column]) -> str:
    """Say how one of several labels is judged: its truth, and the answers called after it."""
    first = truths[0]
    rest = words(first) - TRUTH_WORDS
    answers = [n for n in single if n not in truths and words(n) - CALL_WORDS == rest]
    if not answers:
        return ""
    named = f"{switch('truth', first)} and {switch_list('systems', answers)}"
    more = f", {switch('positive', '1')}" if single[answers[0]].kind == "real" else ""
    return (
        f" {listing(truths)} may be the truth of a label each. One label at a time: {named}{more}."
    )


def _values(finder: RowFinder, column: Column) -> set[str]:
    """Give the different values of a column, where they are as few as classes are."""
    sample = f"(SELECT {quote_name(column.name)} FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample"
    rows = finder.origin.table.query(
        f"SELECT DISTINCT {column.label_sql()} FROM {sample} LIMIT {MOST_CLASSES + 2}"
    )
    found = {str(value).strip().casefold() for (value,) in rows if value is not None}
    return found if 2 <= len(found) <= MOST_CLASSES else set()


def _own_column(system: str, column: Column) -> str:
    """Name the column of the file that holds a system; that of gathered rows is in its title."""
    parts = column.title.split("'")
    return parts[1] if len(parts) > 3 else system


def _share(one: set[str], two: set[str]) -> float:
    return len(one & two) / max(len(one), len(two))


def refuse_without_truth(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
) -> None:
    """Refuse answers that nothing says the truth of, and offer what the columns may hold."""
    ask_about_ranks(finder, systems, columns)
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    elsewhere = f"a file of its own with its column: {switch('truth', 'answers.csv:COLUMN')}"
    if len(finder.origin.files) > 1:
        message = (
            f"No column says what is true.{_offer_number(single)} If the truth stands in "
            f"{elsewhere}. If a column says it, name it: {switch('truth', 'COLUMN')}."
        )
        raise RolesUnclear(message, code="no-truth")
    said = _offer_errors(single) or offer_truth(finder, single)
    said = said or _offer_scored(finder, single) or _offer_verdicts(finder, single)
    said = said or _offer_value(finder, single)
    name = "another does" if "(--truth" in said else "a column does"
    message = (
        f"No column says what is true.{said} If {name}, name it: "
        f"{switch('truth', 'COLUMN')}; {elsewhere}."
    )
    raise RolesUnclear(message, code="no-truth")


def _offer_scored(finder: RowFinder, single: Mapping[str, Column]) -> str:
    """Say that the only column of two values may be the truth of those that may be scores."""
    flags = [
        name
        for name, column in single.items()
        if column.kind in {"integer", "boolean", "text"}
        and not says_call(name)
        and propose_holding(name) is None
        and len(_values(finder, column)) == 2
    ]
    real = [n for n, column in single.items() if column.kind == "real" and not _grades(n)]
    asked = [f"({n} < 0 OR {n} > 1)" for n in (single[name].number_sql() for name in real)]
    beyond = finder.count(*asked) if real else ()
    scores = [name for name, odd in zip(real, beyond, strict=True) if not odd]
    if len(flags) != 1 or not scores:
        return ""
    values = sorted(_values(finder, single[flags[0]]))
    positive = likely_positive(values)
    if all((better_by_name([name]) or ("",))[0] == "lower" for name in scores):  # distances
        positive = next(one for one in values if one != positive)
    return (
        f" If {flags[0]!r} is what {listing(scores)} {'is' if len(scores) == 1 else 'are'} a score "
        f"of: {switch('truth', flags[0])} and {switch('positive', positive)}."
    )


def _offer_verdicts(finder: RowFinder, single: Mapping[str, Column]) -> str:
    """Say how columns of 1 and 0, with both among them, are declared as right and wrong."""
    kinds = {"boolean", "integer", "text"}
    flags = {n: c for n, c in single.items() if c.kind in kinds}
    flags = {n: c for n, c in flags.items() if not says_truth(n) and not says_call(n)}
    asked = []
    for column in flags.values():
        asked.append(f"(NOT {column.no_outcome_sql()} AND {column.outcome_sql()} IS NULL)")
        asked += [f"({column.outcome_sql()})", f"(NOT {column.outcome_sql()})"]
    counts = finder.count(*asked)
    triples = zip(flags, counts[::3], counts[1::3], counts[2::3], strict=True)
    told = [(name, right and wrong) for name, odd, right, wrong in triples if not odd]
    if not any(both for _, both in told):  # a column of ones alone is something else
        return ""
    verdicts = list(dict.fromkeys(_own_column(name, single[name]) for name, _ in told))
    named = listing(verdicts, room=MOST_LISTED)
    return f" If {named} say right and wrong (1, 0): {_say('outcome', verdicts)}."


def _say(role: str, names: Sequence[str]) -> str:
    """Spell one column of a role, or several."""
    return switch(role, names[0]) if len(names) == 1 else switch_list(role, names)


def _offer_errors(single: Mapping[str, Column]) -> str:
    """Say how columns of errors are declared beside the one that says out of how many."""
    numbers = [name for name, column in single.items() if column.kind in {"integer", "real"}]
    errors = [name for name in numbers if ERRORS.search(name)]
    others = [name for name in numbers if name not in errors]
    sizes = [name for name in others if SIZES.search(name)]
    others = sizes if len(sizes) == 1 else others
    if not errors or len(others) != 1:
        return ""
    return (
        f" If systems made errors in so many {others[0]}: {_say('errors', errors)} and "
        f"{switch('per', others[0])}."
    )


def _is_no_value(name: str) -> bool:
    """Tell predictions, and how likely they are: good or bad only beside what is true."""
    return says_call(name) or (says_probability(name) and words(name) != {"score"})


def _offer_value(finder: RowFinder, single: Mapping[str, Column]) -> str:
    """Say how columns of numbers are declared that are good or bad in themselves."""
    if any(map(says_call, single)):  # answers, and how likely they are
        return ""
    numbers = [
        name
        for name, column in single.items()
        if column.kind in {"integer", "real"} and not _is_no_value(name)
    ]
    if len(numbers) > 1 and any(_names_each_row(finder, name) for name in finder.origin.names):
        return (
            " If each row is a data set, with a result of each system, compare takes it: "
            f"{switch('layout', 'datasets')}."
        )
    numbers = _without_counters(finder, {name: single[name] for name in numbers})
    texts = [name for name, column in single.items() if column.kind == "text"]
    if not all(map(is_thing, texts)) and not _one_scale(finder, single, numbers):
        # The numbers may be anything.
        numbers = [name for name in numbers if propose_holding(name) == "score" or _measures(name)]
    # The numbers of gathered rows stand in one column, which is named in their titles.
    numbers = list(dict.fromkeys(_own_column(name, single[name]) for name in numbers))
    if not numbers or (said := _are_no_values(finder, single, numbers)):
        return said if numbers else ""
    whose = [name for name in finder.origin.names if name in single and is_system_name(name)]
    if whose:  # rows of several systems, whose items come again
        numbers = [name for name in numbers if name not in whose]
        numbers = _alike(numbers)[:1]
        return (
            f" If {numbers[0]!r} is a number for each item (a grade, a latency, a cost) and "
            f"{whose[0]!r} says whose: {switch('value', numbers[0])} and "
            f"{switch('system', whose[0])}."
        )
    alike = _alike(numbers)
    others = [name for name in numbers if name not in alike]
    rest = f" {listing(others, room=MOST_LISTED)} hold something else, it seems." if others else ""
    return (
        f" If {'these' if others else 'they'} hold a number for each item (a grade, a latency, a "
        f"cost), say so: {_say('value', alike)}.{rest}"
    )


def _one_scale(finder: RowFinder, single: Mapping[str, Column], numbers: Sequence[str]) -> bool:
    """Tell whole numbers that all stand on one scale of a few steps, as grades do."""
    steps = [_values(finder, single[name]) for name in numbers if single[name].kind == "integer"]
    return (
        1 < len(steps) == len(numbers)
        and all(2 < len(own) <= MOST_GRADES for own in steps)
        and all(_share(steps[0], own) >= COMMON for own in steps)
    )


def _without_counters(finder: RowFinder, numbers: Mapping[str, Column]) -> list[str]:
    """Leave out what numbers the rows, or the tries of an item, beside numbers that do not."""
    whole = [n for n, column in numbers.items() if column.kind == "integer"]
    own = {n for n in whole if n in finder.origin.columns}
    counts = {n for n in own if TRIES.fullmatch(n) or differs_in_every_row(finder.origin, n)}
    left = [name for name in numbers if name not in counts]
    return left if any(numbers[name].kind == "real" for name in left) else list(numbers)


def _are_no_values(finder: RowFinder, single: Mapping[str, Column], numbers: Sequence[str]) -> str:
    """Say of means and deviations, and of probabilities of classes, that they are no values."""
    spread = [name for name in single if words(name) & SPREAD]
    if spread and any(words(name) & MEANS for name in single):
        return f" {listing(spread)} and their means sum up numbers: pass those of every item."
    if len(numbers) > 1 and not finder.origin.present and add_up(finder, numbers):
        return f" {listing(numbers)} add up to 1 in every row, as probabilities of classes do."
    return ""


def _offer_number(single: Mapping[str, Column]) -> str:
    """Say how a number of each item is declared that every file has, a system in each."""
    numbers = {
        _own_column(name, column): None
        for name, column in single.items()
        if column.kind in {"integer", "real"} and not _is_no_value(name)
    }
    named = [name for name in numbers if propose_single_role(name) is None]
    likely = [name for name in named if _measures(name)] or (named if len(named) == 1 else [])
    if not likely:
        return ""
    return (
        f" If {likely[0]!r} is a number for each item (a grade, a latency, a cost): "
        f"{switch('value', likely[0])}."
    )


def _names_each_row(finder: RowFinder, name: str) -> bool:
    """Tell a column that names data sets, each in a row of its own."""
    if not DATA_SETS.fullmatch(name):
        return False
    column = quote_name(name)
    sql = f"SELECT COUNT(*), COUNT(DISTINCT {column}) FROM {{t}}"
    ((rows, different),) = finder.origin.table.query(sql)
    return bool(rows == different)


def _measures(name: str) -> bool:
    """Tell a name that says what a number measures: a grade, a latency."""
    return better_by_name([name]) is not None


def _grades(name: str) -> bool:
    """Tell a number that says how good an answer was, and not how likely a class is.

    >>> _grades("YT_WER"), _grades("distance"), _grades("cnn_score"), _grades("cnn")
    (True, False, False, False)
    """
    known = better_by_name([name])
    return known is not None and known[1] not in LIKENESS


def _alike(names: Sequence[str]) -> list[str]:
    """Take those that measure one thing, by their names: the most, of as many the better.

    >>> _alike(["a.ms", "b.ms", "a.grade", "b.grade"]), _alike(["cnn", "svm"])
    (['a.grade', 'b.grade'], ['cnn', 'svm'])
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        groups.setdefault(better_by_name([name]) or ("", ""), []).append(name)
    rank = {"higher": 2, "lower": 1, "": 0}
    return max(groups.items(), key=lambda one: (len(one[1]), rank[one[0][0]]))[1]

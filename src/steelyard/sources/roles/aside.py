"""Columns that look like no system's answers: told by name and values, left aside and named."""

import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from typing import cast

from steelyard.engines.dialect import quote_literal
from steelyard.errors import RolesUnclear, listing, printable, switch, switch_list
from steelyard.sources.faults import RowFinder, offer_places
from steelyard.sources.origins import Origin
from steelyard.sources.roles.columns import SAMPLE_ROWS, VERDICTS, Column
from steelyard.sources.roles.name_words import (
    is_copy,
    says_call,
    says_certainty,
    says_probability,
    says_what_kind,
    words,
)
from steelyard.sources.roles.proposals import (
    ID_NAME,
    PREDICTED,
    differs_in_every_row,
    is_system_name,
    is_thing,
    propose_holding,
)

__all__ = ["find_aside", "find_no_verdicts", "say_certainties"]

QUANTITIES = frozenset(
    "hours hour minutes seconds sec ms duration time timestamp latency weight weights age price"
    " cost distance length width height size area volume depth temperature lat lon latitude"
    " longitude speed exposure amount income".split()
)
"""Words for what is measured of an item; beside answers, numbers called so are no scores."""

UNITS = frozenset("hours hour minutes seconds sec ms lat lon".split())
"""These say what is measured at an end of a name; within one they are a part of a model's name."""

CERTAINTY = "certainty"
"""What numbers look like that say how sure a call is."""

CLOSE = 1e-3
"""Probabilities were rounded."""

FEW = 50
"""More different values than this are no classes that somebody forgot to declare."""

HALF = 0.5
"""A column of calls names a true class in at least so many of its rows."""


def find_aside(
    finder: RowFinder,
    systems: Mapping[str, Mapping[str, str]],
    columns: Mapping[str, Column],
    classes: Sequence[str],
    *,
    truth: Column,
    positive: str | None,
    needs_positive: bool,
) -> dict[str, str]:
    """Find the columns that look like neither calls nor scores, each with what it looks like.

    A column of calls names a true class in at least half of the first rows. Where some columns
    are called as answers usually are, other columns of numbers are features, not scores. Beside
    calls so are numbers beyond 0 and 1 or called as what is measured of items; where no positive
    class was named (``needs_positive``), also scores of one among many classes.
    """
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    scores = {name for name, column in single.items() if _is_named_score(name, column)}
    named = {name for name in single if propose_holding(name)}
    aside = {}
    calls = []
    for name, column in single.items():
        if column.kind in {"text", "integer", "boolean"} and name not in scores:
            calls.append(name)
        elif odd := _no_number(finder, named, name, column, classes):
            aside[name] = odd
    among = len(systems) - len(aside)
    aside |= _no_calls(finder, {name: single[name] for name in calls}, classes, among)
    _refuse_other_writing(finder, truth, single, classes, aside)
    aside |= _no_answers_beside(single, calls, aside, classes=classes, among=len(systems))
    real = [name for name, column in single.items() if column.kind == "real"]
    quantities = [n for n in real if n not in scores and n not in aside and _is_quantity(n)]
    if len(quantities) < len(systems) - len(aside):
        aside |= dict.fromkeys(quantities, "numbers")
    aside |= _copies(finder, truth, {n: single[n] for n in calls if n not in aside})
    answers = [name for name in systems if name not in aside and name not in single]
    answers += [name for name in calls if name not in aside]
    if not answers:
        return aside
    numbers = {n: single[n] for n in dict.fromkeys([*real, *scores]) if n not in aside}
    called = [single[name] for name in calls if name not in aside]
    aside |= _certainties(finder, numbers, called, classes, positive)
    numbers = {name: column for name, column in numbers.items() if name not in aside}
    if needs_positive and len(classes) > 2:
        # A score speaks for one class, and which of them nobody said.
        return aside | dict.fromkeys(numbers, "numbers")
    free = {name: column for name, column in numbers.items() if name not in scores}
    features, likely = _no_scores(finder, free)
    if likely and needs_positive:
        raise _ask_about_scores(finder.origin, answers, likely, classes)
    # Of margins alone nobody can say that they are none, where a positive class was named.
    return aside | (dict.fromkeys(features, "numbers") if likely or needs_positive else {})


def _copies(finder: RowFinder, truth: Column, calls: Mapping[str, Column]) -> dict[str, str]:
    """Find the truth once more, by a name that says so and the same value in every row."""
    named = [name for name in calls if is_copy(name, truth.name)]
    same = [f"({truth.label_sql()} IS DISTINCT FROM {calls[name].label_sql()})" for name in named]
    differ = finder.count(*same) if named else ()
    return {name: "the truth once more" for name, n in zip(named, differ, strict=True) if not n}


def _refuse_other_writing(
    finder: RowFinder,
    truth: Column,
    single: Mapping[str, Column],
    classes: Sequence[str],
    aside: Mapping[str, str],
) -> None:
    """Refuse predictions that never name a true class where nothing else is called one."""
    named = [n for n in single if says_call(n) or propose_holding(n) == "called"]
    whole = [name for name, column in single.items() if column.kind in {"integer", "boolean"}]
    if not named or not all(aside.get(name, "").startswith("never") for name in named):
        return
    if any(name not in aside for name in single if name not in whole):
        return
    places = offer_places(finder, truth, single[named[0]], classes)
    real = [n for n, one in single.items() if one.kind == "real" and not says_probability(n)]
    flags = [name for name, one in single.items() if one.kind == "boolean"]
    grades = f" For the numbers of each item: {switch_list('value', real)}." if real else ""
    if flags:
        grades = f" If {flags[0]!r} says right and wrong: {switch('outcome', flags[0])}."
    message = (
        f"{printable(finder.origin.name)}: {listing(named)} never "
        f"{'name' if len(named) > 1 else 'names'} a true class ({listing(classes, most=4)}). "
        f"{places}{'Else w' if places else 'W'}rite what is true and what was called alike, "
        f"or name the truth, {switch('truth', 'COLUMN')}, or the systems, "
        f"{switch('systems', 'NAMES')}.{grades}"
    )
    raise RolesUnclear(message, code="no-systems")


def _no_answers_beside(
    single: Mapping[str, Column],
    calls: Sequence[str],
    aside: Mapping[str, str],
    *,
    classes: Sequence[str],
    among: int,
) -> dict[str, str]:
    """Find, beside answers, what only describes an item, verdicts on answers, and features."""
    found: dict[str, str] = {}
    for what, others in (
        ("what an item is like", [name for name in calls if says_what_kind(name)]),
        ("a verdict", [name for name in calls if _is_verdict(name, single[name], classes)]),
        ("an id", _ids_beside(single, calls)),
        ("numbers", _other_writing(single, calls, classes)),
        ("as it was written", [name for name in calls if "raw" in words(name)]),
        ("numbers", _features_beside(single, calls, aside)),
    ):
        left = [name for name in others if name not in aside and name not in found]
        if len(left) < among - len(aside) - len(found):
            found |= dict.fromkeys(left, what)
    return found


def _ids_beside(single: Mapping[str, Column], calls: Sequence[str]) -> list[str]:
    """Find whole numbers that are called ids or places, beside what is called a prediction."""
    if not any(map(says_call, calls)):
        return []
    ids = [name for name in calls if ID_NAME.search(name) and not says_call(name)]
    return [name for name in ids if single[name].kind == "integer"]


def _other_writing(
    single: Mapping[str, Column], calls: Sequence[str], classes: Sequence[str]
) -> list[str]:
    """Find 1 and 0 that no name calls answers, beside a prediction written as the truth is."""
    if any(one.lstrip("-").isdigit() for one in classes):
        return []
    named = [name for name in calls if says_call(name) or propose_holding(name)]
    if not any(single[name].kind == "text" for name in named):
        return []
    return [name for name in calls if single[name].kind == "integer" and name not in named]


def _is_verdict(name: str, column: Column, classes: Sequence[str]) -> bool:
    """Tell a verdict on an answer: ``correct``, or ``base_correct`` of true and false.

    A column of classes in words is a system, even one that somebody called ``right``.
    """
    if column.kind == "text" and not {one.casefold() for one in classes} <= VERDICTS:
        return False
    flag = column.kind == "boolean" and bool(words(name) & {"correct", "right", "passed"})
    return flag or propose_holding(name) == "outcome"


def _features_beside(
    single: Mapping[str, Column], calls: Sequence[str], aside: Collection[str]
) -> list[str]:
    """Find whole numbers that no name calls answers, among features and beside a prediction."""
    named = [n for n in calls if n not in aside and (says_call(n) or propose_holding(n))]
    numbers = {name for name, column in single.items() if column.kind in {"integer", "real"}}
    features = {n for n in numbers if n in aside or single[n].kind == "real"}
    said = (ID_NAME.search, is_thing, says_call, says_probability, propose_holding)
    if not named or all(any(one(name) for one in said) for name in features):
        return []
    return [n for n in calls if single[n].kind in {"integer", "boolean"} and n not in named]


def _no_number(
    finder: RowFinder,
    named: Collection[str],
    name: str,
    column: Column,
    classes: Sequence[str],
) -> str:
    """Say what a column of numbers, lists or objects is, if it can be no system's scores."""
    feature = column.kind == "real" and named and name not in named and not says_probability(name)
    if feature and not _is_whole_call(finder, name, column, classes):
        return "numbers"
    return _no_vector(finder, column)


def _is_whole_call(finder: RowFinder, name: str, column: Column, classes: Sequence[str]) -> bool:
    """Tell calls written as 1.0 and 0.0, by their values and a word of their name."""
    if not PREDICTED.search(name) or not 0 < len(classes) <= FEW:
        return False
    known = ", ".join(quote_literal(one) for one in classes)
    (odd,) = finder.count(f"({column.no_class_sql()} OR {column.label_sql()} NOT IN ({known}))")
    return not odd


def _no_vector(finder: RowFinder, column: Column) -> str:
    """Tell lists and objects that hold no numbers, one for each class."""
    if column.kind not in {"list", "struct"}:
        return "values" if column.kind == "other" else ""
    rows = finder.origin.table.query(
        f"SELECT {column.sql} FROM {{t}} WHERE {column.sql} IS NOT NULL LIMIT 1"
    )
    held = rows[0][0] if rows else []
    if all(_may_be_number(one) for one in (held.values() if isinstance(held, dict) else held)):
        return ""
    return "lists" if column.kind == "list" else "objects"


def _may_be_number(value: object) -> bool:
    """Tell a number, also one that is kept as text for the sake of its digits."""
    try:
        float(str(value)) if isinstance(value, str) else None
    except ValueError:
        return False
    return not isinstance(value, bytes | dict | list)


def _no_scores(
    finder: RowFinder, numbers: Mapping[str, Column]
) -> tuple[Sequence[str], Sequence[str]]:
    """Tell numbers that are no probabilities from those that may be."""
    tested = [column.number_sql() for column in numbers.values()]
    counts = finder.count(*(f"({number} < 0 OR {number} > 1)" for number in tested))
    likely = [name for name, beyond in zip(numbers, counts, strict=True) if not beyond]
    return [name for name in numbers if name not in likely], likely


def _is_quantity(name: str) -> bool:
    """Tell what is measured of an item, by a word of its name.

    Examples
    --------
    >>> _is_quantity("sepal length (cm)"), _is_quantity("t_ms"), _is_quantity("swin_192.ms_in1k")
    (True, True, False)
    """
    parts = re.split(r"[\W_]+", name.casefold())
    ends = {parts[0], next((part for part in reversed(parts) if part), "")}
    return bool((QUANTITIES - UNITS) & {*parts} or UNITS & ends)


def _ask_about_scores(
    origin: Origin, answers: Sequence[str], likely: Sequence[str], classes: Sequence[str]
) -> RolesUnclear:
    message = (
        f"{printable(origin.name)}: {listing(answers)} give answers; does {listing(likely)} give "
        f"scores, or something else? Name the systems: {switch_list('systems', answers)}. With "
        "scores, also name the class that high scores indicate: "
        f"{switch_list('systems', [*answers, *likely])} and {switch('positive', classes[-1])}."
    )
    return RolesUnclear(message, code="score-unclear")


def _are_parted(finder: RowFinder, number: str, call: Column) -> bool:
    """Tell whether a call is made by a limit on a number: whatever is above it is one class."""
    label = call.label_sql()
    sides = finder.origin.table.query(
        f"SELECT MIN({number}), MAX({number}) FROM {{t}} WHERE {label} IS NOT NULL GROUP BY {label}"
    )
    ordered = sorted((low, high) for low, high in sides if low is not None)
    return all(one[1] <= two[0] for one, two in itertools.pairwise(ordered))


def say_certainties(aside: Mapping[str, str]) -> tuple[str, ...]:
    """Say of numbers that say how sure a call is what they can be asked."""
    return tuple(
        f"{name} says how sure the calls are, whatever was called, and is not a score of one "
        f"class; for risk and coverage: {switch('certainty', name)}"
        for name, what in aside.items()
        if what == CERTAINTY
    )


def _certainties(
    finder: RowFinder,
    numbers: Mapping[str, Column],
    calls: Sequence[Column],
    classes: Sequence[str],
    positive: str | None,
) -> dict[str, str]:
    """Find numbers that say how sure a call is, whatever was called: no scores of one class.

    The probability of one class of two is below 1/2 where the other is called. Of k classes, the
    most likely one has 1/k at least, and no other class than it has more than 1/2.
    """
    if not classes or not calls or not numbers or (len(classes) > 2 and positive is None):
        return {}
    found = {}
    for name, column in numbers.items():
        number, floor = column.number_sql(), 1 / len(classes) - CLOSE
        (beyond,) = finder.count(f"({number} < {floor} OR {number} > 1)")
        if says_certainty(name) and len(classes) == 2:
            if not any(_are_parted(finder, number, call) for call in calls):
                found[name] = CERTAINTY
            continue
        for call in calls if not beyond else ():
            label = call.label_sql()
            if len(classes) == 2:
                ((kinds,),) = finder.origin.table.query(
                    f"SELECT COUNT(DISTINCT {label}) FROM {{t}} WHERE {number} IS NOT NULL"
                )
                sure = kinds > 1
            else:
                other = f"{label} <> {quote_literal(str(positive))}"
                rows, high = finder.count(f"({other})", f"({other} AND {number} > {HALF})")
                sure = high > HALF * rows
            if sure:
                found[name] = CERTAINTY
    return found


def find_no_verdicts(
    origin: Origin, systems: Mapping[str, Mapping[str, str]], columns: Mapping[str, Column]
) -> dict[str, str]:
    """Find, where nothing says what is true, the columns that are no verdicts beside some that are.

    Verdicts are true and false, or are called so. A column of ids among the others whose values
    come again is asked about: answers to one item are no independent ones.
    """
    single = {name: columns[named[""]] for name, named in systems.items() if "" in named}
    told = {name for name in single if propose_holding(name) == "outcome"}
    if not told and any(map(says_call, single)):
        return {}  # calls without a truth; what is true and false beside them is a feature
    verdicts = told | {name for name, column in single.items() if column.kind == "boolean"}
    if not verdicts:
        return {}
    aside = {name: "no verdict" for name in systems if name not in verdicts}
    whose = next((name for name in aside if is_system_name(name)), None)
    if whose is not None and not differs_in_every_row(origin, whose):
        items = [n for n in origin.columns if ID_NAME.search(n) or is_thing(n)]
        named = f" and {switch('item', items[0])}" if items else ""
        message = (
            f"{printable(origin.name)}: {whose!r} may say whose verdict a row is: "
            f"{switch('system', whose)}{named}. If it is something else, name the systems: "
            f"{switch_list('systems', sorted(verdicts))}."
        )
        raise RolesUnclear(message, code="whose-verdicts")
    again = next((name for name in aside if ID_NAME.search(name)), None)
    if again is not None:
        message = (
            f"{printable(origin.name)}: the values of {again!r} repeat. What repeats? Several "
            f"tries of an item: {switch('cluster', again)}, which counts them all and knows that "
            "they belong together. If it names no items, name the systems: "
            f"{switch_list('systems', sorted(verdicts))}."
        )
        raise RolesUnclear(message, code="duplicate-id")
    return aside


def _is_named_score(name: str, column: Column) -> bool:
    if says_probability(name) and column.kind == "real":
        return True
    return propose_holding(name) == "score" and column.kind in {"integer", "real"}


def _no_calls(
    finder: RowFinder, calls: Mapping[str, Column], classes: Sequence[str], among: int
) -> dict[str, str]:
    if not calls or not classes:
        return {}
    from steelyard.sources.roles.spellings import alike_words

    known = ", ".join(quote_literal(name) for name in sorted(alike_words(classes)))
    names = ", ".join(dict.fromkeys(column.sql for column in calls.values()))
    sample = f"FROM (SELECT {names} FROM {{t}} LIMIT {SAMPLE_ROWS}) AS sample"
    counts = ", ".join(
        f"COUNT(CASE WHEN LOWER(TRIM({column.label_sql()})) IN ({known}) THEN 1 END), "
        f"COUNT({column.label_sql()})"
        for column in calls.values()
    )
    (row,) = finder.origin.table.query(f"SELECT {counts} {sample}")
    numbers = cast("Sequence[int]", row)
    aside = {
        name: ("hardly ever" if right else "never") + " a true class" if filled else "empty"
        for name, right, filled in zip(calls, numbers[::2], numbers[1::2], strict=True)
        if right < HALF * filled or (not filled and propose_holding(name) != "called")
    }
    if len(aside) < among:
        return aside
    # Nothing else is there: a column of few values is a system that calls other classes.
    # One column at a time: counting what is different takes a hash table for each, and hundreds
    # of them in one statement take gigabytes.
    different = {
        name: finder.origin.table.query(
            f"SELECT COUNT(DISTINCT {calls[name].label_sql()}) {sample}"
        )[0][0]
        for name in aside
    }
    if len(classes) > FEW:  # answers in words of their own
        return aside
    few = [name for name, values in different.items() if values <= FEW]
    likely = [name for name in few if different[name] > 1 or propose_holding(name) == "called"]
    return {name: what for name, what in aside.items() if name not in (likely or few)}

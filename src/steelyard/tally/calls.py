"""Rows become counts of calls: confusion tables, right or wrong, joint calls, ratings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from steelyard.counts import Confusion, Grouped, JointCalls, Outcomes, Trials
from steelyard.counts.weights import WeightSums
from steelyard.engines.dialect import quote_literal, quote_real
from steelyard.errors import CountsError, NotComparable, switch
from steelyard.sources.predictions import NO_ANSWER, TIED, Predictions, SplitRole, System

__all__ = [
    "WHOLE",
    "WORD",
    "Counted",
    "build_confusion",
    "build_outcomes",
    "calling_systems",
    "check_complete",
    "choose_systems",
    "confusion_keys",
    "count_by",
    "outcome_words",
    "rest_of",
    "tally_confusion",
    "tally_confusion_by",
    "tally_joint_calls",
    "tally_joint_calls_by",
    "tally_outcomes",
    "tally_outcomes_by",
    "tally_ratings",
    "tally_sequence",
    "tally_trials",
    "tally_trials_by",
]

WHOLE = ""
"""The name of the only part when the rows are not split."""

Key = tuple[Any, ...]
Table = TypeVar("Table", Confusion, Outcomes, JointCalls)


@dataclass(slots=True)
class Counted:
    """Rows, and sums of weights where there are weights, by key."""

    rows: dict[Key, int] = field(default_factory=dict)
    weights: dict[Key, WeightSums] | None = None

    @property
    def total(self) -> int:
        """Rows counted."""
        return sum(self.rows.values())


def count_by(
    predictions: Predictions,
    keys: Sequence[str],
    *,
    systems: Sequence[System],
    split: SplitRole | None = None,
) -> dict[str, Counted]:
    """Count the rows that all the given systems answered, by the value of some expressions.

    Runs as one portable ``SELECT … COUNT(*) … GROUP BY``; the order of rows and of shards leaves
    no trace. Gives the parts by name, or one part named ``WHOLE``.
    """
    part = f"{predictions.split_column(split)}" if split else "''"
    asked = [f"{part} AS part", *(f"{sql} AS k{place}" for place, sql in enumerate(keys))]
    names = ["part", *(f"k{place}" for place in range(len(keys)))]
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    carried = ", w, w2" if predictions.weighted else ""
    sums = ", SUM(CAST(w AS HUGEINT)), SUM(w2)" if predictions.weighted else ""
    rows = predictions.table.query(
        f"SELECT {', '.join(names)}, COUNT(*){sums} FROM "
        f"(SELECT {', '.join(asked)}{carried} FROM {{t}} WHERE {answered}) AS keyed "
        f"GROUP BY {', '.join(names)}"
    )
    parts: dict[str, Counted] = {}
    width = len(keys)
    for name, *values in rows:
        counted = parts.setdefault(name, Counted(weights={} if predictions.weighted else None))
        key = tuple(values[:width])
        counted.rows[key] = int(values[width])
        if counted.weights is not None:
            counted.weights[key] = WeightSums(int(values[width + 1]), int(values[width + 2]))
    return parts


def count_whole(
    predictions: Predictions, keys: Sequence[str], systems: Sequence[System]
) -> Counted:
    """Count the rows that systems answered, and see that none is lost."""
    counted = count_by(predictions, keys, systems=systems).get(WHOLE, Counted())
    check_complete(predictions, systems, counted.total)
    return counted


def count_parts(
    predictions: Predictions,
    keys: Sequence[str],
    systems: Sequence[System],
    role: SplitRole,
    build: Callable[[Predictions, Sequence[System], Counted], Table],
) -> Grouped[Table]:
    """Count each cluster, group or fold apart, see that no row is lost, and build the counts."""
    parts = count_by(predictions, keys, systems=systems, split=role)
    check_complete(predictions, systems, sum(counted.total for counted in parts.values()))
    return Grouped.from_parts(
        role, {name: build(predictions, systems, counted) for name, counted in parts.items()}
    )


def check_complete(predictions: Predictions, systems: Sequence[System], counted: int) -> None:
    """Raise when rows are neither counted nor named as excluded."""
    if predictions.pairing == "independent":
        return
    if len(systems) == 1:
        left_out = sum(e.rows for e in predictions.excluded if e.system == systems[0].name)
        expected = predictions.rows - left_out
    else:
        answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
        query = f"SELECT COUNT(CASE WHEN {answered} THEN 1 END) FROM {{t}}"
        (expected,) = predictions.table.query(query)[0]
    _refuse_lost(expected, counted)


def _refuse_lost(expected: int, counted: int) -> None:
    if counted != expected:
        message = (
            f"{expected} rows should have been counted and {counted} were. This is a fault of "
            "Steelyard, not of your data: no answer is given."
        )
        raise CountsError(message, code="rows-lost")


def tally_confusion(predictions: Predictions, system: System) -> Confusion:
    """Count what one system called, against the truth."""
    counted = count_whole(predictions, confusion_keys(predictions, system), [system])
    return build_confusion(predictions, [system], counted)


def tally_confusion_by(
    predictions: Predictions, system: System, role: SplitRole
) -> Grouped[Confusion]:
    """Count what one system called, for each cluster, group or fold apart."""
    keys = confusion_keys(predictions, system)
    return count_parts(predictions, keys, [system], role, build_confusion)


def confusion_keys(predictions: Predictions, system: System) -> list[str]:
    """Write what rows are counted by: the truth, and what the system called."""
    if system.holds == "outcome" or not predictions.classes:
        message = (
            f"{system.name} holds right and wrong, so it is not known what was called. A confusion "
            "table needs the called classes."
        )
        raise NotComparable(message, code="no-calls")
    if system.holds != "score":
        return ["truth", system.column]
    if system.threshold is None:
        message = (
            f"{system.name} gives scores; a confusion table needs a threshold: "
            f"{switch('threshold', '0.5')}."
        )
        raise NotComparable(message, code="no-threshold")
    threshold = quote_real(system.threshold)
    positive, rest = quote_literal(str(predictions.positive)), quote_literal(rest_of(predictions))
    return [
        f"CASE WHEN positive THEN {positive} ELSE {rest} END",
        f"CASE WHEN {system.column} >= {threshold} THEN {positive} ELSE {rest} END",
    ]


def rest_of(predictions: Predictions) -> str:
    """Name everything that is not the positive class."""
    others = [name for name in predictions.classes if name != predictions.positive]
    return others[0] if len(others) == 1 else f"not {predictions.positive}"


def build_confusion(
    predictions: Predictions, systems: Sequence[System], counted: Counted
) -> Confusion:
    """Build the table of one system from rows counted by truth and called class."""
    (system,) = systems
    if system.holds == "score":
        classes = [rest_of(predictions), str(predictions.positive)]
    else:
        called = {called for _, called in counted.rows}
        classes = [*predictions.classes, *(n for n in (NO_ANSWER, TIED) if n in called)]
    return Confusion.from_cells(
        {(truth, called): rows for (truth, called), rows in counted.rows.items()},
        classes=classes,
        weights=None
        if counted.weights is None
        else {(truth, called): sums for (truth, called), sums in counted.weights.items()},
        excluded=predictions.exclusions_for([system]),
    )


WORD = 60
"""Outcomes of this many systems go into one whole number; more systems use more of them."""


def tally_outcomes(predictions: Predictions, systems: Sequence[System] | None = None) -> Outcomes:
    """Count the items by which systems were right on them."""
    chosen = choose_systems(predictions, systems)
    return build_outcomes(
        predictions, chosen, count_whole(predictions, outcome_words(chosen), chosen)
    )


def tally_outcomes_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[Outcomes]:
    """Count the outcome patterns of each cluster, group or fold apart."""
    chosen = choose_systems(predictions, systems)
    return count_parts(predictions, outcome_words(chosen), chosen, role, build_outcomes)


def choose_systems(predictions: Predictions, systems: Sequence[System] | None) -> Sequence[System]:
    """Give the systems asked for, or all that answer; refuse items of their own."""
    if predictions.pairing == "independent":
        message = (
            "These systems were tested on items of their own, so no item has a pattern over all of "
            "them. Count trials instead."
        )
        raise NotComparable(message, code="not-paired")
    return predictions.with_answers() if systems is None else systems


def outcome_words(systems: Sequence[System]) -> list[str]:
    """Pack outcomes into whole numbers, one bit a system."""
    return [
        " + ".join(
            f"CASE WHEN {system.outcome_sql()} THEN {1 << bit} ELSE 0 END"
            for bit, system in enumerate(systems[start : start + WORD])
        )
        for start in range(0, len(systems), WORD)
    ]


def build_outcomes(
    predictions: Predictions, systems: Sequence[System], counted: Counted
) -> Outcomes:
    """Unpack the whole numbers that outcomes were counted by."""
    patterns = {
        key: sum(int(word) << (WORD * place) for place, word in enumerate(key))
        for key in counted.rows
    }
    return Outcomes.from_patterns(
        {patterns[key]: rows for key, rows in counted.rows.items()},
        systems=[system.name for system in systems],
        weights=None
        if counted.weights is None
        else {patterns[key]: sums for key, sums in counted.weights.items()},
        excluded=predictions.exclusions_for(systems),
    )


def calling_systems(predictions: Predictions) -> tuple[System, ...]:
    """Give the systems that call a class of every item, some by a threshold on their scores.

    Calls among several classes and calls of the positive class or not do not go together.
    """
    called, scored = predictions.holding("called", "vector"), predictions.holding("score")
    cut = tuple(system for system in scored if system.threshold is not None)
    if called and cut and len(predictions.classes) != 2:
        return called
    return tuple(system for system in predictions.systems if system in called or system in cut)


def tally_joint_calls(
    predictions: Predictions, systems: Sequence[System] | None = None
) -> JointCalls:
    """Count the items by truth and by what every system called."""
    chosen = _calling_systems(predictions, systems)
    counted = count_whole(predictions, _joint_keys(predictions, chosen), chosen)
    return _build_joint_calls(predictions, chosen, counted)


def tally_joint_calls_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[JointCalls]:
    """Count the joint calls of each cluster, group or fold apart."""
    chosen = _calling_systems(predictions, systems)
    keys = _joint_keys(predictions, chosen)
    return count_parts(predictions, keys, chosen, role, _build_joint_calls)


def _calling_systems(
    predictions: Predictions, systems: Sequence[System] | None
) -> Sequence[System]:
    able = calling_systems(predictions)
    chosen = able if systems is None else systems
    wrong = [system.name for system in chosen if system not in able]
    if wrong or not chosen or predictions.pairing == "independent":
        message = (
            f"Joint calls need systems that called classes on common items; "
            f"{f'{wrong[0]} called none' if wrong else 'here there are none'}."
        )
        raise NotComparable(message, code="no-calls")
    return chosen


def _joint_keys(predictions: Predictions, systems: Sequence[System]) -> list[str]:
    """Write what rows are counted by: the truth, and what each system called."""
    keys = [confusion_keys(predictions, system) for system in systems]
    truths = sorted({truth for truth, _ in keys}, key=lambda truth: truth == "truth")
    return [truths[0], *(called for _, called in keys)]


def _build_joint_calls(
    predictions: Predictions, systems: Sequence[System], counted: Counted
) -> JointCalls:
    called = {call for _, *calls in counted.rows for call in calls}
    classes = predictions.classes
    if any(system.holds == "score" for system in systems):
        classes = (rest_of(predictions), str(predictions.positive))
    return JointCalls.from_cells(
        {(truth, tuple(calls)): rows for (truth, *calls), rows in counted.rows.items()},
        systems=[system.name for system in systems],
        classes=[*classes, *(n for n in (NO_ANSWER, TIED) if n in called)],
        excluded=predictions.exclusions_for(systems),
    )


def tally_trials(predictions: Predictions, systems: Sequence[System] | None = None) -> Trials:
    """Count how often each system was right, on the items it answered."""
    chosen = predictions.with_answers() if systems is None else systems
    correct, tested = {}, {}
    for system in chosen:
        counted = count_whole(predictions, [system.outcome_sql()], [system])
        correct[system.name] = counted.rows.get((True,), 0)
        tested[system.name] = counted.total
    same = predictions.pairing == "common" and len(set(tested.values())) == 1
    return Trials(
        correct=correct,
        tested=tested,
        pairing="common" if same else "independent",
        excluded=predictions.exclusions_for(chosen),
    )


def tally_trials_by(
    predictions: Predictions, role: SplitRole, systems: Sequence[System] | None = None
) -> Grouped[Trials]:
    """Count right answers for each cluster, group or fold that every system was tested on."""
    chosen = predictions.with_answers() if systems is None else systems
    parts = [
        count_by(predictions, [system.outcome_sql()], systems=[system], split=role)
        for system in chosen
    ]
    shared = set.intersection(*(set(part) for part in parts)) if parts else set()
    lonely = set().union(*(set(part) for part in parts)) - shared
    if lonely:
        message = f"Not every system was tested in {role} {sorted(lonely)[0]!r}."
        raise NotComparable(message, code="group-unknown")
    return Grouped.from_parts(
        role,
        {
            name: Trials(
                correct={
                    system.name: part[name].rows.get((True,), 0)
                    for system, part in zip(chosen, parts, strict=True)
                },
                tested={
                    system.name: part[name].total
                    for system, part in zip(chosen, parts, strict=True)
                },
                pairing=predictions.pairing,
            )
            for name in shared
        },
    )


def tally_ratings(predictions: Predictions) -> dict[tuple[str | None, ...], int]:
    """Count the items by what every rater said; None where a rater said nothing."""
    names = ", ".join(system.column for system in predictions.systems)
    rows = predictions.table.query(f"SELECT {names}, COUNT(*) FROM {{t}} GROUP BY {names}")
    patterns = {tuple(ratings): int(items) for *ratings, items in rows}
    _refuse_lost(predictions.rows, sum(patterns.values()))
    return patterns


def tally_sequence(predictions: Predictions) -> tuple[int, ...]:
    """Give the pattern of each item, sorted by the ids: whole numbers by size, else as text.

    The one tally in which order is the point; it holds a number for every item. Items without an
    id have no place in it and are refused.
    """
    if "item" not in predictions.table.columns:
        message = (
            "No column names the items, so they have no order. Name it: item= (--item COLUMN)."
        )
        raise NotComparable(message, code="no-order")
    systems = predictions.with_answers()
    words = outcome_words(systems)
    asked = ", ".join(f"{sql} AS k{place}" for place, sql in enumerate(words))
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    rows = predictions.table.query(f"SELECT item, {asked} FROM {{t}} WHERE {answered}")
    ids = [str(row[0]) for row in rows]
    numbered = all(one.isascii() and one.isdigit() for one in ids)
    places = sorted(range(len(ids)), key=lambda at: (int(ids[at]) if numbered else 0, ids[at]))
    return tuple(
        sum(int(word) << (WORD * place) for place, word in enumerate(rows[at][1:])) for at in places
    )

"""The tables of a threshold."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_count, show_number
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.thresholds import show_threshold
from steelyard.results.measured import interval_name, shown_interval, shown_value

if TYPE_CHECKING:
    from steelyard.results.threshold_choice import MethodThreshold, ThresholdChoice

__all__ = ["threshold_tables"]

RATES = ("threshold", "recall", "specificity", "kappa", "flagged", "cost")


def threshold_tables(choice: "ThresholdChoice") -> list[Table]:
    """Show what to expect of the choice, then all recipes side by side."""
    tables = [_expectations(choice), _folds(choice), _recipes(choice)]
    return [table for table in tables if table.rows]


def _expectations(choice: "ThresholdChoice") -> Table:
    chosen, ends = choice.chosen, choice.interval
    rows: list[list[str | None]] = []
    if chosen is not None and chosen.threshold is not None:
        limits = None
        if ends is not None:
            low, high = show_threshold(ends.low), show_threshold(ends.high)
            limits = f"[{low}, {high}]"
        rows.append(["threshold", show_threshold(chosen.threshold, chosen.below), limits])
        if chosen.promise is not None:
            rows.append([f"{chosen.promises}, promised", show_number(chosen.promise), None])
    if choice.expected is not None:
        shown = [shown_value(choice.expected), shown_interval(choice.expected)]
        rows.append([choice.expected.measure, *shown])
    if choice.out_of_fold is not None:
        tried = choice.out_of_fold
        rows.append([tried.measure, shown_value(tried), shown_interval(tried)])
    heads = number_columns("value", interval_name(choice.level))
    return Table.without_empty(
        f"Chosen by {choice.by}", [Column(name="what", whole=True), *heads], rows
    )


def _folds(choice: "ThresholdChoice") -> Table:
    rows = [
        [
            one.fold,
            show_count(one.items),
            *(None if t is None else show_threshold(t) for t in (one.own, one.others)),
            None if one.promise is None else show_number(one.promise),
        ]
        for one in choice.folds
    ]
    chosen = choice.chosen
    gives = "gives" if chosen is None or chosen.promises is None else chosen.promises
    return Table.without_empty(
        "Folds: the threshold of each alone, that of all others, and what the latter gives",
        [Column(name="fold"), *number_columns("items", "own", "others", gives)],
        rows,
    )


def _recipes(choice: "ThresholdChoice") -> Table:
    chosen = choice.chosen
    others = [one for one in choice.methods if one is not chosen]
    ordered = [*([chosen] if chosen is not None else []), *others]
    found = [one for one in ordered if one.threshold is not None]
    rows = [_row(one) for one in found]
    return Table.without_empty(
        "All recipes" if len(ordered) > 1 else "Recipe",
        [Column(name="recipe", whole=True), *number_columns(*RATES)],
        rows,
        note=_missing([one for one in ordered if one.threshold is None]),
    )


def _missing(methods: Sequence["MethodThreshold"]) -> str:
    """Say which recipes found nothing, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for one in methods:
        reasons.setdefault(one.reason or "nothing was found", []).append(one.method)
    said = [f"{', '.join(names)}: {reason}" for reason, names in reasons.items()]
    return f"Not found: {'; '.join(said)}." if said else ""


def _row(one: "MethodThreshold") -> list[str | None]:
    threshold = None if one.threshold is None else show_threshold(one.threshold, one.below)
    more = len(one.tied) - 1
    return [
        one.method if more < 1 else f"{one.method} (+{more} tied)",
        threshold,
        shown_value(one.recall),
        shown_value(one.specificity),
        None if one.kappa is None else show_number(one.kappa),
        None if one.flagged is None else show_count(one.flagged),
        None if one.cost is None else show_number(one.cost),
    ]

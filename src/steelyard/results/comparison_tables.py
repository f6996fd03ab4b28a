"""The tables of a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from steelyard.display.numbers import show_p_value, show_probability
from steelyard.display.tables import Column, Table, number_columns
from steelyard.results.comparison_words import ranked_systems
from steelyard.results.measured import (
    interval_name,
    shown_difference,
    shown_interval,
    shown_value,
)

if TYPE_CHECKING:
    from steelyard.results.comparison import ComparedPair, ComparedSystem, Comparison

__all__ = ["comparison_tables"]

MOST_PAIRS = 15
MOST_SHOWN = 20
PAIR = (Column(name="first"), Column(name="second"))


def comparison_tables(comparison: "Comparison") -> list[Table]:
    """Show the systems from the highest rate down, then the pairs."""
    tables = [_systems_table(comparison), _pairs_table(comparison)]
    return [table for table in tables if table.rows]


def _systems_table(comparison: "Comparison") -> Table:
    measure = "AUC" if comparison.measure == "auc" else "accuracy"
    heads = number_columns(measure, interval_name(comparison.level), "P(best)", "rank")
    error = comparison.monte_carlo_error
    rows = [_system_row(one, error) for one in ranked_systems(comparison)]
    return Table.without_empty("Systems", [Column(name="system"), *heads], rows)


def _system_row(one: "ComparedSystem", error: float | None) -> list[str | None]:
    alone = one.rank_low == one.rank_high
    return [
        one.system,
        shown_value(one.rate),
        shown_interval(one.rate),
        None if one.best is None else show_probability(one.best, error=error),
        str(one.rank_low) if alone else f"{one.rank_low}-{one.rank_high}",
    ]


def _pairs_table(comparison: "Comparison") -> Table:
    place = {one.system: rank for rank, one in enumerate(ranked_systems(comparison))}
    pairs = sorted(
        (_better_first(pair, place) for pair in _relevant(comparison)),
        key=lambda pair: (place[pair.first], place[pair.second]),
    )
    adjusted = any(pair.adjusted_p is not None for pair in pairs)
    heads = number_columns(
        "difference",
        interval_name(comparison.level),
        "adj. p" if adjusted else "p",
        "P(better)",
    )
    columns = [*PAIR, *heads, Column(name="verdict", whole=True)]
    rows = [_pair_row(pair, comparison, adjusted=adjusted) for pair in pairs]
    left = len(comparison.pairs) - len(pairs)
    note = (
        f"{len(pairs)} of {len(comparison.pairs)} pairs are shown: those of the first system and "
        "the undecided ones first; all are in --json and --csv."
        if left
        else ""
    )
    return Table.without_empty(
        "Pairs: the first minus the second", columns, rows, note=note, lead=2
    )


def _better_first(pair: "ComparedPair", place: Mapping[str, int]) -> "ComparedPair":
    """Turn a pair round so that the higher rate comes first and the difference is not negative."""
    if place[pair.first] < place[pair.second]:
        return pair
    gap, ends = pair.difference, pair.difference.interval
    turned = None if ends is None else replace(ends, low=-ends.high, high=-ends.low)
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=replace(gap, value=None if gap.value is None else -gap.value, interval=turned),
        better=None if pair.better is None else 1 - pair.better,
    )


def _relevant(comparison: "Comparison") -> Sequence["ComparedPair"]:
    """Pick, of many pairs, those of the leader and those still undecided, in their own order."""
    pairs = comparison.pairs
    if len(pairs) <= MOST_PAIRS:
        return pairs
    leader = ranked_systems(comparison)[0].system
    chosen = [pair for pair in pairs if leader in {pair.first, pair.second}]
    chosen += [pair for pair in pairs if pair not in chosen and pair.verdict == "undecided"]
    return chosen[:MOST_SHOWN]


def _pair_row(
    pair: "ComparedPair", comparison: "Comparison", *, adjusted: bool
) -> list[str | None]:
    value, ends = shown_difference(pair.difference)
    p_value = pair.adjusted_p if adjusted else pair.p_value
    return [
        pair.first,
        pair.second,
        value,
        ends,
        None if p_value is None else show_p_value(p_value, alpha=comparison.alpha),
        None
        if pair.better is None
        else show_probability(pair.better, error=comparison.monte_carlo_error),
        pair.verdict,
    ]

"""The pictures of a comparison."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from steelyard.display.figures import (
    Chart,
    Pair,
    best_chart,
    forest_chart,
    interval_chart,
    pair_matrix_chart,
    rank_chart,
)
from steelyard.results.comparison_order import ranked_systems
from steelyard.results.comparison_tables import pairs_to_show

if TYPE_CHECKING:
    from steelyard.results.comparison import ComparedPair, Comparison

__all__ = ["comparison_charts"]


def comparison_charts(comparison: "Comparison") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the differences first."""
    known: dict[str, Callable[[], Chart]] = {}
    if comparison.pairs:
        known["differences"] = lambda: _forest(comparison)
    # Of totals the probabilities are ranges, which a bar for each would hide.
    if any(one.best is not None for one in comparison.systems) and not comparison.by_totals:
        known["best"] = lambda: _best(comparison)
    known["systems"] = lambda: _systems(comparison)
    if len(comparison.systems) > 1:
        known["ranks"] = lambda: _ranks(comparison)
    if comparison.pairs:
        known["matrix"] = lambda: _matrix(comparison)
    return known


def _measure(comparison: "Comparison") -> str:
    return "AUC" if comparison.measure == "auc" else "accuracy"


def _forest(comparison: "Comparison") -> Chart:
    shown = pairs_to_show(comparison)
    left = len(comparison.pairs) - len(shown)
    title = f"{len(shown)} of {len(comparison.pairs)} differences" if left else "Differences"
    return forest_chart(_plain(shown), measure=f"Difference of {_measure(comparison)}", title=title)


def _best(comparison: "Comparison") -> Chart:
    chances = {one.system: one.best for one in comparison.systems if one.best is not None}
    return best_chart(chances, error=comparison.monte_carlo_error)


def _systems(comparison: "Comparison") -> Chart:
    rows = []
    for one in ranked_systems(comparison):
        ends = one.rate.interval
        low, high = (ends.low, ends.high) if ends else (None, None)
        rows.append((one.system, one.rate.value, low, high))
    return interval_chart(rows, measure=_measure(comparison))


def _ranks(comparison: "Comparison") -> Chart:
    ranked = ranked_systems(comparison)
    return rank_chart({one.system: (one.rank_low, one.rank_high) for one in ranked})


def _matrix(comparison: "Comparison") -> Chart:
    order = [one.system for one in ranked_systems(comparison)]
    return pair_matrix_chart(order, _plain(comparison.pairs))


def _plain(pairs: Sequence["ComparedPair"]) -> list[Pair]:
    rows: list[Pair] = []
    for pair in pairs:
        ends = pair.difference.interval
        low, high = (ends.low, ends.high) if ends else (None, None)
        rows.append((pair.first, pair.second, pair.difference.value, low, high, pair.verdict))
    return rows

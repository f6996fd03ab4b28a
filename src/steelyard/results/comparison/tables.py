"""The tables and the pictures of a comparison."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    QUADRATURE,
    show_count,
    show_difference,
    show_p_value,
    show_probability,
)
from steelyard.display.sketches import interval_bars
from steelyard.display.tables import Column, Headed, Table, number_cell, text_cell
from steelyard.display.text import join_names, natural_key, show_name
from steelyard.results.comparison.words import (
    ALIKE_ERROR,
    rank_systems,
    say_alike,
    show_chances,
    show_p_range,
)
from steelyard.results.measured import (
    ELSEWHERE,
    chart_row,
    count_shared_digits,
    estimate_cells,
    interval_name,
    show_signed,
)

if TYPE_CHECKING:
    from steelyard.display.figures import Chart, Pair
    from steelyard.results.comparison import (
        ComparedPair,
        ComparedSystem,
        Comparison,
        OverlapRange,
        SliceComparison,
    )

__all__ = ["better_first", "comparison_charts", "comparison_tables", "pairs_to_show"]

MOST_PAIRS = 15
MOST_SHOWN = 20
OVERLAP = {"different": "any", "not different": "any", "depends": "depends"}
"""With which overlap the verdict of a pair of totals holds."""
LEAST_DRAWN = 0.001
MOST_BARS = 12
"""Of many systems these have a bar for their probability of being the best."""


def comparison_tables(comparison: "Comparison") -> list[Table]:
    """Show the systems the leader first, then the pairs, then the slices."""
    tables = [_systems_table(comparison), _pairs_table(comparison), _slices_table(comparison)]
    return [table for table in tables if table.rows]


def _systems_table(comparison: "Comparison") -> Table:
    ranked = rank_systems(comparison)
    scale, bars = interval_bars([_ends(one) for one in ranked])
    digits = count_shared_digits([one.rate for one in ranked])
    rows = [
        [
            *_system_row(one, comparison, digits=digits),
            (Column(name=scale, whole=True, optional=True, drawn=True), bar),
        ]
        for one, bar in zip(ranked, bars, strict=True)
    ]
    lettered = len(rows) > 2 and any(one.tier is not None for one in comparison.systems)
    note = "Systems that share a letter of a tier are not called different." if lettered else ""
    return Table.of("Systems", rows, note=note)


def _ends(one: "ComparedSystem") -> tuple[float, float, float] | None:
    value, ends = one.rate.value, one.rate.interval
    return None if value is None or ends is None else (ends.low, value, ends.high)


def _system_row(
    one: "ComparedSystem", comparison: "Comparison", *, digits: int | None
) -> list[Headed]:
    alone = one.rank_low == one.rank_high
    alike = None
    if say_alike(comparison):
        alike = show_probability(one.best_alike or 0.0, error=ALIKE_ERROR)
    return [
        text_cell("system", one.system),
        *estimate_cells(comparison.measure_name, one.rate, comparison.level, digits=digits),
        number_cell("P(best)", _show_best(one, comparison.monte_carlo_error)),
        # On a narrow terminal the sentence alone says it.
        number_cell("if alike", alike, optional=True),
        number_cell("rank", str(one.rank_low) if alone else f"{one.rank_low}-{one.rank_high}"),
        text_cell("tier", one.tier, whole=True),
    ]


def _show_best(one: "ComparedSystem", error: float | None) -> str | None:
    if one.best_low is not None and one.best_high is not None:
        return show_chances(one.best_low, one.best_high)
    return None if one.best is None else show_probability(one.best, error=error or QUADRATURE)


def _pairs_table(comparison: "Comparison") -> Table:
    pairs = pairs_to_show(comparison)
    adjusted = any(pair.adjusted_p is not None for pair in pairs)
    rows = [_pair_row(pair, comparison, adjusted=adjusted) for pair in pairs]
    title = "Pairs: the first minus the second"
    return Table.of(title, rows, note=_say_left(comparison), lead=2)


def _say_left(comparison: "Comparison") -> str:
    """Say which pairs are shown and what the others are; nothing where all are shown."""
    pairs = pairs_to_show(comparison)
    shown = {frozenset((pair.first, pair.second)) for pair in pairs}
    left = Counter(
        pair.verdict for pair in comparison.pairs if {pair.first, pair.second} not in shown
    )
    if not left:
        return ""
    leader = show_name(rank_systems(comparison)[0].system)
    others = join_names([f"{show_count(number)} {verdict}" for verdict, number in left.items()])
    return (
        f"{len(pairs)} of {show_count(len(comparison.pairs))} pairs are shown: those of {leader}, "
        f"undecided ones first, then undecided pairs of the others. {show_count(left.total())} are "
        f"not shown ({others}): {ELSEWHERE}."
    )


def better_first(pair: "ComparedPair", place: Mapping[str, int]) -> "ComparedPair":
    """Turn a pair round so that the system that is shown first comes first."""
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
        overlaps=None if pair.overlaps is None else _turn(pair.overlaps),
    )


def _turn(overlaps: "OverlapRange") -> "OverlapRange":
    low, high = 1 - overlaps.better_high, 1 - overlaps.better_low
    return replace(overlaps, better_low=low, better_high=high)


def pairs_to_show(comparison: "Comparison") -> list["ComparedPair"]:
    """Give the pairs worth reading, each turned as the systems are shown, from the top down.

    Of many, the leader against those it is not told apart from comes first: the headline is
    about them. Then the leader against the others, then what is undecided among these.
    """
    ranked = [one.system for one in rank_systems(comparison)]
    place = {name: rank for rank, name in enumerate(ranked)}
    pairs = sorted(
        (better_first(pair, place) for pair in comparison.pairs),
        key=lambda pair: (place[pair.first], place[pair.second]),
    )
    if len(pairs) <= MOST_PAIRS:
        return pairs
    leading = [pair for pair in pairs if pair.first == ranked[0]]
    leading.sort(key=lambda pair: pair.verdict != "undecided")
    others = [pair for pair in pairs if pair.first != ranked[0] and pair.verdict == "undecided"]
    return [*leading, *others][:MOST_SHOWN]


def _pair_row(pair: "ComparedPair", comparison: "Comparison", *, adjusted: bool) -> list[Headed]:
    value, ends = show_signed(pair.difference)
    p_value = pair.adjusted_p if adjusted else pair.p_value
    shown_p = None if p_value is None else show_p_value(p_value, alpha=comparison.alpha)
    better = None
    if pair.better is not None:
        better = show_probability(pair.better, error=comparison.monte_carlo_error or QUADRATURE)
    if pair.overlaps is not None:
        shown_p = show_p_range(pair.overlaps, alpha=comparison.alpha, adjusted=adjusted)
        better = show_chances(pair.overlaps.better_low, pair.overlaps.better_high)
    overlap = None if pair.overlaps is None else OVERLAP[pair.overlaps.verdict]
    return [
        text_cell("first", pair.first),
        text_cell("second", pair.second),
        number_cell("difference", value),
        number_cell(interval_name(comparison.level), ends),
        # What was asked for stays; what stands beside the verdict goes first where room is short.
        number_cell("adj. p" if adjusted else "p", shown_p, optional=True),
        number_cell("P(better)", better, optional=True),
        number_cell("P(same)", pair.equivalent, partial(show_probability, error=QUADRATURE)),
        number_cell("ΔAIC", pair.aic_difference, _show_aic, optional=not comparison.by_akaike),
        text_cell("counts" if comparison.rounded else "overlap", overlap, whole=True),
        text_cell("verdict", pair.verdict, whole=True),
    ]


def _show_aic(difference: float) -> str:
    """Write a difference of AIC, with a decimal where the limits of 1 and -1 are near."""
    digits = 1 if abs(difference) < 9.95 else 0
    return show_difference(round(difference, digits), digits=digits)


def _slices_table(comparison: "Comparison") -> Table:
    ordered = sorted(comparison.slices, key=lambda one: natural_key(one.slice))
    return Table.of("Slices", [_slice_row(one, comparison) for one in ordered])


def _slice_row(one: "SliceComparison", comparison: "Comparison") -> list[Headed]:
    leader = rank_systems(one)[0]
    different = sum(pair.verdict == "different" for pair in one.pairs)
    show_best = partial(show_probability, error=one.monte_carlo_error or QUADRATURE)
    return [
        text_cell("slice", one.slice),
        number_cell("items", one.items, show_count),
        text_cell("leads", leader.system),
        *estimate_cells(comparison.measure_name, leader.rate, comparison.level),
        number_cell("P(best)", leader.best, show_best),
        number_cell("pairs told apart", f"{different} of {len(one.pairs)}"),
    ]


def comparison_charts(comparison: "Comparison") -> "dict[str, Callable[[], Chart]]":
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


def _forest(comparison: "Comparison") -> "Chart":
    from steelyard.display.figures import forest_chart

    shown = pairs_to_show(comparison)
    left = len(comparison.pairs) - len(shown)
    title = f"{len(shown)} of {len(comparison.pairs)} differences" if left else "Differences"
    chart = forest_chart(
        _plain(shown), measure=f"Difference of {comparison.measure_name}", title=title
    )
    notes = [*([_say_left(comparison)] if left else []), *_say_hollow(shown, len(comparison.pairs))]
    return replace(chart, notes=(*chart.notes, *notes))


def _say_hollow(shown: Sequence["ComparedPair"], pairs: int) -> list[str]:
    """Say why a point is hollow though its interval lies on one side of 0."""
    clear = [
        one
        for one in shown
        if one.verdict == "undecided"
        and one.difference.interval is not None
        and one.difference.interval.low * one.difference.interval.high > 0
    ]
    if not clear or pairs == 1:
        return []
    return [f"Hollow: not told apart, allowing for {pairs} pairs; each interval is for its own."]


def _best(comparison: "Comparison") -> "Chart":
    from steelyard.display.figures import best_chart

    # Equal chances, such as none at all, stay in the order of the table.
    ranked = rank_systems(comparison)
    chances = {one.system: one.best for one in ranked if one.best is not None}
    # Those that are hardly ever the best are bars without length.
    likely = [name for name, chance in chances.items() if chance >= LEAST_DRAWN]
    ordered = sorted(chances, key=lambda name: -chances[name])
    shown = ordered[: max(MOST_BARS, len(likely))]
    chart = best_chart({name: chances[name] for name in shown}, error=comparison.monte_carlo_error)
    return chart.showing(len(shown), len(chances), "systems")


def _systems(comparison: "Comparison") -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [chart_row(one.system, one.rate) for one in rank_systems(comparison)]
    return interval_chart(rows, measure=comparison.measure_name)


def _ranks(comparison: "Comparison") -> "Chart":
    from steelyard.display.figures import rank_chart

    ranked = rank_systems(comparison)
    return rank_chart({one.system: (one.rank_low, one.rank_high) for one in ranked})


def _matrix(comparison: "Comparison") -> "Chart":
    from steelyard.display.figures import pair_matrix_chart

    order = [one.system for one in rank_systems(comparison)]
    return pair_matrix_chart(order, _plain(comparison.pairs))


def _plain(pairs: Sequence["ComparedPair"]) -> "list[Pair]":
    rows: list[Pair] = []
    for pair in pairs:
        ends = pair.difference.interval
        low, high = (ends.low, ends.high) if ends else (None, None)
        rows.append((pair.first, pair.second, pair.difference.value, low, high, pair.verdict))
    return rows

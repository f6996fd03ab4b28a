"""The same comparison within every slice of the items, adjusted over all of them."""

from collections.abc import Mapping, Sequence

from steelyard.comparison import contrast_clusters
from steelyard.counts import Grouped, Outcomes, Trials
from steelyard.display.text import join_names, show_name
from steelyard.errors import NotComparable, counted
from steelyard.journey.comparison.answers import raw_apart, raw_common, weigh_apart, weigh_common
from steelyard.journey.comparison.clusters import weigh_clusters
from steelyard.journey.comparison.question import Question, Weighed, ranked
from steelyard.results import Comparison, SliceComparison
from steelyard.uncertainty import shaffer_static

__all__ = ["apart_slices", "clustered_slices", "common_slices", "reversals"]

DRAWS = 20_000
"""Fewer than for all items, since there may be many slices; each tells its error."""


def common_slices(grouped: Grouped[Outcomes], question: Question) -> tuple[SliceComparison, ...]:
    """Compare systems on the common items of each slice."""
    adjusted = _adjusted(
        [raw_common(part) for part in grouped.parts], len(grouped.parts[0].systems)
    )
    return tuple(
        _slice(name, weigh_common(part, question, adjusted=mine, draws=DRAWS), part.total)
        for (name, part), mine in zip(grouped, adjusted, strict=True)
    )


def clustered_slices(
    slices: Mapping[str, Grouped[Outcomes]], question: Question
) -> tuple[SliceComparison, ...]:
    """Compare systems within each slice with the clusters of its items as the units."""
    thin = [name for name, part in slices.items() if len(part) < 2]
    if thin:
        message = (
            f"The items of {join_names(thin, most=3, room=60)} come from one cluster, which does "
            "not show how clusters vary. Leave by_group (--by-group) out, or merge slices."
        )
        raise NotComparable(message, code="too-few-clusters")
    raw = [
        [one.p_value for one in contrast_clusters(part, rng=question.rng()).contrasts.values()]
        for part in slices.values()
    ]
    systems = len(next(iter(slices.values())).parts[0].systems)
    return tuple(
        _slice(name, weigh_clusters(part, question, adjusted=mine), part.merged().total)
        for (name, part), mine in zip(slices.items(), _adjusted(raw, systems), strict=True)
    )


def apart_slices(grouped: Grouped[Trials], question: Question) -> tuple[SliceComparison, ...]:
    """Compare systems within each slice, each on items of its own."""
    adjusted = _adjusted([raw_apart(part) for part in grouped.parts], len(grouped.parts[0].systems))
    return tuple(
        _slice(name, weigh_apart(part, question, adjusted=mine), None)
        for (name, part), mine in zip(grouped, adjusted, strict=True)
    )


def _adjusted(raw: Sequence[Sequence[float]], systems: int) -> list[tuple[float, ...]]:
    """Adjust over all slices and pairs: slices have truths of their own, pairs of one do not."""
    flat = [p for one in raw for p in one]
    adjusted = shaffer_static(flat, systems=systems, families=len(raw))
    size = len(raw[0])
    return [adjusted[start : start + size] for start in range(0, len(flat), size)]


def _slice(name: str, found: Weighed, items: int | None) -> SliceComparison:
    return SliceComparison(
        slice=name,
        items=items,
        systems=ranked(found),
        pairs=tuple(found.pairs),
        monte_carlo_error=found.error,
    )


def reversals(whole: Comparison, slices: Sequence[SliceComparison]) -> tuple[str, ...]:
    """Say which pair is decided one way here and the other way there, and how many more are."""
    found = []
    for place, pair in enumerate(whole.pairs):
        where = {
            system: [one.slice for one in slices if one.pairs[place].winner == system]
            for system in (pair.first, pair.second)
        }
        if all(names or pair.winner == system for system, names in where.items()):
            found.append((pair.winner, where))
    if not found:
        return ()
    clauses = [
        f"{show_name(system)} is better {_where(names, whole=found[0][0] == system)}"
        for system, names in found[0][1].items()
    ]
    more = f"; {counted(len(found) - 1, 'more pair', 'turn')} round like this" if found[1:] else ""
    return (f"{', but '.join(clauses)}{more}: look at the slices, not at the whole",)


def _where(names: Sequence[str], *, whole: bool) -> str:
    within = f"within {join_names(names, most=3, room=40)}" if names else ""
    return " and ".join(part for part in ("over all items" if whole else "", within) if part)

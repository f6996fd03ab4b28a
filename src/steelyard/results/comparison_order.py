"""Who leads a comparison, and in which order its systems are shown."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from steelyard.results.measured import Measured, sorted_by_value

if TYPE_CHECKING:
    from steelyard.results.comparison import (
        ComparedPair,
        ComparedSystem,
        Comparison,
        SliceComparison,
    )

__all__ = ["ranked_places", "ranked_systems"]


def ranked_places(
    names: Sequence[str],
    rates: Sequence[Measured],
    best: Sequence[float | None],
    pairs: Sequence["ComparedPair"],
) -> list[int]:
    """Put the leader first, the others from the highest rate down.

    The leader is the system with the highest probability of being the best. With test sets of
    different sizes that need not be the one of the highest rate: 10 of 10 says less than 995 of
    1,000. A system that another is found better than never leads; without probabilities the
    highest rate does.
    """
    order = sorted_by_value(rates)
    beaten = {
        name
        for pair in pairs
        for name in (pair.first, pair.second)
        if pair.winner not in {None, name}
    }
    known = [place for place in order if best[place] is not None and names[place] not in beaten]
    if len(known) < 1:
        return order
    # max() keeps the first of equals, which is the one of the higher rate.
    leader = max(known, key=lambda place: best[place] or 0.0)
    return [leader, *(place for place in order if place != leader)]


def ranked_systems(comparison: "Comparison | SliceComparison") -> list["ComparedSystem"]:
    """Put the systems in order, the leader first."""
    systems = comparison.systems
    places = ranked_places(
        [one.system for one in systems],
        [one.rate for one in systems],
        [one.best for one in systems],
        comparison.pairs,
    )
    return [systems[place] for place in places]

"""What one cluster that was not seen could do to a difference of right answers."""

from steelyard.counts import Grouped, Outcomes
from steelyard.display.numbers import show_difference
from steelyard.results import Caveat
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty.clusters.unseen import unseen_cluster_interval

__all__ = ["unlike_clusters"]


def unlike_clusters(
    grouped: Grouped[Outcomes], names: tuple[str, str], *, level: float
) -> tuple[float, float, Caveat]:
    """Give the limits that allow for one cluster of which nothing was seen, and say them.

    Examples
    --------
    >>> parts = {str(g): Outcomes.from_pair(both=14, first=6, second=0, neither=0,
    ...     systems=("S", "T")) for g in range(5)}
    >>> found = unlike_clusters(Grouped.from_parts("c", parts), ("S", "T"), level=0.95)
    >>> print(found[-1].partition(":")[0])
    one more cluster that goes the other way would give -0.381 to +0.667
    """
    tables = [part.pair(*names) for _, part in grouped if part.total]
    low, high = unseen_cluster_interval(
        [one.first - one.second for one in tables], [one.total for one in tables], level=level
    )
    shown = {"low": show_difference(low), "high": show_difference(high)}
    return low, high, shortfall("unlike-clusters", clusters=len(tables), **shown)

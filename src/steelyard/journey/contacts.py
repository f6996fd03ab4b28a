"""Whom do I contact first, and what does that bring?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args

import numpy as np

from steelyard import measures
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError, check_share
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.opening import lives_on_device
from steelyard.journey.option_types import TargetingOptions, TargetingSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.scored import Scored, cluster_notes, keep_notes, open_scored
from steelyard.measures import Targeted
from steelyard.results import Benefit, Contacted, SystemTargeting, Targeting

__all__ = ["targeting"]

Depths = Literal["deciles", "percentiles", "curve"]
WHY = "contacts are counted item by item"
SEED = 0
"""Where the random numbers start that resample clusters."""
SHARE = 0.1
"""The share of the items that is looked at unless told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question: how many are contacted, where it is measured, from where one would act."""

    budget: float | None
    share: float
    by: Depths
    act: tuple[float, ...]
    level: float
    points: int


@refuse_excess
@takes("targeting")
def targeting(data: Any, **options: Unpack[TargetingOptions]) -> Targeting:  # noqa: ANN401
    """Say what is reached by contacting the best-scored items first, for each system.

    Captured share (cumulative gain), precision and lift with intervals, KS distance, Gini, and
    the net benefit of acting from given probabilities. Equal scores are shared out in proportion.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, a ``ScoreTable``, a mapping of
        system names to such tables, or ``JointScores``.
    budget
        How many items can be contacted.
    share
        Or which share of all items; 0.1 unless told.
    by
        Where the curve is tabulated: ``deciles``, ``percentiles``, or ``curve`` (at every distinct
        score, thinned evenly to ``points``).
    net_benefit
        Probabilities from which one would act, for the decision curve.
    points
        Points kept of a curve, drawn or tabulated at every score; 0 keeps all.
    unweighted
        Count every row once, although the rows carry weights.
    level
        Coverage of the intervals.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Targeting
        What each system captures at the budget or share, and along the whole ranking.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> table = sy.ScoreTable.from_scores([0.9, 0.8, 0.3], [0.7, 0.2, 0.1], positive="buyer")
    >>> round(sy.targeting(table, budget=2).systems[0].asked.captured.value, 3)
    0.667
    """
    own: TargetingSettings
    own, roles = settle("targeting", options)
    if lives_on_device(data):
        from steelyard.journey.on_device import answer_there

        return answer_there(targeting, data, options)
    budget, share, by, level = own["budget"], own["share"], own["by"], own["level"]
    check_share("level", level)
    if by not in get_args(Depths):
        raise RequestError.for_choice(name="by", given=by, choices=get_args(Depths))
    if budget is not None and share is not None:
        message = "budget= and share= say the same in two ways; give one of them."
        raise RequestError(message)
    asked = Asked(
        budget=None if budget is None else float(measures.exact_number(budget, "budget")),
        share=SHARE if share is None else float(measures.exact_number(share, "share")),
        by=by,
        act=tuple(
            sorted(float(measures.exact_number(one, "net_benefit")) for one in own["net_benefit"])
        ),
        level=level,
        points=own["points"],
    )
    scored = open_scored(data, roles, why=WHY, verb="targeting", unweighted=own["unweighted"])
    settings: dict[str, object] = {
        "budget": None if asked.budget is None else f"{asked.budget:g}",
        "share": f"{asked.share:g}" if asked.budget is None else None,
        "by": by,
        "net_benefit": ",".join(f"{one:g}" for one in asked.act) or None,
        "level": level,
    }
    return _answer(scored, asked, settings)


def _answer(scored: Scored, asked: Asked, settings: dict[str, object]) -> Targeting:
    clusters = {name: scored.clusters(name) for name in scored.tables}
    known = next(iter(clusters.values()))
    return Targeting(
        positive=scored.positive,
        systems=tuple(
            _system(name, table, asked, clusters[name]) for name, table in scored.tables.items()
        ),
        by=asked.by,
        level=asked.level,
        provenance=scored.record(settings, seed=None if known is None else SEED),
        caveats=(*scored.caveats, *keep_notes(scored.tables), *cluster_notes(known)),
    )


def _system(
    name: str, table: ScoreTable, asked: Asked, clusters: Grouped[ScoreTable] | None
) -> SystemTargeting:
    if not table.negative_total:
        message = f"Every item is truly {table.positive!r}: nobody can be left out."
        raise NotComparable(message, code="one-class")
    share = asked.share
    if asked.budget is not None:
        share = asked.budget / table.total
        if not 0 < share <= 1:
            message = (
                f"budget={asked.budget:g}; contacts are above 0 and at most all {table.total:,} "
                "items."
            )
            raise RequestError(message)
    at, *places = _gains(
        table, [share, *DEPTHS[asked.by](table, asked.points)], asked.level, clusters
    )
    drawn = _draw(table, asked.points)
    return SystemTargeting(
        system=name,
        items=table.total,
        positives=table.positive_total,
        asked=_contact(at),
        places=tuple(_contact(one) for one in places),
        ks=measures.ks_distance(table, level=asked.level)
        if clusters is None
        else measures.clustered_ks_distance(
            clusters, level=asked.level, rng=np.random.default_rng(SEED)
        ),
        gini=measures.gini(table, level=asked.level)
        if clusters is None
        else measures.clustered_gini(clusters, level=asked.level),
        benefits=tuple(
            Benefit(threshold=one.threshold, benefit=one.benefit, everybody=one.all_treated)
            for one in (
                measures.decision_curve(table, asked.act, level=asked.level)
                if clusters is None
                else measures.clustered_benefits(clusters, asked.act, level=asked.level)
            )
        ),
        depths=drawn[0],
        gains=drawn[1],
    )


def _gains(
    table: ScoreTable,
    depths: Sequence[float],
    level: float,
    clusters: Grouped[ScoreTable] | None,
) -> tuple[Targeted, ...]:
    if clusters is None:
        return measures.gain_curve(table, depths=depths, level=level).points
    return measures.clustered_gains(clusters, depths, level=level)


def _contact(place: Targeted) -> Contacted:
    return Contacted(
        depth=place.depth,
        contacts=place.contacts,
        captured=place.captured,
        precision=place.precision,
        lift=place.lift,
    )


def _thin(table: ScoreTable, most: int) -> list[float]:
    """List the shares of the items above each distinct score, or evenly spread ones of them."""
    reached = np.cumsum((table.positives + table.negatives)[::-1]) / table.total
    if 0 < most < reached.size:
        chosen = np.linspace(0, reached.size - 1, most).round().astype(np.intp)
        reached = reached[np.unique(chosen)]
    found: list[float] = np.minimum(reached, 1.0).tolist()
    return found


DEPTHS: dict[Depths, Callable[[ScoreTable, int], Sequence[float]]] = {
    "deciles": lambda table, most: measures.DECILES,
    "percentiles": lambda table, most: measures.PERCENTILES,
    "curve": _thin,
}
"""Where the curve is tabulated."""


def _draw(table: ScoreTable, most: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give the curve of a picture: the share looked at, and the share of positives found."""
    items = np.concatenate([[0], np.cumsum((table.positives + table.negatives)[::-1])])
    found = np.concatenate([[0], np.cumsum(table.positives[::-1])])
    places = np.arange(items.size)
    if 0 < most < items.size:
        wanted = np.linspace(0, table.total, most)
        places = np.unique(np.searchsorted(items, wanted).clip(0, items.size - 1))
    return (
        tuple((items[places] / table.total).tolist()),
        tuple((found[places] / table.positive_total).tolist()),
    )

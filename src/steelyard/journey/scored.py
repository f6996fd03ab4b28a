"""Systems that give scores, ready to be asked: one score table each."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from steelyard import measures, tally
from steelyard.counts import Grouped, JointScores, PlacementSums, ScoreTable
from steelyard.errors import NotComparable
from steelyard.journey.arguments import refuse_columns
from steelyard.journey.declared_roles import Verb, settle_roles
from steelyard.journey.missing import say_missing
from steelyard.journey.opening import (
    RoleArguments,
    open_data,
    provenance_of,
    record_of_counts,
)
from steelyard.measures.roc.areas import thinning_caveats
from steelyard.results import Provenance
from steelyard.sources import Predictions, System
from steelyard.sources.predictions import SplitRole

__all__ = [
    "Scored",
    "cluster_notes",
    "enough_clusters",
    "ignore_clusters",
    "keep_notes",
    "may_hold_vectors",
    "open_scored",
    "score_systems",
]

CLUSTERS_IGNORED = (
    "items of one cluster are alike, but the curves of single classes and the areas over all "
    "classes count them as independent: these intervals are too short. With a positive class "
    "named, clusters are honoured"
)
ONE_CLUSTER = "no intervals: only one cluster counts here, which does not show how clusters vary"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Score tables by system; ``joint`` aligns them on common items where that is possible."""

    tables: Mapping[str, ScoreTable]
    predictions: Predictions | None = None
    systems: tuple[System, ...] = ()
    aligned: JointScores | None = None
    unweighted: bool = False
    caveats: tuple[str, ...] = ()
    named: bool = True

    @property
    def positive(self) -> str:
        """The class that the high scores indicate."""
        return next(iter(self.tables.values())).positive

    def joint(self) -> JointScores | None:
        """Align the scores of all systems on their common items; None where nothing pairs them."""
        if self.aligned is not None or self.predictions is None:
            return self.aligned
        if self.predictions.pairing != "common" or len(self.systems) < 2:
            return None
        return tally.tally_joint_scores(self.predictions, self.systems)

    def folds(self, system: str) -> Grouped[ScoreTable] | None:
        """Split the scores of one system by fold; None where there are no folds."""
        return self._split(system, "fold")

    def clusters(self, system: str) -> Grouped[ScoreTable] | None:
        """Split the scores of one system by cluster; None where there are no clusters."""
        return self._split(system, "cluster")

    def _split(self, system: str, role: SplitRole) -> Grouped[ScoreTable] | None:
        if self.predictions is None or role not in self.predictions.splits:
            return None
        (chosen,) = [one for one in self.systems if one.name == system]
        parts = tally.tally_score_table_by(self.predictions, chosen, role)
        return parts.each(_plain) if self.unweighted else parts

    def record(self, settings: Mapping[str, object], *, seed: int | None = None) -> Provenance:
        """Record what was read and what was asked."""
        if self.predictions is None:
            return record_of_counts(settings, seed=seed)
        return provenance_of(self.predictions, settings, seed=seed)


def may_hold_vectors(data: object) -> bool:
    """Tell whether data may hold vectors of scores: counts of single scores hold none."""
    if isinstance(data, ScoreTable):
        return False
    tables = isinstance(data, Mapping) and any(isinstance(v, ScoreTable) for v in data.values())
    return not tables and not hasattr(data, "score_table")


def open_scored(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    *,
    why: str,
    verb: Verb,
    unweighted: bool = False,
) -> Scored:
    """Take score tables as they are, or open files, frames or columns of scores.

    A vector counts as the score of the positive class, where one is named. Weighted rows are
    refused, with ``why`` the question cannot use weights, unless every row is to count once.
    """
    found = _from_counts(data, roles)
    if found is None:
        predictions = open_data(data, roles)
        systems = score_systems(predictions)
        found = Scored(
            tables={one.name: tally.tally_score_table(predictions, one) for one in systems},
            predictions=predictions,
            systems=systems,
            unweighted=unweighted,
            caveats=(
                *predictions.caveats,
                *settle_roles(verb, predictions, kind="scores"),
                *(said for one in systems for said in say_missing(predictions, one)),
            ),
        )
    if all(table.positive_weights is None for table in found.tables.values()):
        return found
    if not unweighted:
        message = (
            f"These rows carry weights, and {why}. To count every row once: unweighted=True "
            "(--unweighted)."
        )
        raise NotComparable(message, code="weighted")
    return replace(
        found,
        tables={name: _plain(table) for name, table in found.tables.items()},
        caveats=(*found.caveats, "every row counts once, although the rows carry weights"),
    )


def keep_notes(tables: Mapping[str, ScoreTable]) -> tuple[str, ...]:
    """Say of each system that has more distinct scores than are kept how many are."""
    return tuple(
        f"{name}: {note}" for name, one in tables.items() for note in thinning_caveats(one)
    )


def cluster_notes(clusters: Grouped[ScoreTable] | None) -> tuple[str, ...]:
    """Say that clusters were the units, and when they are few."""
    if clusters is None:
        return ()
    if not enough_clusters(clusters):
        return (ONE_CLUSTER,)
    return measures.cluster_caveats(len(clusters), sum(part.total for _, part in clusters))


def enough_clusters(clusters: Grouped[ScoreTable]) -> bool:
    """Tell whether both classes lie in two clusters or more."""
    sides = ("positive_total", "negative_total")
    held = [sum(getattr(part, side) > 0 for _, part in clusters) for side in sides]
    return bool(min(held) > 1)


def ignore_clusters(predictions: Predictions) -> tuple[str, ...]:
    """Say that clusters are known and not honoured by a question that has no way to."""
    return (CLUSTERS_IGNORED,) if "cluster" in predictions.splits else ()


def score_systems(predictions: Predictions) -> tuple[System, ...]:
    """List the systems that give scores; a vector gives that of the positive class."""
    chosen = []
    for system in predictions.systems:
        if system.holds == "score":
            chosen.append(system)
        elif system.holds == "vector" and predictions.positive is not None:
            place = predictions.classes.index(predictions.positive)
            chosen.append(replace(system, holds="score", column=system.vector[place], vector=()))
    if not chosen:
        message = f"This needs a system that gives scores. Found: {predictions.describe()}."
        raise NotComparable(message, code="no-scores")
    return tuple(chosen)


def _from_counts(data: Any, roles: RoleArguments) -> Scored | None:  # noqa: ANN401
    found: Scored | None = None
    if isinstance(data, ScoreTable):
        found = Scored(tables={"system": data}, named=False)
    elif isinstance(data, JointScores | PlacementSums):
        tables = {name: data.score_table(name) for name in data.systems}
        found = Scored(tables=tables, aligned=data if isinstance(data, JointScores) else None)
    elif (
        isinstance(data, Mapping) and data and all(isinstance(v, ScoreTable) for v in data.values())
    ):
        found = Scored(tables={str(name): table for name, table in data.items()})
    if found is not None:
        refuse_columns(roles)
    return found


def _plain(table: ScoreTable) -> ScoreTable:
    return replace(table, positive_weights=None, negative_weights=None)

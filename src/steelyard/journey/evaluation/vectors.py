"""Scores of whole vectors, weighted or not, over items or over clusters of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from steelyard import measures, tally
from steelyard.counts import Grouped, VectorRule, VectorScores, WeightedVectors
from steelyard.results import Estimate
from steelyard.sources import Predictions, System

__all__ = ["VectorSums", "sum_vectors"]


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSums:
    """Sums of vector scores of some systems; asks the measure that fits how rows are given."""

    plain: VectorScores | None = None
    clustered: Grouped[VectorScores] | None = None
    weighted: WeightedVectors | Grouped[WeightedVectors] | None = None

    @property
    def clusters(self) -> int:
        """How many clusters there are; 0 when items stand alone."""
        for one in (self.clustered, self.weighted):
            if isinstance(one, Grouped):
                return len(one)
        return 0

    @property
    def items(self) -> int:
        """Rows counted."""
        found = next(one for one in (self.plain, self.clustered, self.weighted) if one is not None)
        return int((found.merged() if isinstance(found, Grouped) else found).total)

    def score(
        self,
        rule: VectorRule,
        system: str,
        *,
        level: float,
        class_weights: Mapping[str, float] | None = None,
    ) -> Estimate:
        """Score one system."""
        if self.weighted is not None:
            return measures.weighted_vector_score(
                self.weighted, rule, system, class_weights=class_weights, level=level
            )
        if self.clustered is not None:
            return measures.clustered_vector_score(
                self.clustered, rule, system, class_weights=class_weights, level=level
            )
        assert self.plain is not None
        return measures.vector_score(
            self.plain, rule, system, class_weights=class_weights, level=level
        )

    def difference(
        self,
        rule: VectorRule,
        pair: tuple[str, str],
        *,
        level: float,
        class_weights: Mapping[str, float] | None = None,
    ) -> Estimate:
        """Score the first of two systems minus the second, on the same items."""
        if self.weighted is not None:
            return measures.weighted_vector_difference(
                self.weighted, rule, *pair, class_weights=class_weights, level=level
            )
        if self.clustered is not None:
            return measures.clustered_vector_difference(
                self.clustered, rule, *pair, class_weights=class_weights, level=level
            )
        assert self.plain is not None
        return measures.vector_difference(
            self.plain, rule, *pair, class_weights=class_weights, level=level
        )


def sum_vectors(
    predictions: Predictions, systems: Sequence[System], *, unweighted: bool = False
) -> VectorSums:
    """Sum the vector scores of some systems on their common items, as the rows are given."""
    clustered = "cluster" in predictions.splits
    if predictions.weighted and not unweighted:
        if clustered:
            by_cluster = tally.tally_weighted_vectors_by(predictions, "cluster", systems)
            return VectorSums(weighted=by_cluster)
        return VectorSums(weighted=tally.tally_weighted_vectors(predictions, systems))
    if clustered:
        return VectorSums(clustered=tally.tally_vector_scores_by(predictions, "cluster", systems))
    return VectorSums(plain=tally.tally_vector_scores(predictions, systems))

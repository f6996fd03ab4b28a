"""Which is better: posteriors, tests and rank sets, for independent and for common items."""

from steelyard.comparison.beta_model import BetaPosteriors, beta_posteriors
from steelyard.comparison.areas import AreaDifference, AreaRanks, compare_areas, rank_areas
from steelyard.comparison.credibility import CredibleInterval, CredibleMethod, credible_interval
from steelyard.comparison.equivalence import (
    Equivalence,
    paired_equivalence,
    probability_equivalent,
)
from steelyard.comparison.independent_tests import ScoreTest, score_test
from steelyard.comparison.paired_posterior import (
    PairedPosterior,
    PairPosterior,
    marginal_posteriors,
    pair_posterior,
    paired_better,
    paired_posterior,
)
from steelyard.comparison.paired_tests import CochranQ, McNemar, McNemarMethod, cochran_q, mcnemar
from steelyard.comparison.posterior import (
    BestProbabilities,
    ExpectedLosses,
    PairProbabilities,
    expected_loss,
    probability_best,
    probability_better,
)
from steelyard.comparison.rank_sets import RankSet, rank_sets
from steelyard.comparison.ranking import (
    RankingProbability,
    RankProbabilities,
    probability_of_rank,
    probability_of_ranking,
    ranking_probability_by_product,
)

__all__ = [
    "AreaDifference",
    "AreaRanks",
    "BestProbabilities",
    "BetaPosteriors",
    "CochranQ",
    "CredibleInterval",
    "CredibleMethod",
    "Equivalence",
    "ExpectedLosses",
    "McNemar",
    "McNemarMethod",
    "PairPosterior",
    "PairProbabilities",
    "PairedPosterior",
    "RankProbabilities",
    "RankSet",
    "RankingProbability",
    "ScoreTest",
    "beta_posteriors",
    "cochran_q",
    "compare_areas",
    "credible_interval",
    "expected_loss",
    "marginal_posteriors",
    "mcnemar",
    "pair_posterior",
    "paired_better",
    "paired_equivalence",
    "paired_posterior",
    "probability_best",
    "probability_better",
    "probability_equivalent",
    "probability_of_rank",
    "probability_of_ranking",
    "rank_areas",
    "rank_sets",
    "ranking_probability_by_product",
    "score_test",
]

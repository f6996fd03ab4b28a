from .areas import (
    AREA_INTERVALS,
    AreaInterval,
    auc_interval,
    delong_covariance,
    delong_variance,
    newcombe_area_interval,
    pairs_won_twice,
)
from .certificate import Coverage, coverage_of, rejections_of
from .clustered_areas import (
    Clusters,
    cluster_placements,
    clustered_auc_covariance,
    clustered_auc_interval,
    clustered_auc_variance,
)
from .clusters import (
    FEW_CLUSTERS,
    cluster_resamples,
    cluster_robust_interval,
    cluster_variance,
    percentile_interval,
)
from .delta import (
    delta_variance,
    fisher_interval,
    logit_interval,
    mover_interval,
)
from .difference import (
    DIFFERENCE_INTERVALS,
    agresti_caffo_interval,
    difference_interval,
    mee_interval,
    miettinen_nurminen_interval,
    newcombe_interval,
    wald_difference_interval,
)
from .domain import normal_quantile
from .finite import finite_correction, finite_rate_interval
from .guarded_difference import (
    guarded_finite_interval,
    guarded_paired_interval,
    guarded_tail,
)
from .guarded_strata import draw_strata
from .multinomial import ratio_score_interval
from .multiplicity import (
    ADJUSTMENTS,
    benjamini_hochberg,
    bonferroni,
    holm,
    shaffer_dynamic,
    shaffer_numbers,
    shaffer_static,
)
from .paired_difference import (
    PAIRED_DIFFERENCE_INTERVALS,
    bonett_price_interval,
    newcombe_paired_interval,
    paired_difference_interval,
    paired_wald_interval,
    tango_interval,
)
from .proportion import (
    PROPORTION_INTERVALS,
    agresti_coull_interval,
    clopper_pearson_interval,
    jeffreys_interval,
    midp_interval,
    proportion_interval,
    wald_interval,
    wilson_interval,
    wilson_interval_effective,
)
from .rate_ratios import (
    discordant_odds_interval,
    odds_ratio_score_interval,
    paired_ratio_interval,
    ratio_interval,
)
from .ratios import odds_ratio_interval, share_ratio_interval
from .roc_bands import RocBand, bootstrap_auc_interval, roc_band
from .roots import crossing
from .score_resampling import CELLS, RESAMPLES, Resampled, resample_scores

__all__ = [
    "ADJUSTMENTS",
    "AREA_INTERVALS",
    "CELLS",
    "DIFFERENCE_INTERVALS",
    "FEW_CLUSTERS",
    "PAIRED_DIFFERENCE_INTERVALS",
    "PROPORTION_INTERVALS",
    "RESAMPLES",
    "AreaInterval",
    "Clusters",
    "Coverage",
    "Resampled",
    "RocBand",
    "agresti_caffo_interval",
    "agresti_coull_interval",
    "auc_interval",
    "benjamini_hochberg",
    "bonett_price_interval",
    "bonferroni",
    "bootstrap_auc_interval",
    "clopper_pearson_interval",
    "cluster_placements",
    "cluster_resamples",
    "cluster_robust_interval",
    "cluster_variance",
    "clustered_auc_covariance",
    "clustered_auc_interval",
    "clustered_auc_variance",
    "coverage_of",
    "crossing",
    "delong_covariance",
    "delong_variance",
    "delta_variance",
    "difference_interval",
    "discordant_odds_interval",
    "draw_strata",
    "finite_correction",
    "finite_rate_interval",
    "fisher_interval",
    "guarded_finite_interval",
    "guarded_paired_interval",
    "guarded_tail",
    "holm",
    "jeffreys_interval",
    "logit_interval",
    "mee_interval",
    "midp_interval",
    "miettinen_nurminen_interval",
    "mover_interval",
    "newcombe_area_interval",
    "newcombe_interval",
    "newcombe_paired_interval",
    "normal_quantile",
    "odds_ratio_interval",
    "odds_ratio_score_interval",
    "paired_difference_interval",
    "paired_ratio_interval",
    "paired_wald_interval",
    "pairs_won_twice",
    "percentile_interval",
    "proportion_interval",
    "ratio_interval",
    "ratio_score_interval",
    "rejections_of",
    "resample_scores",
    "roc_band",
    "shaffer_dynamic",
    "shaffer_numbers",
    "shaffer_static",
    "share_ratio_interval",
    "tango_interval",
    "wald_difference_interval",
    "wald_interval",
    "wilson_interval",
    "wilson_interval_effective",
]

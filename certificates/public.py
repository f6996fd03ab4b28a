"""Which certificate answers for which public function, or why none has to.

A new interval, test or probability of the rooms ``uncertainty``, ``measures``, ``comparison`` and
``planning`` breaks a test until it stands here.
"""

from accuracy.beside import BESIDE, TAKEN, WORDS

__all__ = ["ANSWERED_BY", "NO_CLAIM", "SAID_BY"]

ANSWERED_BY: dict[str, tuple[str, ...]] = {
    "proportions": (
        "accuracy", "agresti_coull_interval", "called_share", "class_share",
        "clopper_pearson_interval", "counted_accuracy", "error_rate", "false_discovery_rate",
        "false_negative_rate", "false_omission_rate", "false_positive_rate",
        "finite_rate_interval", "jeffreys_interval", "midp_interval", "missing_share_bounds",
        "no_information_rate",
        "npv", "precision", "prevalence", "proportion_interval", "rates_at_threshold", "recall",
        "recall_and_precision", "specificity", "wald_interval", "wilson_interval",
        "wilson_interval_effective",
    ),
    "differences": (
        "agresti_caffo_interval", "bonett_price_interval", "difference_interval", "mee_interval",
        "miettinen_nurminen_interval", "newcombe_interval", "newcombe_paired_interval",
        "odds_ratio_interval", "paired_difference_interval", "paired_wald_interval",
        "share_ratio_interval", "tango_interval", "wald_difference_interval", "win_rate",
    ),
    "acceptance": (
        "acceptance_plan", "actual_detection_cost", "area_parts", "cllr", "least_cllr",
        "least_detection_cost", "crossed_error", "crossed_interval",
        "crossed_share_interval", "crossed_spread",
        "dyadic_spread", "exposure_interval", "exposure_midp_interval", "exposure_plan",
        "promised_threshold",
        "exposure_ratio", "exposure_ratio_power", "exposure_sequence", "garwood_interval",
        "periods_interval", "periods_ratio", "sequential_plan", "two_stage_plan",
        "zero_event_exposure", "zero_failure_trials",
    ),
    "reader_studies": ("guard_readers", "reader_power", "reader_study"),
    "ratios": (
        "discordant_odds_interval", "equivalence_power", "odds_ratio_score_interval",
        "paired_equivalence", "paired_equivalence_power", "paired_ratio_interval",
        "probability_equivalent", "ratio_interval",
    ),
    "tables": (
        "average", "balanced_accuracy", "cohen_kappa", "delta_variance", "diagnostic_odds_ratio",
        "expected_cost", "f1", "f_beta", "informedness",
        "likelihood_ratio_negative", "likelihood_ratio_positive", "markedness", "mcc",
        "mover_interval", "npv_at", "ppv_at", "ratio_score_interval",
        "weighted_kappa",
    ),
    "raters": (
        "conger_kappa", "fleiss_kappa", "gwet_ac", "krippendorff_alpha", "observed_agreement",
        "pabak",
    ),
    "ranking": (
        "area_equivalence", "areas_equal", "auc", "auc_interval", "average_precision",
        "average_roc", "bootstrap_areas", "bootstrap_auc_interval", "compare_areas",
        "delong_covariance", "delong_variance", "detection_rate_at", "equal_error_rate",
        "false_alarm_rate_at", "gini", "hand_till", "ks_distance", "logit_interval",
        "miss_rate_at",
        "newcombe_area_interval", "one_against_rest", "partial_auc", "pr_area", "rank_areas",
        "rest_areas", "roc_band",
        "area_spread", "chance_area_larger", "joint_area_spreads", "own_area_spreads",
        "placement_difference_interval", "placement_interval", "rank_spreads", "weigh_areas",
        "weigh_equivalence",
    ),
    "targeting": (
        "captured_at", "clustered_benefits", "clustered_gains", "decision_curve", "gain_curve",
        "lift_at", "net_benefit", "precision_at",
    ),
    "calibration": (
        "brier_score", "calibration_curve", "calibration_error", "proper_difference",
        "proper_score", "recalibration",
    ),
    "vectors": (
        "vector_difference", "vector_score", "weighted_vector_difference",
        "weighted_vector_score",
    ),
    "clusters": (
        "asked_again_interval", "cluster_bootstrap", "cluster_posterior",
        "cluster_robust_interval", "cluster_variance", "clustered_accuracy", "clustered_auc",
        "clustered_auc_covariance", "clustered_auc_interval", "clustered_auc_variance",
        "clustered_class_share", "clustered_gini", "clustered_kappa", "clustered_ks_distance",
        "clustered_mcnemar", "clustered_measure", "clustered_measures",
        "clustered_proper_difference", "clustered_proper_score", "clustered_recalibration",
        "clustered_trials", "clustered_vector_difference", "clustered_vector_score",
        "percentile_interval", "tries_estimate", "weighted_rates",
        "cluster_contrast", "cluster_freedom", "cluster_share_interval",
        "clustered_area_spreads", "contrast_clusters", "contrast_weights", "jackknife_variance",
        "weighted_share_interval",
    ),
    "thresholds": ("threshold_stability",),
    "sizes": (
        "bowker", "fisher_exact", "kappa_test", "mcnemar", "no_information_test",
        "score_test", "sign_test", "stuart_maxwell", "unconditional_exact", "weighted_kappa_test",
        "common_interval", "common_test", "independent_interval", "independent_test",
    ),
    "further_sizes": (
        "bootstrap_calls", "bootstrap_scores", "cochran_q", "k_sample_chi_square",
        "paired_detection", "permute_calls", "permute_scores", "pool_differences",
        "predictive_values",
        "stratified_mcnemar",
    ),
    "datasets": (
        "bayesian_correlated_test", "bayesian_signed_rank", "friedman", "nemenyi",
        "resampled_t_test", "signed_rank",
    ),
    "best": (
        "akaike_common", "akaike_incomplete", "akaike_independent", "akaike_pairs",
        "akaike_tiers", "beta_posteriors", "credible_interval", "expected_loss",
        "pair_posterior", "paired_better", "paired_posterior", "probability_best",
        "probability_better", "probability_of_rank", "probability_of_ranking",
        "alike_common", "alike_independent", "alike_pair", "probability_best_alike",
    ),
    "totals": ("bound_best", "bound_overlaps"),
    "gates": (
        "draw_strata", "guarded_calls", "guarded_finite_interval", "guarded_paired_interval",
        "guarded_tail",
    ),
    "stopping": (
        "crossing_probabilities", "double_test", "double_test_properties", "lead_test",
        "lead_test_properties", "paired_wald_test", "spending_bounds", "stopping_properties",
        "wald_exact_properties", "wald_properties", "wald_test",
    ),
    "campaigns": ("all_pairs_properties", "all_pairs_test", "start_race"),
    "sequences": (
        "benchmark_sequence", "betting_sequence", "discordant_evidence", "win_sequence",
    ),
    "multiplicity": (
        "benjamini_hochberg", "bonferroni", "closed_by_averaging", "compare_with_best",
        "compare_with_control", "holm", "rank_sets", "shaffer_dynamic",
        "shaffer_static",
    ),
    "selection": (
        "items_needed", "least_favourable", "probability_correct_selection",
        "selection_probability", "selection_samples", "subset_allowance", "subset_with_best",
    ),
    "plans": (
        "akaike_power", "akaike_samples", "all_pairs_samples", "area_difference_power",
        "area_difference_samples", "area_power", "area_samples", "area_width_samples",
        "clustered_samples", "clustered_test_samples", "connor_samples", "independent_power",
        "independent_samples",
        "kappa_power", "kappa_samples", "kappa_width_samples", "paired_assurance",
        "paired_confidence", "paired_posterior_samples", "paired_power", "paired_samples",
        "paired_width_samples", "pilot_assurance", "pilot_samples", "posterior_assurance",
        "posterior_confidence", "posterior_samples", "repeated_samples", "scaled_area_power",
        "scaled_area_samples", "width_assurance", "width_samples",
    ),
    "certainties": ("aurc_difference", "aurc_limits"),
    "judges": ("judged_means", "judged_means_of_clusters", "ppi_mean"),
    "values": (
        "asymptotic_sequence", "bca_mean_interval", "best_of_means", "betting_evidence",
        "betting_interval", "cluster_quantile_interval",
        "empirical_bernstein_interval", "estimate_mean", "estimate_ratio",
        "mapsswe", "mean_interval", "mean_power", "mean_samples",
        "paired_mean_difference", "permute_signs", "quality_cost_front", "quantile_difference",
        "quantile_interval", "rank_means", "rank_ratios",
        "ratio_difference", "ratio_of_sums_interval",
        "start_betting", "unseen_limits", "wilcoxon_test",
    ),
}  # fmt: skip
"""Families of certificates, and the functions whose claims are tried there."""

SAID_BY: dict[str, str] = {
    "MAPSSWE, normal": "comparison.mapsswe()",
    "asymptotic sequence, skewed values": "comparison.asymptotic_sequence()",
    "equal systems over few values, P(better) of 0.999": "few-items",
    "paired difference of few values, held to signs": "few-items",
    "mean over clusters, G - 1 degrees of freedom": "uneven-clusters",
    "mean, BCa bootstrap": "uncertainty.bca_mean_interval()",
    "mean, Student's t, few skewed values": "few-items",
    "mean, Student's t, rare far values": "uncertainty.mean_interval()",
    "ratio of sums, few or uneven items": "few-items",
    "mid-p limits of a rate of events": "uncertainty.exposure_midp_interval()",
    "rate of events in periods": "uncertainty.periods_interval()",
    "ratio of two rates over periods": "uncertainty.periods_ratio()",
    "reader study of two equal systems, as published": "few-readers",
    "difference of two systems on crossed items": "uncertainty.crossed_error()",
    "actual detection cost": "measures.actual_detection_cost()",
    "Cllr": "measures.cllr()",
    "share of all pairs of one set": "uncertainty.dyadic_spread()",
    "share of crossed items": "uncertainty.crossed_share_interval()",
    "wald, on average": "wald-share",
    "wald, at its lowest": "wald-share",
    "difference, wald": "wald-difference",
    "paired difference, wald": "wald-difference",
    "ratio of shares, log": "uncertainty.share_ratio_interval()",
    "gate on a measure of calls over clusters": "gate-clusters",
    "difference over clusters, a rare kind unlike the rest": "unlike-clusters",
    "difference of weighted items, heavy ones unlike the rest": "unlike-weights",
    "P(equivalent) >= 0.95, paired": "chance-of-same",
    "P(equivalent) >= 0.95, independent": "chance-of-same",
    "kappa": "kappa-ase1",
    "difference of AUC, placement, two scores": "few-scores",
    "difference of AUC, placement": "few-scores",
    "AUC, DeLong, logit": "uncertainty.auc_interval()",
    "AUC, DeLong, Wald": "uncertainty.auc_interval()",
    "AUC, Newcombe": "uncertainty.newcombe_area_interval()",
    "AUC, bootstrap": "auc-bootstrap",
    "P_D at P_FA 0.1, bootstrap": "rate-bootstrap",
    "average precision, bootstrap": "precision-bootstrap",
    "ROC band, bootstrap": "band-bootstrap",
    "spherical score": "rare-items",
    "brier score": "rare-items",
    "log score": "rare-items",
    "log score, difference": "rare-items",
    "accuracy, clusters ignored": "clusters-ignored",
    "AUC, clusters ignored": "clusters-ignored",
    "MCC, cluster bootstrap": "cluster-bootstrap",
    "threshold by equal-rates": "threshold-interval",
    "threshold by max-sum": "threshold-interval",
    "threshold by sensitivity": "threshold-by-few",
    "McNemar, mid-p, every item discordant": "mcnemar-midp",
    "McNemar, asymptotic": "mcnemar-asymptotic",
    "score test of two samples": "score-sparse",
    "DeLong, difference of two areas": "large-sample-test",
    "accuracy above the no-information rate, binomial": "measures.no_information_test()",
    "McNemar of clusters, clusters ignored": "clusters-ignored",
    "bootstrap of calls, balanced accuracy": "large-sample-test",
    "uncorrected t-test of splits": "nobody is offered it",
    "P(best) with nothing known beforehand, said of the leader, overstates": "best-uniform",
    "best >= 0.975, weight ½, worst setting": "belief-rule",
    "best >= 0.975, weight 1, worst setting": "belief-rule",
    "best >= 0.995, worst setting": "belief-rule",
    "McNemar, exact, every 10 items, worst setting": "planning.stopping_properties()",
    "loss <= 0.005, worst setting": "belief-rule",
    "wald(1.0, 2.5), a smaller lead": "wald-between",
    "wald-msrb(1.5), leads, scheme A": "comparison.all_pairs_test()",
    "wald-msrb(1.5), leads, systems closer than planned for": "comparison.all_pairs_test()",
    "Wilson interval looked at again and again": "uncertainty.wilson_interval()",
}
"""What falls short, and the code of the caveat that says so in the answer.

``room.function()`` is what only a call of that function gives, which hands back numbers alone: its
documentation says it. The names are in :mod:`steelyard.results.shortfalls`.
"""

SAME = "the formula of functions that have a certificate, for the numbers of a plan or a curve"
VALUE = "a number, an expectation or a factor: it states no error rate"
REPEATED = "repeats what it is given again and again: it is what certificates are made with"

NO_CLAIM: dict[str, tuple[str, ...]] = {
    TAKEN: BESIDE[TAKEN],
    WORDS: tuple(
        name for name in BESIDE[WORDS] if name not in {"quality_cost_front", "rank_sets"}
    ),
    SAME: (
        "akaike_plan", "area_width", "compare_stopping_rules", "discrimination_curve",
        "equivalence_samples", "excess_exposure", "fixed_all_pairs",
        "fixed_properties", "found_properties",
        "fisher_interval", "kappa_width", "more_areas", "more_areas_until_best", "more_common",
        "more_independent", "more_placed_areas", "more_placed_until_best", "more_until_best",
        "open_alphas", "overlap_curve", "overlap_samples", "pair_alphas",
        "paired_equivalence_samples", "paired_samples_range", "raced_all_pairs",
        "ranking_probability_by_product", "selection_resolution", "simulated_properties",
        "detectable_mean_difference", "mean_assurance", "mean_assurance_samples",
        "mean_width_samples", "maurer_pontil_interval",
        "wilson_width",
    ),
    VALUE: (
        "acceptance_chance", "aic", "aicc", "akaike_difference", "all_of_k", "any_of_k",
        "area_variance", "check_exposure",
        "few_cluster_factor", "few_telling_clusters",
        "difference_spread", "items_for_quantile", "mean_of_ratios", "ratio_difference_spread",
        "ratio_spread", "skewness", "variance_components",
        "average_ranks", "bic", "brier_decomposition", "design_effect", "det_points",
        "discordance_range", "discordance_ratio", "exact_auc", "exact_kappa", "filled_bounds",
        "detection_cost", "finite_correction", "interpolated_precision", "kappa_context",
        "kappa_slopes",
        "kappa_variance", "likelihood_cost", "log_bayes_factor", "missing_difference_bounds",
        "normal_quantile", "odds_ratio", "paired_rates",
        "pilot_rates", "pilot_rivals", "ranked_models", "risk_coverage",
        "rival_pairs", "sequential_points",
        "shaffer_numbers", "smallest_lead", "stage_leads", "two_stage_point",
    ),
    REPEATED: ("cluster_resamples", "coverage_of", "rejections_of", "resample_scores"),
}  # fmt: skip
"""Functions that need no certificate, by the reason."""

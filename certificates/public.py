"""Which certificate answers for which public function, or why none has to.

A new interval, test or probability of the rooms ``uncertainty``, ``measures``, ``comparison`` and
``planning`` breaks a test until it stands here.
"""

from accuracy.beside import BESIDE, TAKEN, WORDS

__all__ = ["ANSWERED_BY", "AT_POINTS", "NO_CLAIM"]

ANSWERED_BY: dict[str, tuple[str, ...]] = {
    "proportions": (
        "accuracy", "agresti_coull_interval", "called_share", "class_share",
        "clopper_pearson_interval", "counted_accuracy", "false_discovery_rate",
        "false_negative_rate", "false_omission_rate", "false_positive_rate",
        "finite_rate_interval", "jeffreys_interval", "midp_interval", "no_information_rate",
        "npv", "precision", "prevalence", "proportion_interval", "rates_at_threshold", "recall",
        "recall_and_precision", "specificity", "wald_interval", "wilson_interval",
        "wilson_interval_effective",
    ),
    "differences": (
        "agresti_caffo_interval", "bonett_price_interval", "difference_interval", "mee_interval",
        "miettinen_nurminen_interval", "newcombe_interval", "newcombe_paired_interval",
        "odds_ratio_interval", "paired_difference_interval", "paired_wald_interval",
        "share_ratio_interval", "tango_interval", "wald_difference_interval",
    ),
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
        "score_test", "stuart_maxwell", "unconditional_exact", "weighted_kappa_test",
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
        "compare_with_control", "holm", "rank_sets", "shaffer_dynamic", "shaffer_static",
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
}  # fmt: skip
"""Families of certificates, and the functions whose claims are tried there."""

AT_POINTS: dict[str, str] = {
    "clusters": "what ignoring clusters costs, and measures whose like is searched beside them",
    "best": "how often a probability comes true is an average over the prior: the prior is drawn",
    "stopping": "what a rule costs, and how often it is right, at three leads; errors are searched",
    "campaigns": "campaigns as played, against the very number that is calculated",
}
"""Families in which some certificates stand beside the searched ones at points, with the reason."""

SAME = "the formula of functions that have a certificate, for the numbers of a plan or a curve"
VALUE = "a number, an expectation or a factor: it states no error rate"
REPEATED = "repeats what it is given again and again: it is what certificates are made with"

NO_CLAIM: dict[str, tuple[str, ...]] = {
    TAKEN: BESIDE[TAKEN],
    WORDS: tuple(name for name in BESIDE[WORDS] if name != "rank_sets"),
    SAME: (
        "akaike_plan", "area_width", "compare_stopping_rules", "discrimination_curve",
        "equivalence_samples", "fixed_all_pairs", "fixed_properties", "found_properties",
        "fisher_interval", "kappa_width", "more_areas", "more_areas_until_best", "more_common",
        "more_independent", "more_placed_areas", "more_placed_until_best", "more_until_best",
        "open_alphas", "overlap_curve", "overlap_samples", "pair_alphas",
        "paired_equivalence_samples", "paired_samples_range", "raced_all_pairs",
        "ranking_probability_by_product", "selection_resolution", "simulated_properties",
        "wilson_width",
    ),
    VALUE: (
        "aic", "aicc", "akaike_difference", "all_of_k", "any_of_k", "area_variance",
        "few_cluster_factor", "few_telling_clusters",
        "average_ranks", "bic", "brier_decomposition", "design_effect", "det_points",
        "discordance_range", "discordance_ratio", "exact_auc", "exact_kappa",
        "finite_correction", "interpolated_precision", "kappa_context", "kappa_slopes",
        "kappa_variance", "log_bayes_factor", "normal_quantile", "odds_ratio", "paired_rates",
        "pilot_rates", "pilot_rivals", "ranked_models", "rival_pairs", "shaffer_numbers",
        "smallest_lead", "stage_leads",
    ),
    REPEATED: ("cluster_resamples", "coverage_of", "rejections_of", "resample_scores"),
}  # fmt: skip
"""Functions that need no certificate, by the reason."""

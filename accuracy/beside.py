"""Functions that are not in the tables, each with its reason."""

__all__ = ["BESIDE"]

DRAWN = "drawn at random: how far it is off depends on the number of draws, not on arithmetic"
PASSES = "passes on numbers of functions that are judged"
TAKEN = "takes counts, thresholds or places from the data, and computes no number of its own"
WORDS = "answers in words, names or an order"

BESIDE: dict[str, tuple[str, ...]] = {
    DRAWN: (
        "all_pairs_properties", "bayesian_signed_rank", "bootstrap_areas", "bootstrap_auc_interval",
        "bootstrap_calls", "bootstrap_scores", "cluster_bootstrap", "cluster_posterior",
        "cluster_resamples", "clustered_ks_distance", "contrast_clusters", "contrast_weights",
        "coverage_of", "fixed_all_pairs",
        "found_properties", "paired_posterior", "permute_calls", "permute_scores",
        "pilot_assurance", "posterior_assurance", "raced_all_pairs", "rank_areas",
        "rejections_of", "resample_scores", "simulated_properties", "threshold_stability",
    ),
    PASSES: (
        "akaike_pairs", "akaike_plan", "all_pairs_samples", "all_pairs_test", "calibration_curve",
        "class_share", "compare_stopping_rules", "decision_curve", "difference_interval",
        "discrimination_curve", "double_test", "equivalence_samples", "fixed_properties",
        "more_areas", "more_common", "more_independent", "more_until_best", "one_against_rest",
        "open_alphas", "overlap_curve", "paired_difference_interval", "paired_equivalence_samples",
        "paired_samples_range", "pilot_rates", "pilot_rivals", "proportion_interval",
        "rates_at_threshold", "recall_and_precision", "rival_pairs", "selection_resolution",
        "start_race", "subset_with_best", "weighted_share_interval",
    ),
    TAKEN: (
        "agreement_weights", "call_table", "cluster_placements", "crossing", "every_nth_thresholds",
        "exact_number", "exact_share", "find_threshold", "fitted_model", "iso_performance",
        "linear_thresholds", "log_thresholds", "marginal_posteriors", "one_item_a_cluster",
        "pairs_won_twice", "point_at", "pooled_roc", "precision_recall", "promised", "ratings_of",
        "roc_at_thresholds", "roc_crossings", "roc_hull", "thresholds_at_detection_rates",
        "thresholds_at_false_alarm_rates",
    ),
    WORDS: (
        "auc_grade", "catalogue_entry", "cluster_caveats", "compact_letters", "guide_for",
        "landis_koch", "measure_names", "rank_sets", "run_double_test", "wald_decision",
        "warn_if_crossing", "warn_if_useless",
    ),
}  # fmt: skip

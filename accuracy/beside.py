"""Functions that are not in the tables, each with its reason."""

__all__ = ["BESIDE"]

DRAWN = "drawn at random: how far it is off depends on the number of draws, not on arithmetic"
LIMITS = (
    "limits of areas searched for along error rates, or what goes into that search: held to how "
    "often they are right, by certificates, and not judged by digits; their variances are"
)
PASSES = "passes on numbers of functions that are judged"
TAKEN = "takes counts, thresholds or places from the data, and computes no number of its own"
WORDS = "answers in words, names or an order"

BESIDE: dict[str, tuple[str, ...]] = {
    DRAWN: (
        "alike_common", "alike_independent", "all_pairs_properties", "bayesian_signed_rank",
        "bootstrap_areas", "bootstrap_auc_interval", "bootstrap_calls", "bootstrap_scores",
        "cluster_bootstrap", "cluster_posterior", "cluster_resamples", "clustered_ks_distance",
        "contrast_clusters", "contrast_weights", "coverage_of", "draw_strata", "fixed_all_pairs",
        "found_properties", "guarded_calls", "guarded_finite_interval", "paired_posterior",
        "permute_calls", "permute_scores", "pilot_assurance", "posterior_assurance",
        "probability_best_alike", "raced_all_pairs", "rank_areas", "rank_spreads", "rejections_of",
        "resample_scores", "simulated_properties", "threshold_stability",
    ),
    LIMITS: (
        "chance_area_larger", "clustered_area_spreads", "more_placed_areas",
        "more_placed_until_best", "placement_difference_interval", "placement_interval",
        "weigh_areas", "weigh_equivalence",
    ),
    PASSES: (
        "akaike_pairs", "akaike_plan", "all_pairs_samples", "all_pairs_test", "area_spread",
        "bound_best", "bound_overlaps", "calibration_curve", "class_share",
        "clustered_test_samples", "common_interval", "compare_stopping_rules", "decision_curve",
        "difference_interval", "discrimination_curve", "double_test", "equivalence_samples",
        "few_cluster_factor", "few_telling_clusters", "fixed_properties", "joint_area_spreads",
        "more_areas", "more_common", "more_independent", "more_until_best", "one_against_rest",
        "open_alphas", "overlap_curve", "overlap_samples", "own_area_spreads",
        "paired_difference_interval",
        "paired_equivalence_samples", "paired_samples_range", "pilot_rates", "pilot_rivals",
        "proportion_interval", "rates_at_threshold", "recall_and_precision", "rival_pairs",
        "selection_resolution", "start_race", "subset_with_best", "weighted_share_interval",
    ),
    TAKEN: (
        "agreement_weights", "call_table", "cluster_placements", "crossing", "every_nth_thresholds",
        "exact_number", "exact_share", "find_threshold", "fitted_model", "iso_performance",
        "linear_thresholds", "log_thresholds", "marginal_posteriors", "one_item_a_cluster",
        "overlap_ends", "pairs_won_twice", "point_at", "pooled_roc", "precision_recall", "promised",
        "ratings_of", "roc_at_thresholds", "roc_crossings", "roc_hull",
        "thresholds_at_detection_rates", "thresholds_at_false_alarm_rates",
    ),
    WORDS: (
        "auc_grade", "catalogue_entry", "cluster_caveats", "compact_letters", "declared",
        "guide_for", "landis_koch", "measure_names", "measure_tested_as", "rank_sets",
        "run_double_test", "wald_decision", "warn_if_crossing", "warn_if_useless",
    ),
}  # fmt: skip

"""Functions that are not in the tables, each with its reason."""

__all__ = ["BESIDE"]

DRAWN = "drawn at random: how far it is off depends on the number of draws, not on arithmetic"
LIMITS = (
    "limits of areas searched for along error rates, or what goes into that search: held to how "
    "often they are right, by certificates, and not judged by digits; their variances are"
)
PASSES = "passes on numbers of functions that are judged"
GOLDEN = (
    "held to golden numbers of independent programs to 1e-8 or better: tests/golden/acceptance.json"
)
TAKEN = "takes counts, thresholds or places from the data, and computes no number of its own"
WORDS = "answers in words, names or an order"

BESIDE: dict[str, tuple[str, ...]] = {
    DRAWN: (
        "alike_common", "alike_independent", "all_pairs_properties", "bayesian_signed_rank",
        "bca_mean_interval", "best_of_means", "bootstrap_areas", "bootstrap_auc_interval",
        "bootstrap_calls", "bootstrap_scores",
        "cluster_bootstrap", "cluster_posterior", "cluster_resamples", "clustered_ks_distance",
        "contrast_clusters", "contrast_weights", "coverage_of", "draw_strata", "fixed_all_pairs",
        "found_properties", "guarded_calls", "guarded_finite_interval", "paired_posterior",
        "permute_calls", "permute_scores", "pilot_assurance", "posterior_assurance",
        "probability_best_alike", "quantile_difference", "raced_all_pairs", "rank_areas",
        "rank_means", "rank_ratios", "rank_spreads", "rejections_of",
        "resample_scores", "simulated_properties", "threshold_stability",
    ),
    LIMITS: (
        "aurc_difference", "aurc_limits", "chance_area_larger", "clustered_area_spreads",
        "more_placed_areas",
        "more_placed_until_best", "placement_difference_interval", "placement_interval",
        "weigh_areas", "weigh_equivalence",
    ),
    PASSES: (
        "akaike_pairs", "akaike_plan", "all_pairs_samples", "all_pairs_test", "area_spread",
        "bound_best", "bound_overlaps", "calibration_curve", "class_share",
        "clustered_test_samples", "common_interval", "compare_stopping_rules", "decision_curve",
        "detectable_mean_difference", "difference_interval", "discrimination_curve", "double_test",
        "estimate_mean", "equivalence_samples", "excess_exposure",
        "few_cluster_factor", "few_telling_clusters", "fixed_properties", "joint_area_spreads",
        "guard_readers", "mean_assurance", "mean_assurance_samples", "mean_samples",
        "mean_width_samples", "more_areas", "more_common", "more_independent", "more_until_best",
        "one_against_rest", "open_alphas", "overlap_curve", "overlap_samples", "own_area_spreads",
        "paired_difference_interval",
        "paired_equivalence_samples", "paired_samples_range", "periods_ratio", "pilot_rates",
        "pilot_rivals",
        "proportion_interval", "rates_at_threshold", "ratio_difference_spread",
        "recall_and_precision", "rival_pairs",
        "selection_resolution", "start_betting", "start_race", "subset_with_best",
        "weighted_share_interval",
    ),
    GOLDEN: (
        "acceptance_chance", "acceptance_plan", "actual_detection_cost", "area_parts",
        "check_exposure", "cllr", "cluster_quantile_interval", "crossed_error",
        "crossed_interval",
        "crossed_share_interval", "crossed_spread", "detection_cost", "dyadic_spread",
        "exposure_interval", "exposure_midp_interval", "exposure_plan", "exposure_ratio",
        "exposure_ratio_power", "exposure_sequence", "filled_bounds", "garwood_interval",
        "judged_means",
        "judged_means_of_clusters", "least_cllr", "least_detection_cost", "likelihood_cost",
        "missing_difference_bounds", "missing_share_bounds", "periods_interval", "ppi_mean",
        "promised_threshold", "reader_power", "reader_study", "risk_coverage", "sequential_plan",
        "sequential_points", "two_stage_plan", "two_stage_point", "zero_event_exposure",
        "unseen_limits", "zero_failure_trials",
    ),
    TAKEN: (
        "agreement_weights", "call_table", "cluster_placements", "crossing", "every_nth_thresholds",
        "exact_number", "exact_share", "find_threshold", "fitted_model", "iso_performance",
        "linear_thresholds", "log_thresholds", "marginal_posteriors", "one_item_a_cluster",
        "overlap_ends", "pairs_won_twice", "point_at", "pooled_roc", "precision_recall", "promised",
        "ratings_of", "roc_at_thresholds", "roc_crossings", "roc_hull",
        "signed_differences", "thresholds_at_detection_rates", "thresholds_at_false_alarm_rates",
    ),
    WORDS: (
        "auc_grade", "catalogue_entry", "cluster_caveats",
        "compact_letters", "declared",
        "guide_for", "landis_koch", "measure_names", "measure_tested_as", "quality_cost_front",
        "rank_cliques", "rank_sets",
        "run_double_test", "value_caveats", "wald_decision", "warn_if_crossing", "warn_if_useless",
    ),
}  # fmt: skip

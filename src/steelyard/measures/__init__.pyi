from .agreement.class_weights import ClassWeights, agreement_weights
from .agreement.kappa import (
    KappaTest,
    cohen_kappa,
    exact_kappa,
    kappa_slopes,
    kappa_test,
    landis_koch,
)
from .agreement.kappa_contexts import KappaContext, kappa_context
from .agreement.kappa_interval import KAPPA_INTERVALS, KappaInterval
from .agreement.krippendorff import AlphaMetric, krippendorff_alpha
from .agreement.raters import (
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    observed_agreement,
    pabak,
)
from .agreement.ratings import Rated, Ratings, ratings_of
from .agreement.weighted_kappas import weighted_kappa, weighted_kappa_test
from .calibration.brier import brier_score
from .calibration.clustered_forecasts import (
    clustered_proper_difference,
    clustered_proper_score,
    clustered_recalibration,
)
from .calibration.curve import (
    Binning,
    BrierParts,
    CalibrationBin,
    brier_decomposition,
    calibration_curve,
)
from .calibration.decision_curves import DecisionPoint, decision_curve, net_benefit
from .calibration.errors import CalibrationError, calibration_error
from .calibration.line import Recalibration, recalibration
from .calibration.proper_scores import ProperRule, proper_difference, proper_score
from .catalogue.guide import Problem, guide_for
from .catalogue.listing import CATALOGUE, catalogue_entry, declared, measure_tested_as
from .catalogue.measure import CatalogueEntry, Measure
from .information import (
    CRITERIA,
    Criterion,
    FittedModel,
    ModelRank,
    aic,
    aicc,
    bic,
    fitted_model,
    log_bayes_factor,
    ranked_models,
)
from .pass_at_k import (
    ESTIMANDS,
    Estimand,
    all_of_k,
    any_of_k,
    asked_again_interval,
    tries_estimate,
)
from .roc.areas import auc, auc_grade, exact_auc
from .roc.average import AveragedRoc, RateBand, average_roc, pooled_roc
from .roc.convex_hull import IsoPerformance, iso_performance, roc_hull
from .roc.crossing import roc_crossings, warn_if_crossing
from .roc.curve import OperatingPoint, RocCurve
from .roc.det import DetPoints, det_points, equal_error_rate
from .roc.generation import (
    every_nth_thresholds,
    linear_thresholds,
    log_thresholds,
    roc_at_thresholds,
    thresholds_at_detection_rates,
    thresholds_at_false_alarm_rates,
)
from .roc.multiclass import hand_till, one_against_rest, rest_areas
from .roc.operating_rates import (
    detection_rate_at,
    false_alarm_rate_at,
    rates_at_threshold,
)
from .roc.partial_area import partial_auc
from .roc.pr_curve import (
    PR_AREAS,
    PrecisionRecall,
    average_precision,
    interpolated_precision,
    pr_area,
    precision_recall,
)
from .roc.threshold_rules import (
    RULES,
    ThresholdMethod,
    ThresholdQuestion,
    promised,
)
from .roc.thresholds import (
    FoundThreshold,
    ThresholdStability,
    find_threshold,
    point_at,
    threshold_stability,
)
from .rounding import Number, Rounding, exact_number, exact_share
from .selective import (
    PromisedThreshold,
    RiskCoverage,
    RiskPoint,
    ThresholdStep,
    promised_threshold,
    risk_coverage,
)
from .selective_limits import AurcDifference, AurcLimits, aurc_difference, aurc_limits
from .tables.at_thresholds import Costs, measure_names
from .tables.averages import Averaging, average, f1, f_beta
from .tables.balanced import balanced_accuracy, informedness, markedness
from .tables.clustered import (
    cluster_bootstrap,
    cluster_caveats,
    clustered_accuracy,
    clustered_class_share,
    clustered_kappa,
    clustered_trials,
    one_item_a_cluster,
)
from .tables.clustered_measures import clustered_measure, clustered_measures
from .tables.correlation import mcc
from .tables.costs import expected_cost
from .tables.detection import (
    accuracy,
    called_share,
    class_share,
    counted_accuracy,
    npv,
    precision,
    prevalence,
    recall,
    recall_and_precision,
    specificity,
)
from .tables.error_rates import (
    false_discovery_rate,
    false_negative_rate,
    false_omission_rate,
    false_positive_rate,
)
from .tables.likelihood import (
    diagnostic_odds_ratio,
    likelihood_ratio_negative,
    likelihood_ratio_positive,
    npv_at,
    ppv_at,
)
from .tables.shares import CLASS_SHARES
from .tables.unanswered import filled_bounds
from .tables.useless import (
    NoInformationTest,
    no_information_rate,
    no_information_test,
    warn_if_useless,
)
from .targeting.clustered import (
    clustered_benefits,
    clustered_gains,
    clustered_gini,
    clustered_ks_distance,
)
from .targeting.curve import (
    DECILES,
    PERCENTILES,
    GainCurve,
    Targeted,
    captured_at,
    gain_curve,
    gini,
    ks_distance,
    lift_at,
    precision_at,
)
from .vectors.clustered import (
    clustered_auc,
    clustered_vector_difference,
    clustered_vector_score,
)
from .vectors.contrast import UNIFORM_SCORES
from .vectors.scores import vector_difference, vector_score
from .vectors.weighted import weighted_vector_difference, weighted_vector_score
from .verification import (
    DetectionCost,
    DetectionPoint,
    LikelihoodCost,
    actual_detection_cost,
    cllr,
    detection_cost,
    least_cllr,
    least_detection_cost,
    likelihood_cost,
)

__all__ = [
    "CATALOGUE",
    "CLASS_SHARES",
    "CRITERIA",
    "DECILES",
    "ESTIMANDS",
    "KAPPA_INTERVALS",
    "PERCENTILES",
    "PR_AREAS",
    "RULES",
    "UNIFORM_SCORES",
    "AlphaMetric",
    "AurcDifference",
    "AurcLimits",
    "AveragedRoc",
    "Averaging",
    "Binning",
    "BrierParts",
    "CalibrationBin",
    "CalibrationError",
    "CatalogueEntry",
    "ClassWeights",
    "Costs",
    "Criterion",
    "DecisionPoint",
    "DetPoints",
    "DetectionCost",
    "DetectionPoint",
    "Estimand",
    "FittedModel",
    "FoundThreshold",
    "GainCurve",
    "IsoPerformance",
    "KappaContext",
    "KappaInterval",
    "KappaTest",
    "LikelihoodCost",
    "Measure",
    "ModelRank",
    "NoInformationTest",
    "Number",
    "OperatingPoint",
    "PrecisionRecall",
    "Problem",
    "PromisedThreshold",
    "ProperRule",
    "RateBand",
    "Rated",
    "Ratings",
    "Recalibration",
    "RiskCoverage",
    "RiskPoint",
    "RocCurve",
    "Rounding",
    "Targeted",
    "ThresholdMethod",
    "ThresholdQuestion",
    "ThresholdStability",
    "ThresholdStep",
    "accuracy",
    "actual_detection_cost",
    "agreement_weights",
    "aic",
    "aicc",
    "all_of_k",
    "any_of_k",
    "asked_again_interval",
    "auc",
    "auc_grade",
    "aurc_difference",
    "aurc_limits",
    "average",
    "average_precision",
    "average_roc",
    "balanced_accuracy",
    "bic",
    "brier_decomposition",
    "brier_score",
    "calibration_curve",
    "calibration_error",
    "called_share",
    "captured_at",
    "catalogue_entry",
    "class_share",
    "cllr",
    "cluster_bootstrap",
    "cluster_caveats",
    "clustered_accuracy",
    "clustered_auc",
    "clustered_benefits",
    "clustered_class_share",
    "clustered_gains",
    "clustered_gini",
    "clustered_kappa",
    "clustered_ks_distance",
    "clustered_measure",
    "clustered_measures",
    "clustered_proper_difference",
    "clustered_proper_score",
    "clustered_recalibration",
    "clustered_trials",
    "clustered_vector_difference",
    "clustered_vector_score",
    "cohen_kappa",
    "conger_kappa",
    "counted_accuracy",
    "decision_curve",
    "declared",
    "det_points",
    "detection_cost",
    "detection_rate_at",
    "diagnostic_odds_ratio",
    "equal_error_rate",
    "every_nth_thresholds",
    "exact_auc",
    "exact_kappa",
    "exact_number",
    "exact_share",
    "expected_cost",
    "f1",
    "f_beta",
    "false_alarm_rate_at",
    "false_discovery_rate",
    "false_negative_rate",
    "false_omission_rate",
    "false_positive_rate",
    "filled_bounds",
    "find_threshold",
    "fitted_model",
    "fleiss_kappa",
    "gain_curve",
    "gini",
    "guide_for",
    "gwet_ac",
    "hand_till",
    "informedness",
    "interpolated_precision",
    "iso_performance",
    "kappa_context",
    "kappa_slopes",
    "kappa_test",
    "krippendorff_alpha",
    "ks_distance",
    "landis_koch",
    "least_cllr",
    "least_detection_cost",
    "lift_at",
    "likelihood_cost",
    "likelihood_ratio_negative",
    "likelihood_ratio_positive",
    "linear_thresholds",
    "log_bayes_factor",
    "log_thresholds",
    "markedness",
    "mcc",
    "measure_names",
    "measure_tested_as",
    "net_benefit",
    "no_information_rate",
    "no_information_test",
    "npv",
    "npv_at",
    "observed_agreement",
    "one_against_rest",
    "one_item_a_cluster",
    "pabak",
    "partial_auc",
    "point_at",
    "pooled_roc",
    "ppv_at",
    "pr_area",
    "precision",
    "precision_at",
    "precision_recall",
    "prevalence",
    "promised",
    "promised_threshold",
    "proper_difference",
    "proper_score",
    "ranked_models",
    "rates_at_threshold",
    "ratings_of",
    "recalibration",
    "recall",
    "recall_and_precision",
    "rest_areas",
    "risk_coverage",
    "roc_at_thresholds",
    "roc_crossings",
    "roc_hull",
    "specificity",
    "threshold_stability",
    "thresholds_at_detection_rates",
    "thresholds_at_false_alarm_rates",
    "tries_estimate",
    "vector_difference",
    "vector_score",
    "warn_if_crossing",
    "warn_if_useless",
    "weighted_kappa",
    "weighted_kappa_test",
    "weighted_vector_difference",
    "weighted_vector_score",
]

"""The answers: frozen, and able to say themselves, tabulate and serialise."""

from steelyard.results.base import ROW_COLUMNS, Cell, Result
from steelyard.results.calibrated import (
    Calibration,
    CalibrationGroup,
    ClassCalibration,
    ScoreDifference,
    SystemScores,
)
from steelyard.results.campaign import (
    CampaignCondition,
    CampaignPoint,
    CampaignStatus,
    CampaignStop,
    CampaignSystem,
)
from steelyard.results.campaign_records import (
    CampaignCheck,
    CampaignEntry,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
    NextSystem,
    RuleBehaviour,
)
from steelyard.results.cell_detail import CellDetail
from steelyard.results.comparison import (
    ComparedMeasure,
    ComparedPair,
    ComparedSystem,
    Comparison,
    SliceComparison,
    Verdict,
)
from steelyard.results.contacts import Benefit, Contacted, SystemTargeting, Targeting
from steelyard.results.estimates import Estimate, Interval, Proportion, tidy_row
from steelyard.results.evaluation import ClassMeasures, Evaluation, Holds, SystemEvaluation
from steelyard.results.gate import Claim, Gate, GateCheck, GateOutcome
from steelyard.results.leaderboard import (
    AlgorithmPair,
    CellScore,
    CellState,
    Leaderboard,
    OverProblems,
    RankedAlgorithm,
    SignedRankChance,
)
from steelyard.results.measured import Measured
from steelyard.results.models import Models, RankedModel
from steelyard.results.more import MoreSamples
from steelyard.results.plain import from_plain, to_plain
from steelyard.results.plan import (
    Plan,
    PlanDesign,
    PlanGoal,
    PlanMeasure,
    PlannedRule,
    PlannedSystem,
    PlanOption,
    PlanQuestion,
    PlanStep,
)
from steelyard.results.provenance import InputRecord, Provenance
from steelyard.results.rater_agreement import Agreement, RaterPair
from steelyard.results.readable import rows_table
from steelyard.results.reading import KINDS, read_result
from steelyard.results.roc_curves import (
    AveragedCurve,
    ClassAreas,
    CostLine,
    CurveBand,
    CurvePoint,
    RateLine,
    RocCurves,
    RocPlace,
    SystemRoc,
)
from steelyard.results.threshold_choice import (
    FoldThreshold,
    MethodThreshold,
    SweptThreshold,
    ThresholdChoice,
)
from steelyard.results.working import Sheet, SheetRow, Working

__all__ = [
    "KINDS",
    "ROW_COLUMNS",
    "Agreement",
    "AlgorithmPair",
    "AveragedCurve",
    "Benefit",
    "Calibration",
    "CalibrationGroup",
    "CampaignCheck",
    "CampaignCondition",
    "CampaignEntry",
    "CampaignHistory",
    "CampaignNext",
    "CampaignPoint",
    "CampaignRule",
    "CampaignStatus",
    "CampaignStop",
    "CampaignSystem",
    "Cell",
    "CellDetail",
    "CellScore",
    "CellState",
    "Claim",
    "ClassAreas",
    "ClassCalibration",
    "ClassMeasures",
    "ComparedMeasure",
    "ComparedPair",
    "ComparedSystem",
    "Comparison",
    "Contacted",
    "CostLine",
    "CurveBand",
    "CurvePoint",
    "Estimate",
    "Evaluation",
    "FoldThreshold",
    "Gate",
    "GateCheck",
    "GateOutcome",
    "Holds",
    "InputRecord",
    "Interval",
    "Leaderboard",
    "Measured",
    "MethodThreshold",
    "Models",
    "MoreSamples",
    "NextSystem",
    "OverProblems",
    "Plan",
    "PlanDesign",
    "PlanGoal",
    "PlanMeasure",
    "PlanOption",
    "PlanQuestion",
    "PlanStep",
    "PlannedRule",
    "PlannedSystem",
    "Proportion",
    "Provenance",
    "RankedAlgorithm",
    "RankedModel",
    "RateLine",
    "RaterPair",
    "Result",
    "RocCurves",
    "RocPlace",
    "RuleBehaviour",
    "ScoreDifference",
    "Sheet",
    "SheetRow",
    "SignedRankChance",
    "SliceComparison",
    "SweptThreshold",
    "SystemEvaluation",
    "SystemRoc",
    "SystemScores",
    "SystemTargeting",
    "Targeting",
    "ThresholdChoice",
    "Verdict",
    "Working",
    "from_plain",
    "read_result",
    "rows_table",
    "tidy_row",
    "to_plain",
]

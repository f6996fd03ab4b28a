from .base import ROW_COLUMNS, Cell, Result
from .calibrated import (
    Calibration,
    CalibrationGroup,
    ClassCalibration,
    ScoreDifference,
    SystemScores,
)
from .campaign import (
    CampaignCondition,
    CampaignPoint,
    CampaignStatus,
    CampaignStop,
    CampaignSystem,
)
from .campaign_records import (
    CampaignCheck,
    CampaignEntry,
    CampaignHistory,
    CampaignNext,
    CampaignRule,
    NextSystem,
    RuleBehaviour,
)
from .cell_detail import CellDetail
from .comparison import (
    ComparedMeasure,
    ComparedPair,
    ComparedSystem,
    Comparison,
    SliceComparison,
    Verdict,
)
from .contacts import Benefit, Contacted, SystemTargeting, Targeting
from .estimates import Estimate, Interval, Proportion, tidy_row
from .evaluation import ClassMeasures, Evaluation, Holds, SystemEvaluation
from .gate import Claim, Gate, GateCheck, GateOutcome
from .leaderboard import (
    AlgorithmPair,
    CellScore,
    CellState,
    Leaderboard,
    OverProblems,
    RankedAlgorithm,
    SignedRankChance,
)
from .measured import Measured
from .models import Models, RankedModel
from .more import MoreSamples
from .plain import from_plain, to_plain
from .plan import (
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
from .provenance import InputRecord, Provenance
from .rater_agreement import Agreement, RaterPair
from .readable import rows_table
from .reading import KINDS, read_result
from .roc_curves import (
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
from .threshold_choice import (
    FoldThreshold,
    MethodThreshold,
    SweptThreshold,
    ThresholdChoice,
)
from .working import Sheet, SheetRow, Working

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

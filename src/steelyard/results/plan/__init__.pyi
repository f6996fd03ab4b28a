from .acceptance import Acceptance, AcceptancePoint, AcceptanceWay
from .data import (
    Plan,
    PlanDesign,
    PlanGoal,
    PlanMeasure,
    PlannedRule,
    PlannedSystem,
    PlanOption,
    PlanQuestion,
    PlanStep,
    ValuePlan,
)

__all__ = [
    "Acceptance",
    "AcceptancePoint",
    "AcceptanceWay",
    "Plan",
    "PlanDesign",
    "PlanGoal",
    "PlanMeasure",
    "PlanOption",
    "PlanQuestion",
    "PlanStep",
    "PlannedRule",
    "PlannedSystem",
    "ValuePlan",
]

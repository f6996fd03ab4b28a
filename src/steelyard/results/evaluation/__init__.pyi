from .data import ClassMeasures, Evaluation, Holds, SystemEvaluation
from .exposure import EventRates, RateRatio, SystemEvents
from .values import EvaluatedValues, JudgeRecord, ValueEvaluation, ValueName

__all__ = [
    "ClassMeasures",
    "EvaluatedValues",
    "Evaluation",
    "EventRates",
    "Holds",
    "JudgeRecord",
    "RateRatio",
    "SystemEvaluation",
    "SystemEvents",
    "ValueEvaluation",
    "ValueName",
]

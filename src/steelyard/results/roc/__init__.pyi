from .data import (
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

__all__ = [
    "AveragedCurve",
    "ClassAreas",
    "CostLine",
    "CurveBand",
    "CurvePoint",
    "RateLine",
    "RocCurves",
    "RocPlace",
    "SystemRoc",
]

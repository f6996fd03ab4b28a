"""Everything a report shows, found in one walk over the data, and found again to verify it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, Unpack

from steelyard import tally
from steelyard.errors import NotComparable, RefusedData, RequestError
from steelyard.journey.comparison.compare import compare
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.opening import open_data
from steelyard.journey.option_types import ReportOptions, ReportSettings
from steelyard.journey.options import options_of, settle, takes
from steelyard.journey.roc_curves.drawing import ScoreCurve, score_curve
from steelyard.results import Comparison, Evaluation
from steelyard.sources import Predictions

__all__ = ["ARGUMENTS", "ReportContent", "differences", "report_content"]

ASKED: tuple[Literal["level", "alpha", "margin", "prior", "rng"], ...] = (
    "level", "alpha", "margin", "prior", "rng",
)  # fmt: skip
"""In the order in which a report keeps them."""
ARGUMENTS = frozenset(options_of("report", "python")) - {"observe"}
"""What a report may keep to find its numbers again; nothing else is taken from a file."""
TOLERANCE = 1e-9
SMALLEST = 1e-12
"""Numbers nearer to each other than this are the same, however small they are."""
FOREIGN = ("version", "inputs", "understood", "sentence", "headline")
"""Parts of a record that may differ between machines without a number being wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """What was found, what was refused, and the arguments that find it again.

    ``shown`` is the system whose thresholds are looked at first.
    """

    evaluation: Evaluation
    comparison: Comparison | None
    curves: tuple[ScoreCurve, ...]
    refusals: tuple[str, ...]
    arguments: tuple[tuple[str, Any], ...]
    shown: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give what a report keeps for verification, as plain data."""
        return {
            "arguments": {name: _list(value) for name, value in self.arguments},
            "evaluation": self.evaluation.to_dict(),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "refusals": list(self.refusals),
            "operating_points": [
                {
                    "system": curve.system,
                    "points": [[s.threshold, s.tp, s.fp, s.fn, s.tn] for s in curve.stops],
                }
                for curve in self.curves
            ],
        }


@takes("report")
def report_content(data: Any, **options: Unpack[ReportOptions]) -> ReportContent:  # noqa: ANN401
    """Evaluate and compare the systems, and trace their curves where they give scores.

    Takes what :func:`steelyard.compare` takes. A comparison that the data do not allow is not an
    error here: the report says why it is missing. A margin or a prior that does not fit is one.
    """
    own: ReportSettings
    own, roles = settle("report", options)
    asked: dict[str, Any] = {name: own[name] for name in ASKED}
    predictions = open_data(data, roles)
    evaluation = evaluate(predictions, level=own["level"])
    refusals = []
    comparison = None
    try:
        comparison = compare(predictions, **asked)
    except NotComparable as error:
        if own["margin"] is not None or own["prior"] is not None:
            raise
        refusals.append(f"No comparison: {error}")
    shown = _choose_system(
        evaluation, [one.name for one in predictions.holding("score")], own["shown"]
    )
    if own["at"] is not None and (shown is None or not isfinite(own["at"])):
        message = f"at={own['at']} is the threshold to begin at, of a system that gives scores."
        raise RequestError(message)
    curves, refused = _curves(predictions, own["level"], {shown: own["at"]})
    begin = {"at": own["at"], "shown": own["shown"]}
    said = {name: value for name, value in roles.items() if name != "observe"}
    return ReportContent(
        evaluation=evaluation,
        comparison=comparison,
        curves=curves,
        refusals=(*refusals, *refused),
        arguments=tuple(
            (name, value) for name, value in {**said, **asked, **begin}.items() if value is not None
        ),
        shown=shown,
    )


def _choose_system(evaluation: Evaluation, scored: Sequence[str], wanted: str | None) -> str | None:
    """Begin with the system that was chosen, else with the one of the highest area."""
    if wanted is not None and wanted not in scored:
        raise RequestError.for_choice(name="shown", given=wanted, choices=scored or ["none"])
    areas = {one.system: one.area.value or 0.0 for one in evaluation.systems if one.area}
    ranked = sorted(scored, key=lambda name: -areas.get(name, 0.0))
    return wanted or next(iter(ranked), None)


def _curves(
    predictions: Predictions, level: float, begin: Mapping[str | None, float | None]
) -> tuple[tuple[ScoreCurve, ...], tuple[str, ...]]:
    scored = predictions.holding("score")
    if scored and predictions.weighted:
        return (), ("No ROC curves: rows carry weights, and the curves would count rows.",)
    curves, refused = [], []
    for system in scored:
        try:
            table = tally.tally_score_table(predictions, system)
            curves.append(score_curve(system.name, table, level=level, at=begin.get(system.name)))
        except RefusedData as error:
            refused.append(f"No ROC curve of {system.name}: {error}")
    return tuple(curves), tuple(refused)


def _list(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, Mapping):
        return {name: _list(one) for name, one in value.items()}
    return list(value) if isinstance(value, tuple) else value


def differences(saved: Any, found: Any, path: str = "") -> list[str]:  # noqa: ANN401
    """List where saved and found data part: whole numbers and text exactly, others to 1e-9.

    What may differ between machines (version, names of files, words of the reader) is passed over.

    Examples
    --------
    >>> differences({"items": 899, "auc": 0.5}, {"items": 898, "auc": 0.5 + 1e-13})
    ['items: the report says 899, the data give 898']
    """
    if isinstance(saved, Mapping) and isinstance(found, Mapping):
        names = [*saved, *(name for name in found if name not in saved)]
        inner = [
            differences(saved.get(name), found.get(name), f"{path}.{name}" if path else name)
            for name in names
            if name not in FOREIGN
        ]
        return [one for part in inner for one in part]
    if isinstance(saved, list) and isinstance(found, list):
        if len(saved) != len(found):
            return [f"{path}: the report has {len(saved)} entries, the data give {len(found)}"]
        inner = [
            differences(one, other, f"{path}[{place}]")
            for place, (one, other) in enumerate(zip(saved, found, strict=True))
        ]
        return [one for part in inner for one in part]
    if _same(saved, found):
        return []
    return [f"{path}: the report says {saved!r}, the data give {found!r}"]


def _same(saved: object, found: object) -> bool:
    if isinstance(saved, float) and isinstance(found, float):
        nearness = max(TOLERANCE * max(abs(saved), abs(found)), SMALLEST)
        return abs(saved - found) <= nearness
    return type(saved) is type(found) and saved == found

"""Everything a report shows, found in one walk over the data, and found again to verify it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Literal, Unpack, cast

from steelyard import tally
from steelyard.errors import NotComparable, RefusedData, RequestError
from steelyard.journey.comparison.compare import compare
from steelyard.journey.evaluation.evaluate import evaluate
from steelyard.journey.opening import open_data
from steelyard.journey.option_types import ReportOptions, ReportSettings
from steelyard.journey.options import options_of, settle, takes
from steelyard.journey.roc_curves.drawing import ScoreCurve, score_curve
from steelyard.results import Comparison, DatasetComparison, Evaluation
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

    A table of data sets is only compared: it holds no items to evaluate. ``shown`` is the system
    whose thresholds are looked at first.
    """

    evaluation: Evaluation | None
    comparison: Comparison | DatasetComparison | None
    curves: tuple[ScoreCurve, ...]
    refusals: tuple[str, ...]
    arguments: tuple[tuple[str, Any], ...]
    shown: str | None = None

    @property
    def answer(self) -> Evaluation | Comparison | DatasetComparison:
        """The part that the first lines say."""
        found = self.comparison or self.evaluation
        assert found is not None, "a report answers something"
        return found

    @property
    def parts(self) -> list[Evaluation | Comparison | DatasetComparison]:
        """What was found, in the order of the report."""
        return [one for one in (self.evaluation, self.comparison) if one is not None]

    @property
    def systems(self) -> list[str]:
        """Whom it is about."""
        return [one.system for one in self.parts[0].systems]

    def to_dict(self) -> dict[str, Any]:
        """Give what a report keeps for verification, as plain data."""
        return {
            "arguments": {name: _list(value) for name, value in self.arguments},
            "evaluation": None if self.evaluation is None else self.evaluation.to_dict(),
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
    if own["layout"] == "datasets":
        return _of_datasets(data, own, roles)
    predictions = open_data(data, roles)
    evaluation = evaluate(predictions, level=own["level"])
    refusals = []
    comparison = None
    try:
        comparison = _compare(data, predictions, own, roles)
    except NotComparable as error:
        if any(own[name] is not None for name in ("margin", "prior", "cost")):
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
    return ReportContent(
        evaluation=evaluation,
        comparison=comparison,
        curves=curves,
        refusals=(*refusals, *refused),
        arguments=_list_given({**roles, **asked, "cost": own["cost"], **begin}),
        shown=shown,
    )


def _compare(
    data: Any,  # noqa: ANN401
    predictions: Predictions,
    own: ReportSettings,
    roles: Any,  # noqa: ANN401
) -> Comparison:
    asked: dict[str, Any] = {name: own[name] for name in ASKED}
    if own["cost"] is None:
        return cast("Comparison", compare(predictions, **asked))
    # Costs stand in columns of their own, so that the file is read for them again.
    return cast("Comparison", compare(data, **asked, cost=own["cost"], **roles))


def _of_datasets(data: Any, own: Any, roles: Any) -> ReportContent:  # noqa: ANN401
    """Rank algorithms over data sets; there are no thresholds to look at."""
    for name in ("at", "shown"):
        if own[name] is not None:
            message = f"{name}= (--{name}) is about thresholds, which a table of data sets has not."
            raise RequestError(message, code="layout")
    asked = {name: own[name] for name in ("layout", *ASKED, "cost")}
    return ReportContent(
        evaluation=None,
        comparison=compare(data, **asked, **roles),
        curves=(),
        refusals=(),
        arguments=_list_given({**roles, **asked}),
    )


def _list_given(arguments: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, value)
        for name, value in arguments.items()
        if name != "observe" and value is not None
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

"""The pictures of an evaluation."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Chart, confusion_chart, interval_chart
from steelyard.results.measured import Measured, sorted_by_value

if TYPE_CHECKING:
    from steelyard.results.evaluation import Evaluation, SystemEvaluation

__all__ = ["confusions_of", "evaluation_charts"]

MOST_CLASSES = 60


def evaluation_charts(evaluation: "Evaluation") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the systems first."""
    known: dict[str, Callable[[], Chart]] = {}
    if evaluation.systems:
        known["systems"] = lambda: _systems(evaluation)
    confused = [one for one in evaluation.systems if confusions_of(one) is not None]
    if confused:
        known["confusions"] = confusions_of(confused[0]) or known["systems"]
    return known


def confusions_of(system: "SystemEvaluation") -> Callable[[], Chart] | None:
    """Give the way to draw a system's confusions; None when it has none, or too many classes."""
    confusion = system.confusion
    if confusion is None or not 2 <= len(confusion.classes) <= MOST_CLASSES:
        return None
    counts = {(truth, called): rows for truth, called, rows in confusion.cells}
    matrix = [[counts.get((t, c), 0) for c in confusion.classes] for t in confusion.classes]
    return lambda: confusion_chart(
        confusion.classes, matrix, title=f"Confusions of {system.system}"
    )


def _systems(evaluation: "Evaluation") -> Chart:
    systems = evaluation.systems
    named: list[tuple[str, list[Measured | None]]] = [
        ("accuracy", [one.accuracy for one in systems]),
        ("AUC", [one.area for one in systems]),
        ("score", [one.vector[0] if one.vector else None for one in systems]),
    ]
    known = [(name, numbers) for name, numbers in named if any(numbers)]
    measure, numbers = known[0] if known else named[0]
    first = next((one for one in numbers if one is not None), None)
    rows = []
    for place in sorted_by_value(numbers):
        one = numbers[place]
        ends = None if one is None else one.interval
        low, high = (ends.low, ends.high) if ends else (None, None)
        rows.append((systems[place].system, None if one is None else one.value, low, high))
    return interval_chart(rows, measure=measure if first is None else first.measure)

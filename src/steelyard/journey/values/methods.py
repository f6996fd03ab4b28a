"""One method for numbers alone, with its full working."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from steelyard import tally
from steelyard.comparison.methods import Case
from steelyard.counts import ValueTable
from steelyard.journey.comparison.one_method import work_out
from steelyard.journey.comparison.question import Question, couples
from steelyard.journey.values.compare import comparable_averages, difference_tables
from steelyard.results import Working
from steelyard.sources import Predictions
from steelyard.sources.predictions import ValueScale

__all__ = ["answer_of_values"]


def answer_of_values(
    predictions: Predictions,
    question: Question,
    *,
    name: str,
    using: Mapping[str, Any] | None,
    segments: bool = False,
) -> Working:
    """Run one method on a number for each item."""
    averages = comparable_averages(predictions)
    scale = predictions.values
    # Items of one cluster are alike, and a test of single items would be far too confident.
    differences = None if averages.clustered else difference_tables(predictions, averages)
    case = Case(
        systems=averages.found.systems,
        pairing="common",
        level=question.level,
        alpha=question.alpha,
        margin=question.margin,
        seed=question.seed,
        higher_is_better=scale is not None and scale.better == "higher",
        averages=averages.found,
        segments=segments,
        errors=scale is not None and _counts_errors(scale, (differences or {}).values()),
        freedom=averages.freedom,
        differences=differences,
        without_error=_without_error(predictions) if name == "mapsswe" else {},
    )
    return work_out(case, question, name=name, using=using or {})


def _counts_errors(scale: ValueScale, differences: Iterable[ValueTable]) -> bool:
    """Tell numbers of errors: those per something, or whole ones of which fewer are better."""
    whole = all(bool(np.all(one.values == np.rint(one.values))) for one in differences)
    return scale.better == "lower" and (scale.per is not None or whole)


def _without_error(predictions: Predictions) -> dict[tuple[int, int], int]:
    systems = predictions.systems
    return {
        (i, j): tally.count_without_error(predictions, systems[i], systems[j])
        for i, j in couples(len(systems))
    }

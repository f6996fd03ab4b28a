"""Columns that live on a GPU: a few rows tell what they mean, and all are counted over there.

An answer does not depend on where rows live. Whatever counts cannot answer, and whatever looks
doubtful, is therefore answered from a copy of the rows on this machine, as for any other columns.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

import numpy as np

from steelyard.counts import JointCalls, PlacementSums
from steelyard.errors import RefusedData, RequestError
from steelyard.results import Evaluation, Result
from steelyard.sources import Predictions, Roles, open_plain_columns
from steelyard.tally import joint_calls_of
from steelyard.tally.device.doors import (
    are_of_classes,
    bring_home,
    device_placements,
    take_rows,
)
from steelyard.tally.device.libraries import is_on_device

__all__ = ["answer_there"]

SAMPLE = 10_000
"""So many rows tell what columns mean; of a file, too, as many are looked at for it."""
FEW_ROWS = 100_000
"""As many are here within milliseconds, so that nothing is gained by counting them there."""
PLAIN = ("truth", "positive", "systems")
"""Roles that counts keep; the others need rows."""

Answer = TypeVar("Answer", bound=Result)
Columns = Mapping[Any, Any]
Options = Mapping[str, Any]


def answer_there(
    verb: Callable[..., Answer],
    data: Columns,
    options: Options,
    *,
    positive: bool = False,
    rows: bool = False,
) -> Answer:
    """Let a verb answer from counts of columns that live on a device, or else from their copy.

    ``positive`` says that the verb wants to know of calls which class is the positive one, and
    ``rows`` that it has been asked something that counts do not answer.
    """
    try:
        counted = None if rows else _count(data, options)
        if counted is not None:
            own = {name: value for name, value in options.items() if name not in PLAIN}
            if positive and isinstance(counted.counts, JointCalls):
                own["positive"] = counted.sample.positive
            return _with_record(verb(counted.counts, **own), counted)
    except (RefusedData, RequestError):
        pass  # refused once more below, in the words for rows
    return verb({name: bring_home(column) for name, column in data.items()}, **options)


class _Counted(NamedTuple):
    """Counts of all rows, and what a sample of them was understood as."""

    counts: PlacementSums | JointCalls
    sample: Predictions
    rows: int


def _count(data: Columns, options: Options) -> _Counted | None:
    """Count columns where they are; None where that may not be the answer that rows have."""
    arrays = all(isinstance(one, np.ndarray) or is_on_device(one) for one in data.values())
    shapes = {tuple(one.shape) for one in data.values()} if arrays else set()
    rows = math.prod(next(iter(shapes))) if len(shapes) == 1 else 0
    if rows <= FEW_ROWS or not all(isinstance(name, str) for name in data):
        return None
    roles = Roles.of(**{name: options[name] for name in PLAIN if name in options})
    meant = open_plain_columns(
        {name: bring_home(take_rows(column, SAMPLE)) for name, column in data.items()}, roles
    )
    if meant is None:
        return None
    truth, sample = data[meant.truth], meant.predictions
    columns = {name: data[column] for name, column in meant.systems.items()}
    counts = _count_scores(truth, columns, sample) or _count_calls(truth, columns, sample)
    return None if counts is None else _Counted(counts, sample, rows)


def _count_scores(truth: Any, columns: Columns, sample: Predictions) -> PlacementSums | None:  # noqa: ANN401
    wanted = sample.positive
    if wanted is None or any(one.holds != "score" for one in sample.systems):
        return None
    if not are_of_classes(truth, sample.classes):
        return None  # a class so rare that the sample missed it
    return device_placements(truth, columns, pos_label=wanted)


def _count_calls(truth: Any, columns: Columns, sample: Predictions) -> JointCalls | None:  # noqa: ANN401
    if any(one.holds != "called" for one in sample.systems):
        return None
    counts = joint_calls_of(truth, columns)
    return counts if set(counts.classes) == set(sample.classes) else None


def _with_record(answer: Answer, counted: _Counted) -> Answer:
    """Let an answer from counts say what columns they are of, as an answer from rows does."""
    sample, known = counted.sample, answer.provenance  # type: ignore[attr-defined]
    where = (
        "counted",
        f"on the device; {SAMPLE:,} of {counted.rows:,} rows told what the columns mean",
    )
    record = replace(
        known,
        understood=(*sample.understood, where),
        settings=(*sample.settings, *known.settings),
        rows=counted.rows,
    )
    classes = {"classes": sample.classes} if isinstance(answer, Evaluation) else {}
    return replace(answer, provenance=record, **classes)  # type: ignore[call-arg]

"""A claim about items in clusters: what one more cluster, which was not seen, could do to it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from steelyard import tally
from steelyard.counts import Confusion
from steelyard.measures import CATALOGUE, measure_tested_as
from steelyard.measures.catalogue.asked import AskedMeasure
from steelyard.measures.tables.in_batches import Batch, table_measure
from steelyard.measures.tables.shares import declare_share
from steelyard.sources import Predictions, System
from steelyard.uncertainty import FEW_CLUSTERS
from steelyard.uncertainty.clusters.unseen import unseen_cluster_interval

__all__ = ["UNSEEN_CLUSTER", "reach_of_unseen", "unseen_items"]

UNSEEN_CLUSTER = (
    "limits allow for one more cluster, as large as the largest, in which every item counts "
    "against the claim: clusters that were not seen need not be like those that were"
)
Floats = NDArray[np.float64]
DRAWS = 4_000
MOST_GUARDED = 40
"""Classes of which one unseen item is tried; the limits of more depend on none of them."""


def reach_of_unseen(
    data: Predictions, system: System, asked: AskedMeasure, *, chance: float
) -> tuple[float, float] | None:
    """Limits with one more cluster, each of which errs with this chance; None where it is no help.

    Many clusters are taken to be like those not seen: single ones weigh little then, and the answer
    says what share of kinds may be missing.
    """
    counts = _share_counts(data, system, asked)
    if counts is not None:
        if len(counts) >= FEW_CLUSTERS or not counts:
            return None
        leads, tried = [2 * won - all_of for won, all_of in counts], [one for _, one in counts]
        low, high = unseen_cluster_interval(leads, tried, level=1 - 2 * chance)
        return (1 + low) / 2, (1 + high) / 2
    entry = asked.measure
    of_calls = entry.counts == "Confusion" and entry.formula is not None
    if not of_calls or set(entry.needs) - {"of"} or len(data.classes) > MOST_GUARDED:
        return None
    grouped = tally.tally_confusion_by(data, system, "cluster")
    if len(grouped) >= FEW_CLUSTERS:
        return None
    cells = np.stack([table.matrix() for _, table in grouped]).astype(np.float64)
    measure = table_measure(entry, grouped.merged().classes, of=asked.of or data.positive)
    return _lowest(cells, measure, chance), -_lowest(cells, lambda one: -measure(one), chance)


def _lowest(cells: Floats, measure: Batch, chance: float) -> float:
    """Weigh clusters again and again, with one more in which all items lower the measure."""
    whole, size = cells.sum(axis=0), cells.shape[1]
    amounts = cells.sum(axis=2).max(axis=0)
    unseen = np.zeros((size, size))
    for truth in range(size):
        kinds = np.zeros((size, size, size))
        kinds[np.arange(size), truth, np.arange(size)] = amounts[truth]
        unseen += kinds[np.argmin(_defined(measure(whole + kinds)))]
    rng = np.random.default_rng(0)
    rows = np.concatenate([cells, unseen[None]]).reshape(len(cells) + 1, -1)
    tables = (rng.standard_exponential((DRAWS, len(rows))) @ rows).reshape(DRAWS, size, size)
    return float(np.quantile(_defined(measure(tables)), chance, method="lower"))


def _defined(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, -np.inf)


def unseen_items(table: Confusion, of: str | None) -> Iterator[tuple[str, str]]:
    """List single items that were not seen: of each class one right and one wrong."""
    called = {name: sum(rows for _, call, rows in table.cells if call == name)
              for name in table.classes}  # fmt: skip
    for truth in table.classes[:MOST_GUARDED]:
        others = [name for name in table.classes if name != truth]
        yield truth, truth
        if others:
            yield truth, of if of in others else max(others, key=lambda name: called[name])


def _share_counts(
    data: Predictions, system: System, asked: AskedMeasure
) -> list[tuple[int, int]] | None:
    """Count what each cluster won, and out of what; None of a measure that is no plain share."""
    entry = asked.measure
    if entry.counts_right:
        right = [
            (part.correct[0], part.tested[0])
            for _, part in tally.tally_trials_by(data, "cluster", [system])
        ]
        turned = measure_tested_as(entry)[1].slope < 0
        return [(all_of - won if turned else won, all_of) for won, all_of in right if all_of]
    of = asked.of or data.positive
    if entry.parts is None or of not in data.classes:
        return None
    share = declare_share(CATALOGUE[entry.name], of)
    counts = []
    for _, table in tally.tally_confusion_by(data, system, "cluster"):
        among = [(rows, share.won(t, c)) for t, c, rows in table.cells if share.among(t, c)]
        counts.append((sum(rows for rows, won in among if won), sum(rows for rows, _ in among)))
    return [one for one in counts if one[1]]

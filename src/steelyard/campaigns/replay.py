"""Results become progress: batch by batch as they come, or all over again from the ledger."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from steelyard.campaigns.ledger.chain import Entry, ResultRow
from steelyard.campaigns.ledger.store import Known
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol, canonical, item_order

__all__ = ["Replay", "apply_entry", "fold_results", "reading_of", "replayed", "sweep"]

POINTS = 24
"""Looks of one batch that are kept for the picture of the path."""


def fold_results(
    progress: Progress, rows: Sequence[ResultRow], known: Mapping[str, Known], *, seq: int
) -> dict[str, Known]:
    """Count a batch; gives what is known of its items then.

    On common items an item counts as soon as every running system has answered it; before that
    it waits.
    """
    found: dict[str, Known] = {}
    for item, group in groupby(rows, key=lambda row: row.item):
        before = found.get(item) or known.get(item, Known())
        found[item] = _folded(progress, list(group), before, seq)
        progress.check_budget(seq)
    return found


def _folded(progress: Progress, rows: list[ResultRow], before: Known, seq: int) -> Known:
    tested, correct = before.tested, before.correct
    progress.seen += before.tested == 0
    common = progress.protocol.pairing == "common"
    for row in rows:
        tested |= 1 << row.system
        correct |= row.right << row.system
        progress.note(row.system, right=row.right)
        if not common:
            progress.count_result(row.system, right=row.right, seq=seq)
    if not common:
        return Known(tested, correct, seq)
    required = progress.required
    if before.counted or tested & required != required:
        return Known(tested, correct, before.counted)
    progress.count_item(correct, seq)
    return Known(tested, correct, seq)


def sweep(progress: Progress, waiting: Mapping[str, Known], *, seq: int) -> dict[str, Known]:
    """Count items that waited only for systems which are not tested any more."""
    found: dict[str, Known] = {}
    if progress.protocol.pairing != "common":
        return found
    protocol = progress.protocol
    for item in item_order(sorted(waiting), order="random", seed=protocol.seed):
        one = waiting[item]
        required = progress.required
        if one.counted == 0 and one.tested & required == required:
            progress.count_item(one.correct, seq)
            found[item] = Known(one.tested, one.correct, seq)
    return found


@dataclass(slots=True)
class Replay:
    """A campaign rebuilt: its progress and what is known of every item."""

    progress: Progress
    known: dict[str, Known] = field(default_factory=dict)

    def waiting(self) -> dict[str, Known]:
        """Items that do not count yet."""
        return {item: one for item, one in self.known.items() if one.counted == 0}


def apply_entry(replay: Replay, entry: Entry, rows: Sequence[ResultRow]) -> None:
    """Let one entry happen again; corrections are not among them, see :func:`replayed`."""
    progress = replay.progress
    before = progress.required
    if entry.kind == "results":
        replay.known.update(fold_results(progress, rows, replay.known, seq=entry.seq))
    elif entry.kind == "drop":
        progress.drop(int(json.loads(entry.body)["place"]), entry.seq)
    elif entry.kind == "close":
        progress.close(entry.seq)
    if progress.required != before:
        replay.known.update(sweep(progress, replay.waiting(), seq=entry.seq))


def replayed(
    protocol: Protocol, entries: Iterable[Entry], rows: Mapping[int, Sequence[ResultRow]]
) -> Replay:
    """Rebuild a campaign from its entries and the results of each.

    A corrected result stands in the place of the one it replaces, with its new outcome: all
    decisions are then what they would have been, had it been right from the start.
    """
    listed = list(entries)
    last: dict[tuple[str, int], bool] = {}
    for entry in listed:
        for row in rows.get(entry.seq, ()):
            last[row.item, row.system] = row.right
    replay = Replay(Progress(protocol))
    for entry in listed:
        now = [row._replace(right=last[row.item, row.system]) for row in rows.get(entry.seq, ())]
        apply_entry(replay, entry, now)
    return replay


def reading_of(progress: Progress, points: Sequence[Sequence[float | None]] = ()) -> str:
    """Write down how a campaign stands after an entry, for its history and its picture."""
    told: dict[str, Any] = {
        "n": progress.n,
        "after": progress.after,
        "cost": progress.cost,
        "results": sum(progress.all_tested),
        "stop": progress.plain()["stop"],
        "running": list(progress.running),
        "points": [list(point) for point in points],
    }
    return canonical(told)

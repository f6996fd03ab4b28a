"""Results become progress: batch by batch as they come, or all over again from the ledger.

Pure functions of what was read: nothing here opens a ledger.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import groupby
from math import fsum, isclose
from typing import Any

from steelyard.campaigns.ledger.queries import CampaignView
from steelyard.campaigns.ledger.records import Entry, Known, ResultRow, Stored, Totals, is_intact
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol, canonical, item_order
from steelyard.errors import LedgerError

__all__ = [
    "Replay",
    "Trail",
    "apply_entry",
    "current_progress",
    "fold_results",
    "load_progress",
    "reading_of",
    "replay_entries",
    "sweep",
]

POINTS = 24
"""Looks of one batch that are kept for the picture of the path."""


class Trail:
    """How the conditions stood at some of the looks of one entry."""

    def __init__(self, looks: int = 1) -> None:
        self.every = max(1, -(-looks // POINTS))
        self.looks = 0
        self.points: list[list[float | None]] = []

    def note_look(self, progress: Progress) -> None:
        """Note a look that was just taken, if it is one of those that are kept."""
        self.looks += 1
        if self.looks % self.every == 0 or progress.stop is not None:
            self.points.append(_point(progress))

    def points_until(self, progress: Progress) -> list[list[float | None]]:
        """Give all points, with that of the counts at the end."""
        if not progress.n:
            return self.points
        return [*(point for point in self.points if point[0] != progress.n), _point(progress)]


def _point(progress: Progress) -> list[float | None]:
    return [float(progress.n), *(judgement.value for _, judgement in progress.judgements())]


def fold_results(
    progress: Progress,
    rows: Sequence[ResultRow],
    known: Mapping[str, Known],
    *,
    seq: int,
    trail: Trail | None = None,
    held: dict[str, dict[int, float]] | None = None,
) -> dict[str, Known]:
    """Count a batch; gives what is known of its items then.

    On common items an item counts as soon as every running system has answered it; before that
    it waits. ``held`` are the numbers that its items have already, and get, where results are such.
    """
    held = {} if held is None else held
    trail = trail or Trail()
    found: dict[str, Known] = {}
    for item, group in groupby(rows, key=lambda row: row.item):
        before = found.get(item) or known.get(item, Known())
        values = held.setdefault(item, {}) if progress.numbers is not None else None
        found[item] = _fold_item(progress, list(group), before, trail, values=values, seq=seq)
        progress.check_budget(seq)
    return found


def _fold_item(
    progress: Progress,
    rows: list[ResultRow],
    before: Known,
    trail: Trail,
    *,
    values: dict[int, float] | None,
    seq: int,
) -> Known:
    tested, correct = before.tested, before.correct
    progress.seen += before.tested == 0
    common = progress.protocol.pairing == "common"
    for row in rows:
        tested |= 1 << row.system
        if values is None:
            correct |= bool(row.right) << row.system
        else:
            values[row.system] = float(row.right)
        progress.note(row.system, right=row.right)
        if not common and progress.count_result(row.system, right=row.right, seq=seq):
            trail.note_look(progress)
    if not common:
        return Known(tested, correct, seq)
    required = progress.required
    if before.counted or tested & required != required:
        return Known(tested, correct, before.counted)
    if _count(progress, correct, values, seq):
        trail.note_look(progress)
    return Known(tested, correct, seq)


def _count(progress: Progress, correct: int, values: dict[int, float] | None, seq: int) -> bool:
    if values is None:
        return progress.count_item(correct, seq)
    return progress.count_numbers(values, seq)


def sweep(
    progress: Progress,
    waiting: Mapping[str, Known],
    *,
    seq: int,
    trail: Trail | None = None,
    held: Mapping[str, dict[int, float]] | None = None,
) -> dict[str, Known]:
    """Count items that waited only for systems which are not tested any more."""
    trail = trail or Trail()
    found: dict[str, Known] = {}
    if progress.protocol.pairing != "common":
        return found
    protocol = progress.protocol
    for item in item_order(sorted(waiting), order="random", seed=protocol.seed):
        one = waiting[item]
        required = progress.required
        if one.counted == 0 and one.tested & required == required:
            values = None if progress.numbers is None else (held or {}).get(item, {})
            if _count(progress, one.correct, values, seq):
                trail.note_look(progress)
            found[item] = Known(one.tested, one.correct, seq)
    return found


@dataclass(slots=True)
class Replay:
    """A campaign rebuilt: its progress, what is known of every item, and its numbers if any."""

    progress: Progress
    known: dict[str, Known] = field(default_factory=dict)
    held: dict[str, dict[int, float]] = field(default_factory=dict)

    def waiting(self) -> dict[str, Known]:
        """Items that do not count yet."""
        return {item: one for item, one in self.known.items() if one.counted == 0}


def apply_entry(replay: Replay, entry: Entry, rows: Sequence[ResultRow]) -> None:
    """Let one entry happen again; corrections are not among them, see :func:`replay_entries`."""
    progress = replay.progress
    before = progress.required
    if entry.kind == "results":
        found = fold_results(progress, rows, replay.known, seq=entry.seq, held=replay.held)
        replay.known.update(found)
    elif entry.kind == "drop":
        progress.drop(int(json.loads(entry.body)["place"]), entry.seq)
    elif entry.kind == "close":
        progress.close(entry.seq)
    if progress.required != before:
        found = sweep(progress, replay.waiting(), seq=entry.seq, held=replay.held)
        replay.known.update(found)


def replay_entries(
    protocol: Protocol,
    entries: Iterable[Entry],
    rows: Mapping[int, Sequence[ResultRow]],
    corrections: Sequence[ResultRow] = (),
) -> Replay:
    """Rebuild a campaign from its entries and the results of each.

    A corrected result stands in the place of the one it replaces, with its new outcome: all
    decisions are then what they would have been, had it been right from the start.
    ``corrections`` are some that are yet to be written.
    """
    listed = list(entries)
    batches = [*(rows.get(entry.seq, ()) for entry in listed), corrections]
    last = {(row.item, row.system): row.right for batch in batches for row in batch}
    replay = Replay(Progress(protocol))
    for entry in listed:
        now = [row._replace(right=last[row.item, row.system]) for row in rows.get(entry.seq, ())]
        apply_entry(replay, entry, now)
    return replay


def load_progress(stored: Stored, *, totals: Totals | None = None) -> Progress | None:
    """Take up the running counts, once they are found to be those the last entry was sealed with.

    None where they must be counted anew: another version wrote them, or they were never sealed.
    ``totals`` are sums over the results and over the list of items, which must agree with them.
    """
    last = stored.last
    protocol_hash = stored.protocol.hash
    if (
        last is None
        or last.hash != stored.head_hash
        or not is_intact(last, protocol_hash=protocol_hash)
    ):
        raise LedgerError(_about_changes(stored, "The last entry"), code="damaged")
    noted = json.loads(last.reading).get("state")
    if noted is None:
        return None
    if noted != _digest(stored.state):
        raise LedgerError(_about_changes(stored, "The running counts"), code="damaged")
    found = Progress.from_text(stored.protocol, stored.state)
    if found is not None and totals is not None:
        _refuse_other_totals(stored, found, totals)
    return found


def _refuse_other_totals(stored: Stored, found: Progress, totals: Totals) -> None:
    """Refuse sums that are not those of the running counts; a bit of a mask is one answer."""
    right = fsum(found.all_correct if found.numbers is None else found.all_sums)
    # Values were added up in another order: sums differ by their last digits.
    near = isclose(right, totals.right, rel_tol=0, abs_tol=1e-9 * (1 + _size(found)))
    if sum(found.all_tested) != totals.results or not near:
        raise LedgerError(_about_changes(stored, "Results"), code="damaged")
    masks = [
        sum(number << place for place, number in enumerate(numbers))
        for numbers in (found.all_tested, found.all_correct)
    ]
    if [found.seen, *masks] != [totals.items, totals.tested, totals.correct]:
        raise LedgerError(_about_changes(stored, "The list of items"), code="damaged")


def _size(found: Progress) -> float:
    """How large sums of numbers are: whole answers are counted exactly."""
    if found.numbers is None:
        return -1.0
    ends = [abs(one) for one in (found.numbers.low, found.numbers.high) if one is not None]
    return sum(found.all_tested) * max([*ends, *map(abs, found.all_sums)])


def current_progress(view: CampaignView) -> Progress:
    """Say how a campaign stands: by its sealed running counts, else counted anew."""
    kept = load_progress(view.stored)
    if kept is not None:
        return kept
    return replay_entries(view.stored.protocol, view.entries(), view.rows()).progress


def _digest(state: str) -> str:
    return sha256(state.encode("utf-8", "surrogatepass")).hexdigest()


def _about_changes(stored: Stored, what: str) -> str:
    return (
        f"{what} of the campaign {stored.name!r} changed after being written, or the file is "
        "damaged. Find the place with: steelyard campaign verify; then take the ledger from a "
        "backup."
    )


def reading_of(
    progress: Progress, points: Sequence[Sequence[float | None]] = (), *, state: str
) -> str:
    """Write down how a campaign stands after an entry, for its history and its picture.

    ``state`` is the text of the running counts, whose hash is sealed with the entry.
    """
    reading: dict[str, Any] = {
        "n": progress.n,
        "after": progress.after,
        "cost": progress.cost,
        "results": sum(progress.all_tested),
        "stop": progress.plain()["stop"],
        "running": list(progress.running),
        "state": _digest(state),
        "points": [list(point) for point in points],
    }
    return canonical(reading)

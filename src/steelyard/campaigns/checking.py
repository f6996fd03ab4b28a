"""Whether a ledger is what was written: its chain, its results, its caches and its decisions."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose
from typing import Any, NamedTuple

from steelyard.campaigns.ledger.queries import CampaignView
from steelyard.campaigns.ledger.records import (
    START,
    Entry,
    Known,
    ResultRow,
    Stored,
    digest_of,
    is_intact,
)
from steelyard.campaigns.ledger.store import Ledger
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.replay import Replay, apply_entry, load_progress, replay_entries
from steelyard.errors import LedgerError

__all__ = ["Check", "check_ledger"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What was checked, and the first entry that is not what was written; None if all are.

    ``bad`` may lie behind the last entry when only a cache is wrong.
    """

    entries: int
    results: int
    head: int
    head_hash: str
    bad: int | None = None
    reason: str = ""


def check_ledger(ledger: Ledger, name: str, *, head: str | None = None) -> Check:
    """Go through a campaign from its first entry, and find everything in it again.

    ``head`` is a hash noted down earlier: it must be that of some entry, so that an end cut off,
    or a whole ledger written anew, is found too.
    """
    contents = ledger.view(name, _read_contents)
    fault = next(_faults(contents, head), None)
    return Check(
        entries=len(contents.entries),
        results=sum(map(len, contents.rows.values())),
        head=contents.stored.head,
        head_hash=contents.stored.head_hash,
        bad=None if fault is None else fault[0],
        reason="" if fault is None else fault[1],
    )


class _Contents(NamedTuple):
    """All that a ledger holds of one campaign."""

    stored: Stored
    entries: list[Entry]
    rows: dict[int, list[ResultRow]]
    known: dict[str, Known]


def _read_contents(view: CampaignView) -> _Contents:
    return _Contents(view.stored, view.entries(), view.rows(), view.read_items())


def _faults(contents: _Contents, head: str | None) -> Iterator[tuple[int, str]]:
    stored, entries, rows, _ = contents
    yield from _chain(stored.protocol, entries, rows)
    known = {entry.seq for entry in entries}
    strays = [seq for seq in rows if seq not in known]
    if strays:
        yield strays[0], "there are results of an entry that does not exist"
    last = entries[-1] if entries else None
    if last is None or (last.seq, last.hash) != (stored.head, stored.head_hash):
        place = stored.head if last is None else last.seq + 1
        yield place, "entries are missing at the end"
    if head is not None and head not in {entry.hash for entry in entries}:
        place = 0 if last is None else last.seq
        yield place, "no entry has the hash that was noted down: the ledger was cut or rewritten"
    yield from _decisions(contents)


def _chain(
    protocol: Protocol, entries: Sequence[Entry], rows: dict[int, list[ResultRow]]
) -> Iterator[tuple[int, str]]:
    before = START
    for place, entry in enumerate(entries):
        if entry.seq != place:
            yield place, "the entry is missing"
            return
        if entry.previous != before:
            yield place, "it does not follow from the entry before it"
        if not is_intact(entry, protocol_hash=protocol.hash):
            yield place, "its content does not have the hash it was sealed with"
        if place == 0 and entry.body != protocol.text:
            yield 0, "the protocol is not the one that was frozen"
        if entry.kind in ("results", "correction"):
            told = json.loads(entry.body)
            found = rows.get(place, [])
            if told["results"] != len(found) or told["stored"] != _digest(found):
                yield place, "its results are not those that were recorded"
        before = entry.hash


def _decisions(contents: _Contents) -> Iterator[tuple[int, str]]:
    stored, entries, rows, known = contents
    replay = Replay(Progress(stored.protocol))
    for place, entry in enumerate(entries):
        if entry.kind == "correction":
            replay = replay_entries(stored.protocol, entries[: place + 1], rows)
        else:
            # It comes after every correction so far, so none of them touches it.
            apply_entry(replay, entry, rows.get(place, []))
        told = json.loads(entry.reading)
        stop = replay.progress.plain()["stop"]
        if told["n"] != replay.progress.n or _end_of(told["stop"]) != _end_of(stop):
            yield place, "the decision noted in it does not follow from the results"
    end = len(entries)
    if not _is_kept(stored, json.loads(replay.progress.text())):
        yield end, "the running counts kept beside the entries are not those of the results"
    if known != replay.known:
        yield end, "the list of items kept beside the entries is not that of the results"


EXACT = ("n", "after", "seen", "patterns", "late", "wins", "correct", "tested", "gone")
ENDED = ("n", "seq", "winner", "reason", "verdict", "condition")


def _digest(rows: Sequence[ResultRow]) -> str | None:
    """Hash results; None where a damaged file holds something else than results."""
    try:
        return digest_of(rows)
    except (TypeError, ValueError):
        return None


def _is_kept(stored: Stored, found: dict[str, Any]) -> bool:
    """Tell whether the cache of running counts is the sealed one, and says what the results say."""
    try:
        load_progress(stored)
        kept = json.loads(stored.state)
        same = all(kept[name] == found[name] for name in EXACT)
        return same and _end_of(kept["stop"]) == _end_of(found["stop"]) and _near(kept, found)
    except (LedgerError, ValueError, KeyError, TypeError):
        return False


def _near(kept: dict[str, Any], found: dict[str, Any]) -> bool:
    """Tell whether the number that ended a campaign is the same, but for a last digit."""
    one, two = ((state["stop"] or {}).get("value") for state in (kept, found))
    if isinstance(one, float) and isinstance(two, float):
        return isclose(one, two, rel_tol=1e-9)
    return bool(one == two)


def _end_of(stop: dict[str, object] | None) -> tuple[object, ...] | None:
    return None if stop is None else tuple(str(stop.get(name)) for name in ENDED)

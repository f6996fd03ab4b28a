"""What can be told to a campaign: results, corrections, a system that leaves, the end.

Each is read, folded and appended: what the ledger holds of it is read, the entry is worked out
by a pure function while nothing is locked, and it is written if the ledger ends where it did.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from steelyard.campaigns.ledger.queries import CampaignView
from steelyard.campaigns.ledger.records import Draft, Entry, Known, Receipt, ResultRow, digest_of
from steelyard.campaigns.ledger.store import PATIENCE, Ledger
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol, canonical, item_order
from steelyard.campaigns.replay import (
    Trail,
    current_progress,
    fold_results,
    reading_of,
    replay_entries,
    sweep,
)
from steelyard.campaigns.rules.numbers import NumberScale
from steelyard.errors import LedgerError, RequestError, counted, listing, printable

__all__ = [
    "Answer",
    "Repeated",
    "record_close",
    "record_correction",
    "record_drop",
    "record_results",
    "start_campaign",
]

LONGEST_ITEM = 500
UNWRITABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that some database refuses: NUL, and halves of a pair."""
OURS = re.compile(r"close|drop-\d+|(batch-|correction-)?[0-9a-f]{64}(-\d+)?")
"""Keys of entries that are not batches, and of batches that were given none."""
REPLACED = (
    "The ledger holds another protocol than when it was opened, and results are read by that one. "
    "Open the campaign again, and send them once more."
)
Repeated: TypeAlias = Literal["error", "skip"]


class Answer(NamedTuple):
    """One system was right or wrong on one item, or got a number for it."""

    item: str
    system: str
    right: bool | float


class _Counts(NamedTuple):
    """What an entry is folded from: ``waiting`` items may come to count by it; ``held`` numbers."""

    seq: int
    progress: Progress
    known: dict[str, Known]
    waiting: dict[str, Known]
    held: dict[str, dict[int, float]]


class _History(NamedTuple):
    """What a correction is folded from: everything, and who had the last word on its items."""

    protocol: Protocol
    entries: list[Entry]
    rows: dict[int, list[ResultRow]]
    latest: dict[tuple[str, int], int]


def start_campaign(ledger: Ledger, name: str, protocol: Protocol) -> Receipt:
    """Freeze the protocol of a new campaign."""
    if not name.strip() or len(name) > LONGEST_ITEM or "\0" in name:
        message = f"name={printable(name)!r}; a campaign needs a name that can be typed."
        raise RequestError(message)
    progress = Progress(protocol)
    state = progress.text()
    reading = reading_of(progress, state=state)
    return ledger.create(name, protocol, reading=reading, state=state)


def record_results(
    ledger: Ledger,
    name: str,
    answers: Iterable[Answer],
    *,
    key: str | None = None,
    source: str = "",
    repeated: Repeated = "error",
    protocol: Protocol | None = None,
) -> Receipt:
    """Append a batch of results; the same batch again changes nothing.

    ``repeated="skip"`` leaves out results that are recorded already, as in a file that grows.
    ``protocol`` is that of the campaign where it is known already, since it is frozen.
    """
    _check_key(key)
    known = protocol or ledger.read(name, patience=PATIENCE).protocol
    rows = _arrange_rows(answers, known)
    digest = digest_of(rows)
    items = list(dict.fromkeys(row.item for row in rows))
    return ledger.append(
        name,
        "results",
        key=key or f"batch-{digest}",
        digest=digest,
        read=partial(_read_counts, items=items),
        fold=partial(
            _fold_batch, rows=rows, digest=digest, source=source, repeated=repeated, protocol=known
        ),
    )


def _read_counts(
    view: CampaignView, *, items: Sequence[str] = (), leaving: bool = False
) -> _Counts:
    progress = current_progress(view)
    # Items that wait come to count when a system is needed no more.
    waiting = view.waiting() if leaving or progress.dropping else {}
    held = {} if progress.numbers is None else view.values([*items, *waiting])
    return _Counts(view.stored.head + 1, progress, view.find_items(items), waiting, held)


def _fold_batch(
    counts: _Counts,
    *,
    rows: Sequence[ResultRow],
    digest: str,
    source: str,
    repeated: Repeated,
    protocol: Protocol,
) -> Draft:
    """Count a batch, and the items that wait for nobody after it."""
    seq, progress, known, waiting, held = counts
    if progress.protocol != protocol:  # another ledger was put in its place meanwhile
        raise LedgerError(REPLACED, code="protocol-changed")
    _refuse_gone(rows, progress)
    fresh = _keep_fresh(rows, known, progress.protocol, repeated, held)
    items = len({row.item for row in fresh})
    trail = Trail(max(1, items // (progress.protocol.step or 1)))
    required = progress.required
    found = fold_results(progress, fresh, known, seq=seq, trail=trail, held=held)
    if progress.required != required:
        found |= sweep(progress, waiting | found, seq=seq, trail=trail, held=held)
    body = {"digest": digest, "results": len(fresh), "stored": digest_of(fresh), "source": source}
    return _draft(progress, body, rows=fresh, items=found, trail=trail)


def record_correction(
    ledger: Ledger,
    name: str,
    answers: Iterable[Answer],
    *,
    key: str | None = None,
    source: str = "",
) -> Receipt:
    """Append corrections of results; each says which entry it replaces, and nothing is deleted."""
    _check_key(key)
    rows = _arrange_rows(answers, ledger.read(name, patience=PATIENCE).protocol)
    digest = digest_of(rows)
    items = list(dict.fromkeys(row.item for row in rows))

    def read(view: CampaignView) -> _History:
        return _History(view.stored.protocol, view.entries(), view.rows(), view.latest(items))

    def key_of(view: CampaignView) -> str:
        """Tell a submission that is sent again from a change of mind with the same words.

        It is the same one while nothing else has been said about its results since: of wrong,
        right, wrong the third is a correction of its own, though its content is that of the first.
        """
        stem = f"correction-{digest}"
        latest = view.latest(items)
        last = {latest.get((row.item, row.system)) for row in rows}
        sent = [entry for entry in view.entries() if entry.key.startswith(stem)]
        again = (entry.key for entry in sent if last == {entry.seq})
        return next(again, f"{stem}-{view.stored.head + 1}")

    return ledger.append(
        name,
        "correction",
        key=key or key_of,
        digest=digest,
        read=read,
        fold=partial(_fold_correction, rows=rows, digest=digest, source=source),
    )


def _fold_correction(
    history: _History, *, rows: Sequence[ResultRow], digest: str, source: str
) -> Draft:
    """Let the whole campaign happen again, with the corrected results in their places."""
    protocol, entries, before, latest = history
    unknown = [row for row in rows if (row.item, row.system) not in latest]
    if unknown:
        message = (
            f"{counted(len(unknown), 'result')} to correct cannot be found: "
            f"{_list_rows(unknown, protocol)}. Add results first, then correct them."
        )
        raise LedgerError(message, code="nothing-to-correct")
    placed = [row._replace(replaces=latest[row.item, row.system]) for row in rows]
    replay = replay_entries(protocol, entries, before, placed)
    body = {
        "digest": digest,
        "results": len(placed),
        "stored": digest_of(placed),
        "source": source,
        "replaces": sorted({row.replaces for row in placed}),
    }
    return _draft(replay.progress, body, rows=placed, items=replay.known)


def record_drop(ledger: Ledger, name: str, system: str, *, reason: str = "") -> Receipt:
    """Let a system leave the campaign: items count without it from now on."""
    protocol = ledger.read(name, patience=PATIENCE).protocol
    if system not in protocol.competitors:
        raise RequestError.for_choice(name="system", given=system, choices=protocol.competitors)
    place = protocol.systems.index(system)
    digest = sha256(f"drop\0{system}".encode()).hexdigest()

    def fold(counts: _Counts) -> Draft:
        progress = counts.progress
        progress.drop(place, counts.seq)
        found = sweep(progress, counts.waiting, seq=counts.seq, held=counts.held)
        body = {"digest": digest, "system": system, "place": place, "reason": reason}
        return _draft(progress, body, items=found)

    read = partial(_read_counts, leaving=True)
    return ledger.append(name, "drop", key=f"drop-{place}", digest=digest, read=read, fold=fold)


def record_close(ledger: Ledger, name: str, *, reason: str = "") -> Receipt:
    """End the campaign by decision; results that come later are kept and marked."""
    digest = sha256(b"close").hexdigest()

    def fold(counts: _Counts) -> Draft:
        counts.progress.close(counts.seq)
        return _draft(counts.progress, {"digest": digest, "reason": reason})

    return ledger.append(name, "close", key="close", digest=digest, read=_read_counts, fold=fold)


def _draft(
    progress: Progress,
    body: dict[str, Any],
    *,
    rows: Sequence[ResultRow] = (),
    items: dict[str, Known] | None = None,
    trail: Trail | None = None,
) -> Draft:
    state = progress.text()
    points = (trail or Trail()).points_until(progress)
    return Draft(
        body=canonical(body),
        reading=reading_of(progress, points, state=state),
        state=state,
        rows=rows,
        items=items,
    )


def _arrange_rows(answers: Iterable[Answer], protocol: Protocol) -> list[ResultRow]:
    """Name systems by their places, and put the items into the order in which they count."""
    places = {system: place for place, system in enumerate(protocol.systems)}
    by_item: dict[str, dict[int, bool | float]] = {}
    numbers = protocol.numbers
    unknown: dict[str, None] = {}
    twice: dict[str, None] = {}
    for answer in answers:
        place = places.get(answer.system)
        if place is None:
            unknown[answer.system] = None
            continue
        given = by_item.setdefault(answer.item, {})
        if place in given:
            twice[answer.item] = None
        given[place] = bool(answer.right) if numbers is None else _number(answer, numbers)
    if unknown:
        raise LedgerError(_about_joining(list(unknown), protocol), code="system-unknown")
    _check_items(by_item, list(twice))
    order = item_order(list(by_item), order=protocol.order, seed=protocol.seed)
    return [
        ResultRow(item, place, right)
        for item in order
        for place, right in sorted(by_item[item].items())
    ]


def _number(answer: Answer, numbers: NumberScale) -> float:
    value, beside = float(answer.right), numbers.companion
    if beside is not None and answer.system == beside.name:
        if not beside.holds(value):
            message = (
                f"{beside.name} is {value:g} on item {printable(answer.item)!r}; expected "
                f"{beside.expected}. Correct the number, or leave the item out."
            )
            raise LedgerError(message, code="value-range")
    elif not numbers.holds(value):
        message = (
            f"{answer.system} has {value:g} on item {printable(answer.item)!r}; expected a finite "
            f"number{numbers.room}, as the rule says. A range is a promise: correct the number, or "
            "start a campaign with a wider one."
        )
        raise LedgerError(message, code="value-range")
    return value


def _check_key(key: str | None) -> None:
    """Refuse keys that no database keeps, and those under which we write ourselves."""
    if key is None:
        return
    if not key or len(key) > LONGEST_ITEM or _unwritable(key) or OURS.fullmatch(key):
        message = (
            f"{printable(key[:60])!r} cannot be the key of a batch. Give 1 to {LONGEST_ITEM} "
            "characters of your own, such as 'rig-3-0001'."
        )
        raise LedgerError(message, code="key")


def _unwritable(text: str) -> bool:
    return bool(UNWRITABLE.search(text))


def _check_items(by_item: Mapping[str, object], twice: list[str]) -> None:
    if not by_item:
        message = "The batch holds no results. Give at least one item."
        raise LedgerError(message, code="no-items")
    if twice:
        message = (
            f"{counted(len(twice), 'item')} appear twice for one system in this batch: "
            f"{listing(twice, most=5)}. An item counts once; repeated trials of one item are not "
            "further items."
        )
        raise LedgerError(message, code="item-twice")
    odd = [item for item in by_item if not item or len(item) > LONGEST_ITEM or _unwritable(item)]
    if odd:
        message = f"Item ids need 1 to {LONGEST_ITEM} characters; found {printable(odd[0][:60])!r}."
        raise LedgerError(message, code="item-name")


def _keep_fresh(
    rows: Sequence[ResultRow],
    known: dict[str, Known],
    protocol: Protocol,
    repeated: Repeated,
    held: Mapping[str, Mapping[int, float]],
) -> list[ResultRow]:
    """Leave out, or refuse, what is recorded already."""
    nothing = Known()
    again = [row for row in rows if known.get(row.item, nothing).tested >> row.system & 1]
    other = [
        row
        for row in again
        if row.right
        != (
            known[row.item].correct >> row.system & 1
            if protocol.numbers is None
            else held[row.item][row.system]
        )
    ]
    beside = len(protocol.competitors)
    if any(row.system >= beside for row in again):
        # What comes with an item is sent with every system's numbers: the same again is no repeat.
        same = {row for row in again if row.system >= beside} - set(other)
        rows, again = ([r for r in one if r not in same] for one in (rows, again))
    if repeated == "skip":
        if other:
            message = (
                f"{counted(len(other), 'result')} say otherwise than the ledger: "
                f"{_list_rows(other, protocol)}. If the new ones are right, record them as "
                "corrections: correct() (--correct)."
            )
            raise LedgerError(message, code="results-differ")
        there = set(again)
        return [row for row in rows if row not in there]
    if again:
        message = (
            f"{counted(len(again), 'result')} are in the ledger already: "
            f"{_list_rows(again, protocol)}. An item counts once for each system. Leave them "
            "out with repeated='skip' (--repeated skip), or correct them with correct() "
            "(--correct)."
        )
        raise LedgerError(message, code="item-counted")
    return list(rows)


def _refuse_gone(rows: Sequence[ResultRow], progress: Progress) -> None:
    gone = [progress.protocol.systems[p] for p in progress.gone if any(r.system == p for r in rows)]
    if gone:
        message = (
            f"{listing(gone)} left this campaign; its later results cannot be added. Leave them "
            "out, or start a new campaign."
        )
        raise LedgerError(message, code="system-gone")


def _about_joining(unknown: list[str], protocol: Protocol) -> str:
    return (
        f"The protocol names {listing(protocol.systems)}, not {listing(unknown)}. A system that "
        "joins late would change the question: start a new campaign with it, on items that nobody "
        "has looked at yet (a rule that meets results seen before keeps no error rate); or choose "
        "systems: systems=[...] (--systems ...)."
    )


def _list_rows(rows: Sequence[ResultRow], protocol: Protocol) -> str:
    named = [f"{row.item} ({protocol.systems[row.system]})" for row in rows[:5]]
    more = len(rows) - len(named)
    return listing(named) + (f" and {more} more" if more > 0 else "")

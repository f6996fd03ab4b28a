"""What can be told to a campaign: results, corrections, a system that leaves, the end."""

import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeAlias

from steelyard.campaigns.ledger.chain import ResultRow, digest_of
from steelyard.campaigns.ledger.reading import Writing
from steelyard.campaigns.ledger.shapes import Draft, Known, Receipt
from steelyard.campaigns.ledger.store import PATIENCE, Ledger
from steelyard.campaigns.looks import Progress
from steelyard.campaigns.protocol import Protocol, canonical, item_order
from steelyard.campaigns.replay import (
    POINTS,
    current_progress,
    fold_results,
    reading_of,
    replayed_from,
    sweep,
)
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
Repeated: TypeAlias = Literal["error", "skip"]


class Answer(NamedTuple):
    """One system was right or wrong on one item."""

    item: str
    system: str
    right: bool


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
) -> Receipt:
    """Append a batch of results; the same batch again changes nothing.

    ``repeated="skip"`` leaves out results that are recorded already, as in a file that grows.
    """
    _check_key(key)
    protocol = ledger.read(name, patience=PATIENCE).protocol
    rows = _arranged(answers, protocol)
    digest = digest_of(rows)

    def draft(writing: Writing) -> Draft:
        known = writing.known(list(dict.fromkeys(row.item for row in rows)))
        progress = current_progress(writing)
        _refuse_gone(rows, progress)
        fresh = _fresh(rows, known, protocol, repeated)
        points = _followed(progress, len({row.item for row in fresh}))
        before = progress.required
        found = fold_results(progress, fresh, known, seq=writing.seq)
        if progress.required != before:
            waiting = {item: one for item, one in writing.waiting().items() if item not in found}
            found |= sweep(progress, waiting | found, seq=writing.seq)
        body = {"digest": digest, "results": len(fresh), "stored": digest_of(fresh)}
        return _drafted(progress, body | {"source": source}, fresh, found, points)

    return ledger.append(name, "results", key=key or f"batch-{digest}", digest=digest, draft=draft)


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
    protocol = ledger.read(name, patience=PATIENCE).protocol
    plain = _arranged(answers, protocol)
    digest = digest_of(plain)

    def draft(writing: Writing) -> Draft:
        latest = writing.latest(list(dict.fromkeys(row.item for row in plain)))
        unknown = [row for row in plain if (row.item, row.system) not in latest]
        if unknown:
            message = (
                f"{counted(len(unknown), 'result')} to correct cannot be found: "
                f"{_told(unknown, protocol)}. Add results first, then correct them."
            )
            raise LedgerError(message, code="nothing-to-correct")
        rows = [row._replace(replaces=latest[row.item, row.system]) for row in plain]
        replay = replayed_from(writing, rows)
        replaces = sorted({row.replaces for row in rows})
        body = {"digest": digest, "results": len(rows), "stored": digest_of(rows)}
        body |= {"source": source, "replaces": replaces}
        return _drafted(replay.progress, body, rows, replay.known, [])

    def chosen(writing: Writing) -> str:
        """Tell a submission that is sent again from a change of mind with the same words.

        It is the same one while nothing else has been said about its results since: of wrong,
        right, wrong the third is a correction of its own, though its content is that of the first.
        """
        told = f"correction-{digest}"
        latest = writing.latest(list(dict.fromkeys(row.item for row in plain)))
        last = {latest.get((row.item, row.system)) for row in plain}
        sent = [entry for entry in writing.entries() if entry.key.startswith(told)]
        return next((one.key for one in sent if last == {one.seq}), f"{told}-{writing.seq}")

    return ledger.append(name, "correction", key=key or chosen, digest=digest, draft=draft)


def record_drop(ledger: Ledger, name: str, system: str, *, reason: str = "") -> Receipt:
    """Let a system leave the campaign: items count without it from now on."""
    protocol = ledger.read(name, patience=PATIENCE).protocol
    if system not in protocol.systems:
        raise RequestError.for_choice(name="system", given=system, choices=protocol.systems)
    place = protocol.systems.index(system)
    digest = sha256(f"drop\0{system}".encode()).hexdigest()

    def draft(writing: Writing) -> Draft:
        progress = current_progress(writing)
        progress.drop(place, writing.seq)
        found = sweep(progress, writing.waiting(), seq=writing.seq)
        body = {"digest": digest, "system": system, "place": place, "reason": reason}
        return _drafted(progress, body, [], found, [])

    return ledger.append(name, "drop", key=f"drop-{place}", digest=digest, draft=draft)


def record_close(ledger: Ledger, name: str, *, reason: str = "") -> Receipt:
    """End the campaign by decision; results that come later are kept and marked."""
    digest = sha256(b"close").hexdigest()

    def draft(writing: Writing) -> Draft:
        progress = current_progress(writing)
        progress.close(writing.seq)
        return _drafted(progress, {"digest": digest, "reason": reason}, [], {}, [])

    return ledger.append(name, "close", key="close", digest=digest, draft=draft)


def _drafted(
    progress: Progress,
    body: dict[str, Any],
    rows: Sequence[ResultRow],
    found: dict[str, Known],
    points: list[list[float | None]],
) -> Draft:
    if progress.n:
        points = [*(point for point in points if point[0] != progress.n), _point(progress)]
    state = progress.text()
    return Draft(
        body=canonical(body),
        reading=reading_of(progress, points, state=state),
        state=state,
        rows=rows,
        items=found,
    )


def _followed(progress: Progress, items: int) -> list[list[float | None]]:
    """Note down how the conditions stand at some of the looks of a batch."""
    points: list[list[float | None]] = []
    looks = max(1, items // (progress.protocol.step or 1))
    every = max(1, -(-looks // POINTS))
    seen = 0

    def watch(now: Progress) -> None:
        nonlocal seen
        seen += 1
        if seen % every == 0 or now.stop is not None:
            points.append(_point(now))

    progress.watch = watch
    return points


def _point(progress: Progress) -> list[float | None]:
    return [float(progress.n), *(said.value for _, said in progress.judgements())]


def _arranged(answers: Iterable[Answer], protocol: Protocol) -> list[ResultRow]:
    """Name systems by their places, and put the items into the order in which they count."""
    places = {system: place for place, system in enumerate(protocol.systems)}
    by_item: dict[str, dict[int, bool]] = {}
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
        given[place] = bool(answer.right)
    if unknown:
        raise LedgerError(_joining(list(unknown), protocol), code="system-unknown")
    _check_items(by_item, list(twice))
    order = item_order(list(by_item), order=protocol.order, seed=protocol.seed)
    return [
        ResultRow(item, place, right)
        for item in order
        for place, right in sorted(by_item[item].items())
    ]


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


def _check_items(by_item: dict[str, dict[int, bool]], twice: list[str]) -> None:
    if not by_item:
        message = "The batch holds no results. Give at least one item."
        raise LedgerError(message, code="no-items")
    if twice:
        message = (
            f"{counted(len(twice), 'item')} come twice for one system in this batch: "
            f"{listing(twice, most=5)}. An item counts once; repeated trials of one item are no "
            "more items."
        )
        raise LedgerError(message, code="item-twice")
    odd = [item for item in by_item if not item or len(item) > LONGEST_ITEM or _unwritable(item)]
    if odd:
        message = f"Item ids need 1 to {LONGEST_ITEM} characters; found {printable(odd[0][:60])!r}."
        raise LedgerError(message, code="item-name")


def _fresh(
    rows: Sequence[ResultRow], known: dict[str, Known], protocol: Protocol, repeated: Repeated
) -> list[ResultRow]:
    """Leave out, or refuse, what is recorded already."""
    nothing = Known()
    again = [row for row in rows if known.get(row.item, nothing).tested >> row.system & 1]
    other = [row for row in again if known[row.item].correct >> row.system & 1 != row.right]
    if repeated == "skip":
        if other:
            message = (
                f"{counted(len(other), 'result')} say otherwise than the ledger: "
                f"{_told(other, protocol)}. If the new ones are right, record them as corrections: "
                "correct() (--correct)."
            )
            raise LedgerError(message, code="results-differ")
        there = set(again)
        return [row for row in rows if row not in there]
    if again:
        message = (
            f"{counted(len(again), 'result')} are in the ledger already: {_told(again, protocol)}. "
            "An item counts once for each system. Leave them out with repeated='skip' (--repeated "
            "skip), or correct them with correct() (--correct)."
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


def _joining(unknown: list[str], protocol: Protocol) -> str:
    return (
        f"The protocol names {listing(protocol.systems)}, not {listing(unknown)}. A system that "
        "joins late would change the question: start a new campaign with it, on items that nobody "
        "has looked at yet (a rule that meets results seen before keeps no error rate); or choose "
        "systems: systems=[...] (--systems ...)."
    )


def _told(rows: Sequence[ResultRow], protocol: Protocol) -> str:
    named = [f"{row.item} ({protocol.systems[row.system]})" for row in rows[:5]]
    more = len(rows) - len(named)
    return listing(named) + (f" and {more} more" if more > 0 else "")

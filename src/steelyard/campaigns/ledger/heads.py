"""A note beside a ledger of the last entries that were acknowledged.

SQLite keeps the newest entries in a second file, the write-ahead log, until it copies them over. A
ledger whose log was deleted or left behind by a copy is whole and well sealed, only older; nothing
inside it can tell. So the last entry of each campaign is noted beside it, and a ledger that lacks
it is refused. The note is a help, not the record: without it nothing is checked.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from steelyard.campaigns.ledger.shapes import Receipt, Stored
from steelyard.errors import printable

__all__ = ["entries_lost", "note_head", "note_of", "noted_head"]


def note_of(path: Path) -> Path:
    """Name the note beside a ledger."""
    return path.with_name(f"{path.name}-heads")


def note_head(path: Path, name: str, receipt: Receipt) -> None:
    """Note the entry that was just acknowledged, unless a later one is noted."""
    note = note_of(path)
    heads = _read(note)
    if heads.get(name, (-1, ""))[0] >= receipt.seq:
        return
    heads[name] = (receipt.seq, receipt.hash)
    part = note.with_name(f"{note.name}.{os.getpid()}")
    with suppress(OSError):
        part.write_text(json.dumps(heads), encoding="utf-8")
        part.replace(note)


def noted_head(path: Path, name: str) -> int:
    """Give the last entry of a campaign that was acknowledged; -1 where none is noted."""
    return _read(note_of(path)).get(name, (-1, ""))[0]


def entries_lost(where: str, stored: Stored, noted: int) -> str:
    """Say that a ledger ends before the last entry that was acknowledged."""
    path = Path(where)
    return (
        f"{printable(path)} ends with entry {stored.head} of {stored.name!r}, but entry {noted} "
        f"was acknowledged: its write-ahead log {printable(path.name)}-wal was lost, or this is an "
        "old copy. Put the log back beside it, or take both from a backup. To go on without the "
        f"lost entries, delete {printable(note_of(path))}."
    )


def _read(note: Path) -> dict[str, tuple[int, str]]:
    """Read the note; one that cannot be read says nothing."""
    try:
        saved = json.loads(note.read_text(encoding="utf-8"))
        return {str(name): (int(seq), str(end)) for name, (seq, end) in saved.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}

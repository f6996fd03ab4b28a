"""What databases complain of, in our words; and which complaints are worth another try."""

import sqlite3
from pathlib import Path

import sqlalchemy as sa

from steelyard.errors import LedgerError, printable

__all__ = ["explain_error", "may_pass", "refuse_broken", "refuse_key", "refuse_protocol"]

FULL = ("database or disk is full", "disk i/o error", "no space left", "file too large")
LOCKED = ("database is locked", "database table is locked", "busy")
DAMAGED = ("malformed", "not a database", "disk image")
READ_ONLY = ("readonly database", "read-only", "permission denied", "unable to open")
HOPELESS = ("resolve host", "translate host", "authentication", "does not exist")
DISK_FULL = "53100"
TRANSIENT = {
    "40001",
    "40P01",
    "57P01",
    "57P02",
    "57P03",
    "08000",
    "08003",
    "08006",
    "08001",
    "42P07",
}


def may_pass(error: Exception) -> bool:
    """Tell trouble that may pass: another writer, or a server that is being restarted."""
    if isinstance(error, sa.exc.IntegrityError):
        return True  # another writer was first; the next try sees what it wrote
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    if error.connection_invalidated:
        return True
    state = _state(error)
    if state is not None:
        return state in TRANSIENT
    text = str(error.orig).lower()
    if isinstance(error.orig, sqlite3.Error):
        return any(word in text for word in LOCKED)
    hopeless = any(word in text for word in HOPELESS)
    return isinstance(error, sa.exc.OperationalError) and not hopeless


def explain_error(error: Exception, where: str) -> LedgerError:
    """Turn a complaint of the database into a refusal that says what to do."""
    text = str(getattr(error, "orig", error)).strip()
    first = printable(text.splitlines()[0]) if text else type(error).__name__
    low = text.lower()
    name = printable(where)
    if any(word in low for word in FULL) or _state(error) == DISK_FULL:
        message = (
            f"{name}: the disk is full ({first}). Nothing of this batch was recorded. Make room "
            "and send it again; sent twice it counts once."
        )
        return LedgerError(message, code="disk-full")
    if any(word in low for word in READ_ONLY):
        folder = Path(name).parent
        message = (
            f"{name} cannot be written ({first}). Nothing was recorded. Allow writing to the file "
            f"and to its folder {folder}."
        )
        return LedgerError(message, code="read-only")
    if isinstance(error, UnicodeDecodeError) or any(word in low for word in DAMAGED):
        message = f"{name} is not a ledger, or is damaged ({first}). Take it from a backup."
        return LedgerError(message, code="damaged")
    if isinstance(error, sa.exc.IntegrityError) or any(word in low for word in LOCKED):
        message = (
            f"{name} is being written by others all the time ({first}). Nothing was recorded; send "
            "the batch again."
        )
        return LedgerError(message, code="busy")
    message = f"{name} cannot be reached ({first}). Nothing is lost; try again."
    return LedgerError(message, code="unreachable")


def _state(error: Exception) -> str | None:
    """Give the code that a server sent with its complaint."""
    state: str | None = getattr(getattr(error, "orig", None), "sqlstate", None)
    return state


def refuse_broken(where: str) -> str:
    """Say that what was written is not there any more."""
    return (
        f"{where} is not what was written: it was changed or is damaged. Find the place with: "
        f"steelyard campaign verify {where}; then take it from a backup."
    )


def refuse_key(key: str, seq: int) -> str:
    """Say that a key stands for another batch."""
    return (
        f"The key {key!r} was used for another batch (entry {seq}). A key stands for one batch, "
        "so that it can be sent again; give this one a key of its own: key='...' (--key ...)."
    )


def refuse_protocol(name: str) -> str:
    """Say that a protocol is frozen."""
    return (
        f"The protocol of the campaign {name!r} is frozen since before its first result, and this "
        "is another one. Start a new campaign under another name: name='...' (--name ...)."
    )

"""The append-only record of campaigns, in SQLite or PostgreSQL.

``records`` are the rows, each entry sealed with the hash of the one before; ``queries`` read and
write them inside a transaction; ``store`` has the transactions. An entry is folded outside of any,
and written only if the ledger still ends where it was read.
"""

from steelyard.campaigns.ledger.records import Entry, EntryKind, Known, Receipt, ResultRow, Stored
from steelyard.campaigns.ledger.store import Ledger

__all__ = ["Entry", "EntryKind", "Known", "Ledger", "Receipt", "ResultRow", "Stored"]

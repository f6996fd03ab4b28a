"""The append-only record of campaigns, in SQLite or PostgreSQL."""

from steelyard.campaigns.ledger.chain import Entry, EntryKind, ResultRow
from steelyard.campaigns.ledger.store import Known, Ledger, Receipt, Stored

__all__ = ["Entry", "EntryKind", "Known", "Ledger", "Receipt", "ResultRow", "Stored"]

"""The append-only record of campaigns, in SQLite or PostgreSQL."""

from steelyard.campaigns.ledger.chain import Entry, EntryKind, ResultRow
from steelyard.campaigns.ledger.shapes import Known, Receipt, Stored
from steelyard.campaigns.ledger.store import Ledger

__all__ = ["Entry", "EntryKind", "Known", "Ledger", "Receipt", "ResultRow", "Stored"]

"""Where tables are scanned: one portable grammar of SQL, one folder-wide door to each engine.

An engine runs what ``dialect`` can write and hands back columns; no other room imports one.
"""

from steelyard.engines.dialect import Dialect, quote_literal, quote_name
from steelyard.engines.table import ColumnKind, Statement, Table

__all__ = ["ColumnKind", "Dialect", "Statement", "Table", "quote_literal", "quote_name"]

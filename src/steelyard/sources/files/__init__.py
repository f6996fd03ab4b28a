"""Files, addresses and databases: what each is, and how it becomes a table.

A file is told by its first bytes, never by its name alone, and read as one snapshot.
"""

__all__: list[str] = []

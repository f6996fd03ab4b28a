"""Stopping rules: their grammar, the conditions they may hold, and how each is judged.

One rule from which the rest follows: a condition sees the snapshot of a look (counts, and nothing
but counts) or the path of the results item by item; it never sees who asks.
"""

__all__: list[str] = []

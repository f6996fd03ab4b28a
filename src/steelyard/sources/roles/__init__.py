"""What columns mean: declared, derived and checked over all rows before anything is counted.

A declared role is used or refused; nothing is taken silently.
"""

__all__: list[str] = []

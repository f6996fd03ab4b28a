"""How predictions are laid out: long or wide, one file a system, vectors in columns or lists.

Every shape becomes one: a row for each item, a column for each system.
"""

__all__: list[str] = []

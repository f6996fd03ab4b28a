"""Any measure of two systems, compared by drawing or exchanging items again.

What is drawn again are counts, never rows.
"""

__all__: list[str] = []

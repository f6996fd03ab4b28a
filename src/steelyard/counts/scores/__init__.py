"""Distinct scores with how many positives and negatives share each.

A score is ranked once, as a whole number that sorts as it does; all else is addition.
"""

__all__: list[str] = []

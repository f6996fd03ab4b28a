"""Intervals for the difference of two shares, from independent samples or the same items.

On the same items only those that one alone had right tell the two apart.
"""

__all__: list[str] = []

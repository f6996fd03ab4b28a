"""Whom to contact first: cumulative gain, lift and captured share.

A ranking is read at a depth, and equal scores are shared out in proportion.
"""

__all__: list[str] = []

"""Intervals for one share, and for ratios of two.

Limits are the shares that a test would not reject, so that interval and test never disagree.
"""

__all__: list[str] = []

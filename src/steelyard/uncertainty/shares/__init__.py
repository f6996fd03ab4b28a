"""Intervals for one share, and for ratios of two."""

__all__: list[str] = []

"""Intervals for one share, and for ratios of two."""

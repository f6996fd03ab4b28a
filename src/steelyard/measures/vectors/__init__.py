"""Scores of per-class vectors: plain, weighted, and over clusters.

A rule gives each item a number; all else is the mean of those numbers within the classes.
"""

__all__: list[str] = []

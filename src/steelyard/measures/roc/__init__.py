"""Scores over all thresholds: curves, areas, operating points, and where to set the threshold.

A curve is made once from whole numbers and answers every question about thresholds.
"""

__all__: list[str] = []

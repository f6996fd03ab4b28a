"""A number for each item through every verb: evaluated, compared, gated, planned.

All of it starts from :class:`steelyard.counts.Moments`: a mean, a ratio of sums, a weighted mean
and a mean over clusters are one thing there, a ratio of two sums over independent units.
"""

__all__: list[str] = []

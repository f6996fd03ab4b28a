"""Two or more systems with a number for each item: which is better, by how much, at what cost.

Every answer of the means is read from one :class:`~steelyard.uncertainty.StudentEstimate`, so that
interval, p-value and probability agree; what asks for less of the values (win rate, ranks, signs,
random signs) stands beside it by name.
"""

__all__: list[str] = []

"""A number for each item: how sure is its mean, a ratio of sums, a quantile.

Sums come in, one :class:`~steelyard.uncertainty.values.student.StudentEstimate` goes out, and
interval, p-value and probability are read from that one pivot. Values that cannot leave a stated
range have limits without any model, in ``bounded``.
"""

__all__: list[str] = []

"""Several systems over several data sets or folds: ranks, signed ranks and pooled differences.

The data set, not the item, is what was sampled here.
"""

__all__: list[str] = []

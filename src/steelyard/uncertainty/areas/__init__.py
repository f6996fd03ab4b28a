"""How sure areas under ROC curves are: DeLong's variance, placement limits, bands.

Each item has a placement, its rank among the other class; an area is their mean, its error
theirs.
"""

__all__: list[str] = []

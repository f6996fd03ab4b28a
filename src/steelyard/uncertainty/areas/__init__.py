"""How sure areas under ROC curves are: DeLong's variance, placement limits, bands."""

__all__: list[str] = []

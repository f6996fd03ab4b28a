"""How sure areas under ROC curves are: DeLong's variance, placement limits, bands."""

"""Where other tools meet Steelyard: a fixture for pytest, early stopping for Inspect."""

__all__: list[str] = []

"""Where other tools meet Steelyard: a fixture for pytest."""

__all__: list[str] = []

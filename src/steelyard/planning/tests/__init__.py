"""The size of a test that can settle its question: power, width and margin."""

__all__: list[str] = []

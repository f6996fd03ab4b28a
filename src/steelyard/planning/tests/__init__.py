"""The size of a test that can settle its question: power, width and margin.

Power is summed over all outcomes where that can be done; a size is the one from which on it is
kept.
"""

__all__: list[str] = []

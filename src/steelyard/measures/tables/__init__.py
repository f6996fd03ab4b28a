"""Measures of a table of calls against the truth, one system at a time."""

__all__: list[str] = []

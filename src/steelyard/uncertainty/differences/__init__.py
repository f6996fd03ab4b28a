"""Intervals for the difference of two shares, from independent samples or the same items."""

__all__: list[str] = []

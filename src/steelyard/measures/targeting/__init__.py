"""Whom to contact first: cumulative gain, lift and captured share."""

__all__: list[str] = []

"""Scores of per-class vectors: plain, weighted, and over clusters."""

__all__: list[str] = []

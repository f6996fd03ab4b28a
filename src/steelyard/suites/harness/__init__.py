"""Runs every algorithm on every problem, confined, and keeps what became of it.

An algorithm sees nothing from which an answer follows.
"""

__all__: list[str] = []

"""Rows that live on a GPU are counted there; only the counts come back."""

__all__: list[str] = []

"""Agreement beyond chance: of calls with the truth, and of raters with one another."""

__all__: list[str] = []

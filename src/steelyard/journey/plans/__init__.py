"""How many test samples do I need? The walk of ``plan``, a planner for each question."""

__all__: list[str] = []

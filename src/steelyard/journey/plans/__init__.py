"""How many test items do I need? The walk of ``plan``, a planner for each question."""

__all__: list[str] = []

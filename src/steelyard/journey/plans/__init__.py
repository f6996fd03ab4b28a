"""How many test items do I need? The walk of ``plan``, a planner for each question.

``request`` is what a planner is given; each answers with a size and what other sizes would reach.
"""

__all__: list[str] = []

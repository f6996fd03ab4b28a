"""Agreement beyond chance: of calls with the truth, and of raters with one another.

Ratings may be missing; items are the sample, and the raters are taken as they are.
"""

__all__: list[str] = []

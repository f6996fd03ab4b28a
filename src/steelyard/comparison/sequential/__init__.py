"""Methods made for looking while testing: Wald's tests, races, e-processes and planned looks.

On common items only the discordant ones speak; each method is a walk over their wins and losses.
"""

__all__: list[str] = []

"""Do probabilities mean what they say, and is acting on them worth it?

A forecast is judged by sums over equal forecasts: bins are for the eye and for ECE alone.
"""

__all__: list[str] = []

"""Do probabilities mean what they say, and is acting on them worth it?"""

__all__: list[str] = []

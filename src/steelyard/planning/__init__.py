"""How many samples: the size of a test that can settle the question asked."""

__all__: list[str] = []

"""From the cells of runs to a leaderboard: scores, pairs and ranks that remain possible.

Every item adds to the score of its problem, every group of items to its uncertainty; problems are
weighed into the suite, or taken for a sample of such problems.
"""

__all__: list[str] = []

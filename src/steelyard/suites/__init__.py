"""Many problems, many algorithms: suite, problem, run, score and leaderboard."""

__all__: list[str] = []

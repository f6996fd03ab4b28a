"""From the cells of runs to a leaderboard: scores, pairs and ranks that remain possible."""

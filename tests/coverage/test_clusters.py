"""Items in clusters: what ignoring them costs, and what the robust interval keeps."""

from steelyard.uncertainty import cluster_robust_interval, coverage_of, wilson_interval

MEAN, ALIKE = 0.65, 0.25
"""Share of right items, and the correlation of two items of one cluster."""


def draw(rng):
    spread = (1 - ALIKE) / ALIKE
    return rng.binomial(20, rng.beta(MEAN * spread, (1 - MEAN) * spread, 10))


def test_ten_clusters_of_twenty_ignored_cover_58_percent():
    found = coverage_of(
        lambda won: wilson_interval(int(won.sum()), 200), draw, MEAN, repetitions=3000, seed=11
    )
    assert found.within(0.56, 0.60)


def test_ten_clusters_of_twenty_cover_94_percent_when_clusters_count():
    found = coverage_of(
        lambda won: cluster_robust_interval(won.tolist(), [20] * 10),
        draw,
        MEAN,
        repetitions=3000,
        seed=11,
    )
    assert found.within(0.93, 0.95)

"""Arguments that several functions share: from nothing to 1e8 items, rates at 0 and 1."""

__all__ = ["DISCORDANT", "LEVELS", "MATRICES", "PAIRS", "SAMPLES", "SCORES", "SHARES", "TABLES"]

LEVELS = (0.95, 0.999999)
SHARES = [
    (x, n, level)
    for n in (1, 2, 10, 1000, 10**8)
    for x in sorted({0, 1, n // 2, n - 1, n})
    for level in LEVELS
]
SAMPLES = [
    (*cells, level)
    for cells in (
        (0, 10, 0, 12), (10, 10, 0, 12), (3, 10, 7, 12), (1, 1, 0, 1), (56, 70, 48, 80),
        (999, 1000, 990, 1000), (0, 10**8, 5, 10**8), (10**8 - 3, 10**8, 10**8 - 50, 10**8),
        (5 * 10**7, 10**8, 49_999_000, 10**8),
    )
    for level in LEVELS
]  # fmt: skip
PAIRS = [
    (*cells, level)
    for cells in (
        (36, 12, 2, 0), (10, 0, 0, 0), (0, 5, 0, 0), (160, 18, 5, 17), (0, 0, 1, 10**8 - 1),
        (10**8 - 40, 30, 10, 0), (4 * 10**7, 2 * 10**7, 10**7, 3 * 10**7),
    )
    for level in LEVELS
]  # fmt: skip
DISCORDANT = [
    (0, 0), (0, 1), (1, 0), (5, 5), (18, 5), (0, 60), (0, 1020), (400, 520), (2, 1000),
    (3000, 3000),
]  # fmt: skip
TABLES = [
    (0, 5, 5, 5), (7, 10, 2, 12), (0, 1, 0, 1), (3, 15, 14, 15), (190, 200, 194, 200),
    (0, 500, 500, 500), (10, 1000, 60, 900),
]  # fmt: skip
SCORES = [
    ((3, 5, 7, 9), (1, 2, 4, 8)), ((1, 1, 2, 2, 3), (0, 1, 1, 2)),
    (tuple(range(0, 60, 2)), tuple(range(1, 40, 3))), ((5, 5), (5, 5, 5)),
    (tuple((7 * i) % 101 for i in range(80)), tuple((11 * i) % 83 for i in range(90))),
]  # fmt: skip
MATRICES = [
    (((25, 10), (5, 60)),), (((20, 5, 1), (3, 30, 2), (0, 4, 35)),), (((1, 0), (1, 1)),),
    (((99_999_990, 3), (4, 3)),), (((5, 50), (45, 0)),),
]  # fmt: skip

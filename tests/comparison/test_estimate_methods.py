"""Rules that stand on intervals, checked against their tests written out by themselves."""

from math import sqrt

import numpy as np
import pytest
from scipy import optimize, stats

import steelyard as sy
from steelyard.counts import Outcomes, Trials
from steelyard.uncertainty import paired_difference_interval


def pair(both, first, second, neither):
    return Outcomes.from_pair(
        both=both, first=first, second=second, neither=neither, systems=("S", "T")
    )


def apart(first, second):
    return Trials(
        correct={"S": first[0], "T": second[0]},
        tested={"S": first[1], "T": second[1]},
        pairing="independent",
    )


def wilson(x, n, z):
    """Wilson's limits as the roots of his quadratic, found from its coefficients."""
    p = x / n
    return sorted(np.roots([1 + z * z / n, -(2 * p + z * z / n), p * p]).real)


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_intervals_that_do_not_meet_are_those_of_wilsons_quadratic(level):
    z, seen = stats.norm.ppf((1 + level) / 2), set()
    for x in range(0, 21, 4):
        for y in range(0, 31, 5):
            (low, high), (left, right) = wilson(x, 20, z), wilson(y, 30, z)
            expected = "different" if low > right or left > high else "undecided"
            found = sy.compare(apart((x, 20), (y, 30)), method="non-overlap", level=level)
            assert found.decision == expected
            seen.add(expected)
    assert seen == {"different", "undecided"}


def score_of_difference(cells, gap):
    """Tango's score of a difference, the likelihood maximised by search."""
    _, b, c, _ = cells
    n = sum(cells)

    def minus(q):  # q: only the second is right
        p, rest = q + gap, 1 - 2 * q - gap
        logs = [(b, p), (c, q), (n - b - c, rest)]
        return -sum(count * np.log(max(share, 1e-300)) for count, share in logs if count)

    low, high = max(0.0, -gap), (1 - gap) / 2
    q = optimize.minimize_scalar(minus, bounds=(low, high), options={"xatol": 1e-12}).x
    return (b - c - n * gap) / sqrt(n * (2 * q + gap * (1 - gap)))


TABLES = [(150, 3, 4, 43), (80, 10, 2, 8), (170, 9, 1, 20), (400, 6, 9, 85), (60, 12, 11, 17)]


@pytest.mark.parametrize("cells", TABLES)
@pytest.mark.parametrize("margin", [0.03, 0.06, 0.12])
def test_equivalence_and_non_inferiority_are_one_sided_score_tests_at_the_margin(cells, margin):
    z = stats.norm.ppf(0.95)
    above = score_of_difference(cells, -margin) > z
    below = score_of_difference(cells, margin) < -z
    found = sy.compare(pair(*cells), method="equivalence", margin=margin)
    assert found.decision == ("same" if above and below else "undecided")
    shown = sy.compare(pair(*cells), method="non-inferiority", margin=margin).sheets[1].rows[0]
    assert shown.values[2:] == tuple(
        "not worse" if proved else "undecided" for proved in (above, below)
    )


@pytest.mark.parametrize("margin", [0.05, 0.1])
@pytest.mark.parametrize("discordance", [0.12, 0.2, 0.4])
def test_systems_that_differ_by_the_margin_are_seldom_called_equivalent(margin, discordance):
    # Every table of 60 items and its chance: the size is exact, not simulated.
    size, alpha = 60, 0.05
    p, q = (discordance + margin) / 2, (discordance - margin) / 2
    wrong_same = wrong_better = 0.0
    for b in range(size + 1):
        for c in range(size + 1 - b):
            chance = stats.multinomial.pmf([b, c, size - b - c], size, [p, q, 1 - p - q])
            if chance < 1e-9:
                continue
            low, high = paired_difference_interval(
                size - b - c, b, c, 0, method="tango", level=1 - 2 * alpha
            )
            wrong_same += chance * (-margin < low and high < margin)
            wrong_better += chance * (high < margin)
    assert wrong_same <= wrong_better < 0.062
    assert wrong_better > 0.02

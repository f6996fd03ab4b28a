import pytest

from steelyard.comparison.sequential.wald import discordance_ratio, odds_ratio


def test_the_two_ratios_of_the_same_systems_differ():
    assert round(odds_ratio(0.90, 0.92), 2) == 1.28
    assert discordance_ratio(0.90, 0.92, discordance=0.06) == pytest.approx(2)
    # Two systems whose outcomes have nothing to do with one another have omega = u.
    apart = 0.9 * 0.08 + 0.1 * 0.92
    independent = discordance_ratio(0.90, 0.92, discordance=apart)
    assert independent == pytest.approx(odds_ratio(0.90, 0.92))

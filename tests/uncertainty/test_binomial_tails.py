"""Binomial tails keep their digits; McNemar's test and the gates stand on them."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison import mcnemar
from steelyard.counts import PairTable
from steelyard.uncertainty import miettinen_nurminen_interval
from steelyard.uncertainty.shares.binomial_tails import (
    binomial_at_least,
    binomial_at_most,
    even_mid_p,
)


@given(trials=st.integers(0, 120), count=st.integers(-2, 125), share=st.integers(0, 20))
def test_tails_are_those_of_exact_fractions(trials, count, share):
    rate = Fraction(share, 20)

    def point(k):
        return comb(trials, k) * rate**k * (1 - rate) ** (trials - k)

    at_most = sum((point(k) for k in range(min(count, trials) + 1)), Fraction(0))
    at_least = sum((point(k) for k in range(max(count, 0), trials + 1)), Fraction(0))
    assert binomial_at_most(count, trials, float(rate)) == pytest.approx(
        float(at_most), rel=1e-12, abs=1e-300
    )
    assert binomial_at_least(count, trials, float(rate)) == pytest.approx(
        float(at_least), rel=1e-12, abs=1e-300
    )


@given(wins=st.integers(0, 60), losses=st.integers(0, 60))
def test_the_mid_p_at_even_odds_is_that_of_exact_fractions(wins, losses):
    n = wins + losses
    above = sum(comb(n, k) for k in range(wins + 1, n + 1))
    expected = Fraction(2 * above + comb(n, wins), 2 ** (n + 1)) if n else Fraction(1)
    assert even_mid_p(wins, losses) == pytest.approx(float(expected), rel=1e-13)


DISCORDANT = [
    # b, c, exact and mid-p: mpmath, 40 digits, points added from the smaller count down.
    (9858, 10142, 0.045377601755880767, 0.0446264588013351061),
    (499000, 501000, 0.0456082998653820864, 0.0455003178873631713),
    (4998000, 5002000, 0.20601660279502785, 0.205903231138966025),
    (499968377, 500031623, 0.0455021528926161337, 0.0454987383005605055),
    (499936755, 500063245, 0.0000633603136807086397, 0.0000633518483295167725),
]


@pytest.mark.parametrize(("b", "c", "exact", "mid_p"), DISCORDANT)
def test_mcnemars_test_keeps_its_digits_to_a_thousand_million_items(b, c, exact, mid_p):
    pair = PairTable(both=0, first=b, second=c, neither=0)
    assert mcnemar(pair, method="exact").p_value == pytest.approx(exact, rel=3e-11)
    assert mcnemar(pair).p_value == pytest.approx(mid_p, rel=3e-11)


def test_the_score_interval_keeps_its_digits_beside_a_thousand_million_items():
    # mpmath, 60 digits: the score equation solved by bisection, likelihoods maximised likewise.
    low, high = miettinen_nurminen_interval((0, 1), (0, 10**9))
    assert low == pytest.approx(-3.841458809778777e-09, rel=1e-14)
    assert high == pytest.approx(0.7934506857866492, rel=1e-14)
    low, high = miettinen_nurminen_interval((1, 10**9), (0, 2))
    assert high == pytest.approx(5.66493424726245e-09, rel=1e-14)

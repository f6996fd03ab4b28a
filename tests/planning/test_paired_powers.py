"""Power on common items, against sums over all tables, Connor's formula and simulation."""

from itertools import product
from math import comb, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from steelyard.comparison import mcnemar
from steelyard.counts import PairTable
from steelyard.errors import NotComparable, RequestError
from steelyard.planning import (
    connor_samples,
    discordance_range,
    paired_power,
    paired_rates,
    paired_samples,
    paired_samples_range,
    pilot_rates,
    pilot_samples,
)
from steelyard.planning.sizes import WINDOW, first_lasting
from steelyard.planning.stopping.discordant import (
    BLOCK,
    TAILS,
    binomial_window,
    first_chances,
    first_losses,
    largest_loss,
)

METHODS = ("exact", "mid-p", "asymptotic")


@pytest.mark.parametrize("rule", ["exact", "mid-p"])
@pytest.mark.parametrize("alpha", [0.5, 0.0625, 0.05, 0.05 / 15, 1e-9])
def test_what_is_added_up_from_one_item_to_the_next_is_what_scipy_has(rule, alpha):
    loss = first_losses(BLOCK, rule=rule, alpha=alpha)
    assert (loss == largest_loss(np.arange(BLOCK), rule=rule, alpha=alpha)).all()
    number = np.arange(1, BLOCK)
    for share in (0.02, 0.49, 0.5, 0.7, 1.0):
        chances = binom.cdf(loss[1:], number, share)
        assert first_chances(loss, share)[1:] == pytest.approx(chances, rel=1e-11, abs=1e-290)


@pytest.mark.parametrize("samples", [1, 40, 10**6])
@pytest.mark.parametrize("share", [0.0, 1e-9, 0.3, 0.97, 1.0])
def test_the_window_holds_the_binomial_distribution(samples, share):
    low, weight = binomial_window(samples, share)
    assert weight == pytest.approx(
        binom.pmf(np.arange(low, low + weight.size), samples, share), abs=1e-13
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("samples", [8, 25])
def test_power_is_the_sum_over_all_tables_that_the_test_rejects(method, samples):
    rates = paired_rates(0.7, 0.45, discordance=0.45)
    power = wrong = 0.0
    for b, c in product(range(samples + 1), repeat=2):
        if b + c > samples:
            continue
        rest = samples - b - c
        weight = comb(samples, b) * comb(samples - b, c) * (1 - rates.discordance) ** rest
        weight *= rates.only_first**b * rates.only_second**c
        table = PairTable(both=rest, first=b, second=c, neither=0)
        if mcnemar(table, method=method).p_value <= 0.05:
            power += weight * (b > c)
            wrong += weight * (c > b)
    found = paired_power(rates, samples, method=method)
    assert found.power == pytest.approx(power, abs=1e-12)
    assert found.wrong == pytest.approx(wrong, abs=1e-12)


@settings(max_examples=40)
@given(st.integers(1, 3000), st.sampled_from(METHODS), st.sampled_from([0.2, 0.05, 0.01, 0.001]))
def test_the_largest_loss_is_the_edge_of_the_test(number, method, alpha):
    loss = int(largest_loss(np.array([number]), rule=method, alpha=alpha)[0])
    for losses, inside in ((loss, True), (loss + 1, False)):
        if losses < 0 or 2 * losses >= number:
            continue
        table = PairTable(both=0, first=losses, second=number - losses, neither=0)
        assert (mcnemar(table, method=method).p_value <= alpha) == inside


@pytest.mark.parametrize(
    ("first", "second", "discordance"),
    [(0.8, 0.7, 0.2), (0.9, 0.85, 0.1), (0.7, 0.6, 0.3), (0.95, 0.9, 0.12), (0.6, 0.5, 0.4)],
)
def test_connor_falls_short_for_the_exact_test_and_mid_p_reaches_it(first, second, discordance):
    rates = paired_rates(first, second, discordance=discordance)
    connor = connor_samples(rates)
    assert 0.75 < paired_power(rates, connor, method="exact").power < 0.795
    assert 0.795 < paired_power(rates, connor, method="mid-p").power < 0.82
    assert paired_samples(rates, method="exact").samples > connor


@pytest.mark.parametrize("method", METHODS)
def test_the_power_is_kept_from_the_answer_on_and_missed_just_before(method):
    rates = paired_rates(0.9, 0.75, discordance=0.15)
    size = paired_samples(rates, method=method)
    after = [
        paired_power(rates, size.samples + more, method=method).power for more in range(WINDOW)
    ]
    assert min(after) >= 0.8
    assert after[0] == size.reached
    assert paired_power(rates, size.samples - 1, method=method).power < 0.8


def test_a_sawtooth_is_answered_behind_its_last_tooth():
    missing = {30, 47, 61}
    found = first_lasting(lambda n: n >= 25 and n not in missing, start=5)
    assert found == 62
    assert first_lasting(lambda n: n > 500, start=5, limit=400) is None


def test_an_unknown_discordance_gives_a_range_with_its_ends_at_the_possible():
    allowed = discordance_range(0.9, 0.86)
    assert (allowed.low, allowed.high) == pytest.approx((0.04, 0.24))
    found = paired_samples_range(0.9, 0.86)
    assert found.low.samples < found.unrelated.samples < found.high.samples
    for share, size in ((allowed.low, found.low), (allowed.high, found.high)):
        rates = paired_rates(0.9, 0.86, discordance=share)
        assert paired_samples(rates) == size


def test_a_pilot_is_taken_for_the_truth():
    pilot = PairTable(both=160, first=18, second=5, neither=17)
    rates = pilot_rates(pilot)
    assert rates.difference == pytest.approx(13 / 200)
    assert pilot_samples(pilot) == paired_samples(rates)
    assert pilot_samples(PairTable(both=320, first=36, second=10, neither=34)) == pilot_samples(
        pilot
    )


def test_exchanging_the_systems_changes_nothing():
    rates = paired_rates(0.8, 0.7, discordance=0.2)
    assert paired_samples(rates) == paired_samples(rates.swap())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("first", "second", "discordance"), [(0.8, 0.7, 0.2), (0.9, 0.84, 0.09), (0.55, 0.4, 0.5)]
)
def test_the_planned_items_reach_the_power_in_simulation(method, first, second, discordance):
    rates = paired_rates(first, second, discordance=discordance)
    size = paired_samples(rates, method=method)
    rng, campaigns = np.random.default_rng(3), 4000
    chances = [rates.only_first, rates.only_second, 1 - rates.discordance]
    won, lost, _ = rng.multinomial(size.samples, chances, size=campaigns).T
    number = np.maximum(won + lost, 1).astype(float)
    low = np.minimum(won, lost).astype(float)
    decided = (TAILS[method](low, number) <= 0.05) & (won != lost)
    hits = int(np.sum(decided & (won > lost)))
    assert abs(hits - campaigns * size.reached) < 4 * sqrt(campaigns * 0.16)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: paired_samples(paired_rates(0.9, 0.9, discordance=0.1)),
            "rates are equal.*margin",
        ),
        (lambda: paired_rates(0.9, 0.8, discordance=0.05), r"nearest possible is discordance=0\.1"),
        (lambda: paired_rates(0.9, 0.8, discordance=0.5), r"between 0\.1 and 0\.3"),
        (lambda: paired_power(paired_rates(0.9, 0.8, discordance=0.2), 0), "at least 1"),
        (lambda: largest_loss(np.array([3]), rule="fisher", alpha=0.05), "rule='fisher'"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(RequestError, match=words):
        call()


def test_a_pilot_that_tells_nothing_apart_is_refused():
    with pytest.raises(NotComparable, match="tells the two systems apart"):
        pilot_samples(PairTable(both=10, first=0, second=0, neither=3))


def test_a_tiny_difference_goes_beyond_the_limit():
    size = paired_samples(paired_rates(0.9, 0.899, discordance=0.19), limit=100_000)
    assert size.samples is None
    assert size.connor > 100_000

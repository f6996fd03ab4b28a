import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from steelyard.comparison import mcnemar
from steelyard.comparison.resampling.paired import (
    MOST_NUMBERS,
    _error_of_draws,
    _share_of_draws,
    bootstrap_calls,
    permute_calls,
)
from steelyard.counts import Grouped, JointCalls, PairTable
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty import paired_wald_interval


def rng(seed=0):
    return np.random.default_rng(seed)


def accuracy(tables):
    return np.trace(tables, axis1=1, axis2=2) / tables.sum(axis=(1, 2))


def recall_of_a(tables):
    with np.errstate(invalid="ignore", divide="ignore"):
        return tables[:, 0, 0] / tables[:, 0].sum(axis=1)


def joint_of(both, first, second, neither):
    return JointCalls.from_cells(
        {
            ("a", ("a", "a")): both,
            ("a", ("a", "b")): first,
            ("a", ("b", "a")): second,
            ("b", ("a", "a")): neither,
        },
        systems=("S", "T"),
        classes=("a", "b"),
    )


def test_the_bootstrap_of_accuracy_has_the_spread_of_the_paired_difference():
    (pair,) = bootstrap_calls(joint_of(160, 18, 5, 17), accuracy, rng=rng(), draws=20_000)
    low, high = paired_wald_interval(160, 18, 5, 17)
    assert pair.difference == pytest.approx(13 / 200, abs=1e-15)
    assert (pair.low, pair.high) == pytest.approx((low, high), abs=0.004)


def test_the_permutation_of_accuracy_is_the_exact_mcnemar_test():
    exact = mcnemar(PairTable(both=160, first=18, second=5, neither=17), method="exact").p_value
    (pair,) = permute_calls(joint_of(160, 18, 5, 17), accuracy, rng=rng(), draws=50_000)
    assert pair.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact / 50_000))
    assert pair.low is pair.high is None


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(1, 30))
def test_no_p_value_is_below_what_the_draws_can_show(both, first, second, neither):
    joint = joint_of(both, first, second, neither)
    for (pair,) in (
        bootstrap_calls(joint, accuracy, rng=rng(), draws=99),
        permute_calls(joint, accuracy, rng=rng(), draws=99),
    ):
        assert 1 / 100 <= pair.p_value <= 1
        if first == second == 0:
            assert (pair.difference, pair.p_value) == (0, 1)


def test_blocks_leave_no_trace_in_what_is_drawn():
    wide = JointCalls.from_cells(
        {(f"c{k}", (f"c{k}", f"c{k % 7}")): 3 for k in range(60)}, systems=("S", "T")
    )
    (pair,) = bootstrap_calls(wide, accuracy, rng=rng(), draws=1000)
    assert 1000 * 60**2 > MOST_NUMBERS
    assert pair.draws == 1000
    assert pair.low < pair.difference < pair.high


def test_three_systems_share_their_draws():
    joint = JointCalls.from_cells(
        {("a", ("a", "a", "b")): 9, ("a", ("b", "a", "a")): 4, ("b", ("b", "b", "b")): 30},
        systems=("S", "T", "U"),
    )
    pairs = bootstrap_calls(joint, accuracy, rng=rng(), draws=500)
    assert [(pair.first, pair.second) for pair in pairs] == [("S", "T"), ("S", "U"), ("T", "U")]
    assert pairs[0].low >= -0.3


def test_draws_without_a_value_are_counted_and_left_out():
    few = JointCalls.from_cells(
        {("a", ("a", "b")): 1, ("a", ("a", "a")): 1, ("b", ("b", "b")): 2},
        systems=("S", "T"), classes=("a", "b"),
    )  # fmt: skip
    (pair,) = bootstrap_calls(few, recall_of_a, rng=rng(), draws=999)
    assert 0 < pair.undefined < 200


def test_draws_that_all_agree_give_no_interval_and_never_a_difference():
    same = JointCalls.from_cells({("a", ("a", "a")): 5}, systems=("S", "T"), classes=("a", "b"))
    (pair,) = bootstrap_calls(same, accuracy, rng=rng(), draws=99)
    assert (pair.low, pair.high, pair.p_value) == (None, None, 1.0)
    apart = JointCalls.from_cells({("a", ("a", "b")): 5}, systems=("S", "T"), classes=("a", "b"))
    with pytest.raises(NotComparable, match="same amount in every draw"):
        bootstrap_calls(apart, accuracy, rng=rng(), draws=99)


def test_few_clusters_are_refused_and_their_tails_are_students():
    # The share of draws that Student's t of seven degrees leaves out, by scipy.stats.
    share = stats.norm.cdf(stats.t.ppf(0.025, 7) * (8 / 7) ** 0.5)
    assert _share_of_draws(0.025, 8) == pytest.approx(share, rel=1e-12)
    assert _error_of_draws(share, 8) == pytest.approx(0.025, rel=1e-12)
    parts = {
        str(g): JointCalls.from_cells(
            {("a", ("a", "b")): 1 + g % 3, ("a", ("b", "a")): 1 + g % 2},
            systems=("S", "T"), classes=("a", "b"),
        )
        for g in range(7)
    }  # fmt: skip
    with pytest.raises(NotComparable, match="7 clusters are too few"):
        bootstrap_calls(Grouped.from_parts("site", parts), accuracy, rng=rng(), draws=99)


def test_measures_without_a_value_and_senseless_draws_are_refused():
    none = JointCalls.from_cells({("b", ("b", "b")): 2}, systems=("S", "T"), classes=("a", "b"))
    with pytest.raises(NotComparable, match="undefined for S, T"):
        bootstrap_calls(none, recall_of_a, rng=rng())
    rare = JointCalls.from_cells(
        {("a", ("a", "b")): 1, ("b", ("b", "b")): 2}, systems=("S", "T"), classes=("a", "b")
    )

    def fickle(tables):
        return np.where(tables[:, 0, :].sum(axis=1) == 1, accuracy(tables), np.nan)

    with pytest.raises(NotComparable, match="undefined in"):
        bootstrap_calls(rare, fickle, rng=rng(), draws=999)
    for draws in (0, 50, 2.5, True):
        with pytest.raises(RequestError, match="99 or more"):
            permute_calls(none, accuracy, rng=rng(), draws=draws)
    with pytest.raises(NotComparable, match="no items"):
        permute_calls(JointCalls(systems=("S", "T"), classes=("a",), cells=()), accuracy, rng=rng())

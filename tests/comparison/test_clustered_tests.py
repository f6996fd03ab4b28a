import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.comparison.exact.clustered import clustered_mcnemar, stratified_mcnemar
from steelyard.comparison.exact.paired import mcnemar
from steelyard.counts import PairTable
from steelyard.errors import NotComparable, RequestError

pairs = st.builds(
    PairTable,
    both=st.integers(0, 9),
    first=st.integers(0, 9),
    second=st.integers(0, 9),
    neither=st.integers(0, 9),
)


@given(st.lists(pairs, min_size=1, max_size=6))
def test_strata_are_pooled_as_mantel_and_haenszel_do(strata):
    answer = stratified_mcnemar(strata, method="asymptotic")
    b, c = sum(s.first for s in strata), sum(s.second for s in strata)
    if b + c:
        # Sum of observed minus expected wins given each stratum's discordant items, squared,
        # over the sum of their variances.
        excess = sum(s.first - s.discordant / 2 for s in strata)
        variance = sum(s.discordant / 4 for s in strata)
        assert answer.test.statistic == pytest.approx(excess**2 / variance, abs=1e-9)
    assert answer.ratio == (b / c if c else None)


def test_strata_that_disagree_are_noticed():
    strata = [
        PairTable(both=9, first=20, second=2, neither=1),
        PairTable(both=9, first=3, second=21, neither=1),
    ]
    answer = stratified_mcnemar(strata)
    assert answer.test.p_value > 0.5
    assert answer.agreement.p_value < 1e-6
    assert stratified_mcnemar(strata[:1]).agreement is None


@given(st.integers(0, 30), st.integers(0, 30), st.integers(2, 30))
def test_clusters_of_one_item_are_plain_items(b, c, rest):
    one = PairTable(both=0, first=1, second=0, neither=0)
    two = PairTable(both=0, first=0, second=1, neither=0)
    same = PairTable(both=1, first=0, second=0, neither=0)
    clusters = [one] * b + [two] * c + [same] * rest
    plain = mcnemar(PairTable(both=rest, first=b, second=c, neither=0), method="asymptotic")
    answer = clustered_mcnemar(clusters, method="durkalski")
    if b != c:
        assert answer.statistic == pytest.approx(plain.statistic, abs=1e-9)
        robust, count = clustered_mcnemar(clusters), len(clusters)
        assert robust.statistic == pytest.approx(plain.statistic * (count - 1) / count, abs=1e-9)
    assert answer.p_value == pytest.approx(plain.p_value, abs=1e-9)


@given(st.lists(pairs.filter(lambda p: p.total), min_size=2, max_size=8))
def test_exchanging_the_systems_changes_only_the_sign(clusters):
    turned = [
        PairTable(both=c.both, first=c.second, second=c.first, neither=c.neither) for c in clusters
    ]
    for method in ("robust", "durkalski"):
        one, two = (
            clustered_mcnemar(clusters, method=method),
            clustered_mcnemar(turned, method=method),
        )
        assert one.p_value == pytest.approx(two.p_value)
        assert one.difference == pytest.approx(-two.difference)


def test_the_error_rate_holds_where_the_plain_test_fails():
    # 25 clusters of 12 items that share a leaning: equal systems on average.
    rng, campaigns = np.random.default_rng(2), 400
    rejected = {"plain": 0, "robust": 0, "durkalski": 0}
    for _ in range(campaigns):
        lean = rng.beta(0.7, 0.7, 25)
        b = rng.binomial(6, lean)
        clusters = [PairTable(both=6, first=int(k), second=6 - int(k), neither=0) for k in b]
        pooled = PairTable(both=0, first=int(b.sum()), second=int(150 - b.sum()), neither=0)
        rejected["plain"] += mcnemar(pooled).p_value < 0.05
        for method in ("robust", "durkalski"):
            rejected[method] += clustered_mcnemar(clusters, method=method).p_value < 0.05
    assert rejected["plain"] > 0.15 * campaigns
    for method in ("robust", "durkalski"):
        assert rejected[method] < 0.05 * campaigns + 3 * (campaigns * 0.05 * 0.95) ** 0.5


def test_clusters_that_cancel_or_agree_leave_nothing_to_test():
    tied = PairTable(both=1, first=1, second=1, neither=0)
    answer = clustered_mcnemar([tied, tied, PairTable(both=0, first=0, second=0, neither=0)])
    assert (answer.clusters, answer.informative) == (2, 0)
    assert (answer.statistic, answer.p_value) == (None, 1.0)


def test_strange_requests_are_refused():
    pair = PairTable(both=1, first=1, second=1, neither=0)
    with pytest.raises(NotComparable, match="stratum"):
        stratified_mcnemar([])
    with pytest.raises(NotComparable, match="at least two"):
        clustered_mcnemar([pair])
    with pytest.raises(RequestError, match="method"):
        clustered_mcnemar([pair, pair], method="plain")

"""Two and more systems with a number for each item, beside other people's numbers."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from steelyard.comparison import (
    asymptotic_sequence,
    best_of_means,
    betting_evidence,
    betting_sequence,
    friedman,
    mapsswe,
    nemenyi,
    paired_mean_difference,
    permute_signs,
    quality_cost_front,
    quantile_difference,
    rank_means,
    rank_ratios,
    ratio_difference,
    sign_test,
    signed_differences,
    start_betting,
    variance_components,
    wilcoxon_test,
    win_rate,
)
from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    StudentEstimate,
    estimate_mean,
    holm,
    quantile_interval,
)
from tests.golden.values_cases import cluster_sums, named

EDGE = 1e-8


def exact_differences(data):
    """Differences of decimals as written, not as floats have them."""
    pairs = zip(data["x"], data["y"], strict=True)
    return [Fraction(str(x)) - Fraction(str(y)) for x, y in pairs]


def counted(differences):
    values, counts = signed_differences(differences)
    return tuple(int(counts[np.sign(values) == sign].sum()) for sign in (1, 0, -1))


@pytest.mark.parametrize(("name", "data", "expected"), named("paired"))
def test_a_paired_difference_is_that_of_scipy(name, data, expected):
    gaps = exact_differences(data)
    found = paired_mean_difference(len(gaps), sum(gaps), sum(gap**2 for gap in gaps))
    assert (found.units, found.freedom) == (expected["n"], expected["df"])
    assert found.difference == pytest.approx(expected["mean_difference"], abs=EDGE)
    deviation = found.error * found.units**0.5
    assert deviation == pytest.approx(expected["sd_difference"], abs=EDGE)
    assert found.statistic == pytest.approx(expected["t"], abs=EDGE)
    assert found.p_value == pytest.approx(expected["t_p"], abs=EDGE)
    assert (found.low, found.high) == pytest.approx(expected["t_ci95"], abs=EDGE)


@pytest.mark.parametrize(("name", "data", "expected"), named("paired"))
def test_wins_signs_ranks_and_permutations_are_exact_with_ties(name, data, expected):
    gaps = np.array(data["x"]) - np.array(data["y"])
    wins = counted(gaps)
    assert list(wins) == expected["win_tie_loss"]
    rate = win_rate(*wins)
    assert rate.rate == pytest.approx(expected["win_rate"], abs=EDGE)
    assert (rate.low, rate.high) == pytest.approx(expected["win_rate_ci95_score"], abs=EDGE)
    assert sign_test(*wins).p_value == pytest.approx(expected["sign_test_exact_p"], abs=EDGE)
    permuted = permute_signs(gaps, rng=np.random.default_rng(1))
    assert permuted.method == "exact"
    assert permuted.p_value == pytest.approx(expected["permutation_exact_p"], abs=EDGE)
    if "wilcoxon_exact" in expected:
        untied = wilcoxon_test(gaps, zeros="drop", method="exact")
        assert min(untied.positive, untied.negative) == expected["wilcoxon_exact"]["W"]
        assert untied.p_value == pytest.approx(expected["wilcoxon_exact"]["p"], abs=EDGE)
    if "scipy_permutation_test_p" in expected:
        assert permuted.p_value == pytest.approx(expected["scipy_permutation_test_p"], abs=EDGE)
    exact = wilcoxon_test(gaps, zeros="drop", method="exact").p_value
    assert exact == pytest.approx(expected["wilcoxon_zeros_dropped_exact_given_ties_p"], abs=EDGE)
    for zeros, theirs in (("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")):
        for method, suffix in (("normal", "normal"), ("corrected", "normal_corrected")):
            found = wilcoxon_test(gaps, zeros=zeros, method=method)
            golden = expected[f"wilcoxon_{theirs}_{suffix}"]
            assert min(found.positive, found.negative) == golden["W"]
            assert -abs(found.z) == pytest.approx(golden["z"], abs=EDGE)
            assert found.p_value == pytest.approx(golden["p"], abs=EDGE)


@pytest.mark.parametrize(("name", "data", "expected"), named("ratio-1") + named("ratio-2"))
def test_a_difference_of_ratios_is_that_of_linearised_residuals(name, data, expected):
    columns = [data["x"], data["w"], data["x2"], data.get("w2", data["w"])]
    grouped = [cluster_sums(column, data["cluster"]) for column in columns]
    for given_columns, said in ((columns, "difference_items"), (grouped, "difference_clusters")):
        found, golden = ratio_difference(*given_columns), expected[said]
        assert found.difference == pytest.approx(golden["difference"], abs=1e-9)
        assert found.error == pytest.approx(golden["se"], abs=1e-9)
        assert (found.units, found.freedom) == (golden["units"], golden["df"])
        assert found.statistic == pytest.approx(golden["t"], abs=1e-9)
        assert found.p_value == pytest.approx(golden["p"], abs=1e-9)
        assert (found.low, found.high) == pytest.approx(golden["ci95_t"], abs=1e-9)


@pytest.mark.parametrize(("name", "data", "expected"), named("cluster-mean"))
def test_a_difference_over_clusters_is_that_of_statsmodels(name, data, expected):
    sizes = cluster_sums(np.ones(len(data["x"])), data["cluster"])
    totals = [cluster_sums(data[column], data["cluster"]) for column in "xy"]
    found, golden = ratio_difference(totals[0], sizes, totals[1], sizes), expected["difference"]
    assert found.error == pytest.approx(golden["se_cluster"], abs=1e-9)
    assert found.p_value == pytest.approx(golden["p"], abs=1e-9)
    assert (found.low, found.high) == pytest.approx(golden["ci95"], abs=1e-9)


@pytest.mark.parametrize(("name", "data", "expected"), named("words"))
def test_mapsswe_has_the_numbers_of_nist_from_its_segments(name, data, expected):
    for golden in expected["pairs"].values():
        segments = np.array(golden["segments_ref_errA_errB"])
        found, full = mapsswe(segments[:, 1], segments[:, 2]), golden["mapsswe_full_precision"]
        printed = golden["sc_stats"]
        assert found.segments == printed["segments"]
        assert found.mean == pytest.approx(full["mean"], abs=1e-9)
        assert found.deviation == pytest.approx(full["sd"], abs=1e-9)
        assert found.nist_p_value == pytest.approx(full["p_from_table_as_sc_stats"], abs=1e-9)
        if found.z is None:
            continue
        assert found.z == pytest.approx(full["z"], abs=1e-9)
        assert found.z == pytest.approx(printed["z"], abs=6e-4)
        assert found.p_value == pytest.approx(full["p_normal"], abs=1e-9)
        assert found.p_student == pytest.approx(full["p_t"], abs=1e-9)
        if printed["p_printed"] is not None:
            assert found.nist_p_value == pytest.approx(printed["p_printed"], abs=6e-4)


def test_thirty_errors_to_none_are_no_tie_though_nist_says_same():
    found = mapsswe([0] * 30, [1] * 30)
    assert (found.nist_z, found.nist_p_value) == (0.0, 1.0)
    assert (found.model, found.z) == ("signs", None)
    assert found.p_value == 2.0**-29
    assert mapsswe([1] * 30, [1] * 30).p_value == 1.0


def test_equal_differences_on_all_items_claim_no_interval_and_no_equivalence():
    found = paired_mean_difference(20, 10, 5, margin=1.0)
    assert (found.model, found.low, found.high) == ("signs", None, None)
    assert found.p_value == 2.0**-19
    assert found.better == 1 - 2.0**-20
    assert (found.equivalent, found.p_equivalent) == (None, None)
    none = paired_mean_difference(20, 0, 0)
    assert (none.p_value, none.better) == (1.0, 0.5)
    by_units = ratio_difference([0.1, 0.3], [1, 3], [0.2, 0.6], [1, 3])
    assert by_units.model == "signs"


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=20))
def test_interval_p_value_and_confidence_of_a_pair_agree(pairs):
    gaps = [x - y for x, y in pairs]
    if len(set(gaps)) < 2:
        return
    found = paired_mean_difference(
        len(gaps), sum(gaps), sum(gap * gap for gap in gaps), margin=2.0, level=0.9
    )
    assert found.p_value == pytest.approx(ttest_rel(*zip(*pairs, strict=True)).pvalue, abs=1e-10)
    assert found.p_value == pytest.approx(2 * min(found.better, 1 - found.better), abs=1e-9)
    outside = not found.low <= 0 <= found.high
    assert outside == (found.p_value < 0.1) or found.p_value == pytest.approx(0.1)
    # Two one-sided tests at 5 %: the 90 % interval lies within the margin.
    inside = found.low > -2 and found.high < 2
    assert inside == (found.p_equivalent < 0.05) or found.p_equivalent == pytest.approx(0.05)
    parts = found.first_better + found.equivalent + found.second_better
    assert parts == pytest.approx(1)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_every_pattern_of_signs_is_counted(values):
    signs = list(product((-1, 1), repeat=len(values)))
    reach = abs(sum(values))
    beyond = sum(abs(sum(s * abs(v) for s, v in zip(one, values, strict=True))) >= reach
                 for one in signs)  # fmt: skip
    found = permute_signs(np.array(values) / 10, rng=np.random.default_rng(1))
    assert found.p_value == pytest.approx(beyond / len(signs), abs=1e-12)
    table = signed_differences(values)
    assert permute_signs(*table, rng=np.random.default_rng(1)).p_value == found.p_value
    assert wilcoxon_test(*table).p_value == wilcoxon_test(values).p_value


@pytest.mark.parametrize(("name", "data", "expected"), named("datasets"))
def test_ranks_over_data_sets_are_those_of_scipy_statsmodels_and_autorank(name, data, expected):
    better = "higher" if data["higher_is_better"] else "lower"
    table = np.array(data["rows"])
    scores = dict(zip(data["algorithms"], table.T.tolist(), strict=True))
    ranked = friedman(scores, better=better)
    plain = friedman(scores, better=better, correct_ties=False)
    assert ranked.ranks.ranks == pytest.approx(expected["mean_ranks"], abs=EDGE)
    for found, chi, f in (
        (ranked, "friedman_tie_corrected", "iman_davenport_tie_corrected"),
        (plain, "friedman_uncorrected_demsar", "iman_davenport_uncorrected"),
    ):
        assert found.statistic == pytest.approx(expected[chi]["chi2"], abs=1e-7)
        assert found.p_value == pytest.approx(expected[chi]["p"], abs=EDGE)
        assert found.f_statistic == pytest.approx(expected[f]["F"], abs=1e-7)
    apart = nemenyi(scores, better=better)
    assert apart.critical_difference == pytest.approx(expected["nemenyi_cd05"], abs=EDGE)
    # scikit-posthocs takes the studentized range of very many degrees of freedom.
    known = list(scores)
    for pair in apart.pairs:
        there = expected["nemenyi_p_scikit_posthocs"][known.index(pair.first)]
        assert pair.p_value == pytest.approx(there[known.index(pair.second)], abs=2e-5)
    assert ranked.p_value == pytest.approx(expected["autorank"]["p"], abs=EDGE)
    means = [expected["autorank"]["meanrank"][name] for name in known]
    assert ranked.ranks.ranks == pytest.approx(means, abs=EDGE)
    assert apart.critical_difference == pytest.approx(expected["autorank"]["cd"], abs=3e-5)
    golden = expected["wilcoxon_pairs"]
    pairs = list(combinations(range(len(scores)), 2))
    for zeros, theirs in (("drop", "wilcox"), ("pratt", "pratt"), ("split", "zsplit")):
        tests = [
            wilcoxon_test(table[:, i] - table[:, j], zeros=zeros, method="normal") for i, j in pairs
        ]
        assert [min(one.positive, one.negative) for one in tests] == golden[theirs]["W"]
        assert [one.p_value for one in tests] == pytest.approx(golden[theirs]["p"], abs=EDGE)
        adjusted = holm([one.p_value for one in tests])
        assert adjusted == pytest.approx(golden[theirs]["holm"], abs=EDGE)
    wins = [list(counted(table[:, i] - table[:, j])) for i, j in pairs]
    assert wins == expected["win_tie_loss"]


def test_many_values_without_a_unit_are_permuted_at_random():
    gaps = np.random.default_rng(2).normal(0.2, 1, 200)
    found = permute_signs(gaps, rng=np.random.default_rng(1), draws=20_000)
    assert found.method == "drawn"
    pair = paired_mean_difference(200, float(gaps.sum()), float((gaps**2).sum()))
    assert found.p_value == pytest.approx(pair.p_value, abs=6 * found.error + 0.002)
    few = permute_signs(gaps[:12], rng=np.random.default_rng(1))
    assert few.method == "exact"


def test_who_is_best_of_two_is_the_chance_of_the_pair():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 10, (30, 2))
    found = rank_means(
        ["A", "B"], 30, values.sum(axis=0).tolist(), (values.T @ values).tolist(), rng=rng
    )
    pair = found.pairs[0, 1]
    assert found.best[0] == pytest.approx(pair.better, abs=1e-12)
    assert found.adjusted[0, 1] == pair.p_value
    lower = rank_ratios(["A", "B"], values, np.ones(30), rng=rng, better="lower")
    assert lower.best[0] == pytest.approx(1 - pair.better, abs=1e-9)
    # Expected losses differ by the difference of the means.
    assert abs(found.loss[0] - found.loss[1]) == pytest.approx(abs(pair.difference), abs=1e-12)


def test_several_systems_have_chances_ranks_and_tiers_in_accord_with_their_pairs():
    rng = np.random.default_rng(4)
    common = rng.normal(0, 5, 80)[:, None]
    values = np.round(1e6 + common + rng.normal([0, 0.1, 1.5], 1, (80, 3)), 3)
    whole = [[round(1000 * v) for v in row] for row in values.tolist()]
    table = np.array(whole, dtype=object)
    sums, products = table.sum(axis=0).tolist(), (table.T @ table).tolist()
    found = rank_means("ABC", 80, sums, products, rng=rng)
    means, covariance = values.mean(axis=0), np.cov(values.T) / 80
    again = best_of_means(means, covariance, freedom=79, rng=np.random.default_rng(1))
    assert found.best == pytest.approx(again.best, abs=0.01)
    assert found.best[2] > 0.99
    assert [(rank.lowest, rank.highest) for rank in found.ranks] == [(2, 3), (2, 3), (1, 1)]
    assert found.letters == {"C": "a", "B": "b", "A": "b"}
    lower = rank_means("ABC", 80, sums, products, rng=rng, better="lower")
    assert [(rank.lowest, rank.highest) for rank in lower.ranks] == [(1, 2), (1, 2), (3, 3)]


def test_twins_share_their_chance_of_being_best_in_any_unit():
    values = np.array([[3, 3, 1], [5, 5, 2], [4, 4, 4], [6, 6, 3], [9, 9, 1]], dtype=float)
    for unit in (1.0, 1e-9, 1e9):
        table = values * unit
        found = rank_means(
            "ABC", 5, table.sum(axis=0).tolist(), (table.T @ table).tolist(),
            rng=np.random.default_rng(1),
        )  # fmt: skip
        assert found.best[0] == pytest.approx(found.best[1], abs=0.01)
        assert found.pairs[0, 1].p_value == 1.0
        assert sum(found.best) == pytest.approx(1)
    # A constant lead of 0.1 has no spread, though float sums show a trace of one.
    shifted = np.stack([values[:, 0] + 0.1, values[:, 0], values[:, 2]], axis=1) * 1e3
    apart = rank_means(
        "ABC", 5, shifted.sum(axis=0).tolist(), (shifted.T @ shifted).tolist(),
        rng=np.random.default_rng(1),
    ).pairs[0, 1]  # fmt: skip
    assert (apart.model, apart.p_value) == ("signs", 2.0**-4)
    same = best_of_means([1.0, 1.0], np.ones((2, 2)), freedom=4, rng=np.random.default_rng(1))
    assert same.best == (0.5, 0.5)


def test_a_front_has_three_states_and_known_costs_need_no_test():
    rng = np.random.default_rng(1)

    def pairs(means):
        values = rng.normal(means, 1, (200, 3))
        table = rank_means(
            "ABC", 200, values.sum(axis=0).tolist(), (values.T @ values).tolist(), rng=rng
        )
        return table.pairs

    quality, cost = pairs([2.0, 1.0, 0.5]), pairs([5.0, 3.0, 9.0])
    states = [place.state for place in quality_cost_front("ABC", quality, cost)]
    assert states == ["on", "on", "off"]
    known = quality_cost_front("ABC", quality, [1.0, 1.0, 1.0])
    assert [place.state for place in known] == ["on", "off", "off"]
    assert known[2].beaten_by == ("A", "B")
    unclear = pairs([0.0, 0.0, 0.0])
    assert {place.state for place in quality_cost_front("ABC", unclear, unclear)} == {"undecided"}
    with pytest.raises(RequestError):
        quality_cost_front("ABC", quality, [1.0])


def test_a_quantile_difference_of_many_items_has_the_limits_of_resampling():
    rng = np.random.default_rng(1)
    slow = rng.gamma(2, 50, 4000)
    fast = slow * 0.9 + rng.normal(0, 5, 4000)
    found = quantile_difference(slow, fast, share=0.95, rng=rng, repetitions=2000)
    # Brute force: resample all items, both values together.
    gaps = []
    for _ in range(2000):
        drawn = rng.integers(0, 4000, 4000)
        gaps.append(np.quantile(slow[drawn], 0.95, method="inverted_cdf")
                    - np.quantile(fast[drawn], 0.95, method="inverted_cdf"))  # fmt: skip
    assert (found.low, found.high) == pytest.approx(np.quantile(gaps, [0.025, 0.975]), abs=2.5)
    assert found.difference == pytest.approx(
        np.quantile(slow, 0.95, method="inverted_cdf")
        - np.quantile(fast, 0.95, method="inverted_cdf")
    )
    with pytest.raises(CountsError) as refused:
        quantile_difference(slow[:50], fast[:50], share=0.95, rng=rng)
    assert refused.value.code == "too-few-for-quantile"


@pytest.mark.parametrize(("n", "share"), [(10, 0.5), (80, 0.95)])
def test_limits_beside_a_system_that_hardly_varies_are_order_statistics_of_the_other(n, share):
    values = np.random.default_rng(2).gamma(2, 50, n)
    steady = 1e-9 * np.arange(n)
    found = quantile_difference(
        values, steady, share=share, rng=np.random.default_rng(3), level=0.9, repetitions=20_000
    )
    exact = quantile_interval(values, share=share, level=0.9)
    low, high = np.searchsorted(np.sort(values), [found.low + 1e-6, found.high - 1e-6])
    # Either end of the gap is taken by chance, and so a limit is one rank nearer at most.
    assert 0 <= low - exact.low_rank <= 1
    assert 0 <= exact.high_rank - (high + 1) <= 1


def test_a_quantile_of_equal_values_has_equal_limits_in_any_order():
    grades = np.repeat([1.0, 4.0, 5.0], [10, 30, 60])
    found = quantile_difference(grades, grades[::-1], share=0.8, rng=np.random.default_rng(1))
    assert (found.low, found.difference, found.high, found.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_components_of_a_balanced_table_are_those_of_analysis_of_variance():
    rng = np.random.default_rng(2)
    items, judges = 40, 6
    table = (
        10
        + rng.normal(0, 2, items)[:, None]
        + rng.normal(0, 1, judges)
        + rng.normal(0, 0.5, (items, judges))
    )
    mean = table.mean()
    by_item = judges * ((table.mean(axis=1) - mean) ** 2).sum() / (items - 1)
    by_judge = items * ((table.mean(axis=0) - mean) ** 2).sum() / (judges - 1)
    left = table - table.mean(axis=1)[:, None] - table.mean(axis=0) + mean
    rest = (left**2).sum() / ((items - 1) * (judges - 1))
    rows = {"item": np.repeat(np.arange(items), judges), "judge": np.tile(np.arange(judges), items)}
    found = variance_components(table.ravel(), rows)
    assert found.variances == pytest.approx(
        {"item": (by_item - rest) / judges, "judge": (by_judge - rest) / items, "rest": rest}
    )
    assert sum(found.shares.values()) == pytest.approx(1)
    # Unbalanced: rows left out at random leave the estimates near.
    kept = rng.random(table.size) < 0.8
    part = variance_components(
        table.ravel()[kept], {name: levels[kept] for name, levels in rows.items()}
    )
    assert part.shares == pytest.approx(found.shares, abs=0.08)
    for bad in ({"item": np.arange(table.size)}, {"item": np.zeros(table.size)}):
        with pytest.raises(CountsError) as refused:
            variance_components(table.ravel(), bad)
        assert refused.value.code == "nothing-repeats"


def test_runs_of_an_item_are_those_of_evalstats_less_what_its_item_means_hold_of_them():
    table = np.array(
        [[2 * i + (3 * i + 5 * r * r + i * r) % 7 for r in range(4)] for i in range(9)]
    )
    found = variance_components(table.ravel(), {"item": np.repeat(np.arange(9), 4)})
    # evalstats 0.3.3, seed_variance_decomposition: seed_var and input_var. Its variance of item
    # means still holds a fourth of the variance of runs.
    assert found.variances["rest"] == pytest.approx(4.25)
    assert found.variances["item"] + found.variances["rest"] / 4 == pytest.approx(
        30.069444444444443
    )


@pytest.mark.parametrize(("name", "data", "expected"), named("betting"))
def test_bets_are_those_of_confseq_however_they_are_extended(name, data, expected):
    bounds = tuple(data["range"])
    for against, golden in expected["capital"].items():
        state = start_betting(bounds=bounds, against=float(against))
        first = None
        for seen, value in enumerate(data["x"], 1):
            state = state.extend([value])
            if first is None and state.evidence >= 20:
                first = seen
            if str(seen) in golden:
                assert state.evidence == pytest.approx(golden[str(seen)], rel=1e-8)
                at_once = betting_evidence(data["x"][:seen], bounds=bounds, against=float(against))
                assert at_once.evidence == pytest.approx(state.evidence, rel=1e-9)
        assert first == golden["first_n_at_least_20"]
        assert 1 / state.p_value == pytest.approx(max(1, golden["max"]), rel=1e-8)
    looks = betting_sequence(data["x"], bounds=bounds, looks=range(1, len(data["x"]) + 1))
    for seen, golden in expected["at"].items():
        # confseq answers on a grid of 1,000 and goes one step of it further out on each side.
        step = 2 * (bounds[1] - bounds[0]) / 1000
        running = looks[int(seen) - 1]
        assert (running.low, running.high) == pytest.approx(
            golden["hedged_grid1000_running_intersection"], abs=step
        )
        (look,) = betting_sequence(data["x"][: int(seen)], bounds=bounds)
        wide = bounds[1] - bounds[0]
        assert (look.low, look.high) == pytest.approx(golden["hedged_root"], abs=1e-8 * wide)


def test_evidence_of_two_places_multiplies():
    one = betting_evidence([0.5, 0.7, 0.9], bounds=(0, 1), against=0.5)
    two = betting_evidence([0.8, 0.6], bounds=(0, 1), against=0.5)
    both = one + two
    assert both.seen == 5
    assert both.log_up == pytest.approx(one.log_up + two.log_up)
    assert (two + one).evidence == both.evidence
    with pytest.raises(CountsError):
        one + betting_evidence([0.5], bounds=(0, 1), against=0.4)
    with pytest.raises(RequestError):
        start_betting(bounds=(0, 1), against=1.0)


def test_an_asymptotic_sequence_has_the_published_radius_and_its_own_p_value():
    values = np.random.default_rng(1).normal(0.3, 1, 200)
    estimate = estimate_mean(200, float(values.sum()), float((values**2).sum()))
    look = asymptotic_sequence(estimate, planned=500)
    rho = np.sqrt((-2 * np.log(0.05) + np.log(-2 * np.log(0.05) + 1)) / 500)
    spread = values.std(ddof=1)
    # Waudby-Smith et al. (2024), theorem 2.2, as printed.
    radius = spread * np.sqrt(
        2 * (200 * rho**2 + 1) / (200**2 * rho**2) * np.log(np.sqrt(200 * rho**2 + 1) / 0.05)
    )
    assert look.high - look.value == pytest.approx(radius, rel=1e-12)
    edge = asymptotic_sequence(estimate, planned=500, against=look.low)
    assert edge.p_value == pytest.approx(0.05, rel=1e-9)
    early = StudentEstimate(value=1.0, error=0.1, freedom=30, units=31)
    with pytest.raises(CountsError) as refused:
        asymptotic_sequence(early, planned=100)
    assert refused.value.code == "too-early"

"""What every answer about areas under ROC curves keeps, whatever the scores."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.comparison import rank_spreads, weigh_areas, weigh_equivalence
from steelyard.counts import Grouped, JointCalls, JointScores, ScoreTable
from steelyard.measures import CATALOGUE, auc, gini, measure_tested_as
from steelyard.uncertainty import (
    AreaSpread,
    area_spread,
    clustered_area_spreads,
    joint_area_spreads,
    own_area_spreads,
    placement_difference_interval,
    placement_interval,
)

LEVELS = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
numbers = st.integers(0, 6).map(float)


@st.composite
def tables(draw, least=1):
    sides = [draw(st.lists(numbers, min_size=least, max_size=25)) for _ in range(2)]
    return ScoreTable.from_scores(*sides)


@st.composite
def scored(draw, systems=2, least=2):
    """Truth, the scores of each system on common items, and a cluster for each item."""
    positives, negatives = (draw(st.integers(least, 20)) for _ in range(2))
    items = positives + negatives
    truth = [True] * positives + [False] * negatives
    rows = [draw(st.lists(numbers, min_size=items, max_size=items)) for _ in range(systems)]
    clusters = draw(st.lists(st.integers(0, 5), min_size=items, max_size=items))
    return truth, {name: row for name, row in zip("ABCD", rows, strict=False)}, clusters


def joint(truth, scores):
    return JointScores.from_arrays(truth, scores)


@given(tables(), LEVELS)
def test_no_interval_of_an_area_is_without_width_and_all_hold_the_area(table, level):
    found = auc(table, level=level)
    assert found.interval.low < found.interval.high
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    shown = gini(table, level=level)
    assert (shown.interval.low + 1) / 2 == pytest.approx(found.interval.low)


@given(tables())
def test_turning_the_scores_round_mirrors_the_interval(table):
    turned = ScoreTable(
        positive=table.positive, scores=-table.scores[::-1] + 0.0,
        positives=table.positives[::-1], negatives=table.negatives[::-1],
    )  # fmt: skip
    low, high = placement_interval(area_spread(table))
    other = placement_interval(area_spread(turned))
    assert other == pytest.approx((1 - high, 1 - low), abs=1e-9)


@given(tables(least=2), st.integers(2, 4))
def test_more_items_of_the_same_scores_never_widen_an_interval(table, times):
    more = ScoreTable(
        positive=table.positive, scores=table.scores,
        positives=table.positives * times, negatives=table.negatives * times,
    )  # fmt: skip
    low, high = placement_interval(area_spread(table))
    inner = placement_interval(area_spread(more))
    assert low <= inner[0] + 1e-9
    assert inner[1] <= high + 1e-9


@given(scored(), LEVELS)
def test_p_interval_and_probability_of_a_difference_lie_on_one_side(data, level):
    truth, scores, _ = data
    found = weigh_areas(joint_area_spreads(joint(truth, scores)), 0, 1, level=level)
    assert found.low < found.high
    assert found.low <= found.difference <= found.high
    outside = found.low > 1e-9 or found.high < -1e-9
    within = found.low < -1e-9 and found.high > 1e-9
    if outside:
        assert found.p_value <= 1 - level + 1e-9
    if within:
        assert found.p_value >= 1 - level - 1e-9
    assert found.p_value == pytest.approx(min(1.0, 2 * min(found.better, 1 - found.better)))
    assert (found.better > 0.5) <= (found.difference > 0)


@given(scored())
def test_exchanging_the_systems_mirrors_every_number(data):
    truth, scores, _ = data
    spreads = joint_area_spreads(joint(truth, scores))
    one, two = weigh_areas(spreads, 0, 1), weigh_areas(spreads, 1, 0)
    assert (one.low, one.high) == (-two.high, -two.low)
    assert (one.p_value, one.difference) == (two.p_value, -two.difference)
    assert one.better + two.better == pytest.approx(1, abs=1e-12)
    near = [weigh_equivalence(spreads, *pair, margin=0.1) for pair in ((0, 1), (1, 0))]
    assert near[0] == pytest.approx(near[1], abs=1e-12)


@given(scored())
def test_a_rising_transform_of_the_scores_changes_nothing(data):
    truth, scores, _ = data
    other = {name: [np.exp(3 * one) + 7 for one in row] for name, row in scores.items()}
    found = [weigh_areas(joint_area_spreads(joint(truth, held)), 0, 1) for held in (scores, other)]
    assert found[0] == found[1]


@given(scored())
def test_a_wider_margin_is_never_less_probable_and_agrees_with_the_interval(data):
    truth, scores, _ = data
    spreads = joint_area_spreads(joint(truth, scores))
    near = [weigh_equivalence(spreads, 0, 1, margin=margin) for margin in (0.01, 0.1, 0.5, 0.9)]
    assert near == sorted(near)
    low, high = placement_difference_interval(spreads, 0, 1, level=0.95)
    inside = -0.5 < low and high < 0.5
    assert (near[2] >= 0.95) == inside or near[2] >= 0.95


def parts_of(truth, row, clusters):
    truth, row, clusters = (np.array(one) for one in (truth, row, clusters))
    return Grouped.from_parts(
        "site",
        {
            str(name): ScoreTable.from_scores(
                row[(clusters == name) & truth], row[(clusters == name) & ~truth]
            )
            for name in sorted(set(clusters.tolist()))
        },
    )


@given(scored(least=4))
def test_naming_clusters_never_raises_certainty(data):
    truth, scores, clusters = data
    grouped = [parts_of(truth, row, clusters) for row in scores.values()]
    holding = [
        sum(getattr(part, side) > 0 for _, part in grouped[0])
        for side in ("positive_total", "negative_total")
    ]
    if min(holding) < 2:
        return
    plain = joint_area_spreads(joint(truth, scores))
    named = clustered_area_spreads(grouped, items=plain)
    for one, two in zip(plain.spreads, named.spreads, strict=True):
        inner, outer = placement_interval(one), placement_interval(two)
        assert outer[0] <= inner[0] + 1e-9
        assert inner[1] <= outer[1] + 1e-9
    inner, outer = weigh_areas(plain, 0, 1), weigh_areas(named, 0, 1)
    assert inner.p_value <= outer.p_value + 1e-9
    assert abs(outer.better - 0.5) <= abs(inner.better - 0.5) + 1e-9


@settings(max_examples=15)
@given(scored(systems=3))
def test_nobody_is_the_best_more_surely_than_better_than_each(data):
    truth, scores, _ = data
    spreads = joint_area_spreads(joint(truth, scores))
    best = rank_spreads(spreads, rng=np.random.default_rng(0), draws=2000).best
    assert sum(best) == pytest.approx(1)
    leader = int(np.argmax(best))
    for other in range(3):
        if other != leader and best[leader] > 0.5:
            assert best[leader] <= weigh_areas(spreads, leader, other).better + 1e-9


@settings(max_examples=8)
@given(scored())
def test_gate_and_compare_and_every_name_of_the_area_agree(data):
    truth, scores, clusters = data
    frame = {"truth": ["p" if one else "n" for one in truth], **scores}
    roles = {"truth": "truth", "positive": "p", "systems": ["A", "B"]}
    if min(len({c for c, t in zip(clusters, truth, strict=True) if t is side})
           for side in (True, False)) > 1:  # fmt: skip
        frame["site"] = [str(one) for one in clusters]
        roles["cluster"] = "site"
    pair = sy.compare(frame, level=0.9, **roles).pairs[0]
    check = sy.gate(frame, candidate="A", baseline="B", require="better", alpha=0.05, **roles)
    ends = check.checks[0].advantage.interval
    assert (ends.low, ends.high) == pytest.approx(
        (pair.difference.interval.low, pair.difference.interval.high), abs=1e-12
    )
    said = [
        sy.compare(frame, measure=name, **roles).sheets[-1].rows[0].values
        for name in ("auc", "gini", "c-index", "Somers' D")
    ]
    assert {one[-2] for one in said} == {pair.p_value}
    assert len({one[-1] for one in said}) == 1


def calls(rng):
    cells = {}
    for truth in "ab":
        for called in ("aa", "ab", "ba", "bb"):
            cells[truth, tuple(called)] = int(rng.integers(1, 30))
    return JointCalls.from_cells(cells, systems=("S", "T"), classes=("a", "b"))


SAME = [name for name, entry in CATALOGUE.items() if entry.same_as is not None]


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
@pytest.mark.parametrize("name", [one for one in SAME if CATALOGUE[one].counts == "Confusion"])
def test_measures_that_say_the_same_have_one_p_value(name, method):
    rng = np.random.default_rng(4)
    base = measure_tested_as(CATALOGUE[name])[0].name
    for _ in range(3):
        held = calls(rng)
        rows = [("a" if t == "a" else "b", *called, n) for t, called, n in held.cells]
        frame = {
            "truth": [row[0] for row in rows for _ in range(row[3])],
            "S": [row[1] for row in rows for _ in range(row[3])],
            "T": [row[2] for row in rows for _ in range(row[3])],
        }
        found = [
            sy.compare(frame, truth="truth", positive="a", method=method, measure=one)
            for one in (name, base)
        ]
        one, two = (answer.sheets[0].rows[0].values for answer in found)
        assert one[-2:] == pytest.approx(two[-2:])
        assert found[0].answer == found[1].answer


def test_declared_transforms_turn_the_value_of_one_measure_into_that_of_the_other():
    rng = np.random.default_rng(2)
    table = ScoreTable.from_scores(rng.normal(1, 1, 30), rng.normal(0, 1, 20))
    entry, change = measure_tested_as(CATALOGUE["Gini"])
    assert change(entry.function(table).value) == pytest.approx(gini(table).value)
    held = calls(rng).confusion("S")
    for name in SAME:
        if CATALOGUE[name].counts != "Confusion":
            continue
        entry, change = measure_tested_as(CATALOGUE[name])
        values = [
            one.function(held, **({"of": "a"} if "of" in one.needs else {})).value
            for one in (CATALOGUE[name], entry)
        ]
        assert change(values[1]) == pytest.approx(values[0]), name


def test_the_kept_cases_are_undecided_with_width():
    # Three of each class parted fully by both systems: no certainty of anything.
    truth = [True] * 3 + [False] * 3
    scores = {"new": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], "old": [0.95, 0.82, 0.69, 0.56, 0.43, 0.3]}
    frame = {"truth": ["ship" if one else "sea" for one in truth], **scores}
    roles = {"truth": "truth", "positive": "ship", "systems": ["new", "old"]}
    for claim in ("better", "same within 0.1", "not worse by 0.1"):
        found = sy.gate(frame, candidate="new", baseline="old", require=claim, **roles)
        assert found.outcome == "undecided"
        ends = found.checks[0].advantage.interval
        assert ends.low < -0.5 < 0.5 < ends.high


def test_perfect_separation_of_ten_positives_is_the_rule_of_three():
    # Clopper and Pearson: no failure in 10 leaves 1 - 0.025^(1/10) = 0.308.
    table = ScoreTable.from_scores(np.arange(10) + 2000.0, np.arange(1000))
    low, high = placement_interval(area_spread(table))
    assert high == 1
    assert 0.64 < low < 1 - 0.308


@pytest.mark.parametrize(("won", "total"), [(0, 10), (3, 10), (10, 10), (45, 50), (1, 200)])
def test_placements_of_0_and_1_have_at_least_the_width_of_clopper_and_pearson(won, total):
    share = won / total
    variance = share * (1 - share) * total / (total - 1)
    spread = AreaSpread(
        area=share, positives=total, negatives=10**9, positive_variance=variance,
        negative_variance=0.0, freedom=total - 1.0,
    )  # fmt: skip
    low, high = placement_interval(spread)
    exact = sy.uncertainty.clopper_pearson_interval(won, total)
    assert low <= exact[0] + 1e-9
    assert exact[1] - 1e-9 <= high
    assert high - low < 1.25 * (exact[1] - exact[0])


def test_own_items_have_no_correlation():
    rng = np.random.default_rng(0)
    held = [ScoreTable.from_scores(rng.normal(1, 1, 40), rng.normal(0, 1, 40)) for _ in range(3)]
    spreads = own_area_spreads(held)
    assert all(spreads.correlation(i, j) == 0 for i, j in combinations(range(3), 2))

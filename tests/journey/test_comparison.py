"""The whole walk to a comparison, against other implementations."""

from importlib.resources import files
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import steelyard as sy
from steelyard.comparison import akaike_common, akaike_incomplete, paired_equivalence
from steelyard.errors import NotComparable, RequestError
from steelyard.uncertainty import cluster_freedom

DATA = Path(str(files("steelyard") / "data"))


@pytest.mark.parametrize("name", ["digits_labels.csv", "letter_labels.csv"])
def test_mcnemar_agrees_with_statsmodels(name):
    table = pd.read_csv(DATA / name, dtype=str)
    result = sy.compare(DATA / name)
    names = [one.system for one in result.systems]
    assert [(p.first, p.second) for p in result.pairs] == list(combinations(names, 2))
    for pair in result.pairs:
        one = table[pair.first] == table["truth"]
        two = table[pair.second] == table["truth"]
        cells = [
            [int((one & two).sum()), int((one & ~two).sum())],
            [int((~one & two).sum()), int((~one & ~two).sum())],
        ]
        assert pair.table.first == cells[0][1]
        assert pair.table.second == cells[1][0]
        exact = mcnemar(np.array(cells), exact=True).pvalue
        few, many = sorted([cells[0][1], cells[1][0]])
        # Mid-p is the exact p less the point probability of what was seen (Fagerland 2013).
        mid = exact - binom.pmf(few, few + many, 0.5) if few != many else None
        if mid is not None:
            assert pair.p_value == pytest.approx(mid, rel=1e-9, abs=1e-300)
        assert pair.difference.value == pytest.approx(one.mean() - two.mean(), abs=1e-15)


def test_verdicts_follow_the_adjusted_p_values():
    result = sy.compare(DATA / "letter_labels.csv")
    for pair in result.pairs:
        assert (pair.verdict == "different") == (pair.adjusted_p <= result.alpha)
        assert pair.adjusted_p >= pair.p_value
    assert sum(one.best for one in result.systems) == pytest.approx(1, abs=1e-9)


def test_pairing_is_used():
    paired = sy.compare(
        sy.Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))
    )
    unpaired = sy.compare(
        sy.Trials(correct={"A": 178, "B": 165}, tested=200, pairing="independent")
    )
    # 0.997 with pairing, 0.968 without: the example of the methods chapter.
    assert round(paired.systems[0].best, 3) == 0.997
    assert round(unpaired.systems[0].best, 3) == 0.968


def test_identical_systems_are_never_told_apart():
    calls = list("abcabcabca")
    result = sy.compare({"truth": list("abcabcabcb"), "one": calls, "two": calls, "three": calls})
    assert [one.best for one in result.systems] == pytest.approx([1 / 3] * 3, abs=1e-12)
    for pair in result.pairs:
        assert pair.p_value == 1
        assert pair.difference.value == 0
        assert pair.difference.interval.low < 0 < pair.difference.interval.high
        assert pair.verdict == "undecided"
    assert {(one.rank_low, one.rank_high) for one in result.systems} == {(1, 3)}


def test_identical_scores_are_never_told_apart():
    scores = [0.1, 0.4, 0.3, 0.8, 0.9, 0.2]
    result = sy.compare({"truth": list("nnpppn"), "one": scores, "two": scores}, positive="p")
    assert result.measure == "auc"
    assert result.pairs[0].p_value == 1
    assert [one.best for one in result.systems] == [0.5, 0.5]
    # Three items of each class: one unseen item could part the areas by far more than 0.01.
    for times, verdict in ((1, "undecided"), (1000, "same")):
        many = {"truth": list("nnpppn") * times, "one": scores * times, "two": scores * times}
        (near,) = sy.compare(many, positive="p", margin=0.01).pairs
        assert near.verdict == verdict
        assert (near.equivalent > 0.95) == (verdict == "same")
        assert near.difference.interval.low < 0 < near.difference.interval.high


def test_a_perfect_and_a_hopeless_system_have_honest_intervals():
    truth = list("ab") * 10
    result = sy.compare({"truth": truth, "right": truth, "wrong": list("ba") * 10})
    right, wrong = result.systems
    assert right.rate.interval.high == 1
    assert 0.8 < right.rate.interval.low < 1
    assert wrong.rate.interval.low == 0
    assert result.pairs[0].verdict == "different"
    assert 0 < result.pairs[0].p_value < 1e-4


def test_swapping_the_systems_flips_the_sign():
    columns = {"truth": list("abababab"), "x": list("abababba"), "y": list("abbbbbbb")}
    one = sy.compare(columns, systems=["x", "y"]).pairs[0]
    two = sy.compare(columns, systems=["y", "x"]).pairs[0]
    assert one.difference.value == -two.difference.value
    assert one.difference.interval.low == pytest.approx(-two.difference.interval.high, abs=1e-12)
    assert one.better == pytest.approx(1 - two.better, abs=1e-15)
    assert one.p_value == two.p_value


def test_row_order_changes_nothing():
    table = pd.read_csv(DATA / "letter_labels.csv", dtype=str)
    shuffled = table.sample(frac=1, random_state=1)
    one, two = sy.compare(table), sy.compare(shuffled)
    assert one.to_json() == two.to_json()


def test_areas_of_common_items_are_correlated():
    result = sy.compare(DATA / "wdbc_scores.csv", positive="1")
    assert result.pairing == "common"
    pair = next(p for p in result.pairs if (p.first, p.second) == ("logreg", "svm"))
    one, two = (s.rate for s in result.systems if s.system in {"logreg", "svm"})
    # The correlation makes the interval of the difference shorter than independence would, whose
    # limits are apart by the root of the squared distances of both (Zou & Donner 2008).
    ends = pair.difference.interval
    down = np.hypot(one.value - one.interval.low, two.interval.high - two.value)
    up = np.hypot(one.interval.high - one.value, two.value - two.interval.low)
    assert pair.difference.value - ends.low < down
    assert ends.high - pair.difference.value < up


def test_items_of_their_own_make_systems_independent():
    long = {
        "item": ["1", "2", "3", "4", "5", "6"],
        "system": ["A", "A", "A", "B", "B", "B"],
        "truth": list("xyxyxy"),
        "called": list("xyxyyx"),
    }
    result = sy.compare(long, pairing="independent")
    assert result.pairing == "independent"
    assert [one.rate.successes for one in result.systems] == [3, 1]


def test_one_system_is_sent_to_evaluate():
    with pytest.raises(NotComparable, match="evaluate"):
        sy.compare({"truth": list("ab"), "only": list("ab")})


def test_scores_and_answers_do_not_mix():
    columns = {"truth": list("abab"), "calls": list("abaa"), "scores": [0.1, 0.9, 0.2, 0.8]}
    with pytest.raises(NotComparable, match="like with like"):
        sy.compare(columns, positive="b")
    assert sy.compare(columns, positive="b", threshold=0.5).measure == "accuracy"


def test_totals_of_common_items_are_judged_by_a_test_that_holds_for_every_overlap():
    # Akaike's criterion once gave the verdict, and called equal systems different in up to 80 %.
    trials = sy.Trials(correct={"S": 190, "T": 194, "U": 170}, tested=200, pairing="common")
    result = sy.compare(trials)
    assert "McNemar tests at their largest over all overlaps" in result.primary
    assert not result.by_akaike
    assert all(one.best is None and one.loss is None for one in result.systems)
    for pair in result.pairs:
        right = dict(zip(trials.systems, trials.correct, strict=True))
        akaike = akaike_incomplete(right[pair.first], right[pair.second], tested=200)
        assert pair.aic_difference == akaike.difference
        assert pair.aic_verdict == akaike.verdict
        assert (pair.verdict == "different") == (pair.adjusted_p <= 0.05)
    assert any("right together" in note for note in result.caveats)


def test_nearness_cannot_be_had_from_totals_of_common_items():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common")
    with pytest.raises(NotComparable, match="right together"):
        sy.compare(trials, margin=0.05)


def test_akaike_stands_beside_the_verdicts():
    result = sy.compare(DATA / "letter_labels.csv")
    for pair in result.pairs:
        akaike = akaike_common(pair.table)
        assert (pair.aic_difference, pair.aic_verdict) == (akaike.difference, akaike.verdict)
    apart = sy.compare(
        sy.Trials(correct={"S": 190, "T": 197}, tested=200, pairing="independent")
    ).pairs[0]
    # Ozeki, section 2.3: 190 against 197 of 200.
    assert round(apart.aic_difference, 3) == 2.103
    assert apart.aic_verdict == "different"
    scored = sy.compare(DATA / "wdbc_scores.csv", positive="1")
    assert {pair.aic_verdict for pair in scored.pairs} == {None}


@pytest.mark.parametrize("name", ["digits_labels.csv", "letter_labels.csv"])
def test_systems_share_a_letter_exactly_when_they_are_not_called_different(name):
    result = sy.compare(DATA / name)
    tier = {one.system: set(one.tier) for one in result.systems}
    for pair in result.pairs:
        shared = bool(tier[pair.first] & tier[pair.second])
        assert shared == (pair.verdict != "different")
    best = max(result.systems, key=lambda one: one.rate.value)
    assert "a" in best.tier


def test_the_expected_loss_is_least_for_the_leader():
    # The methods chapter: cells 60, 18, 10, 12 lose .00149340483 and .07992477738.
    pair = sy.compare(
        sy.Outcomes.from_pair(both=60, first=18, second=10, neither=12, systems=("A", "B"))
    )
    assert [one.loss for one in pair.systems] == pytest.approx([0.00149340483, 0.07992477738])
    apart = sy.compare(sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent"))
    assert [round(one.loss, 5) for one in apart.systems] == [0.02154, 0.00174]


def test_pairs_within_the_margin_count_as_the_same():
    outcomes = sy.Outcomes.from_pair(both=1600, first=8, second=5, neither=27, systems=("A", "B"))
    assert sy.compare(outcomes).pairs[0].equivalent is None
    near = sy.compare(outcomes, margin=0.01)
    pair = near.pairs[0]
    assert pair.equivalent == paired_equivalence(pair.table, margin=0.01).equivalent
    assert pair.verdict == "same"
    assert near.margin == 0.01
    assert "count as the same within 0.01" in near.sentence()
    narrow = sy.compare(outcomes, margin=0.001).pairs[0]
    assert narrow.equivalent < 0.95
    assert narrow.verdict == "undecided"


def test_a_sure_but_small_difference_is_the_same_and_says_so():
    outcomes = sy.Outcomes.from_pair(
        both=90_000, first=500, second=300, neither=9_200, systems=("A", "B")
    )
    assert sy.compare(outcomes).pairs[0].verdict == "different"
    near = sy.compare(outcomes, margin=0.01)
    assert near.pairs[0].verdict == "same"
    assert near.pairs[0].adjusted_p < 0.001
    assert any("below the margin of 0.01" in note for note in near.caveats)
    assert near.systems[0].tier == near.systems[1].tier == "a"


def test_margins_hold_for_independent_items_and_for_areas():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    # The example of probability_equivalent, worked out there to 1e-11.
    assert round(sy.compare(trials, margin=0.05).pairs[0].equivalent, 6) == 0.928691
    scored = sy.compare(DATA / "wdbc_scores.csv", positive="1", margin=0.05)

    def limits(place, tail):
        level = 1 - 2 * tail
        pair = sy.compare(DATA / "wdbc_scores.csv", positive="1", level=level).pairs[place]
        return pair.difference.interval

    for place, pair in enumerate(scored.pairs):
        if abs(pair.difference.value) < 0.05:
            # Both errors together are 1 - equivalent: with all of it on either side the interval
            # keeps within the margin, with half of it on either side it does not.
            error = 1 - pair.equivalent
            inside, outside = limits(place, error * 1.001), limits(place, error / 2 * 0.999)
            assert -0.05 < inside.low < inside.high < 0.05
            assert outside.low < -0.05 or outside.high > 0.05
        else:
            assert pair.equivalent < 0.5
            reaching = limits(place, pair.equivalent * 0.999)
            assert reaching.low < 0.05
            assert reaching.high > -0.05
    assert {pair.verdict for pair in scored.pairs} == {"same", "different"}


def test_a_prior_counts_as_answers_seen_before():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    told = sy.compare(trials, prior={"S": (191, 11)})
    more = sy.compare(
        sy.Trials(correct={"S": 380, "T": 194}, tested={"S": 400, "T": 200}, pairing="independent")
    )
    # Beta(191, 11) is what 190 of 200 leave of the uniform prior.
    assert [one.best for one in told.systems] == pytest.approx(
        [one.best for one in more.systems], abs=1e-12
    )
    assert told.priors == (("S", 191.0, 11.0),)
    plain = sy.compare(trials)
    assert sy.compare(trials, prior=(1, 1)).systems == plain.systems
    assert told.pairs[0].p_value == plain.pairs[0].p_value
    assert ("prior", "S=191:11") in told.provenance.settings


@pytest.mark.parametrize(
    ("prior", "said"),
    [
        ({"Q": (1, 1)}, "names Q; the systems are S, T"),
        ((0, 1), "positive numbers"),
        ({"S": (1, -1)}, "positive numbers"),
        ({"S": (1, float("nan"))}, "positive numbers"),
        ((1, 2, 3), "two positive numbers"),
        ("uniform", "two positive numbers"),
        (1, "two positive numbers"),
    ],
)
def test_what_is_no_prior_is_refused(prior, said):
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    with pytest.raises(RequestError, match=said):
        sy.compare(trials, prior=prior)


@pytest.mark.parametrize(
    "data",
    [
        sy.Outcomes.from_pair(both=60, first=18, second=10, neither=12, systems=("A", "B")),
        sy.Trials(correct={"A": 190, "B": 194}, tested=200, pairing="common"),
        DATA / "digits_labels.csv",
    ],
    ids=["outcomes", "totals", "file"],
)
def test_a_prior_is_refused_on_common_items(data):
    with pytest.raises(NotComparable, match="common items"):
        sy.compare(data, prior=(1, 1))


def test_a_prior_is_refused_for_scores():
    with pytest.raises(NotComparable, match="ROC"):
        sy.compare(DATA / "wdbc_scores.csv", positive="1", prior=(1, 1))


def test_pairs_that_look_different_alone_are_named_once():
    # 20 against 9: p is 0.04 alone, 0.12 among three pairs.
    outcomes = sy.Outcomes.from_patterns({1: 20, 6: 9, 7: 60, 0: 11}, systems=["A", "B", "C"])
    result = sy.compare(outcomes)
    alone = [pair for pair in result.pairs if pair.p_value <= 0.05 < pair.adjusted_p]
    notes = [note for note in result.caveats if "taken alone" in note]
    assert len(alone) == 2
    assert len(notes) == 1
    assert notes[0].startswith("2 undecided pairs look different taken alone (p at most 0.05")
    assert "guard all 3 pairs" in notes[0]


def test_the_softer_criterion_is_named_with_its_reason():
    # 14 against 6: mid-p is 0.08, and the difference of AIC is 1.29.
    pair = sy.Outcomes.from_pair(both=60, first=14, second=6, neither=20, systems=("A", "B"))
    result = sy.compare(pair)
    assert result.pairs[0].verdict == "undecided"
    assert result.pairs[0].aic_verdict == "different"
    assert [note for note in result.caveats if "about 0.08" in note] == list(result.caveats)


def test_a_sure_posterior_against_an_open_test_is_named():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    result = sy.compare(trials, prior={"T": (1900, 10)})
    assert result.pairs[0].verdict == "undecided"
    assert any("uses the prior" in note for note in result.caveats)


def test_methods_that_agree_raise_no_doubt():
    clear = sy.Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))
    assert sy.compare(clear).caveats == ()


def test_the_methods_name_what_was_computed_and_nothing_else():
    common = sy.compare(DATA / "digits_labels.csv").methods()
    for word in ("899 common items", "Tango 1998", "Fagerland", "Shaffer 1986", "Piepho 2004"):
        assert word in common
    assert "Kruschke" not in common
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    apart = sy.compare(trials, prior={"S": (190, 10)}, margin=0.05).methods()
    assert "Beta(190, 10) for S and uniform ones otherwise" in apart
    assert "less than 0.05 with posterior probability 0.95" in apart
    assert "Tango" not in apart
    assert "simulated" not in apart
    totals = sy.compare(
        sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common")
    ).methods()
    assert "from the totals alone" in totals
    assert "over all overlaps" in totals
    scored = sy.compare(DATA / "wdbc_scores.csv", positive="1").methods()
    assert "DeLong et al. 1988" in scored
    assert "Akaike" not in scored


def test_the_methods_in_latex_escape_names_and_cite_nothing():
    trials = sy.Trials(correct={"a_b%": 190, "[[x]]": 194}, tested=200, pairing="independent")
    said = sy.compare(trials, prior={"a_b%": (2, 1), "[[x]]": (2, 1)}).methods_latex()
    assert r"a\_b\%" in said
    assert "[[x]]" in said
    assert r"95\% intervals" in said
    assert "\\cite" not in said
    assert said.count("{itemize}") == 2


def _sliced():
    rows = {"x": (40, 10, 30, 20), "y": (40, 10, 8, 20), "z": (30, 2, 20, 28)}
    columns = {"truth": [], "A": [], "B": [], "group": []}
    for name, (both, first, second, neither) in rows.items():
        for calls, count in (("rr", both), ("rw", first), ("wr", second), ("ww", neither)):
            columns["truth"] += ["r"] * count
            columns["A"] += [calls[0]] * count
            columns["B"] += [calls[1]] * count
            columns["group"] += [name] * count
    return columns


def test_slices_are_adjusted_over_all_slices_and_pairs():
    result = sy.compare(_sliced(), classes=["r", "w"], by_group=True)
    assert [one.slice for one in result.slices] == ["x", "y", "z"]
    assert [one.items for one in result.slices] == [100, 78, 80]
    raw = [one.pairs[0].p_value for one in result.slices]
    # Two systems have one pair in each slice, and then Shaffer's procedure is Holm's.
    expected = multipletests(raw, method="holm")[1]
    found = [one.pairs[0].adjusted_p for one in result.slices]
    assert found == pytest.approx(list(expected), rel=1e-12)
    alone = sy.compare(
        sy.Outcomes.from_pair(both=40, first=10, second=30, neither=20, systems=("A", "B"))
    )
    assert result.slices[0].pairs[0].table == alone.pairs[0].table
    assert [one.best for one in result.slices[0].systems] == [one.best for one in alone.systems]
    assert result.pairs == sy.compare(_sliced(), classes=["r", "w"]).pairs
    assert sy.read_result(result.to_json()) == result


def test_slices_stand_in_rows_and_tables():
    result = sy.compare(_sliced(), classes=["r", "w"], by_group=True)
    assert {row["of"] for row in result.rows()} == {None, "x", "y", "z"}
    assert [table.title for table in result.tables()][-1] == "Slices"
    assert "each of 3 slices" in result.methods()
    assert "(--by-group)" in " ".join(sy.compare(_sliced(), classes=["r", "w"]).caveats)
    assert "(--by-group)" not in " ".join(result.caveats)


def test_a_pair_that_turns_round_between_slices_is_named():
    columns = {"truth": [], "A": [], "B": [], "group": []}
    for name, (first, second) in {"x": (30, 2), "y": (2, 30)}.items():
        columns["truth"] += ["r"] * (first + second)
        columns["A"] += ["r"] * first + ["w"] * second
        columns["B"] += ["w"] * first + ["r"] * second
        columns["group"] += [name] * (first + second)
    notes = sy.compare(columns, classes=["r", "w"], by_group=True).caveats
    assert any("A is better within x, but B is better within y" in note for note in notes)


def test_slices_of_independent_items_are_compared_too():
    long = {
        "item": [str(place) for place in range(24)],
        "system": ["A"] * 12 + ["B"] * 12,
        "truth": list("xy" * 12),
        "called": list("xy" * 6) + list("xx" * 6),
        "group": (["g"] * 6 + ["h"] * 6) * 2,
    }
    result = sy.compare(long, pairing="independent", by_group=True)
    assert [one.slice for one in result.slices] == ["g", "h"]
    assert [system.rate.trials for system in result.slices[0].systems] == [6, 6]
    assert result.slices[0].items is None


def test_slices_need_a_group_and_rows():
    with pytest.raises(RequestError, match="--group COLUMN"):
        sy.compare(DATA / "digits_labels.csv", by_group=True)
    with pytest.raises(RequestError, match="by_group= says nothing"):
        sy.compare(
            sy.Outcomes.from_pair(both=60, first=8, second=5, neither=9, systems=("A", "B")),
            by_group=True,
        )
    scores = {
        "truth": list("nnpppn") * 2,
        "one": [0.1, 0.4, 0.3, 0.8, 0.9, 0.2] * 2,
        "two": [0.2, 0.1, 0.5, 0.7, 0.6, 0.3] * 2,
        "group": ["g"] * 6 + ["h"] * 6,
    }
    found = sy.compare(scores, positive="p", by_group=True)
    assert [one.slice for one in found.slices] == ["g", "h"], "areas are compared by slice, too"


def weighted_columns(rng, items=400):
    truth = rng.choice(list("abc"), items)
    wrong = np.char.translate(truth, str.maketrans("abc", "bca"))
    return {
        "truth": truth.tolist(),
        "x": np.where(rng.random(items) < 0.85, truth, wrong).tolist(),
        "y": np.where(rng.random(items) < 0.75, truth, wrong).tolist(),
        "weight": rng.integers(1, 6, items).tolist(),
    }


def leads_and_weights(columns):
    truth = np.array(columns["truth"])
    gap = (np.array(columns["x"]) == truth) * 1.0 - (np.array(columns["y"]) == truth)
    return gap, np.array(columns["weight"], dtype=float)


def pivot_by_hand(gap, weights, *, variance, leads, telling, clusters):
    """Work out the pivot of the model of cluster means, Tango's variance from its likelihood.

    ``leads`` are the sums of the absolute and of the squared leads of the units.
    """
    whole, reach, squares = weights.sum(), *leads
    items = whole**2 / (weights**2).sum()
    value = (weights * gap).sum() / whole
    won, lost = (weights[gap == sign].sum() * items / whole for sign in (1, -1))
    each = (won + lost) / items - value**2
    more = (variance + squares / telling / whole**2) * items / each
    most = items / clusters * (1 + 1.25 / telling)
    effect = max(variance * items / each, min(more, most), 1 + 1.25 / (won + lost))
    seen, scale = reach**2 / squares, items / whole
    rare = np.clip(1 - seen * (1 / (reach * scale) + 1 / clusters) + 1 / (reach * scale), 0, 1)

    def pivot(at):
        def slope(losing):
            rest = 2 * (items - won - lost) / (1 - 2 * losing - at)
            return won / (losing + at) + lost / losing - rest

        likely = brentq(slope, max(0, -at) + 1e-13, (1 - at) / 2 - 1e-13, xtol=1e-15)
        plain = abs(value - at) / np.sqrt(effect * (2 * likely + at - at**2) / items)
        room = 1 + at if at < value else 1 - at
        return min(plain, np.sqrt(clusters * abs(value - at) / (rare * room)) if rare else np.inf)

    return pivot


def check_pivot(pair, pivot, freedom):
    reach = stats.t.ppf(0.975, freedom)
    ends = pair.difference.interval
    assert (pivot(ends.low), pivot(ends.high)) == pytest.approx((reach, reach), rel=1e-8)
    assert pair.p_value == pytest.approx(2 * stats.t.sf(pivot(0.0), freedom), rel=1e-7)


def test_a_weighted_difference_has_the_linearised_variance():
    columns = weighted_columns(np.random.default_rng(8))
    (pair,) = sy.compare(columns).pairs
    gap, weights = leads_and_weights(columns)
    value = np.average(gap, weights=weights)
    assert pair.difference.value == pytest.approx(value, rel=1e-9)
    items = weights.sum() ** 2 / (weights**2).sum()
    terms = weights * (gap - value) / weights.sum()
    leads = (weights * abs(gap)).sum(), (weights**2 * abs(gap)).sum()
    pivot = pivot_by_hand(
        gap, weights, variance=items / (items - 1) * (terms**2).sum(), leads=leads,
        telling=leads[0] ** 2 / leads[1], clusters=items,
    )  # fmt: skip
    check_pivot(pair, pivot, items - 1)


def test_equal_weights_of_any_size_change_no_difference():
    columns = weighted_columns(np.random.default_rng(9))
    plain = sy.compare({**columns, "weight": [1] * 400}).pairs[0].difference
    heavy = sy.compare({**columns, "weight": [3] * 400}).pairs[0].difference
    assert heavy.value == pytest.approx(plain.value, rel=1e-12)
    assert heavy.interval.low == pytest.approx(plain.interval.low, rel=1e-9)


def test_weighted_clusters_agree_with_a_sum_over_clusters():
    columns = weighted_columns(np.random.default_rng(10))
    cluster = [str(place % 25) for place in range(400)]
    (pair,) = sy.compare({**columns, "cluster": cluster}).pairs
    gap, weights = leads_and_weights(columns)
    value = np.average(gap, weights=weights)
    assert pair.difference.value == pytest.approx(value, rel=1e-9)
    place = np.array(cluster, dtype=int)
    without = [np.average(gap[place != g], weights=weights[place != g]) for g in range(25)]
    over = 24 / 25 * ((np.array(without) - value) ** 2).sum()
    alone = ((weights * (gap - value)) ** 2).sum() / weights.sum() ** 2
    lead, size = np.bincount(place, weights * gap), np.bincount(place, weights)
    pivot = pivot_by_hand(
        gap, weights, variance=max(over, alone), leads=(abs(lead).sum(), (lead**2).sum()),
        telling=np.count_nonzero(lead), clusters=size.sum() ** 2 / (size**2).sum(),
    )  # fmt: skip
    check_pivot(pair, pivot, cluster_freedom(size))


def test_identical_systems_of_weighted_items_have_an_honest_interval():
    columns = weighted_columns(np.random.default_rng(11), items=30)
    (pair,) = sy.compare({**columns, "y": columns["x"]}).pairs
    assert (pair.difference.value, pair.p_value) == (0, 1)
    assert pair.difference.interval.low < 0 < pair.difference.interval.high


def test_weights_that_a_comparison_cannot_honour_are_refused():
    columns = weighted_columns(np.random.default_rng(12), items=30)
    with pytest.raises(NotComparable, match="weight"):
        sy.compare(columns, method="mcnemar")
    scores = {
        "truth": ["p", "n"] * 6,
        "one": [0.1, 0.4, 0.3, 0.8, 0.9, 0.2] * 2,
        "two": [0.2, 0.1, 0.5, 0.7, 0.6, 0.3] * 2,
        "weight": [1, 2] * 6,
    }
    with pytest.raises(NotComparable, match="areas"):
        sy.compare(scores, positive="p")


@pytest.mark.parametrize("method", ["score", "akaike", "fisher", "wald"])
def test_a_prior_that_a_method_would_not_look_at_is_refused(method):
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    with pytest.raises(RequestError, match="takes no prior"):
        sy.compare(trials, prior=(2, 2), method=method)
    assert sy.compare(trials, prior=(2, 2), method="posterior-best").answer


@pytest.mark.parametrize("method", ["bootstrap", "permutation"])
@pytest.mark.parametrize("scored", [False, True])
def test_whole_clusters_are_drawn_or_exchanged(method, scored):
    # Ten copies of each item, one cluster each: as much is known as from the items alone.
    rng = np.random.default_rng(3)
    truth = np.array(["p", "n"] * 40)
    if scored:
        columns = {name: (truth == "p") + rng.normal(0, 1, 80) for name in ("x", "y")}
    else:
        columns = {name: np.where(rng.random(80) < 0.8, truth, "n") for name in ("x", "y")}
    once = {"truth": truth.tolist(), **{name: row.tolist() for name, row in columns.items()}}
    often = {name: row * 10 for name, row in once.items()}
    clusters = [f"item {place}" for place in range(80)] * 10
    asked = {"method": method, "measure": "AUC" if scored else "F1", "positive": "p"}
    alone = sy.compare(once, **asked).sheets[0].rows[0].values
    together = sy.compare({**often, "cluster": clusters}, **asked)
    values = together.sheets[0].rows[0].values
    assert not any("independent: its" in note for note in together.caveats)
    for one, two in zip(alone, values, strict=True):
        if isinstance(one, float):
            assert two == pytest.approx(one, abs=0.12)


def test_clusters_are_named_as_a_caveat():
    columns = {"truth": list("abab"), "x": list("abab"), "y": list("aaab"), "cluster": [1, 1, 2, 2]}
    assert any("cluster" in note for note in sy.compare(columns).caveats)


@pytest.mark.parametrize("name", ["level", "alpha", "margin"])
def test_rates_outside_their_domain_are_refused(name):
    with pytest.raises(RequestError, match=name):
        sy.compare(DATA / "digits_labels.csv", **{name: 0})


def test_a_comparison_survives_its_json_and_is_the_same_twice():
    result = sy.compare(DATA / "wdbc_scores.csv", positive="1")
    assert sy.read_result(result.to_json()) == result
    assert sy.compare(DATA / "wdbc_scores.csv", positive="1").to_json() == result.to_json()


@pytest.mark.parametrize("rng", ["x", 1.5, -1, True, np.random.default_rng(1)])
def test_a_seed_that_cannot_be_recorded_is_refused(rng):
    with pytest.raises(RequestError, match="rng=0"):
        sy.compare(DATA / "digits_labels.csv", rng=rng)


def test_a_whole_number_of_numpy_is_a_seed():
    result = sy.compare(DATA / "digits_labels.csv", rng=np.int64(3))
    assert result.provenance.seed == 3
    assert sy.read_result(result.to_json()) == result


def _two_of_every_kind():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 80)
    scores = {name: truth + rng.normal(0, spread, 80) for name, spread in (("a", 1), ("b", 1.4))}
    right = {name: (rng.random(80) < rate).astype(int) for name, rate in (("a", 0.8), ("b", 0.7))}
    units = [str(one % 20) for one in range(80)]
    weights = rng.integers(1, 5, 80)
    areas = {"positive": "1", "score": ["a", "b"]}
    outcomes = {"outcome": ["a", "b"]}
    return {
        "areas": ({"truth": truth, **scores}, areas),
        "areas in clusters": (
            {"truth": truth, **scores, "unit": units},
            {**areas, "cluster": "unit"},
        ),
        "right and wrong": (right, outcomes),
        "weights": ({**right, "w": weights}, {**outcomes, "weight": "w"}),
        "clusters": ({**right, "unit": units}, {**outcomes, "cluster": "unit"}),
        "asked again": (
            {**right, "unit": units},
            {**outcomes, "cluster": "unit", "estimand": "items"},
        ),
        "items of their own": (
            sy.Trials(correct={"a": 70, "b": 60}, tested=80, pairing="independent"),
            {},
        ),
    }


@pytest.mark.parametrize("kind", _two_of_every_kind())
def test_of_two_systems_the_best_is_the_better_one(kind):
    columns, asked = _two_of_every_kind()[kind]
    found = sy.compare(columns, **asked)
    (pair,) = found.pairs
    best = {one.system: one.best for one in found.systems}
    assert best[pair.first] == pytest.approx(pair.better, abs=1e-9)
    assert best[pair.first] + best[pair.second] == pytest.approx(1, abs=1e-9)

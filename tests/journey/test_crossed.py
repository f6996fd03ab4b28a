"""Two columns of clusters in evaluate and in claims of a gate."""

import numpy as np
import pytest

import steelyard as sy
from steelyard.counts import JointScores
from steelyard.errors import CountsError, NotComparable, RequestError, SteelyardError
from steelyard.uncertainty import (
    area_parts,
    crossed_error,
    crossed_share_interval,
    delong_covariance,
    wilson_interval,
)

RNG = np.random.default_rng(7)
PROBE, GALLERY = np.repeat(np.arange(45), 41), np.tile(np.arange(41), 45)
ALIKE = RNG.normal(size=45)[PROBE] + RNG.normal(size=41)[GALLERY]
SAME = RNG.uniform(size=PROBE.size) < 0.3
SAID = RNG.uniform(size=PROBE.size) < 1 / (1 + np.exp(2.5 - ALIKE - 4 * SAME))
PAIRS = {
    "truth": np.where(SAME, "same", "other").tolist(),
    "probe": [f"p{one}" for one in PROBE],
    "gallery": [f"g{one}" for one in GALLERY],
    "matcher": np.where(SAID, "same", "other").tolist(),
}
ASKED = {"systems": ["matcher"], "positive": "same", "cluster": "probe,gallery"}


def test_shares_have_two_way_limits_and_say_how_many_clusters_there_are() -> None:
    found = sy.evaluate(PAIRS, **ASKED).systems[0]
    rows = PAIRS["probe"], PAIRS["gallery"]
    right = np.array(PAIRS["truth"]) == np.array(PAIRS["matcher"])
    assert found.accuracy.interval.method == "two-way clusters"
    ends = found.accuracy.interval
    sides = [
        sy.evaluate(PAIRS, **{**ASKED, "cluster": side}).systems[0].accuracy.interval
        for side in ("probe", "gallery")
    ]
    low, high = crossed_share_interval(right, *rows)
    assert ends.low == min(low, *(side.low for side in sides))
    assert ends.high == max(high, *(side.high for side in sides))
    assert "45 clusters on the first side, 41 on the second" in found.caveats[0]
    alone = wilson_interval(int(right.sum()), right.size)
    assert ends.low < alone[0]
    assert ends.high > alone[1]


def test_a_false_match_rate_is_that_of_the_pairs_that_are_not_the_same() -> None:
    found = sy.evaluate(PAIRS, measure="P_FA of same", **ASKED).systems[0].further[0]
    other = ~SAME
    wanted = crossed_share_interval(
        SAID[other], np.array(PAIRS["probe"])[other], np.array(PAIRS["gallery"])[other]
    )
    assert (found.successes, found.trials) == (int((SAID & other).sum()), int(other.sum()))
    assert (found.interval.low, found.interval.high) == wanted


def test_a_claim_is_held_against_the_two_way_limit() -> None:
    rate = float(SAID[~SAME].mean())
    check = sy.gate(PAIRS, claim=f"P_FA of same at most {rate + 0.001}", **ASKED).claims[0]
    assert check.outcome == "undecided"
    assert check.method == "two-way clusters"
    assert sy.gate(PAIRS, claim="P_FA of same at most 0.6", **ASKED).outcome == "passes"


@pytest.mark.parametrize(
    ("verb", "asked", "error", "words"),
    [
        (sy.evaluate, {"measure": "kappa"}, NotComparable, "not a plain share"),
        (sy.evaluate, {"cluster": "probe,probe"}, RequestError, "two different ones"),
        (sy.evaluate, {"cluster": "probe,nobody"}, Exception, "nobody"),
        (sy.evaluate, {"cluster": "truth,nothing,more"}, RequestError, "two different ones"),
    ],
)
def test_what_crossed_items_cannot_tell_is_refused(verb, asked, error, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=words):
        verb(PAIRS, **{**ASKED, **asked})


def test_one_cluster_on_one_side_is_refused() -> None:
    one = {**PAIRS, "gallery": ["g"] * PROBE.size}
    with pytest.raises(CountsError, match="1 cluster on the second side"):
        sy.evaluate(one, **ASKED)


SCORES = {
    **{name: PAIRS[name] for name in ("truth", "probe", "gallery")},
    "p": (ALIKE + 3 * SAME + RNG.normal(size=PROBE.size)).round(4).tolist(),
    "q": (ALIKE + 2 * SAME + RNG.normal(size=PROBE.size)).round(4).tolist(),
}
OTHER = np.where(RNG.uniform(size=PROBE.size) < 0.15, ~SAID, SAID)
CALLS = {**PAIRS, "other": np.where(OTHER, "same", "other").tolist()}
VALUES = {name: SCORES[name] for name in ("probe", "gallery", "p", "q")}
BOTH = {"cluster": "probe,gallery"}
KINDS = {
    "answers": (CALLS, {"systems": ["matcher", "other"], "positive": "same"}),
    "areas": (SCORES, {"score": ["p", "q"], "positive": "same"}),
    "values": (VALUES, {"value": ["p", "q"], "higher_is_better": True}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_difference_is_no_surer_than_either_side_or_both_together(kind) -> None:  # type: ignore[no-untyped-def]
    data, asked = KINDS[kind]
    found = sy.compare(data, **asked, **BOTH)
    (pair,) = found.pairs
    ends = pair.difference.interval
    assert ends.method == "two-way clusters"
    for side in ("probe", "gallery"):
        (alone,) = sy.compare(data, **asked, cluster=side).pairs
        assert ends.low <= alone.difference.interval.low
        assert ends.high >= alone.difference.interval.high
        assert pair.p_value >= alone.p_value
    assert (pair.p_value <= 0.05) == (not ends.low <= 0 <= ends.high)
    best = {one.system: one.best for one in found.systems}
    assert best[pair.first] == pytest.approx(pair.better)
    assert any("41 on the second" in note for note in found.caveats)


def test_the_two_way_variance_of_a_mean_is_that_of_its_items() -> None:
    apart = np.array(VALUES["p"]) - np.array(VALUES["q"])
    error = crossed_error((apart - apart.mean()) / apart.size, VALUES["probe"], VALUES["gallery"])
    low, high = error.limits(float(apart.mean()), level=0.95)
    (pair,) = sy.compare(VALUES, **KINDS["values"][1], **BOTH).pairs
    assert pair.difference.interval.low <= low + 1e-12
    assert pair.difference.interval.high >= high - 1e-12
    mean = sy.evaluate(VALUES, **KINDS["values"][1], **BOTH).systems[0].centre
    alone = sy.evaluate(VALUES, **KINDS["values"][1], cluster="").systems[0].centre
    assert mean.interval.high - mean.interval.low > 2 * (alone.interval.high - alone.interval.low)


def test_an_area_has_the_parts_of_delong() -> None:
    positive = np.array(SCORES["truth"]) == "same"
    area, added = area_parts(SCORES["p"], positive)
    found = sy.evaluate(SCORES, **KINDS["areas"][1], **BOTH).systems[0].area
    assert found.value == pytest.approx(area)
    joint = JointScores.from_arrays(positive.astype(int), {"p": SCORES["p"]})
    single = float((added[positive] ** 2).sum() + (added[~positive] ** 2).sum())
    assert single == pytest.approx(float(delong_covariance(joint)[1][0, 0]), rel=5e-3)
    ends = found.interval
    error = crossed_error(added, SCORES["probe"], SCORES["gallery"])
    low, high = error.limits(area, level=0.95, scale="logit")
    assert ends.low <= low
    assert ends.high >= high


@pytest.mark.parametrize("kind", KINDS)
def test_a_gate_takes_crossed_items_as_compare_does(kind) -> None:  # type: ignore[no-untyped-def]
    data, asked = KINDS[kind]
    first, second = asked.get("systems") or asked.get("score") or asked["value"]
    found = sy.gate(
        data, **asked, **BOTH, candidate=first, baseline=second, require="not worse by 0.5"
    )
    (pair,) = sy.compare(data, **asked, **BOTH, level=0.9).pairs
    ends, mine = found.checks[0].advantage.interval, pair.difference.interval
    assert pair.first == first
    assert ends.low <= mine.low + 1e-12
    assert ends.high >= mine.high - 1e-12
    assert found.outcome == "passes"


@pytest.mark.parametrize(
    ("verb", "more", "words"),
    [
        (sy.compare, {"measure": "f1"}, "compared as a whole"),
        (sy.compare, {"method": "mcnemar-exact"}, "compared as a whole"),
        (sy.gate, {"candidate": "matcher", "baseline": "other", "require": "F1 better"},
         "no two-way limits of an advantage"),
        (sy.roc, {}, "Name one column here"),
    ],
)  # fmt: skip
def test_other_questions_of_crossed_items_are_refused_in_words(verb, more, words) -> None:  # type: ignore[no-untyped-def]
    data, asked = KINDS["answers"]
    with pytest.raises(SteelyardError, match=words):
        verb(data, **asked, **BOTH, **more)


def test_an_open_pair_says_how_many_more_clusters_it_takes() -> None:
    near = {**VALUES, "q": (np.array(VALUES["p"]) + RNG.normal(0, 3, PROBE.size)).tolist()}
    said = sy.compare(near, **KINDS["values"][1], **BOTH).caveats
    assert any("times as many clusters on both sides" in note for note in said)


def test_a_class_of_one_cluster_has_no_interval_and_leaves_the_rest_its_own() -> None:
    alone = [
        "same" if probe == "p3" and place % 2 else "other"
        for place, probe in enumerate(PAIRS["probe"])
    ]
    found = sy.evaluate({**PAIRS, "truth": alone}, **ASKED).systems[0]
    assert found.accuracy.interval is not None
    recall = next(one for one in found.further if one.measure == "recall")
    assert recall.interval is None
    assert "one cluster on the first side" in recall.reason
    gated = sy.gate({**PAIRS, "truth": alone}, claim="recall of same at least 0.01", **ASKED)
    assert gated.outcome == "undecided"


def test_names_on_both_sides_are_said_to_be_taken_for_the_same() -> None:
    numbered = {**PAIRS, "probe": PROBE.tolist(), "gallery": GALLERY.tolist()}
    assert any(
        "41 names appear on both sides" in one for one in sy.evaluate(numbered, **ASKED).notes()
    )
    assert not any("on both sides" in one for one in sy.evaluate(PAIRS, **ASKED).notes())


def test_a_column_of_two_that_is_not_there_is_asked_for_by_both() -> None:
    with pytest.raises(SteelyardError, match=r"Did you mean cluster='probe,gallery' \("):
        sy.evaluate(PAIRS, **{**ASKED, "cluster": "probe,galery"})


@pytest.mark.parametrize("held", ["called", "score"])
def test_no_difference_of_shares_or_areas_reaches_beyond_one(held: str) -> None:
    rng = np.random.default_rng(2)
    truth = np.tile([0, 1], 12)
    data = {
        "truth": truth.tolist(),
        "probe": [f"p{one}" for one in np.repeat([0, 1], 12)],
        "gallery": [f"g{one}" for one in np.tile(np.repeat([0, 1], 2), 6)],
    }
    for name in ("a", "b"):
        scores = rng.random(24) + 0.3 * truth
        data[name] = scores.tolist() if held == "score" else (scores > 0.6).astype(int).tolist()
    (pair,) = sy.compare(data, cluster="probe,gallery", positive="1", **{held: ["a", "b"]}).pairs
    assert -1 <= pair.difference.interval.low < pair.difference.interval.high <= 1

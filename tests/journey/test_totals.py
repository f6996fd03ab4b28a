"""Totals on common items: what is said holds whoever was right together."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.comparison import akaike_incomplete


def totals(tested, **correct):
    return sy.compare(sy.Trials(correct=correct, tested=tested, pairing="common"))


@st.composite
def answered(draw):
    """Right and wrong answers of two to four systems, alike to some degree."""
    systems, items = draw(st.integers(2, 4)), draw(st.integers(1, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    hard = rng.random(items)[:, None] * draw(st.floats(0, 1))
    right = (hard + rng.random((items, systems))) < draw(st.floats(0.2, 1.8))
    right[:, 0] |= rng.random(items) < draw(st.floats(0, 1))
    codes, counts = np.unique(right @ (1 << np.arange(systems)), return_counts=True)
    names = tuple("ABCD"[:systems])
    patterns = dict(zip(codes.tolist(), counts.tolist(), strict=True))
    return sy.Outcomes.from_patterns(patterns, systems=names)


@settings(max_examples=60, deadline=None)
@given(answered())
def test_leaving_out_who_was_right_together_never_makes_more_certain(outcomes):
    known = sy.compare(outcomes)
    blind = sy.compare(
        sy.Trials(
            correct=dict(zip(outcomes.systems, outcomes.correct(), strict=True)),
            tested=outcomes.total,
            pairing="common",
        )
    )
    for whole, part in zip(known.pairs, blind.pairs, strict=True):
        assert part.verdict != "different" or whole.verdict == "different"
        assert part.adjusted_p >= whole.adjusted_p - 1e-12
        over = part.overlaps
        assert over.p_least - 1e-12 <= whole.p_value <= over.p_largest + 1e-12
        assert over.adjusted_least - 1e-12 <= whole.adjusted_p
        assert over.better_low - 1e-12 <= whole.better <= over.better_high + 1e-12
        assert abs(part.better - 0.5) <= abs(whole.better - 0.5) + 1e-12
        assert part.difference.interval.low <= whole.difference.interval.low + 1e-9
        assert part.difference.interval.high >= whole.difference.interval.high - 1e-9
        if over.verdict == "not different":
            assert whole.verdict == "undecided"
    error = 5 * (known.monte_carlo_error or 0)
    for whole, part in zip(known.systems, blind.systems, strict=True):
        assert part.best_low - error - 1e-9 <= whole.best <= part.best_high + error + 1e-9
        assert part.rank_low <= whole.rank_low
        assert part.rank_high >= whole.rank_high


def test_a_lead_that_grows_never_loses_its_verdict():
    # The criterion calls 804 against 795 of 1,000 different and 805 against 795 not.
    found = [totals(1000, S=795, T=right).pairs[0].verdict for right in range(795, 861)]
    places = [("undecided", "different").index(one) for one in found]
    assert all(later >= sooner for sooner, later in pairwise(places))
    assert found[0] == "undecided"
    assert found[-1] == "different"


@pytest.mark.parametrize(
    ("tested", "first", "second", "verdict", "over", "words"),
    [
        (3000, 2396, 2404, "undecided", "depends", "depends on the overlap"),
        (200, 190, 194, "undecided", "not different", "cannot be told apart, whatever the overlap"),
        (1000, 700, 900, "different", "different", "T is better than S whatever the overlap"),
        (1000, 804, 795, "undecided", "depends", "Give the outcome of each item."),
    ],
)
def test_a_pair_of_totals_is_told_apart_only_whatever_the_overlap(
    tested, first, second, verdict, over, words
):
    result = totals(tested, S=first, T=second)
    pair = result.pairs[0]
    assert (pair.verdict, pair.overlaps.verdict) == (verdict, over)
    assert words in result.sentence()
    tiers = {one.tier for one in result.systems}
    assert len(tiers) == (2 if verdict == "different" else 1)
    assert sy.read_result(result.to_json()) == result


def test_the_criterion_stays_as_a_working_beside_the_verdict():
    result = totals(3000, S=2396, T=2404)
    akaike = akaike_incomplete(2396, 2404, tested=3000)
    assert result.pairs[0].aic_difference == akaike.difference
    assert result.pairs[0].aic_verdict == akaike.verdict == "different"
    assert any("more often than not" in note for note in result.caveats)
    trials = sy.Trials(correct={"S": 2396, "T": 2404}, tested=3000, pairing="common")
    working = sy.compare(trials, method="akaike-totals")
    assert any("holds its error rate" in note for note in working.caveats)


def test_several_totals_say_how_many_open_pairs_depend_on_the_overlap():
    said = totals(1000, S=800, T=806, U=812, V=700).sentence()
    assert said.startswith("U, T and S cannot be told apart: U has the highest accuracy, 81.2%")
    assert "3 of 3 open pairs depend on who was right together" in said
    assert "better than V" in said


def test_the_words_of_a_report_do_not_speak_of_items_nobody_saw():
    methods = totals(3000, S=2396, T=2404).methods()
    assert "at its largest over all overlaps" in methods
    assert "ranges over the same overlaps" in methods


def test_totals_of_a_thousand_million_items_are_compared():
    result = totals(10**9, S=800_000_000, T=800_300_000)
    assert result.pairs[0].verdict == "different"


def test_the_methods_name_the_test_that_was_run():
    alone = totals(100, S=100, T=95)
    assert "(mid-p where there is one alone)" in alone.methods()
    wide = totals(100, S=99, T=95)
    assert "mid-p" not in wide.methods()
    assert "mid-p" not in wide.primary
    apart = sy.Outcomes.from_pair(both=0, first=12, second=2, neither=0, systems=("S", "T"))
    assert "exact where more than four fifths" in sy.compare(apart).methods()

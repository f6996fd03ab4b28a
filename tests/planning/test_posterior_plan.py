"""Confidence at n and n for a confidence; the published tables have files of their own."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.errors import RequestError
from steelyard.planning import posterior_confidence, posterior_samples


def test_the_samples_to_order_reach_the_confidence_and_one_less_does_not():
    for given_rates in ((0.9, 0.88, 0.86), (0.7, 0.6), (0.55, 0.5, 0.45, 0.4)):
        for question in ("best", "ranking"):
            size = posterior_samples(given_rates, 0.9, question=question)
            assert size.reached >= 0.9
            less = posterior_confidence(given_rates, size.samples - 1, question=question)
            assert less < 0.9


@settings(max_examples=15)
@given(st.lists(st.integers(5, 95), min_size=2, max_size=4, unique=True), st.randoms())
def test_the_order_in_which_rates_are_given_does_not_matter(hundredths, random):
    shuffled = list(hundredths)
    random.shuffle(shuffled)
    one, two = (
        posterior_confidence([h / 100 for h in some], 120.5, question="ranking")
        for some in (hundredths, shuffled)
    )
    assert one == two


@settings(max_examples=15)
@given(st.floats(0.05, 0.9), st.floats(0.02, 0.09), st.floats(0.6, 0.999))
def test_more_samples_or_a_wider_gap_never_make_less_sure(low, gap, confidence):
    sure = [posterior_confidence([low + gap, low], n) for n in (0, 10, 100, 1000)]
    assert all(one < two + 1e-12 for one, two in pairwise(sure))
    wide = posterior_samples([low + gap * 1.1, low], confidence).exact
    assert wide < posterior_samples([low + gap, low], confidence).exact


def test_nothing_tested_gives_every_system_its_equal_share():
    assert posterior_confidence([0.9, 0.8, 0.7], 0) == pytest.approx(1 / 3)
    assert posterior_confidence([0.9, 0.8, 0.7], 0, question="ranking") == pytest.approx(1 / 6)


def test_a_prior_counts_like_samples():
    flat = posterior_confidence([0.8, 0.7], 100)
    informed = posterior_confidence([0.8, 0.7], 80, priors=[(17, 5), (15, 7)])
    assert informed == pytest.approx(flat, abs=1e-12)
    strong = posterior_samples([0.8, 0.7], 0.9, priors=[(801, 201), (701, 301)])
    assert strong.samples == 0


def test_a_plan_beyond_the_limit_is_none():
    size = posterior_samples([0.9, 0.8999], 0.95)
    assert (size.exact, size.samples, size.reached) == (None, None, None)
    assert posterior_samples([0.9, 0.8999], 0.95, limit=10**9).samples > 10**7


def test_very_high_confidence_keeps_its_digits():
    size = posterior_samples([0.9, 0.8], 1 - 1e-12)
    assert 900 < size.samples < 1300


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([0.9, 0.9, 0.8], 0.95), r"2 systems have the same rate, 0\.9.*question='select'"),
        (([0.9, 1.0], 0.95), r"1\.0 is not strictly between 0 and 1.*nearest.*0\.999"),
        (([90, 80], 0.95), r"For 90 % write 0\.9"),
        (([0.9], 0.95), r"needs 2 or more"),
        (([0.9, 0.8], 1.0), r"confidence=1\.0 is not strictly between"),
        (([0.9, 0.8], 95), r"For 95% type confidence=0\.95"),
    ],
)
def test_impossible_wishes_are_refused_with_the_nearest_possible_one(arguments, words):
    with pytest.raises(RequestError, match=words):
        posterior_samples(*arguments)


def test_equal_rates_below_the_best_matter_to_a_ranking_only():
    assert posterior_samples([0.9, 0.8, 0.8], 0.9).samples > 10
    with pytest.raises(RequestError, match="tells their order"):
        posterior_samples([0.9, 0.8, 0.8], 0.9, question="ranking")


@pytest.mark.parametrize(
    "wrong",
    [{"question": "worst"}, {"method": "simulated"}, {"priors": [(1, 1)]}],
)
def test_unknown_questions_and_priors_are_refused(wrong):
    with pytest.raises(RequestError):
        posterior_confidence([0.9, 0.8], 100, **wrong)
    with pytest.raises(RequestError, match="0 or more"):
        posterior_confidence([0.9, 0.8], -1)


def test_the_claims_of_figure_2_hold_where_the_documentation_says_so():
    # "delta <= 0.01, n = 3000 gives less than 0.8" fails from 0.71 on; "higher rates, more
    # confidence" holds above one half only.
    assert posterior_confidence([0.70, 0.69], 3000) < 0.8 < posterior_confidence([0.72, 0.71], 3000)
    assert posterior_confidence([0.9, 0.8], 100) > posterior_confidence([0.7, 0.6], 100)
    assert posterior_confidence([0.2, 0.1], 100) > posterior_confidence([0.4, 0.3], 100)

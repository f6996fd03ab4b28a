import pytest

from steelyard.comparison import BetaPosteriors, beta_posteriors
from steelyard.counts import Trials
from steelyard.errors import CountsError, NotComparable, RequestError

TRIALS = Trials(correct={"S": 190, "T": 0}, tested={"S": 200, "T": 10}, pairing="independent")


def test_the_prior_is_uniform_unless_given():
    answer = beta_posteriors(TRIALS, priors={"T": (0.5, 2)})
    assert answer.systems == ("S", "T")
    assert answer.a == (191.0, 0.5)
    assert answer.b == (11.0, 12.0)


def test_means_are_those_of_the_beta_distribution():
    assert beta_posteriors(TRIALS).means() == (191 / 202, 1 / 12)


def test_common_items_are_refused_with_the_way_out():
    common = Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common")
    with pytest.raises(NotComparable, match="pairing='independent'"):
        beta_posteriors(common)


def test_a_prior_for_a_system_that_is_not_there_is_refused():
    with pytest.raises(RequestError, match="given for U; the systems are S, T"):
        beta_posteriors(TRIALS, priors={"U": (1, 1)})


@pytest.mark.parametrize("prior", [(0, 1), (1, -2), (float("nan"), 1), (1, float("inf"))])
def test_a_prior_must_be_positive(prior):
    with pytest.raises(RequestError, match="prior of S"):
        beta_posteriors(TRIALS, priors={"S": prior})


@pytest.mark.parametrize("a", [0.0, -1.0, float("nan"), float("inf")])
def test_parameters_must_be_positive(a):
    with pytest.raises(RequestError, match="S: Beta"):
        BetaPosteriors(systems=("S",), a=(a,), b=(1.0,))


def test_each_system_needs_a_name_and_two_parameters_of_its_own():
    with pytest.raises(CountsError, match="names of their own"):
        BetaPosteriors(systems=("S", "S"), a=(1.0, 1.0), b=(1.0, 1.0))
    with pytest.raises(RequestError, match="one of each"):
        BetaPosteriors(systems=("S", "T"), a=(1.0,), b=(1.0, 1.0))


def test_some_systems_may_be_kept_in_any_order():
    kept = beta_posteriors(TRIALS).only(["T", "S"])
    assert (kept.systems, kept.a) == (("T", "S"), (1.0, 191.0))
    with pytest.raises(RequestError, match="No system 'x'"):
        kept.only(["x"])

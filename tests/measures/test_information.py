"""Information criteria: statsmodels' own numbers, weights by definition, refusals."""

from math import exp, log

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st

from steelyard.errors import NotComparable, RequestError
from steelyard.measures import (
    FittedModel,
    aic,
    aicc,
    bic,
    fitted_model,
    log_bayes_factor,
    ranked_models,
)

model = st.builds(
    FittedModel,
    name=st.text(min_size=1, max_size=5),
    log_likelihood=st.floats(-1e4, 1e3),
    parameters=st.integers(0, 20),
    items=st.just(60),
)
several = st.lists(model, min_size=2, max_size=6, unique_by=lambda one: one.name)


def fits():
    rng = np.random.default_rng(1)
    x = rng.normal(size=80)
    y = (rng.random(80) < 1 / (1 + np.exp(-x))).astype(float)
    other = rng.normal(size=80)
    return (
        sm.Logit(y, sm.add_constant(x)).fit(disp=0),
        sm.Logit(y, sm.add_constant(np.column_stack([x, other]))).fit(disp=0),
    )


def test_statsmodels_objects_give_their_own_criteria():
    for fit in fits():
        taken = fitted_model("m", fit)
        assert taken.items == 80
        assert aic(taken) == pytest.approx(fit.aic, abs=1e-9)
        assert bic(taken) == pytest.approx(fit.bic, abs=1e-9)


def test_the_correction_is_its_formula_and_ends_where_it_has_no_meaning():
    few = FittedModel(name="a", log_likelihood=-10.0, parameters=3, items=10)
    assert aicc(few) == pytest.approx(26 + 2 * 3 * 4 / 6)
    assert aicc(FittedModel(name="a", log_likelihood=-10.0, parameters=3, items=4)) is None


@given(several, st.sampled_from(["aic", "aicc", "bic"]))
def test_ranks_differences_and_weights_follow_from_the_criterion(models, criterion):
    ranks = ranked_models(models, criterion)
    values = [rank.value for rank in ranks]
    assert values == sorted(values)
    assert ranks[0].difference == 0
    assert sum(rank.weight for rank in ranks) == pytest.approx(1)
    for rank in ranks:
        expected = exp(-rank.difference / 2) * ranks[0].weight
        assert rank.weight == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(several)
def test_adding_a_constant_to_all_likelihoods_changes_no_weight(models):
    moved = [
        FittedModel(
            name=one.name,
            log_likelihood=one.log_likelihood - 7,
            parameters=one.parameters,
            items=60,
        )
        for one in models
    ]
    for one, two in zip(ranked_models(models), ranked_models(moved), strict=True):
        assert two.weight == pytest.approx(one.weight, rel=1e-9, abs=1e-12)


def test_the_bayes_factor_is_half_the_difference_of_bic():
    one = FittedModel(name="a", log_likelihood=-10.0, parameters=2, items=50)
    two = FittedModel(name="b", log_likelihood=-10.0, parameters=3, items=50)
    assert log_bayes_factor(one, two) == pytest.approx(log(50) / 2)
    assert log_bayes_factor(two, one) == -log_bayes_factor(one, two)


def test_models_of_other_observations_or_responses_are_refused():
    one = FittedModel(name="a", log_likelihood=-10.0, parameters=2, items=50, response="y")
    two = FittedModel(name="b", log_likelihood=-10.0, parameters=3, items=49, response="y")
    with pytest.raises(NotComparable, match="different observations: 49, 50"):
        ranked_models([one, two])
    three = FittedModel(name="c", log_likelihood=-10.0, parameters=3, items=50, response="log y")
    with pytest.raises(NotComparable, match="different responses: log y, y"):
        ranked_models([one, three])
    with pytest.raises(RequestError, match="different names"):
        ranked_models([one, one])
    full = FittedModel(name="d", log_likelihood=-1.0, parameters=49, items=50, response="y")
    with pytest.raises(NotComparable, match="AICc of 'd' is undefined"):
        ranked_models([one, full], "aicc")
    with pytest.raises(RequestError, match="criterion='dic'"):
        ranked_models([one, full], "dic")


def test_what_is_no_fitted_model_is_refused():
    with pytest.raises(RequestError, match="has no llf, nobs"):
        fitted_model("a", object())
    with pytest.raises(RequestError, match="finite"):
        FittedModel(name="a", log_likelihood=float("nan"), parameters=1, items=5)

"""Ranking models, from counts to the answer."""

from types import SimpleNamespace

import pytest

import steelyard as sy
from steelyard.errors import RequestError
from steelyard.measures import FittedModel

ONE = FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100)
TWO = FittedModel(name="B", log_likelihood=-121.0, parameters=5, items=100)


def test_the_answer_carries_all_three_criteria_and_says_who_is_close():
    found = sy.rank_models([TWO, ONE])
    assert [one.name for one in found.models] == ["A", "B"]
    assert (found.models[0].aic, found.models[1].difference) == (247.0, 5.0)
    assert found.models[1].log_bayes_factor == pytest.approx(5.10517, abs=1e-5)
    assert "A has the lowest AIC of 2 models" in found.sentence()
    near = FittedModel(name="C", log_likelihood=-120.0, parameters=4, items=100)
    assert "C is less than 2 away and not ruled out" in sy.rank_models([ONE, near]).sentence()
    assert len(found.rows()) == 16


def test_fitted_objects_are_taken_by_name():
    fits = {
        "small": SimpleNamespace(llf=-50.0, nobs=30, params=[1, 2]),
        "large": SimpleNamespace(llf=-49.5, nobs=30, params=[1, 2, 3]),
    }
    found = sy.rank_models(fits, criterion="bic")
    assert found.models[0].name == "small"
    with pytest.raises(RequestError, match="came without a name"):
        sy.rank_models(list(fits.values()))

"""The guide follows prevalence, the number of classes, and what systems hold."""

import steelyard as sy
from steelyard.measures import Problem, guide_for


def guide(holds="called", **known):
    return " ".join(guide_for(Problem(holds=frozenset(holds.split()), **known)))


def test_one_common_class_speaks_against_accuracy():
    said = guide(shares={"ill": 0.01, "well": 0.99})
    assert "well makes up 99.0% of the items, so accuracy says little" in said
    assert "MCC" in said
    assert "Class 0 makes up" in guide(shares={"0": 0.8, "1": 0.2})


def test_equal_classes_speak_for_it():
    assert "accuracy is a fair summary" in guide(shares={"a": 0.5, "b": 0.5})
    assert "confusions show" in guide(shares={"a": 0.3, "b": 0.3, "c": 0.4})
    assert "macro averages" in guide(shares={"a": 0.6, "b": 0.2, "c": 0.2})


def test_scores_vectors_and_outcomes_have_their_own_words():
    assert "AUC judges the ranking" in guide("score")
    rare = guide("score", positive="1", positive_share=0.02)
    assert "Positives are rare (2.0%)" in rare
    assert "Brier" in guide("vector", shares={"a": 0.5, "b": 0.5})
    assert "Only right or wrong is known" in guide("outcome")
    assert "expected cost decides" in guide("score", costs=True)


def test_the_guide_ends_the_text_of_an_evaluation():
    result = sy.evaluate(sy.Confusion.from_binary(tp=1, fp=2, fn=3, tn=94))
    assert result.guide
    assert " ".join(result.text().split()).endswith(" ".join(result.guide[-1].split()))
    assert sy.evaluate(sy.Confusion.from_cells({}, classes=["a"])).guide == ()

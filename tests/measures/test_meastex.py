"""Every worked example of the MeasTex score, from vectors to the score of a suite."""

import json
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from steelyard.errors import SteelyardError
from steelyard.measures import vector_score
from steelyard.tally import vector_scores_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "meastex.json").read_text())
EXAMPLES = {example["name"][0]: example for example in GOLDEN["examples"]}
# Item scores are kept as multiples of 2^-30.
GRAIN = 2e-9


def scored(outputs, truth, rule="spherical", **asked):
    labels = [str(c) for c in range(len(outputs[0]))]
    sums = vector_scores_of(truth, {"A": outputs}, labels=labels)
    return vector_score(sums, rule, "A", **asked).value


@pytest.mark.parametrize("number", ["1", "2"])
def test_single_items_have_their_printed_scores_at_any_scale(number):
    for case in EXAMPLES[number]["cases"]:
        output = [[float(x) for x in case["o"]]]
        truth = [str(case["true"])]
        assert scored(output, truth) == pytest.approx(case["l2"], abs=GRAIN)
        if "wta" in case:
            assert scored(output, truth, "winner") == pytest.approx(case["wta"], abs=GRAIN)


def test_a_uniform_vector_scores_its_printed_baseline():
    for case in EXAMPLES["3"]["cases"]:
        assert scored([[1.0] * case["C"]], ["0"]) == pytest.approx(case["l2"], abs=GRAIN)
        assert scored([[1.0] * case["C"]], ["0"], "winner") == pytest.approx(case["l1"], abs=GRAIN)


def test_the_zero_vector_is_refused_not_scored_by_a_convention():
    assert len(EXAMPLES["4"]["cases"]) == 3
    with pytest.raises(SteelyardError):
        scored([[0.0, 0.0, 0.0]], ["1"])


def test_ties_share_the_credit():
    for case in EXAMPLES["5"]["cases"]:
        output, truth = [[float(x) for x in case["o"]]], [str(case["true"])]
        assert scored(output, truth) == pytest.approx(case["l2"], abs=GRAIN)
        assert scored(output, truth, "winner") == pytest.approx(case["wta_fraction"], abs=GRAIN)


def test_the_expected_score_is_largest_for_the_true_probabilities():
    example = EXAMPLES["6"]
    chance = [0.7, 0.2, 0.1]
    for case in example["cases"]:
        each = [scored([[float(x) for x in case["o"]]], [str(c)]) for c in range(3)]
        expected = sum(p * s for p, s in zip(chance, each, strict=True))
        assert expected == pytest.approx(case["expected_l2"], abs=GRAIN)
        assert expected <= example["maximum_l2"] + GRAIN
    assert example["maximum_l2"] == pytest.approx(sqrt(sum(p * p for p in chance)))


def test_the_problem_and_the_suite_have_their_printed_scores():
    example = EXAMPLES["7"]
    # The fourth item is the zero vector, scored 0 in print. A vector with nothing for the true
    # class scores 0 as well, and is not refused.
    outputs = [o if any(o) else [1.0, 0.0] for o in example["outputs"]]
    truth = [str(t) for t in example["true"]]
    problem = scored(outputs, truth, class_weights={"0": 0.5, "1": 0.5})
    assert problem == pytest.approx(example["l2"], abs=GRAIN)
    uneven = scored(outputs, truth, class_weights={"0": 0.25, "1": 0.75})
    assert uneven == pytest.approx(example["l2_weights_25_75"], abs=GRAIN)
    pooled = scored(outputs, truth, "winner")
    assert pooled == pytest.approx(example["percent_correct_pooled"], abs=GRAIN)
    suite = np.mean([problem, *example["suite_of"][1:]])
    assert suite == pytest.approx(example["suite"], abs=GRAIN)

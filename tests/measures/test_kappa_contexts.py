"""The printed tables 4 and 5: the same agreement, another kappa, and why."""

import json
from pathlib import Path

import pytest

from steelyard.counts import Confusion
from steelyard.measures import gwet_ac, kappa_context

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "misir.json").read_text())


@pytest.mark.parametrize("name", sorted(GOLDEN["kappa_examples"]))
def test_the_numbers_beside_the_printed_kappas_are_reproduced(name):
    example = GOLDEN["kappa_examples"][name]
    a, b, c, d = (example["cells"][key] for key in "abcd")
    table = Confusion.from_matrix([[a, b], [c, d]], classes=["yes", "no"])
    found = kappa_context(table)
    assert found.agreement == pytest.approx(example["po"]["value"], abs=1e-15)
    assert found.chance == pytest.approx(example["pe"]["value"], abs=1e-15)
    assert found.largest == pytest.approx(example["kappa_max"], abs=1e-12)
    assert found.pabak == pytest.approx(example["pabak"], abs=1e-12)
    assert found.prevalence_index == pytest.approx(example["prevalence_index"], abs=1e-12)
    assert found.bias_index == pytest.approx(example["bias_index"], abs=1e-12)
    assert found.word == example["label"]
    assert found.ac1 == pytest.approx(gwet_ac(table).value, abs=1e-12)


def test_the_paradox_is_explained_where_it_strikes_and_only_there():
    four = kappa_context(Confusion.from_matrix([[25, 8], [7, 60]], classes=["yes", "no"]))
    five = kappa_context(Confusion.from_matrix([[81, 9], [6, 4]], classes=["yes", "no"]))
    assert four.sentence is None
    assert five.sentence == (
        "kappa is only 0.265 although 85.0% agree: 88.5% of all labels are 'yes', so chance alone "
        "would agree on 79.6%; PABAK 0.700 and AC1 0.812 are not pulled down by that"
    )


def test_more_than_two_classes_have_no_indices():
    found = kappa_context(Confusion.from_matrix([[8, 2, 1], [1, 9, 3], [0, 2, 20]]))
    assert (found.prevalence_index, found.bias_index) == (None, None)
    assert found.kappa < found.largest <= 1


def test_an_undefined_kappa_has_no_context():
    assert kappa_context(Confusion.from_matrix([[9, 0], [0, 0]])) is None

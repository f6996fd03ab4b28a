"""Every measure says when it misleads."""

from steelyard.measures import CATALOGUE
from steelyard.measures.catalogue.cautions import CAUTIONS


def test_every_measure_says_when_it_misleads():
    assert {name for name, entry in CATALOGUE.items() if not entry.misleads} == set()
    assert set(CAUTIONS) <= set(CATALOGUE)


def test_a_caution_is_a_sentence_or_two():
    for said in CAUTIONS.values():
        assert said.endswith(".")
        assert 20 < len(said) < 240

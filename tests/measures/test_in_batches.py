import numpy as np
import pytest

from steelyard.counts import Confusion, ScoreTable
from steelyard.errors import RequestError, SteelyardError
from steelyard.measures.catalogue.listing import CATALOGUE, catalogue_entry
from steelyard.measures.tables.in_batches import score_measure, table_measure

OF_CALLS = [
    entry
    for entry in CATALOGUE.values()
    if entry.counts == "Confusion" and set(entry.needs) <= {"of"}
]
OF_SCORES = [
    entry for entry in CATALOGUE.values() if entry.counts == "ScoreTable" and not entry.needs
]


@pytest.mark.parametrize("entry", OF_CALLS, ids=lambda entry: entry.name)
@pytest.mark.parametrize("size", [2, 4])
def test_many_tables_at_once_give_what_each_alone_gives(entry, size):
    tables = np.random.default_rng(size).integers(0, 30, (12, size, size))
    tables[3, :, 1] = 0
    tables[4, 1, :] = 0
    classes = [f"c{place}" for place in range(size)]
    asked = {"of": "c1"} if "of" in entry.needs else {}
    alone = []
    for table in tables.tolist():
        try:
            value = entry.function(Confusion.from_matrix(table, classes=classes), **asked).value
        except SteelyardError:
            value = None
        alone.append(np.nan if value is None else value)
    found = table_measure(entry, classes, of="c1")(tables)
    np.testing.assert_allclose(found, alone, rtol=1e-12)


COMPARED = [entry for entry in OF_SCORES if entry.name not in ("min Cllr", "minDCF")]
"""The least costs of a table are not compared, so that they are never taken from many at once."""


@pytest.mark.parametrize("entry", COMPARED, ids=lambda entry: entry.name)
def test_many_tables_of_scores_give_what_each_alone_gives(entry):
    rng = np.random.default_rng(3)
    scores = np.linspace(0.05, 0.95, 12)
    positives, negatives = rng.integers(1, 9, (2, 5, 12))
    found = score_measure(entry, "ship")(scores, positives, negatives)
    for value, hits, misses in zip(found, positives, negatives, strict=True):
        table = ScoreTable.from_counts(scores, hits, misses, positive="ship")
        alone = entry.function(table)
        alone = getattr(alone, "value", getattr(alone, "score", alone))
        assert value == pytest.approx(alone, rel=1e-12)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: table_measure(catalogue_entry("AUC"), ["a"]), "these systems give classes"),
        (lambda: table_measure(catalogue_entry("F1"), ["a", "b"]), "is about one class"),
        (lambda: table_measure(catalogue_entry("F1"), ["a", "b"], of="c"), "names none of"),
        (lambda: table_measure(catalogue_entry("expected cost"), ["a"]), "also needs costs"),
        (lambda: score_measure(catalogue_entry("F1"), "a"), "turns scores into calls"),
        (lambda: score_measure(catalogue_entry("lift"), "a"), "also needs depth"),
    ],
)
def test_a_measure_that_cannot_be_had_is_refused_with_the_reason(ask, words):
    with pytest.raises(RequestError, match=words):
        ask()

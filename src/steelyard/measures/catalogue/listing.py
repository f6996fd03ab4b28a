"""Every measure in one place: what it is called, computes, needs and means."""

from collections.abc import Mapping
from difflib import get_close_matches

from steelyard.errors import RequestError
from steelyard.measures.catalogue.entries import SAME, CatalogueEntry, OneToOne
from steelyard.measures.catalogue.scores import score_entries, vector_and_model_entries
from steelyard.measures.catalogue.tables import (
    agreement_entries,
    detection_entries,
    share_entries,
)

__all__ = ["CATALOGUE", "CatalogueEntry", "catalogue_entry", "measure_tested_as"]

CATALOGUE: Mapping[str, CatalogueEntry] = {
    entry.name: entry
    for entry in [
        *share_entries(),
        *detection_entries(),
        *agreement_entries(),
        *score_entries(),
        *vector_and_model_entries(),
    ]
}
"""Every measure, by its name."""


def catalogue_entry(name: str) -> CatalogueEntry:
    """Find a measure by its name or a synonym, in any case.

    Examples
    --------
    >>> catalogue_entry("sensitivity").name
    'recall'
    """
    words = {
        word.casefold(): entry
        for entry in CATALOGUE.values()
        for word in (*entry.synonyms, entry.name)
    }
    if name.casefold() in words:
        return words[name.casefold()]
    near = get_close_matches(name.casefold(), words, n=3, cutoff=0.5)
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    message = f"No measure {name!r} in the catalogue.{hint} `steelyard catalogue` lists all."
    raise RequestError(message)


def measure_tested_as(
    entry: CatalogueEntry, *, classes: int = 2
) -> tuple[CatalogueEntry, OneToOne]:
    """Find the measure by which one is tested, and how its values become those asked for.

    Whatever says the same thing in other words has the same p-value, probability and verdict.

    Examples
    --------
    >>> entry, change = measure_tested_as(catalogue_entry("Gini"))
    >>> entry.name, change(0.9)
    ('AUC', 0.8)
    >>> measure_tested_as(catalogue_entry("F1"))[0].name
    'F1'
    """
    if entry.same_as is None or (entry.two_classes and classes != 2):
        return entry, SAME
    name, change = entry.same_as
    return CATALOGUE[name], change

"""Outcome patterns in the order of the items' ids, for rules that decide on the way."""

from steelyard.errors import NotComparable
from steelyard.sources.predictions import Predictions
from steelyard.tally.outcomes import WORD, outcome_words

__all__ = ["tally_sequence"]


def tally_sequence(predictions: Predictions) -> tuple[int, ...]:
    """Give the pattern of each item, sorted by the ids: whole numbers by size, else as text.

    The one tally in which order is the point; it holds a number for every item. Items without an
    id have no place in it and are refused.
    """
    if "item" not in predictions.table.columns:
        message = (
            "No column names the items, so they have no order. Name it: item= (--item COLUMN)."
        )
        raise NotComparable(message, code="no-order")
    systems = predictions.with_answers()
    words = outcome_words(systems)
    asked = ", ".join(f"{sql} AS k{place}" for place, sql in enumerate(words))
    answered = " AND ".join(f"{system.column} IS NOT NULL" for system in systems)
    rows = predictions.table.query(f"SELECT item, {asked} FROM {{t}} WHERE {answered}")
    ids = [str(row[0]) for row in rows]
    numbered = all(one.isascii() and one.isdigit() for one in ids)
    places = sorted(range(len(ids)), key=lambda at: (int(ids[at]) if numbered else 0, ids[at]))
    return tuple(
        sum(int(word) << (WORD * place) for place, word in enumerate(rows[at][1:])) for at in places
    )

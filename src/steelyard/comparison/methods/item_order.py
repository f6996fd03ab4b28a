"""In which order items came, for methods that decide at the first item at which they can."""

from collections.abc import Sequence

import numpy as np

from steelyard.comparison.methods.case import Case, Option
from steelyard.counts import Outcomes
from steelyard.errors import NotComparable, RequestError

__all__ = ["ORDER", "ask_order", "check_order", "draw_first", "order_patterns", "refuse"]

ORDER = Option(
    default="",
    meaning="order of testing: item, as the ids of the items sort; random, drawn with the seed",
)
CHOICES = ("item", "random")
MOST = 200_000
"""Items of a random order that are run through at most; what has not ended by then goes on."""

DRAWN = "the items were taken in a random order drawn with the seed"


def ask_order(case: Case) -> str:
    """Give the order asked for, nothing when none was."""
    order = str(case.using["order"])
    if order and order not in CHOICES:
        raise RequestError.for_choice(name="order", given=order, choices=CHOICES)
    return order


def refuse(name: str) -> NotComparable:
    """Say that a rule which decides on the way cannot be judged by where the way ended."""
    message = (
        f"{name} decides at the first item at which it can, and here the answer depends on the "
        "order of the items, which was not given. Give it: using={'order': 'item'} (--using "
        "order=item) takes the items as their ids sort, using={'order': 'random'} (--using "
        "order=random) in an order drawn with the seed."
    )
    return NotComparable(message, code="no-order")


def check_order(case: Case, name: str) -> None:
    """Refuse a method that always needs an order when none was named."""
    told = (1 << len(case.systems)) - 1
    # Items that all or none had right are alike to every rule: their order says nothing.
    if not ask_order(case) and any(rows and p % told for p, rows in case.paired().patterns):
        raise refuse(name)


def order_patterns(case: Case) -> tuple[list[int], tuple[str, ...]]:
    """Give the outcome patterns in the order asked for, and what has to be said about it."""
    if ask_order(case) == "item":
        if case.sequence is None:
            message = (
                "order=item needs the outcome of every item and its id; these data hold counts, or "
                "no column names the item. Name it (item=, --item COLUMN), or take order=random."
            )
            raise NotComparable(message, code="no-order")
        return list(case.sequence), ()
    return draw_first(_by_merit(case.paired()), case.rng())


def draw_first(
    counts: Sequence[tuple[int, int]], rng: np.random.Generator
) -> tuple[list[int], tuple[str, ...]]:
    """Draw the first items of a random order: values with how many items have each.

    Examples
    --------
    >>> draw_first([(5, 2), (7, 1)], np.random.default_rng(1))[0]
    [5, 5, 7]
    """
    values, rows = [value for value, _ in counts], [count for _, count in counts]
    total = sum(rows)
    if total <= MOST:
        order = rng.permutation(np.repeat(np.arange(len(rows)), rows))
        return [values[at] for at in order.tolist()], (DRAWN,)
    ends = np.cumsum(np.array(rows, dtype=np.int64))
    # Places drawn one after the other, those drawn before passed over: an order without
    # replacement that needs no room for the items that are never reached.
    places = np.empty(0, dtype=np.int64)
    while places.size < MOST:
        drawn = np.concatenate([places, rng.integers(total, size=2 * MOST)])
        _, first = np.unique(drawn, return_index=True)
        places = drawn[np.sort(first)]
    order = np.searchsorted(ends, places[:MOST], side="right")
    caveat = f"{DRAWN}, and the first {MOST:,} of {total:,} were run through"
    return [values[at] for at in order.tolist()], (caveat,)


def _by_merit(outcomes: Outcomes) -> list[tuple[int, int]]:
    """List the patterns with their items, so that it does not matter who is named first."""
    right = outcomes.correct()
    places = sorted(range(len(right)), key=lambda place: -right[place])

    def rank(pattern: int) -> int:
        return sum(1 << at for at, place in enumerate(places) if pattern >> place & 1)

    return sorted(outcomes.patterns, key=lambda held: rank(held[0]))

"""Where repeated values vary: the shares of items, runs and judges in one line."""

from collections.abc import Sequence

from steelyard import comparison, tally
from steelyard.errors import CountsError
from steelyard.sources import Predictions
from steelyard.sources.predictions import SplitRole, System

__all__ = ["variance_line"]

MOST_ROWS = 200_000
"""So many values are fetched to be taken apart."""
ROLES: tuple[SplitRole, ...] = ("cluster", "fold", "group")


def variance_line(predictions: Predictions, systems: Sequence[System]) -> list[str]:
    """Say what the declared columns share of the variance of values, or of their difference.

    The cluster is what repeats (the item), folds and groups what it is repeated over (runs,
    judges). Nothing is said where nothing repeats, or of ratios and weighted values.
    """
    asked = [role for role in ROLES if role in predictions.splits]
    plain = not (predictions.weighted or systems[0].per or systems[0].judge)
    if asked[:1] != ["cluster"] or not plain or predictions.rows > MOST_ROWS:
        return []
    columns, parts = tally.read_split_values(predictions, systems, asked)
    values = columns[0] if len(columns) == 1 else columns[0] - columns[1]
    named = dict(predictions.understood)
    names = [_column(named.get(role, role)) for role in asked]
    try:
        found = comparison.variance_components(values, dict(zip(names, parts, strict=True)))
    except CountsError:
        return []
    what = "a value" if len(columns) == 1 else "the difference on an item"
    shares = [f"{found.shares[name]:.0%} from {name}" for name in names]
    most = max([*names, "rest"], key=lambda name: found.of_mean[name])
    most = f"more of {most}" if most != "rest" else "more values of any kind"
    return [
        f"of the variance of {what} about {', '.join(shares)} and {found.shares['rest']:.0%} from "
        f"none of them; {most} would make the mean most certain"
    ]


def _column(title: str) -> str:
    """Take the name of a column out of what was understood: column 'judge'."""
    return title.partition("'")[2].rpartition("'")[0] or title

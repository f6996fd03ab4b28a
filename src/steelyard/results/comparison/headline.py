"""The plain line above a comparison: what to do, for somebody who reads nothing else."""

from typing import TYPE_CHECKING

from steelyard.display.text import join_names, show_name
from steelyard.results.comparison.words import (
    Standing,
    are_twins,
    find_standing,
    is_level,
    rank_systems,
)
from steelyard.results.measured import say_number

if TYPE_CHECKING:
    from steelyard.results.comparison import Comparison

__all__ = ["comparison_headline"]

MOST_NAMED = 2


def comparison_headline(comparison: "Comparison") -> str:
    """Say which system to ship, or that none can be chosen yet, by the verdicts alone."""
    ranked = rank_systems(comparison)
    if len(ranked) < 2 or not comparison.pairs:
        return ""
    leader, standing = ranked[0].system, find_standing(comparison, ranked)
    if standing.undecided:
        return _tied(comparison, leader, standing)
    if standing.same:
        return _alike(comparison, leader, standing)
    if not standing.beaten:
        return ""
    others = show_name(standing.beaten[0])
    if len(standing.beaten) > 1:
        others = f"the {say_number(len(standing.beaten))} others"
    return f"Ship {show_name(leader)}: it is better than {others}."


def _tied(comparison: "Comparison", leader: str, standing: Standing) -> str:
    together = [leader, *standing.undecided]
    names = join_names(together, most=MOST_NAMED, room=60)
    if are_twins(comparison, leader, standing.undecided):
        return f"No reason to choose: {names} are right on exactly the same items."
    none = "Ship neither yet" if len(comparison.systems) == 2 else "Ship none yet"
    if len(together) == 2:
        return f"{none}: {names} are tied."
    if is_level(comparison, together):
        return f"{none}: {say_number(len(together))} are tied."
    others = say_number(len(standing.undecided))
    return f"{none}: {show_name(leader)} is not told apart from {others} others."


def _alike(comparison: "Comparison", leader: str, standing: Standing) -> str:
    together = [leader, *standing.same]
    within = "" if comparison.margin is None else f" within {comparison.margin:g}"
    names = join_names(together, most=MOST_NAMED, room=60)
    if len(together) == 2:
        return f"Ship either: {names} count as the same{within}."
    return f"Ship any of {say_number(len(together))}: {names} count as the same{within}."

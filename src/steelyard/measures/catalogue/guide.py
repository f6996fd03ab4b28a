"""Which measures fit a problem, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from steelyard.display.numbers import show_percent
from steelyard.display.text import show_name

__all__ = ["Problem", "guide_for"]

COMMON = 0.7
"""From this share of one class on, accuracy mostly repeats the mixture of classes."""

RARE = 0.1
EVEN = 1.5
"""Classes are called about equally common while the largest is at most so many times the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What is known of a problem: what systems hold, how common the classes are, what is positive.

    ``shares`` are those of the true classes, empty when unknown; ``positive_share`` is that of the
    positive class among scored items.
    """

    holds: frozenset[str]
    shares: Mapping[str, float] = field(default_factory=dict)
    positive: str | None = None
    positive_share: float | None = None
    costs: bool = False


def guide_for(problem: Problem) -> tuple[str, ...]:
    """Say in a few sentences which measures to look at for this problem, and why.

    No single measure fits every use; the whole confusion table (recall, precision, specificity,
    accuracy) is the place to start when nothing is known of the mixture of classes, and the area
    under the ROC curve when systems give scores [1]_.

    Parameters
    ----------
    problem : Problem
        What is known.

    References
    ----------
    .. [1] Misir, Mitra & Samanta, A Study on Benchmarking Parameters for Intelligent Systems,
       section IX.

    Examples
    --------
    >>> problem = Problem(holds=frozenset({"called"}), shares={"ill": 0.01, "well": 0.99})
    >>> print(guide_for(problem)[0])
    well makes up 99.0% of the items, so accuracy says little: look at recall and precision of \
each class, balanced accuracy and MCC.
    """
    said: list[str] = []
    if problem.holds & {"called", "vector"} or (problem.shares and "score" in problem.holds):
        said += _of_classes(problem)
    if "score" in problem.holds:
        said += _of_scores(problem)
    if "vector" in problem.holds:
        said.append(
            "Systems give a number per class: the Brier and log scores reward honest "
            "probabilities, the spherical score honest proportions (`steelyard calibration`); "
            "accuracy sees only the largest."
        )
    if problem.holds == {"outcome"}:
        said.append(
            "Only right or wrong is known, so accuracy is all there is; with true and called "
            "classes the kinds of mistakes could be told apart."
        )
    if said and problem.costs:
        said.append("Costs are given, so the expected cost decides; the rest explains it.")
    return tuple(said)


def _of_classes(problem: Problem) -> list[str]:
    shares = {name: share for name, share in problem.shares.items() if share > 0}
    if len(shares) < 2:
        return []
    largest = max(shares, key=shares.__getitem__)
    if shares[largest] >= COMMON:
        return [
            f"{_class_name(largest)} makes up {show_percent(shares[largest])} of the items, so "
            "accuracy says little: look at recall and precision of each class, balanced accuracy "
            "and MCC."
        ]
    if shares[largest] * len(shares) > EVEN:
        return [
            "Classes are not equally common: accuracy follows the common ones, macro averages and "
            "balanced accuracy count every class the same; say which one you mean."
        ]
    if len(shares) > 2:
        return [
            "Classes are about equally common, so accuracy is a fair summary; the confusions show "
            "where it is lost."
        ]
    return [
        "Both classes are about equally common, so accuracy is a fair summary; recall and "
        "precision show which mistake is made, and their costs decide which one matters."
    ]


def _of_scores(problem: Problem) -> list[str]:
    said = [
        "Systems give scores: AUC judges the ranking over all thresholds; before use, choose a "
        "threshold by what the two mistakes cost (`steelyard threshold`, `steelyard roc`)."
    ]
    share = problem.positive_share
    if share is not None and 0 < share <= RARE:
        said.append(
            f"Positives are rare ({show_percent(share)}): a high AUC can go with few true alarms, "
            "so look at precision, lift and captured share at the number you can act on "
            "(`steelyard targeting`)."
        )
    return said


def _class_name(name: str) -> str:
    return f"Class {name}" if name.isdecimal() else show_name(name)

"""The small print of a comparison: how its verdicts were found."""

from typing import TYPE_CHECKING

from steelyard.display.numbers import show_probability
from steelyard.results.comparison_words import said_alike

if TYPE_CHECKING:
    from steelyard.results.comparison import Comparison

__all__ = ["decided_lines"]

AKAIKE = (
    "ΔAIC, shown where there is room, is the AIC of one common rate minus that of two: above 1 "
    "different, below -1 same, each pair taken alone."
)


ALIKE = (
    "P(best) takes nothing for known beforehand; the column beside it takes the systems for alike, "
    "with a spread between them that is learned from them (half-Cauchy, scale the sampling error)."
)
ALONE = "Each interval speaks of its own system or pair alone; adj. p holds for all pairs together."
AREAS = (
    "ΔAIC and expected loss are not defined for AUC: there is no likelihood of an area to weigh, "
    "and no item on which a wrong choice would cost a right answer."
)


BELIEF = (
    "That is a probability and no error rate: of pairs on common items that differ by just the "
    'margin, up to 9% are called the same at 0.95. A gate that requires "same within" holds its '
    "alpha."
)
"""Worst cell of the certificate of P(equivalent); what to take instead."""


def _margin_lines(comparison: "Comparison") -> list[str]:
    """Say when pairs count as the same, and what that does not promise."""
    if comparison.margin is None:
        return []
    rule = (
        f"Pairs count as the same when they differ by less than {comparison.margin:g} with "
        f"probability {comparison.level:g} or more."
    )
    called = any(pair.verdict == "same" for pair in comparison.pairs)
    return [rule, BELIEF] if called else [rule]


def decided_lines(comparison: "Comparison") -> list[str]:
    """Say by which rule pairs were called different or the same."""
    rule = "" if comparison.by_akaike else f", alpha {comparison.alpha:g}"
    method = f"Verdicts by {comparison.primary}{rule}."
    if comparison.monte_carlo_error is not None:
        error = show_probability(comparison.monte_carlo_error)
        method += f" Probabilities carry a simulation error of {error}."
    lines = [method]
    if said_alike(comparison):
        lines.append(ALIKE)
    if len(comparison.pairs) > 1 and any(pair.adjusted_p is not None for pair in comparison.pairs):
        lines.append(ALONE)
    lines += _margin_lines(comparison)
    if any(pair.aic_difference is not None for pair in comparison.pairs):
        lines.append(AKAIKE)
    if comparison.measure == "auc":
        lines.append(AREAS)
    if comparison.slices:
        lines.append(
            "Verdicts within slices are adjusted over all slices and pairs by Shaffer's procedure; "
            "those over all items are a family of their own."
        )
    return lines

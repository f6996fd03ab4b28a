"""How large a difference must be before the Akaike criterion sees it: curves over the counts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from steelyard.comparison.akaike.criterion import (
    AkaikeComparison,
    AkaikeVerdict,
    akaike_common,
    akaike_incomplete,
    akaike_independent,
)
from steelyard.counts import PairTable
from steelyard.errors import CountsError, RequestError

__all__ = ["CurveDesign", "CurvePoint", "discrimination_curve", "overlap_curve"]

CurveDesign: TypeAlias = Literal[
    "independent", "incomplete", "complete-largest-overlap", "complete-smallest-overlap"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePoint:
    """One count of the second system, with the overlap where the design has one."""

    second_right: int
    both: int | None
    difference: float
    verdict: AkaikeVerdict


def discrimination_curve(
    tested: int, first_right: int, *, design: CurveDesign = "independent"
) -> tuple[CurvePoint, ...]:
    """Difference of AIC for every number of right answers of the second system.

    ``independent`` and ``incomplete`` are the two curves of the paper's figures 1 and 2; the two
    ``complete`` designs, with the most and the fewest items that both systems can have had right,
    are those of figure 3. The paper's captions have the symbols of the incomplete and the complete
    case exchanged: figures 1 and 2 show aic(3) of its section 2.4.2, figures 3 and 4 aic(2).

    Notes
    -----
    The curves are read best as two numbers each: the counts between which the verdict is
    ``same``, and those beyond which it is ``different``. A design that sees a small difference
    sooner need not see a large one sooner: far from the first count independent sets separate
    better than common items without overlap.

    References
    ----------
    .. [1] Ozeki, Performance comparison of recognition systems based on the Akaike information
       criterion, section 3. The criterion: Akaike (1974), doi:10.1109/TAC.1974.1100705.

    Examples
    --------
    >>> curve = discrimination_curve(200, 190)
    >>> same = [point.second_right for point in curve if point.verdict == "same"]
    >>> min(same), max(same)
    (186, 193)
    """
    if design not in DESIGNS:
        raise RequestError.for_choice(name="design", given=design, choices=get_args(CurveDesign))
    points = []
    for second_right in range(tested + 1):
        comparison, both = DESIGNS[design](tested, first_right, second_right)
        points.append(_point(second_right, both, comparison))
    return tuple(points)


def overlap_curve(tested: int, first_right: int, *, second_right: int) -> tuple[CurvePoint, ...]:
    """Difference of AIC on common items for every possible number of items both had right.

    The paper's figure 4: with the same two rates the verdict may be anything, so the overlap is
    worth counting.

    Notes
    -----
    The paper reads the verdicts off the sign of the difference; the rule of 1 is stricter.

    References
    ----------
    .. [1] Ozeki, Performance comparison of recognition systems based on the Akaike information
       criterion, section 3.2. The criterion: Akaike (1974), doi:10.1109/TAC.1974.1100705.

    Examples
    --------
    >>> curve = overlap_curve(200, 190, second_right=194)
    >>> [(point.both, round(point.difference, 3)) for point in curve if point.both in (184, 189)]
    [(184, -0.989), (189, 0.911)]
    """
    if not (0 <= first_right <= tested and 0 <= second_right <= tested and tested >= 1):
        message = (
            f"{first_right} and {second_right} right of {tested} tested; "
            "need 0 <= right <= tested, tested >= 1."
        )
        raise CountsError(message, code="more-right-than-tested")
    return tuple(
        _point(second_right, both, akaike_common(_table(tested, first_right, second_right, both)))
        for both in range(
            max(0, first_right + second_right - tested), min(first_right, second_right) + 1
        )
    )


def _point(second_right: int, both: int | None, comparison: AkaikeComparison) -> CurvePoint:
    return CurvePoint(
        second_right=second_right,
        both=both,
        difference=comparison.difference,
        verdict=comparison.verdict,
    )


def _table(tested: int, first: int, second: int, both: int) -> PairTable:
    neither = tested - first - second + both
    return PairTable(both=both, first=first - both, second=second - both, neither=neither)


Answer = tuple[AkaikeComparison, int | None]


def _independent(tested: int, first: int, second: int) -> Answer:
    return akaike_independent((first, tested), (second, tested)), None


def _incomplete(tested: int, first: int, second: int) -> Answer:
    return akaike_incomplete(first, second, tested=tested), None


def _largest_overlap(tested: int, first: int, second: int) -> Answer:
    both = min(first, second)
    return akaike_common(_table(tested, first, second, both)), both


def _smallest_overlap(tested: int, first: int, second: int) -> Answer:
    both = max(0, first + second - tested)
    return akaike_common(_table(tested, first, second, both)), both


DESIGNS: dict[str, Callable[[int, int, int], Answer]] = {
    "independent": _independent,
    "incomplete": _incomplete,
    "complete-largest-overlap": _largest_overlap,
    "complete-smallest-overlap": _smallest_overlap,
}

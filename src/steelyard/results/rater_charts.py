"""The pictures of agreement between raters."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.figures import Chart, agreement_chart, interval_chart

if TYPE_CHECKING:
    from steelyard.results.rater_agreement import Agreement

__all__ = ["rater_charts"]


def rater_charts(agreement: "Agreement") -> dict[str, Callable[[], Chart]]:
    """Name what can be drawn: the matrix first where there is one."""
    known: dict[str, Callable[[], Chart]] = {}
    if len(agreement.raters) > 2 and agreement.pairs:
        known["pairs"] = lambda: _matrix(agreement)
    if agreement.coefficients:
        known["coefficients"] = lambda: _coefficients(agreement)
    return known


def _matrix(agreement: "Agreement") -> Chart:
    return agreement_chart(
        agreement.raters,
        {(pair.first, pair.second): pair.kappa.value for pair in agreement.pairs},
    )


def _coefficients(agreement: "Agreement") -> Chart:
    rows = [
        (
            one.measure,
            one.value,
            None if one.interval is None else one.interval.low,
            None if one.interval is None else one.interval.high,
        )
        for one in agreement.coefficients
    ]
    return interval_chart(rows, measure="agreement", title="Agreement of the raters")

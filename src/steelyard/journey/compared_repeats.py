"""Right and wrong answers weighed on these very items, each asked more than once."""

from math import exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable, RequestError, switch
from steelyard.journey.comparison_question import Question, Weighed, couples
from steelyard.measures import ESTIMANDS, Estimand
from steelyard.results import ComparedPair, Estimate, Interval
from steelyard.uncertainty import shaffer_static

__all__ = ["REPEATED", "answers_spread", "checked_estimand", "weigh_repeats"]

REPEATED = "normal theory over the answers to these very items, Shaffer-adjusted"
METHOD = "within-items"
DRAWS = 20_000
Floats = NDArray[np.float64]


def checked_estimand(given: str | None) -> Estimand:
    """Check whom the numbers are to speak of; items like these unless said."""
    if given is None:
        return "population"
    if given not in ESTIMANDS:
        raise RequestError.for_choice("estimand", given, tuple(ESTIMANDS))  # noqa: EM101
    return given  # type: ignore[return-value]


def answers_spread(grouped: Grouped[Outcomes]) -> tuple[Floats, Floats]:
    """Give the rates of all systems, and their covariance over the answers to the same items.

    Items are strata: with n answers to an item and S their covariance within it, the covariance
    of the rates is the sum of n S over items, divided by the square of all answers (Cochran 1977,
    section 5A). Refused where an item was asked once, or no answer ever differs.
    """
    parts = [part for _, part in grouped if part.total]
    if any(part.total < 2 for part in parts):
        message = (
            "estimand='items' asks what another run on these very items would give, and some item "
            "was asked once: one answer does not show how answers vary. Ask each item twice or "
            f"more, or leave it out ({switch('estimand', 'population')})."
        )
        raise NotComparable(message, code="no-repeats")
    names = parts[0].systems
    right = np.array([part.correct() for part in parts], dtype=np.float64)
    size = np.array([part.total for part in parts], dtype=np.float64)
    both = np.array(
        [[[_both(part, a, b) for b in names] for a in names] for part in parts], dtype=np.float64
    )
    shares = right / size[:, None]
    within = both / size[:, None, None] - shares[:, :, None] * shares[:, None, :]
    scaled = within * (size**2 / (size - 1))[:, None, None]
    return right.sum(axis=0) / size.sum(), scaled.sum(axis=0) / size.sum() ** 2


def weigh_repeats(grouped: Grouped[Outcomes], question: Question) -> Weighed:
    """Weigh systems on these very items: only the answers vary, not the items."""
    whole = grouped.merged()
    names = whole.systems
    rates, covariance = answers_spread(grouped)
    z = float(ndtri((1 + question.level) / 2))
    raw, gaps, errors = [], [], []
    for i, j in couples(len(names)):
        error = sqrt(max(0.0, covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]))
        gap = float(rates[i] - rates[j])
        gaps.append(gap)
        errors.append(error)
        raw.append(_p_value(gap, error))
    pairs = []
    adjusted = shaffer_static(raw, systems=len(names))
    for (i, j), gap, error, p, q in zip(
        couples(len(names)), gaps, errors, raw, adjusted, strict=True
    ):
        near = None if question.margin is None else _near(gap, error, question.margin)
        ends = _ends(gap, z * error, question.level, least=-1.0)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=Estimate(
                    measure="difference of accuracy", value=gap, interval=ends, items=whole.total
                ),
                p_value=p,
                adjusted_p=q,
                better=_better(gap, error),
                verdict=question.verdict(q, near),
                table=whole.pair(names[i], names[j]),
                equivalent=near,
            )
        )
    best, loss, simulated = (
        _of_two(gaps[0], errors[0]) if len(names) == 2 else _drawn(rates, covariance, question)
    )
    return Weighed(
        rates=[
            (name, _rate(float(rates[i]), z * sqrt(covariance[i, i]), whole.total, question.level))
            for i, name in enumerate(names)
        ],
        best=best,
        pairs=pairs,
        loss=loss,
        error=simulated,
    )


def _both(part: Outcomes, a: str, b: str) -> int:
    if a == b:
        return part.correct()[part.systems.index(a)]
    return part.pair(a, b).both


def _ends(centre: float, half: float, level: float, *, least: float) -> Interval:
    low, high = max(least, centre - half), min(1.0, centre + half)
    return Interval(low=low, high=high, level=level, method=METHOD)


def _rate(value: float, half: float, items: int, level: float) -> Estimate:
    ends = _ends(value, half, level, least=0.0) if half > 0 else None
    return Estimate(
        measure="accuracy",
        value=value,
        interval=ends,
        items=items,
        reason=None if ends else "its answers to an item never differ",
    )


def _p_value(gap: float, error: float) -> float:
    if error == 0:
        return 1.0 if gap == 0 else 0.0
    return float(2 * ndtr(-abs(gap) / error))


def _better(gap: float, error: float) -> float:
    if error == 0:
        return 0.5 if gap == 0 else float(gap > 0)
    return float(ndtr(gap / error))


def _near(gap: float, error: float, margin: float) -> float:
    if error == 0:
        return float(abs(gap) < margin)
    return float(ndtr((margin - gap) / error) - ndtr((-margin - gap) / error))


def _of_two(gap: float, error: float) -> tuple[list[float], list[float], None]:
    """Chances to be the better one of two, and what choosing each would lose on average."""
    chances = [_better(gap, error), _better(-gap, error)]
    bump = error / sqrt(2 * pi) * exp(-0.5 * (gap / error) ** 2) if error > 0 else 0.0
    losses = [bump - gap * chances[1], bump + gap * chances[0]]
    return chances, [max(0.0, one) for one in losses], None


def _drawn(
    rates: Floats, covariance: Floats, question: Question
) -> tuple[list[float], list[float], float]:
    """Draw rates, and count who leads; systems that tie in a draw share it."""
    drawn = question.rng().multivariate_normal(rates, covariance, DRAWS, method="eigh")
    top = drawn.max(axis=1, keepdims=True)
    leads = drawn >= top - 1e-12
    hits = (leads / leads.sum(axis=1, keepdims=True)).sum(axis=0)
    share = (hits + 0.5 / len(rates)) / (DRAWS + 0.5)
    best = share / share.sum()
    error = float(np.sqrt(best * (1 - best) / DRAWS).max())
    return best.tolist(), (top - drawn).mean(axis=0).tolist(), error

"""Right and wrong answers weighed on exactly these items, each asked more than once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from steelyard import uncertainty
from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable, switch
from steelyard.journey.comparison.question import Question, Weighed, couples
from steelyard.results import ComparedPair, Estimate, Interval

__all__ = [
    "METHOD",
    "REPEATED",
    "RepeatedPair",
    "vary_over_answers",
    "weigh_repeats",
]

REPEATED = (
    "limits, tests and probabilities from gamma weights of the answers to exactly these items, "
    "with one unseen answer; tests Shaffer-adjusted"
)
METHOD = "within-items"
DRAWS = 20_000
"""Standard errors of probabilities are 0.0035 at most."""
Floats = NDArray[np.float64]


def vary_over_answers(grouped: Grouped[Outcomes]) -> tuple[Floats, Floats]:
    """Give the rates of all systems, and their covariance over the answers to the same items.

    Items are strata: with n answers to an item and S their covariance within it, the covariance
    of the rates is the sum of n S over items, divided by the square of all answers (Cochran 1977,
    section 5A). Refused where an item was asked once, or no answer ever differs.
    """
    parts = [part for _, part in _keep_asked_again(grouped)]
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RepeatedPair:
    """Two systems on exactly these items: draws below and above, from which all answers come.

    ``below`` allows for one unseen answer against the first system, ``above`` for one in its
    favour. Interval, p-value and probabilities read the same draws, so they agree.
    """

    gap: float
    below: Floats
    above: Floats

    @classmethod
    def of(cls, grouped: Grouped[Outcomes], first: str, second: str, *, seed: int) -> Self:
        """Draw for one pair; both sides start the same sequence of random numbers."""
        parts = [part.pair(first, second) for _, part in _keep_asked_again(grouped)]
        counts = np.array([[p.first, p.both + p.neither, p.second] for p in parts])
        below = _draw_below(counts, (1.0, 0.0, -1.0), seed)
        above = -_draw_below(counts[:, ::-1], (1.0, 0.0, -1.0), seed)
        gap = float((counts[:, 0] - counts[:, 2]).sum() / counts.sum())
        return cls(gap=gap, below=below, above=above)

    def limits(self, level: float) -> tuple[float, float]:
        """Read the limits of the difference off."""
        return _limits(self.below, self.above, level)

    def p_value(self) -> float:
        """Test that there is no difference, on the side that was seen."""
        size = self.below.size + 1
        against = (1 + int(np.count_nonzero(self.below <= 0))) / size
        in_favour = (1 + int(np.count_nonzero(self.above >= 0))) / size
        return min(1.0, 2 * min(against, in_favour))

    def better(self) -> float:
        """Give the probability that the first is better: between the two sides."""
        size = self.below.size + 1
        above = np.count_nonzero(self.below > 0) + np.count_nonzero(self.above > 0)
        return float((above + 1) / (2 * size))

    def near(self, margin: float) -> float:
        """Give the probability of a difference within the margin, each side read cautiously."""
        outside = np.mean(self.below <= -margin) + np.mean(self.above >= margin)
        return max(0.0, 1 - float(outside))

    def losses(self) -> tuple[float, float]:
        """Say what choosing the first, and what choosing the second, gives up on average."""
        both = np.concatenate([self.below, self.above])
        return float(np.maximum(0, -both).mean()), float(np.maximum(0, both).mean())


def weigh_repeats(grouped: Grouped[Outcomes], question: Question) -> Weighed:
    """Weigh systems on exactly these items: only the answers vary, not the items."""
    whole = grouped.merged()
    names = whole.systems
    rates, covariance = vary_over_answers(grouped)
    found = [
        RepeatedPair.of(grouped, names[i], names[j], seed=question.seed)
        for i, j in couples(len(names))
    ]
    raw = [one.p_value() for one in found]
    adjusted = uncertainty.shaffer_static(raw, systems=len(names))
    pairs = []
    for (i, j), one, p, q in zip(couples(len(names)), found, raw, adjusted, strict=True):
        near = None if question.margin is None else one.near(question.margin)
        low, high = one.limits(question.level)
        ends = Interval(low=low, high=high, level=question.level, method=METHOD)
        pairs.append(
            ComparedPair(
                first=names[i],
                second=names[j],
                difference=Estimate(
                    measure="difference of accuracy",
                    value=one.gap,
                    interval=ends,
                    items=whole.total,
                ),
                p_value=p,
                adjusted_p=q,
                better=one.better(),
                verdict=question.verdict(q, near),
                table=whole.pair(names[i], names[j]),
                equivalent=near,
            )
        )
    best, loss, simulated = (
        ([found[0].better(), 1 - found[0].better()], [*found[0].losses()], None)
        if len(names) == 2
        else _draw(rates, _widen(covariance, found), question)
    )
    shown = [
        (name, _rate(grouped, name, float(rates[i]), question)) for i, name in enumerate(names)
    ]
    return Weighed(rates=[*shown], best=best, pairs=pairs, loss=loss, error=simulated)


def _keep_asked_again(grouped: Grouped[Outcomes]) -> list[tuple[str, Outcomes]]:
    """Leave empty items out, and refuse items that were asked once."""
    parts = [(name, part) for name, part in grouped if part.total]
    if any(part.total < 2 for _, part in parts):
        message = (
            "estimand='items' asks what another run on exactly these items would give, and some "
            "item was asked once: one answer does not show how answers vary. Ask each item twice "
            f"or more, or leave it out ({switch('estimand', 'population')})."
        )
        raise NotComparable(message, code="no-repeats")
    return parts


def _draw_below(counts: NDArray[np.int64], values: tuple[float, ...], seed: int) -> Floats:
    return uncertainty.draw_strata(counts, values, rng=np.random.default_rng(seed), draws=DRAWS)


def _limits(below: Floats, above: Floats, level: float) -> tuple[float, float]:
    place = int((1 - level) / 2 * below.size)
    return float(np.sort(below)[place]), float(np.sort(above)[above.size - 1 - place])


def _rate(grouped: Grouped[Outcomes], name: str, value: float, question: Question) -> Estimate:
    parts = [part for _, part in _keep_asked_again(grouped)]
    right = np.array([part.correct()[part.systems.index(name)] for part in parts])
    wrong = np.array([part.total for part in parts]) - right
    below = _draw_below(np.stack([right, wrong], axis=1), (1.0, 0.0), question.seed)
    above = 1 - _draw_below(np.stack([wrong, right], axis=1), (1.0, 0.0), question.seed)
    low, high = _limits(below, above, question.level)
    ends = Interval(low=low, high=high, level=question.level, method=METHOD)
    items = int(right.sum() + wrong.sum())
    return Estimate(measure="accuracy", value=value, interval=ends, items=items)


def _widen(covariance: Floats, found: Sequence[RepeatedPair]) -> Floats:
    """Add what the pairs allow for unseen answers, so that no rate is without spread."""
    least, most = 0.159, 0.841  # one standard error to each side
    size = len(covariance)
    missing = 0.0
    for (i, j), one in zip(couples(size), found, strict=True):
        spread = (np.quantile(one.above, most) - np.quantile(one.below, least)) / 2
        seen = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        missing = max(missing, float(spread**2 - seen))
    return np.asarray(covariance + np.eye(size) * missing / 2)


def _both(part: Outcomes, a: str, b: str) -> int:
    if a == b:
        return part.correct()[part.systems.index(a)]
    return part.pair(a, b).both


def _draw(
    rates: Floats, covariance: Floats, question: Question
) -> tuple[list[float], list[float], float]:
    """Draw rates, and count who leads; systems that tie in a draw share it."""
    drawn = question.rng().multivariate_normal(rates, covariance, DRAWS, method="eigh")
    top = drawn.max(axis=1, keepdims=True)
    # Equal systems differ by rounding alone, and share a draw.
    leads = drawn >= top - 1e-12
    hits = (leads / leads.sum(axis=1, keepdims=True)).sum(axis=0)
    share = (hits + 0.5 / len(rates)) / (DRAWS + 0.5)
    best = share / share.sum()
    error = float(np.sqrt(best * (1 - best) / DRAWS).max())
    return best.tolist(), (top - drawn).mean(axis=0).tolist(), error

"""How good per-class vectors are: the score of a problem, and the difference of two systems."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from steelyard.counts import SCALE, VectorRule, VectorScores
from steelyard.errors import NotComparable
from steelyard.measures.vectors.contrast import (
    Contrast,
    Mean,
    Weights,
    infinite_loss,
    knows_nothing,
    mean_of_classes,
    no_items_of,
)
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.results.shortfalls import shortfall
from steelyard.uncertainty import wilson_interval

__all__ = ["vector_difference", "vector_score"]

MANY = 100
TOO_FEW = Caveat(
    "no interval: a class that counts, or the whole, has fewer than 2 items", code="no-interval"
)
ALIKE = Caveat(
    "no interval: all items scored alike, so their spread cannot be judged", code="no-interval"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Items with the sums of a score and of its square, times SCALE, and what a square is off."""

    items: int
    scaled: int
    scaled_squares: int
    grain: float

    @property
    def total(self) -> float:
        """Sum of the score."""
        return self.scaled / SCALE

    @property
    def squares(self) -> float:
        """Sum of its square."""
        return self.scaled_squares / SCALE

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.scaled / (SCALE * self.items)

    @property
    def variance(self) -> float:
        """Sample variance; 0 when it is below what the stored sums can tell."""
        whole = self.items * self.scaled_squares * SCALE - self.scaled * self.scaled
        spread = whole / (self.items * SCALE * SCALE)
        return spread / (self.items - 1) if spread > self.items * self.grain else 0.0

    def estimate(self) -> Mean:
        """Give the mean, with its variance where there are items enough to tell."""
        if self.items < 2:
            return Mean(value=self.mean)
        return Mean(value=self.mean, variance=self.variance / self.items, freedom=self.items - 1.0)


def vector_score(
    scores: VectorScores,
    rule: VectorRule,
    system: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Score of one system on one problem: :math:`S=\sum_c w_c \bar s_c`.

    :math:`\bar s_c` is the mean item score over the items of class c (see
    :class:`~steelyard.counts.VectorScores` for the rules). Larger is better for ``spherical`` and
    ``winner``, smaller for ``brier`` and ``log``.

    Parameters
    ----------
    scores : VectorScores
        Sums of item scores by class.
    rule : {"spherical", "winner", "brier", "log"}
        How one vector is scored.
    system : str
        Whose vectors.
    class_weights : mapping, optional
        One weight for each class, 0 or more, adding up to 1. By default :math:`w_c=n_c/n`, the
        plain mean over items.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Returns
    -------
    Estimate
        The plain mean has Student's interval; given weights, the classes are strata and
        :math:`\sum w_c^2 s_c^2/n_c` is the variance, with Satterthwaite's degrees of freedom
        [2]_. None with a reason when a weighted class has no items or a log score is infinite.

    Notes
    -----
    ``spherical`` is the MeasTex score [1]_, a proper rule: reporting the true probabilities is
    best on average. Under class weights that are not in proportion to the class sizes it is not:
    the best report is then in proportion to :math:`p_c w_c/n_c`.

    References
    ----------
    .. [1] Smith & Burns (1997), Measuring texture classification algorithms, Pattern Recognition
       Letters 18, 1495-1501.
    .. [2] Satterthwaite (1946), Biometrics Bulletin 2, 110-114, doi:10.2307/3002019.

    Examples
    --------
    >>> scores = VectorScores.from_sums(
    ...     systems=["A"], items={"x": 2, "y": 2},
    ...     sums={("winner", "A", "x"): 2 * SCALE, ("winner", "A", "y"): SCALE},
    ...     products={("winner", "A", "A", "x"): 2 * SCALE, ("winner", "A", "A", "y"): SCALE})
    >>> vector_score(scores, "winner", "A").value
    0.75
    """
    asked = Contrast.of(rule, system, class_weights=class_weights, level=level)
    return _estimate(scores, asked, measure=f"{rule} score")


def vector_difference(
    scores: VectorScores,
    rule: VectorRule,
    first: str,
    second: str,
    *,
    class_weights: Mapping[str, float] | None = None,
    level: float = 0.95,
) -> Estimate:
    r"""Score of the first system minus the second on the same items.

    The item differences :math:`d_i=s_i-t_i` have the sum of squares
    :math:`\sum s^2-2\sum st+\sum t^2`, so pairing is used in full; otherwise as
    :func:`vector_score`.

    Parameters
    ----------
    scores : VectorScores
        Sums of item scores by class and of their products between systems.
    rule : {"spherical", "winner", "brier", "log"}
        How one vector is scored; for ``brier`` and ``log`` a negative difference favours the first.
    first, second : str
        The two systems.
    class_weights : mapping, optional
        As in :func:`vector_score`.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    When every item difference is the same, its spread cannot be judged and there is no interval.

    References
    ----------
    .. [1] Smith & Burns (1997), Measuring texture classification algorithms, Pattern Recognition
       Letters 18, 1495-1501.

    Examples
    --------
    >>> sums = {("winner", "A", "x"): 2 * SCALE, ("winner", "B", "x"): SCALE}
    >>> products = {("winner", "A", "A", "x"): 2 * SCALE, ("winner", "A", "B", "x"): SCALE,
    ...             ("winner", "B", "B", "x"): SCALE}
    >>> scores = VectorScores.from_sums(
    ...     systems=["A", "B"], items={"x": 4}, sums=sums, products=products)
    >>> vector_difference(scores, "winner", "A", "B").value
    0.25
    """
    asked = Contrast.of(rule, first, second, class_weights=class_weights, level=level)
    return _estimate(scores, asked, measure=f"{rule} score difference")


def _estimate(scores: VectorScores, asked: Contrast, *, measure: str) -> Estimate:
    asked.check(scores.systems, scores.classes)
    reason = _say_undefined(scores, asked)
    if reason:
        return Estimate(measure=measure, value=None, reason=reason, items=scores.total)
    moments = _moments(scores, asked)
    mean = _mean_of_classes(moments, asked.class_weights)
    plain = _right_or_wrong(moments, asked)
    interval, doubts = (plain, ()) if plain else _student(mean, asked, scores.total)
    caveats = asked.favours or _rule_caveats(scores, asked)
    return Estimate(
        measure=measure,
        value=mean.value,
        interval=interval,
        standard_error=sqrt(mean.variance) if mean.variance else None,
        items=scores.total,
        caveats=(*caveats, *doubts),
    )


def _say_undefined(scores: VectorScores, asked: Contrast) -> str | None:
    """Say why a sensible question has no answer."""
    if scores.total == 0:
        return "the table holds no items"
    systems = {system for system, _ in asked.signs}
    infinite = [(s, c, n) for s, c, n in scores.infinite if s in systems and n]
    if asked.rule == "log" and infinite:
        return infinite_loss(*infinite[0])
    weights = asked.class_weights or {}
    for name, number in scores.items:
        if weights.get(name, 0) > 0 and number == 0:
            return no_items_of(name, weights[name])
    return None


def _moments(scores: VectorScores, asked: Contrast) -> dict[str, Moments]:
    """Add up the combined item score by class, for classes that have items."""
    rule, contrast = asked.rule, asked.signs
    sums = {(s, c): n for r, s, c, n in scores.sums if r == rule}
    products = {(s, t, c): n for r, s, t, c, n in scores.products if r == rule}
    products |= {(t, s, c): n for (s, t, c), n in products.items()}
    grain = sum(abs(sign) for _, sign in contrast) ** 2 / SCALE
    try:
        return {
            name: Moments(
                items=items,
                scaled=sum(a * sums[s, name] for s, a in contrast),
                scaled_squares=sum(
                    a * b * products[s, t, name] for s, a in contrast for t, b in contrast
                ),
                grain=grain,
            )
            for name, items in scores.items
            if items
        }
    except KeyError as missing:
        message = f"These counts hold no sum for {rule} and {missing}. Tally this rule as well."
        raise NotComparable(message, code="sums-missing") from None


def _mean_of_classes(moments: Mapping[str, Moments], weights: Weights | None) -> Mean:
    if weights is not None:
        return mean_of_classes(
            [(weights[name], m.estimate()) for name, m in moments.items() if weights[name] > 0]
        )
    parts = moments.values()
    pooled = Moments(
        items=sum(m.items for m in parts),
        scaled=sum(m.scaled for m in parts),
        scaled_squares=sum(m.scaled_squares for m in parts),
        grain=max(m.grain for m in parts),
    )
    return pooled.estimate()


def _student(mean: Mean, asked: Contrast, items: int) -> tuple[Interval | None, tuple[str, ...]]:
    if mean.variance is None:
        return None, (TOO_FEW,)
    if mean.variance == 0:
        return None, (ALIKE,)
    ends = asked.interval(mean.value, mean.variance, mean.freedom, "student-t")
    if items < MANY:
        return ends, (shortfall("rare-items", items=items),)
    return ends, asked.rare_items(mean.value, ends, items)


def _right_or_wrong(moments: Mapping[str, Moments], asked: Contrast) -> Interval | None:
    """Wilson's interval when the score is a plain share of items that were right."""
    if not asked.counts_right:
        return None
    won, part = divmod(sum(m.scaled for m in moments.values()), SCALE)
    if won * SCALE != sum(m.scaled_squares for m in moments.values()) or part:
        return None
    items = sum(m.items for m in moments.values())
    low, high = wilson_interval(won, items, level=asked.level)
    return Interval(low=low, high=high, level=asked.level, method="wilson")


def _rule_caveats(scores: VectorScores, asked: Contrast) -> tuple[str, ...]:
    rule, weights = asked.rule, asked.class_weights
    if len(asked.signs) > 1:
        return ()
    caveats = (knows_nothing(rule, len(scores.classes)),)
    if weights is None or rule == "winner":
        return caveats
    sizes = {name: count / scores.total for name, count in scores.items}
    # Weights that are the shares of the items themselves, as they were divided.
    if all(abs(weights[name] - size) <= 1e-12 for name, size in sizes.items()):
        return caveats
    return (
        *caveats,
        "class weights are not in proportion to the class sizes, so reporting true probabilities "
        "is not the best strategy under this score",
    )

"""How good per-class vectors are: the score of a problem, and the difference of two systems."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, log, sqrt

from scipy.special import stdtrit

from steelyard.counts import SCALE, VECTOR_RULES, VectorRule, VectorScores
from steelyard.display.numbers import show_number
from steelyard.errors import CountsError, NotComparable, RequestError, listing
from steelyard.results.estimates import Estimate, Interval
from steelyard.uncertainty import normal_quantile, wilson_interval

__all__ = [
    "LARGEST_SCORES",
    "LOSSES",
    "UNIFORM_SCORES",
    "Mean",
    "Weights",
    "check_class_weights",
    "infinite_loss",
    "knows_nothing",
    "vector_difference",
    "vector_score",
]

UNIFORM_SCORES: dict[VectorRule, Callable[[int], float]] = {
    "spherical": lambda classes: 1 / sqrt(classes),
    "winner": lambda classes: 1 / classes,
    "brier": lambda classes: 1 - 1 / classes,
    "log": lambda classes: log(classes),
}
"""What a vector of equal numbers scores under each rule, by the number of classes."""

Weights = Mapping[str, float]

LARGEST_SCORES: dict[VectorRule, float] = {
    "spherical": 1.0,
    "winner": 1.0,
    "brier": 2.0,
    "log": inf,
}
LOSSES: frozenset[VectorRule] = frozenset({"brier", "log"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Whose score is asked for: a sum of systems, each with its sign, under one rule."""

    rule: VectorRule
    contrast: tuple[tuple[str, int], ...]
    weights: Weights | None
    level: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Lowest and highest value that is possible."""
        largest = LARGEST_SCORES[self.rule]
        return (0.0 if len(self.contrast) == 1 else -largest), largest


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Items with the sum of a score and of its square; ``grain`` is what a square may be off."""

    items: int
    total: float
    squares: float
    grain: float

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.total / self.items

    @property
    def variance(self) -> float:
        """Sample variance; 0 when it is below what the stored sums can tell."""
        spread = self.squares - self.total * self.total / self.items
        return spread / (self.items - 1) if spread > self.items * self.grain else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A weighted mean; ``variance`` is None when there are too few items to tell."""

    value: float
    variance: float | None = None
    freedom: float = 0.0


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
    question = Question(rule=rule, contrast=((system, 1),), weights=class_weights, level=level)
    reason = _undefined(scores, question)
    caveats = () if reason else _rule_caveats(scores, question)
    return _estimate(scores, question, measure=f"{rule} score", reason=reason, caveats=caveats)


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
    question = Question(
        rule=rule, contrast=((first, 1), (second, -1)), weights=class_weights, level=level
    )
    reason = _undefined(scores, question)
    lower = (f"a lower {rule} score is better, so below 0 favours {first}",)
    caveats = lower if rule in LOSSES and not reason else ()
    measure = f"{rule} score difference"
    return _estimate(scores, question, measure=measure, reason=reason, caveats=caveats)


def _estimate(
    scores: VectorScores,
    question: Question,
    *,
    measure: str,
    reason: str | None,
    caveats: tuple[str, ...],
) -> Estimate:
    if reason:
        return Estimate(measure=measure, value=None, reason=reason, items=scores.total)
    moments = _moments(scores, question)
    mean = _weighted_mean(moments, question.weights)
    plain = _right_or_wrong(moments, question)
    interval, doubts = (plain, ()) if plain else _student(mean, question)
    return Estimate(
        measure=measure,
        value=mean.value,
        interval=interval,
        standard_error=sqrt(mean.variance) if mean.variance else None,
        items=scores.total,
        caveats=(*caveats, *doubts),
    )


def _undefined(scores: VectorScores, question: Question) -> str | None:
    """Refuse what makes no sense, and say why a sensible question has no answer."""
    _check_question(scores, question)
    if scores.total == 0:
        return "the table holds no items"
    systems = {system for system, _ in question.contrast}
    infinite = [(s, c, n) for s, c, n in scores.infinite if s in systems and n]
    if question.rule == "log" and infinite:
        return infinite_loss(*infinite[0])
    weights = question.weights or {}
    for name, number in scores.items:
        if weights.get(name, 0) > 0 and number == 0:
            return f"no item is truly {name!r}, but the class has weight {weights[name]:g}"
    return None


def infinite_loss(system: str, name: str, number: int) -> str:
    """Say why there is no log score."""
    items = "item" if number == 1 else "items"
    return f"{system} gave the true class {name!r} no chance on {number} {items}: infinite loss"


def knows_nothing(rule: VectorRule, classes: int) -> str:
    """Say what a vector of equal numbers scores under a rule."""
    uniform = show_number(UNIFORM_SCORES[rule](classes))
    lower = "; lower is better" if rule in LOSSES else ""
    return f"a vector of equal numbers, which knows nothing, scores {uniform} here{lower}"


def _check_question(scores: VectorScores, question: Question) -> None:
    normal_quantile(question.level)
    if question.rule not in VECTOR_RULES:
        raise RequestError.for_choice(name="rule", given=question.rule, choices=VECTOR_RULES)
    for system, _ in question.contrast:
        if system not in scores.systems:
            message = f"No system {system!r} here. Systems: {listing(scores.systems)}."
            raise CountsError(message, code="system-unknown")
    if question.weights is not None:
        check_class_weights(scores.classes, question.weights)


def check_class_weights(classes: tuple[str, ...], weights: Weights) -> None:
    """Refuse weights that do not name every class, or do not add up to 1."""
    if set(weights) != set(classes):
        message = (
            f"class_weights name {listing(sorted(weights))}; expected one weight for each of: "
            f"{listing(classes)}."
        )
        raise RequestError(message)
    total = sum(weights.values())
    if any(not weight >= 0 for weight in weights.values()) or abs(total - 1) > 1e-9:
        message = f"class_weights must be 0 or more and add up to 1; they add up to {total!r}."
        raise RequestError(message)


def _moments(scores: VectorScores, question: Question) -> dict[str, Moments]:
    """Add up the combined item score by class, for classes that have items."""
    rule, contrast = question.rule, question.contrast
    sums = {(s, c): n for r, s, c, n in scores.sums if r == rule}
    products = {(s, t, c): n for r, s, t, c, n in scores.products if r == rule}
    products |= {(t, s, c): n for (s, t, c), n in products.items()}
    grain = sum(abs(sign) for _, sign in contrast) ** 2 / SCALE
    try:
        return {
            name: Moments(
                items=items,
                total=sum(a * sums[s, name] for s, a in contrast) / SCALE,
                squares=sum(a * b * products[s, t, name] for s, a in contrast for t, b in contrast)
                / SCALE,
                grain=grain,
            )
            for name, items in scores.items
            if items
        }
    except KeyError as missing:
        message = f"These counts hold no sum for {rule} and {missing}. Tally this rule as well."
        raise NotComparable(message, code="sums-missing") from None


def _weighted_mean(moments: Mapping[str, Moments], weights: Weights | None) -> Mean:
    if weights is None:
        parts = moments.values()
        pooled = Moments(
            items=sum(m.items for m in parts),
            total=sum(m.total for m in parts),
            squares=sum(m.squares for m in parts),
            grain=max(m.grain for m in parts),
        )
        if pooled.items < 2:
            return Mean(value=pooled.mean)
        variance = pooled.variance / pooled.items
        return Mean(value=pooled.mean, variance=variance, freedom=pooled.items - 1.0)
    used = [(weights[name], m) for name, m in moments.items() if weights[name] > 0]
    value = sum(weight * m.mean for weight, m in used)
    if any(m.items < 2 for _, m in used):
        return Mean(value=value)
    shares = [(weight**2 * m.variance / m.items, m.items - 1) for weight, m in used]
    variance = sum(share for share, _ in shares)
    if variance == 0:
        return Mean(value=value, variance=0.0)
    freedom = variance**2 / sum(share**2 / left for share, left in shares)
    return Mean(value=value, variance=variance, freedom=freedom)


def _student(mean: Mean, question: Question) -> tuple[Interval | None, tuple[str, ...]]:
    if mean.variance is None:
        return None, ("no interval: a class that counts, or the whole, has fewer than 2 items",)
    if mean.variance == 0:
        return None, ("no interval: all items scored alike, so their spread cannot be judged",)
    half = -float(stdtrit(mean.freedom, (1 - question.level) / 2)) * sqrt(mean.variance)
    lowest, highest = question.bounds
    low, high = max(lowest, mean.value - half), min(highest, mean.value + half)
    return Interval(low=low, high=high, level=question.level, method="student-t"), ()


def _right_or_wrong(moments: Mapping[str, Moments], question: Question) -> Interval | None:
    """Wilson's interval when the score is a plain share of items that were right."""
    if question.rule != "winner" or len(question.contrast) > 1 or question.weights is not None:
        return None
    won = sum(m.total for m in moments.values())
    if won != sum(m.squares for m in moments.values()) or won != int(won):
        return None
    items = sum(m.items for m in moments.values())
    low, high = wilson_interval(int(won), items, level=question.level)
    return Interval(low=low, high=high, level=question.level, method="wilson")


def _rule_caveats(scores: VectorScores, question: Question) -> tuple[str, ...]:
    rule, weights = question.rule, question.weights
    caveats = (knows_nothing(rule, len(scores.classes)),)
    if weights is None or rule == "winner":
        return caveats
    sizes = {name: count / scores.total for name, count in scores.items}
    if all(abs(weights[name] - size) <= 1e-12 for name, size in sizes.items()):
        return caveats
    return (
        *caveats,
        "class weights are not in proportion to the class sizes, so reporting true probabilities "
        "is not the best strategy under this score",
    )

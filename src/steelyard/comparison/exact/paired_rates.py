"""Two detectors on the same items: sensitivity, specificity and predictive values."""

from dataclasses import dataclass
from math import erfc, sqrt
from typing import Literal, TypeAlias

from steelyard.comparison.exact.paired import McNemar, McNemarMethod, mcnemar
from steelyard.counts import JointCalls, PairTable
from steelyard.counts.columns import place_of
from steelyard.errors import CountsError, NotComparable

__all__ = [
    "PairedDetection",
    "PredictiveComparison",
    "PredictiveValue",
    "paired_detection",
    "predictive_values",
]

PredictiveValue: TypeAlias = Literal["positive", "negative"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDetection:
    """Right answers of two systems on the positive items and on the negative ones.

    A rate is None, and its test too, when there is no item of that kind.
    """

    first: str
    second: str
    positives: PairTable
    negatives: PairTable
    sensitivity: tuple[float, float] | None
    specificity: tuple[float, float] | None
    sensitivity_test: McNemar | None
    specificity_test: McNemar | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictiveComparison:
    """Predictive values of two systems and the test that they are equal.

    ``statistic`` is None, and ``p_value`` 1, when nothing tells the two apart.
    """

    value: PredictiveValue
    first: float
    second: float
    statistic: float | None
    p_value: float


def paired_detection(
    joint: JointCalls, first: str, second: str, *, positive: str, method: McNemarMethod = "mid-p"
) -> PairedDetection:
    """Compare sensitivities and specificities of two systems on the same items.

    The true class is fixed, so McNemar's test applies within the positive items (sensitivity) and
    within the negative ones (specificity). Calls other than ``positive`` count as negative.

    Notes
    -----
    Two questions: at level alpha each, the chance of a false alarm in either is up to twice alpha.
    A system that is better in one and worse in the other has another threshold, and may be no
    better: look at the ROC curves.

    References
    ----------
    .. [1] McNemar (1947), Psychometrika 12, 153-157, doi:10.1007/BF02295996.

    Examples
    --------
    >>> cells = {("ill", ("ill", "ill")): 473, ("ill", ("ill", "ok")): 29,
    ...          ("ill", ("ok", "ill")): 81, ("ill", ("ok", "ok")): 25,
    ...          ("ok", ("ill", "ill")): 22, ("ok", ("ill", "ok")): 46,
    ...          ("ok", ("ok", "ill")): 44, ("ok", ("ok", "ok")): 151}
    >>> joint = JointCalls.from_cells(cells, systems=["A", "B"])
    >>> answer = paired_detection(joint, "A", "B", positive="ill")
    >>> [round(rate, 4) for rate in answer.sensitivity + answer.specificity]
    [0.8257, 0.9112, 0.7414, 0.749]
    >>> answer.sensitivity_test.p_value < 1e-6, round(answer.specificity_test.p_value, 3)
    (True, 0.834)
    """
    cells = _joint_cells(joint, first, second, positive)
    positives = PairTable(
        both=cells[True, True, True],
        first=cells[True, True, False],
        second=cells[True, False, True],
        neither=cells[True, False, False],
    )
    negatives = PairTable(
        both=cells[False, False, False],
        first=cells[False, False, True],
        second=cells[False, True, False],
        neither=cells[False, True, True],
    )
    return PairedDetection(
        first=first,
        second=second,
        positives=positives,
        negatives=negatives,
        sensitivity=_rates(positives),
        specificity=_rates(negatives),
        sensitivity_test=mcnemar(positives, method=method) if positives.total else None,
        specificity_test=mcnemar(negatives, method=method) if negatives.total else None,
    )


def predictive_values(
    joint: JointCalls, first: str, second: str, *, positive: str, value: PredictiveValue
) -> PredictiveComparison:
    r"""Compare positive or negative predictive values of two systems on the same items.

    Of the :math:`n_1` and :math:`n_2` items the systems call positive, shares
    :math:`\hat p_1, \hat p_2` are; with the pooled share :math:`\bar p` and the sum C over items
    that both call positive of :math:`(y - \bar p)^2`,

    .. math:: T = \frac{(\hat p_1 - \hat p_2)^2}
        {\left[\bar p(1-\bar p) - \frac{2C}{n_1+n_2}\right]\left(\frac1{n_1}+\frac1{n_2}\right)},

    chi-square with 1 degree of freedom: the weighted generalised score statistic. For negative
    predictive values the same with negative calls.

    Notes
    -----
    McNemar's test does not apply, because the denominators are not the same items. Predictive
    values depend on the prevalence in the test set: if that was chosen, they say nothing of use.

    References
    ----------
    .. [1] Kosinski (2013), Statistics in Medicine 32, 964-977, doi:10.1002/sim.5587.
    .. [2] Leisenring, Alonzo & Pepe (2000), Biometrics 56, 345-351,
       doi:10.1111/j.0006-341X.2000.00345.x.

    Examples
    --------
    >>> cells = {("ill", ("ill", "ill")): 473, ("ill", ("ill", "ok")): 29,
    ...          ("ill", ("ok", "ill")): 81, ("ill", ("ok", "ok")): 25,
    ...          ("ok", ("ill", "ill")): 22, ("ok", ("ill", "ok")): 46,
    ...          ("ok", ("ok", "ill")): 44, ("ok", ("ok", "ok")): 151}
    >>> joint = JointCalls.from_cells(cells, systems=["A", "B"])
    >>> answer = predictive_values(joint, "A", "B", positive="ill", value="negative")
    >>> round(answer.first, 4), round(answer.second, 4), round(answer.statistic, 2)
    (0.6478, 0.7849, 22.5)
    """
    called = value == "positive"
    cells = _joint_cells(joint, first, second, positive)
    # Right calls of the kind asked for have a truth that equals the call.
    right = {key[1:]: rows for key, rows in cells.items() if key[0] == called}
    wrong = {key[1:]: rows for key, rows in cells.items() if key[0] != called}
    hits = (_marginal(right, 0, called=called), _marginal(right, 1, called=called))
    misses = (_marginal(wrong, 0, called=called), _marginal(wrong, 1, called=called))
    n1, n2 = hits[0] + misses[0], hits[1] + misses[1]
    if n1 == 0 or n2 == 0:
        message = (
            f"{first} made {n1} and {second} {n2} {value} calls; without such a call there is no "
            f"{value} predictive value to compare."
        )
        raise NotComparable(message)
    every, hit, missed = n1 + n2, sum(hits), sum(misses)
    both = right[called, called] * missed**2 + wrong[called, called] * hit**2
    # Times the cube of all calls the spread is a whole number, and 0 only where nothing varies.
    spread = every * hit * missed - 2 * both
    gap = hits[0] * n2 - hits[1] * n1
    statistic = gap**2 * every**2 / (spread * n1 * n2) if spread > 0 else None
    return PredictiveComparison(
        value=value,
        first=hits[0] / n1,
        second=hits[1] / n2,
        statistic=statistic,
        p_value=1.0 if statistic is None else erfc(sqrt(statistic / 2)),
    )


def _joint_cells(
    joint: JointCalls, first: str, second: str, positive: str
) -> dict[tuple[bool, bool, bool], int]:
    """Items by: truly positive, called positive by the first, by the second."""
    one, two = (place_of(joint.systems, system) for system in (first, second))
    if positive not in joint.classes:
        message = f"No class {positive!r} here. Classes: {', '.join(joint.classes)}."
        raise CountsError(message, code="class-unknown")
    said = (True, False)
    cells = {(truth, a, b): 0 for truth in said for a in said for b in said}
    for truth, calls, rows in joint.cells:
        cells[truth == positive, calls[one] == positive, calls[two] == positive] += rows
    return cells


def _marginal(cells: dict[tuple[bool, bool], int], place: int, *, called: bool) -> int:
    return sum(rows for key, rows in cells.items() if key[place] == called)


def _rates(pair: PairTable) -> tuple[float, float] | None:
    if not pair.total:
        return None
    return (pair.both + pair.first) / pair.total, (pair.both + pair.second) / pair.total

"""What a call changes: likelihood ratios, the odds ratio, predictive values at any prevalence."""

from collections.abc import Callable
from typing import Any

from steelyard.counts import Confusion
from steelyard.display.numbers import show_level, show_number
from steelyard.errors import check_share
from steelyard.measures.catalogue.measure import say_reason
from steelyard.measures.tables.shares import effective_binary, weight_caveats
from steelyard.measures.tables.useless import always_one_class
from steelyard.results.estimates import Caveat, Estimate, Interval
from steelyard.uncertainty import odds_ratio_interval
from steelyard.uncertainty.shares.rate_ratios import ratio_interval_effective

__all__ = [
    "diagnostic_odds_ratio",
    "likelihood_ratio_negative",
    "likelihood_ratio_positive",
    "npv_at",
    "ppv_at",
]

Ends = tuple[float, float | None]
HALF = Caveat(
    "a cell is 0: the limits use a half more in every cell (Haldane's correction)",
    code="about-limits",
)


def likelihood_ratio_positive(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""How much more often a call of the class comes from the class: :math:`TPR/FPR`.

    From 0 up, larger is better, 1 when a call says nothing; the odds of the class before the call,
    times this, are the odds after it. Undefined (infinite) without a false alarm, and without
    items of the class or of the rest.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The positive class.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    Koopman's score interval of the ratio of two independent shares [2]_, which answers a cell of
    0 like any other count; an infinite ratio has a lower limit, which stands in its caveats. The
    usual log interval (:func:`~steelyard.uncertainty.share_ratio_interval`) is far too short with
    few items of the class: 33 % instead of 95 with one or two positives among 300.

    References
    ----------
    .. [1] Simel, Samsa & Matchar (1991), Journal of Clinical Epidemiology 44, 763-770,
       doi:10.1016/0895-4356(91)90128-V.
    .. [2] Koopman (1984), Biometrics 40, 513-517, doi:10.2307/2531405.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(likelihood_ratio_positive(table, of="cat").value, 4)
    8.0
    """
    tp, fp, fn, tn = effective_binary(confusion, of)
    first, second = (tp, tp + fn), (fp, fp + tn)
    return _share_ratio(confusion, "positive likelihood ratio", first, second, of=of, level=level)


def likelihood_ratio_negative(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""How much more often another call comes from the class: :math:`FNR/TNR`.

    From 0 up, smaller is better, 1 when a call says nothing. Undefined (infinite) when every item
    of the rest was called of the class. Parameters and interval as in
    :func:`likelihood_ratio_positive`.

    References
    ----------
    .. [1] Simel, Samsa & Matchar (1991), Journal of Clinical Epidemiology 44, 763-770,
       doi:10.1016/0895-4356(91)90128-V.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(likelihood_ratio_negative(table, of="cat").value, 4)
    0.2222
    """
    tp, fp, fn, tn = effective_binary(confusion, of)
    first, second = (fn, tp + fn), (tn, fp + tn)
    return _share_ratio(confusion, "negative likelihood ratio", first, second, of=of, level=level)


def diagnostic_odds_ratio(confusion: Confusion, *, of: str, level: float = 0.95) -> Estimate:
    r"""Odds of a call of the class among its items over those among the rest.

    :math:`tp\,tn/(fp\,fn)`: from 0 up, larger is better, 1 when calls say nothing; undefined
    (infinite) when a kind of mistake never happened. Woolf's interval on the scale of logarithms,
    with Haldane's correction when a cell is 0. Parameters as in :func:`likelihood_ratio_positive`.

    References
    ----------
    .. [1] Glas, Lijmer, Prins, Bonsel & Bossuyt (2003), Journal of Clinical Epidemiology 56,
       1129-1135, doi:10.1016/S0895-4356(03)00177-X.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(diagnostic_odds_ratio(table, of="cat").value, 4)
    36.0
    """
    tp, fp, fn, tn = cells = effective_binary(confusion, of)
    name = "diagnostic odds ratio"
    ends = odds_ratio_interval(cells, level=level)
    lost = _no_sides(tp + fn, fp + tn, of)
    if not lost and tp * tn == 0 and fp * fn == 0:
        lost = say_reason("all-alike", of=of)
    value = None if lost or fp * fn == 0 else tp * tn / (fp * fn)
    why = (lost, say_reason("odds-infinite"))
    about: Any = {"why": why, "of": of, "level": level, "method": "log"}
    return _estimate(confusion, name, value, ends, **about)


def ppv_at(confusion: Confusion, *, of: str, prevalence: float, level: float = 0.95) -> Estimate:
    r"""Share of the calls of a class that would be true where its prevalence is :math:`\pi`.

    :math:`\frac{TPR\,\pi}{TPR\,\pi+FPR\,(1-\pi)}`: recall and false alarm rate are carried over,
    the mixture of the test set is not. In [0, 1], larger is better, undefined when the class was
    never called or one side has no items.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.
    of : str
        The positive class.
    prevalence : float
        Share of the class where the system will work, strictly between 0 and 1.
    level : float
        Coverage of the interval, strictly between 0 and 1.

    Notes
    -----
    The odds are those of the prevalence times the positive likelihood ratio, as in [1]_; its
    score interval is carried over. It holds only where recall and false alarm
    rate are the same in both mixtures.

    References
    ----------
    .. [1] Mercaldo, Lau & Zhou (2007), Statistics in Medicine 26, 2170-2183,
       doi:10.1002/sim.2677.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(ppv_at(table, of="cat", prevalence=0.01).value, 4)
    0.0748
    """
    tp, fp, fn, tn = effective_binary(confusion, of)
    nothing = say_reason("no-called", of=of)
    odds = _odds(prevalence)
    name = f"precision at prevalence {prevalence:g}"
    samples = (tp, tp + fn), (fp, fp + tn)
    return _shift(confusion, name, samples, odds, nothing=nothing, of=of, level=level)


def npv_at(confusion: Confusion, *, of: str, prevalence: float, level: float = 0.95) -> Estimate:
    r"""Share of the other calls that would be true where the class has prevalence :math:`\pi`.

    :math:`\frac{TNR(1-\pi)}{TNR(1-\pi)+FNR\,\pi}`; as :func:`ppv_at`.

    References
    ----------
    .. [1] Mercaldo, Lau & Zhou (2007), Statistics in Medicine 26, 2170-2183,
       doi:10.1002/sim.2677.

    Examples
    --------
    >>> table = Confusion.from_matrix([[8, 2], [1, 9]], classes=["cat", "dog"])
    >>> round(npv_at(table, of="cat", prevalence=0.01).value, 4)
    0.9978
    """
    tp, fp, fn, tn = effective_binary(confusion, of)
    nothing = say_reason("no-rest-called", of=of)
    odds = 1 / _odds(prevalence)
    name = f"negative predictive value at prevalence {prevalence:g}"
    samples = (tn, fp + tn), (fn, tp + fn)
    return _shift(confusion, name, samples, odds, nothing=nothing, of=of, level=level)


def _odds(prevalence: float) -> float:
    check_share("prevalence", prevalence)
    return prevalence / (1 - prevalence)


def _no_sides(positives: float, negatives: float, of: str) -> str | None:
    if positives == 0:
        return say_reason("no-true", of=of)
    if negatives == 0:
        return say_reason("no-rest", of=of)
    return None


def _share_ratio(
    confusion: Confusion,
    name: str,
    first: tuple[float, float],
    second: tuple[float, float],
    *,
    of: str,
    level: float,
) -> Estimate:
    lost = _no_sides(first[1], second[1], of)
    if not lost and first[0] == 0 and second[0] == 0:
        lost = say_reason("both-none")
    ends: Ends = (0.0, None) if lost else ratio_interval_effective(first, second, level=level)
    defined = not lost and second[0] > 0
    value = (first[0] / first[1]) / (second[0] / second[1]) if defined else None
    why = (lost, say_reason("ratio-infinite"))
    about: Any = {"why": why, "of": of, "level": level, "method": "ratio-score"}
    return _estimate(confusion, name, value, ends, **about)


def _estimate(
    confusion: Confusion,
    name: str,
    value: float | None,
    ends: Ends,
    *,
    why: tuple[str | None, str],
    of: str,
    level: float,
    method: str,
) -> Estimate:
    """Put a ratio into words; ``why`` says why it is undefined, if so, and why it is infinite."""
    lost, infinite = why
    caveats = always_one_class(confusion)
    corrected = method == "log" and not lost and 0 in effective_binary(confusion, of)
    if corrected:
        caveats = (HALF, *caveats)
    if not lost and value is None:
        bound = f"{show_level(level)} lower limit {show_number(ends[0])}"
        caveats = (Caveat(f"infinite here; {bound}", code="about-limits"), *caveats)
    known = None
    if value is not None and ends[1] is not None:
        words = "log, Haldane-corrected" if corrected else method
        known = Interval(low=ends[0], high=ends[1], level=level, method=words)
    return Estimate(
        measure=name,
        value=value,
        interval=known,
        reason=None if value is not None else lost or infinite,
        of=of,
        items=confusion.total,
        caveats=(*weight_caveats(confusion), *caveats),
    )


def _shift(
    confusion: Confusion,
    name: str,
    samples: tuple[tuple[float, float], tuple[float, float]],
    odds: float,
    *,
    nothing: str,
    of: str,
    level: float,
) -> Estimate:
    (won, among), (lost, rest) = samples
    reason = _no_sides(among, rest, of) or (nothing if won == 0 and lost == 0 else None)
    if reason:
        return Estimate(measure=name, value=None, reason=reason, of=of, items=confusion.total)
    true, false = odds * won / among, lost / rest
    low, high = ratio_interval_effective(*samples, level=level)
    share: Callable[[float], float] = lambda ratio: odds * ratio / (1 + odds * ratio)  # noqa: E731
    ends = Interval(
        low=share(low), high=1.0 if high is None else share(high), level=level, method="ratio-score"
    )
    return Estimate(
        measure=name,
        value=true / (true + false),
        interval=ends,
        of=of,
        items=confusion.total,
        caveats=weight_caveats(confusion),
    )

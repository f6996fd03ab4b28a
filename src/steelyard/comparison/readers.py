"""Reader studies: several readers score the same cases under two or more systems."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, fdtrc, fdtri, ncfdtr, ndtri, stdtrit

from steelyard.counts import JointScores
from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import AreaSpread, delong_covariance, placement_interval

__all__ = [
    "READER_COVARIANCES",
    "Covariance",
    "ReaderAnswer",
    "ReaderMean",
    "ReaderStudy",
    "guard_readers",
    "reader_power",
    "reader_study",
]

Floats = NDArray[np.float64]
Generalisation: TypeAlias = Literal["readers and cases", "cases", "readers"]
Covariance: TypeAlias = Literal["delong", "jackknife"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderAnswer:
    """What a study shows about systems, if ``to`` others than those it had.

    ``statistic`` is F with the freedoms ``first`` and ``second`` (None: infinite). ``low`` and
    ``high`` are limits of the first system's area minus the second's, where there are two.
    """

    to: Generalisation
    statistic: float
    first: int
    second: float | None
    p: float
    error: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderMean:
    """The reader-averaged area of one system, if ``to`` others than those of the study.

    ``freedom`` is that of Student's t, None where it is infinite; no limits where nothing varies.
    """

    to: Generalisation
    error: float
    freedom: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderStudy:
    """Areas by system and reader, the parts of their variance, and three answers."""

    systems: tuple[str, ...]
    readers: tuple[str, ...]
    areas: tuple[tuple[float, ...], ...]
    means: tuple[float, ...]
    covariance: Covariance
    mean_square_systems: float
    mean_square_readers: float
    mean_square_both: float
    variance: float
    cov1: float
    cov2: float
    cov3: float
    answers: tuple[ReaderAnswer, ...]
    level: float
    singles: tuple[tuple[ReaderMean, ...], ...] = ()

    def answer(self, to: Generalisation) -> ReaderAnswer:
        """Give the answer for others than those of the study."""
        return next(one for one in self.answers if one.to == to)


def reader_study(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    systems: Sequence[str] | None = None,
    readers: Sequence[str] | None = None,
    covariance: Covariance = "delong",
    level: float = 0.95,
) -> ReaderStudy:
    r"""Compare the reader-averaged areas of systems by Obuchowski and Rockette, freedoms by Hillis.

    In some settings it falls short: docs/reference/certificates.md has the worst found.

    With t systems and r readers, mean squares MS of the r·t areas, and the mean covariances of
    their errors (:math:`\mathrm{Cov}_1` same reader, :math:`\mathrm{Cov}_2` same system,
    :math:`\mathrm{Cov}_3` neither) [1]_:

    * other readers and other cases:
      :math:`F=MS_T/[MS_{TR}+r\max(\mathrm{Cov}_2-\mathrm{Cov}_3,0)]`, second freedom
      :math:`D^2/(MS_{TR}^2/((t-1)(r-1)))` with D the denominator [2]_;
    * these readers, other cases: :math:`\chi^2=(t-1)MS_T/[\mathrm{Var}-\mathrm{Cov}_1+(r-1)
      \max(\mathrm{Cov}_2-\mathrm{Cov}_3,0)]`;
    * other readers, these cases: :math:`F=MS_T/MS_{TR}`.

    Parameters
    ----------
    truth : array_like of shape (cases,)
        1 for the positive class, 0 else.
    scores : array_like of shape (systems, readers, cases)
        Every reader scored every case under every system.
    systems, readers : sequence of str, optional
        Their names.
    covariance : {"delong", "jackknife"}
        How covariances of areas are estimated. DeLong's is the default: it is what every other
        area here has; the jackknife's are a little larger, and those of most published studies.
    level : float
        Coverage of the intervals.

    Notes
    -----
    With few readers (three, four) only large effects show, and with few cases of a class equal
    systems are told apart a little too often: 7 % with 3 readers and 6 positive cases. The same
    cases under every system are assumed; a study that splits readers among systems is another.

    References
    ----------
    .. [1] Hillis, Obuchowski, Schartz & Berbaum (2005), Statistics in Medicine 24, 1579-1607,
       doi:10.1002/sim.2024.
    .. [2] Hillis (2014), Statistics in Medicine 33, 330-360, doi:10.1002/sim.5926.

    Examples
    --------
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> one = [[1, 2, 4, 3, 4, 5], [2, 1, 3, 4, 3, 5]]
    >>> two = [[1, 2, 3, 4, 4, 5], [1, 1, 2, 4, 5, 5]]
    >>> study = reader_study(truth, [one, two])
    >>> [round(mean, 3) for mean in study.means]
    [0.889, 1.0]
    >>> round(study.answer("readers").p, 3)
    0.295
    """
    cases, table = np.asarray(truth, dtype=np.int64), np.asarray(scores, dtype=np.float64)
    if table.ndim != 3 or table.shape[2] != cases.size:
        message = (
            f"Scores of shape {table.shape} for {cases.size} cases; expected systems x readers x "
            "cases."
        )
        raise CountsError(message, code="reader-shape")
    t, r, n = table.shape
    _check_study(t, r, cases, table)
    if covariance not in READER_COVARIANCES:
        choices = tuple(READER_COVARIANCES)
        raise RequestError.for_choice(name="covariance", given=covariance, choices=choices)
    areas, spread = READER_COVARIANCES[covariance](cases, table.reshape(t * r, n))
    areas = areas.reshape(t, r)
    parts = _parts(areas, spread, t, r)
    return ReaderStudy(
        systems=tuple(systems or (str(one) for one in range(t))),
        readers=tuple(readers or (str(one) for one in range(r))),
        areas=tuple(tuple(row) for row in areas.tolist()),
        means=tuple(areas.mean(axis=1).tolist()),
        covariance=covariance,
        mean_square_systems=parts["ms_t"],
        mean_square_readers=parts["ms_r"],
        mean_square_both=parts["ms_tr"],
        variance=parts["var"],
        cov1=parts["cov1"],
        cov2=parts["cov2"],
        cov3=parts["cov3"],
        answers=_answers(parts, areas, level),
        level=level,
        singles=tuple(
            _single(own, spread[at * r : (at + 1) * r, at * r : (at + 1) * r], level)
            for at, own in enumerate(areas)
        ),
    )


def _check_study(t: int, r: int, cases: NDArray[np.int64], table: Floats) -> None:
    if t < 2 or r < 2:
        message = (
            f"{t} systems and {r} readers; a reader study compares 2 systems or more with 2 "
            "readers or more. One reader is compared as systems are: steelyard compare."
        )
        raise CountsError(message, code="reader-shape")
    if not np.isfinite(table).all():
        message = "Every reader scores every case under every system; some score is missing."
        raise CountsError(message, code="reader-missing")
    positives = int(cases.sum())
    if min(positives, cases.size - positives) < 2:
        message = (
            f"{positives} positive and {cases.size - positives} negative cases; areas and their "
            "spread need at least 2 of each."
        )
        raise CountsError(message, code="too-few-items")


def _delong(cases: NDArray[np.int64], table: Floats) -> tuple[Floats, Floats]:
    return delong_covariance(
        JointScores.from_arrays(cases, {str(at): row for at, row in enumerate(table)})
    )


def _jackknife(cases: NDArray[np.int64], table: Floats) -> tuple[Floats, Floats]:
    """Leave out each case in turn; areas without it follow from its own placements."""
    positive = cases == 1
    m, n = int(positive.sum()), int((~positive).sum())
    won = np.empty((table.shape[0], cases.size))
    for row, scores in zip(won, table, strict=True):
        high, low = scores[positive], scores[~positive]
        apart = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
        row[positive], row[~positive] = apart.sum(axis=1), apart.sum(axis=0)
    total = won[:, positive].sum(axis=1, keepdims=True)
    without = (total - won) / np.where(positive, (m - 1) * n, m * (n - 1))
    apart = without - without.mean(axis=1, keepdims=True)
    number = cases.size
    return total[:, 0] / (m * n), apart @ apart.T * (number - 1) / number


READER_COVARIANCES: dict[str, Callable[..., tuple[Floats, Floats]]] = {
    "delong": _delong,
    "jackknife": _jackknife,
}
"""Areas and their covariance matrix from the scores, by name."""


def _parts(areas: Floats, spread: Floats, t: int, r: int) -> dict[str, float]:
    system, reader = np.divmod(np.arange(t * r), r)
    same_system = system[:, None] == system[None, :]
    same_reader = reader[:, None] == reader[None, :]
    by_system, by_reader, grand = areas.mean(axis=1), areas.mean(axis=0), areas.mean()
    rest = areas - by_system[:, None] - by_reader[None, :] + grand
    return {
        "ms_t": r * float(((by_system - grand) ** 2).sum()) / (t - 1),
        "ms_r": t * float(((by_reader - grand) ** 2).sum()) / (r - 1),
        "ms_tr": float((rest * rest).sum()) / ((t - 1) * (r - 1)),
        "var": float(spread[same_system & same_reader].mean()),
        "cov1": float(spread[~same_system & same_reader].mean()),
        "cov2": float(spread[same_system & ~same_reader].mean()),
        "cov3": float(spread[~same_system & ~same_reader].mean()),
    }


def _single(areas: Floats, spread: Floats, level: float) -> tuple[ReaderMean, ...]:
    """Limits of one system's mean area: readers and cases drawn at random, or cases alone.

    From its own readers alone: MS(R) and the covariances within the system (Hillis 2014).
    """
    r = areas.size
    among = float(((areas - areas.mean()) ** 2).sum()) / (r - 1)
    within = float(np.diag(spread).mean())
    shared = float(spread[~np.eye(r, dtype=bool)].mean())
    both = among + r * max(shared, 0.0)
    freedom = float(r - 1) if among == 0 else both**2 / (among**2 / (r - 1))
    alone = (within + (r - 1) * shared) / r
    made: list[tuple[Generalisation, float, float | None]] = [
        ("readers and cases", both / r, freedom),
        ("cases", max(alone, 0.0), None),
    ]
    found = []
    for to, variance, known in made:
        tail = (1 - level) / 2
        reach = -float(ndtri(tail) if known is None else stdtrit(known, tail))
        error, mean = sqrt(variance), float(areas.mean())
        ends = (None, None) if error == 0 else (mean - reach * error, mean + reach * error)
        low, high = ends
        found.append(ReaderMean(to=to, error=error, freedom=known, low=low, high=high))
    return tuple(found)


def _answers(parts: dict[str, float], areas: Floats, level: float) -> tuple[ReaderAnswer, ...]:
    t, r = areas.shape
    shared = max(parts["cov2"] - parts["cov3"], 0.0)
    both = parts["ms_tr"] + r * shared
    few = (t - 1) * (r - 1)
    freedom = few if parts["ms_tr"] == 0 else both**2 / (parts["ms_tr"] ** 2 / few)
    alone = parts["var"] - parts["cov1"] + (r - 1) * shared
    apart = float(areas[0].mean() - areas[1].mean()) if t == 2 else None
    made: list[tuple[Generalisation, float, float | None]] = [
        ("readers and cases", both, freedom),
        ("cases", alone, None),
        ("readers", parts["ms_tr"], float(few)),
    ]
    return tuple(
        _answer(to, parts["ms_t"], spread, (t - 1, second), (apart, r, level))
        for to, spread, second in made
    )


def _answer(
    to: Generalisation,
    shown: float,
    spread: float,
    freedoms: tuple[int, float | None],
    pair: tuple[float | None, int, float],
) -> ReaderAnswer:
    first, second = freedoms
    apart, r, level = pair
    if spread <= 0:  # readers who never differ: no spread to hold a difference against
        return ReaderAnswer(
            to=to, statistic=0.0, first=first, second=second, p=1.0, error=None, low=None, high=None
        )
    statistic = shown / spread
    if second is None:
        p = float(chdtrc(first, first * statistic))
        reach = -float(ndtri((1 - level) / 2))
    else:
        p = float(fdtrc(first, second, statistic))
        reach = -float(stdtrit(second, (1 - level) / 2))
    error = sqrt(2 * spread / r) if apart is not None else None
    return ReaderAnswer(
        to=to,
        statistic=statistic,
        first=first,
        second=second,
        p=p,
        error=error,
        low=None if apart is None or error is None else apart - reach * error,
        high=None if apart is None or error is None else apart + reach * error,
    )


def guard_readers(study: ReaderStudy, fewest: int) -> ReaderStudy:
    r"""Let limits and p-values of a study allow for few cases of a class, and for few readers.

    Hillis takes the covariances of areas as known. Of m cases of the smaller class they are known
    with m - 1 degrees of freedom at most, so that the second freedom becomes
    :math:`D^2/[MS_{TR}^2/((t-1)(r-1))+(r\,\Delta)^2/(m-1)]`,
    :math:`\Delta=\max(\mathrm{Cov}_2-\mathrm{Cov}_3,0)`; these readers and other cases are held
    against F, not :math:`\chi^2`. Two readers have the freedom :math:`(t-1)(r-1)` alone [1]_.
    Means of single systems get the limits of :func:`~steelyard.uncertainty.placement_interval`,
    with one case more, and with one more reader who is at worst no better than chance and weighs
    half as much as the others.

    Parameters
    ----------
    study : ReaderStudy
        As published.
    fewest : int
        Cases of the smaller class.

    References
    ----------
    .. [1] Obuchowski & Rockette (1995), Communications in Statistics - Simulation and Computation
       24, 285-308, doi:10.1080/03610919508813243.

    Examples
    --------
    >>> truth = [0, 0, 0, 1, 1, 1]
    >>> one = [[1, 2, 4, 3, 4, 5], [2, 1, 3, 4, 3, 5]]
    >>> two = [[1, 2, 3, 4, 4, 5], [1, 1, 2, 4, 5, 5]]
    >>> study = reader_study(truth, [one, two])
    >>> guarded = guard_readers(study, 3)
    >>> [round(each.answer("readers and cases").p, 3) for each in (study, guarded)]
    [0.332, 0.5]
    """
    t, r = len(study.areas), len(study.readers)
    few = (t - 1) * (r - 1)
    shared = r * max(study.cov2 - study.cov3, 0.0)
    among = study.mean_square_both
    spread = among + shared
    freedom = float(few)
    if r > 2 and among > 0:
        freedom = spread**2 / (among**2 / few + shared**2 / (fewest - 1))
    alone = study.variance - study.cov1 + (r - 1) / r * shared
    apart = study.means[0] - study.means[1] if t == 2 else None
    asked = (apart, r, study.level)
    shown = study.mean_square_systems
    guarded = {
        "readers and cases": _answer("readers and cases", shown, spread, (t - 1, freedom), asked),
        "cases": _answer("cases", shown, alone, (t - 1, float(fewest - 1)), asked),
    }
    return replace(
        study,
        answers=tuple(guarded.get(one.to, one) for one in study.answers),
        singles=tuple(
            (_guard_single(both, mean, r, fewest, study.level), cases)
            for (both, cases), mean in zip(study.singles, study.means, strict=True)
        ),
    )


def _guard_single(found: ReaderMean, mean: float, r: int, fewest: int, level: float) -> ReaderMean:
    """Give one system's mean area limits that allow for a case, and for a reader, not seen."""
    if found.error == 0 or found.freedom is None:
        return found
    whole = r * found.error**2
    among = whole * sqrt((r - 1) / found.freedom)
    freedom = float(r - 1)
    if r > 2 and among < whole:
        freedom = whole**2 / (among**2 / (r - 1) + (whole - among) ** 2 / (fewest - 1))

    def limits(area: float, times: float, units: float) -> tuple[float, float]:
        variance = found.error**2 * times**2
        return placement_interval(
            AreaSpread(
                area=area,
                positives=units,
                negatives=units,
                positive_variance=variance * units,
                negative_variance=0.0,
                freedom=freedom,
            ),
            level=level,
        )

    low, high = limits(mean, 1.0, fewest)
    chance = 0.5 if mean > 0.5 else 0.0
    least, most = limits((mean - chance) / (1 - chance), 1 / (1 - chance), min(2 * r, fewest))
    least, most = chance + (1 - chance) * least, chance + (1 - chance) * most
    return replace(
        found, freedom=freedom, low=max(0.0, min(low, least)), high=min(1.0, max(high, most))
    )


def reader_power(
    study: ReaderStudy,
    *,
    difference: float,
    readers: int,
    cases: int,
    pilot_cases: int,
    alpha: float = 0.05,
    fewest: int | None = None,
) -> float:
    r"""Chance that a study with so many readers and cases shows a difference of two systems.

    The variance components of a pilot, covariances shrunk by pilot cases over cases; the noncentral
    F of other readers and other cases, :math:`\lambda=\frac{r\,d^2/2}{\sigma^2_{TR}+
    [\mathrm{Var}-\mathrm{Cov}_1+(r-1)(\mathrm{Cov}_2-\mathrm{Cov}_3)]}` [1]_. With ``fewest``, the
    cases of the smaller class, the freedom is that of :func:`guard_readers`.

    References
    ----------
    .. [1] Hillis, Obuchowski & Berbaum (2011), Academic Radiology 18, 129-142,
       doi:10.1016/j.acra.2010.09.007.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = np.repeat([0, 1], 30)
    >>> scores = rng.normal(size=(2, 4, 60)) + truth * np.array([1.0, 1.5])[:, None, None]
    >>> study = reader_study(truth, scores)
    >>> few, many = (reader_power(study, difference=0.08, readers=r, cases=120, pilot_cases=60)
    ...              for r in (4, 10))
    >>> few < many
    True
    """
    if readers < 2 or cases < 4:
        message = f"{readers} readers and {cases} cases; plan for 2 readers and 4 cases or more."
        raise RequestError(message)
    shrink = pilot_cases / cases
    error = (study.variance - study.cov1) * shrink
    shared = max(study.cov2 - study.cov3, 0.0) * shrink
    alone = study.variance - study.cov1 - max(study.cov2 - study.cov3, 0.0)
    varied = max(study.mean_square_both - alone, 0.0)
    noise = varied + error - shared  # expected mean square of readers and systems
    both = noise + readers * shared
    freedom = float(readers - 1)
    if noise > 0 and (readers > 2 or fewest is None):
        unsure = 0.0 if fewest is None else (readers * shared) ** 2 / max(fewest - 1, 1)
        freedom = both**2 / (noise**2 / (readers - 1) + unsure)
    shift = readers * difference**2 / 2 / both
    limit = float(fdtri(1, freedom, 1 - alpha))
    return 1 - float(ncfdtr(1, freedom, shift, limit))

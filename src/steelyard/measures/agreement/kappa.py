"""How far calls agree with the truth beyond what chance would give."""

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from steelyard.counts import Confusion, WeightSums
from steelyard.errors import RequestError
from steelyard.measures.agreement.kappa_interval import KAPPA_INTERVALS, Agreement, KappaInterval
from steelyard.measures.tables.shares import row_sums, say_effective
from steelyard.results.estimates import Estimate
from steelyard.uncertainty import normal_quantile
from steelyard.uncertainty.special import ndtr

__all__ = ["KappaTest", "cohen_kappa", "exact_kappa", "kappa_slopes", "kappa_test", "landis_koch"]

WORDS = (
    ("0.2", "Slight agreement"),
    ("0.4", "Fair agreement"),
    ("0.6", "Moderate agreement"),
    ("0.8", "Substantial agreement"),
)
"""Upper bounds, included, and their words."""


def exact_kappa(confusion: Confusion) -> Fraction | None:
    r"""Cohen's kappa as a fraction of whole numbers; None when expected agreement is 1.

    :math:`\kappa=(p_o-p_e)/(1-p_e)` with :math:`p_o=\sum n_{ii}/n` and
    :math:`p_e=\sum n_{i\cdot}n_{\cdot i}/n^2` [1]_.

    References
    ----------
    .. [1] Cohen (1960), Educational and Psychological Measurement 20, 37-46,
       doi:10.1177/001316446002000104.

    Examples
    --------
    >>> exact_kappa(Confusion.from_matrix([[25, 10], [5, 60]]))
    Fraction(29, 44)
    """
    table = _agreement(confusion)
    return None if table.undefined else table.kappa


def cohen_kappa(
    confusion: Confusion, *, level: float = 0.95, method: KappaInterval = "ase1"
) -> Estimate:
    r"""Cohen's kappa: agreement of calls and truth beyond chance, with an interval.

    :math:`\kappa=(p_o-p_e)/(1-p_e)`; in [-1, 1], larger is better, 0 is chance; undefined when
    expected agreement is 1. Computed in whole numbers and rounded once.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class. With weights, the weighted table is used and the variance
        counts on Kish's effective number of rows.
    level : float
        Coverage of the interval, strictly between 0 and 1.
    method : {"ase1", "adjusted"}
        Which interval: the textbook's, or one that copes with few items of a class.

    Returns
    -------
    Estimate
        ``standard_error`` is :math:`\mathrm{ASE}_1`, which does not assume :math:`\kappa=0`
        [2]_; None where it is 0. The interval ``ase1`` is :math:`\hat\kappa\pm
        z\,\mathrm{ASE}_1`, cut to [-1, 1]; where that error is 0 and agreement complete (or nil),
        Wilson's limits of :math:`p_o` are carried over with :math:`p_e` held fixed, and where it
        is 0 otherwise the adjusted interval stands in; a caveat says so. ``adjusted`` is
        :math:`\tilde\kappa\pm z\,\widetilde{\mathrm{ASE}}_1` of the table with :math:`z^2`
        made-up items, half of them on the diagonal and half off it, spread evenly over the
        classes that occur (as Agresti & Coull [3]_ do for a share), stretched to hold
        :math:`\hat\kappa` and cut to [-1, 1].

    Notes
    -----
    Falls with unequal class sizes at the same agreement: 0.658 and 0.265 both occur at
    :math:`p_o=0.85`. The error for tests of :math:`\kappa=0` is another one (ASE0). With few
    positives ``ase1`` is far too short: of 100 items with 5 positives, recall 0.8 and specificity
    0.97, it covers 87 % instead of 95, ``adjusted`` 96 (docs/reference/certificates.md). A
    caveat says so when fewer than 15 items lie outside the most common class, or are mistakes.

    References
    ----------
    .. [1] Cohen (1960), Educational and Psychological Measurement 20, 37-46,
       doi:10.1177/001316446002000104.
    .. [2] Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327,
       doi:10.1037/h0028106.
    .. [3] Agresti & Coull (1998), The American Statistician 52, 119-126,
       doi:10.1080/00031305.1998.10480550.

    Examples
    --------
    >>> result = cohen_kappa(Confusion.from_matrix([[25, 10], [5, 60]]))
    >>> round(result.value, 4), round(result.standard_error, 4)
    (0.6591, 0.08)
    """
    normal_quantile(level)
    if method not in KAPPA_INTERVALS:
        raise RequestError.for_choice("method", method, tuple(KAPPA_INTERVALS))  # noqa: EM101
    table = _agreement(confusion)
    if table.undefined:
        return Estimate(measure="kappa", value=None, reason=table.undefined, items=confusion.total)
    kappa = table.kappa
    variance = _exact_variance(table) / Fraction(table.effective)
    interval, caveats = KAPPA_INTERVALS[method](table, variance, level)
    if confusion.weights is not None:
        caveats = (say_effective(table.effective, confusion.total), *caveats)
    return Estimate(
        measure="kappa",
        value=float(kappa),
        interval=interval,
        standard_error=sqrt(variance) if variance else None,
        items=confusion.total,
        caveats=caveats,
    )


def kappa_slopes(confusion: Confusion) -> dict[tuple[str, str], float]:
    r"""What one item of each cell adds to kappa, to first order.

    :math:`\frac{1}{n(1-p_e)}\left(\delta_{ij}-(1-\kappa)(c_i+t_j)\right)`, minus its mean over
    all items, with :math:`t` and :math:`c` the shares of true and called classes.

    Examples
    --------
    >>> slopes = kappa_slopes(Confusion.from_matrix([[25, 10], [5, 60]]))
    >>> slopes["0", "0"] > 0 > slopes["0", "1"]
    True
    """
    table = _agreement(confusion)
    free = table.size**2 - table.chance
    wrong = table.size - table.right
    raw = {
        (truth, called): free * (truth == called)
        - wrong * (table.calls.get(truth, 0) + table.truths.get(called, 0))
        for truth, called, _ in table.cells
    }
    mean = Fraction(sum(raw[t, c] * count for t, c, count in table.cells), table.size)
    scale = Fraction(table.size**2, free**2) / Fraction(_whole_size(confusion))
    return {pair: float((slope - mean) * scale) for pair, slope in raw.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaTest:
    """Is kappa 0? ``standard_error`` holds there (ASE0); ``p_value`` is two-sided."""

    kappa: float
    standard_error: float
    z: float
    p_value: float


def kappa_test(confusion: Confusion) -> KappaTest | None:
    r"""Test of :math:`\kappa=0` with the standard error that holds there.

    :math:`\mathrm{ASE}_0^2=\frac{p_e+p_e^2-\sum t_ic_i(t_i+c_i)}{n(1-p_e)^2}` [1]_, not the
    :math:`\mathrm{ASE}_1` of the interval. None when kappa is undefined or cannot vary.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class; of weighted rows Kish's effective number counts.

    References
    ----------
    .. [1] Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323-327,
       doi:10.1037/h0028106.

    Examples
    --------
    >>> test = kappa_test(Confusion.from_matrix([[25, 10], [5, 60]]))
    >>> round(test.standard_error, 4), round(test.z, 3)
    (0.0994, 6.634)
    """
    table = _agreement(confusion)
    if table.undefined:
        return None
    size = Fraction(table.size)
    expected = Fraction(table.chance, table.size**2)
    third = sum(
        (count * table.calls.get(name, 0) * (count + table.calls.get(name, 0)))
        for name, count in table.truths.items()
    )
    spread = expected + expected**2 - third / size**3
    variance = spread / (Fraction(table.effective) * (1 - expected) ** 2)
    if variance <= 0:
        return None
    kappa, error = float(table.kappa), sqrt(variance)
    z = kappa / error
    return KappaTest(kappa=kappa, standard_error=error, z=z, p_value=2 * float(ndtr(-abs(z))))


def landis_koch(kappa: Fraction | float) -> str:
    """Word for a kappa on the scale of Landis and Koch, with the gaps between its steps closed.

    Below 0 less than chance, 0 chance, up to 0.2 slight, 0.4 fair, 0.6 moderate, 0.8 substantial
    (upper bounds included), below 1 almost perfect, 1 perfect. The bounds are a convention and
    depend on nothing in the data.

    Parameters
    ----------
    kappa : Fraction or float
        In [-1, 1]. A fraction is compared exactly.

    References
    ----------
    .. [1] Landis & Koch (1977), Biometrics 33, 159-174, doi:10.2307/2529310.

    Examples
    --------
    >>> landis_koch(Fraction(1, 5)), landis_koch(0.205)
    ('Slight agreement', 'Fair agreement')
    """
    if not -1 <= kappa <= 1:
        message = f"kappa={kappa!r} is not in [-1, 1]."
        raise RequestError(message)
    if kappa <= 0:
        return "Less than chance agreement" if kappa < 0 else "Chance agreement"
    if kappa == 1:
        return "Perfect agreement"
    # 0.2 as a float lies above 1/5: each kind of number meets bounds of its own kind.
    kind = Fraction if isinstance(kappa, Fraction) else float
    words = (word for bound, word in WORDS if kappa <= kind(bound))
    return next(words, "Almost perfect agreement")


def _whole_size(confusion: Confusion) -> float:
    """Rows, or the sum of their weights: what the sizes of clusters add up to."""
    if confusion.weights is None:
        return float(confusion.total)
    return row_sums(confusion, lambda truth, called: True).total


def _agreement(confusion: Confusion) -> Agreement:
    cells = confusion.cells
    effective = float(confusion.total)
    if confusion.weights is not None:
        cells = tuple((truth, called, w.scaled) for truth, called, w in confusion.weights)
        sums: WeightSums = row_sums(confusion, lambda truth, called: True)
        effective = sums.effective
    truths: dict[str, int] = {}
    calls: dict[str, int] = {}
    for truth, called, count in cells:
        truths[truth] = truths.get(truth, 0) + count
        calls[called] = calls.get(called, 0) + count
    return Agreement(
        cells=cells,
        truths=truths,
        calls=calls,
        size=sum(truths.values()),
        right=sum(count for truth, called, count in cells if truth == called),
        effective=effective,
    )


def _exact_variance(table: Agreement) -> Fraction:
    """Variance of kappa for one row, exactly: that of its derivative over the cells."""
    free = table.size**2 - table.chance
    wrong = table.size - table.right
    first = second = 0
    for truth, called, count in table.cells:
        margins = table.calls.get(truth, 0) + table.truths.get(called, 0)
        slope = free * (truth == called) - wrong * margins
        first += count * slope
        second += count * slope * slope
    return Fraction(table.size**2 * (table.size * second - first**2), free**4)

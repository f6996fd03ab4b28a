"""What to look at beside kappa, and a sentence when prevalence has pulled it down."""

from dataclasses import dataclass

from steelyard.counts import Confusion
from steelyard.display.numbers import show_number, show_percent
from steelyard.measures.agreement.kappa import exact_kappa, landis_koch

__all__ = ["KappaContext", "kappa_context"]

PARADOX = 0.2
"""From this distance of kappa below PABAK on, the sentence is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaContext:
    """Numbers beside kappa; the two indices are for two classes only and None otherwise.

    ``largest`` is the largest kappa that these margins allow, ``pabak`` kappa for equal classes
    and no bias, ``ac1`` Gwet's coefficient, ``word`` that of Landis and Koch.
    """

    kappa: float
    agreement: float
    chance: float
    largest: float
    pabak: float
    ac1: float | None
    prevalence_index: float | None
    bias_index: float | None
    word: str
    sentence: str | None


def kappa_context(confusion: Confusion) -> KappaContext | None:
    r"""Put kappa beside the numbers that show what pulled it up or down.

    Largest kappa :math:`\left(\sum\min(t_i,c_i)-p_e\right)/(1-p_e)`; PABAK
    :math:`(Kp_o-1)/(K-1)`, which is :math:`2p_o-1` for two classes; prevalence index
    :math:`(a-d)/n` and bias index :math:`(b-c)/n` [1]_; AC1 with
    :math:`p_e=\sum\pi_k(1-\pi_k)/(K-1)` [2]_. None where kappa is undefined.

    Parameters
    ----------
    confusion : Confusion
        Rows by truth and called class, weighted or not.

    References
    ----------
    .. [1] Byrt, Bishop & Carlin (1993), Journal of Clinical Epidemiology 46, 423-429,
       doi:10.1016/0895-4356(93)90018-V.
    .. [2] Gwet (2008), British Journal of Mathematical and Statistical Psychology 61, 29-48,
       doi:10.1348/000711006X126600.
    .. [3] Feinstein & Cicchetti (1990), Journal of Clinical Epidemiology 43, 543-549,
       doi:10.1016/0895-4356(90)90158-L.

    Examples
    --------
    >>> found = kappa_context(Confusion.from_matrix([[81, 9], [6, 4]], classes=["yes", "no"]))
    >>> round(found.kappa, 3), round(found.pabak, 3), round(found.ac1, 3)
    (0.265, 0.7, 0.812)
    """
    exact = exact_kappa(confusion)
    if exact is None:
        return None
    names = confusion.classes
    cells = _whole_cells(confusion)
    total, number = sum(cells.values()), len(names)
    truths, calls = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for (truth, called), rows in cells.items():
        truths[truth] += rows
        calls[called] += rows
    agreed = sum(rows for (truth, called), rows in cells.items() if truth == called)
    met = sum(min(truths[name], calls[name]) for name in names)
    # In whole numbers: by chance of total**2, and of 4 * total**2 * (number - 1).
    by_margins = sum(truths[name] * calls[name] for name in names)
    labels = {name: truths[name] + calls[name] for name in names}
    by_labels = sum(count * (2 * total - count) for count in labels.values())
    every = 4 * total * total * (number - 1)
    pabak = (number * agreed - total) / (total * (number - 1))
    ac1 = (4 * total * (number - 1) * agreed - by_labels) / (every - by_labels)
    agreement, chance = agreed / total, by_margins / total**2
    pooled = {name: count / (2 * total) for name, count in labels.items()}
    indices = _indices(cells, names, total)
    said = None
    if pabak - float(exact) >= PARADOX:
        said = _paradox(float(exact), agreement, chance, pooled, pabak=pabak, ac1=ac1)
    return KappaContext(
        kappa=float(exact),
        agreement=agreement,
        chance=chance,
        largest=(met * total - by_margins) / (total**2 - by_margins),
        pabak=pabak,
        ac1=ac1,
        prevalence_index=indices[0],
        bias_index=indices[1],
        word=landis_koch(exact),
        sentence=said,
    )


def _whole_cells(confusion: Confusion) -> dict[tuple[str, str], int]:
    """Rows of each cell, or the sum of their weights, times SCALE."""
    if confusion.weights is None:
        return {(truth, called): rows for truth, called, rows in confusion.cells}
    return {(truth, called): sums.scaled for truth, called, sums in confusion.weights}


def _indices(
    cells: dict[tuple[str, str], int], names: tuple[str, ...], total: int
) -> tuple[float | None, float | None]:
    if len(names) != 2:
        return None, None
    one, two = names
    both = cells.get((one, one), 0) - cells.get((two, two), 0)
    apart = cells.get((one, two), 0) - cells.get((two, one), 0)
    return both / total, apart / total


def _paradox(
    kappa: float,
    agreement: float,
    chance: float,
    pooled: dict[str, float],
    *,
    pabak: float,
    ac1: float,
) -> str:
    common = max(pooled, key=pooled.__getitem__)
    return (
        f"kappa is only {show_number(kappa)} although {show_percent(agreement)} agree: "
        f"{show_percent(pooled[common])} of all labels are {common!r}, so chance alone would agree "
        f"on {show_percent(chance)}; PABAK {show_number(pabak)} and AC1 {show_number(ac1)} are not "
        "pulled down by that"
    )

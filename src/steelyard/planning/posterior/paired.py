"""How sure the joint posterior will be after n common items, and how many make it so sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from steelyard.counts import Outcomes
from steelyard.errors import check_share
from steelyard.planning.discordance import PairedRates, discordance_range, paired_rates
from steelyard.planning.rates import PosteriorQuestion, check_rates, check_separable
from steelyard.planning.sizes import LIMIT, samples_for, whole_samples
from steelyard.planning.tests.paired_powers import check_different
from steelyard.uncertainty.special import betainc, ndtri

__all__ = [
    "PairedPosteriorSize",
    "paired_confidence",
    "paired_posterior_samples",
    "pilot_rivals",
    "rival_pairs",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedPosteriorSize:
    """Common items for a confidence: the real number, and the whole one to order.

    None when more than the limit were needed.
    """

    confidence: float
    exact: float | None
    samples: int | None
    reached: float | None


def rival_pairs(
    rates: Sequence[float],
    *,
    question: PosteriorQuestion = "best",
    discordance: float | None = None,
) -> tuple[PairedRates, ...]:
    """Pair the best system with every rival, or for a ranking each system with the next.

    ``discordance`` is that of every pair, or the difference of the rates where that is larger; as
    if the systems erred independently of one another unless given.

    Examples
    --------
    >>> [round(pair.discordance, 4) for pair in rival_pairs([0.9, 0.85, 0.7], discordance=0.1)]
    [0.1, 0.2]
    """
    ranked = sorted(check_rates(rates), reverse=True)
    if question == "best":
        chosen = [(ranked[0], rival) for rival in ranked[1:]]
    else:
        chosen = list(pairwise(ranked))
    pairs = []
    for one, two in chosen:
        allowed = discordance_range(one, two)
        share = allowed.unrelated if discordance is None else max(discordance, allowed.low)
        pairs.append(paired_rates(one, two, discordance=share))
    return tuple(pairs)


def pilot_rivals(
    pilot: Outcomes, *, question: PosteriorQuestion = "best"
) -> tuple[PairedRates, ...]:
    """Pair the systems as :func:`rival_pairs` does, with the discordances of a pilot.

    Examples
    --------
    >>> pilot = Outcomes.from_patterns({1: 9, 3: 8, 7: 70, 0: 13}, systems=["A", "B", "C"])
    >>> [round(pair.discordance, 2) for pair in pilot_rivals(pilot)]
    [0.09, 0.17]
    """
    right = dict(zip(pilot.systems, pilot.correct(), strict=True))
    ranked = sorted(pilot.systems, key=lambda system: -right[system])
    check_separable([right[system] / pilot.total for system in ranked], question)
    if question == "best":
        chosen = [(ranked[0], rival) for rival in ranked[1:]]
    else:
        chosen = list(pairwise(ranked))
    tables = [pilot.pair(one, two) for one, two in chosen]
    return tuple(
        PairedRates(only_first=table.first / table.total, only_second=table.second / table.total)
        for table in tables
    )


def paired_confidence(pairs: Sequence[PairedRates], samples: float) -> float:
    r"""Confidence that a joint posterior will have when the items show exactly these chances.

    .. math:: 1 - \sum_j I_{1/2}(n p_{10} + \tfrac12,\ n p_{01} + \tfrac12)

    over the pairs: exact for one, a lower bound for more.

    Notes
    -----
    Real tests scatter about it: see :func:`steelyard.planning.paired_assurance`.

    References
    ----------
    .. [1] Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561.

    Examples
    --------
    >>> round(paired_confidence([PairedRates(only_first=0.09, only_second=0.025)], 200), 4)
    0.9973
    """
    return 1 - _miss(pairs, samples)


def paired_posterior_samples(
    pairs: Sequence[PairedRates], confidence: float, *, limit: int = LIMIT
) -> PairedPosteriorSize:
    """Common items until :func:`paired_confidence` reaches a confidence.

    References
    ----------
    .. [1] Altham (1971), Biometrika 58, 561-576, doi:10.1093/biomet/58.3.561.

    Examples
    --------
    >>> pairs = rival_pairs([0.90, 0.88], discordance=0.06)
    >>> paired_posterior_samples(pairs, 0.95).samples
    402
    """
    check_share("confidence", confidence)
    for pair in pairs:
        check_different(pair)
    z = float(ndtri(max(confidence, 0.6)))
    start = max((pair.discordance * (z / pair.difference) ** 2 for pair in pairs), default=1.0)
    exact = samples_for(lambda n: _miss(pairs, n), 1 - confidence, start=start, limit=limit)
    samples = whole_samples(exact)
    return PairedPosteriorSize(
        confidence=confidence,
        exact=exact,
        samples=samples,
        reached=None if samples is None else paired_confidence(pairs, samples),
    )


def _miss(pairs: Sequence[PairedRates], samples: float) -> float:
    sides = [
        (max(pair.only_first, pair.only_second), min(pair.only_first, pair.only_second))
        for pair in pairs
    ]
    chances = [betainc(samples * high + 0.5, samples * low + 0.5, 0.5) for high, low in sides]
    return float(min(sum(chances), 1.0))

"""Which system is best when items come in clusters: the Bayesian bootstrap over clusters."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.posterior.paired import twins_of
from steelyard.counts import Grouped, Outcomes
from steelyard.errors import NotComparable

__all__ = ["ClusterPosterior", "cluster_posterior"]

Floats = NDArray[np.float64]
BLOCK_NUMBERS = 1 << 20
"""Random numbers held at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterPosterior:
    """Probabilities of being best and better, and losses, with clusters as the units.

    ``near[i][j]`` is the probability that two rates differ by less than the margin asked for.
    """

    systems: tuple[str, ...]
    best: tuple[float, ...]
    error: float
    better: tuple[tuple[float, ...], ...]
    near: tuple[tuple[float, ...], ...]
    loss: tuple[float, ...]
    draws: int


def cluster_posterior(
    clusters: Grouped[Outcomes],
    *,
    rng: np.random.Generator,
    margin: float = 0.0,
    draws: int = 20_000,
) -> ClusterPosterior:
    r"""Draw rates by weighing whole clusters with exponential weights.

    Rate of system i in one draw: :math:`\sum_g w_g x_{gi} / \sum_g w_g n_g` with
    :math:`w_g \sim` Exp(1), one for each cluster [1]_. Systems that tie in a draw share it.

    Notes
    -----
    Only what the clusters show can be drawn: with few clusters, all of one mind, it is too sure.
    Probabilities are tempered to (hits + ½)/(draws + 1), that of being the best of m systems to
    (hits + 1/m)/(draws + 1), so that none is 0 or 1.

    References
    ----------
    .. [1] Rubin (1981), Annals of Statistics 9, 130-134, doi:10.1214/aos/1176345338.

    Examples
    --------
    >>> parts = {str(g): Outcomes.from_pair(both=5, first=2, second=g % 3, neither=1,
    ...     systems=("S", "T")) for g in range(12)}
    >>> clusters = Grouped.from_parts("cluster", parts)
    >>> found = cluster_posterior(clusters, rng=np.random.default_rng(1))
    >>> found.best[0] > 0.99, round(sum(found.best), 9)
    (True, 1.0)
    """
    if len(clusters) < 2:
        message = (
            f"{len(clusters)} cluster: one cluster does not show how clusters vary. Leave the "
            "cluster column out, or give two clusters or more."
        )
        raise NotComparable(message, code="too-few-clusters")
    right = np.array([part.correct() for _, part in clusters], dtype=np.float64)
    size = np.array([part.total for _, part in clusters], dtype=np.float64)
    twins = twins_of(clusters.merged())
    number = right.shape[1]
    best, loss = np.zeros(number), np.zeros(number)
    ahead, near = np.zeros((number, number)), np.zeros((number, number))
    block = max(1, BLOCK_NUMBERS // len(size))
    for start in range(0, draws, block):
        weights = rng.standard_exponential((min(block, draws - start), len(size)))
        rates = ((weights @ right) / (weights @ size)[:, None])[:, twins]
        top = rates.max(axis=1, keepdims=True)
        leads = rates == top
        best += (leads / leads.sum(axis=1, keepdims=True)).sum(axis=0)
        loss += (top - rates).sum(axis=0)
        for i in range(number):
            gaps = rates[:, [i]] - rates
            ahead[i] += (gaps > 0).sum(axis=0) + 0.5 * (gaps == 0).sum(axis=0)
            near[i] += (np.abs(gaps) < margin).sum(axis=0)
    share = (best + 1 / number) / (draws + 1)
    return ClusterPosterior(
        systems=clusters.parts[0].systems,
        best=tuple(share.tolist()),
        error=float(np.sqrt(share * (1 - share) / draws).max()),
        better=_temper(ahead, draws),
        near=tuple(tuple(row) for row in (near / draws).tolist()),
        loss=tuple((loss / draws).tolist()),
        draws=draws,
    )


def _temper(hits: Floats, draws: int) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in ((hits + 0.5) / (draws + 1)).tolist())

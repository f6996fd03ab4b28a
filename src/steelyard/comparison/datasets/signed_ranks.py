"""Two systems over several data sets: the signed-rank test, classical and Bayesian."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from steelyard.comparison.values.ranks import wilcoxon_test
from steelyard.errors import NotComparable, RequestError

__all__ = [
    "BayesianSignedRank",
    "SignedRank",
    "ZeroRule",
    "bayesian_signed_rank",
    "signed_rank",
]

ZeroRule: TypeAlias = Literal["pratt", "drop"]
Floats = NDArray[np.float64]

DRAWS = 2000
"""Posterior draws held in memory at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRank:
    """Two-sided signed-rank test; ``positive`` and ``negative`` are the two sums of ranks.

    ``used`` counts the differences that are not zero; with none p is 1.
    """

    positive: float
    negative: float
    used: int
    zeros: ZeroRule
    method: Literal["exact", "normal"]
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BayesianSignedRank:
    """Posterior probabilities that the difference lies below, inside or above the rope.

    ``error`` is the largest Monte Carlo standard error of the three.
    """

    rope: float
    below: float
    inside: float
    above: float
    draws: int
    error: float


def signed_rank(differences: Sequence[float], *, zeros: ZeroRule = "pratt") -> SignedRank:
    r"""Wilcoxon's signed-rank test that differences are symmetric about 0.

    The sizes of the differences are ranked, ties sharing ranks, and the ranks of the positive ones
    added up: :math:`T^+`. Two-sided p-value: exact over all :math:`2^n` signs of the ranks
    present, also with ties, for n up to 60; normal with variance :math:`\sum r_i^2/4` beyond.

    Parameters
    ----------
    differences
        One for each data set (first system minus second).
    zeros
        ``pratt`` ranks zeros with the rest and then leaves them out; ``drop`` leaves them out
        first. Splitting the ranks of zeros between the two sums gives the p-value of ``pratt``.

    Notes
    -----
    It asks whether differences are symmetric about zero, so sizes must be comparable across data
    sets. For folds of one data set it is too bold: they share training items.

    References
    ----------
    .. [1] Wilcoxon (1945), Biometrics Bulletin 1, 80-83, doi:10.2307/3001968.
    .. [2] Pratt (1959), JASA 54, 655-667, doi:10.1080/01621459.1959.10501526.

    Examples
    --------
    >>> answer = signed_rank([0.005, -0.008, 0.017, 0.033, 0.006, -0.005, 0.007, 0.0])
    >>> answer.positive, answer.negative, round(answer.p_value, 4)
    (26.5, 8.5, 0.2344)
    """
    if zeros not in get_args(ZeroRule):
        raise RequestError.for_choice(name="zeros", given=zeros, choices=get_args(ZeroRule))
    found = wilcoxon_test(_finite(differences), zeros=zeros)
    return SignedRank(
        positive=found.positive,
        negative=found.negative,
        used=found.used,
        zeros=zeros,
        method="exact" if found.method == "exact" else "normal",
        p_value=found.p_value,
    )


def bayesian_signed_rank(
    differences: Sequence[float],
    *,
    rope: float,
    rng: np.random.Generator,
    strength: float = 0.5,
    draws: int = 50_000,
) -> BayesianSignedRank:
    r"""Bayesian signed-rank test with a region of practical equivalence.

    The distribution of the difference has a Dirichlet-process prior of total weight s on 0; given
    n differences its weights are :math:`(w_0, \dots, w_n) \sim Dirichlet(s, 1, \dots, 1)` on
    :math:`z_0 = 0, z_1, \dots, z_n`. Each draw gives the shares of pairs

    .. math:: \theta_{above} = \sum_{ij} w_i w_j\,[z_i + z_j > 2r], \quad
              \theta_{below} = \sum_{ij} w_i w_j\,[z_i + z_j < -2r],

    a pair on the edge counting half; the largest of the three shares takes the draw.

    Parameters
    ----------
    differences
        One for each data set (first system minus second).
    rope
        Half width r of the region that counts as no difference, in the units of the scores.
    rng
        Source of randomness.
    strength
        The s of the prior, whose pseudo-observation lies inside the rope.
    draws
        Posterior draws; the Monte Carlo error is stated in the result.

    Notes
    -----
    Probabilities of which region is *most probable*, not of a difference on the next data set.
    The rope decides much: state why it has its width.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon (2017), Journal of Machine Learning Research 18(77),
       1-36, jmlr.org/papers/v18/16-305.html.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> answer = bayesian_signed_rank([0.02, 0.03, 0.01, 0.05, -0.01, 0.04], rope=0.01, rng=rng)
    >>> answer.above > 0.9, answer.error < 0.002
    (True, True)
    """
    values = _finite(differences)
    if not 0 <= rope < np.inf or not 0 < strength < np.inf or draws < 1:
        message = (
            f"rope={rope!r}, strength={strength!r}, draws={draws!r}; "
            "need rope >= 0, strength > 0, draws >= 1."
        )
        raise RequestError(message)
    z = np.append(values, 0.0)
    sums = z[:, None] + z
    above, below = np.heaviside(sums - 2 * rope, 0.5), np.heaviside(-sums - 2 * rope, 0.5)
    weights = np.append(np.ones(values.size), strength)
    won = np.zeros(3)
    for start in range(0, draws, DRAWS):
        drawn = rng.dirichlet(weights, size=min(DRAWS, draws - start))
        up = ((drawn @ above) * drawn).sum(axis=1)
        down = ((drawn @ below) * drawn).sum(axis=1)
        # Of equal shares (all of them 0 or 1/2, with rope 0) the first would win: share them.
        table = np.stack([down, 1 - up - down, up])
        top = table >= table.max(axis=0) - 1e-12
        won += (top / top.sum(axis=0)).sum(axis=1)
    shares = won / draws
    return BayesianSignedRank(
        rope=rope,
        below=float(shares[0]),
        inside=float(shares[1]),
        above=float(shares[2]),
        draws=draws,
        error=float(np.sqrt(shares * (1 - shares) / draws).max()),
    )


def _finite(differences: Sequence[float]) -> Floats:
    values = np.array([float(value) for value in differences])
    if values.size == 0 or not np.isfinite(values).all():
        message = f"{values.size} differences, not all finite; pass one for each data set."
        raise NotComparable(message)
    return values

"""How sure a posterior will be after n samples of each system, and how many make it so sure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from scipy.special import ndtri

from steelyard.comparison import (
    BetaPosteriors,
    probability_best,
    probability_of_ranking,
    ranking_probability_by_product,
)
from steelyard.errors import RequestError, check_share
from steelyard.planning.rates import (
    PosteriorQuestion,
    check_rates,
    check_separable,
    nearest_pair,
)
from steelyard.planning.sizes import LIMIT, samples_for, whole_samples

__all__ = [
    "TABLE_SIZES",
    "PosteriorSize",
    "RankingMethod",
    "compute_published_table",
    "posterior_confidence",
    "posterior_samples",
]

# --- how sure a posterior will be after n samples of each system, and how many make it so sure ---


RankingMethod: TypeAlias = Literal["exact", "product"]
Prior: TypeAlias = tuple[float, float]

UNIFORM: Prior = (1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PosteriorSize:
    """Samples of each system for a confidence: the real number, and the whole one to order.

    Both are None when more than the limit were needed. ``reached`` is the confidence at the whole
    number.
    """

    question: PosteriorQuestion
    confidence: float
    exact: float | None
    samples: int | None
    reached: float | None


def posterior_confidence(
    rates: Sequence[float],
    samples: float,
    *,
    question: PosteriorQuestion = "best",
    method: RankingMethod = "exact",
    priors: Sequence[Prior] | None = None,
    shares: Sequence[float] | None = None,
) -> float:
    r"""Confidence that a posterior will have when each system shows exactly its rate.

    With :math:`x_i = p_i n` taken as it stands, whole or not, and the posterior
    Beta(:math:`x_i + a_i, n - x_i + b_i`): the probability that the system of the highest rate is
    best (``best``, equation 12), or that the order of the rates is the true one (``ranking``,
    equation 14).

    Parameters
    ----------
    rates
        Supposed rates, strictly between 0 and 1, in any order.
    samples
        Samples of each system; need not be whole.
    question
        Which is best, or the whole ranking.
    method
        ``product`` multiplies unconditional probabilities as equation (15) does; it is what the
        published tables hold, and is too high.
    priors
        (a, b) for each rate; uniform unless given.
    shares
        Samples of each system relative to ``samples``, such as (1.5, 0.5); 1 each unless given.

    Notes
    -----
    The results of a real test scatter about the rates, so this confidence is reached in about
    half of all tests; :func:`steelyard.planning.posterior_assurance` says in how many.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, section 4 and tables 1-2.

    Examples
    --------
    >>> rates = [0.90, 0.88, 0.86]
    >>> round(posterior_confidence(rates, 1000), 4)
    0.9219
    >>> exact = posterior_confidence(rates, 1000, question="ranking")
    >>> product = posterior_confidence(rates, 1000, question="ranking", method="product")
    >>> round(exact, 4), round(product, 4)
    (0.8315, 0.837)
    """
    return 1 - _miss(_question(rates, question, method, priors, shares), samples)


def posterior_samples(
    rates: Sequence[float],
    confidence: float,
    *,
    question: PosteriorQuestion = "best",
    method: RankingMethod = "exact",
    priors: Sequence[Prior] | None = None,
    shares: Sequence[float] | None = None,
    limit: int = LIMIT,
) -> PosteriorSize:
    r"""Samples of each system until :func:`posterior_confidence` reaches a confidence.

    The root in n of :math:`P_b(n) = c`, as the published tables print it, and the next whole
    number.

    Notes
    -----
    Best and second best decide the selection, the closest two decide the ranking; equal ones are
    refused, for no number of samples would do. The published ranking columns follow the product
    and need up to 43 samples more than printed.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, section 4 and tables 3-4.

    Examples
    --------
    >>> size = posterior_samples([0.90, 0.88, 0.86], 0.95)
    >>> round(size.exact, 2), size.samples
    (1332.49, 1333)
    """
    check_share("confidence", confidence)
    asked = _question(rates, question, method, priors, shares)
    check_separable(asked.rates, question)
    high, low = nearest_pair(asked.rates, question)
    spread = high * (1 - high) + low * (1 - low)
    # A pair needs at least the normal approximation; below one half nothing is known of it.
    start = max(spread * (float(ndtri(max(confidence, 0.6))) / (high - low)) ** 2, 1.0)
    exact = samples_for(lambda n: _miss(asked, n), 1 - confidence, start=start, limit=limit)
    samples = whole_samples(exact)
    return PosteriorSize(
        question=question,
        confidence=confidence,
        exact=exact,
        samples=samples,
        reached=None if samples is None else 1 - _miss(asked, samples),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    rates: tuple[float, ...]
    priors: tuple[Prior, ...]
    shares: tuple[float, ...]
    question: PosteriorQuestion
    method: RankingMethod

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(str(place) for place in range(len(self.rates)))


def _question(
    rates: Sequence[float],
    question: PosteriorQuestion,
    method: RankingMethod,
    priors: Sequence[Prior] | None,
    shares: Sequence[float] | None,
) -> _Question:
    checked = check_rates(rates)
    for name, word, choices in (
        ("question", question, ("best", "ranking")),
        ("method", method, ("exact", "product")),
    ):
        if word not in choices:
            raise RequestError.for_choice(name=name, given=word, choices=choices)
    given = tuple(priors) if priors is not None else (UNIFORM,) * len(checked)
    if len(given) != len(checked):
        message = f"{len(given)} priors for {len(checked)} rates; give (a, b) for each rate."
        raise RequestError(message)
    parts = tuple(shares) if shares is not None else (1.0,) * len(checked)
    if len(parts) != len(checked) or not all(part > 0 for part in parts):
        message = f"shares={shares!r}; expected a number above 0 for each of {len(checked)} rates."
        raise RequestError(message)
    order = sorted(range(len(checked)), key=lambda place: -checked[place])
    return _Question(
        rates=tuple(checked[place] for place in order),
        priors=tuple(given[place] for place in order),
        shares=tuple(parts[place] for place in order),
        question=question,
        method=method,
    )


def _miss(asked: _Question, samples: float) -> float:
    """Chance that the answer the rates suggest is wrong, after so many samples."""
    if not samples >= 0:
        message = f"samples={samples!r}; expected 0 or more samples of each system."
        raise RequestError(message)
    parts = list(zip(asked.rates, asked.priors, asked.shares, strict=True))
    posteriors = BetaPosteriors(
        systems=asked.systems,
        a=tuple(rate * samples * share + prior[0] for rate, prior, share in parts),
        b=tuple((samples - rate * samples) * share + prior[1] for rate, prior, share in parts),
    )
    if asked.question == "best":
        return probability_best(posteriors).not_best[0]
    ranked = {"exact": probability_of_ranking, "product": ranking_probability_by_product}
    return 1 - ranked[asked.method](posteriors, ranking=asked.systems).probability


# --- the four tables of the posterior-probability procedure, computed anew -----------------------


Row = dict[str, str | int | float | None]

TOPS = (70, 80, 90)
STEPS = (2, 4, 6, 8, 10)
SAMPLES = (100, 300, 500, 1000, 3000)
CONFIDENCES = (0.9, 0.95)
TABLE_SIZES = {1: 3, 2: 4, 3: 3, 4: 4}
"""Systems in each table."""

NOT_IN_PRINT = (0, 2, 8, 10)
"""The steps below the best rate of the three rows that tables 2 and 4 lack."""


def compute_published_table(number: int) -> Iterator[Row]:
    """Compute one of the four tables, row by row in the order of the paper.

    Tables 1 and 2 have the confidence at n samples for three and four systems, tables 3 and 4 the
    samples for a confidence. ``select`` follows equation 12; ``rank`` is given by the product of
    equation 15, which is what was printed, and exactly by equation 14. Three rows of four systems
    are not in print and are marked so.

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, appendix 2.

    Examples
    --------
    >>> first = next(compute_published_table(1))
    >>> first["kind"], first["n"], round(first["computed_eq12"], 6)
    ('select', 100, 0.518968)
    """
    if number not in TABLE_SIZES:
        message = f"There is no table {number!r}; the paper has tables 1, 2, 3 and 4."
        raise RequestError(message)
    for top in TOPS:
        for below in combinations(STEPS, TABLE_SIZES[number] - 1):
            steps = (0, *below)
            rates = tuple((top - step) / 100 for step in steps)
            names = [f"p{place}" for place in range(len(rates), 0, -1)]
            head: Row = {n: f"{rate:.2f}" for n, rate in zip(names, rates, strict=True)}
            rows = _confidences(rates) if number < 3 else _samples(rates)
            for row in rows:
                yield head | row | {"in_print": "no" if steps == NOT_IN_PRINT else "yes"}


def _confidences(rates: tuple[float, ...]) -> Iterator[Row]:
    for n in SAMPLES:
        yield {
            "kind": "select",
            "n": n,
            "computed_eq12": posterior_confidence(rates, n),
            "computed_eq15": None,
            "computed_eq14": None,
        }
    for n in SAMPLES:
        yield {
            "kind": "rank",
            "n": n,
            "computed_eq12": None,
            "computed_eq15": posterior_confidence(rates, n, question="ranking", method="product"),
            "computed_eq14": posterior_confidence(rates, n, question="ranking"),
        }


def _samples(rates: tuple[float, ...]) -> Iterator[Row]:
    for confidence in CONFIDENCES:
        size = posterior_samples(rates, confidence)
        yield {
            "kind": "select",
            "confidence": confidence,
            "computed_n_eq12": size.exact,
            "computed_n_eq15": None,
            "computed_n_eq14": None,
            "ceil_n_true": size.samples,
        }
    for confidence in CONFIDENCES:
        exact = posterior_samples(rates, confidence, question="ranking")
        product = posterior_samples(rates, confidence, question="ranking", method="product")
        yield {
            "kind": "rank",
            "confidence": confidence,
            "computed_n_eq12": None,
            "computed_n_eq15": product.exact,
            "computed_n_eq14": exact.exact,
            "ceil_n_true": exact.samples,
        }

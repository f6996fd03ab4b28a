"""The four tables of the posterior-probability procedure, computed anew."""

from collections.abc import Iterator
from itertools import combinations

from steelyard.errors import RequestError
from steelyard.planning.posterior.best import posterior_confidence, posterior_samples

__all__ = ["TABLE_SIZES", "published_table"]

Row = dict[str, str | int | float | None]

TOPS = (70, 80, 90)
STEPS = (2, 4, 6, 8, 10)
SAMPLES = (100, 300, 500, 1000, 3000)
CONFIDENCES = (0.9, 0.95)
TABLE_SIZES = {1: 3, 2: 4, 3: 3, 4: 4}
"""Systems in each table."""

NOT_IN_PRINT = (0, 2, 8, 10)
"""The steps below the best rate of the three rows that tables 2 and 4 lack."""


def published_table(number: int) -> Iterator[Row]:
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
    >>> first = next(published_table(1))
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

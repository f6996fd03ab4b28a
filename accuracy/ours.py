"""Each function as users call it, with the arguments of the registry."""

from collections.abc import Callable
from typing import Any

from steelyard import comparison, measures, planning, uncertainty
from steelyard.comparison.beta_model import BetaPosteriors
from steelyard.comparison.datasets import range_probability
from steelyard.comparison.spending import spending_bounds
from steelyard.counts import Confusion, ScoreTable
from steelyard.counts.outcomes import PairTable
from steelyard.uncertainty.areas import delong_variance
from steelyard.uncertainty.domain import normal_quantile

__all__ = ["OURS"]


def _share(name: str) -> Callable[..., Any]:
    interval = getattr(uncertainty, name)
    return lambda x, n, level: interval(x, n, level=level)


def _two(name: str) -> Callable[..., Any]:
    interval = getattr(uncertainty, name)
    return lambda x, m, y, n, level: interval((x, m), (y, n), level=level)


def _posteriors(pairs: Any) -> BetaPosteriors:
    names = tuple(f"s{n}" for n in range(len(pairs)))
    return BetaPosteriors(systems=names, a=tuple(a for a, _ in pairs), b=tuple(b for _, b in pairs))


def _mcnemar(method: Any) -> Callable[..., Any]:
    return lambda b, c: (
        comparison.mcnemar(PairTable(both=1, first=b, second=c, neither=1), method=method).p_value
    )


OURS: dict[str, Callable[..., Any]] = {
    "normal_quantile": normal_quantile,
    **{
        name: _share(name)
        for name in (
            "wilson_interval",
            "agresti_coull_interval",
            "clopper_pearson_interval",
            "jeffreys_interval",
            "midp_interval",
        )
    },
    **{
        name: _two(name)
        for name in ("newcombe_interval", "mee_interval", "miettinen_nurminen_interval")
    },
    "tango_interval": lambda a, b, c, d, level: uncertainty.tango_interval(a, b, c, d, level=level),
    "mcnemar, exact": _mcnemar("exact"),
    "mcnemar, mid-p": _mcnemar("mid-p"),
    "fisher_exact": lambda x, m, y, n: comparison.fisher_exact((x, m), (y, n)).p_value,
    "boschloo": lambda x, m, y, n: comparison.unconditional_exact((x, m), (y, n)).p_value,
    "k_sample_chi_square": lambda samples: comparison.k_sample_chi_square(samples).p_value,
    "probability_better": lambda a, b, c, d: comparison.probability_better(
        _posteriors(((a, b), (c, d)))
    ).better[0][1],
    "probability_best, all": lambda pairs: comparison.probability_best(_posteriors(pairs)).best,
    "probability_best, not best": lambda pairs: comparison.probability_best(
        _posteriors(pairs)
    ).not_best[0],
    "discordant_evidence": lambda b, c, prior: (
        comparison.discordant_evidence(b, c, prior=prior).log_different
    ),
    "akaike_independent": lambda x, m, y, n: (
        comparison.akaike_independent((x, m), (y, n)).difference
    ),
    "delong_variance": lambda p, n: delong_variance(
        ScoreTable.from_scores(list(map(float, p)), list(map(float, n)), positive="1")
    ),
    "cohen_kappa, standard error": lambda table: (
        measures.cohen_kappa(Confusion.from_matrix([list(row) for row in table])).standard_error
    ),
    "range_probability": range_probability,
    "probability_correct_selection": lambda n, k, lead, rate: (
        comparison.probability_correct_selection(n, k, lead=lead, best_rate=rate)
    ),
    "spending_boundaries": lambda kind, sides, alpha, fractions: tuple(
        spending_bounds(fractions, alpha=alpha, kind=kind, sides=sides).bounds
    ),
    "wilson_width": lambda rate, n, level: planning.wilson_width(rate, n, level=level),
}

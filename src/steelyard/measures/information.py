"""Which fitted model to keep: AIC, AICc and BIC from log-likelihoods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, isfinite, log
from typing import Any, Literal

from steelyard.errors import NotComparable, RequestError, listing

__all__ = [
    "CRITERIA",
    "Criterion",
    "FittedModel",
    "ModelRank",
    "aic",
    "aicc",
    "bic",
    "fitted_model",
    "log_bayes_factor",
    "ranked_models",
]

Criterion = Literal["aic", "aicc", "bic"]
CRITERIA: tuple[Criterion, ...] = ("aic", "aicc", "bic")


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedModel:
    """One fitted model: natural log-likelihood at its maximum, estimated parameters, observations.

    ``parameters`` counts everything that was estimated, a variance included. ``response`` names
    what was modelled, so that models of other responses (or of a transformed one) are refused.
    """

    name: str
    log_likelihood: float
    parameters: int
    items: int
    response: str | None = None

    def __post_init__(self) -> None:
        if not isfinite(self.log_likelihood) or self.parameters < 0 or self.items < 1:
            message = (
                f"Model {self.name!r} has log-likelihood {self.log_likelihood!r}, "
                f"{self.parameters!r} parameters and {self.items!r} observations; expected a "
                "finite number, 0 or more, and 1 or more."
            )
            raise RequestError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRank:
    """One model among others: its criterion, how far it is from the best, and its weight."""

    model: FittedModel
    value: float
    difference: float
    weight: float


def aic(model: FittedModel) -> float:
    r"""Akaike's criterion :math:`-2\ln L+2k`; smaller is better [1]_.

    :math:`L` is the maximum likelihood itself: a source that calls it "log-likelihood" and then
    takes its logarithm has named it wrongly.

    References
    ----------
    .. [1] Akaike (1974), IEEE Transactions on Automatic Control 19, 716-723,
       doi:10.1109/TAC.1974.1100705.

    Examples
    --------
    >>> aic(FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100))
    247.0
    """
    return -2 * model.log_likelihood + 2 * model.parameters


def aicc(model: FittedModel) -> float | None:
    r"""Akaike's criterion for few observations: AIC :math:`+\frac{2k(k+1)}{n-k-1}` [1]_.

    None when :math:`n\le k+1`, where it is not defined.

    References
    ----------
    .. [1] Hurvich & Tsai (1989), Biometrika 76, 297-307, doi:10.1093/biomet/76.2.297.

    Examples
    --------
    >>> aicc(FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100))
    247.25
    """
    k, left = model.parameters, model.items - model.parameters - 1
    return aic(model) + 2 * k * (k + 1) / left if left > 0 else None


def bic(model: FittedModel) -> float:
    r"""Schwarz' criterion :math:`-2\ln L+k\ln n`; smaller is better [1]_.

    References
    ----------
    .. [1] Schwarz (1978), Annals of Statistics 6, 461-464, doi:10.1214/aos/1176344136.

    Examples
    --------
    >>> round(bic(FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100)), 4)
    254.8155
    """
    return -2 * model.log_likelihood + model.parameters * log(model.items)


def log_bayes_factor(first: FittedModel, second: FittedModel) -> float:
    r"""Natural logarithm of the Bayes factor for the first model, to the order of BIC.

    :math:`\ln B_{12}\approx-\tfrac12(\mathrm{BIC}_1-\mathrm{BIC}_2)` [1]_; above 0 favours
    the first. The half is needed: the difference of two BIC is twice that logarithm, with the
    other sign.

    References
    ----------
    .. [1] Kass & Wasserman (1995), JASA 90, 928-934, doi:10.1080/01621459.1995.10476592.

    Examples
    --------
    >>> one = FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100)
    >>> two = FittedModel(name="B", log_likelihood=-121.0, parameters=5, items=100)
    >>> round(log_bayes_factor(one, two), 4)
    5.1052
    """
    _check_comparable([first, second])
    more = first.parameters - second.parameters
    return first.log_likelihood - second.log_likelihood - more * log(first.items) / 2


def ranked_models(
    models: Sequence[FittedModel], criterion: Criterion = "aic"
) -> tuple[ModelRank, ...]:
    r"""Put models in order of a criterion, the best first, with differences and weights.

    Weights are :math:`e^{-\Delta_i/2}/\sum_je^{-\Delta_j/2}` [1]_ and add up to 1.

    Parameters
    ----------
    models : sequence of FittedModel
        Two or more, with different names, of the same response and observations.
    criterion : {"aic", "aicc", "bic"}
        Smaller is better for each.

    Notes
    -----
    No criterion says that the best model is good: all may be bad. Likelihoods of different
    families compare only on the same response; a model of log y must be carried back with the
    Jacobian first.

    References
    ----------
    .. [1] Burnham & Anderson (2002), Model Selection and Multimodel Inference, 2nd edition,
       Springer, section 2.9, doi:10.1007/b97636.

    Examples
    --------
    >>> one = FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100)
    >>> two = FittedModel(name="B", log_likelihood=-121.0, parameters=5, items=100)
    >>> [(rank.model.name, rank.difference) for rank in ranked_models([two, one])]
    [('A', 0.0), ('B', 5.0)]
    """
    if criterion not in CRITERIA:
        raise RequestError.for_choice("criterion", criterion, CRITERIA)  # noqa: EM101
    _check_comparable(models)
    values = [(model, _value(model, criterion)) for model in models]
    best = min(value for _, value in values)
    parts = [exp(-(value - best) / 2) for _, value in values]
    ranks = [
        ModelRank(model=model, value=value, difference=value - best, weight=part / sum(parts))
        for (model, value), part in zip(values, parts, strict=True)
    ]
    return tuple(sorted(ranks, key=lambda rank: rank.value))


def fitted_model(name: str, fit: Any, *, response: str | None = None) -> FittedModel:  # noqa: ANN401
    """Take log-likelihood, parameters and observations from a fitted object.

    Parameters
    ----------
    name : str
        What to call it.
    fit : object
        With ``llf`` and ``nobs``, and ``params`` (or ``df_model`` and ``k_constant``), as results
        of statsmodels have. An estimated variance that is not among ``params`` (as in ordinary
        least squares) is not counted by those objects; add one parameter by hand where it matters.
    response : str, optional
        What was modelled; by default ``fit.model.endog_names`` where it is there.

    References
    ----------
    .. [1] Seabold & Perktold (2010), Proceedings of the 9th Python in Science Conference, 92-96,
       doi:10.25080/Majora-92bf1922-011.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> fit = SimpleNamespace(llf=-120.5, nobs=100, df_model=2, k_constant=1)
    >>> fitted_model("A", fit).parameters
    3
    """
    missing = [word for word in ("llf", "nobs") if not hasattr(fit, word)]
    counted = _parameters(fit)
    if missing or counted is None:
        wanted = missing or ["params or df_model"]
        message = (
            f"Model {name!r} ({type(fit).__name__}) has no {listing(wanted)}. Pass "
            "FittedModel(name=..., log_likelihood=..., parameters=..., items=...)."
        )
        raise RequestError(message)
    named = getattr(getattr(fit, "model", None), "endog_names", None)
    return FittedModel(
        name=name,
        log_likelihood=float(fit.llf),
        parameters=counted,
        items=int(fit.nobs),
        response=response or (str(named) if named is not None else None),
    )


def _parameters(fit: Any) -> int | None:  # noqa: ANN401
    if getattr(fit, "params", None) is not None:
        return len(fit.params)
    if hasattr(fit, "df_model"):
        return int(fit.df_model) + int(getattr(fit, "k_constant", 0))
    return None


def _value(model: FittedModel, criterion: Criterion) -> float:
    found = {"aic": aic, "aicc": aicc, "bic": bic}[criterion](model)
    if found is None:
        message = (
            f"AICc of {model.name!r} is undefined: {model.items} observations for "
            f"{model.parameters} parameters. Use criterion='aic' or 'bic'."
        )
        raise NotComparable(message, code="too-few-items")
    return found


def _check_comparable(models: Sequence[FittedModel]) -> None:
    if len(models) < 2 or len({model.name for model in models}) != len(models):
        message = (
            f"{len(models)} models, named {listing([m.name for m in models])}; expected two or"
        )
        message += " more with different names."
        raise RequestError(message)
    facts: Mapping[str, set[object]] = {
        "observations": {model.items for model in models},
        "responses": {model.response for model in models if model.response is not None},
    }
    for what, found in facts.items():
        if len(found) > 1:
            message = (
                f"The models have different {what}: {listing(sorted(map(str, found)))}. "
                "Likelihoods compare only on the same observations of the same response. Fit all "
                "models on those."
            )
            raise NotComparable(message, code="models-differ")

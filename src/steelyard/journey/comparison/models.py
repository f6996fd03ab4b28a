"""Which fitted model describes the observations best?"""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard import measures
from steelyard.errors import RequestError
from steelyard.journey.opening import record_of_counts
from steelyard.measures import Criterion, FittedModel, aic
from steelyard.results import Models, RankedModel

__all__ = ["rank_models"]

LIMITS = (
    "a criterion ranks the models that were given; the best of them may still be bad",
    "likelihoods compare only on the same response: carry a model of a transformed response back "
    "with the Jacobian first",
)


def rank_models(
    models: Sequence[Any] | Mapping[str, Any], *, criterion: Criterion = "aic"
) -> Models:
    """Put fitted models in order of AIC, AICc or BIC, with differences and weights.

    Parameters
    ----------
    models
        ``FittedModel`` objects, or a mapping of names to fitted objects that have ``llf``,
        ``nobs`` and ``params``, as results of statsmodels do.
    criterion
        ``aic``, ``aicc`` or ``bic``; smaller is better for each.

    Returns
    -------
    Models
        The models in order, with differences and weights.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> from steelyard.measures import FittedModel
    >>> one = FittedModel(name="A", log_likelihood=-120.5, parameters=3, items=100)
    >>> two = FittedModel(name="B", log_likelihood=-121.0, parameters=5, items=100)
    >>> rank_models([one, two]).models[0].name
    'A'
    """
    given = _fit(models)
    ranks = measures.ranked_models(given, criterion)
    best = min(given, key=measures.bic)
    return Models(
        criterion=criterion,
        items=given[0].items,
        models=tuple(
            RankedModel(
                name=rank.model.name,
                log_likelihood=rank.model.log_likelihood,
                parameters=rank.model.parameters,
                aic=aic(rank.model),
                aicc=measures.aicc(rank.model),
                bic=measures.bic(rank.model),
                difference=rank.difference,
                weight=rank.weight,
                log_bayes_factor=0.0
                if rank.model is best
                else measures.log_bayes_factor(best, rank.model),
            )
            for rank in ranks
        ),
        provenance=record_of_counts({"criterion": criterion}),
        caveats=LIMITS,
    )


def _fit(models: Sequence[Any] | Mapping[str, Any]) -> list[FittedModel]:
    if isinstance(models, Mapping):
        return [
            fit if isinstance(fit, FittedModel) else measures.fitted_model(str(name), fit)
            for name, fit in models.items()
        ]
    wrong = [type(model).__name__ for model in models if not isinstance(model, FittedModel)]
    if wrong:
        message = (
            f"A {wrong[0]} came without a name. Pass {{'name': fit, ...}} or FittedModel(...)."
        )
        raise RequestError(message)
    return list(models)

"""Which system is better, and how sure is that?"""

from collections.abc import Mapping
from typing import Any, Unpack, overload

from steelyard.counts import JointCalls, JointScores, Outcomes, Trials
from steelyard.errors import RequestError
from steelyard.journey.arguments import check_arguments
from steelyard.journey.comparison.checks import (
    asked_again,
    check_comparable,
    need_two,
    one_method,
    said_as_accuracy,
    unused_roles,
)
from steelyard.journey.comparison.kinds import (
    compare_counts,
    compare_on_items,
    compare_predictions,
    with_slices,
)
from steelyard.journey.comparison.question import Question, said_prior
from steelyard.journey.opening import checked_seed, opened, provenance_of, record_of_counts
from steelyard.journey.option_types import CompareOptions
from steelyard.journey.options import settle, takes
from steelyard.results import Comparison, Working

__all__ = ["compare"]


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    method: None = None,
    measure: None = None,
    using: None = None,
    **options: Unpack[CompareOptions],
) -> Comparison: ...


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    method: str | None = ...,
    measure: str | None = ...,
    using: Mapping[str, Any] | None = ...,
    **options: Unpack[CompareOptions],
) -> Comparison | Working: ...


@check_arguments
@takes("compare")
def compare(data: Any, **options: Any) -> Comparison | Working:
    """Say which system is better, how sure that is, and who cannot be told apart yet.

    Systems that are right or wrong on common items are compared by their joint posterior and by
    mid-p McNemar tests, adjusted for all pairs by Shaffer's procedure; on independent test sets by
    exact Beta posteriors and score tests; systems that give scores by the areas under their ROC
    curves, with DeLong's covariance. Where only the totals on common items are known, by Akaike's
    criterion alone.

    Parameters
    ----------
    data
        Whatever :func:`steelyard.sources.open_predictions` takes, or counts: ``Outcomes``,
        ``JointCalls``, ``Trials`` or ``JointScores``.
    level
        Coverage of the intervals.
    alpha
        Family-wise error rate of the verdicts.
    margin
        Systems that differ by less than this with probability ``level`` count as the same.
    prior
        For independent test sets: right and wrong answers believed beforehand, ``(a, b)`` for all
        systems or ``{"S": (190, 10)}`` for some; (1, 1), the uniform prior, for the others.
    by_group
        Also compare within each slice that ``group`` names. All slices and pairs together hold
        ``alpha``, by Shaffer's procedure over all of them.
    method
        Show this method alone, with its full working, as a ``Working``: a name of
        :data:`steelyard.comparison.methods.METHODS`, or ``list`` for all of them.
    measure
        Compare by this measure of the catalogue, by ``method``. Unless one is given, accuracy is
        compared as without a measure; recall, specificity and their complements by the same tests
        on the items they are of (``paired-shares``); other measures of calls by limits that allow
        for one unseen item (``guarded``), areas by ``placement``, and other measures of scores by
        ``bootstrap``.
    using
        Settings of the method, such as ``{"control": "svm"}``.
    estimand
        Whom the numbers speak of: ``population``, items like these, or ``items``, these very
        items, each asked more than once.
    rng
        Seed of the simulations, recorded in the result.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> outcomes = sy.Outcomes.from_pair(
    ...     both=160, first=18, second=5, neither=17, systems=("A", "B"))
    >>> round(sy.compare(outcomes).systems[0].best, 3)
    0.997
    """
    own, roles = settle("compare", options)
    by_group, measure, using = own["by_group"], own["measure"], own["using"]
    for name in ("level", "alpha", "margin"):
        if own[name] is not None and not 0 < own[name] < 1:
            raise RequestError.for_level(name, own[name])
    rng = checked_seed(own["rng"])
    asked = {name: own[name] for name in ("level", "alpha", "margin", "prior")}
    settings = {
        **asked, "prior": said_prior(own["prior"]), "by_group": by_group or None,
        "method": own["method"], "measure": measure, "estimand": own["estimand"],
        **dict(using or {}),
    }  # fmt: skip
    alone = one_method(own["method"], measure, using, by_group=by_group)
    very_items = asked_again(own["estimand"], alone, by_group=by_group)
    if isinstance(data, Outcomes | JointCalls | Trials | JointScores):
        given = sorted(name for name, value in roles.items() if value is not None)
        given += ["estimand"] if very_items else []
        if given or by_group:
            name = given[0] if given else "by_group"
            message = f"Counts have no columns, so {name}= says nothing. Leave it out."
            raise RequestError(message)
        record = record_of_counts(settings, seed=rng)
        question = Question(
            **asked,
            seed=rng,
            provenance=record,
            caveats=said_as_accuracy(alone, measure, scores=isinstance(data, JointScores)),
        )
        if alone is not None:
            from steelyard.journey.comparison.one_method import answer_of_counts

            need_two(data.systems)
            return answer_of_counts(data, question, name=alone, measure=measure, using=using)
        return compare_counts(data, question)
    predictions = opened(data, roles)
    question = Question(
        **asked,
        seed=rng,
        provenance=provenance_of(predictions, settings, seed=rng),
        caveats=(
            *predictions.caveats,
            *unused_roles(predictions, alone, by_group=by_group),
            *said_as_accuracy(alone, measure, scores=not predictions.with_answers()),
        ),
    )
    check_comparable(predictions, counted=alone is not None or by_group or very_items)
    if alone is not None:
        from steelyard.journey.comparison.one_method import answer_of_predictions

        return answer_of_predictions(
            predictions, question, name=alone, measure=measure, using=using
        )
    if very_items:
        return compare_on_items(predictions, question)
    whole = compare_predictions(predictions, question)
    return with_slices(whole, predictions, question) if by_group else whole

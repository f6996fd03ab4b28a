"""One table of calls, or one for each cluster, becomes the parts of an answer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard.counts import (
    Confusion,
    Grouped,
    Trials,
)
from steelyard.errors import RequestError
from steelyard.journey.evaluation.guidance import (
    explained_kappa,
    further_measures,
    tested_against_nothing,
)
from steelyard.journey.evaluation.question import EvaluationQuestion, cost_pairs
from steelyard.measures import (
    accuracy,
    cluster_caveats,
    clustered_accuracy,
    clustered_class_share,
    clustered_kappa,
    clustered_measures,
    cohen_kappa,
    counted_accuracy,
    recall_and_precision,
    warn_if_useless,
)
from steelyard.measures.tables.shares import weight_caveats
from steelyard.results import ClassMeasures, Estimate
from steelyard.results.measured import Measured

__all__ = ["of_clusters", "of_confusion", "of_outcomes"]

NO_WIDTH = (
    "Wald's interval has no width when all or none are right, which is no certainty: "
    "method='wilson' (--method wilson) has one"
)


def of_clusters(
    grouped: Grouped[Confusion], asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    """Measure all clusters together, with intervals that take clusters as independent."""
    if asked.method != "wilson":
        message = (
            f"method={asked.method!r} takes items as independent, and these come in clusters. "
            "Leave the method out: intervals are then cluster-robust."
        )
        raise RequestError(message)
    if asked.kappa_method is not None:
        message = (
            f"kappa_method={asked.kappa_method!r} takes items as independent, and these come in "
            "clusters. Leave it out: the interval of kappa is then cluster-robust."
        )
        raise RequestError(message)
    level, whole = asked.level, grouped.merged()
    parts = of_confusion(whole, asked, positive)
    of_items = parts["kappa"].caveats
    parts["accuracy"] = clustered_accuracy(grouped, level=level)
    costs = None if asked.cost is None else cost_pairs(whole, asked.cost, positive)
    parts["further"] = clustered_measures(
        grouped,
        lambda table: further_measures(table, positive=positive, question=asked),
        costs=costs,
        level=level,
    )
    parts["kappa"] = clustered_kappa(grouped, level=level)
    parts["per_class"] = tuple(
        replace(
            one,
            recall=clustered_class_share(grouped, "recall", of=one.name, level=level),
            precision=clustered_class_share(grouped, "precision", of=one.name, level=level),
        )
        for one in parts["per_class"]
    )
    parts["caveats"] = (
        *cluster_caveats(len(grouped), whole.total),
        *(one for one in parts["caveats"] if one not in of_items),
        *parts["kappa"].caveats,
    )
    return parts


def of_confusion(
    confusion: Confusion, asked: EvaluationQuestion, positive: str | None = None
) -> dict[str, Any]:
    """Measure a table of calls with every interval."""
    level, method = asked.level, asked.method
    kappa = cohen_kappa(confusion, level=level, method=asked.kappa_method or "adjusted")
    true = confusion.true_totals()
    called = confusion.called_totals()
    return {
        "items": confusion.total,
        "accuracy": accuracy(confusion, level=level, method=method),
        "kappa": kappa,
        "per_class": tuple(
            ClassMeasures(name=name, recall=found, precision=meant)
            for name, (found, meant) in recall_and_precision(
                confusion, level=level, method=method
            ).items()
            if true[name] or called[name]
        ),
        "confusion": confusion,
        "further": _with_test(
            further_measures(confusion, positive=positive, question=asked),
            tested_against_nothing(confusion),
        ),
        "caveats": (
            *_no_width(confusion, asked),
            *warn_if_useless(confusion),
            *explained_kappa(confusion),
            *(one for one in kappa.caveats if one not in weight_caveats(confusion)),
        ),
    }


def _with_test(measured: Sequence[Measured], test: tuple[Estimate, ...]) -> tuple[Measured, ...]:
    """Put the test of accuracy behind the rate that it is tested against."""
    places = [i for i, one in enumerate(measured) if one.measure == "no-information rate"]
    after = places[0] + 1 if places else len(measured)
    return (*measured[:after], *test, *measured[after:])


def _no_width(confusion: Confusion, asked: EvaluationQuestion) -> tuple[str, ...]:
    """Warn that Wald's interval says nothing where every item, or none, is right."""
    right = sum(rows for truth, called, rows in confusion.cells if truth == called)
    certain = right in {0, confusion.total} and confusion.total and confusion.weights is None
    return (NO_WIDTH,) if asked.method == "wald" and certain else ()


def of_outcomes(trials: Trials, system: str, asked: EvaluationQuestion) -> dict[str, Any]:
    """Measure answers that are right or wrong."""
    place = trials.systems.index(system)
    right, tested = trials.correct[place], trials.tested[place]
    found = counted_accuracy(right, tested, level=asked.level, method=asked.method)
    return {"items": tested, "accuracy": found}

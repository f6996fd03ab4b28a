"""A threshold with a promise: precision at least so much, although it was chosen on the data."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from steelyard import measures, planning, uncertainty
from steelyard.counts import Grouped, ScoreTable
from steelyard.errors import NotComparable, RequestError, counted, listing, switch
from steelyard.journey.opening import RoleArguments, provenance_of
from steelyard.journey.thresholds.answers import measure_point
from steelyard.measures import Number, PromisedThreshold, ThresholdQuestion
from steelyard.results import MethodThreshold, Proportion, ThresholdChoice
from steelyard.results.claims import read_claim
from steelyard.results.estimates import Interval

__all__ = ["PROMISED", "find_promised", "is_vector_alone", "promise_answers", "read_promise"]

PROMISED = "promised"
HUNDREDTHS = tuple(round(1 - step / 100, 2) for step in range(1, 100))
"""The thresholds that are tried of probabilities, where nobody named others."""
WORDS = (
    "the lowest of thresholds that were fixed beforehand, tried from the strictest down, above "
    "which the promise is shown"
)


def read_promise(text: str, grid: Sequence[Number] | None) -> tuple[float, tuple[float, ...]]:
    """Read ``precision at least 0.9`` or ``risk at most 0.02``, and the thresholds to try."""
    claim = read_claim(text)
    name = (claim.measure or "precision").lower()
    target = claim.limit
    asked = (name, claim.side, claim.per)
    if asked in {("risk", "at most", None), ("error", "at most", None)}:
        target = round(1 - claim.limit, 12)  # 1 - 0.02 is 0.98, as it was typed
    elif asked not in {("precision", "at least", None), ("ppv", "at least", None)}:
        message = (
            f"promise={text!r}: a threshold promises how many of its calls are right: 'precision "
            "at least 0.9', or 'risk at most 0.02'."
        )
        raise RequestError(message, code="promise")
    if not 0 < target < 1:
        message = f"promise={text!r}: precision lies between 0 and 1, and certainty is never shown."
        raise RequestError(message, code="promise")
    listed = [grid] if isinstance(grid, str) else grid or ()
    tried = {float(measures.exact_number(one, "grid")) for one in listed}
    return target, tuple(sorted(tried, reverse=True))


def find_promised(
    table: ScoreTable,
    promise: str,
    grid: Sequence[Number] | None,
    *,
    level: float,
    question: ThresholdQuestion,
    clusters: Grouped[ScoreTable] | None,
) -> MethodThreshold:
    """Find the lowest threshold whose promise is shown, or say why none can keep it."""
    if clusters is not None:
        message = (
            "A promise counts independent items, and these come in clusters, which may be right or "
            "wrong together. Leave the clusters out only if they do not matter: cluster='' "
            "(--cluster '')."
        )
        raise NotComparable(message, code="promise")
    target, tried = read_promise(promise, grid)
    tried = tried or _usual_grid(table)
    scores = np.repeat(
        np.concatenate([table.scores, table.scores]),
        np.concatenate([table.positives, table.negatives]).astype(np.int64),
    )
    right = np.repeat([1, 0], [table.positive_total, table.negative_total])
    fewest = _begin_with(target, level, int((scores >= tried[-1]).sum()))
    # Where to begin may hang on how many are called, but not on how many of these are right.
    enough = tuple(one for one in tried if int((scores >= one).sum()) >= fewest)
    if not enough:
        reason = (
            f"no threshold calls {counted(fewest, 'item')}, and fewer show no precision of "
            f"{target:g} with {level:.0%} confidence even when all are right; test more items, or "
            "promise less"
        )
        return _none(target, reason)
    found = measures.promised_threshold(scores, right, target=target, grid=enough, confidence=level)
    if found.threshold is None:
        return _none(target, _why_none(found, level))
    point = measures.point_at(table, found.threshold, question)
    low, _ = uncertainty.clopper_pearson_interval(
        point.tp, point.tp + point.fp, level=2 * level - 1
    )
    ends = Interval(low=low, high=1.0, level=level, method="clopper-pearson")
    measured = measure_point(point)
    measured["precision"] = Proportion(
        measure="precision", successes=point.tp, trials=point.tp + point.fp, interval=ends
    )
    naive = None if found.naive == found.threshold else found.naive
    return MethodThreshold(
        method=PROMISED,
        words=WORDS,
        needs_absences=True,
        threshold=found.threshold,
        below=naive,
        wanted=target,
        promises="precision",
        promise=target,
        **measured,
    )


def is_vector_alone(roles: RoleArguments) -> bool:
    """Tell probabilities of which no class is the positive one: the largest is a certainty."""
    return bool(roles.get("vector")) and roles.get("positive") is None


def promise_answers(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    own: Mapping[str, Any],
    question: ThresholdQuestion,
) -> ThresholdChoice:
    """Promise how many answers are right where one system gives those it is surest of."""
    from steelyard.journey.certainty import read_certainty

    promise, level = own["promise"], own["level"]
    if promise is None:
        message = (
            "certainty= (--certainty) finds from where on to answer: name the risk that you "
            f"accept, {switch('promise', 'risk at most 0.05')}."
        )
        raise RequestError(message, code="promise")
    predictions, found, said = read_certainty(data, roles, own["certainty"])
    if len(found) > 1:
        names = [one.system.name for one in found]
        message = (
            f"{len(found)} systems answer: {listing(names)}. A threshold is set for one of them: "
            f"{switch('systems', names[0])}, with its column of certainties."
        )
        raise NotComparable(message, code="several-scores")
    (one,) = found
    right = one.right > 0
    table = ScoreTable.from_scores(one.sure[right], one.sure[~right], positive="right")
    asked = {"promise": promise, "level": level, "certainty": own["certainty"]}
    return ThresholdChoice(
        system=one.system.name,
        positive=table.positive,
        by=PROMISED,
        items=table.total,
        positives=table.positive_total,
        methods=(
            find_promised(
                table, promise, own["grid"], level=level, question=question, clusters=None
            ),
        ),
        interval=None,
        expected=None,
        level=level,
        resamples=0,
        provenance=provenance_of(predictions, asked),
        caveats=(*predictions.caveats, *said),
        certainties=True,
    )


def _begin_with(target: float, level: float, most: int) -> int:
    """Say how many calls the strictest threshold needs: enough to pass if it is as good as hoped.

    Half the mistakes that are allowed pass in 80 %; where so many are not called, half of what the
    lowest threshold calls, and never fewer than could show the promise at all.
    """
    least = planning.zero_failure_trials(1 - target, 1 - level)
    hoped = planning.acceptance_plan(1 - target, (1 - target) / 2, alpha=1 - level, beta=0.2)
    return max(least, min(most // 2, most if hoped is None else hoped.trials))


def _usual_grid(table: ScoreTable) -> tuple[float, ...]:
    if table.total and (table.scores[0] < 0 or table.scores[-1] > 1):
        message = (
            "A promise is kept by thresholds that were fixed beforehand, and of scores outside "
            "[0, 1] nobody knows them: grid=[3, 2, 1] (--grid 3,2,1)."
        )
        raise RequestError(message, code="promise")
    return HUNDREDTHS


def _none(target: float, reason: str) -> MethodThreshold:
    return MethodThreshold(
        method=PROMISED, words=WORDS, needs_absences=True, threshold=None, wanted=target,
        promises="precision", reason=reason,
    )  # fmt: skip


def _why_none(found: PromisedThreshold, level: float) -> str:
    first = found.steps[0]
    return (
        f"no threshold keeps a precision of {found.target:g} with {level:.0%} confidence; from the "
        f"strictest with calls enough, {first.threshold:g}, {first.right:,} of "
        f"{first.answered:,} are right, which shows {first.low:.3g}. Promise less, or test more "
        "items"
    )

"""Which system is better, and how sure is that?"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from steelyard.counts import (
    JointCalls,
    JointScores,
    Moments,
    Outcomes,
    PlacementSums,
    RoundedTrials,
    Trials,
)
from steelyard.errors import NotComparable, PublishedTable, RequestError
from steelyard.journey.arguments import refuse_beside, refuse_columns, refuse_excess
from steelyard.journey.comparison.kinds import (
    compare_counts,
    compare_on_items,
    compare_predictions,
    with_slices,
)
from steelyard.journey.comparison.published import (
    compare_published,
    count_published,
    find_published,
)
from steelyard.journey.comparison.question import Question, say_prior
from steelyard.journey.comparison.refusals import (
    check_comparable,
    is_about_these_items,
    list_unused_roles,
    need_two,
    one_method,
    say_as_accuracy,
)
from steelyard.journey.missing import say_missing_pairs
from steelyard.journey.opening import (
    asks_certainty,
    check_seed,
    has_values,
    hint_at_systems,
    input_record,
    lives_on_device,
    open_data,
    open_segments,
    provenance_of,
    record_of_counts,
)
from steelyard.journey.option_types import CompareOptions
from steelyard.journey.options import settle, takes
from steelyard.measures.catalogue.listing import catalogue_entry
from steelyard.results import Comparison, InputRecord
from steelyard.sources import Predictions, is_reader_study

if TYPE_CHECKING:
    from steelyard.results import DatasetComparison, ReaderComparison, ValueComparison, Working
    from steelyard.sources.leaderboards import Leaderboard

__all__ = ["compare"]

OF_FILES = frozenset({"pairing", "observe", "memory"})
"""What is said of a table of published results, and not of its counts."""

COUNTS = (Outcomes, JointCalls, Trials, JointScores, PlacementSums, RoundedTrials)


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    method: None = None,
    measure: None = None,
    using: None = None,
    layout: None = None,
    **options: Unpack[CompareOptions],
) -> Comparison: ...


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    method: str | None = ...,
    measure: str | None = ...,
    using: Mapping[str, Any] | None = ...,
    layout: None = None,
    **options: Unpack[CompareOptions],
) -> "Comparison | Working": ...


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    layout: Literal["datasets"],
    **options: Unpack[CompareOptions],
) -> "DatasetComparison": ...


@overload
def compare(
    data: Any,  # noqa: ANN401
    *,
    layout: Literal["segments"],
    method: str | None = ...,
    using: Mapping[str, Any] | None = ...,
    **options: Unpack[CompareOptions],
) -> "Comparison | Working": ...


@refuse_excess
@takes("compare")
def compare(
    data: Any,
    **options: Any,
) -> "Comparison | Working | DatasetComparison | ReaderComparison":
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
        ``JointCalls``, ``Trials``, ``RoundedTrials`` or ``JointScores``; or a file with a pasted
        table of published results, a name and a share a row.
    accuracy
        The column of shares, where such a table has several.
    tested
        How many items were tested, where such a table does not say it: one number, or one for
        each system.
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
        Also compare within each slice; a ``group`` that is named asks for it as well. All slices
        and pairs together hold ``alpha``, by Shaffer's procedure over all of them.
    cost
        What systems cost, beside a number that says how good they are: columns, in the order of
        the systems, or prices by name. Adds who is on the front of quality and cost, who is off
        it, and who is undecided; all claims together hold ``alpha``.
    method
        Show this method alone, with its full working, as a ``Working``: a name of
        :data:`steelyard.comparison.methods.METHODS`, or ``list`` for all of them.
    measure
        Compare by this measure of the catalogue, by ``method``. Unless one is given, accuracy is
        compared as without a measure; recall, specificity and their complements by the same tests
        on the items they are of (``paired-shares``); other measures of calls by limits that allow
        for one unseen item (``guarded``), areas by ``placement``, and other measures of scores by
        ``bootstrap``.
    certainty
        Columns that say how sure each system was of its answers, in the order of the systems:
        compares the areas under risk and coverage (AURC). ``measure="AURC"`` takes certainties from
        probabilities.
    using
        Settings of the method, such as ``{"control": "svm"}``.
    estimand
        What the numbers are about: ``population``, items like these, or ``items``, exactly
        these items, each asked more than once.
    layout
        ``datasets`` for a table of results, a row for each data set and a column for each
        algorithm: ranks, Friedman's test and critical differences, as a ``DatasetComparison``.
        ``segments`` for two alignments that NIST's sclite wrote, cut as its matched-pair test does.
    reader
        A reader study: the column that names readers, or how columns are named, as in
        ``"{system}_{reader}"``. The answer is a ``ReaderComparison``; ``method`` is then
        ``"delong"`` or ``"jackknife"``.
    items, flips
        A file, ``.csv`` or ``.parquet``, to which every item is written: its truth, what each
        system answered, who was right, its cluster and slice; with ``flips=("A", "B")`` only
        those that exactly one of the two had right. The rows are counted, and must be those of
        the answer.
    rng
        Seed of the simulations, recorded in the result.
    **roles
        What the columns mean; see :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Comparison
        The sentence, every system and every pair, with the caveats.
    Working
        Instead, where ``method`` or ``measure`` names one method: its numbers, one by one.
    DatasetComparison
        Instead, with ``layout="datasets"``.

    Raises
    ------
    RefusedData
        The data cannot answer the question; the message says what was found, what was expected and
        what to type next.
    RequestError
        An argument is unknown, lies outside its domain or does not fit the others.

    Examples
    --------
    >>> import steelyard as sy
    >>> outcomes = sy.Outcomes.from_pair(
    ...     both=160, first=18, second=5, neither=17, systems=("A", "B"))
    >>> result = sy.compare(outcomes)
    >>> print(result)  # doctest: +ELLIPSIS
    A is better than B: 89.0% against 82.5% right on 200 common items, ...
    >>> round(result.systems[0].best, 3), result.pairs[0].verdict
    (0.997, 'different')
    """
    own, roles = _name_class(*settle("compare", options))
    # A margin of values is in their units, which may be milliseconds.
    units = own["layout"] is not None or has_values(data, roles)
    shares = ("level", "alpha") if units else ("level", "alpha", "margin")
    for name in shares:
        if own[name] is not None and not 0 < own[name] < 1:
            raise RequestError.for_level(name, own[name])
    rng = check_seed(own["rng"])
    apart = _other_question(data, own, roles, seed=rng)
    if apart is not None:
        return apart
    alone = one_method(own["method"], own["measure"], own["using"], by_group=own["by_group"])
    is_about_these_items(own["estimand"], alone, by_group=own["by_group"])
    if lives_on_device(data):
        from steelyard.journey.on_device import answer_there

        single = alone is not None or own["measure"] is not None
        return answer_there(compare, data, options, rows=single)
    if isinstance(data, Moments):
        from steelyard.journey.values.compare import compare_moments

        return compare_moments(data, own, roles, seed=rng)
    counts = None if units else _find_counts(data, own, roles)
    if counts is None:
        try:
            return _answer_rows(data, own, roles, alone=alone, seed=rng)
        except PublishedTable as found:
            counts = _count_board(found.board, own, roles)
    return _answer_counts(counts, own, alone=alone, seed=rng)


def _name_class(own: Any, roles: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Read ``recall of ship`` as recall, with ship as the positive class."""
    name, _, of = (own["measure"] or "").partition(" of ")
    if not of or not _is_measure(name) or _is_measure(own["measure"]):
        return own, roles
    positive = roles.get("positive")
    if positive not in (None, of):
        message = (
            f"measure={own['measure']!r} is about {of}, and positive={positive!r} names another "
            "class. Give one of them."
        )
        raise RequestError(message)
    return {**own, "measure": name}, {**roles, "positive": of}


def _is_measure(name: str) -> bool:
    try:
        return bool(catalogue_entry(name))
    except RequestError:
        return False


def _other_question(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: Any,  # noqa: ANN401
    *,
    seed: int,
) -> "Working | DatasetComparison | ReaderComparison | None":
    """Answer what is not asked of items and systems alone: readers, data sets, certainties."""
    if own["reader"] is not None or is_reader_study(data):
        from steelyard.journey.readers import compare_readers

        return compare_readers(data, own, roles)
    if own["layout"] == "datasets":
        from steelyard.journey.values.datasets import compare_datasets

        return compare_datasets(data, own, roles, seed=seed)
    if asks_certainty(own["certainty"], own["measure"]):
        return _compare_certainty(data, own, roles, seed=seed)
    return None


def _compare_certainty(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: Any,  # noqa: ANN401
    *,
    seed: int,
) -> "Working":
    """Compare areas under risk and coverage."""
    from steelyard.journey.certainty import compare_certainty

    beside = ("method", "using", "margin", "prior", "estimand", "by_group", "items", "cost",
              "unknown")  # fmt: skip
    words = "Risk and coverage are compared in one way: leave {option} out."
    refuse_beside(own, beside, words, code="certainty")

    def question(predictions: Predictions, said: tuple[str, ...]) -> Question:
        settings = {**_settings(own), "measure": "AURC"}
        return Question(
            **{name: own[name] for name in ASKED},
            seed=seed,
            provenance=provenance_of(predictions, settings, seed=seed),
            caveats=(*predictions.caveats, *said),
        )

    return compare_certainty(data, roles, own["certainty"], question)


COST_OF_VALUES = (
    "cost= (--cost) weighs a number for each item against what it costs. Declare the number: "
    "value='COLUMNS' (--value COLUMNS); right and wrong are 1 and 0."
)
ASKED = ("level", "alpha", "margin", "prior")


def _settings(own: Mapping[str, Any]) -> dict[str, Any]:
    """List what was asked, for the record of the answer."""
    return {
        **{name: own[name] for name in ASKED}, "prior": say_prior(own["prior"]),
        "by_group": own["by_group"] or None, "method": own["method"], "measure": own["measure"],
        "estimand": own["estimand"], **dict(own["using"] or {}),
    }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counts:
    """Counts to compare, and what is to be said of where they come from."""

    data: Any
    roles: list[str]
    inputs: tuple[InputRecord, ...] = ()
    caveats: tuple[str, ...] = ()


def _answer_counts(
    counts: _Counts, own: Mapping[str, Any], *, alone: str | None, seed: int
) -> "Comparison | Working":
    given = ["estimand"] if is_about_these_items(own["estimand"], alone, by_group=False) else []
    given += [name for name in ("by_group", "items", "cost") if own[name]]
    refuse_columns(dict.fromkeys(counts.roles or given, True))
    measure = own["measure"]
    scores = isinstance(counts.data, JointScores | PlacementSums)
    question = Question(
        **{name: own[name] for name in ASKED},
        seed=seed,
        provenance=replace(record_of_counts(_settings(own), seed=seed), inputs=counts.inputs),
        caveats=(*counts.caveats, *say_as_accuracy(alone, measure, scores=scores)),
    )
    return _compare_counts(counts.data, question, alone, measure=measure, using=own["using"])


def _answer_rows(
    data: Any,  # noqa: ANN401
    own: Mapping[str, Any],
    roles: Any,  # noqa: ANN401
    *,
    alone: str | None,
    seed: int,
) -> "Comparison | Working":
    segments = own["layout"] == "segments"
    predictions = open_segments(data, roles) if segments else _open_rows(data, own, roles)
    measure = own["measure"]
    very_items = is_about_these_items(own["estimand"], alone, by_group=own["by_group"])
    # A column of groups that was asked for is used; one that is only called so is not.
    asked_for = alone is None and not very_items and bool(roles.get("group"))
    by_group = own["by_group"] or asked_for
    measured = predictions.values is not None
    _refuse_parts_of_crossed(predictions, alone is not None or very_items or by_group)
    scores = not predictions.with_answers()
    question = Question(
        **{name: own[name] for name in ASKED},
        seed=seed,
        provenance=provenance_of(predictions, _settings(own), seed=seed),
        caveats=(
            *predictions.caveats,
            *_say_unknown(predictions, own["unknown"]),
            *say_missing_pairs(
                predictions,
                [(catalogue_entry(measure), None)] if measure and _is_measure(measure) else (),
            ),
            *list_unused_roles(predictions, alone, by_group=by_group),
            *(() if measured else say_as_accuracy(alone, measure, scores=scores)),
        ),
    )
    if measured:
        if len(predictions.systems) == 1:
            need_two([predictions.systems[0].name], more=hint_at_systems(data, roles))
        answer = _answer_values(predictions, question, own, by_group=by_group, method=alone)
        if own["cost"] is None:
            return answer
        from steelyard.journey.values.front import with_front

        return with_front(answer, predictions, data, roles, own["cost"])
    if own["cost"] is not None:
        raise RequestError(COST_OF_VALUES, code="no-values")
    check_comparable(predictions, counted=alone is not None or by_group or very_items)
    if own["items"] is not None or own["flips"]:
        from steelyard.journey.comparison.items import write_items

        write_items(predictions, own["items"], flips=own["flips"] or ())
    if alone is not None:
        from steelyard.journey.comparison.one_method import answer_of_predictions

        return answer_of_predictions(
            predictions, question, name=alone, measure=measure, using=own["using"]
        )
    if very_items:
        return compare_on_items(predictions, question)
    whole = compare_predictions(predictions, question)
    return with_slices(whole, predictions, question) if by_group else whole


def _refuse_parts_of_crossed(predictions: Predictions, parts: bool) -> None:  # noqa: FBT001
    if predictions.crossed and parts:
        message = (
            "Crossed items are compared as a whole: by accuracy, AUC, or the mean of a number. "
            "Leave method=, measure=, estimand= and by_group= out, or name one column of "
            "clusters: cluster='probe' (--cluster probe)."
        )
        raise RequestError(message, code="crossed")


def _answer_values(
    predictions: Predictions,
    question: Question,
    own: Mapping[str, Any],
    *,
    by_group: bool,
    method: str | None,
) -> "ValueComparison | Working":
    from steelyard.journey.values.compare import answer_values

    if own["items"] is not None:
        message = "items= is about right answers, and these systems hold a number for each item."
        raise RequestError(message, code="values")
    return answer_values(predictions, question, by_group=by_group, method=method, settings=own)


def _open_rows(data: Any, own: Mapping[str, Any], roles: Any) -> Predictions:  # noqa: ANN401
    """Open rows; a call that is no answer is never true, and is let through."""
    return open_data(data, roles, crossed=True, no_answer=own["unknown"])


def _say_unknown(predictions: Predictions, unknown: str | None) -> tuple[str, ...]:
    if unknown is None:
        return ()
    from steelyard.journey.evaluation.unknown import say_unknown

    return say_unknown(predictions, unknown)


def _find_counts(data: Any, own: Mapping[str, Any], roles: Mapping[str, Any]) -> _Counts | None:  # noqa: ANN401
    """Take counts as they are, and a table that is said to hold published results."""
    if isinstance(data, COUNTS):
        given = sorted(name for name, value in roles.items() if value is not None)
        return _exact_counts(_Counts(data=data, roles=given))
    if own["accuracy"] is None and own["tested"] is None:
        return None
    return _count_board(find_published(data, column=own["accuracy"], roles=roles), own, roles)


def _count_board(board: "Leaderboard", own: Mapping[str, Any], roles: Mapping[str, Any]) -> _Counts:
    """Take the counts that a table of published results stands for."""
    data, said, file = count_published(
        board, tested=own["tested"], pairing=roles.get("pairing"), systems=roles.get("systems")
    )
    given = sorted(
        name
        for name, value in roles.items()
        if value is not None and name not in {*OF_FILES, "systems", "table"}
    )
    return _exact_counts(
        _Counts(data=data, roles=given, inputs=(input_record(file),), caveats=said)
    )


def _exact_counts(counts: _Counts) -> _Counts:
    """Turn shares that leave no doubt about their counts into these."""
    if not (isinstance(counts.data, RoundedTrials) and counts.data.exact):
        return counts
    said = f"the shares stand for one count each: {counts.data.said()}"
    return replace(counts, data=counts.data.trials(), caveats=(*counts.caveats, said))


def _compare_counts(
    data: Any,  # noqa: ANN401
    question: Question,
    alone: str | None,
    *,
    measure: str | None,
    using: Mapping[str, Any] | None,
) -> "Comparison | Working":
    if isinstance(data, RoundedTrials):
        if alone is not None:
            message = (
                "Rounded shares leave several counts open, and one method or measure needs one of "
                "each. Leave method= and measure= (--method, --measure) out, or give the counts: "
                "--correct S=190,T=194."
            )
            raise NotComparable(message, code="rounded")
        return compare_published(data, question)
    if alone is None:
        return compare_counts(data, question)
    from steelyard.journey.comparison.one_method import answer_of_counts

    need_two(data.systems)
    return answer_of_counts(data, question, name=alone, measure=measure, using=using)

"""How sure each system was of its answers: risk against coverage, in evaluate and compare."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from steelyard import measures, uncertainty
from steelyard.comparison.methods.case import Case, Found, Method
from steelyard.comparison.methods.pair_tests import test_pairs
from steelyard.errors import NotComparable, RequestError, listing, printable, switch
from steelyard.journey.declared_roles import refuse_group_beside
from steelyard.journey.opening import RoleArguments, open_data, provenance_of
from steelyard.results.estimates import Estimate, Interval, Proportion
from steelyard.results.evaluation.data import Evaluation, SystemEvaluation
from steelyard.sources import Predictions, System

if TYPE_CHECKING:
    from steelyard.journey.comparison.question import Question
    from steelyard.results import Working

__all__ = ["Sure", "compare_certainty", "evaluate_certainty", "read_certainty"]

Floats = NDArray[np.float64]
RISKS = (0.01, 0.02, 0.05, 0.1)
ANSWERS = ("called", "outcome", "score", "vector", "threshold", "positive", "truth", "systems",
           "classes", "class_names", "unlabelled")  # fmt: skip
NOT_AGAIN = "{} items that lack an answer or a certainty do not count"
SURE = "each system's certainty orders its own answers: the surest are answered first"
RISKY = (
    "coverage at a risk is what was seen on these items, chosen on them: for a promise type "
    "steelyard threshold --promise beside the same columns"
)
REFERENCE = "Geifman, Uziel & El-Yaniv (2019), arXiv:1805.08206"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sure:
    """One system: certainties and right answers, item by item."""

    system: System
    sure: Floats
    right: Floats


def evaluate_certainty(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    certainty: Sequence[str] | str | None,
    *,
    level: float,
) -> Evaluation:
    """Measure the area under risk and coverage, and how much is answered at some risks."""
    predictions, found, said = read_certainty(data, roles, certainty)
    return Evaluation(
        systems=tuple(_one(one, level) for one in found),
        classes=predictions.classes,
        positive=predictions.positive,
        level=level,
        provenance=provenance_of(
            predictions,
            {"level": level, "measure": "AURC", "certainty": _write_certainty(certainty)},
        ),
        caveats=(*predictions.caveats, SURE, *said, RISKY),
    )


def _one(one: Sure, level: float) -> SystemEvaluation:
    items, right = one.right.size, int(one.right.sum())
    curve = measures.risk_coverage(one.sure, one.right)
    limits = measures.aurc_limits(one.sure, one.right, level=level)
    low, high = uncertainty.proportion_interval(right, items, level=level, method="wilson")
    interval = Interval(low=limits.low, high=limits.high, level=level, method="jackknife")
    further = [
        Estimate(
            measure="AURC",
            value=curve.aurc,
            interval=interval,
            standard_error=limits.error,
            items=items,
        ),
        Estimate(measure="e-AURC", value=curve.excess, items=items),
    ]
    further += [
        Estimate(measure=f"coverage at risk {risk:g}", value=curve.coverage_at(risk), items=items)
        for risk in RISKS
    ]
    return SystemEvaluation(
        system=one.system.name,
        holds=one.system.holds,
        items=items,
        accuracy=Proportion(
            measure="accuracy",
            successes=right,
            trials=items,
            interval=Interval(low=low, high=high, level=level, method="wilson"),
        ),
        further=tuple(further),
    )


def compare_certainty(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    certainty: Sequence[str] | str | None,
    ask: "Callable[[Predictions, tuple[str, ...]], Question]",
) -> "Working":
    """Compare the areas of every pair on common items; ``ask`` makes the question."""
    from steelyard.journey.comparison.one_method import say_working

    predictions, found, said = read_certainty(data, roles, certainty)
    if len(found) < 2:
        message = f"{len(found)} system; a comparison needs two or more."
        raise NotComparable(message, code="one-system")
    question = ask(predictions, (SURE, *said))
    case = Case(
        systems=tuple(one.system.name for one in found),
        pairing="common",
        level=question.level,
        alpha=question.alpha,
        seed=question.seed,
        measure="AURC",
        higher_is_better=False,
    )
    values = [measures.risk_coverage(one.sure, one.right).aurc for one in found]

    def test_pair(i: int, j: int) -> tuple[list[object], float | None, float]:
        gap = measures.aurc_difference(
            (found[i].sure, found[i].right), (found[j].sure, found[j].right), level=question.level
        )
        shown: list[object] = [values[i], values[j], gap.difference, gap.low, gap.high, gap.better]
        return shown, gap.p_value, -gap.difference

    def run(case: Case) -> Found:
        columns = ("value_first", "value_second", "difference", "low", "high", "p_better")
        return test_pairs(case, columns, test_pair, title="AURC of every pair")

    method = Method(
        name="aurc-jackknife",
        title="areas under risk and coverage, by limits that allow for one unseen item",
        needs=(),
        formula=(
            "D* -+ t s: each item left out of both areas at once; also with one further item among "
            "the surest that only one of the two has wrong"
        ),
        rule="different when the p-value, Shaffer-adjusted for all pairs, is at most alpha",
        assumption="items are independent",
        reference=REFERENCE,
        page="dont-know",
        run=run,
    )
    return say_working(case, question, method, run(case))


def read_certainty(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    certainty: Sequence[str] | str | None,
) -> tuple[Predictions, list[Sure], tuple[str, ...]]:
    """Read answers, and beside them how sure each system was of them."""
    predictions = open_data(data, roles)
    _check(predictions)
    named = certainty if isinstance(certainty, list | tuple) else [certainty]
    columns = [str(one) for one in named if one not in (None, "")]
    if not columns:
        found = [_from_answers(predictions, one) for one in predictions.systems]
        kept = np.all([~np.isnan(one.right) & ~np.isnan(one.sure) for one in found], axis=0)
    else:
        found, kept = _beside(predictions, data, roles, columns)
    left = int((~kept).sum())
    found = [replace(one, sure=one.sure[kept], right=one.right[kept]) for one in found]
    return predictions, found, ((NOT_AGAIN.format(f"{left:,}"),) if left else ())


def _check(predictions: Predictions) -> None:
    if predictions.values is not None:
        message = (
            "Risk is the share of wrong answers, and these systems hold a number for each item. "
            f"Declare right and wrong: {switch('outcome', 'a,b')}."
        )
        raise NotComparable(message, code="certainty")
    refuse_group_beside("certainty", predictions.settings)
    if predictions.weighted or "cluster" in predictions.splits or predictions.pairing != "common":
        message = (
            "Risk and coverage count independent items that all systems answered: leave weights, "
            "clusters and pairing='independent' out (weight='', cluster='')."
        )
        raise NotComparable(message, code="certainty")


def _right(system: System) -> str:
    return f"CASE WHEN {system.column} IS NULL THEN NULL ELSE {system.outcome_sql()} END"


def _from_answers(predictions: Predictions, system: System) -> Sure:
    """Take a certainty from the numbers themselves: the largest of a vector, or beyond a cut."""
    if system.holds == "vector":
        sure = f"GREATEST({', '.join(system.vector)})"
    elif system.holds == "score" and system.threshold is not None:
        sure = f"ABS({system.column} - {system.threshold!r})"
    else:
        what = "a score without a threshold" if system.holds == "score" else "no number"
        message = (
            f"How sure was {system.name}? It holds {what}. Name a column of certainties for each "
            f"system: {switch('certainty', 'a.conf,b.conf')}; scores also take "
            f"{switch('threshold', '0.5')}."
        )
        raise NotComparable(message, code="certainty")
    rows = predictions.table.query(f"SELECT {sure}, {_right(system)} FROM {{t}}")
    return Sure(system=system, sure=_column(rows, 0), right=_column(rows, 1))


def _column(rows: Sequence[Sequence[Any]], place: int) -> Floats:
    return np.array(
        [np.nan if row[place] is None else float(row[place]) for row in rows], dtype=np.float64
    )


def _beside(
    predictions: Predictions,
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    columns: Sequence[str],
) -> tuple[list[Sure], NDArray[np.bool_]]:
    """Join certainties in columns of their own to the answers, by item."""
    if "item" not in predictions.table.columns:
        message = (
            "Certainties are joined to answers by item, and there is no column of item ids. Name "
            f"it: {switch('item', 'COLUMN')}."
        )
        raise RequestError(message, code="no-item")
    said: Any = {name: value for name, value in roles.items() if name not in ANSWERS}
    said |= {"value": list(columns), "higher_is_better": True}
    if said.get("missing") == "worst":
        said["missing"] = "exclude"
    numbers = open_data(data, said)
    names = [one.name for one in predictions.systems]
    places = [one.name for one in numbers.systems]
    if len(places) != len(names):
        message = (
            f"{len(names)} systems and {len(places)} columns of certainties: {listing(names)}; "
            f"{listing(list(columns))}. Name one for each system, in the same order."
        )
        raise RequestError(message, code="certainty")
    # A row for each item and system names them; columns are taken in the order of the systems.
    order = (
        [places.index(name) for name in names] if set(places) == set(names) else range(len(names))
    )
    asked = ", ".join(_right(one) for one in predictions.systems)
    answers = _by_item(predictions, asked)
    sures = _by_item(numbers, ", ".join(numbers.systems[place].column for place in order))
    if not answers.keys() & sures.keys():
        message = "No item has both an answer and a certainty."
        raise NotComparable(message, code="certainty")
    empty = (None,) * len(names)
    items = list(dict.fromkeys([*answers, *sures]))
    right = np.array([_row(answers.get(item, empty)) for item in items])
    sure = np.array([_row(sures.get(item, empty)) for item in items])
    found = [
        Sure(system=one, sure=sure[:, place], right=right[:, place])
        for place, one in enumerate(predictions.systems)
    ]
    return found, ~(np.isnan(right).any(axis=1) | np.isnan(sure).any(axis=1))


def _row(values: Sequence[Any]) -> list[float]:
    return [np.nan if value is None else float(value) for value in values]


def _by_item(predictions: Predictions, asked: str) -> dict[str, tuple[Any, ...]]:
    found: dict[str, tuple[Any, ...]] = {}
    for item, *values in predictions.table.query(f"SELECT item, {asked} FROM {{t}}"):
        if str(item) in found:
            message = (
                f"Item {printable(item)!r} appears more than once; certainties are joined to "
                "answers by item."
            )
            raise NotComparable(message, code="item-twice")
        found[str(item)] = tuple(values)
    return found


def _write_certainty(certainty: Sequence[str] | str | None) -> str | None:
    return certainty if isinstance(certainty, str) or certainty is None else ", ".join(certainty)

"""What a comparison is asked, and how what was found becomes the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from steelyard import comparison, measures
from steelyard.errors import (
    NotComparable,
    RequestError,
    counted,
    listing,
    switch,
    switch_list,
)
from steelyard.journey.declared_roles import Verb, settle_roles
from steelyard.measures import Estimand
from steelyard.results import (
    ComparedPair,
    ComparedSystem,
    Comparison,
    Estimate,
    Proportion,
    Provenance,
    Verdict,
)
from steelyard.results.comparison.words import rank_places
from steelyard.results.shortfalls import shortfall
from steelyard.sources import Predictions

__all__ = [
    "Question",
    "Weighed",
    "assemble",
    "check_comparable",
    "check_estimand",
    "couples",
    "disagreements",
    "is_about_these_items",
    "list_unused_roles",
    "need_no_prior",
    "need_two",
    "one_method",
    "priors_for",
    "rank",
    "refuse_many",
    "say_as_accuracy",
    "say_prior",
]

# --- where methods disagree about a pair: that they do, and why ----------------------------------


SURE = 0.99
"""A posterior probability from which a reader would take a pair for decided."""


def disagreements(
    pairs: Sequence[ComparedPair], *, alpha: float, margin: float | None
) -> tuple[str, ...]:
    """Say, once for each kind, how many pairs other methods see otherwise than the verdict."""
    tested = [pair for pair in pairs if pair.p_value is not None]
    notes = [
        _alone(tested, alpha),
        _softer(tested, alpha),
        _surer(tested, alpha),
        _harder(tested),
        _nearer(tested, alpha, margin),
    ]
    return tuple(note for note in notes if note)


def _open(pairs: Sequence[ComparedPair], alpha: float, *, alone: bool) -> list[ComparedPair]:
    """Pick the undecided pairs that a test of that pair alone would, or would not, decide."""
    return [
        pair
        for pair in pairs
        if pair.verdict == "undecided"
        and pair.p_value is not None
        and (pair.p_value <= alpha) == alone
    ]


def _sure(pair: ComparedPair) -> bool:
    return pair.better is not None and max(pair.better, 1 - pair.better) > SURE


def _alone(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Many pairs: each taken by itself would be decided, all together not."""
    found = _open(pairs, alpha, alone=True)
    if not found:
        return ""
    says = [f"p at most {alpha:g}"]
    if any(_sure(pair) for pair in found):
        says.append(f"P(better) above {SURE:g}")
    if any(pair.aic_verdict == "different" for pair in found):
        says.append("Akaike's criterion")
    return (
        f"{counted(len(found), 'undecided pair', 'look')} different taken alone "
        f"({', '.join(says)}); the verdicts guard all {len(pairs)} pairs at once"
    )


def _softer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """Akaike's criterion decides what no test does, since it asks for less."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if pair.aic_verdict == "different"]
    if not found:
        return ""
    calls = f"Akaike's criterion calls {counted(len(found), 'undecided pair')} different: it"
    if any(pair.overlaps is not None for pair in found):
        return (
            f"{calls} takes the overlap that favours a difference most, and of totals alone calls "
            "equal systems different more often than not when items are many"
        )
    return f"{calls} decides like a test at about 0.08, not at {alpha:g}"


def _surer(pairs: Sequence[ComparedPair], alpha: float) -> str:
    """A posterior is sure of what no test decides."""
    found = [pair for pair in _open(pairs, alpha, alone=False) if _sure(pair)]
    if not found:
        return ""
    return (
        f"P(better) is above {SURE:g} for {counted(len(found), 'undecided pair')}: it asks in "
        "one direction and uses the prior, while the test is two-sided and uses the data alone"
    )


def _harder(pairs: Sequence[ComparedPair]) -> str:
    """Akaike's criterion does not follow a verdict of different."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "different" and pair.aic_verdict in {"same", "undecided"}
    ]
    if not found:
        return ""
    return (
        f"Akaike's criterion does not call {counted(len(found), 'pair')} different that the tests "
        "do: it asks whether two rates describe the data better than one, and few items may not "
        "show that"
    )


def _nearer(pairs: Sequence[ComparedPair], alpha: float, margin: float | None) -> str:
    """The margin makes the same what tests tell apart."""
    found = [
        pair
        for pair in pairs
        if pair.verdict == "same" and pair.adjusted_p is not None and pair.adjusted_p <= alpha
    ]
    if not found or margin is None:
        return ""
    return (
        f"{counted(len(found), 'pair', 'count')} as the same although the tests tell them apart: "
        f"the difference is real, but below the margin of {margin:g}"
    )


# --- what a comparison is asked, and how what was found becomes the answer -----------------------


MOST_LETTERED = 40
"""Letters of more systems take long to find, and nobody reads them."""
MOST_COMPARED = 300
"""Pairs grow with the square of the systems: those of 300 take most of a gibibyte."""

Prior = tuple[float, float]
Rate = tuple[str, Proportion | Estimate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What every kind of comparison is asked, and where its answer is recorded."""

    level: float
    alpha: float
    seed: int
    provenance: Provenance
    margin: float | None = None
    prior: Any = None
    caveats: tuple[str, ...] = ()

    def rng(self) -> "np.random.Generator":
        """Start the recorded sequence of random numbers."""
        return np.random.default_rng(self.seed)

    def verdict(self, adjusted_p: float, equivalent: float | None = None) -> Verdict:
        """Judge a pair: nearness within the margin goes before a difference however sure."""
        if equivalent is not None and equivalent >= self.level:
            return "same"
        return "different" if adjusted_p <= self.alpha else "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """Rates by system, who is best, what choosing each would lose, and all pairs."""

    rates: list[Rate]
    best: Sequence[float | None]
    pairs: list[ComparedPair]
    loss: Sequence[float | None] = ()
    best_alike: Sequence[float] = ()
    best_range: Sequence[tuple[float, float]] = ()
    error: float | None = None
    lower: bool = False
    priors: Mapping[str, Prior] = field(default_factory=dict)

    @property
    def leader(self) -> str:
        """The system that leads, which the sentence is about."""
        return self.rates[self.order()[0]][0]

    def order(self) -> list[int]:
        """Give the places of the systems as they are shown, the leader first."""
        names, rates = [name for name, _ in self.rates], [rate for _, rate in self.rates]
        return rank_places(names, rates, self.best, self.pairs, lower=self.lower)


def couples(size: int) -> list[tuple[int, int]]:
    """List the pairs of places in the order in which a result holds them."""
    return list(combinations(range(size), 2))


def rank(found: Weighed) -> tuple[ComparedSystem, ...]:
    """Add to each system the ranks and the letters that the verdicts leave it."""
    names = [name for name, _ in found.rates]
    values = [(-1 if found.lower else 1) * (rate.value or 0.0) for _, rate in found.rates]
    decisions = {(pair.first, pair.second): pair.verdict == "different" for pair in found.pairs}
    sets = {one.system: one for one in comparison.rank_sets(names, values, decisions=decisions)}
    tiers: dict[str, str] = {}
    if len(names) <= MOST_LETTERED:
        tiers = comparison.compact_letters(
            [names[place] for place in found.order()], decisions=decisions
        )
    none = [None] * len(names)
    ranges: Sequence[tuple[float | None, float | None]] = found.best_range or [(None, None)] * len(
        names
    )
    columns = zip(
        found.rates,
        found.best,
        found.loss or none,
        found.best_alike or none,
        ranges,
        strict=True,
    )
    return tuple(
        ComparedSystem(
            system=name,
            rate=rate,
            best=share,
            rank_low=sets[name].lowest,
            rank_high=sets[name].highest,
            tier=tiers.get(name),
            loss=loss,
            best_alike=alike,
            best_low=low,
            best_high=high,
        )
        for (name, rate), share, loss, alike, (low, high) in columns
    )


def assemble(question: Question, found: Weighed, **facts: Any) -> Comparison:  # noqa: ANN401
    """Make the answer out of what was found."""
    doubts = disagreements(found.pairs, alpha=question.alpha, margin=question.margin)
    if _takes_rates_for_unlike(question, found, area=facts.get("measure") == "auc"):
        doubts = (*doubts, shortfall("best-uniform"))
    return Comparison(
        systems=rank(found),
        pairs=tuple(found.pairs),
        level=question.level,
        alpha=question.alpha,
        margin=question.margin,
        priors=tuple((name, a, b) for name, (a, b) in found.priors.items()),
        monte_carlo_error=found.error,
        provenance=question.provenance,
        caveats=(*question.caveats, *facts.pop("caveats", ()), *doubts),
        **facts,
    )


def _takes_rates_for_unlike(question: Question, found: Weighed, *, area: bool) -> bool:
    """Tell whether who is best is said with nothing known beforehand, and in no other way.

    Of two areas the probability is a one-sided confidence, which is on the safe side.
    """
    said = any(share is not None for share in found.best)
    known = bool(found.best_alike or found.best_range) or question.prior is not None
    return said and not known and not (area and len(found.rates) == 2)


def say_prior(prior: Any) -> str | None:  # noqa: ANN401
    """Write a prior down as the command line takes it; what cannot be one, as it is.

    Examples
    --------
    >>> say_prior({"S": (190, 10)}), say_prior((0.5, 0.5)), say_prior("none")
    ('S=190:10', '0.5:0.5', 'none')
    """
    if isinstance(prior, Mapping):
        return ",".join(f"{name}={say_prior(one)}" for name, one in prior.items())
    if isinstance(prior, Sequence) and not isinstance(prior, str):
        return ":".join(f"{one:g}" if isinstance(one, float) else str(one) for one in prior)
    return None if prior is None else str(prior)


def priors_for(prior: Any, systems: Sequence[str]) -> dict[str, Prior]:  # noqa: ANN401
    """Read the prior of each system: (a, b) for all, or a mapping that names some of them."""
    if prior is None:
        return {}
    given = dict(prior) if isinstance(prior, Mapping) else dict.fromkeys(systems, prior)
    unknown = [name for name in given if name not in systems]
    if unknown:
        message = (
            f"prior= names {listing(unknown)}; the systems are {listing(list(systems))}. Type "
            f"prior={{{systems[0]!r}: (1, 1)}} (--prior {systems[0]}=1:1)."
        )
        raise RequestError(message)
    return {name: _numbers(name, one) for name, one in given.items()}


def _numbers(name: str, given: Any) -> Prior:  # noqa: ANN401
    try:
        a, b = (float(number) for number in given)
    except (TypeError, ValueError):
        a = b = 0.0
    if not (isfinite(a) and isfinite(b) and a > 0 and b > 0):
        message = (
            f"The prior of {name} is {given!r}; expected two positive numbers, right and wrong "
            f"answers believed beforehand: (1, 1) (--prior {name}=1:1) for none."
        )
        raise RequestError(message)
    return a, b


# --- what a comparison refuses, and what it says it will not look at -----------------------------


def one_method(
    method: str | None, measure: str | None, using: Mapping[str, Any] | None, *, by_group: bool
) -> str | None:
    """Name the method that is wanted alone; None for the whole comparison."""
    if method is None and measure is None:
        if using:
            message = (
                "using= sets a method up, and none is named. Type method='list' (--method list)."
            )
            raise RequestError(message)
        return None
    if method is None:
        from steelyard.journey.comparison.method_inputs import usual_method

        method = usual_method(measure)
    if method is None and using:
        message = (
            f"using= sets a method up, and {measure} is compared without one. Name it: "
            f"{switch('method', 'bootstrap')}."
        )
        raise RequestError(message)
    if method is not None and by_group:
        message = (
            "One method alone has no slices. Leave by_group= (--by-group) out; methods over data "
            f"sets take {switch('group', 'COLUMN')} as it is."
        )
        raise RequestError(message)
    return method


def say_as_accuracy(alone: str | None, measure: str | None, *, scores: bool) -> tuple[str, ...]:
    """Say that a measure is accuracy by another name; refuse scores, which have none."""
    if alone is not None or measure is None:
        return ()
    if scores:
        message = (
            f"{measure} is about calls, and these systems give scores. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise RequestError(message)
    from steelyard.measures import catalogue_entry

    name = catalogue_entry(measure).name
    same = f"{name} of one call for each item is accuracy, and was compared as accuracy"
    return () if name == "accuracy" else (same,)


def check_estimand(given: str | None) -> Estimand:
    """Check whom the numbers are to be about; items like these unless said."""
    if given is None:
        return "population"
    if given not in measures.ESTIMANDS:
        raise RequestError.for_choice("estimand", given, tuple(measures.ESTIMANDS))  # noqa: EM101
    return given  # type: ignore[return-value]


def is_about_these_items(estimand: str | None, alone: str | None, *, by_group: bool) -> bool:
    """Tell whether the numbers are to be about exactly these items."""
    very = check_estimand(estimand) == "items"
    if very and (alone is not None or by_group):
        message = (
            "estimand='items' is for the whole comparison. Leave method=, measure= and by_group= "
            "(--method, --measure, --by-group) out."
        )
        raise RequestError(message)
    return very


def check_comparable(predictions: Predictions, *, counted: bool = False) -> None:
    """Refuse what cannot be compared; ``counted`` says that whole items are asked for."""
    need_two([system.name for system in predictions.systems])
    answered = predictions.with_answers()
    scored = [system for system in predictions.systems if system not in answered]
    if answered and scored:
        like = answered if len(answered) > 1 else scored
        message = (
            f"{listing([s.name for s in scored])} give scores and "
            f"{listing([s.name for s in answered])} give answers. Compare like with like: "
            f"{switch_list('systems', [s.name for s in like])}, or {switch('threshold', '0.5')}, "
            "which turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")
    if predictions.weighted and (scored or predictions.pairing == "independent" or counted):
        what = "one method alone or slices" if counted else "items of their own"
        message = (
            f"These rows carry weights, which a comparison honours for answers on common items, "
            f"not for {'areas under ROC curves' if scored else what}. Leave the weight column "
            "out, or use evaluate, which honours weights; --threshold turns scores into calls."
        )
        raise NotComparable(message, code="weighted")


def need_no_prior(question: Question, where: str) -> None:
    """Refuse a prior for each system where one prior stands over all."""
    if question.prior is None:
        return
    message = (
        f"A prior for each system is not possible with {where}: there one prior covers all systems "
        f"together. Leave prior= (--prior) out, or type {switch('pairing', 'independent')} if each "
        "system answered items of its own."
    )
    raise NotComparable(message, code="prior-not-independent")


def need_two(names: Sequence[str], *, more: str = "") -> None:
    """Refuse to compare one system, or so many that their pairs would fill the memory."""
    refuse_many(names, MOST_COMPARED)
    if len(names) < 2:
        message = (
            f"Only one system ({listing(list(names))}); a comparison needs two or more.{more} "
            "To see how good it is, use evaluate."
        )
        raise NotComparable(message, code="one-system")


def refuse_many(names: Sequence[str], most: int) -> None:
    """Refuse to compare so many that their pairs would take minutes, or all of the memory."""
    if len(names) > most:
        pairs = len(names) * (len(names) - 1) // 2
        message = (
            f"{len(names):,} systems make {pairs:,} pairs, and more than {most} systems "
            f"are not compared at once. Name those that you mean: {switch('systems', 'NAMES')}; "
            "evaluate shows how good all of them are."
        )
        raise NotComparable(message, code="too-many-systems")


def list_unused_roles(
    predictions: Predictions, alone: str | None, *, by_group: bool
) -> tuple[str, ...]:
    """Say what a declared split does not do here, so that nobody relies on it."""
    if alone is not None:
        from steelyard.comparison.methods import METHODS

        if alone in METHODS and "data sets" in METHODS[alone].needs:  # groups are its data sets
            predictions = replace(
                predictions, splits=tuple(one for one in predictions.splits if one != "group")
            )
    return settle_roles(_verb(alone, by_group=by_group), predictions)


def _verb(alone: str | None, *, by_group: bool) -> Verb:
    """Name this comparison as the table of roles does."""
    if alone is None:
        return "compare by group" if by_group else "compare"
    from steelyard.journey.comparison.one_method import needs_clusters

    return "compare by measure" if needs_clusters(alone) else "compare by method"

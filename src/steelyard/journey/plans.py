"""How many test samples do I need?"""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack, get_args

from steelyard.counts import JointCalls, Outcomes, Trials
from steelyard.errors import NotComparable, RequestError, listing, switch
from steelyard.journey.opening import (
    RoleArguments,
    checked_seed,
    opened,
    provenance_of,
    record_of_counts,
)
from steelyard.journey.plan_questions import PLANNERS
from steelyard.journey.plan_wishes import Wish, planned
from steelyard.journey.remaining import remaining
from steelyard.planning.rates import check_rates
from steelyard.results import Plan, PlanDesign, PlanQuestion, Provenance
from steelyard.tally import tally_outcomes, tally_trials

__all__ = ["plan"]

QUESTIONS = tuple(word for word in get_args(PlanQuestion) if word != "more")
Rates = Mapping[str, float] | Sequence[float]


def plan(  # noqa: PLR0913 - one argument for each number a plan may need
    rates: Rates | None = None,
    *,
    question: PlanQuestion = "best",
    confidence: float = 0.95,
    samples: int | None = None,
    design: PlanDesign | None = None,
    discordance: float | None = None,
    pilot: Any = None,  # noqa: ANN401
    more: Any = None,  # noqa: ANN401
    alpha: float = 0.05,
    power: float = 0.8,
    margin: float | None = None,
    delta: float | None = None,
    width: float | None = None,
    priors: Mapping[str, tuple[float, float]] | None = None,
    cost_per_sample: float | None = None,
    rng: int = 0,
    **roles: Unpack[RoleArguments],
) -> Plan:
    """Say how many samples to test, and what other numbers of samples would buy.

    Parameters
    ----------
    rates
        The rates that systems are supposed to have, by name or as a list.
    question
        ``best``: which is the best, by the posterior. ``ranking``: the whole order. ``pair``: a
        test that tells two (or every two) apart, or with ``margin`` shows them equivalent.
        ``width``: an interval no wider than ``width``. ``select``: the best by most right answers,
        whatever the rates, when it leads by ``delta``.
    confidence
        What the posterior or the selection has to reach, or the level of an interval.
    samples
        A number of samples, to be told what it would reach.
    design
        Are the systems tested on ``independent`` items, or ``paired`` on common ones? Independent
        unless a discordance or a pilot on common items is given.
    discordance
        Share of common items on which exactly one of two systems is right.
    pilot
        Predictions or counts to take the rates and the discordance from.
    more
        Predictions or counts to go on from: how many more until the open pairs are settled?
    alpha, power
        Error rate of tests, and the chance to find the difference that is there; ``power`` is
        also the assurance that the table of a posterior plan looks for.
    margin
        Two systems that differ by less than this count as equivalent.
    delta
        Lead of the best that a selection has to find.
    width
        Largest width of an interval, both sides together.
    priors
        Beta priors (a, b) by system, for independent items.
    cost_per_sample
        What testing one system on one item costs (on common items: all systems on one item).
    rng
        Seed of simulations, recorded in the result.
    **roles
        What the columns of a pilot or of ``more`` mean; see
        :class:`steelyard.journey.opening.RoleArguments`.

    Examples
    --------
    >>> import steelyard as sy
    >>> found = sy.plan(rates={"S": 0.90, "T": 0.88, "U": 0.86}, samples=500)
    >>> print(found.sentence())
    To be 95% sure which of 3 is best, when their rates are 0.90, 0.88 and 0.86, test 1,333 \
items each; with 500 you would reach 0.832.
    """
    _check(question, confidence, alpha=alpha, power=power, samples=samples, cost=cost_per_sample)
    settings = {
        "question": "more" if more is not None else question,
        "confidence": confidence,
        "alpha": alpha,
        "power": power,
        "discordance": discordance,
        "margin": margin,
        "delta": delta,
        "width": width,
        "cost_per_sample": cost_per_sample,
    }
    rng = checked_seed(rng)
    if more is not None:
        if rates is not None or pilot is not None:
            message = "Give rates, a pilot, or data to go on from; one of the three."
            raise RequestError(message)
        tested, record = _counts(more, roles, settings, rng)
        return remaining(tested, record, confidence=confidence, alpha=alpha, power=power)
    known, names, counts, record = _supposed(rates, pilot, roles, settings, rng)
    wish = Wish(
        question=question,
        design=_design(design, discordance, counts),
        names=names,
        rates=known,
        provenance=record,
        pilot=counts if isinstance(counts, Outcomes) else None,
        discordance=discordance,
        confidence=confidence,
        samples=samples,
        alpha=alpha,
        power=power,
        margin=margin,
        delta=delta,
        width=width,
        priors=_priors(priors, names),
        cost_per_sample=cost_per_sample,
        seed=rng,
    )
    return planned(wish, PLANNERS[question](wish))


def _check(
    question: str,
    confidence: float,
    *,
    alpha: float,
    power: float,
    samples: int | None,
    cost: float | None,
) -> None:
    if question not in QUESTIONS:
        raise RequestError.for_choice(name="question", given=question, choices=QUESTIONS)
    for name, value in (("confidence", confidence), ("alpha", alpha), ("power", power)):
        if 0 < value < 1:
            continue
        if value == 1:
            message = (
                f"{name}=1 is certainty, which no number of samples gives. The nearest wish is "
                f"{name}=0.999 (--{name} 0.999)."
            )
            raise RequestError(message)
        raise RequestError.for_level(name, value)
    if samples is not None and samples < 1:
        message = f"samples={samples!r}; expected a whole number of at least 1."
        raise RequestError(message)
    if cost is not None and not cost >= 0:
        message = f"cost_per_sample={cost!r}; expected a cost of 0 or more."
        raise RequestError(message)


def _supposed(
    rates: Rates | None,
    pilot: Any,  # noqa: ANN401
    roles: RoleArguments,
    settings: Mapping[str, object],
    seed: int,
) -> tuple[tuple[float, ...], tuple[str, ...], Outcomes | Trials | None, Provenance]:
    if (rates is None) == (pilot is None):
        message = (
            "A plan starts from the rates that systems are supposed to have, such as "
            "rates=[0.90, 0.88] (--rates 0.90,0.88), or from a pilot; give one of them."
        )
        raise RequestError(message)
    if pilot is not None:
        counts, record = _counts(pilot, roles, settings, seed)
        if isinstance(counts, Trials):
            tested, right = counts.tested, counts.correct
        else:
            tested, right = (counts.total,) * len(counts.systems), counts.correct()
        shares = [x / n for x, n in zip(right, tested, strict=True)]
        return check_rates(shares, least=1), counts.systems, counts, record
    assert rates is not None
    _no_roles(roles, "Rates")
    named = dict(rates) if isinstance(rates, Mapping) else dict(_lettered(rates))
    known = check_rates(tuple(named.values()), least=1)
    record = record_of_counts(settings, seed=seed)
    return known, tuple(named), None, record


def _lettered(rates: Sequence[float]) -> list[tuple[str, float]]:
    """Name systems A, B, C, ... (or by number when there are many)."""
    if len(rates) <= 26:
        return [(chr(ord("A") + place), rate) for place, rate in enumerate(rates)]
    return [(str(place + 1), rate) for place, rate in enumerate(rates)]


def _counts(
    data: Any,  # noqa: ANN401
    roles: RoleArguments,
    settings: Mapping[str, object],
    seed: int,
) -> tuple[Outcomes | Trials, Provenance]:
    """Count the right answers of what was given, together where the items are common."""
    if isinstance(data, JointCalls):
        data = data.outcomes()
    if isinstance(data, Outcomes | Trials):
        _no_roles(roles, "Counts")
        return _usable(data), record_of_counts(settings, seed=seed)
    predictions = opened(data, roles)
    if len(predictions.with_answers()) < len(predictions.systems):
        message = (
            "A plan counts right and wrong answers, and some systems give scores only. "
            f"{switch('threshold', '0.5')} turns scores into calls."
        )
        raise NotComparable(message, code="mixed-holdings")
    record = provenance_of(predictions, settings, seed=seed)
    if predictions.pairing == "independent":
        return _usable(tally_trials(predictions)), record
    return _usable(tally_outcomes(predictions)), record


def _no_roles(roles: RoleArguments, what: str) -> None:
    given = sorted(name for name, value in roles.items() if value is not None)
    if given:
        message = f"{what} have no columns, so {given[0]}= says nothing. Leave it out."
        raise RequestError(message)


def _usable(counts: Outcomes | Trials) -> Outcomes | Trials:
    if isinstance(counts, Outcomes) and counts.weights is not None:
        message = "These outcomes carry weights, and a plan counts whole items. Leave them out."
        raise NotComparable(message, code="weighted")
    if isinstance(counts, Trials) and counts.pairing == "common":
        message = (
            "The totals of a common test set do not say who was right together. Give the outcome "
            "of every item, or rates and a discordance."
        )
        raise NotComparable(message)
    empty = counts.total == 0 if isinstance(counts, Outcomes) else 0 in counts.tested
    if empty:
        message = "There are no items to take rates from."
        raise NotComparable(message, code="no-items")
    return counts


def _design(
    design: PlanDesign | None, discordance: float | None, counts: Outcomes | Trials | None
) -> PlanDesign:
    if design is None:
        common = discordance is not None or isinstance(counts, Outcomes)
        return "paired" if common else "independent"
    if design not in get_args(PlanDesign):
        raise RequestError.for_choice(name="design", given=design, choices=get_args(PlanDesign))
    if design == "independent" and discordance is not None:
        message = (
            "A discordance is a share of common items; independent test sets have none. Pass "
            f"{switch('design', 'paired')} or leave the discordance out."
        )
        raise RequestError(message)
    return design


def _priors(
    priors: Mapping[str, tuple[float, float]] | None, names: Sequence[str]
) -> tuple[tuple[float, float], ...] | None:
    if priors is None:
        return None
    unknown = [name for name in priors if name not in names]
    if unknown:
        message = f"A prior is given for {listing(unknown)}; the systems are {listing(names)}."
        raise RequestError(message)
    return tuple(priors.get(name, (1.0, 1.0)) for name in names)

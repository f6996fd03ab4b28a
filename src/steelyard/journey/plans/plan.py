"""How many test items do I need?"""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Literal, Unpack, get_args, overload

from steelyard.errors import RequestError, check_share, listing, switch
from steelyard.journey.arguments import refuse_excess
from steelyard.journey.opening import RoleArguments, check_seed, split_columns
from steelyard.journey.option_types import PlanOptions, PlanSettings
from steelyard.journey.options import settle, takes
from steelyard.journey.plans.data import Areas, Rates, Supposed, count, suppose_rates
from steelyard.journey.plans.designs import scale_for_clusters
from steelyard.journey.plans.questions import QUESTIONS
from steelyard.journey.plans.remaining import remaining, remaining_areas
from steelyard.journey.plans.request import PilotAreas, assemble_plan
from steelyard.planning import MarginClaim
from steelyard.planning.sizes import check_samples
from steelyard.results import Acceptance, Plan, PlanDesign, PlanQuestion, ReaderPlan

__all__ = ["plan"]

COMMON = ("stop", "akaike")
"""Questions of common items, unless it is said otherwise."""
SURE: tuple[Literal["confidence", "alpha", "power"], ...] = ("confidence", "alpha", "power")
RECORDED = (
    "question", "confidence", "alpha", "power", "discordance", "margin", "delta", "width",
    "cost_per_sample", "among", "null", "prevalence", "correlation", "both", "claim",
    "multiplicity", "cluster_size", "trials", "icc", "every", "cap", "difference", "spread",
)  # fmt: skip
"""What the record of a plan keeps, in its order."""
UNSAID = {"multiplicity": "shaffer", "every": 1}
"""What the record leaves out, because it is so unless it is said."""


class PlanAsked(PlanSettings, total=False):
    """What a plan is asked, the question too, which decides what it returns."""

    question: PlanQuestion | Literal["accept", "readers"]


@overload
def plan(
    rates: Rates | None = None,
    *,
    question: Literal["accept"],
    **options: Unpack[PlanOptions],
) -> Acceptance: ...


@overload
def plan(
    rates: Rates | None = None,
    *,
    question: Literal["readers"],
    **options: Unpack[PlanOptions],
) -> ReaderPlan: ...


@overload
def plan(
    rates: Rates | None = None, *, question: PlanQuestion = ..., **options: Unpack[PlanOptions]
) -> Plan: ...


@refuse_excess
@takes("plan")
def plan(rates: Rates | None = None, **options: Any) -> Plan | Acceptance | ReaderPlan:
    """Say how many samples to test, and what other numbers of samples would buy.

    Parameters
    ----------
    rates
        The rates (or areas, or a kappa) assumed for the systems, by name or as a list.
    question
        ``best``: which is the best, by the posterior. ``ranking``: the whole order. ``pair``: a
        test that tells two (or every two) apart, or with ``margin`` shows them equivalent.
        ``width``: an interval no wider than ``width``. ``select``: the best by most right answers,
        whatever the rates, when it leads by ``delta``. ``area``: an area under a ROC curve, or two.
        ``kappa``: agreement of two raters. ``value``: a number for each item, its mean or the
        difference of two. ``akaike``: until the criterion calls two rates
        different. ``stop``: stopping rules beside the test of fixed size. ``accept``: a test that
        accepts or rejects ``claim``. ``readers``: how many readers and cases show a
        ``difference`` of mean areas, from a pilot.
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
        also the share of tests that are to get there where the goal is no chance of its own.
    margin
        Two systems that differ by less than this count as equivalent.
    delta
        Lead of the best that a selection has to find.
    width
        Largest width of an interval, both sides together.
    priors
        Beta priors (a, b) by system, or one for all, for independent items.
    cost_per_sample
        What testing one system on one item costs (on common items: all systems on one item).
    among
        How many systems a selection is made among, instead of rates.
    null
        The area or kappa that the assumed one is compared with.
    prevalence
        Share of positive items, or of the first class for kappa; one half unless given.
    correlation
        Correlation of two areas, or of the values of two systems, on common items.
    difference, spread
        With ``value``: the supposed difference, and the standard deviation of a value or of the
        difference on an item (or two, with their correlation).
    both
        Share of items that both systems have right, for ``akaike``.
    claim
        With ``margin``: ``equivalent``, or that the first system is ``not inferior``. For
        ``accept`` the limit to keep: ``"P_D at least 0.9"``, ``"false alarms at most 2 per hour"``.
    multiplicity
        How alpha is shared when every two of several systems are tested.
    cluster_size, trials, icc
        Items come in clusters of this size, or each is tried so often, and two of a cluster (or
        two trials of an item) are correlated by ``icc``.
    shares
        How many items each system gets, relative to one another, for independent items.
    reader, readers, cases
        With ``readers``: the column of readers of the pilot, and a number of readers or cases that
        is given.
    every, cap
        With ``stop``: items between looks, and the item at which every rule ends.
    rng
        Seed of simulations, recorded in the result.
    **roles
        What the columns of a pilot or of ``more`` mean; see
        :class:`steelyard.journey.opening.RoleArguments`.

    Returns
    -------
    Plan
        How many items to test, and what other numbers of items would reach.
    Acceptance
        Instead, for ``question="accept"``: the test that shows a claim.

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
    >>> found = sy.plan(rates={"S": 0.90, "T": 0.88, "U": 0.86}, samples=500)
    >>> print(found.sentence())
    To be 95% sure which of 3 is best, when their rates are 0.90, 0.88 and 0.86, test 3,513 \
items each: at least 80% of such tests get there (50.2% with 1,333 items); with 500 a test would \
typically reach 0.832.
    """
    own: PlanAsked
    own, roles = settle("plan", options)
    question = own["question"]
    _check(own)
    if question == "accept":
        from steelyard.journey.plans.acceptance import list_rates, plan_acceptance

        return plan_acceptance(own["claim"], list_rates(rates), own)
    if question == "readers":
        from steelyard.journey.readers import plan_readers

        return plan_readers(own, roles)
    given: dict[str, Any] = {**own, "seed": check_seed(own["rng"])}
    given["claim"] = _margin_claim(own["claim"])
    settings = {name: _record(name, given) for name in RECORDED}
    if question == "value" or _is_crossed(own, roles):
        from steelyard.journey.values.plan import plan_values

        return plan_values(own, roles, settings, seed=given["seed"])
    if own["more"] is not None:
        return _go_on(rates, own, roles, settings, seed=given["seed"])
    if own["among"] is not None and question != "select":
        message = "among= says how many systems a selection has; ask question='select' for it."
        raise RequestError(message)
    known = suppose_rates(
        rates,
        own["pilot"],
        roles,
        settings,
        seed=given["seed"],
        among=own["among"],
        areas=question == "area",
    )
    _check_areas(known, question)
    design = _design(own, known)
    if own["shares"] is not None:
        _check_shares(question, design, len(known.rates), margin=own["margin"])
    given |= {
        "design": design,
        "names": known.names,
        "rates": known.rates,
        "provenance": known.record,
        "pilot": known.outcomes,
        "priors": _priors(own["priors"], known.names),
        "prevalence": _prevalence(own["prevalence"], known),
        "shares": _shares(own["shares"], known.names),
        "areas": _see(known),
    }
    kind, answer = QUESTIONS[question]
    request = kind(**{field.name: given[field.name] for field in fields(kind)})
    return assemble_plan(request, scale_for_clusters(request, answer(request)), known.caveats)


CROSSABLE = ("pair", "area", "width")


def _is_crossed(own: PlanAsked, roles: RoleArguments) -> bool:
    """Tell whether a pilot names two columns of clusters, for a question that can be planned so."""
    if own["pilot"] is None or own["question"] not in CROSSABLE:
        return False
    return split_columns(roles.get("cluster")) is not None


def _margin_claim(claim: str | None) -> MarginClaim:
    """Read what a margin is to show; the words of another question are none of it."""
    claims: dict[str, MarginClaim] = {
        "equivalent": "equivalent",
        "not inferior": "not inferior",
        "not-inferior": "not inferior",
    }
    if claim is not None and claim not in claims:
        choices = ("equivalent", "not-inferior")
        raise RequestError.for_choice(name="claim", given=claim, choices=choices)
    return claims[claim or "equivalent"]


def _record(name: str, given: Mapping[str, Any]) -> object:
    """Say what was asked as the record of an answer keeps it: what is usual is left out."""
    if name == "question" and given["more"] is not None:
        return "more"
    if name == "claim" and given["margin"] is None:
        return None
    return None if given[name] == UNSAID.get(name) else given[name]


def _go_on(
    rates: Rates | None,
    own: PlanAsked,
    roles: RoleArguments,
    settings: Mapping[str, object],
    *,
    seed: int,
) -> Plan:
    """Plan on from data: how many more until the open pairs are settled."""
    if rates is not None or own["pilot"] is not None:
        message = "Give rates, a pilot, or data to go on from; one of the three."
        raise RequestError(message)
    areas = own["question"] == "area"
    tested, record, said = count(own["more"], roles, settings, seed, areas=areas)
    sure = {name: own[name] for name in SURE}
    if isinstance(tested, Areas):
        left = remaining_areas(tested, record, **sure)
    else:
        left = remaining(tested, record, **sure)
    return replace(left, caveats=(*left.caveats, *said))


def _check_areas(known: Supposed, question: str) -> None:
    if isinstance(known.counts, Areas) and question != "area":
        message = (
            "The pilot has scores and no answers, so its plan is one of areas: "
            f"question='area' (steelyard plan area); {switch('threshold', '0.5')} turns scores "
            "into calls."
        )
        raise RequestError(message)


def _see(known: Supposed) -> PilotAreas | None:
    if isinstance(known.counts, Areas) and len(known.names) == 2:
        return known.counts.between(0, 1)
    return None


def _prevalence(given: float | None, known: Supposed) -> float:
    if given is None:
        return known.counts.positives if isinstance(known.counts, Areas) else 0.5
    check_share("prevalence", given)
    return given


def _check_shares(
    question: PlanQuestion, design: PlanDesign, systems: int, *, margin: float | None
) -> None:
    """Refuse shares where every system has as many items."""
    two = question == "pair" and systems == 2 and margin is None
    if not (two or question in ("best", "ranking")):
        message = (
            "Shares of items are planned for question='best' and 'ranking', and for the test of "
            "two rates (question='pair', no margin); others give every system as many items. "
            "Leave them out."
        )
        raise RequestError(message)
    if two and design == "paired":
        message = (
            "On common items every system has as many; shares are for items of their own. Leave "
            "them out, or type design='independent' (--design independent)."
        )
        raise RequestError(message)


def _shares(
    shares: Mapping[str, float] | Sequence[float] | None, names: Sequence[str]
) -> tuple[float, ...] | None:
    """Bring shares to a mean of 1, in the order of the systems."""
    if shares is None:
        return None
    if isinstance(shares, Mapping):
        missing = [name for name in names if name not in shares]
        given = [] if missing else [float(shares[name]) for name in names]
    else:
        given = [float(share) for share in shares]
    if len(given) != len(names) or not all(share > 0 for share in given):
        message = (
            f"shares={shares!r}; expected a number above 0 for each of {listing(names)}, such as "
            "shares=[2, 1] for twice as many items of the first."
        )
        raise RequestError(message)
    return tuple(share * len(given) / sum(given) for share in given)


def _check(own: PlanAsked) -> None:
    choices = (*QUESTIONS, "value", "accept", "readers")
    if own["question"] not in choices:
        raise RequestError.for_choice(name="question", given=own["question"], choices=choices)
    for name in SURE:
        value = own[name]
        if 0 < value < 1:
            continue
        if value == 1:
            message = (
                f"{name}=1 is certainty, which no number of samples gives. The nearest request "
                f"that can be met is {name}=0.999 (--{name} 0.999)."
            )
            raise RequestError(message)
        raise RequestError.for_level(name, value)
    samples, cost = own["samples"], own["cost_per_sample"]
    if samples is not None:
        check_samples(samples)
    if cost is not None and not cost >= 0:
        message = f"cost_per_sample={cost!r}; expected a cost of 0 or more."
        raise RequestError(message)


def _design(own: PlanAsked, known: Supposed) -> PlanDesign:
    design, discordance = own["design"], own["discordance"]
    if design is None:
        told = discordance is not None or own["correlation"] is not None or known.common
        return "paired" if told or own["question"] in COMMON else "independent"
    if design not in get_args(PlanDesign):
        raise RequestError.for_choice(name="design", given=design, choices=get_args(PlanDesign))
    if design == "independent" and own["question"] == "stop":
        message = (
            "Stopping rules are compared on common items; leave the design out "
            f"or pass {switch('design', 'paired')}."
        )
        raise RequestError(message)
    if design == "independent" and discordance is not None:
        message = (
            "A discordance is a share of common items; independent test sets have none. Pass "
            f"{switch('design', 'paired')} or leave the discordance out."
        )
        raise RequestError(message)
    return design


def _priors(
    priors: Mapping[str, tuple[float, float]] | tuple[float, float] | None, names: Sequence[str]
) -> tuple[tuple[float, float], ...] | None:
    if priors is None:
        return None
    if not isinstance(priors, Mapping):
        return (priors,) * len(names)
    unknown = [name for name in priors if name not in names]
    if unknown:
        message = f"A prior is given for {listing(unknown)}; the systems are {listing(names)}."
        raise RequestError(message)
    return tuple(priors.get(name, (1.0, 1.0)) for name in names)

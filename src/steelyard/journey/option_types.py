"""The keywords of every verb, for type checkers; made from :mod:`steelyard.journey.options`.

``make reference`` writes this file, and ``make test`` fails when it is out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from steelyard.engines import Statement
    from steelyard.journey.contacts import Depths
    from steelyard.journey.evaluation.question import CostsGiven
    from steelyard.measures import (
        Binning,
        ClassWeights,
        KappaInterval,
        Number,
        Rounding,
        ThresholdMethod,
    )
    from steelyard.planning import MarginClaim, Multiplicity
    from steelyard.results import PlanDesign, PlanQuestion

# [[[cog
# import cog
# from reference_pages import option_types
# cog.out("\n" + option_types() + "\n\n")
# ]]]

__all__ = [
    "AgreementOptions",
    "AgreementSettings",
    "CalibrationOptions",
    "CalibrationSettings",
    "CompareOptions",
    "CompareSettings",
    "EvaluateOptions",
    "EvaluateSettings",
    "GateOptions",
    "GateSettings",
    "PlanOptions",
    "PlanSettings",
    "ReportOptions",
    "ReportSettings",
    "RocOptions",
    "RocSettings",
    "RoleArguments",
    "TargetingOptions",
    "TargetingSettings",
    "ThresholdOptions",
    "ThresholdSettings",
]


class RoleArguments(TypedDict, total=False):
    """What is said about the data.

    ``truth``: Column of the true class. ``systems``: Systems to use. ``positive``: The positive
    class, for scores. ``item``: Column of item ids. ``system``: Column of system names, in a file
    with a row per item and system. ``called``: Systems (or the column) that hold called classes.
    ``score``: Systems (or the column) that hold scores. ``outcome``: Systems (or the column) that
    hold right/wrong. ``vector``: Systems that hold a number per class: NAME, or NAME=p{class} for
    columns p0, p1, ... ``classes``: All classes, in the order of vectors. ``threshold``: Call
    positive from this score up. ``weight``: Column of weights; '' for none. ``cluster``: Column of
    clusters; '' for none. ``group``: Column of slices to report apart; '' for none. ``fold``:
    Column of folds or problems; '' for none. ``pairing``: Did all systems see the same items?
    ``missing``: Items without an answer. ``unlabelled``: Items without a truth. ``duplicates``: Ids
    that come twice. ``join``: Items that not every system has. ``scorer``: The scorer that says
    right or wrong. ``metric``: The metric that says right or wrong. ``filter``: The filter of
    answers to count. ``errors``: Samples that were not scored. ``delimiter``: Column separator of
    CSV. ``decimal``: Decimal mark of CSV. ``encoding``: Encoding of CSV. ``table``: PostgreSQL: the
    table to read. ``query``: PostgreSQL: the query whose rows to read. ``memory``: Memory to use,
    as in 1.5GiB. ``observe``: Called with every SQL statement that was run.
    """

    truth: str | None
    systems: Any
    positive: Any
    item: str | None
    system: str | None
    called: Any
    score: Any
    outcome: Any
    vector: Any
    classes: Any
    threshold: float | None
    weight: str | None
    cluster: str | None
    group: str | None
    fold: str | None
    pairing: str | None
    missing: str | None
    unlabelled: str | None
    duplicates: str | None
    join: str | None
    scorer: Any
    metric: Any
    filter: Any
    errors: str | None
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    table: str | None
    query: str | None
    memory: str | int | None
    observe: Callable[[Statement], None] | None


class EvaluateSettings(TypedDict, total=False):
    """What evaluate is asked."""

    level: float
    pass_at: Any
    benchmark: int | None
    estimand: str | None
    average: str | Sequence[str]
    measure: str | Sequence[str] | None
    prevalence: Number | None
    cost: CostsGiven | None
    method: str
    kappa_method: KappaInterval | None


class EvaluateOptions(EvaluateSettings, RoleArguments, total=False):
    """Every keyword of evaluate."""


class CompareSettings(TypedDict, total=False):
    """What compare is asked."""

    level: float
    alpha: float
    margin: float | None
    prior: Any
    rng: int
    by_group: bool
    estimand: str | None


class CompareOptions(CompareSettings, RoleArguments, total=False):
    """Every keyword of compare."""


class GateSettings(TypedDict, total=False):
    """What gate is asked."""

    alpha: float
    rng: int
    baseline: Any
    candidate: str | None
    estimand: str | None
    benchmark: int | None
    require: Required[str | Sequence[str]]


class GateOptions(GateSettings, RoleArguments, total=False):
    """Every keyword of gate."""


class ThresholdSettings(TypedDict, total=False):
    """What threshold is asked."""

    level: float
    rng: int
    by: ThresholdMethod
    sensitivity: Number | None
    specificity: Number | None
    false_alarm_rate: Number | None
    beta: Number | None
    cost: Mapping[str, Number] | None
    resamples: int
    unweighted: bool


class ThresholdOptions(ThresholdSettings, RoleArguments, total=False):
    """Every keyword of threshold."""


class RocSettings(TypedDict, total=False):
    """What roc is asked."""

    level: float
    rng: int
    prevalence: Number | None
    thresholds: str | Sequence[Number] | None
    rounding: Rounding | None
    at: str | Sequence[str] | Mapping[str, Number]
    measures: Sequence[str]
    partial: str | None
    average: str | Sequence[str]
    average_at: Sequence[Number] | None
    cost: Mapping[str, Number] | None
    band: str
    points: int
    resamples: int
    unweighted: bool


class RocOptions(RocSettings, RoleArguments, total=False):
    """Every keyword of roc."""


class CalibrationSettings(TypedDict, total=False):
    """What calibration is asked."""

    level: float
    bins: int
    binning: Binning
    class_weights: Mapping[str, float] | None
    unweighted: bool


class CalibrationOptions(CalibrationSettings, RoleArguments, total=False):
    """Every keyword of calibration."""


class TargetingSettings(TypedDict, total=False):
    """What targeting is asked."""

    level: float
    budget: Number | None
    share: Number | None
    by: Depths
    net_benefit: Sequence[Number]
    unweighted: bool


class TargetingOptions(TargetingSettings, RoleArguments, total=False):
    """Every keyword of targeting."""


class AgreementSettings(TypedDict, total=False):
    """What agreement is asked."""

    level: float
    kappa_method: KappaInterval
    raters: str | Sequence[str] | None
    weights: ClassWeights
    order: Sequence[object] | None


class AgreementOptions(AgreementSettings, RoleArguments, total=False):
    """Every keyword of agreement."""


class PlanSettings(TypedDict, total=False):
    """What plan is asked."""

    question: PlanQuestion
    pilot: Any
    more: Any
    confidence: float
    samples: int | None
    design: PlanDesign | None
    discordance: float | None
    alpha: float
    power: float
    margin: float | None
    claim: MarginClaim | Literal["not-inferior"]
    multiplicity: Multiplicity
    delta: float | None
    among: int | None
    width: float | None
    null: float | None
    prevalence: float | None
    correlation: float | None
    both: float | None
    shares: Mapping[str, float] | Sequence[float] | None
    priors: Mapping[str, tuple[float, float]] | tuple[float, float] | None
    every: int
    cap: int | None
    cost_per_sample: float | None
    cluster_size: float | None
    trials: int | None
    icc: float | None
    rng: int


class PlanOptions(PlanSettings, RoleArguments, total=False):
    """Every keyword of plan."""


class ReportSettings(TypedDict, total=False):
    """What report is asked."""

    level: float
    alpha: float
    margin: float | None
    prior: Any
    rng: int


class ReportOptions(ReportSettings, RoleArguments, total=False):
    """Every keyword of report."""


# [[[end]]]

"""The keywords of every verb, for type checkers; made from :mod:`steelyard.journey.options`.

``make reference`` writes this file, and ``make test`` fails when it is out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

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
    from steelyard.planning import Multiplicity
    from steelyard.results import PlanDesign

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
    class, for scores. ``item``: Column of item ids, or columns: question_id,turn. ``system``:
    Column of system names, in a file with a row per item and system. ``called``: Systems (or the
    column) that hold called classes. ``score``: Systems (or the column) that hold scores.
    ``outcome``: Systems (or the column) that hold right/wrong. ``vector``: Systems that hold a
    number per class: NAME, or NAME=p{class} for columns p0, p1, ... ``classes``: All classes, in
    the order of vectors; 'all': all that are true or called. ``threshold``: Call positive from this
    score up. ``weight``: Column of weights; '' for none. ``cluster``: Column of clusters; '' for
    none; two for crossed items: a,b. ``group``: Column of slices to report separately; '' for none.
    ``fold``: Column of folds or problems; '' for none. ``pairing``: Did all systems see the same
    items? rows: files without ids, line by line. ``value``: Systems (or the column) that hold a
    number for each item: a grade, a latency, a cost. ``per``: What --errors are divided by: one
    column for all, or one for each. ``judge``: What a judge gave every item, where people gave
    --value (or --outcome, 0 and 1) to some: one column for each system. ``lower_is_better``: For
    --value: a lower number is better. ``higher_is_better``: For --value: a higher number is better.
    ``range``: The smallest and the largest possible value. ``missing``: Items without an answer.
    ``unlabelled``: Items without a truth. ``duplicates``: Ids that appear twice. ``join``: Items
    that not every system has. ``scorer``: The scorer that says right or wrong. ``metric``: The
    metric that says right or wrong. ``filter``: The filter of answers to count. ``errors``: Samples
    that were not scored: refuse, wrong or drop-pair. With --per: the columns that count errors.
    ``unsubmitted``: Items that a system never submitted (SWE-bench). ``delimiter``: Column
    separator of CSV. ``decimal``: Decimal mark of CSV. ``encoding``: Encoding of CSV. ``columns``:
    Names for the columns of a file without a header; _ skips one. ``table``: The table to read from
    PostgreSQL, or the sheet of a workbook. ``query``: The query whose rows to read from PostgreSQL.
    ``memory``: Memory to use, such as 1.5GiB. ``observe``: Called with every SQL statement that was
    run.
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
    value: Any
    per: Any
    judge: Any
    lower_is_better: bool | None
    higher_is_better: bool | None
    range: str | tuple[float, float] | None
    missing: str | None
    unlabelled: str | None
    duplicates: str | None
    join: str | None
    scorer: Any
    metric: Any
    filter: Any
    errors: Any
    unsubmitted: str | None
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    columns: str | Sequence[str] | None
    table: str | None
    query: str | None
    memory: str | int | None
    observe: Callable[[Statement], None] | None


class EvaluateSettings(TypedDict, total=False):
    """What evaluate is asked."""

    level: float
    pass_at: Any
    benchmark: int | None
    unknown: str | None
    certainty: Any
    estimand: str | None
    average: str | Sequence[str]
    measure: str | Sequence[str] | None
    prevalence: Number | None
    cost: CostsGiven | None
    method: str
    kappa_method: KappaInterval | None
    exposure: str | None


class EvaluateOptions(EvaluateSettings, RoleArguments, total=False):
    """Every keyword of evaluate."""


class CompareSettings(TypedDict, total=False):
    """What compare is asked."""

    level: float
    alpha: float
    reader: str | None
    margin: float | None
    prior: Any
    rng: int
    tested: Mapping[str, int] | int | None
    accuracy: str | None
    by_group: bool
    cost: str | Sequence[str] | Mapping[str, float] | None
    estimand: str | None
    items: str | Path | None
    flips: Any
    unknown: str | None
    certainty: Any


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
    unknown: str | None
    require: str | Sequence[str] | None
    claim: str | Sequence[str] | None
    exposure: str | None


class GateOptions(GateSettings, RoleArguments, total=False):
    """Every keyword of gate."""


class ThresholdSettings(TypedDict, total=False):
    """What threshold is asked."""

    level: float
    rng: int
    certainty: Any
    by: ThresholdMethod
    promise: str | None
    grid: Sequence[Number] | None
    sensitivity: Number | None
    specificity: Number | None
    false_alarm_rate: Number | None
    beta: Number | None
    cost: Mapping[str, Number] | None
    prevalence: Number | None
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
    points: int
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

    pilot: Any
    more: Any
    confidence: float
    samples: int | None
    design: PlanDesign | None
    discordance: float | None
    alpha: float
    power: float
    margin: float | None
    claim: str | None
    multiplicity: Multiplicity
    delta: float | None
    among: int | None
    width: float | None
    null: float | None
    prevalence: float | None
    correlation: float | None
    difference: float | None
    reader: str | None
    readers: int | None
    cases: int | None
    spread: float | Sequence[float] | None
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
    layout: str | None
    margin: float | None
    at: float | None
    shown: str | None
    prior: Any
    rng: int
    cost: str | Sequence[str] | Mapping[str, float] | None


class ReportOptions(ReportSettings, RoleArguments, total=False):
    """Every keyword of report."""


# [[[end]]]

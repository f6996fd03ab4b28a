"""Laws that every kind of result keeps."""

import csv
import json
from dataclasses import fields, replace
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import get_args
from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.counts import Confusion, Exclusion, PairTable
from steelyard.display.interchange import json_text
from steelyard.display.text import display_width
from steelyard.results import (
    KINDS,
    ROW_COLUMNS,
    Acceptance,
    AcceptancePoint,
    AcceptanceWay,
    Agreement,
    AlgorithmPair,
    AveragedCurve,
    Benefit,
    Calibration,
    CalibrationGroup,
    CampaignCheck,
    CampaignCondition,
    CampaignEntry,
    CampaignHistory,
    CampaignNext,
    CampaignPoint,
    CampaignRule,
    CampaignStatus,
    CampaignStop,
    CampaignSystem,
    CellDetail,
    CellScore,
    ClaimCheck,
    ClassAreas,
    ClassCalibration,
    ClassMeasures,
    ComparedPair,
    ComparedSystem,
    ComparedValues,
    Comparison,
    Contacted,
    CostLine,
    CurveBand,
    CurvePoint,
    DatasetComparison,
    Estimate,
    EvaluatedValues,
    Evaluation,
    EventRates,
    FoldThreshold,
    Gate,
    GateCheck,
    InputRecord,
    Interval,
    Leaderboard,
    MethodThreshold,
    Models,
    MoreSamples,
    NextSystem,
    OverProblems,
    Plan,
    PlanGoal,
    PlanMeasure,
    PlannedRule,
    PlannedSystem,
    PlanOption,
    PlanQuestion,
    PlanStep,
    Proportion,
    Provenance,
    RankedAlgorithm,
    RankedByDatasets,
    RankedModel,
    RateLine,
    RateRatio,
    RaterPair,
    ReaderComparison,
    ReaderOutcome,
    ReaderPair,
    ReaderPlan,
    ReaderSize,
    ReaderSystem,
    RocCurves,
    RocPlace,
    RuleBehaviour,
    ScoreDifference,
    Sheet,
    SheetRow,
    SignedRankChance,
    SliceComparison,
    SweptThreshold,
    SystemEvaluation,
    SystemEvents,
    SystemRoc,
    SystemScores,
    SystemTargeting,
    Targeting,
    ThresholdChoice,
    ValueComparison,
    ValueEvaluation,
    ValueName,
    ValuePlan,
    ValueSlice,
    Working,
    read_result,
)

FIXTURES = Path(__file__).parent / "fixtures"

ODD = ["<script>alert(1)</script>", "=cmd|' /C calc'!A0", "\x1b[31mred\x1b[0m", "船", 'a"b,c\n', ""]
names = st.sampled_from(ODD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
shares = st.floats(0, 1)
numbers = st.floats(-1e9, 1e9)
counts = st.integers(0, 10**6)
notes = st.lists(names, max_size=2).map(tuple)


def maybe(strategy):
    return st.none() | strategy


intervals = st.builds(
    lambda a, b, level, method: Interval(low=min(a, b), high=max(a, b), level=level, method=method),
    numbers,
    numbers,
    st.floats(0.5, 0.999),
    names,
)


@st.composite
def proportions(draw):
    trials = draw(counts)
    return Proportion(
        measure=draw(names),
        successes=draw(st.integers(0, trials)),
        trials=trials,
        interval=draw(maybe(intervals)),
        reason=draw(maybe(names)),
        of=draw(maybe(names)),
        caveats=draw(notes),
    )


estimates = st.builds(
    Estimate,
    measure=names,
    value=maybe(numbers),
    interval=maybe(intervals),
    standard_error=maybe(numbers),
    reason=maybe(names),
    of=maybe(names),
    items=maybe(counts),
    caveats=notes,
)
exclusions = st.builds(
    Exclusion, reason=names.filter(str.strip), rows=counts, system=maybe(names.filter(str.strip))
)
provenances = st.builds(
    Provenance,
    version=names,
    inputs=st.lists(
        st.builds(InputRecord, name=names, sha256=names, bytes=counts, read_as=names), max_size=2
    ).map(tuple),
    understood=st.lists(st.tuples(names, names), max_size=2).map(tuple),
    settings=st.lists(st.tuples(names, names), max_size=2).map(tuple),
    rows=maybe(counts),
    excluded=st.lists(exclusions, max_size=2).map(tuple),
    seed=maybe(counts),
)


@st.composite
def confusions(draw):
    classes = draw(st.lists(names, min_size=1, max_size=14, unique=True))
    pair = st.tuples(st.sampled_from(classes), st.sampled_from(classes))
    cells = draw(st.dictionaries(pair, counts, max_size=6))
    return Confusion.from_cells(cells, classes=classes)


systems = st.builds(
    SystemEvaluation,
    system=names,
    holds=st.sampled_from(["called", "outcome", "score", "vector"]),
    items=counts,
    accuracy=maybe(proportions() | estimates),
    kappa=maybe(estimates),
    area=maybe(estimates),
    vector=st.lists(estimates, max_size=2).map(tuple),
    per_class=st.lists(
        st.builds(ClassMeasures, name=names, recall=proportions(), precision=proportions()),
        max_size=14,
    ).map(tuple),
    confusion=maybe(confusions()),
    slices=st.lists(proportions(), max_size=14).map(tuple),
    further=st.lists(proportions() | estimates, max_size=3).map(tuple),
    caveats=notes,
)
evaluations = st.builds(
    Evaluation,
    systems=st.lists(systems, max_size=3).map(tuple),
    classes=notes,
    positive=maybe(names),
    level=st.just(0.95),
    provenance=provenances,
    guide=notes,
    caveats=notes,
)


more = st.builds(
    MoreSamples,
    first=names,
    second=maybe(names),
    samples=maybe(counts),
    reason=maybe(names),
    beyond=st.booleans(),
)
steps = st.builds(
    PlanStep,
    samples=st.integers(1, 10**6),
    reached=shares,
    assurance=maybe(shares),
    assurance_error=maybe(shares),
    cost=maybe(st.floats(0, 1e9)),
)
rules = st.builds(
    PlannedRule,
    name=names,
    power=shares,
    wrong=shares,
    false_alarm=shares,
    items=st.floats(1, 1e6),
    late=counts,
    items_equal=st.floats(1, 1e6),
    late_equal=counts,
    cap=counts,
    error=maybe(st.floats(0.001, 0.1)),
    draws=maybe(st.integers(1, 10**6)),
    power_limits=maybe(st.tuples(shares, shares)),
    false_alarm_limits=maybe(st.tuples(shares, shares)),
)
plans = st.builds(
    Plan,
    question=st.sampled_from(get_args(PlanQuestion)),
    goal=st.sampled_from(get_args(PlanGoal)),
    design=st.sampled_from(["independent", "paired"]),
    systems=st.lists(
        st.builds(PlannedSystem, system=names, rate=maybe(shares)), min_size=1, max_size=9
    ).map(tuple),
    target=st.floats(0.01, 0.99),
    samples=maybe(st.integers(1, 10**6)),
    exact_samples=maybe(st.floats(0, 1e6)),
    limit=st.just(1_000_000),
    asked=maybe(steps),
    steps=st.lists(steps, max_size=4).map(tuple),
    assurance_bound=st.booleans(),
    next_point=maybe(counts),
    options=st.lists(
        st.builds(PlanOption, name=names, samples=maybe(counts), note=maybe(names)), max_size=3
    ).map(tuple),
    more=st.lists(more, max_size=4).map(tuple),
    tested=maybe(counts),
    method=names,
    level=maybe(st.just(0.95)),
    alpha=maybe(st.just(0.05)),
    margin=maybe(st.floats(0.01, 0.5)),
    delta=maybe(st.floats(0.01, 0.5)),
    discordance=maybe(shares),
    cost_per_sample=maybe(st.floats(0, 1e3)),
    provenance=provenances,
    caveats=notes,
    measure=st.sampled_from(get_args(PlanMeasure)),
    null=maybe(shares),
    both=maybe(shares),
    positives=maybe(counts),
    clusters=maybe(counts),
    trials=maybe(st.integers(1, 50)),
    claim=maybe(st.sampled_from(["equivalent", "not inferior"])),
    shares=st.lists(st.floats(0.1, 3), max_size=3).map(tuple),
    rules=st.lists(rules, max_size=3).map(tuple),
)


@st.composite
def comparisons(draw):
    known = draw(st.lists(names, min_size=2, max_size=7, unique=True))
    table = st.builds(PairTable, both=counts, first=counts, second=counts, neither=counts)
    rates = proportions() | estimates
    verdicts = st.sampled_from(["different", "same", "undecided"])
    systems = tuple(
        ComparedSystem(
            system=name,
            rate=draw(rates),
            best=draw(maybe(shares)),
            rank_low=1,
            rank_high=2,
            tier=draw(maybe(st.sampled_from(["a", "ab"]))),
            loss=draw(maybe(shares)),
        )
        for name in known
    )
    pairs = tuple(
        ComparedPair(
            first=one,
            second=two,
            difference=draw(estimates),
            p_value=draw(maybe(shares)),
            adjusted_p=draw(maybe(shares)),
            better=draw(maybe(shares)),
            verdict=draw(verdicts),
            table=draw(maybe(table)),
            aic_difference=draw(maybe(numbers)),
            aic_verdict=draw(maybe(verdicts)),
            equivalent=draw(maybe(shares)),
        )
        for place, one in enumerate(known)
        for two in known[place + 1 :]
    )
    slices = st.builds(
        SliceComparison,
        slice=names,
        items=maybe(counts),
        systems=st.just(systems),
        pairs=st.just(pairs),
        monte_carlo_error=maybe(shares),
    )
    return Comparison(
        measure=draw(st.sampled_from(["accuracy", "auc"])),
        pairing=draw(st.sampled_from(["common", "independent"])),
        items=draw(maybe(counts)),
        systems=systems,
        pairs=pairs,
        primary=draw(names),
        level=0.95,
        alpha=0.05,
        monte_carlo_error=draw(maybe(shares)),
        provenance=draw(provenances),
        more=draw(st.lists(more, max_size=2).map(tuple)),
        margin=draw(maybe(st.floats(0.001, 0.5))),
        priors=draw(st.lists(st.tuples(names, numbers, numbers), max_size=2).map(tuple)),
        slices=draw(st.lists(slices, max_size=2).map(tuple)),
        caveats=draw(notes),
    )


method_thresholds = st.builds(
    MethodThreshold,
    method=names | st.sampled_from(["max-kappa", "sensitivity", "predicted-prevalence", "max-f"]),
    words=names,
    needs_absences=st.booleans(),
    threshold=maybe(numbers),
    tied=st.lists(numbers, max_size=5).map(tuple),
    below=st.none(),
    wanted=maybe(shares),
    promises=maybe(names),
    promise=maybe(numbers),
    recall=maybe(proportions()),
    specificity=maybe(proportions()),
    precision=maybe(proportions()),
    kappa=maybe(numbers),
    flagged=maybe(counts),
    cost=maybe(numbers),
    reason=maybe(names),
)


by_folds = st.builds(
    FoldThreshold,
    fold=names,
    items=counts,
    own=maybe(numbers),
    others=maybe(numbers),
    tp=counts,
    fp=counts,
    fn=counts,
    tn=counts,
    promise=maybe(numbers),
)
swept = st.builds(
    SweptThreshold,
    threshold=numbers,
    recall=maybe(shares),
    specificity=maybe(shares),
    kappa=maybe(numbers),
    cost=maybe(numbers),
)


@st.composite
def threshold_choices(draw):
    methods = tuple(draw(st.lists(method_thresholds, max_size=4)))
    return ThresholdChoice(
        system=draw(maybe(names)),
        positive=draw(names),
        by=draw(st.sampled_from([*(one.method for one in methods), "max-kappa"])),
        items=draw(counts),
        positives=draw(counts),
        methods=methods,
        interval=draw(maybe(intervals)),
        expected=draw(maybe(estimates)),
        level=0.95,
        resamples=draw(counts),
        provenance=draw(provenances),
        sweep=tuple(draw(st.lists(swept, max_size=3))),
        swept_of=draw(counts),
        folds=tuple(draw(st.lists(by_folds, max_size=2))),
        out_of_fold=draw(maybe(estimates)),
        caveats=draw(notes),
    )


ranked = st.builds(
    RankedModel,
    name=names,
    log_likelihood=numbers,
    parameters=counts,
    aic=numbers,
    aicc=maybe(numbers),
    bic=numbers,
    difference=st.floats(0, 1e9),
    weight=shares,
    log_bayes_factor=numbers,
)
models = st.builds(
    Models,
    criterion=st.sampled_from(["aic", "aicc", "bic"]),
    items=counts,
    models=st.lists(ranked, max_size=4).map(tuple),
    provenance=provenances,
    caveats=notes,
)
claim_checks = st.builds(
    ClaimCheck,
    claim=names,
    measure=names,
    side=st.sampled_from(["at least", "at most"]),
    limit=numbers,
    value=maybe(numbers),
    low=maybe(numbers),
    high=maybe(numbers),
    confidence=shares,
    method=names,
    outcome=st.sampled_from(["passes", "fails", "undecided"]),
    of=maybe(names),
    count=maybe(counts),
    total=maybe(counts),
    exposure=maybe(numbers),
    unit=maybe(names),
    more=maybe(numbers),
    reason=maybe(names),
)
gates = st.builds(
    Gate,
    candidate=names,
    baseline=names,
    claims=st.lists(claim_checks, max_size=2).map(tuple),
    checks=st.lists(
        st.builds(
            GateCheck,
            requirement=names,
            measure=names,
            claim=st.sampled_from(["better", "not worse", "same"]),
            margin=shares,
            candidate=maybe(numbers),
            baseline=maybe(numbers),
            advantage=estimates,
            outcome=st.sampled_from(["passes", "fails", "undecided"]),
            of=maybe(names),
            more=maybe(counts),
            reason=maybe(names),
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    alpha=st.floats(0.001, 0.4),
    provenance=provenances,
    caveats=notes,
)
acceptances = st.builds(
    Acceptance,
    claim=names,
    measure=names,
    side=st.sampled_from(["at least", "at most"]),
    limit=numbers,
    supposed=maybe(numbers),
    alpha=shares,
    power=shares,
    unit=maybe(names),
    ways=st.tuples(
        st.builds(
            AcceptanceWay,
            name=st.just("fixed size"),
            most=st.floats(1, 1e6),
            failures=counts,
            rule=names,
            accept_limit=shares,
            accept_supposed=maybe(shares),
            expected_limit=maybe(st.floats(1, 1e6)),
            expected_supposed=maybe(st.floats(1, 1e6)),
        ),
        st.builds(
            AcceptanceWay,
            name=st.just("nothing may fail"),
            most=st.floats(1, 1e6),
            failures=st.just(0),
            rule=names,
            accept_limit=shares,
            accept_supposed=maybe(shares),
        ),
    ),
    curve=st.lists(
        st.builds(AcceptancePoint, value=numbers, accept=st.tuples(shares, shares)), max_size=3
    ).map(tuple),
    lasting=maybe(counts),
    provenance=provenances,
    caveats=notes,
)
event_rates = st.builds(
    EventRates,
    unit=names,
    systems=st.lists(
        st.builds(
            SystemEvents, system=names, events=counts, exposure=st.floats(0.1, 1e6), rate=estimates
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    ratios=st.lists(
        st.builds(
            RateRatio,
            first=names,
            second=names,
            value=maybe(numbers),
            low=shares,
            high=maybe(st.floats(1, 1e6)),
            p=shares,
            level=shares,
            method=names,
        ),
        max_size=2,
    ).map(tuple),
    level=shares,
    provenance=provenances,
    caveats=notes,
)
states = st.sampled_from(["ok", "failed", "timeout", "oom", "flood", "forks", "invalid"])
cell_scores = st.builds(
    CellScore,
    algorithm=names,
    problem=names,
    state=states,
    reason=maybe(names),
    counted=st.sampled_from(["own", "null", "none"]),
    score=maybe(estimates),
    winner=maybe(shares),
    brier=maybe(shares),
    log=maybe(shares),
    lowest=maybe(counts),
    highest=maybe(counts),
    seconds=shares,
    cpu_seconds=maybe(shares),
    memory=counts,
    alone=st.booleans(),
)


@st.composite
def leaderboards(draw):
    algorithms = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    problems = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    ranks = st.tuples(st.integers(1, 4), st.integers(0, 3))
    lines = []
    for name in algorithms:
        low, more = draw(ranks)
        ranked = draw(st.booleans())
        lines.append(
            RankedAlgorithm(
                algorithm=name,
                score=draw(estimates),
                winner=draw(estimates),
                brier=draw(estimates),
                log=draw(estimates),
                lowest=low if ranked else None,
                highest=low + more if ranked else None,
                letters=draw(names),
                mean_rank=draw(maybe(shares)),
                cells=draw(counts),
                failed=draw(counts),
                seconds=draw(maybe(shares)),
            )
        )
    cells = [
        replace(draw(cell_scores), algorithm=one, problem=two)
        for one in algorithms
        for two in problems
    ]
    pairs = [
        AlgorithmPair(
            first=one,
            second=two,
            difference=draw(estimates),
            p_value=draw(shares),
            adjusted=draw(shares),
            different=draw(st.booleans()),
        )
        for one, two in combinations(algorithms, 2)
    ]
    chance = st.builds(SignedRankChance, second=names, worse=shares, alike=shares, better=shares)
    over = st.builds(
        OverProblems,
        problems=counts,
        p_value=shares,
        critical_difference=shares,
        cliques=st.just((tuple(algorithms),)),
        leader=names,
        rope=shares,
        chances=st.lists(chance, max_size=2).map(tuple),
    )
    return Leaderboard(
        suite=draw(names),
        version=draw(names),
        failures=draw(st.sampled_from(["null", "excluded"])),
        level=0.95,
        alpha=0.05,
        problems=tuple(problems),
        items=draw(counts),
        groups=draw(counts),
        algorithms=tuple(lines),
        cells=tuple(cells),
        pairs=tuple(pairs),
        over_problems=draw(maybe(over)),
        provenance=draw(provenances),
        caveats=draw(notes),
    )


cell_details = st.builds(
    CellDetail,
    suite=names,
    version=names,
    cell=cell_scores,
    exit_code=maybe(st.integers(-64, 255)),
    key=names,
    protections=notes,
    output=names,
    log=names,
    caveats=notes,
)
campaign_conditions = st.builds(
    CampaignCondition,
    condition=names,
    means=names,
    value=maybe(numbers),
    bound=maybe(numbers),
    holds=st.booleans(),
)
campaigns = st.builds(
    CampaignStatus,
    name=names,
    question=st.sampled_from(["best", "ranking", "pair", "margin", "none"]),
    pairing=st.sampled_from(["common", "independent"]),
    rule=names,
    step=st.integers(1, 100),
    items=counts,
    waiting=counts,
    after=counts,
    results=counts,
    cost=st.floats(0, 1e9),
    budget=maybe(st.floats(0, 1e9)),
    cap=maybe(counts),
    systems=st.lists(
        st.builds(
            CampaignSystem,
            system=names,
            correct=counts,
            tested=st.integers(10**6, 10**7),
            best=maybe(shares),
            state=st.sampled_from(["running", "lost", "left"]),
        ),
        max_size=4,
    ).map(tuple),
    conditions=st.lists(campaign_conditions, max_size=3).map(tuple),
    stop=maybe(
        st.builds(
            CampaignStop,
            items=counts,
            entry=counts,
            reason=st.sampled_from(["rule", "used up", "budget", "closed"]),
            verdict=names | st.sampled_from(["best", "pair", "ranking", "loss", "evidence"]),
            condition=names,
            winner=maybe(names),
            ranking=notes,
            value=maybe(numbers),
        )
    ),
    points=st.lists(
        st.builds(
            CampaignPoint, items=counts, values=st.lists(maybe(numbers), max_size=3).map(tuple)
        ),
        max_size=3,
    ).map(tuple),
    entries=counts,
    head_hash=names,
    protocol_hash=names,
    provenance=provenances,
    recorded=maybe(names),
    caveats=notes,
)
campaign_rules = st.builds(
    CampaignRule,
    rule=names,
    systems=notes,
    step=st.integers(1, 100),
    cap=counts,
    behaviours=st.lists(
        st.builds(
            RuleBehaviour,
            setting=names,
            rates=st.lists(shares, min_size=2, max_size=3).map(tuple),
            right=shares,
            wrong=shares,
            same=shares,
            open=shares,
            items=st.floats(0, 1e6),
            late=counts,
            cost=st.floats(0, 1e6),
            method=st.sampled_from(["exact", "simulated"]),
            campaigns=counts,
            error=shares,
        ),
        max_size=3,
    ).map(tuple),
    provenance=provenances,
    caveats=notes,
)
campaign_nexts = st.builds(
    CampaignNext,
    name=names,
    systems=st.lists(st.builds(NextSystem, system=names, share=shares), max_size=3).map(tuple),
    pick=maybe(names),
    scheme=st.sampled_from(["common items", "open pairs", "racing", "top-two Thompson", "none"]),
    waiting=st.lists(st.tuples(names, names), max_size=3).map(tuple),
    waiting_items=counts,
    items_left=maybe(counts),
    provenance=provenances,
    caveats=notes,
)
campaign_histories = st.builds(
    CampaignHistory,
    name=names,
    entries=st.lists(
        st.builds(
            CampaignEntry,
            entry=counts,
            kind=st.sampled_from(["protocol", "results", "correction", "drop", "close"]),
            recorded=names,
            results=counts,
            items=counts,
            note=names,
            stopped=st.booleans(),
            hash=names,
        ),
        max_size=3,
    ).map(tuple),
    provenance=provenances,
    caveats=notes,
)
campaign_checks = st.builds(
    CampaignCheck,
    name=names,
    entries=counts,
    results=counts,
    bad=maybe(counts),
    reason=names,
    head_hash=names,
    provenance=provenances,
    caveats=notes,
)
rater_pairs = st.builds(
    RaterPair,
    first=names,
    second=names,
    agreement=proportions(),
    kappa=estimates,
    zero_error=maybe(numbers),
    p_value=maybe(shares),
    weighted=maybe(estimates),
    weighted_zero_error=maybe(numbers),
    weighted_p_value=maybe(shares),
    ac1=estimates,
    pabak=estimates,
    largest=maybe(numbers),
    prevalence_index=maybe(numbers),
    bias_index=maybe(numbers),
    word=maybe(names),
    paradox=maybe(names),
)


@st.composite
def agreements(draw):
    coefficients = tuple(draw(st.lists(estimates, max_size=3)))
    return Agreement(
        raters=tuple(draw(st.lists(names, min_size=2, max_size=4))),
        categories=draw(notes),
        items=draw(counts),
        missing=draw(counts),
        weights=draw(names),
        order=draw(notes),
        coefficients=coefficients,
        words=tuple(draw(maybe(names)) for _ in coefficients),
        pairs=tuple(draw(st.lists(rater_pairs, max_size=3))),
        level=0.95,
        provenance=draw(provenances),
        caveats=draw(notes),
    )


contacted = st.builds(
    Contacted, depth=shares, contacts=numbers, captured=estimates, precision=estimates,
    lift=estimates,
)  # fmt: skip


@st.composite
def targetings(draw):
    acts = draw(st.lists(shares, max_size=2))
    systems = tuple(
        SystemTargeting(
            system=name,
            items=draw(counts),
            positives=draw(counts),
            asked=draw(contacted),
            places=tuple(draw(st.lists(contacted, max_size=2))),
            ks=draw(estimates),
            gini=draw(estimates),
            benefits=tuple(
                Benefit(threshold=at, benefit=draw(estimates), everybody=draw(numbers))
                for at in acts
            ),
            depths=(0.0, 1.0),
            gains=(0.0, 1.0),
        )
        for name in draw(st.lists(names, max_size=2))
    )
    return Targeting(
        positive=draw(names),
        systems=systems,
        by=draw(names),
        level=0.95,
        provenance=draw(provenances),
        caveats=draw(notes),
    )


groups = st.builds(
    CalibrationGroup, low=shares, high=shares, forecast=shares, observed=proportions()
)
calibrated = st.builds(
    ClassCalibration,
    system=names,
    of=names,
    items=counts,
    positives=counts,
    groups=st.lists(groups, max_size=2).map(tuple),
    error=estimates,
    error_by_chance=shares,
    error_debiased=shares,
    intercept=estimates,
    slope=estimates,
    in_the_large=estimates,
    brier=estimates,
    log=estimates,
    reliability=numbers,
    resolution=numbers,
    uncertainty=numbers,
    within=numbers,
)


@st.composite
def calibrations(draw):
    rules = draw(st.integers(0, 2))
    scores = st.lists(estimates, min_size=rules, max_size=rules).map(tuple)
    return Calibration(
        positive=draw(maybe(names)),
        bins=draw(counts),
        binning=draw(names),
        classes=tuple(draw(st.lists(calibrated, max_size=2))),
        vectors=tuple(
            draw(st.lists(st.builds(SystemScores, system=names, scores=scores), max_size=2))
        ),
        pairs=tuple(
            draw(
                st.lists(
                    st.builds(ScoreDifference, first=names, second=names, scores=scores), max_size=2
                )
            )
        ),
        level=0.95,
        provenance=draw(provenances),
        caveats=draw(notes),
    )


whole = st.integers(1, 1000)
rate_lines = st.builds(
    RateLine, mean=st.just((0.5,)), sd=st.just(()), low=st.just(()), high=st.just(())
)
averaged = st.builds(
    AveragedCurve,
    by=names,
    folds=counts,
    places=st.just((0.5,)),
    false_alarm_rates=maybe(rate_lines),
    detection_rates=maybe(rate_lines),
    area=estimates,
    meanings=notes,
)
cost_lines = st.builds(
    CostLine,
    fp=numbers,
    fn=numbers,
    prevalence=shares,
    slope=numbers,
    intercept=numbers,
    cost=numbers,
    thresholds=st.lists(maybe(numbers), max_size=5).map(tuple),
    false_alarm_rate=shares,
    detection_rate=shares,
)
bands = st.builds(
    CurveBand, method=names, meaning=names, level=st.just(0.95),
    false_alarm_rates=st.just((0.0, 1.0)), low=st.just((0.0, 0.5)), high=st.just((0.5, 1.0)),
)  # fmt: skip


@st.composite
def curves(draw):
    wanted = draw(st.integers(0, 2))
    place = st.builds(
        RocPlace,
        asked=names,
        threshold=maybe(numbers),
        below=st.none(),
        tp=counts,
        fp=counts,
        fn=counts,
        tn=counts,
        measures=st.lists(proportions() | estimates, min_size=wanted, max_size=wanted).map(tuple),
        notes=notes,
    )
    point = st.builds(CurvePoint, threshold=maybe(numbers), false_alarms=counts, detections=counts)
    systems = st.builds(
        SystemRoc,
        system=names,
        of=names,
        items=counts,
        positives=whole,
        negatives=whole,
        area=estimates,
        grade=maybe(st.sampled_from("ABCDF")),
        curve_area=shares,
        points=counts,
        curve=st.lists(point, max_size=3).map(tuple),
        hull=st.lists(maybe(numbers), max_size=3).map(tuple),
        hull_area=shares,
        partial=maybe(estimates),
        equal_error=estimates,
        average_precision=estimates,
        places=st.lists(place, max_size=2).map(tuple),
        cost_line=maybe(cost_lines),
        band=maybe(bands),
        averages=st.lists(averaged, max_size=2).map(tuple),
    )
    areas = st.lists(estimates, min_size=wanted, max_size=wanted).map(tuple)
    classes = st.builds(ClassAreas, system=names, areas=areas)
    return RocCurves(
        positive=draw(maybe(names)),
        systems=tuple(draw(st.lists(systems, max_size=2))),
        classes=tuple(draw(st.lists(classes, max_size=2))),
        generated=draw(names),
        level=0.95,
        provenance=draw(provenances),
        caveats=draw(notes),
    )


SOME = {
    "agreement": agreements(),
    "targeting": targetings(),
    "calibration": calibrations(),
    "roc": curves(),
    "gate": gates,
    "acceptance": acceptances,
    "event-rates": event_rates,
    "campaign": campaigns,
    "campaign-rule": campaign_rules,
    "campaign-next": campaign_nexts,
    "campaign-history": campaign_histories,
    "campaign-check": campaign_checks,
    "proportion": proportions(),
    "estimate": estimates,
    "evaluation": evaluations,
    "comparison": comparisons(),
    "plan": plans,
    "threshold": threshold_choices(),
    "models": models,
    "leaderboard": leaderboards(),
    "cell": cell_details,
}


@st.composite
def workings(draw):
    width = draw(st.integers(1, 3))
    cells = st.none() | numbers | counts | names
    row = st.builds(
        SheetRow,
        keys=st.lists(names, min_size=1, max_size=1).map(tuple),
        values=st.lists(cells, min_size=width, max_size=width).map(tuple),
    )
    sheet = st.builds(
        Sheet,
        title=names,
        keys=st.sampled_from([("system",), ("quantity",)]),
        columns=st.just(("low", "high", "verdict")[:width]),
        rows=st.lists(row, max_size=3).map(tuple),
    )
    return draw(
        st.builds(
            Working,
            method=names,
            title=names,
            answer=names,
            decision=maybe(names),
            systems=st.lists(names, max_size=3).map(tuple),
            pairing=st.sampled_from(["common", "independent"]),
            sheets=st.lists(sheet, max_size=2).map(tuple),
            working=st.dictionaries(names, st.none() | numbers | counts, max_size=3),
            formula=names,
            rule=names,
            assumption=names,
            reference=names,
            level=shares,
            alpha=shares,
            provenance=provenances,
            caveats=notes,
        )
    )


SOME["working"] = workings()
value_names = st.builds(
    ValueName,
    name=names,
    per=maybe(names),
    better=maybe(st.sampled_from(["lower", "higher"])),
    known_by=names,
    low=maybe(numbers),
    high=maybe(numbers),
)
SOME["value-evaluation"] = st.builds(
    ValueEvaluation,
    value=value_names,
    systems=st.lists(
        st.builds(
            EvaluatedValues,
            system=names,
            holds=st.just("value"),
            items=counts,
            centre=estimates,
            deviation=maybe(shares),
            least=numbers,
            largest=numbers,
            quantiles=st.lists(estimates, max_size=2).map(tuple),
            bounded=maybe(estimates),
            mean_of_ratios=maybe(estimates),
            slices=st.lists(estimates, max_size=3).map(tuple),
            bins=st.lists(st.tuples(numbers, numbers, counts), max_size=2).map(tuple),
            caveats=notes,
        ),
        min_size=1,
        max_size=4,
    ).map(tuple),
    classes=st.just(()),
    positive=st.none(),
    level=st.just(0.95),
    provenance=provenances,
    caveats=notes,
)


@st.composite
def value_comparisons(draw):
    plain, value = draw(comparisons()), draw(value_names)
    lower = value.better == "lower"

    def of_values(pair):
        held = {one.name: getattr(pair, one.name) for one in fields(pair)}
        return ComparedValues(**held | {"table": None}, lower=lower, wins=draw(maybe(counts)))

    pairs = tuple(map(of_values, plain.pairs))
    held = {one.name: getattr(plain, one.name) for one in fields(plain)}
    slices = tuple(
        ValueSlice(slice=one.slice, items=one.items, systems=one.systems, pairs=pairs, lower=lower)
        for one in plain.slices
    )
    measure = "mean" if value.per is None else "ratio"
    changed = {"measure": measure, "pairing": "common", "pairs": pairs, "slices": slices}
    return ValueComparison(**held | changed, value=value)


SOME["value-comparison"] = value_comparisons()
SOME["value-plan"] = plans.map(
    lambda plan: ValuePlan(
        **{one.name: getattr(plan, one.name) for one in fields(plan)} | {"question": "value"},
        spread=1.5,
    )
)
SOME["datasets"] = st.builds(
    DatasetComparison,
    datasets=st.integers(2, 40),
    better=st.sampled_from(["lower", "higher"]),
    test=st.sampled_from(["friedman", "wilcoxon"]),
    p_value=shares,
    chi_square=maybe(numbers),
    critical_difference=maybe(st.floats(0.1, 5)),
    systems=st.lists(
        st.builds(
            RankedByDatasets,
            system=names,
            mean_rank=st.floats(1, 9),
            mean=numbers,
            median=numbers,
            best_on=st.floats(0, 30),
        ),
        min_size=2,
        max_size=4,
        unique_by=lambda one: one.system,
    ).map(tuple),
    pairs=st.just(()),
    cliques=st.lists(notes, max_size=2).map(tuple),
    rope=shares,
    alpha=st.just(0.05),
    provenance=provenances,
    caveats=notes,
)
SCOPES = ("readers and cases", "cases", "readers")
outcomes_of_readers = st.tuples(
    *(
        st.builds(
            ReaderOutcome,
            to=st.just(scope),
            low=maybe(numbers),
            high=maybe(numbers),
            p_value=shares,
            freedom=maybe(st.floats(1, 90)),
        )
        for scope in SCOPES
    )
)
SOME["readers"] = st.builds(
    ReaderComparison,
    readers=st.tuples(names, names),
    cases=st.integers(4, 400),
    positives=st.integers(2, 200),
    positive=names,
    covariance=st.sampled_from(["delong", "jackknife"]),
    systems=st.tuples(
        *(
            st.builds(ReaderSystem, system=names, area=shares, by_reader=st.tuples(shares, shares))
            for _ in range(2)
        )
    ),
    pairs=st.lists(
        st.builds(
            ReaderPair,
            first=names,
            second=names,
            difference=st.floats(-1, 1),
            outcomes=outcomes_of_readers,
            adjusted_p=shares,
            verdict=st.sampled_from(["different", "undecided"]),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple),
    overall=st.one_of(st.just(()), outcomes_of_readers),
    parts=st.just((("variance", 0.001),)),
    level=st.just(0.95),
    alpha=st.just(0.05),
    provenance=provenances,
    caveats=notes,
)
reader_sizes = st.builds(
    ReaderSize, readers=st.integers(2, 20), cases=st.integers(4, 9999), power=shares
)
SOME["reader-plan"] = st.builds(
    ReaderPlan,
    difference=shares,
    alpha=st.just(0.05),
    power=st.just(0.8),
    sizes=st.lists(reader_sizes, max_size=3).map(tuple),
    out_of_reach=st.just((3,)),
    asked=maybe(reader_sizes),
    pilot_readers=st.integers(2, 9),
    pilot_cases=st.integers(4, 400),
    provenance=provenances,
    caveats=notes,
)
results = st.one_of(*SOME.values())
few = settings(max_examples=60)


@pytest.mark.parametrize("kind", sorted(SOME))
@few
@given(data=st.data())
def test_a_result_comes_back_from_its_json(kind, data):
    result = data.draw(SOME[kind])
    again = read_result(result.to_json())
    assert again == result
    assert again.to_json() == result.to_json()
    assert again.text() == result.text()


@few
@given(results)
def test_json_holds_only_what_json_has(result):
    saved = json.loads(result.to_json(), parse_constant=pytest.fail)
    assert saved["kind"] == result.kind
    assert result.to_json().encode("utf-8")


@few
@given(results)
def test_rows_have_the_same_columns_for_every_kind(result):
    for row in result.rows():
        assert tuple(row) == ROW_COLUMNS


@few
@given(results)
def test_no_text_of_a_result_can_move_the_cursor(result):
    for text in (result.text(), str(result)):
        assert not {character for character in text if category(character) == "Cc"} - {"\n"}


@few
@given(results)
def test_no_cell_of_a_csv_is_a_formula(result):
    for row in csv.DictReader(StringIO(result.to_csv(), newline="")):
        for column in ("measure", "system", "against", "of", "method", "reason"):
            assert not row[column].startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\0"))


@few
@given(results)
def test_names_never_become_markup(result):
    shown = result._repr_html_()
    assert "<script" not in shown
    assert shown.count("<p") == shown.count("</p>")


def test_every_kind_has_a_law_and_a_fixture():
    assert set(SOME) == set(KINDS)
    for kind, cls in KINDS.items():
        for version in range(1, cls.schema + 1):
            assert (FIXTURES / f"{kind}-{version}.json").exists(), kind


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_results_saved_by_older_versions_are_read(path):
    saved = path.read_text(encoding="utf-8")
    result = read_result(saved)
    assert result.kind == path.stem.rpartition("-")[0]
    if result.schema == json.loads(saved)["schema"]:
        # These were written before JSON held what is said anew when it is read.
        again = result.to_dict()
        assert again.pop("headline", "") == result.headline()
        assert again.pop("sentence") == result.sentence()
        assert json_text(again, indent=2) + "\n" == saved


def test_lines_of_a_result_fit_the_width_asked_for():
    for path in FIXTURES.glob("*.json"):
        result = read_result(path.read_text(encoding="utf-8"))
        for width in (60, 80, 120):
            assert all(display_width(line) <= width for line in result.text(width).split("\n"))

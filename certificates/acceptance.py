"""Absolute claims: limits of events over an exposure, acceptance tests, and what a gate passes."""

from functools import cache

import numpy as np
from scipy.special import expit
from scipy.stats import binom, poisson

from certificates.declaration import AT_LEAST_95, AT_MOST_5, Certificate, Found
from certificates.search import Cell, Search, Space
from steelyard.comparison.sequential.evidence import win_sequence
from steelyard.counts import Confusion, ScoreTable
from steelyard.measures import (
    actual_detection_cost,
    average_precision,
    balanced_accuracy,
    cllr,
    cohen_kappa,
    equal_error_rate,
    f1,
    net_benefit,
    promised_threshold,
    proper_score,
)
from steelyard.planning import (
    acceptance_plan,
    exposure_plan,
    sequential_plan,
    sequential_points,
    two_stage_plan,
    two_stage_point,
    zero_failure_trials,
)
from steelyard.uncertainty import (
    area_parts,
    crossed_error,
    crossed_share_interval,
    exposure_interval,
    exposure_ratio,
    exposure_sequence,
    periods_interval,
    periods_ratio,
)

__all__ = ["DECLARED"]

FAMILY = "acceptance"
PAGE = "acceptance"


@cache
def _event_limits(events: int, method: str) -> tuple[float, float]:
    return exposure_interval(events, 1.0, method=method)  # type: ignore[arg-type]


def _covering_events(method: str):
    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        mean = cell["events expected"]
        reach = int(mean + 10 * mean**0.5 + 20)
        ends = np.array([_event_limits(x, method) for x in range(reach)])
        held = (ends[:, 0] <= mean) & (mean <= ends[:, 1])
        return Found(share=float(poisson.pmf(np.arange(reach), mean) @ held))

    return trial


@cache
def _ratio_holds(first: int, second: int, scale: float) -> bool:
    found = exposure_ratio((first, 1.0), (second, scale), null=1.0)
    return found.low <= 1.0 <= found.high


def _covering_ratio(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Sum over what both count; a part of 4e-10 that is hardly ever seen counts as a miss."""
    scale = cell["exposures apart"]
    means = (cell["events expected"], cell["events expected"] * scale)
    first, second = (
        np.arange(poisson.ppf(1e-10, mean), poisson.isf(1e-10, mean) + 1).astype(int)
        for mean in means
    )
    held = [[_ratio_holds(x, y, scale) for y in second.tolist()] for x in first.tolist()]
    return Found(share=float(poisson.pmf(first, means[0]) @ held @ poisson.pmf(second, means[1])))


def _covering_periods(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Rates that vary from period to period by a gamma factor: bursts."""
    periods, mean, burst = int(cell["periods"]), cell["events expected"], cell["bursts"]
    times = rng.uniform(1 - cell["uneven"], 1 + cell["uneven"], size=(draws, periods))
    factor = rng.gamma(1 / burst, burst, size=times.shape) if burst else np.ones(times.shape)
    events = rng.poisson(mean / periods * times * factor)
    truth, hits = mean / periods, 0
    for row, time in zip(events, times, strict=True):
        low, high = periods_interval(row.tolist(), time.tolist())
        hits += low <= truth <= high
    return Found(share=hits / draws, draws=draws, hits=int(hits))


def _periods_apart(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Two equal rates, each watched in periods of its own, with bursts."""
    mean, burst, hits = cell["events a period"], cell["bursts"], 0
    for _ in range(draws):
        sides = []
        for side in ("periods", "other periods"):
            number = int(cell[side])
            factor = rng.gamma(1 / burst, burst, number) if burst else np.ones(number)
            sides.append((rng.poisson(mean * factor).tolist(), [1.0] * number))
        hits += periods_ratio(*sides).p < 0.05
    return Found(share=hits / draws, draws=draws, hits=int(hits))


def _watching(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Look after every tenth of an event that is expected."""
    looks, truth = int(cell["looks"]), 1.0
    about = truth * cell["about"]
    seen = np.cumsum(rng.poisson(0.1, size=(draws, looks)), axis=1)
    open_still = np.ones(draws, dtype=bool)
    for look in range(looks):
        values, place = np.unique(seen[:, look], return_inverse=True)
        ends = [exposure_sequence(int(x), 0.1 * (look + 1), about=about) for x in values]
        held = np.array([low <= truth <= high for low, high in ends])
        open_still &= held[place]
    hits = int(open_still.sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


def _accepting(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """The largest chance of any plan to accept what lies on the limit."""
    bad = cell["bad"]
    good = bad * cell["good"]
    chances = [(1 - bad) ** zero_failure_trials(bad)]
    fixed = acceptance_plan(bad, good)
    staged = two_stage_plan(bad, good)
    walked = sequential_plan(bad, good)
    if fixed is not None:
        chances.append(fixed.accept_bad)
    if staged is not None:
        chances.append(two_stage_point(staged, bad).accept)
    if walked is not None:
        chances.append(sequential_points(walked, [bad])[0].accept)
    watched = exposure_plan(bad, good)
    if watched is not None:
        chances.append(watched.accept_bad)
    return Found(share=max(chances))


def _rejecting(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """The largest chance of any plan to reject what was supposed, asked for 10 % at most."""
    bad = cell["bad"]
    good = bad * cell["good"]
    fixed, staged = acceptance_plan(bad, good), two_stage_plan(bad, good)
    walked, watched = sequential_plan(bad, good), exposure_plan(bad, good)
    chances = [0.0]
    if fixed is not None:
        chances.append(1 - fixed.accept_good)
    if staged is not None:
        chances.append(1 - two_stage_point(staged, good).accept)
    if walked is not None:
        chances.append(sequential_points(walked, [good])[0].reject)
    if watched is not None:
        chances.append(1 - watched.accept_good)
    return Found(share=max(chances))


@cache
def _sequence_limits(right: int, tested: int) -> tuple[float, float]:
    found = win_sequence(right, tested - right, alpha=0.05)
    return found.low, found.high


def _campaign_claims(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Follow a system that lies on its limit until its claim passes, looked at after each item."""
    rate, items = cell["rate"], int(cell["items"])
    chances, passed, fewest = np.ones(1), 0.0, 0
    for tested in range(1, items + 1):
        chances = np.append(chances * (1 - rate), 0.0) + np.append(0.0, chances * rate)
        # The limit rises with right answers and falls with items, so that the first number of right
        # answers that passes never falls.
        while fewest <= tested and _sequence_limits(fewest, tested)[0] < rate:
            fewest += 1
        passed += float(chances[fewest:].sum())
        chances[fewest:] = 0.0
    return Found(share=passed)


def _true_measures(cell: Cell) -> dict[str, float]:
    """Values of the measures in the population that tables are drawn from."""
    share, found, left = cell["positives"], cell["recall"], cell["specificity"]
    tp, fn, fp, tn = (
        share * found, share * (1 - found), (1 - share) * (1 - left), (1 - share) * left
    )  # fmt: skip
    chance = (tp + fp) * share + (fn + tn) * (1 - share)
    return {
        "F1": 2 * tp / (2 * tp + fp + fn),
        "kappa": (tp + tn - chance) / (1 - chance),
        "balanced accuracy": (found + left) / 2,
    }


MEASURES = {
    "F1": lambda table: f1(table, of="yes"),
    "kappa": cohen_kappa,
    "balanced accuracy": balanced_accuracy,
}


@cache
def _passing_limit(measure: str, tp: int, fn: int, fp: int, tn: int) -> float:
    """What a claim of at least is held against: with one more item that counts against it."""
    return min(
        _lower_limit(measure, tp, fn, fp, tn),
        _lower_limit(measure, tp, fn + 1, fp, tn),
        _lower_limit(measure, tp, fn, fp + 1, tn),
    )


@cache
def _lower_limit(measure: str, tp: int, fn: int, fp: int, tn: int) -> float:
    """The lower limit of a measure; below all where there is none."""
    table = Confusion.from_matrix([[tp, fn], [fp, tn]], classes=("yes", "no"))
    ends = MEASURES[measure](table).interval  # of 95 %: both sides together are certified
    return -np.inf if ends is None else ends.low


def _claiming(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Draw tables whose measure lies exactly on the limit, and count how often the claim passes."""
    measure = list(MEASURES)[int(cell["measure"])]
    truth = _true_measures(cell)[measure]
    share, found, left = cell["positives"], cell["recall"], cell["specificity"]
    chances = [share * found, share * (1 - found), (1 - share) * (1 - left), (1 - share) * left]
    drawn = rng.multinomial(int(cell["items"]), chances, size=draws)
    tables, times = np.unique(drawn, axis=0, return_counts=True)
    passed = [_passing_limit(measure, *row) >= truth for row in tables.tolist()]
    hits = int(times @ np.array(passed))
    return Found(share=hits / draws, draws=draws, hits=hits)


SCORED = {
    "average precision": average_precision,
    "equal error rate": equal_error_rate,
    "net benefit": lambda table, **level: net_benefit(table, threshold=0.3, **level),
    "log score": lambda table, **level: proper_score(table, "log", **level),
}


def _scores(cell: Cell, items: int, rng: np.random.Generator) -> ScoreTable:
    """Calibrated chances of two classes whose scores are normal and so far apart."""
    share, apart = cell["positives"], cell["apart"]
    true = rng.random(items) < share
    odds = np.log(share / (1 - share)) + apart * (rng.normal(size=items) + apart * true - apart / 2)
    said = np.clip(expit(odds), 1e-9, 1 - 1e-9)
    return ScoreTable.from_scores(said[true], said[~true])


@cache
def _true_score(measure: str, share: float, apart: float) -> float:
    cell = {"positives": share, "apart": apart}
    value = SCORED[measure](_scores(cell, 300_000, np.random.default_rng(7))).value
    assert value is not None
    return float(value)


def _claiming_scores(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Draw scores whose measure lies on the limit; count the side that passes more often."""
    measure = list(SCORED)[int(cell["measure"])]
    truth = _true_score(measure, cell["positives"], cell["apart"])
    above = below = 0
    for _ in range(draws):
        table = _scores(cell, int(cell["items"]), rng)
        if not table.positive_total or not table.negative_total:
            continue
        top, bottom = table.scores[-1:], table.scores[:1]
        unseen = [(top, []), (bottom, []), ([], top), ([], bottom)]
        ends = [
            SCORED[measure](one).interval
            for one in (table, *(table + ScoreTable.from_scores(*more) for more in unseen))
        ]
        if ends[0] is None:
            continue
        above += min(one.low for one in ends if one) > truth
        below += max(one.high for one in ends if one) < truth
    # Whoever claims "at most" of a score holds it against the other limit.
    hits = max(above, below) if measure in ("equal error rate", "log score") else above
    return Found(share=hits / draws, draws=draws, hits=hits)


NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(61)


def _crossed(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Every row meets every column; both have effects of their own on the logit."""
    rows, columns = int(cell["rows"]), int(cell["columns"])
    centre = np.log(cell["share"] / (1 - cell["share"]))
    spreads = cell["rows vary"], cell["columns vary"]
    truth = float(WEIGHTS @ expit(centre + np.hypot(*spreads) * NODES) / WEIGHTS.sum())
    names = np.repeat(np.arange(rows), columns), rows + np.tile(np.arange(columns), rows)
    hits = 0
    for _ in range(draws):
        by_row = spreads[0] * rng.normal(size=(rows, 1))
        by_column = spreads[1] * rng.normal(size=(1, columns))
        right = rng.random((rows, columns)) < expit(centre + by_row + by_column)
        low, high = crossed_share_interval(right.ravel(), *names)
        hits += low <= truth <= high
    return Found(share=hits / draws, draws=draws, hits=int(hits))


CROSSED_KINDS = ("accuracies", "areas", "means")


def _crossed_differences(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Two systems, rows and columns that vary for both alike and for each alone; 95 % limits."""
    rows, columns = int(cell["rows"]), int(cell["columns"])
    names = np.repeat(np.arange(rows), columns), rows + np.tile(np.arange(columns), rows)
    spreads, kind = (cell["rows vary"], cell["columns vary"]), CROSSED_KINDS[int(cell["kind"])]
    centre = np.log(cell["share"] / (1 - cell["share"]))
    hits = held = 0
    for _ in range(draws):
        by_row = spreads[0] * rng.normal(size=(2, rows, 1))
        by_column = spreads[1] * rng.normal(size=(2, 1, columns))
        effects = (by_row + by_column).reshape(2, -1)
        if kind == "means":  # far values, as latencies and costs have them
            values = np.exp(effects + 0.3 * rng.normal(size=effects.shape))
        else:
            values = effects + rng.logistic(size=effects.shape)
        if kind == "areas":
            positive = rng.random(effects.shape[1]) < cell["share"]
            if min(positive.sum(), (~positive).sum()) < 2:
                continue
            (one, first), (two, second) = (area_parts(x + 1.5 * positive, positive) for x in values)
            gap, added = one - two, first - second
        else:
            values = values < centre if kind == "accuracies" else values
            apart = values[0].astype(float) - values[1]
            gap = float(apart.mean())
            added = (apart - gap) / apart.size
        error = crossed_error(added, *names)
        low, high = error.limits(gap, level=0.95) if error.variance > 0 else (-1.0, 1.0)
        hits, held = hits + (low <= 0 <= high), held + 1
    return Found(share=hits / held if held else 1.0, draws=held, hits=int(hits))


def _pairs_of_members(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """All pairs of one set of members, each with an effect of its own on the logit."""
    members = int(cell["members"])
    first, second = np.triu_indices(members, 1)
    centre, spread = np.log(cell["share"] / (1 - cell["share"])), cell["members vary"]
    truth = float(WEIGHTS @ expit(centre + np.sqrt(2) * spread * NODES) / WEIGHTS.sum())
    hits = 0
    for _ in range(draws):
        own = spread * rng.normal(size=members)
        right = rng.random(first.size) < expit(centre + own[first] + own[second])
        low, high = crossed_share_interval(right, first, second)
        hits += low <= truth <= high
    return Found(share=hits / draws, draws=draws, hits=int(hits))


def _promising(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Answers that are right more often the surer they are; how often the promise is broken."""
    items, top, bottom = int(cell["items"]), cell["right at best"], cell["right at worst"]
    grid = np.linspace(0.95, 0.0, int(cell["thresholds"]))
    target, broken = cell["promised"], 0
    for _ in range(draws):
        score = rng.random(items)
        right = rng.random(items) < bottom + (top - bottom) * score
        found = promised_threshold(score, right, target=target, grid=grid.tolist())
        if found.threshold is not None:
            kept = bottom + (top - bottom) * (1 + found.threshold) / 2
            broken += kept < target - 1e-12
    return Found(share=broken / draws, draws=draws, hits=int(broken))


@cache
def _cost_limits(cell: tuple[int, int, float], misses: int, alarms: int) -> tuple[float, float]:
    own, other, target = cell
    at = float(np.log((1 - target) / target))
    table = ScoreTable.from_counts(
        [at - 1, at + 1], [misses, own - misses], [other - alarms, alarms], positive="target"
    )
    ends = actual_detection_cost(table, target=target).interval
    assert ends is not None
    return ends.low, ends.high


def _costing(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Sum over both binomials."""
    own, other, target = int(cell["targets"]), int(cell["others"]), cell["share of targets"]
    least = min(target, 1 - target)
    truth = (target * cell["misses"] + (1 - target) * cell["false alarms"]) / least
    held = np.array(
        [
            [low <= truth <= high for low, high in
             (_cost_limits((own, other, target), m, a) for a in range(other + 1))]
            for m in range(own + 1)
        ]
    )  # fmt: skip
    chances = np.outer(
        binom.pmf(np.arange(own + 1), own, cell["misses"]),
        binom.pmf(np.arange(other + 1), other, cell["false alarms"]),
    )
    return Found(share=float((chances * held).sum()))


def _weighing_likelihoods(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Normal log likelihood ratios, stretched as those of a miscalibrated system are."""
    own, other, apart = int(cell["targets"]), int(cell["others"]), cell["apart"]
    nodes = apart * NODES
    means = [
        float(WEIGHTS @ np.logaddexp(0.0, -cell["stretched"] * (apart**2 / 2 + nodes)))
        for _ in range(2)
    ]  # by symmetry both sides lose alike
    truth, hits = means[0] / WEIGHTS.sum() / np.log(2), 0
    for _ in range(draws):
        scores = cell["stretched"] * (apart**2 / 2 + apart * rng.normal(size=own))
        against = -cell["stretched"] * (apart**2 / 2 + apart * rng.normal(size=other))
        ends = cllr(ScoreTable.from_scores(scores, against)).interval
        hits += ends is not None and ends.low <= truth <= ends.high
    return Found(share=hits / draws, draws=draws, hits=int(hits))


MEANS = (0.02, 0.5, 1.5, 3.5, 8.0, 25.0, 80.0)

DECLARED = [
    Certificate(
        name="Garwood's limits of a rate of events",
        family=FAMILY,
        claim="covers 95 % or more",
        setting="0.02 to 80 events expected, summed",
        page=PAGE,
        experiment=Search(
            space=Space(axes={"events expected": MEANS}),
            trial=_covering_events("garwood"),
            seek="lowest",
            rounds=6,
        ),
        allowed=AT_LEAST_95,
        seed=411,
        long=0,
    ),
    Certificate(
        name="mid-p limits of a rate of events",
        family=FAMILY,
        claim="covers about 95 %",
        setting="0.02 to 80 events expected, summed",
        page=PAGE,
        experiment=Search(
            space=Space(axes={"events expected": MEANS}),
            trial=_covering_events("midp"),
            seek="lowest",
            rounds=6,
        ),
        falls_short=(0.88, 0.935),
        note="near the claim on average only; Garwood's limits are the default and always cover",
        seed=412,
        long=0,
    ),
    Certificate(
        name="ratio of two rates of events",
        family=FAMILY,
        claim="covers 95 % or more",
        setting="0.5 to 25 events expected of the first, exposures 1:10 to 10:1, summed",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "events expected": (0.5, 3.0, 8.0, 25.0),
                    "exposures apart": (0.1, 1.0, 10.0),
                },
                fixed=frozenset({"exposures apart"}),
            ),
            trial=_covering_ratio,
            seek="lowest",
            rounds=2,
        ),
        allowed=AT_LEAST_95,
        seed=413,
        long=0,
    ),
    Certificate(
        name="rate of events in periods",
        family=FAMILY,
        claim="covers about 95 % also when events come in bursts",
        setting="10 to 200 periods, 5 to 500 events expected, bursts up to a variance of 1, "
        "periods up to 5 times as long as others, searched",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "periods": (10, 40, 200),
                    "events expected": (5.0, 50.0, 500.0),
                    "bursts": (0.0, 0.3, 1.0),
                    "uneven": (0.0, 0.67),
                },
            ),
            trial=_covering_periods,
            seek="lowest",
            rounds=2,
            beam=3,
        ),
        falls_short=(0.88, 0.935),
        note="with 10 periods and strong bursts the limits hold in 9 cases of 10; watch 40 periods",
        seed=414,
        short=300,
        long=6000,
    ),
    Certificate(
        name="ratio of two rates over periods",
        family=FAMILY,
        claim="equal rates differ in about 5 %, also when events come in bursts",
        setting="3 to 40 periods a side, 0.5 to 30 events a period, bursts up to a variance of 1, "
        "searched",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "periods": (3, 10, 40),
                    "other periods": (3, 10, 40),
                    "events a period": (0.5, 5.0, 30.0),
                    "bursts": (0.0, 0.3, 1.0),
                },
            ),
            trial=_periods_apart,
            seek="highest",
            rounds=1,
            beam=2,
        ),
        falls_short=(0.055, 0.1),
        note="with few periods and strong bursts equal rates differ in up to 8 %; watch 40 periods",
        seed=429,
        short=200,
        long=3000,
    ),
    Certificate(
        name="rate of events looked at any time",
        family=FAMILY,
        claim="holds at all looks together in 95 % or more",
        setting="10 to 400 looks, the rate 1/30 to 30 times what was said beforehand, searched",
        page=PAGE,
        experiment=Search(
            space=Space(axes={"looks": (10, 100, 400), "about": (1 / 30, 1.0, 30.0)}),
            trial=_watching,
            seek="lowest",
            rounds=2,
            beam=3,
        ),
        allowed=AT_LEAST_95,
        seed=415,
        short=200,
        long=3000,
    ),
    Certificate(
        name="acceptance tests on the limit",
        family=FAMILY,
        claim="accept what lies on the limit in 5 % at most",
        setting="fixed size, no failure, two stages, sequential, watching; limits 0.01 to 0.5, "
        "good systems that fail a tenth to six tenths as often, exact",
        page=PAGE,
        experiment=Search(
            space=Space(axes={"bad": (0.01, 0.05, 0.2, 0.5), "good": (0.1, 0.3, 0.6)}),
            trial=_accepting,
            seek="highest",
            rounds=2,
        ),
        allowed=(0.0, 0.05),
        seed=416,
        long=0,
    ),
    Certificate(
        name="acceptance tests of a good system",
        family=FAMILY,
        claim="reject what was supposed in 10 % at most, when that is asked for",
        setting="fixed size, two stages, sequential, watching; limits 0.01 to 0.5, good systems "
        "that fail a tenth to six tenths as often, exact",
        page=PAGE,
        experiment=Search(
            space=Space(axes={"bad": (0.01, 0.05, 0.2, 0.5), "good": (0.1, 0.3, 0.6)}),
            trial=_rejecting,
            seek="highest",
            rounds=2,
        ),
        allowed=(0.0, 0.1),
        seed=417,
        long=0,
    ),
    Certificate(
        name="absolute claims of a gate",
        family=FAMILY,
        claim="pass what lies on its limit in 5 % at most",
        setting="F1, kappa and balanced accuracy of 20 to 300 items, 5 to 50 % positive, recall "
        "0.5 to 0.98, specificity 0.6 to 0.98, searched; plain shares are exact",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "measure": (0, 1, 2),
                    "items": (20, 80, 300),
                    "positives": (0.05, 0.1, 0.5),
                    "recall": (0.5, 0.98),
                    "specificity": (0.6, 0.98),
                },
                fixed=frozenset({"measure"}),
            ),
            trial=_claiming,
            seek="highest",
            rounds=1,
            beam=3,
        ),
        allowed=AT_MOST_5,
        seed=419,
        short=100,
        long=6000,
    ),
    Certificate(
        name="absolute claims of a gate on scores",
        family=FAMILY,
        claim="pass what lies on its limit in 5 % at most",
        setting=f"{', '.join(SCORED)}; 40 to 300 items, 5 to 40 % positive, searched",
        page=PAGE,
        experiment=Search(
            space=Space(
                axes={
                    "measure": tuple(range(len(SCORED))),
                    "items": (40, 300),
                    "positives": (0.05, 0.4),
                    "apart": (0.5, 2.5),
                },
                fixed=frozenset({"measure"}),
            ),
            trial=_claiming_scores,
            seek="highest",
            rounds=1,
            beam=2,
        ),
        allowed=AT_MOST_5,
        seed=420,
        short=60,
        long=2000,
    ),
    Certificate(
        name="share of crossed items",
        family=FAMILY,
        claim="covers about 95 %",
        setting="10 to 150 rows and columns, shares 0.02 to 0.5, both, one or neither of which "
        "vary by up to 1.5 on the logit, searched",
        page="crossed-clusters",
        experiment=Search(
            space=Space(
                axes={
                    "rows": (10, 40, 150),
                    "columns": (10, 40),
                    "share": (0.02, 0.5),
                    "rows vary": (0.0, 1.5),
                    "columns vary": (0.0, 1.5),
                },
            ),
            trial=_crossed,
            seek="lowest",
            rounds=1,
            beam=3,
        ),
        falls_short=(0.85, 0.94),
        note="where a few rows or columns cause most events the limits hold in 9 cases of 10; take "
        "40 clusters a side or more, and look at the largest",
        seed=420,
        short=100,
        long=2000,
    ),
    Certificate(
        name="difference of two systems on crossed items",
        family=FAMILY,
        claim="covers 95 % or more",
        setting="accuracies, areas and skewed means of two equal systems, 10 to 300 clusters on "
        "one side and 10 to 40 on the other, which vary for each system by up to 1.5, searched",
        page="crossed-clusters",
        experiment=Search(
            space=Space(
                axes={
                    "kind": (0, 1, 2),
                    "rows": (10, 40, 300),
                    "columns": (10, 40),
                    "share": (0.05, 0.5),
                    "rows vary": (0.0, 1.5),
                    "columns vary": (0.0, 1.5),
                },
                fixed=frozenset({"kind"}),
            ),
            trial=_crossed_differences,
            seek="lowest",
            rounds=1,
            beam=2,
        ),
        falls_short=(0.85, 0.945),
        note="with 10 clusters a side and few items of a class the two-way limits of an area are "
        "too short; compare draws them out to those of either side, which keep their level",
        seed=424,
        short=40,
        long=1000,
    ),
    Certificate(
        name="share of all pairs of one set",
        family=FAMILY,
        claim="covers about 95 %",
        setting="10 to 100 members, shares 0.02 to 0.5, members that vary by up to 1 on the logit, "
        "searched",
        page="crossed-clusters",
        experiment=Search(
            space=Space(
                axes={
                    "members": (10, 30, 100),
                    "share": (0.02, 0.1, 0.5),
                    "members vary": (0.0, 0.5, 1.0),
                },
            ),
            trial=_pairs_of_members,
            seek="lowest",
            rounds=1,
            beam=3,
        ),
        falls_short=(0.82, 0.94),
        note="with 10 members, or rare events that a few members cause, the limits are too short",
        seed=421,
        short=100,
        long=2000,
    ),
    Certificate(
        name="actual detection cost",
        family=FAMILY,
        claim="covers about 95 %",
        setting="20 to 60 targets and others, misses 0.02 to 0.4, false alarms 0.01 to 0.2, "
        "targets 0.01 to 0.5 of all in use, exact",
        page="dont-know",
        experiment=Search(
            space=Space(
                axes={
                    "targets": (20, 60),
                    "others": (20, 60),
                    "misses": (0.02, 0.1, 0.4),
                    "false alarms": (0.01, 0.05, 0.2),
                    "share of targets": (0.01, 0.1, 0.5),
                },
                fixed=frozenset({"targets", "others", "share of targets"}),
            ),
            trial=_costing,
            seek="lowest",
            rounds=1,
            beam=2,
        ),
        falls_short=(0.8, 0.94),
        note="near the claim on average; where fewer than one false alarm is expected Wilson's "
        "limits dip, and the cost with them",
        seed=425,
        long=0,
    ),
    Certificate(
        name="Cllr",
        family=FAMILY,
        claim="covers about 95 %",
        setting="30 to 300 targets and others, normal log likelihood ratios 1 to 4 deviations "
        "apart, stretched by 0.7 to 1.5, searched",
        page="dont-know",
        experiment=Search(
            space=Space(
                axes={
                    "targets": (30, 300),
                    "others": (30, 300),
                    "apart": (1.0, 2.5, 4.0),
                    "stretched": (0.7, 1.0, 1.5),
                },
            ),
            trial=_weighing_likelihoods,
            seek="lowest",
            rounds=1,
            beam=2,
        ),
        falls_short=(0.6, 0.94),
        note="sure mistakes are rare and cost much: with 30 trials of a kind they are often not "
        "among them",
        seed=426,
        short=50,
        long=2000,
    ),
    Certificate(
        name="promised threshold",
        family=FAMILY,
        claim="is broken in 5 % at most",
        setting="50 to 1,000 items, 5 to 20 thresholds, promises of 0.8 to 0.95, searched",
        page="dont-know",
        experiment=Search(
            space=Space(
                axes={
                    "items": (50, 200, 1000),
                    "thresholds": (5, 20),
                    "promised": (0.8, 0.95),
                    "right at best": (0.9, 1.0),
                    "right at worst": (0.4, 0.8),
                },
            ),
            trial=_promising,
            seek="highest",
            rounds=1,
            beam=2,
        ),
        allowed=AT_MOST_5,
        seed=423,
        short=100,
        long=1500,
    ),
    Certificate(
        name="absolute claim in a campaign",
        family=FAMILY,
        claim="ever passes what lies on its limit in 5 % at most, looked at after every item",
        setting="rates 0.05 to 0.99, 200 items, exact",
        page="when-may-i-stop",
        experiment=Search(
            space=Space(axes={"rate": (0.05, 0.5, 0.9, 0.99), "items": (200,)}),
            trial=_campaign_claims,
            seek="highest",
            rounds=2,
            beam=2,
        ),
        allowed=AT_MOST_5,
        seed=418,
        long=0,
    ),
]

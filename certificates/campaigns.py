"""Campaigns as they are played, and the rules that watch several systems at once.

Of two systems the figures of ``stopping`` are calculated; here campaigns themselves are played,
item by item, and have to agree. Several systems are always played.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space, Trial
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.simulation.many_campaigns import JUDGES, ManySnapshots
from steelyard.campaigns.simulation.simulation import exact_rule, rule_behaviour
from steelyard.comparison import all_pairs_test
from steelyard.comparison.sequential.evidence import log_evidence
from steelyard.comparison.sequential.values import asymptotic_sequence, start_betting
from steelyard.planning import (
    LossRule,
    PairedRates,
    PlannedLooks,
    all_pairs_properties,
    stopping_properties,
)
from steelyard.uncertainty.values.student import StudentEstimate

__all__ = ["DECLARED", "PLAYED", "calculated_winners", "dropped_in_races"]

PLAYED: dict[str, int] = {
    "best >= 0.975": 1,
    "best >= 0.995": 1,
    "loss <= 0.005": 10,
    "evidence >= 20": 1,
    "spending(obrien-fleming, 5 looks)": 1,
    "spending(pocock, 5 looks)": 1,
    "wald(1.0, 2.5)": 1,
    "double-wald(0.65)": 1,
}
"""Rules whose behaviour is calculated, with the items between looks."""
PLANNED: dict[str, Any] = {
    "loss <= 0.005": LossRule(loss=0.005),
    "spending(obrien-fleming, 5 looks)": PlannedLooks(),
    "spending(pocock, 5 looks)": PlannedLooks(kind="pocock"),
}
CAMPAIGNS = Space(axes={"discordance": (0.05, 0.3), "cap": (100, 300)})
"""Equal systems; how often they differ, and the most items of a campaign."""
JUST = 0.5
"""What stands for as often as calculated."""
LADDERS = Space(
    axes={"systems": (2, 3, 4), "lowest": (0.5, 1.5, 8.0), "step": (1.0, 1.15, 1.5, 2.5)},
    fixed=frozenset({"systems"}),
)
"""Odds of being right: those of the worst, and how many times larger each next one's are."""
APART = replace(LADDERS, axes={**LADDERS.axes, "step": (1.5, 2.5)})
"""Systems as far apart as the test is planned for, or further."""
FIELDS = Space(
    axes={
        "systems": (2, 4, 6),
        "rate": (0.5, 0.8, 0.97),
        "alike": (0.0, 0.6),
        "lead": (0.0, 0.02),
    },
    fixed=frozenset({"systems"}),
    possible=lambda cell: cell["rate"] + cell["lead"] < 1,
)
"""All equal, or the first ahead by a little; answers go together or not."""
RACED = 300


def _played(rule: str, step: int) -> Trial:
    """Let the campaign's own code play, without a difference; a winner is wrong.

    Compared with what is calculated: half, more or less what differs.
    """

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        cap, apart = int(cell["cap"]) // 10 * 10, cell["discordance"]
        # A budget that is never used up hides the rule from the calculation.
        text = f"{rule} or n >= {cap} or cost >= 1e9"
        protocol = Protocol(systems=("a", "b"), rule=text, step=step)
        seed = int(rng.integers(2**31))
        found = rule_behaviour(protocol, [0.7, 0.7], discordance=apart, seed=seed, campaigns=draws)
        calculated = calculated_winners(rule, cap, apart, step=step)
        share = JUST + found.wrong - calculated
        more = {"played": found.wrong, "calculated": calculated}
        return Found(share=share, draws=draws, hits=round(share * draws), more=more)

    return trial


def calculated_winners(rule: str, cap: int, discordance: float, *, step: int) -> float:
    """Calculate how often a rule names a winner among two equal systems."""
    equal = PairedRates(only_first=discordance / 2, only_second=discordance / 2)
    protocol = Protocol(systems=("a", "b"), rule=f"{rule} or n >= {cap}")
    known = PLANNED.get(rule) or exact_rule(protocol)
    found = stopping_properties(known, equal, cap=cap, every=step)
    # Of Wald's one-sided test a winner is the second system only; the other end is "keep".
    return found.right if rule.startswith("wald") else found.winner


def _tested(**asked: Any) -> Trial:
    """Chance that a Wald-MSRB test names a wrong winner of some pair."""

    def trial(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
        odds = cell["lowest"] * cell["step"] ** np.arange(int(cell["systems"]))[::-1]
        test = all_pairs_test(list("ABCD")[: odds.size], smallest=1.5, **asked)
        found = all_pairs_properties(
            test, (odds / (1 + odds)).tolist(), cap=600, rng=rng, campaigns=draws
        )
        more = {"right": found.best, "items": found.expected}
        return Found(share=found.wrong, draws=draws, hits=round(found.wrong * draws), more=more)

    return trial


def dropped_in_races(patterns: np.ndarray, systems: int, *, alpha: float = 0.05) -> np.ndarray:
    """Race many campaigns side by side: who is dropped, a row for each campaign.

    ``patterns`` has a row for each item. The rule is that of
    :func:`steelyard.comparison.start_race`, looked at after every item.
    """
    campaigns = patterns.shape[1]
    bits = (np.arange(1 << systems)[:, None] >> np.arange(systems)) & 1
    only = (bits[:, :, None] > bits[:, None, :]).astype(np.int64)
    wins = np.zeros((campaigns, systems, systems), dtype=np.int64)
    running = np.ones((campaigns, systems), dtype=bool)
    most = int(only[patterns].sum(axis=0).max()) + 1
    counts = np.arange(most)
    evidence = np.exp(np.minimum(log_evidence(counts[:, None], counts[None, :])[1], 600))
    bar = (systems - 1) / alpha
    for pattern in patterns:
        both = running[:, :, None] & running[:, None, :]
        wins += only[pattern] * both
        # Entry [b, a] speaks for the rival a of b; nobody is a rival of himself.
        against = evidence[wins.transpose(0, 2, 1), wins] * (1 - np.eye(systems))
        weak = running & (against.sum(axis=2) >= bar)
        whole = (weak == running).all(axis=1) & weak.any(axis=1)
        for row in np.flatnonzero(whole):
            least = np.where(weak[row], against[row].sum(axis=1), np.inf).argmin()
            weak[row, least] = False
        running &= ~weak
    return ~running


def _answers(cell: Cell, rng: np.random.Generator, items: int, draws: int) -> np.ndarray:
    """Patterns of right answers, a row for each item; a share of what makes them is common."""
    size = int(cell["systems"])
    rates = np.full(size, cell["rate"])
    rates[0] += cell["lead"]
    shared = rng.standard_normal((items, draws, 1)) * np.sqrt(cell["alike"])
    own = rng.standard_normal((items, draws, size)) * np.sqrt(1 - cell["alike"])
    return np.asarray((shared + own < ndtri(rates)) @ (1 << np.arange(size)))


def _raced(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Chance that the first system, which nobody beats, is dropped."""
    dropped = dropped_in_races(_answers(cell, rng, RACED, draws), int(cell["systems"]))
    hits = int(dropped[:, 0].sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


ATTACKED = Space(
    axes={
        "systems": (2, 3, 6, 10),
        "rate": (0.5, 0.8, 0.97),
        "alike": (0.0, 0.6),
        "lead": (0.0, 0.02),
        "freeze": (0, 1),
    },
    fixed=frozenset({"systems", "freeze"}),
    possible=lambda cell: cell["rate"] + cell["lead"] < 1,
)
"""Systems that are equal, or all but one; systems may be closed when their values look good."""
GOOD = 5.0
"""Evidence at which an attacker closes a system, so that its pairs keep that value."""


def _closing(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Chance that any false pair is ever decided: all that closing systems can make use of.

    Whoever closes after looking wins as soon as one false pair is decided, by closing all others.
    """
    size, items, step = int(cell["systems"]), 400, 10
    rates = np.full(size, cell["rate"])
    rates[0] += cell["lead"]
    protocol = Protocol(systems=tuple(f"s{k}" for k in range(size)), rule="evidence >= 20")
    judge: Any = JUDGES["evidence"](protocol.parsed, protocol, campaigns=draws, rng=rng)
    both = np.zeros((draws, size, size))
    for n in range(step, items + 1, step):
        shared = rng.standard_normal((draws, step, 1)) * np.sqrt(cell["alike"])
        own = rng.standard_normal((draws, step, size)) * np.sqrt(1 - cell["alike"])
        right = (shared + own < ndtri(rates)).astype(float)
        block = np.swapaxes(right, 1, 2) @ right
        both += block
        judge.count(block)
        judge.judge(ManySnapshots(protocol=protocol, n=n, both=both))
        if cell["freeze"] and size > 2:
            won, lost = judge.wins, np.swapaxes(judge.wins, 1, 2)
            good = (log_evidence(won, lost)[0] >= np.log(GOOD)).any(axis=2)
            spare = judge.running.sum(axis=1) > 2
            chosen = good & judge.running & spare[:, None]
            rows = np.flatnonzero(chosen.any(axis=1))
            judge.running[rows, chosen[rows].argmax(axis=1)] = False
    false = rates[:, None] <= rates[None, :]
    hits = int((judge.beats & false).any(axis=(1, 2)).sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


SCORED = Space(
    axes={"pairs": (50, 400), "area": (0.5, 0.7, 0.9, 0.98), "ties": (0.0, 0.03)},
    fixed=frozenset({"pairs"}),
)
"""A claimed area that is the true one; how many pairs of an item of the class and another tie."""
RANKED = Space(
    axes={"pairs": (50, 400), "ahead": (0.01, 0.1, 0.4), "halves": (0.0, 0.5, 1.0)},
    fixed=frozenset({"pairs"}),
)
"""Equal areas: pairs that the first ranks rightly and the second wrongly, and how many of those
where it is the other way round are two ties instead."""
HEARD = Space(
    axes={"items": (60, 400), "rate": (0.02, 0.1, 0.3), "shape": (0.3, 2.0)},
    fixed=frozenset({"items"}),
)
"""Utterances of 3 to 20 words, hard for all as a gamma variable of this shape says."""
ALIKE = replace(HEARD, axes={**HEARD.axes, "shape": (1.0, 4.0)})
MOST_HEARD = 150.0
"""Errors and words of one utterance; of those alike in hardness hardly any ever reaches it."""


def _ever(values: np.ndarray, *, bounds: tuple[float, float], against: float = 0.0) -> Found:
    """Share of the courses, a row each, in which bets ever decide; every look counts."""
    paths = start_betting(bounds=bounds, against=against).paths(values)
    hits = int((np.maximum(*paths).max(axis=1) - np.log(2) >= np.log(20)).sum())
    return Found(share=hits / len(values), draws=len(values), hits=hits)


def _area_claimed(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Claim the true area; pairs are won, lost or tied."""
    ties, area = min(cell["ties"], 2 * (1 - cell["area"])), cell["area"]
    drawn = rng.random((draws, int(cell["pairs"])))
    won = np.where(drawn < area - ties / 2, 1.0, np.where(drawn < area + ties / 2, 0.5, 0.0))
    return _ever(won, bounds=(0.0, 1.0), against=area)


def _areas_equal(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Compare equal areas: one system ranks few pairs much better, the other many a little."""
    ahead, halves = cell["ahead"], cell["halves"]
    # Each small one counts one half, so that the mean is 0; all of them fit into 1.
    small = min(2 * ahead * halves, 2 * (1 - 2 * ahead))
    drawn = rng.random((draws, int(cell["pairs"])))
    gaps = np.where(drawn < ahead, 1.0, 0.0)
    gaps -= 0.5 * ((drawn >= ahead) & (drawn < ahead + small))
    rest = ahead - small / 2
    return _ever(gaps - ((drawn >= ahead + small) & (drawn < ahead + small + rest)), bounds=(-1, 1))


def _heard(cell: Cell, systems: int, draws: int, rng: np.random.Generator) -> tuple[Any, Any]:
    """Draw words, and errors of so many systems of one rate."""
    size = (draws, int(cell["items"]))
    words = rng.integers(3, 21, size)
    hard = words * cell["rate"] * rng.gamma(cell["shape"], 1 / cell["shape"], size)
    return rng.poisson(hard, (systems, *size)).astype(float), words


def _ratio_claimed(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Claim the true rate of errors over words."""
    (errors,), words = _heard(cell, 1, draws, rng)
    bounds = (-cell["rate"] * MOST_HEARD, MOST_HEARD)
    return _ever(np.minimum(errors, MOST_HEARD) - cell["rate"] * words, bounds=bounds)


def _ratios_equal(cell: Cell, draws: int, rng: np.random.Generator) -> Found:
    """Follow the errors of two systems of one rate by the limit law, from the 50th item on."""
    (first, second), _ = _heard(cell, 2, draws, rng)
    gaps = first - second
    seen = np.arange(1, gaps.shape[1] + 1)
    total, squares = gaps.cumsum(axis=1), (gaps**2).cumsum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = np.abs(total) / np.sqrt((squares - total**2 / seen) / (seen - 1) * seen)
    reach = np.array(
        [
            asymptotic_sequence(
                StudentEstimate(value=0.0, error=1.0, freedom=n - 1, units=int(n)), planned=400
            ).high
            for n in seen[49:]
        ]
    )
    hits = int((np.nan_to_num(pivots[:, 49:]) > reach).any(axis=1).sum())
    return Found(share=hits / draws, draws=draws, hits=hits)


def _followed(name: str, said: str, space: Space, trial: Trial, seed: int, **more: Any) -> Any:
    return _certificate(
        name,
        f"{said}, looked at after each; {space.words()}",
        Search(space=space, trial=trial, seek="highest", beam=2, rounds=1),
        seed=seed,
        short=200,
        long=more.pop("long", 10_000),
        claim=more.pop("claim", "ever decides in at most 5 %"),
        allowed=(0.0, 0.05),
        **more,
    )


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="campaigns",
        setting=setting,
        page=more.pop("page", "when-may-i-stop"),
        experiment=experiment,
        **more,
    )


def _msrb(words: str, **more: Any) -> Certificate:
    asked = {name: more.pop(name) for name in ("rule", "scheme", "sharing") if name in more}
    space = more.pop("space", LADDERS)
    return _certificate(
        f"wald-msrb(1.5), {words}",
        f"systems with unrelated errors, at most 600 items; {space.words()}",
        Search(space=space, trial=_tested(**asked), seek="highest", beam=2, rounds=1),
        claim="any wrong winner in at most 5 %",
        allowed=(0.0, 0.05),
        page="sequential",
        seed=2402,
        short=40,
        long=1000,
        **more,
    )


DECLARED = [
    _certificate(
        "evidence >= 20, systems closed after looking",
        f"at most 400 items, every 10; {ATTACKED.words()}",
        Search(space=ATTACKED, trial=_closing, seek="highest", beam=2, rounds=1),
        claim="any false pair in at most 5 %",
        allowed=(0.0, 0.05),
        page="evidence",
        seed=2405,
        short=200,
        long=4000,
    ),
    *(
        _certificate(
            f"{rule}, as played",
            f"no difference, every {step} items; {CAMPAIGNS.words()}",
            Search(space=CAMPAIGNS, trial=_played(rule, step), seek="highest", beam=1, rounds=1),
            claim="winners as often as calculated (0.5 stands for just as often)",
            allowed=(JUST, JUST),
            seed=2401,
            short=20,
            long=500,
        )
        for rule, step in PLAYED.items()
    ),
    _msrb(
        "leads, scheme A",
        space=APART,
        rule="lead",
        scheme="A",
        falls_short=(0.055, 0.12),
        note="MSRB counts true equalities, not directions; take sharing='bonferroni'",
    ),
    _msrb("leads, Bonferroni", space=APART, rule="lead", scheme="A", sharing="bonferroni"),
    _msrb(
        "leads, systems closer than planned for",
        rule="lead",
        scheme="A",
        falls_short=(0.9, 1.0),
        note="the first to lead wins, among equals too; for those take the two-sided rule",
    ),
    _msrb("two-sided, scheme A", scheme="A"),
    _msrb("two-sided, scheme B", scheme="B"),
    _certificate(
        "racing",
        f"at most {RACED} items, looked at after each; {FIELDS.words()}",
        Search(space=FIELDS, trial=_raced, seek="highest", beam=2, rounds=1),
        claim="the best is dropped in at most 5 %",
        allowed=(0.0, 0.05),
        page="evidence",
        seed=2404,
        short=40,
        long=1500,
    ),
    _followed("claim of an area", "pairs of the true area", SCORED, _area_claimed, 2406),
    _followed("betting, equal areas", "pairs of two equal areas", RANKED, _areas_equal, 2407),
    _followed(
        "claim of errors over words", "utterances of the true rate", ALIKE, _ratio_claimed, 2408
    ),
    _followed(
        "asymptotic, equal errors over words",
        "utterances of two equal systems, from the 50th on",
        HEARD,
        _ratios_equal,
        2409,
    ),
]

"""Campaigns as they are played, and the rules that watch several systems at once.

Of two systems the figures of ``stopping`` are calculated; here campaigns themselves are played,
item by item, and have to agree. Several systems are always played.
"""

from typing import Any

import numpy as np
from scipy.special import ndtri

from certificates.declaration import Certificate, Experiment, Found
from certificates.search import Cell, Search, Space
from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.simulation.many_campaigns import JUDGES, ManySnapshots
from steelyard.campaigns.simulation.simulation import rule_behaviour
from steelyard.comparison import all_pairs_test
from steelyard.comparison.sequential.evidence import log_evidence
from steelyard.planning import all_pairs_properties
from steelyard.planning.stopping.all_pairs_rules import unrelated_patterns

__all__ = ["DECLARED", "dropped_in_races"]

AS_CALCULATED = {
    "best >= 0.975": (1, 0.3297),
    "best >= 0.995": (1, 0.0946),
    "loss <= 0.005": (10, 0.9667),
    "evidence >= 20": (1, 0.0244),
    "spending(obrien-fleming, 5 looks)": (1, 0.0361),
    "spending(pocock, 5 looks)": (1, 0.0313),
    "wald(1.0, 2.5)": (1, 0.0407),
    "double-wald(0.65)": (1, 0.0226),
}
"""Items between looks, and the calculated chance of a winner without a difference by 300 items."""
ROUNDED = 0.0001
TOP = 0.887
"""Two systems that err independently at this rate differ on 20 % of the items."""
SETTINGS = {
    "no difference": (TOP,) * 4,
    "best two points ahead": (TOP, TOP - 0.02, TOP - 0.02, TOP - 0.02),
    "best six points ahead": (TOP, TOP - 0.06, TOP - 0.06, TOP - 0.06),
}
LADDER = tuple(odds / (1 + odds) for odds in (3.375, 2.25, 1.5, 1.0))
SET = "four systems with unrelated errors, at most 1,000 items"


def _played(rule: str, step: int) -> Experiment:
    """Let the campaign's own code play, without a difference; a winner is wrong."""

    def experiment(draws: int, seed: int) -> Found:
        # A budget that is never used up hides the rule from the calculation.
        text = f"{rule} or n >= 300 or cost >= 1e9"
        protocol = Protocol(systems=("a", "b"), rule=text, step=step)
        found = rule_behaviour(protocol, [0.8, 0.8], discordance=0.2, seed=seed, campaigns=draws)
        return Found(share=found.wrong, draws=draws, hits=round(found.wrong * draws))

    return experiment


def _tested(rates: tuple[float, ...], cap: int = 1000, **asked: Any) -> Experiment:
    """Chance that a Wald-MSRB test names a wrong winner of some pair."""

    def experiment(draws: int, seed: int) -> Found:
        test = all_pairs_test(["A", "B", "C", "D"], smallest=1.5, **asked)
        found = all_pairs_properties(
            test, rates, cap=cap, rng=np.random.default_rng(seed), campaigns=draws
        )
        more = {"right": found.best, "items": found.expected}
        return Found(share=found.wrong, draws=draws, hits=round(found.wrong * draws), more=more)

    return experiment


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


def _raced(rates: tuple[float, ...]) -> Experiment:
    """Chance that the first system, which nobody beats, is dropped."""

    def experiment(draws: int, seed: int) -> Found:
        rng = np.random.default_rng(seed)
        chances = unrelated_patterns(rates)
        drawn = rng.choice(chances.size, p=chances, size=(1000, draws))
        dropped = dropped_in_races(drawn, len(rates))
        alone = ~dropped[:, 0] & dropped[:, 1:].all(axis=1)
        hits = int(dropped[:, 0].sum())
        return Found(
            share=hits / draws, draws=draws, hits=hits, more={"right": float(alone.mean())}
        )

    return experiment


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


def _certificate(name: str, setting: str, experiment: Experiment, **more: Any) -> Certificate:
    return Certificate(
        name=name,
        family="campaigns",
        setting=setting,
        page=more.pop("page", "when-may-i-stop"),
        experiment=experiment,
        **more,
    )


def _msrb(scheme: str, words: str) -> Certificate:
    return _certificate(
        f"wald-msrb(1.5, {scheme}), {words}",
        SET,
        _tested(SETTINGS[words], scheme=scheme),
        claim="any wrong winner in at most 5 %",
        allowed=(0.0, 0.05),
        page="sequential",
        seed=2402,
        short=100,
        long=4000,
    )


def _directions(words: str, allowed: tuple[float, float], **more: Any) -> Certificate:
    asked = {name: more.pop(name) for name in ("rule", "scheme", "sharing") if name in more}
    return _certificate(
        f"wald-msrb(1.5), wrong directions, {words}",
        "four systems, odds 1 : 1.5 : 2.25 : 3.375, at most 3,000 items",
        _tested(LADDER, 3000, **asked),
        claim="any wrong winner in at most 5 %",
        allowed=allowed,
        page="sequential",
        seed=2403,
        short=60,
        long=6000,
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
            "no difference, 20 % discordant, at most 300 items"
            + (f", every {step}" if step > 1 else ""),
            _played(rule, step),
            claim=f"{winner:.2%} as calculated".replace("%", " %"),
            allowed=(winner - ROUNDED, winner + ROUNDED),
            seed=2401,
            short=20,
            long=500,
        )
        for rule, (step, winner) in AS_CALCULATED.items()
    ),
    *(_msrb(scheme, words) for scheme in "AB" for words in SETTINGS),
    _directions(
        "leads, scheme A",
        (0.0, 0.05),
        rule="lead",
        scheme="A",
        falls_short=(0.055, 0.075),
        note="MSRB counts true equalities, not directions; take sharing='bonferroni'",
    ),
    _directions("leads, Bonferroni", (0.0, 0.05), rule="lead", scheme="A", sharing="bonferroni"),
    _directions("two-sided, scheme A", (0.0, 0.05), scheme="A"),
    _directions("two-sided, scheme B", (0.0, 0.05), scheme="B"),
    *(
        _certificate(
            f"racing, {words}",
            SET,
            _raced(rates),
            claim="the best is dropped in at most 5 %",
            allowed=(0.0, 0.05),
            page="evidence",
            seed=2404,
            short=60,
            long=6000,
        )
        for words, rates in SETTINGS.items()
    ),
]

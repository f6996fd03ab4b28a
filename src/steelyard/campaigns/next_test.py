"""What to test next: open pairs only, the race, or two candidates by Thompson sampling."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.rules.grammar import conditions_of

__all__ = ["NextTest", "Scheme", "choose_next", "top_two_shares"]

Scheme = Literal["common items", "open pairs", "racing", "top-two Thompson", "none"]

DRAWS = 4000
"""A standard error of 0.008 at most: who is tested next is a choice, not a finding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextTest:
    """Systems to test with the share of results each should get, and the pick for the next one."""

    scheme: Scheme
    shares: tuple[tuple[str, float], ...] = ()
    pick: str | None = None


def choose_next(progress: Progress) -> NextTest:
    """Choose what to test next from how a campaign stands.

    On common items the next item goes to every running system; systems that the race or scheme B
    of the all-pairs test has given up are left out. On independent items the choice is by top-two
    Thompson sampling, seeded by the protocol and the number of results, so that it can be found
    again.

    References
    ----------
    .. [1] Russo (2020), Operations Research 68, 1625-1647, doi:10.1287/opre.2019.1911.
    """
    if progress.stop is not None:
        return NextTest(scheme="none")
    names = progress.protocol.systems
    if progress.protocol.pairing == "common":
        running = progress.running
        even = 1 / len(running)
        shares = tuple((names[place], even) for place in running)
        return NextTest(scheme=_scheme(progress), shares=shares)
    rng = np.random.default_rng([progress.protocol.seed, sum(progress.all_tested)])
    running_shares = top_two_shares(progress, rng)
    pick = str(rng.choice(list(running_shares), p=list(running_shares.values())))
    return NextTest(scheme="top-two Thompson", shares=tuple(running_shares.items()), pick=pick)


def top_two_shares(progress: Progress, rng: np.random.Generator) -> dict[str, float]:
    """Share of the next results for each running system, by top-two Thompson sampling.

    A draw from the posteriors names a leader; half of the results go to it, the other half to the
    best of another draw that names somebody else.
    """
    posteriors = progress.snapshot().posteriors()
    size = len(posteriors.systems)
    if size == 1:
        return {posteriors.systems[0]: 1.0}
    rates = rng.beta(posteriors.a, posteriors.b, size=(DRAWS, size))
    leader = np.bincount(rates.argmax(axis=1), minlength=size) / DRAWS
    # Given leader i, the challenger is j with chance leader_j / (1 - leader_i); where nobody else
    # ever led, it is the second of the same draw.
    second = np.bincount(np.argsort(rates, axis=1)[:, -2], minlength=size) / DRAWS
    shares = leader / 2
    for place in np.flatnonzero(leader):
        others = np.where(np.arange(size) == place, 0.0, leader)
        others = others if others.sum() else np.where(np.arange(size) == place, 0.0, second)
        shares = shares + leader[place] / 2 * others / others.sum()
    shares = shares / shares.sum()
    return {name: float(share) for name, share in zip(posteriors.systems, shares, strict=True)}


def _scheme(progress: Progress) -> Scheme:
    everybody = len(progress.running) + len(progress.gone) == len(progress.protocol.competitors)
    if everybody:
        return "common items"
    racing = any(one.name == "racing" for one in conditions_of(progress.rule))
    return "racing" if racing else "open pairs"

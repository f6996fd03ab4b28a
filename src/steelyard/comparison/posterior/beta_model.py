"""Independent Beta posteriors of the rates of systems that were each tested on their own items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from steelyard.comparison.posterior.log_odds import Floats, LogOddsBetas, log_odds_betas
from steelyard.counts import Trials
from steelyard.errors import CountsError, NotComparable, RequestError, listing

__all__ = ["BetaPosteriors", "Groups", "beta_posteriors", "group"]

Prior = tuple[float, float]

UNIFORM: Prior = (1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetaPosteriors:
    """Independent posteriors of the rates: system i has Beta(``a[i]``, ``b[i]``).

    The parameters may be any positive numbers, so that planned counts need not be whole.
    """

    systems: tuple[str, ...]
    a: tuple[float, ...]
    b: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.systems or len(set(self.systems)) != len(self.systems):
            message = f"Systems must have names of their own; got: {listing(self.systems)}."
            raise CountsError(message, code="system-twice")
        if not len(self.systems) == len(self.a) == len(self.b):
            message = (
                f"{len(self.systems)} systems, {len(self.a)} values of a and {len(self.b)} of b; "
                "give one of each for every system."
            )
            raise RequestError(message)
        for system, a, b in zip(self.systems, self.a, self.b, strict=True):
            if not (isfinite(a) and isfinite(b) and a > 0 and b > 0):
                message = f"{system}: Beta({a:g}, {b:g}); both parameters must be positive numbers."
                raise RequestError(message)

    def means(self) -> tuple[float, ...]:
        """Posterior means a/(a+b)."""
        return tuple(a / (a + b) for a, b in zip(self.a, self.b, strict=True))

    def only(self, systems: Sequence[str]) -> "BetaPosteriors":
        """Keep some of the systems, in the order given."""
        places = [self.place(system) for system in systems]
        return BetaPosteriors(
            systems=tuple(systems),
            a=tuple(self.a[p] for p in places),
            b=tuple(self.b[p] for p in places),
        )

    def place(self, system: str) -> int:
        """Find a system by name."""
        if system not in self.systems:
            message = f"No system {system!r} here. Systems: {listing(self.systems)}."
            raise RequestError(message)
        return self.systems.index(system)


def beta_posteriors(trials: Trials, *, priors: Mapping[str, Prior] | None = None) -> BetaPosteriors:
    """Posterior of every rate: Beta(x + a, n - x + b), with a = b = 1 unless ``priors`` say other.

    Parameters
    ----------
    trials
        Counts of systems that were each tested on items of their own.
    priors
        (a, b) by system; systems that are not named have (1, 1).

    References
    ----------
    .. [1] He & Fu, the posterior-probability procedure, equations (8) and (11).

    Examples
    --------
    >>> trials = Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    >>> beta_posteriors(trials, priors={"T": (0.5, 0.5)}).a
    (191.0, 194.5)
    """
    if trials.pairing != "independent":
        message = (
            "These systems were tested on common items, so their rates are not independent, and "
            "the totals do not say who was right together. Give the outcome of every item, or "
            "pass pairing='independent' (--pairing independent) if each had its own items."
        )
        raise NotComparable(message)
    given = dict(priors or {})
    unknown = [system for system in given if system not in trials.systems]
    if unknown:
        message = (
            f"A prior is given for {listing(unknown)}; the systems are {listing(trials.systems)}."
        )
        raise RequestError(message)
    for system, (a, b) in given.items():
        if not (isfinite(a) and isfinite(b) and a > 0 and b > 0):
            message = f"The prior of {system} is Beta({a:g}, {b:g}); both must be positive numbers."
            raise RequestError(message)
    prior = [given.get(system, UNIFORM) for system in trials.systems]
    counts = list(zip(trials.correct, trials.tested, prior, strict=True))
    return BetaPosteriors(
        systems=trials.systems,
        a=tuple(float(x + ab[0]) for x, _, ab in counts),
        b=tuple(float(n - x + ab[1]) for x, n, ab in counts),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Equal posteriors taken together: the distinct ones, their copies, and who is which."""

    betas: LogOddsBetas
    copies: Floats
    member: tuple[int, ...]

    @property
    def leader(self) -> int:
        """The distinct posterior with the highest mean."""
        return int(np.argmax(self.betas.centre))


def group(posteriors: BetaPosteriors) -> Groups:
    """Take equal posteriors together."""
    pairs = list(zip(posteriors.a, posteriors.b, strict=True))
    # Sorted, so that the order in which systems are named cannot change a digit.
    distinct = sorted(set(pairs), key=lambda pair: (pair[0] / (pair[0] + pair[1]), pair))
    a, b = np.array(distinct, dtype=np.float64).T
    member = tuple(distinct.index(pair) for pair in pairs)
    copies = np.bincount(member, minlength=len(distinct)).astype(np.float64)
    betas = log_odds_betas(a, b, reference=distinct[-1]).measure_from_narrowest()
    return Groups(betas, copies, member)

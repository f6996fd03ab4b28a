"""Drop the weak early: a race of many systems on common items."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from steelyard.comparison.sequential.evidence import log_evidence
from steelyard.errors import RequestError, check_share

__all__ = ["Race", "check_pattern", "start_race"]

Wins = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """State of a race; ``wins[a][b]`` are the items a had right and b wrong while both ran.

    ``calls`` counts the answers asked for: each item costs one per system still running.
    """

    systems: tuple[str, ...]
    alpha: float
    prior: float
    wins: Wins
    dropped: tuple[str, ...] = ()
    items: int = 0
    calls: int = 0

    @property
    def running(self) -> tuple[str, ...]:
        """Systems not dropped yet."""
        return tuple(system for system in self.systems if system not in self.dropped)

    @property
    def best(self) -> str | None:
        """The last one running, None while there are more."""
        return self.running[0] if len(self.running) == 1 else None

    def evidence_against(self) -> tuple[float, ...]:
        """Logarithm of the summed evidence that some rival is better, for each system.

        Examples
        --------
        >>> [round(value, 3) for value in start_race(["A", "B"]).evidence_against()]
        [0.0, 0.0]
        """
        wins = np.array(self.wins)
        rival_better = log_evidence(wins.T, wins, prior=self.prior)[1]
        np.fill_diagonal(rival_better, -np.inf)
        return tuple(logsumexp(rival_better, axis=1).tolist())

    def update(self, pattern: int, *, rows: int = 1) -> "Race":
        """Count ``rows`` more items with this outcome pattern, then drop who has to go.

        Bit ``j`` is set when system ``j`` was right; bits of dropped systems are not read.

        >>> race = start_race(["A", "B", "C"]).update(0b011, rows=20)
        >>> race.running
        ('A', 'B')
        """
        check_pattern(pattern, rows, systems=len(self.systems))
        if self.best is not None:
            return self
        runs = [system not in self.dropped for system in self.systems]
        right = [pattern >> place & 1 for place in range(len(self.systems))]
        places = range(len(self.systems))
        wins = tuple(
            tuple(
                self.wins[a][b] + rows * int(runs[a] and runs[b] and right[a] > right[b])
                for b in places
            )
            for a in places
        )
        calls = self.calls + rows * sum(runs)
        return replace(self, wins=wins, items=self.items + rows, calls=calls)._without_weak()

    def run(self, patterns: Iterable[int]) -> "Race":
        """Update with items in the order of testing, until one system is left.

        >>> start_race(["A", "B"]).run([0b10] * 30).best
        'B'
        """
        race = self
        for pattern in patterns:
            if race.best is not None:
                break
            race = race.update(pattern)
        return race

    def _without_weak(self) -> "Race":
        bar = float(np.log((len(self.systems) - 1) / self.alpha))
        against = dict(zip(self.systems, self.evidence_against(), strict=True))
        weak = [system for system in self.running if against[system] >= bar]
        if len(weak) == len(self.running):
            weak.remove(min(weak, key=against.__getitem__))
        return replace(self, dropped=(*self.dropped, *weak)) if weak else self


def start_race(systems: Iterable[str], *, alpha: float = 0.05, prior: float = 1.0) -> Race:
    r"""Start a race of K systems on common items.

    System b is dropped, and costs no more calls, when the one-sided evidence of its rivals,

    .. math:: \sum_{a \ne b} E_{ab} \ge \frac{K - 1}{\alpha},

    is large enough; :math:`E_{ab}` is the e-value for a being better than b on their discordant
    items. Values against dropped rivals are frozen and still count.

    Notes
    -----
    It guarantees that the best system is dropped with probability alpha at most, at any time and
    for any dependence between systems. It does not guarantee each single drop, and the order of
    the dropped means nothing. With several equally good systems it may never end: set a budget.

    References
    ----------
    .. [1] Vovk & Wang (2021), Annals of Statistics 49, 1736-1754, doi:10.1214/20-AOS2020 (the mean
       of e-values is an e-value); the race is ours.

    Examples
    --------
    >>> race = start_race(["A", "B", "C"]).update(0b001, rows=9)
    >>> race.best, race.dropped, race.calls
    ('A', ('B', 'C'), 27)
    """
    names = tuple(systems)
    if len(names) < 2 or len(set(names)) != len(names):
        message = f"systems={list(names)!r}; name at least two systems, each once."
        raise RequestError(message)
    check_share("alpha", alpha)
    if not 0 < prior < np.inf:
        message = f"prior={prior!r}; the mixture needs a positive number, such as prior=1."
        raise RequestError(message)
    return Race(systems=names, alpha=alpha, prior=prior, wins=((0,) * len(names),) * len(names))


def check_pattern(pattern: int, rows: int, *, systems: int) -> None:
    """Refuse what is no outcome of so many systems, and less than no row."""
    if rows < 0 or pattern < 0 or pattern >> systems:
        message = (
            f"pattern={pattern!r}, rows={rows!r}; a pattern of {systems} systems "
            f"lies between 0 and 2^{systems} - 1, rows are 0 or more."
        )
        raise RequestError(message)

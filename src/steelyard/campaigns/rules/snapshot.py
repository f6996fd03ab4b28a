"""What can be seen of a campaign at one look: counts, and nothing but counts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.campaigns.protocol import Protocol
from steelyard.campaigns.rules.grammar import Condition
from steelyard.comparison.posterior.beta_model import BetaPosteriors
from steelyard.counts import PairTable

__all__ = ["Judgement", "RuleState", "Snapshot"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one condition says at one look.

    ``value`` is compared with ``bound``; ``winner`` or ``ranking`` is the answer where it holds;
    ``verdict`` says in words what it found.
    """

    holds: bool
    value: float | None = None
    bound: float | None = None
    verdict: str = ""
    winner: str | None = None
    ranking: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """Counts of the items that count so far.

    ``running`` are the places of the systems still in; ``patterns`` the items by who was right
    (common items); ``wins[a][b]`` the items a had right and b wrong; ``correct`` and ``tested``
    count each system by itself; ``sums`` add up its numbers, if it has some;
    ``draws`` is the size of a simulated posterior.
    """

    protocol: Protocol
    running: tuple[int, ...]
    n: int
    cost: float
    patterns: dict[int, int]
    wins: Sequence[Sequence[int]]
    correct: Sequence[int]
    tested: Sequence[int]
    sums: Sequence[float] = ()
    draws: int = 20_000

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the running systems."""
        return tuple(self.protocol.systems[place] for place in self.running)

    @property
    def common(self) -> bool:
        """Whether the systems see the same items."""
        return self.protocol.pairing == "common"

    def leader(self) -> int:
        """Find the running system with the most right answers; the first of several."""
        return max(self.running, key=lambda place: (self.correct[place], -place))

    def rank(self) -> list[int]:
        """Order the running systems by right answers, the best first."""
        return sorted(self.running, key=lambda place: (-self.correct[place], place))

    def running_places(self, names: Sequence[object]) -> tuple[int, ...] | None:
        """Find systems by name; None when one of them has dropped out."""
        places = tuple(self.protocol.systems.index(str(name)) for name in names)
        return places if set(places) <= set(self.running) else None

    def table(self, first: int, second: int) -> PairTable:
        """Fold the patterns to two systems."""
        both = sum(c for p, c in self.patterns.items() if p >> first & 1 and p >> second & 1)
        only_first, only_second = self.wins[first][second], self.wins[second][first]
        return PairTable(
            both=both,
            first=only_first,
            second=only_second,
            neither=self.n - both - only_first - only_second,
        )

    def posteriors(self) -> BetaPosteriors:
        """Beta posteriors of the running systems, for independent items."""
        priors = [self.protocol.priors[place] for place in self.running]
        right = [self.correct[place] for place in self.running]
        tested = [self.tested[place] for place in self.running]
        return BetaPosteriors(
            systems=self.names,
            a=tuple(x + a for x, (a, _) in zip(right, priors, strict=True)),
            b=tuple(n - x + b for n, x, (_, b) in zip(tested, right, priors, strict=True)),
        )


class RuleState(ABC):
    """One condition of a rule, with all it must remember of the items so far."""

    def __init__(self, condition: Condition, protocol: Protocol) -> None:
        self.condition = condition
        self.protocol = protocol

    def count(self, pattern: int) -> None:  # noqa: B027 - most have nothing to do here
        """Take one more item into account; bit ``j`` is set when system ``j`` was right."""

    def count_values(self, values: Mapping[int, float]) -> None:  # noqa: B027
        """Take the numbers of one more item into account, by the places of the systems."""

    def look(self, snapshot: Snapshot) -> None:  # noqa: B027 - most have nothing to do here
        """Take a look, where looking itself is remembered."""

    def name_lost(self) -> frozenset[int]:
        """Systems that need no more testing."""
        return frozenset()

    def leave(self, place: int) -> None:  # noqa: B027 - most have nothing to do here
        """Go on without a system that has dropped out."""

    @abstractmethod
    def judge(self, snapshot: Snapshot, *, exact: bool = True) -> Judgement:
        """Say how it stands; unless ``exact``, a value on the right side of the bound will do."""

    def plain(self) -> Any:  # noqa: ANN401
        """Give what is remembered as plain data."""
        return None

    def restore(self, saved: Any) -> None:  # noqa: ANN401, B027 - most have nothing to do here
        """Take up what ``plain`` gave."""

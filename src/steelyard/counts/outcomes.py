"""Who was right together: the right/wrong pattern of every item over all systems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

import numpy as np
from numpy.typing import NDArray

from steelyard.counts.cells import (
    add_cells,
    add_weights,
    check_cells,
    check_weights,
    whole,
    whole_counts,
)
from steelyard.counts.columns import place_of
from steelyard.counts.exclusions import Exclusion, merge_exclusions
from steelyard.counts.labels import check_names
from steelyard.counts.trials import Trials
from steelyard.counts.weights import WeightSums
from steelyard.errors import CountsError, listing

__all__ = ["Outcomes", "PairTable"]

CHUNK = 1 << 16

NEARLY_ALL = 0.8
"""Share of discordant items beyond which the exact test is taken; found by search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
    """Two systems on common items: both right, only the first, only the second, neither.

    Examples
    --------
    >>> table = PairTable(both=160, first=18, second=5, neither=17)
    >>> table.total, table.discordant
    (200, 23)
    """

    both: int
    first: int
    second: int
    neither: int

    def __post_init__(self) -> None:
        names = ("both", "first", "second", "neither")
        counts = whole_counts((getattr(self, name) for name in names), "The paired table")
        for name, count in zip(names, counts, strict=True):
            object.__setattr__(self, name, count)

    @property
    def total(self) -> int:
        """Items both systems were asked about."""
        return self.both + self.first + self.second + self.neither

    @property
    def discordant(self) -> int:
        """Items on which exactly one of the two was right."""
        return self.first + self.second

    @property
    def nearly_all_discordant(self) -> bool:
        """Tell whether so many items are discordant that only the exact test keeps its level."""
        return self.discordant > NEARLY_ALL * self.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Items by outcome pattern; bit ``j`` of a pattern is set when system ``j`` was right.

    Any number of systems will do: a pattern is a Python integer of as many bits. For all pairs at
    once use ``pairs``, which reads the patterns once.

    Examples
    --------
    >>> outcomes = Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("A", "B"))
    >>> outcomes.trials().correct, outcomes.pair("A", "B").discordant
    ((178, 165), 23)
    """

    systems: tuple[str, ...]
    patterns: tuple[tuple[int, int], ...]
    weights: tuple[tuple[int, WeightSums], ...] | None = None
    excluded: tuple[Exclusion, ...] = ()

    def __post_init__(self) -> None:
        systems = check_names(self.systems, "system")
        if not systems:
            message = "No system is named; outcomes need at least one."
            raise CountsError(message, code="no-systems")
        given = [
            (p if type(p) is int and p >= 0 else whole(p, "A pattern"), rows)
            for p, rows in self.patterns
        ]
        if given and max(pattern for pattern, _ in given) >> len(systems):
            message = (
                f"A pattern of {len(systems)} systems lies between 0 and 2^{len(systems)} - 1, "
                "with one bit for each system."
            )
            raise CountsError(message, code="pattern-range")
        patterns = check_cells(given, "The outcome patterns")
        weights = self.weights
        if weights is not None:
            sums = ((int(pattern), one) for pattern, one in weights)
            weights = tuple(check_weights(sums, patterns, "The outcome patterns").items())
        for name, value in (
            ("systems", systems),
            ("patterns", tuple(patterns.items())),
            ("weights", weights),
            ("excluded", merge_exclusions(self.excluded)),
        ):
            object.__setattr__(self, name, value)

    @classmethod
    def from_patterns(
        cls,
        patterns: Mapping[int, int],
        *,
        systems: Sequence[str],
        weights: Mapping[int, WeightSums] | None = None,
        excluded: Sequence[Exclusion] = (),
    ) -> Self:
        """Build from a mapping of pattern to rows.

        >>> Outcomes.from_patterns({0b01: 5, 0b11: 2}, systems=["A", "B"]).correct()
        (7, 2)
        """
        return cls(
            systems=check_names(systems, "system"),
            patterns=tuple(patterns.items()),
            weights=None if weights is None else tuple(weights.items()),
            excluded=tuple(excluded),
        )

    @classmethod
    def from_pair(
        cls, *, both: int, first: int, second: int, neither: int, systems: tuple[str, str]
    ) -> Self:
        """Build from the four numbers of a paired two-by-two table.

        >>> Outcomes.from_pair(both=6, first=2, second=1, neither=1, systems=("A", "B")).total
        10
        """
        return cls.from_patterns({3: both, 1: first, 2: second, 0: neither}, systems=systems)

    @classmethod
    def from_cells(cls, cells: Mapping[str, int]) -> Self:
        """Build from the same four numbers under their names, as they are typed.

        >>> Outcomes.from_cells({"A": 2, "B": 1, "both": 6, "neither": 1}).systems
        ('A', 'B')
        """
        own = tuple(name for name in cells if name not in {"both", "neither"})
        if len(cells) != len(own) + 2 or len(own) != 2:
            message = "Expected four numbers such as S=18,T=5,both=160,neither=17."
            raise CountsError(message, code="no-pair")
        first, second = own
        return cls.from_pair(
            both=cells["both"],
            first=cells[first],
            second=cells[second],
            neither=cells["neither"],
            systems=(first, second),
        )

    @property
    def total(self) -> int:
        """Items counted."""
        return sum(rows for _, rows in self.patterns)

    def trials(self) -> Trials:
        """Forget who was right together.

        >>> Outcomes.from_patterns({1: 5, 3: 2}, systems=["A", "B"]).trials().tested
        (7, 7)
        """
        return Trials(
            systems=self.systems,
            correct=self.correct(),
            tested=self.total,
            pairing="common",
            excluded=self.excluded,
        )

    def correct(self) -> tuple[int, ...]:
        """Items each system had right.

        >>> Outcomes.from_patterns({1: 5, 3: 2}, systems=["A", "B"]).correct()
        (7, 2)
        """
        packed, rows = self._pack(), self._rows()
        return tuple(int(rows[_bit(packed, place)].sum()) for place in range(len(self.systems)))

    def pair(self, first: str, second: str) -> PairTable:
        """Fold to the paired table of two systems.

        >>> Outcomes.from_patterns({1: 5, 3: 2}, systems=["A", "B"]).pair("B", "A")
        PairTable(both=2, first=0, second=5, neither=0)
        """
        packed, rows = self._pack(), self._rows()
        one, two = (_bit(packed, place_of(self.systems, system)) for system in (first, second))
        return PairTable(
            both=int(rows[one & two].sum()),
            first=int(rows[one & ~two].sum()),
            second=int(rows[two & ~one].sum()),
            neither=int(rows[~(one | two)].sum()),
        )

    def pairs(self) -> dict[tuple[str, str], PairTable]:
        """Fold to the paired tables of every two systems, each pair in the order of ``systems``.

        >>> Outcomes.from_patterns({1: 5, 3: 2}, systems=["A", "B"]).pairs()
        {('A', 'B'): PairTable(both=2, first=5, second=0, neither=0)}
        """
        size, total = len(self.systems), self.total
        both = np.zeros((size, size), dtype=np.int64)
        bits, rows = self.bits(), self._rows()
        for start in range(0, rows.size, CHUNK):
            # Exact in floats: no sum exceeds the total, which is at most 2^53.
            part = bits[start : start + CHUNK].astype(np.float64)
            weighted = part * rows[start : start + CHUNK, None]
            both += (part.T @ weighted).astype(np.int64)
        right, table = both.diagonal().tolist(), both.tolist()
        return {
            (self.systems[i], self.systems[j]): PairTable(
                both=table[i][j],
                first=right[i] - table[i][j],
                second=right[j] - table[i][j],
                neither=total - right[i] - right[j] + table[i][j],
            )
            for i, j in combinations(range(size), 2)
        }

    def only(self, systems: Sequence[str]) -> Self:
        """Fold to some of the systems, in the order given.

        >>> Outcomes.from_patterns({1: 5, 3: 2, 2: 1}, systems=["A", "B"]).only(["B"]).patterns
        ((0, 5), (1, 3))
        """
        places = [place_of(self.systems, system) for system in check_names(systems, "system")]
        rows: dict[int, int] = {}
        sums: dict[int, WeightSums] | None = None if self.weights is None else {}
        weights = dict(self.weights or ())
        for kept, (pattern, count) in zip(self._fold(places), self.patterns, strict=True):
            rows[kept] = rows.get(kept, 0) + count
            if sums is not None:
                sums[kept] = sums.get(kept, WeightSums(0, 0)).merged(weights[pattern])
        return self.from_patterns(rows, systems=systems, weights=sums, excluded=self.excluded)

    def bits(self) -> NDArray[np.bool_]:
        """Patterns as a table, a row for each stored pattern and a column for each system.

        >>> Outcomes.from_patterns({1: 5, 3: 2}, systems=["A", "B"]).bits().tolist()
        [[True, False], [True, True]]
        """
        spread = np.unpackbits(self._pack(), axis=1, bitorder="little")
        return spread[:, : len(self.systems)].astype(np.bool_)

    def __add__(self, other: Self) -> Self:
        if self.systems != other.systems:
            message = (
                f"Outcomes of {listing(self.systems)} and of {listing(other.systems)} cannot be "
                "added."
            )
            raise CountsError(message, code="systems-differ")
        return self.from_patterns(
            add_cells(dict(self.patterns), dict(other.patterns)),
            systems=self.systems,
            weights=add_weights(
                None if self.weights is None else dict(self.weights),
                None if other.weights is None else dict(other.weights),
            ),
            excluded=merge_exclusions(self.excluded, other.excluded),
        )

    def _rows(self) -> NDArray[np.int64]:
        return np.array([rows for _, rows in self.patterns], dtype=np.int64)

    def _pack(self) -> NDArray[np.uint8]:
        """Patterns as bytes, lowest first: a row for each, eight systems to a byte."""
        width = (len(self.systems) + 7) // 8
        text = b"".join(pattern.to_bytes(width, "little") for pattern, _ in self.patterns)
        return np.frombuffer(text, dtype=np.uint8).reshape(-1, width)

    def _fold(self, places: list[int]) -> list[int]:
        """Patterns of the systems at these places only."""
        if not places:
            return [0] * len(self.patterns)
        kept = np.packbits(self.bits()[:, places], axis=1, bitorder="little")
        width, text = kept.shape[1], kept.tobytes()
        return [
            int.from_bytes(text[at : at + width], "little") for at in range(0, len(text), width)
        ]


def _bit(packed: NDArray[np.uint8], place: int) -> NDArray[np.bool_]:
    """One column of the bit table."""
    return np.asarray(packed[:, place // 8] & np.uint8(1 << place % 8), dtype=np.bool_)

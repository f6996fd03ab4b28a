"""Algorithms of a suite in order of their scores, with the ranks that remain possible."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import show_number, show_p_value, show_probability
from steelyard.results.base import Result
from steelyard.results.estimates import Estimate
from steelyard.results.provenance import Provenance
from steelyard.results.readable import Cell, tidy_row

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.display.tables import Table

__all__ = [
    "AlgorithmPair",
    "CellScore",
    "CellState",
    "Leaderboard",
    "OverProblems",
    "RankedAlgorithm",
    "SignedRankChance",
]

CellState = Literal["ok", "failed", "timeout", "oom", "flood", "forks", "invalid"]
"""How a cell ended; everything but ``ok`` is a failure with a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedAlgorithm:
    """One algorithm over all problems; ``lowest`` and ``highest`` are the ranks left open.

    They are None for an algorithm that is not ranked, because a cell of it failed and the suite
    excludes such algorithms. ``mean_rank`` is the mean of its ranks on the problems.
    """

    algorithm: str
    score: Estimate
    winner: Estimate
    brier: Estimate
    log: Estimate
    lowest: int | None
    highest: int | None
    letters: str
    mean_rank: float | None
    cells: int
    failed: int
    seconds: float | None

    @property
    def ranks(self) -> str | None:
        """The ranks left open, as people write them."""
        if self.lowest is None or self.highest is None:
            return None
        one = self.lowest == self.highest
        return f"{self.lowest}" if one else f"{self.lowest}-{self.highest}"

    def rows(self) -> list[dict[str, Cell]]:
        """List its scores and ranks."""
        scores = (self.score, self.winner, self.brier, self.log)
        rows = [row | {"system": self.algorithm} for one in scores for row in one.rows()]
        rows.append(
            tidy_row(
                measure="rank",
                system=self.algorithm,
                low=self.lowest,
                high=self.highest,
                reason=None if self.lowest else "not ranked: a cell failed",
            )
        )
        rows.append(
            tidy_row(
                measure="failed cells", system=self.algorithm, count=self.failed, total=self.cells
            )
        )
        if self.seconds is not None:
            rows.append(tidy_row(measure="seconds", system=self.algorithm, value=self.seconds))
        return rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CellScore:
    """One algorithm on one problem: what became of it, its scores, the ranks left open there.

    ``counted`` says whose scores count: its own, those of null in its place, or none.
    """

    algorithm: str
    problem: str
    state: CellState
    reason: str | None
    counted: Literal["own", "null", "none"]
    score: Estimate | None
    winner: float | None
    brier: float | None
    log: float | None
    lowest: int | None
    highest: int | None
    seconds: float
    cpu_seconds: float | None
    memory: int
    alone: bool

    def rows(self) -> list[dict[str, Cell]]:
        """List its score and its time."""
        row = self.score.rows()[0] if self.score else tidy_row(measure="L2 score")
        whole = row | {"system": self.algorithm, "of": self.problem}
        whole |= {"reason": f"{self.state}: {self.reason}"} if self.state != "ok" else {}
        spent = tidy_row(
            measure="seconds", system=self.algorithm, of=self.problem, value=self.seconds
        )
        return [whole, spent]


@dataclass(frozen=True, slots=True, kw_only=True)
class AlgorithmPair:
    """Two algorithms on the same items of all problems; ``adjusted`` is Holm's p-value."""

    first: str
    second: str
    difference: Estimate
    p_value: float
    adjusted: float
    different: bool

    def rows(self) -> list[dict[str, Cell]]:
        """List the difference and its p-value."""
        pair = {"system": self.first, "against": self.second}
        return [
            self.difference.rows()[0] | pair,
            tidy_row(measure="adjusted p-value", value=self.adjusted, method="holm", **pair),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRankChance:
    """Chances that ``second`` is worse than the leader, practically alike, or better."""

    second: str
    worse: float
    alike: float
    better: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OverProblems:
    """The problems taken as a sample of such problems: Friedman's test and what follows it."""

    problems: int
    p_value: float
    critical_difference: float
    cliques: tuple[tuple[str, ...], ...]
    leader: str
    rope: float
    chances: tuple[SignedRankChance, ...]

    def rows(self) -> list[dict[str, Cell]]:
        """List the tests."""
        rows = [
            tidy_row(
                measure="p-value over problems",
                value=self.p_value,
                method="friedman-f",
                total=self.problems,
            ),
            tidy_row(
                measure="critical difference of mean ranks",
                value=self.critical_difference,
                method="nemenyi",
                total=self.problems,
            ),
        ]
        return rows + [
            tidy_row(
                measure=f"probability {what}",
                system=self.leader,
                against=one.second,
                value=value,
                method="bayesian-signed-rank",
            )
            for one in self.chances
            for what, value in (
                ("better", one.worse),
                ("practically alike", one.alike),
                ("worse", one.better),
            )
        ]

    def lines(self) -> list[str]:
        """Say it in small print."""
        tested = (
            f"If the {self.problems} problems are taken as a sample of such problems: Friedman's "
            f"test (F) has the p-value {show_p_value(self.p_value)}; mean ranks differ from "
            f"{show_number(self.critical_difference, digits=2)} on (Nemenyi)."
        )
        near = max(self.chances, key=lambda one: one.better + one.alike, default=None)
        if near is None:
            return [tested]
        return [
            tested,
            f"Bayesian signed ranks over problems: {self.leader} is better than {near.second} by "
            f"more than {self.rope:g} with probability {show_probability(near.worse)}, within "
            f"{self.rope:g} with {show_probability(near.alike)}, worse with "
            f"{show_probability(near.better)}.",
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard(Result):
    """Every algorithm of a run, the best first, failures and all."""

    kind: ClassVar[str] = "leaderboard"
    suite: str
    version: str
    failures: Literal["null", "excluded"]
    level: float
    alpha: float
    problems: tuple[str, ...]
    items: int
    groups: int
    algorithms: tuple[RankedAlgorithm, ...]
    cells: tuple[CellScore, ...]
    pairs: tuple[AlgorithmPair, ...]
    over_problems: OverProblems | None
    provenance: Provenance

    @property
    def leaders(self) -> tuple[RankedAlgorithm, ...]:
        """The best algorithm and all that it was not told apart from."""
        ranked = [one for one in self.algorithms if one.lowest is not None]
        if not ranked:
            return ()
        best = ranked[0]
        apart = {
            name
            for pair in self.pairs
            if pair.different and best.algorithm in (pair.first, pair.second)
            for name in (pair.first, pair.second)
        } - {best.algorithm}
        return tuple(one for one in ranked if one.algorithm not in apart)

    def sentence(self) -> str:
        """Say who leads, whether alone, and what failed."""
        from steelyard.results.leaderboard_words import leaderboard_sentence

        return leaderboard_sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List everything as tidy rows."""
        rows = [row for one in self.algorithms for row in one.rows()]
        rows += [row for one in self.cells for row in one.rows()]
        rows += [row for one in self.pairs for row in one.rows()]
        return rows + (self.over_problems.rows() if self.over_problems else [])

    def tables(self) -> "list[Table]":
        """Show the board, and the problems one by one."""
        from steelyard.results.leaderboard_words import leaderboard_tables

        return leaderboard_tables(self)

    def score_table(self) -> "Table":
        """Show the scores of every cell."""
        from steelyard.results.leaderboard_words import score_table

        return score_table(self)

    def details(self) -> list[str]:
        """Say how the order was found."""
        from steelyard.results.leaderboard_words import failure_lines

        tested = (
            f"Ranks: differences of the L2 score on the same {self.items:,} items in "
            f"{self.groups:,} groups (cluster-robust t), Holm over {len(self.pairs)} pairs at "
            f"{self.alpha:g}."
        )
        policy = {
            "null": "A failed cell scores what null scores there.",
            "excluded": "An algorithm with a failed cell is shown and not ranked.",
        }[self.failures]
        over = self.over_problems.lines() if self.over_problems else []
        return [*failure_lines(self), tested, policy, *over, *self.provenance.lines()]

    def charts(self) -> "dict[str, Callable[[], Chart]]":
        """Name the pictures: scores with intervals, ranks, mean ranks over problems."""
        from steelyard.results.leaderboard_words import leaderboard_charts

        return leaderboard_charts(self)

"""Algorithms of a suite in order of their scores, and each cell of the board in full."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal

from steelyard.display.numbers import (
    show_count,
    show_interval,
    show_number,
    show_p_value,
    show_probability,
)
from steelyard.display.tables import Column, Table, number_cell, number_columns, text_cell
from steelyard.display.text import join_names, show_name
from steelyard.errors import counted
from steelyard.results.base import Cell, Provenance, Result, tidy_row
from steelyard.results.estimates import Estimate
from steelyard.results.measured import ELSEWHERE, chart_row, interval_name, say_number

if TYPE_CHECKING:
    from steelyard.display.figures import Chart

__all__ = [
    "AlgorithmPair",
    "CellDetail",
    "CellScore",
    "CellState",
    "Leaderboard",
    "OverProblems",
    "RankedAlgorithm",
    "SignedRankChance",
    "failure_lines",
    "score_table",
]

CellState = Literal["ok", "failed", "timeout", "oom", "flood", "forks", "invalid"]
"""How a cell ended; everything but ``ok`` is a failure with a name."""
NULL = "null"
MOST_FAILURES = 12
DIGITS = 3
LINES = 20
"""So many last lines of a log are shown."""


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

    def headline(self) -> str:
        """Say who leads alone, or that nobody does."""
        return _headline(self)

    def sentence(self) -> str:
        """Say who leads, whether alone, and what failed."""
        return _sentence(self)

    def rows(self) -> list[dict[str, Cell]]:
        """List everything as tidy rows."""
        rows = [row for one in self.algorithms for row in one.rows()]
        rows += [row for one in self.cells for row in one.rows()]
        rows += [row for one in self.pairs for row in one.rows()]
        return rows + (self.over_problems.rows() if self.over_problems else [])

    def tables(self) -> list[Table]:
        """Show the board, and the problems one by one."""
        return _tables(self)

    def score_table(self) -> Table:
        """Show the scores of every cell."""
        return score_table(self)

    def details(self) -> list[str]:
        """Say how the order was found."""
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
        return _charts(self)


def _sentence(board: Leaderboard) -> str:
    said = _leading(board)
    failed = sum(one.state != "ok" for one in board.cells)
    if not failed:
        return said
    policy = {"null": "scored as null", "excluded": "not ranked"}[board.failures]
    verb = "was" if failed == 1 else "were"
    return f"{said} {failed} of {counted(len(board.cells), 'cell')} failed and {verb} {policy}."


def _headline(board: Leaderboard) -> str:
    names = [one.algorithm for one in board.leaders]
    if not names or len(board.algorithms) < 2:
        return ""
    if NULL in names:
        return "Choose none: no algorithm is told apart from one that looks at nothing."
    if len(names) == 1:
        return f"Choose {show_name(names[0])}: it leads alone."
    return f"Choose none yet: {say_number(len(names))} lead together."


def _leading(board: Leaderboard) -> str:
    place = f"{show_name(board.suite)}@{show_name(board.version)}"
    leaders = board.leaders
    if not leaders:
        return f"No algorithm could be ranked on {place}."
    names = [one.algorithm for one in leaders]
    if NULL in names and len(board.algorithms) > 1:
        return (
            f"No algorithm can be told from null, which looks at nothing, on {place}; "
            f"{show_name(names[0])} has the highest L2 score, {_value(leaders[0].score)}."
        )
    others = len(board.algorithms) - len(leaders)
    if len(leaders) == 1:
        return (
            f"{show_name(names[0])} leads {place} alone: L2 score {_score(leaders[0].score)}, "
            f"told apart from {counted(others, 'other')}."
        )
    return f"{join_names(names)} lead {place} and cannot be told apart: {_between(board)}."


def _between(board: Leaderboard) -> str:
    first, second = board.leaders[:2]
    pair = next(
        one for one in board.pairs if {one.first, one.second} == {first.algorithm, second.algorithm}
    )
    apart = show_number(abs(pair.difference.value or 0.0))
    scores = " and ".join(_value(one.score) or "?" for one in (first, second))
    extra = "" if len(board.leaders) == 2 else " of the first two"
    tested = (
        f"p-value {show_p_value(pair.adjusted, alpha=board.alpha)} over {len(board.pairs)} pairs"
    )
    return f"L2 scores{extra} {scores}, difference {apart}, {tested}"


def _tables(board: Leaderboard) -> list[Table]:
    return [table for table in (_board(board), _problems(board)) if table.rows]


def _board(board: Leaderboard) -> Table:
    rows = [
        [
            text_cell("rank", one.ranks, whole=True),
            text_cell("algorithm", one.algorithm),
            number_cell("L2 score", one.score.value),
            number_cell(interval_name(board.level), _ends(one.score)),
            number_cell("winner", one.winner.value),
            number_cell("Brier", one.brier.value),
            number_cell("log", one.log.value, optional=True),
            number_cell("mean rank", one.mean_rank, partial(show_number, digits=2), optional=True),
            number_cell("failed", str(one.failed) if one.failed else None),
            number_cell("seconds", one.seconds, "{:,.1f}".format),
        ]
        for one in board.algorithms
    ]
    note = "rank: the places that the tests leave open. Lower is better for Brier and log."
    if any(one.log.value is None for one in board.algorithms):
        note += " log is -: a true class was given no chance at all."
    return Table.of(f"Leaderboard of {board.suite}@{board.version}", rows, note=note, lead=2)


def _problems(board: Leaderboard) -> Table:
    cells = {(one.algorithm, one.problem): one for one in board.cells}
    columns = [Column(name="algorithm"), *number_columns(*board.problems)]
    rows = [
        (one.algorithm, *(_cell(cells[one.algorithm, problem]) for problem in board.problems))
        for one in board.algorithms
    ]
    return Table(
        title="L2 score, problem by problem",
        columns=tuple(columns),
        rows=tuple(rows),
        note="* not told apart from the best of its problem. A failed cell shows its end.",
    )


def _cell(cell: CellScore) -> str | None:
    if cell.state != "ok":
        return cell.state
    if cell.score is None or cell.score.value is None:
        return None
    return f"{cell.score.value:.3f}{'*' if cell.lowest == 1 else ' '}"


def score_table(board: Leaderboard) -> Table:
    """Show every cell with its scores and its time."""
    rows = [
        [
            text_cell("problem", one.problem),
            text_cell("algorithm", one.algorithm),
            text_cell("ended", one.state, whole=True),
            number_cell("L2 score", None if one.score is None else one.score.value),
            number_cell(
                interval_name(board.level), None if one.score is None else _ends(one.score)
            ),
            number_cell("winner", one.winner),
            number_cell("Brier", one.brier),
            number_cell("log", one.log, optional=True),
            number_cell("seconds", one.seconds, "{:,.1f}".format),
        ]
        for one in board.cells
    ]
    note = "Lower is better for Brier and log."
    return Table.of(f"Scores of {board.suite}@{board.version}", rows, note=note, lead=2)


def failure_lines(board: Leaderboard) -> list[str]:
    """Say of every cell that failed how and why; very many are cut."""
    failed = [one for one in board.cells if one.state != "ok"]
    lines = [
        f"{show_name(one.algorithm)} on {show_name(one.problem)}: {one.state}, {one.reason}."
        for one in failed[:MOST_FAILURES]
    ]
    left = len(failed) - len(lines)
    return [*lines, f"{counted(left, 'more cell')} failed: {ELSEWHERE}."] if left else lines


def _value(estimate: Estimate) -> str | None:
    return None if estimate.value is None else show_number(estimate.value)


def _ends(estimate: Estimate) -> str | None:
    ends = estimate.interval
    return None if ends is None else show_interval(ends.low, ends.high, digits=DIGITS)


def _score(estimate: Estimate) -> str:
    ends = _ends(estimate)
    return f"{_value(estimate)} {ends}" if ends else f"{_value(estimate)}"


def _charts(board: Leaderboard) -> "dict[str, Callable[[], Chart]]":
    ranked = [one for one in board.algorithms if one.lowest is not None]
    charts: dict[str, Callable[[], Chart]] = {}
    if board.algorithms:
        charts["scores"] = lambda: _score_chart(board)
    if ranked:
        charts["ranks"] = lambda: _rank_chart(board, ranked)
    if board.over_problems is not None:
        charts["critical-difference"] = lambda: _critical_chart(board)
    return charts


def _score_chart(board: Leaderboard) -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [chart_row(one.algorithm, one.score) for one in board.algorithms]
    return interval_chart(
        rows, measure="L2 score", title=f"Scores on {board.suite}@{board.version}"
    )


def _rank_chart(board: Leaderboard, ranked: list[RankedAlgorithm]) -> "Chart":
    from steelyard.display.figures import rank_chart

    ranks = {one.algorithm: (one.lowest or 1, one.highest or 1) for one in ranked}
    return rank_chart(ranks, title=f"Ranks left open on {board.suite}@{board.version}")


def _critical_chart(board: Leaderboard) -> "Chart":
    from steelyard.display.figures import critical_difference_chart

    over = board.over_problems
    if over is None:
        raise TypeError(board.suite)
    ranks = {one.algorithm: one.mean_rank for one in board.algorithms if one.mean_rank is not None}
    return critical_difference_chart(
        ranks,
        over.cliques,
        difference=over.critical_difference,
        title=f"Mean ranks over {counted(over.problems, 'problem')}",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDetail(Result):
    """A cell with the ends of its logs and what protected the rest from it."""

    kind: ClassVar[str] = "cell"
    suite: str
    version: str
    cell: CellScore
    exit_code: int | None
    key: str
    protections: tuple[str, ...]
    output: str
    log: str

    def sentence(self) -> str:
        """Say how the cell ended."""
        cell = self.cell
        what = f"{show_name(cell.algorithm)} on {show_name(cell.problem)}"
        if cell.state != "ok":
            counted = {"null": "It counts as null there.", "none": "It is not ranked.", "own": ""}
            return f"{what} ended as {cell.state}: {cell.reason}. {counted[cell.counted]}".rstrip()
        score = cell.score.sentence() if cell.score else "L2 score undefined"
        return f"{what}: {score}, in {cell.seconds:,.1f} s."

    def rows(self) -> list[dict[str, Cell]]:
        """List score and time."""
        return self.cell.rows()

    def tables(self) -> list[Table]:
        """Show the facts, and the ends of the logs."""
        cell = self.cell
        numbers = {
            "winner-take-all": cell.winner,
            "Brier score": cell.brier,
            "log score": cell.log,
            "seconds": cell.seconds,
            "seconds of computing": cell.cpu_seconds,
        }
        rows: list[tuple[str | None, ...]] = [
            (name, show_number(value)) for name, value in numbers.items() if value is not None
        ]
        rows.append(("ran alone", "yes" if cell.alone else "no, so its time says little"))
        rows.append(("memory", f"{show_count(cell.memory)} bytes"))
        if self.exit_code is not None:
            rows.append(("exit code", str(self.exit_code)))
        heads = (Column(name="fact", whole=True), Column(name="found"))
        return [Table(title="Cell", columns=heads, rows=tuple(rows))]

    def details(self) -> list[str]:
        """Show the last lines of both logs."""
        shown = []
        for name, text in (("standard output", self.output), ("standard error", self.log)):
            lines = text.splitlines()[-LINES:]
            shown += [f"Last lines of {name}:", *(f"  {line}" for line in lines)] if lines else []
        guarded = f"Protected by: {', '.join(self.protections)}." if self.protections else ""
        return [*shown, *([guarded] if guarded else []), f"Key {self.key}."]

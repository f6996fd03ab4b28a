"""What a leaderboard says, shows and draws."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from steelyard.display.numbers import (
    show_interval,
    show_level,
    show_number,
    show_p_value,
)
from steelyard.display.tables import Column, Table, number_columns
from steelyard.display.text import join_names, show_name
from steelyard.errors import counted
from steelyard.results.estimates import Estimate

if TYPE_CHECKING:
    from steelyard.display.figures import Chart
    from steelyard.results.leaderboard import CellScore, Leaderboard, RankedAlgorithm

__all__ = [
    "failure_lines",
    "leaderboard_charts",
    "leaderboard_sentence",
    "leaderboard_tables",
    "score_table",
]

NULL = "null"
MOST_FAILURES = 12
DIGITS = 3


def leaderboard_sentence(board: "Leaderboard") -> str:
    """Say who leads, whether alone, and what failed."""
    said = _leading(board)
    failed = sum(one.state != "ok" for one in board.cells)
    if not failed:
        return said
    policy = {"null": "scored as null", "excluded": "not ranked"}[board.failures]
    verb = "was" if failed == 1 else "were"
    return f"{said} {failed} of {counted(len(board.cells), 'cell')} failed and {verb} {policy}."


def _leading(board: "Leaderboard") -> str:
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
            f"{show_name(names[0])} leads {place} alone: L2 score {_scored(leaders[0].score)}, "
            f"told apart from {counted(others, 'other')}."
        )
    return f"{join_names(names)} lead {place} and cannot be told apart: {_between(board)}."


def _between(board: "Leaderboard") -> str:
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


def leaderboard_tables(board: "Leaderboard") -> list[Table]:
    """Show the board, and the problems one by one."""
    return [table for table in (_board(board), _problems(board)) if table.rows]


def _board(board: "Leaderboard") -> Table:
    columns = [
        Column(name="rank", whole=True),
        Column(name="algorithm"),
        *number_columns("L2 score", f"{show_level(board.level)} interval", "winner", "Brier"),
        Column(name="log", align="right", optional=True),
        Column(name="mean rank", align="right", optional=True),
        *number_columns("failed", "seconds"),
    ]
    rows = [
        [
            one.ranks,
            one.algorithm,
            _value(one.score),
            _ends(one.score),
            _value(one.winner),
            _value(one.brier),
            _value(one.log),
            None if one.mean_rank is None else show_number(one.mean_rank, digits=2),
            str(one.failed) if one.failed else None,
            None if one.seconds is None else f"{one.seconds:,.1f}",
        ]
        for one in board.algorithms
    ]
    note = "rank: the places that the tests leave open. Lower is better for Brier and log."
    if any(one.log.value is None for one in board.algorithms):
        note += " log is -: a true class was given no chance at all."
    title = f"Leaderboard of {board.suite}@{board.version}"
    return Table.without_empty(title, columns, rows, note=note, lead=2)


def _problems(board: "Leaderboard") -> Table:
    cells = {(one.algorithm, one.problem): one for one in board.cells}
    columns = [Column(name="algorithm"), *number_columns(*board.problems)]
    rows = [
        (
            one.algorithm,
            *(_cell(cells[one.algorithm, problem]) for problem in board.problems),
        )
        for one in board.algorithms
    ]
    return Table(
        title="L2 score, problem by problem",
        columns=tuple(columns),
        rows=tuple(rows),
        note="* not told apart from the best of its problem. A failed cell shows its end.",
    )


def _cell(cell: "CellScore") -> str | None:
    if cell.state != "ok":
        return cell.state
    if cell.score is None or cell.score.value is None:
        return None
    return f"{cell.score.value:.3f}{'*' if cell.lowest == 1 else ' '}"


def score_table(board: "Leaderboard") -> Table:
    """Show every cell with its scores and its time."""
    columns = [
        Column(name="problem"),
        Column(name="algorithm"),
        Column(name="ended", whole=True),
        *number_columns("L2 score", f"{show_level(board.level)} interval", "winner", "Brier"),
        Column(name="log", align="right", optional=True),
        *number_columns("seconds"),
    ]
    rows = [
        [
            one.problem,
            one.algorithm,
            one.state,
            None if one.score is None else _value(one.score),
            None if one.score is None else _ends(one.score),
            *(None if x is None else show_number(x) for x in (one.winner, one.brier, one.log)),
            f"{one.seconds:,.1f}",
        ]
        for one in board.cells
    ]
    title = f"Scores of {board.suite}@{board.version}"
    note = "Lower is better for Brier and log."
    return Table.without_empty(title, columns, rows, note=note, lead=2)


def failure_lines(board: "Leaderboard") -> list[str]:
    """Say of every cell that failed how and why; very many are cut."""
    failed = [one for one in board.cells if one.state != "ok"]
    lines = [
        f"{show_name(one.algorithm)} on {show_name(one.problem)}: {one.state}, {one.reason}."
        for one in failed[:MOST_FAILURES]
    ]
    left = len(failed) - len(lines)
    return [*lines, f"{counted(left, 'more cell')} failed; --csv lists all."] if left else lines


def _value(estimate: Estimate) -> str | None:
    return None if estimate.value is None else show_number(estimate.value)


def _ends(estimate: Estimate) -> str | None:
    ends = estimate.interval
    return None if ends is None else show_interval(ends.low, ends.high, digits=DIGITS)


def _scored(estimate: Estimate) -> str:
    ends = _ends(estimate)
    return f"{_value(estimate)} {ends}" if ends else f"{_value(estimate)}"


def leaderboard_charts(board: "Leaderboard") -> "dict[str, Callable[[], Chart]]":
    """Name the pictures: scores with intervals, ranks, mean ranks over problems."""
    ranked = [one for one in board.algorithms if one.lowest is not None]
    charts: dict[str, Callable[[], Chart]] = {}
    if board.algorithms:
        charts["scores"] = lambda: _score_chart(board)
    if ranked:
        charts["ranks"] = lambda: _rank_chart(board, ranked)
    if board.over_problems is not None:
        charts["critical-difference"] = lambda: _critical_chart(board)
    return charts


def _score_chart(board: "Leaderboard") -> "Chart":
    from steelyard.display.figures import interval_chart

    rows = [
        (
            one.algorithm,
            one.score.value,
            one.score.interval.low if one.score.interval else None,
            one.score.interval.high if one.score.interval else None,
        )
        for one in board.algorithms
    ]
    return interval_chart(
        rows, measure="L2 score", title=f"Scores on {board.suite}@{board.version}"
    )


def _rank_chart(board: "Leaderboard", ranked: "list[RankedAlgorithm]") -> "Chart":
    from steelyard.display.figures import rank_chart

    ranks = {one.algorithm: (one.lowest or 1, one.highest or 1) for one in ranked}
    return rank_chart(ranks, title=f"Ranks left open on {board.suite}@{board.version}")


def _critical_chart(board: "Leaderboard") -> "Chart":
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

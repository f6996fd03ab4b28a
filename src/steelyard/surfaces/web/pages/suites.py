"""Suites: who leads over many problems, every cell of the run, its logs, and what failed."""

import shlex
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.display.figures import Chart
from steelyard.display.text import clean_text
from steelyard.errors import RequestError
from steelyard.journey import leaderboard, show_cell
from steelyard.results import CellDetail, Leaderboard
from steelyard.results.leaderboard import CellScore, failure_lines
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.served_views import refuse, view_of
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import python_text
from steelyard.surfaces.web.served import ServedSuite

__all__ = ["SuiteView", "asks_something", "controls", "find", "mark", "refuse", "result_of", "show"]

LATEST = "latest"
LINES = 200
LEADING = "not told apart from the best of its problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteView:
    """One run of one suite, and the cell that is looked at."""

    served: ServedSuite
    run: str
    mark: str
    board: Leaderboard
    cell: CellDetail | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCell:
    """One cell of the grid."""

    problem: str
    text: str
    words: str
    failed: bool
    leading: bool
    chosen: bool


def controls(app_state: AppState, query: QueryParams) -> dict[str, Any]:
    """List the suites, and the runs of the one that is looked at."""
    names = app_state.suites.names()
    chosen = query.get("suite", "")
    chosen = chosen if chosen in names else (names[0] if names else "")
    runs = app_state.suites.find(chosen).runs() if chosen else []
    return {"names": names, "chosen": chosen, "runs": runs, "run": query.get("run", LATEST)}


def asks_something(state: State) -> bool:
    """Tell whether there is something to answer: always, if only what to type."""
    del state
    return True


def mark(app_state: AppState, state: State) -> str:
    """Tell one state of the run from another, and one cell from another."""
    served = _choose(app_state, state)
    if served is None:
        return ""
    viewed = [state.viewed.get(name, "") for name in ("run", "algorithm", "problem")]
    return " ".join([served.name, *viewed, served.mark(viewed[0] or LATEST)])


def find(app_state: AppState, state: State, progress: Progress) -> SuiteView | None:
    """Score the kept vectors again; nothing is run."""
    served = _choose(app_state, state)
    progress.what = "Scoring the answers of the run"
    if served is None:
        return None
    run = state.viewed.get("run", LATEST)
    if run not in served.runs():
        message = (
            f"{served.name} has no finished run {clean_text(run)!r}. Type: steelyard suite run "
            f"{clean_text(served.typed)}"
        )
        raise RequestError(message, code="no-run")
    board: Leaderboard = app_state.suites.board(
        served, run, lambda: leaderboard(served.suite, name=run)
    )
    algorithm, problem = (state.viewed.get(name, "") for name in ("algorithm", "problem"))
    cell = show_cell(served.suite, algorithm, problem, name=run) if algorithm and problem else None
    return SuiteView(served=served, run=run, mark=mark(app_state, state), board=board, cell=cell)


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: who leads first."""
    del app_state, state
    if not isinstance(found, SuiteView):
        return {"html": render("suites_none.html"), "understood": "", "charts": [], "mark": ""}
    board = found.board
    charts: dict[str, Chart] = {
        name.replace(" ", "-"): draw() for name, draw in board.charts().items()
    }
    html = render(
        "suites_answer.html",
        result=board,
        tables=board.tables()[:1],
        scores=board.score_table(),
        pictures=list(charts.items()),
        problems=board.problems,
        grid=_grid(found),
        failures=failure_lines(board),
        found=board.details()[len(failure_lines(board)) :],
        cell=found.cell,
        logs=[] if found.cell is None else _logs(found.cell),
    )
    return {
        "html": html,
        "understood": "",
        "charts": [chart_data(name, chart, width) for name, chart in charts.items()],
        "slider": None,
        "mark": found.mark,
        **_say(found),
    }


def result_of(found: object) -> Leaderboard:
    """Give the result that is taken along."""
    return view_of(found, SuiteView, typed="steelyard serve --suite FOLDER").board


def _choose(app_state: AppState, state: State) -> ServedSuite | None:
    names = app_state.suites.names()
    name = state.viewed.get("suite") or (names[0] if names else "")
    return app_state.suites.find(name) if name else None


def _grid(found: SuiteView) -> list[tuple[str, list[ShownCell]]]:
    """Lay out algorithms by rank against problems."""
    board = found.board
    known = {(one.algorithm, one.problem): one for one in board.cells}
    looked = None if found.cell is None else (found.cell.cell.algorithm, found.cell.cell.problem)
    return [
        (
            one.algorithm,
            [
                _show_cell(known[one.algorithm, problem], looked == (one.algorithm, problem))
                for problem in board.problems
                if (one.algorithm, problem) in known
            ],
        )
        for one in board.algorithms
    ]


def _show_cell(cell: CellScore, chosen: bool) -> ShownCell:  # noqa: FBT001
    failed = cell.state != "ok"
    value = None if cell.score is None or failed else cell.score.value
    text = cell.state if failed else ("–" if value is None else f"{value:.3f}")
    leading = not failed and value is not None and cell.lowest == 1
    words = f"{cell.algorithm} on {cell.problem}: {text}"
    if failed or leading:
        words = f"{words}, {cell.reason if failed else LEADING}"
    return ShownCell(
        problem=cell.problem,
        text=text,
        words=clean_text(words),
        failed=failed,
        leading=leading,
        chosen=chosen,
    )


def _logs(cell: CellDetail) -> list[tuple[str, str]]:
    """Give the ends of both logs, line by line without what steers a terminal."""
    kept = []
    for name, text in (("Standard output", cell.output), ("Standard error", cell.log)):
        lines = [clean_text(line) for line in text.splitlines()[-LINES:]]
        kept.append((name, "\n".join(lines)))
    return kept


def _say(found: SuiteView) -> dict[str, str]:
    folder = clean_text(found.served.typed)
    named = [] if found.run == LATEST else ["--name", found.run]
    arguments = "" if found.run == LATEST else f", name={python_text(found.run)}"
    if found.cell is None:
        words = ["leaderboard", folder]
        call = f"leaderboard({python_text(folder)}{arguments})"
    else:
        cell = (found.cell.cell.algorithm, found.cell.cell.problem)
        words = ["show", folder, *cell]
        call = f"show_cell({', '.join(map(python_text, (folder, *cell)))}{arguments})"
    return {
        "command": shlex.join(["steelyard", "suite", *words, *named]),
        "python": f"from steelyard.journey import {call.partition('(')[0]}\n\nprint({call})",
    }

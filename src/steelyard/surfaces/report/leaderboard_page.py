"""A leaderboard as one HTML file: opens anywhere, asks nobody, runs nothing."""

from markupsafe import Markup

from steelyard.display.html import table_markup
from steelyard.errors import counted
from steelyard.results import Leaderboard
from steelyard.results.leaderboard import failure_lines
from steelyard.surfaces.report.page import rendered_page, versions
from steelyard.surfaces.report.pictures import picture

__all__ = ["leaderboard_html"]


def leaderboard_html(board: Leaderboard, *, run: str = "latest", title: str | None = None) -> str:
    """Write the leaderboard of a run with its pictures, doubts and methods; the JSON is inside."""
    failed = failure_lines(board)
    subtitle = (
        f"{counted(len(board.algorithms), 'algorithm')} on "
        f"{counted(len(board.problems), 'problem')} with {counted(board.items, 'item')} in "
        f"{counted(board.groups, 'group')}"
    )
    saved = {
        "report": "leaderboard",
        "board": board.to_dict(),
        "run": run,
        "title": title,
        "versions": versions(),
    }
    return rendered_page(
        "leaderboard.html",
        saved=saved,
        title=title or f"{board.suite}@{board.version}",
        subtitle=subtitle,
        answer=board.sentence(),
        # Markup: tables that escape what they hold.
        tables=[Markup(table_markup(one)) for one in (*board.tables(), board.score_table())],
        pictures=[picture(name, draw()) for name, draw in board.charts().items()],
        doubts=[*board.notes(), *failed] or ["Nothing failed, and there is no doubt to name."],
        methods=board.details()[len(failed) :],
    )

"""A leaderboard as one HTML file: opens anywhere, asks nobody, runs nothing."""

from markupsafe import Markup

from steelyard.display.figures.document import script_hash, script_json
from steelyard.display.html import table_markup
from steelyard.errors import counted
from steelyard.results import Leaderboard
from steelyard.results.leaderboard_words import failure_lines
from steelyard.surfaces.report.page import ICON, page_environment, page_style
from steelyard.surfaces.report.pictures import picture

__all__ = ["leaderboard_html"]


def leaderboard_html(board: Leaderboard, *, title: str | None = None) -> str:
    """Write the leaderboard with its pictures, doubts and methods; the JSON is inside."""
    style = page_style()
    failed = failure_lines(board)
    subtitle = (
        f"{counted(len(board.algorithms), 'algorithm')} on "
        f"{counted(len(board.problems), 'problem')} with {counted(board.items, 'item')} in "
        f"{counted(board.groups, 'group')}"
    )
    return (
        page_environment()
        .get_template("leaderboard.html")
        .render(
            title=title or f"{board.suite}@{board.version}",
            subtitle=subtitle,
            policy="default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
            f"style-src {script_hash(style)}",
            icon=ICON,
            board=board,
            # Markup: our own files, tables and pictures that escape what they hold, escaped JSON.
            style=Markup(style),
            tables=[Markup(table_markup(one)) for one in (*board.tables(), board.score_table())],
            pictures=[picture(name, draw()) for name, draw in board.charts().items()],
            doubts=[*board.notes(), *failed] or ["Nothing failed, and there is no doubt to name."],
            methods=board.details()[len(failed) :],
            saved=Markup(script_json(board.to_dict())),
        )
    )

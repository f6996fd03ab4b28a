"""A campaign, and a leaderboard, as one HTML file: opens anywhere, asks nobody, runs nothing."""

from steelyard.display.numbers import show_percent
from steelyard.errors import counted
from steelyard.results import Leaderboard
from steelyard.results.campaign.data import CampaignStatus
from steelyard.results.campaign.records import CampaignHistory, CampaignRule
from steelyard.results.leaderboard import failure_lines
from steelyard.surfaces.report.page import Tile, render_page, versions
from steelyard.surfaces.report.pictures import picture

__all__ = ["campaign_html", "error_tiles", "leaderboard_html"]


def error_tiles(status: CampaignStatus) -> list[Tile]:
    """Give the error of the rule, which stands beside its verdict; none before there is one."""
    error = status.error
    if error is None:
        return []
    note = (
        f"of campaigns name a winner among equal systems that are right on "
        f"{show_percent(error.rate)} of the items, as these are"
    )
    share = show_percent(min(1.0, max(0.0, error.winner)))
    return [Tile(name="Error of the rule", value=share, note=note)]


def campaign_html(
    status: CampaignStatus,
    history: CampaignHistory,
    rule: CampaignRule | None,
    *,
    title: str | None = None,
) -> str:
    """Write the campaign with its pictures, doubts and methods; the JSON of its status is inside.

    Without a ``rule``, what it really does is left out.
    """
    subtitle = (
        f"{counted(len(status.systems), 'system')}, {counted(status.items, 'item')} that count, "
        f"{counted(status.results, 'result')} in {status.entries} entries"
    )
    saved = {
        "report": "campaign",
        "status": status.to_dict(),
        "rule": None if rule is None else rule.to_dict(),
        "title": title,
        "versions": versions(),
    }
    return render_page(
        "campaign.html",
        saved=saved,
        title=title or status.name,
        subtitle=subtitle,
        tiles=error_tiles(status),
        headline=status.headline(),
        answer=status.sentence(),
        rule=rule,
        tables=status.tables(),
        ruled=[] if rule is None else rule.tables(),
        entries=history.tables(),
        pictures=[
            picture(name.replace(" ", "-"), draw()) for name, draw in status.charts().items()
        ],
        doubts=status.notes() or ["No doubts to report."],
        methods=[
            *status.details(),
            *([] if rule is None else [f"What the rule does: {rule.details()[0]}"]),
        ],
    )


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
    return render_page(
        "leaderboard.html",
        saved=saved,
        title=title or f"{board.suite}@{board.version}",
        subtitle=subtitle,
        headline=board.headline(),
        answer=board.sentence(),
        tables=[*board.tables(), board.score_table()],
        pictures=[picture(name, draw()) for name, draw in board.charts().items()],
        doubts=[*board.notes(), *failed] or ["Nothing failed, and there are no doubts to report."],
        methods=board.details()[len(failed) :],
    )

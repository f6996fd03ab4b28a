"""Campaigns: may testing stop? The verdict, its path, what the rule really does, what came."""

import shlex
from dataclasses import dataclass, replace
from typing import Any

from starlette.datastructures import QueryParams

from steelyard.campaigns.ledger.connecting import hide_password
from steelyard.display.figures import Chart
from steelyard.display.numbers import show_count
from steelyard.display.tables import Table
from steelyard.display.text import clean_text
from steelyard.errors import RequestError, printable
from steelyard.results.campaign.data import CampaignStatus
from steelyard.results.campaign.records import CampaignHistory, CampaignNext, CampaignRule
from steelyard.results.campaign.words import amount, show_chance
from steelyard.surfaces.report.other_pages import error_tiles
from steelyard.surfaces.report.page import Tile
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.jobs import Progress
from steelyard.surfaces.web.pages.served_views import refuse, view_of
from steelyard.surfaces.web.pages.templating import chart_data, render
from steelyard.surfaces.web.reproduce import python_text
from steelyard.surfaces.web.served import ServedCampaign

__all__ = [
    "CampaignView",
    "asks_something",
    "controls",
    "find",
    "mark",
    "refuse",
    "result_of",
    "show",
]

MOST_ENTRIES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignView:
    """One campaign at one moment; ``rule`` is None while it is being looked through."""

    served: ServedCampaign
    mark: str
    status: CampaignStatus
    history: CampaignHistory
    next: CampaignNext
    rule: CampaignRule | None


def controls(app_state: AppState, query: QueryParams) -> dict[str, Any]:
    """List the campaigns."""
    return {"names": app_state.campaigns.names(), "chosen": query.get("campaign", "")}


def asks_something(state: State) -> bool:
    """Tell whether there is something to answer: always, if only what to type."""
    del state
    return True


def mark(app_state: AppState, state: State) -> str:
    """Tell one state of the ledger from another."""
    served = _choose(app_state, state)
    if served is None:
        return ""
    return f"{served.name} {served.mark()} {'ruled' if served.rule else ''}"


def find(app_state: AppState, state: State, progress: Progress) -> CampaignView | None:
    """Ask the campaign everything; what its rule does is found beside it."""
    progress.what = "Reading the ledger"
    served = _choose(app_state, state)
    if served is None:
        return None
    if served.rule is None:
        app_state.jobs.start(["rule", served.name], lambda _: served.simulate())
    before = mark(app_state, state)
    return CampaignView(
        served=served,
        mark=before,
        status=served.campaign.status(),
        history=served.campaign.history(),
        next=served.campaign.next(),
        rule=served.rule,
    )


def show(app_state: AppState, state: State, found: Any, width: int) -> dict[str, Any]:  # noqa: ANN401
    """Write the answer: the verdict first."""
    del app_state, state
    if not isinstance(found, CampaignView):
        return {"html": render("campaigns_none.html"), "understood": "", "charts": [], "mark": ""}
    status = found.status
    charts: dict[str, Chart] = {
        name.replace(" ", "-"): draw() for name, draw in status.charts().items()
    }
    html = render(
        "campaigns_answer.html",
        result=status,
        tables=status.tables(),
        tiles=_tiles(status),
        pictures=list(charts.items()),
        next=found.next,
        rule=found.rule,
        history=_latest(found.history),
    )
    return {
        "html": html,
        "understood": "",
        "charts": [chart_data(name, chart, width) for name, chart in charts.items()],
        "slider": None,
        "mark": found.mark,
        **_say(found.served),
    }


def result_of(found: object) -> CampaignStatus:
    """Give the result that is taken along."""
    return view_of(found, CampaignView, typed="steelyard serve --campaign NAME=LEDGER").status


def _choose(app_state: AppState, state: State) -> ServedCampaign | None:
    names = app_state.campaigns.names()
    name = state.viewed.get("campaign") or (names[0] if names else "")
    found = app_state.campaigns.find(name)
    if found is None and name:
        message = (
            f"No campaign {printable(name)!r} is served here. Start with: steelyard serve "
            "--campaign NAME=LEDGER"
        )
        raise RequestError(message, code="no-campaign")
    return found


def _tiles(status: CampaignStatus) -> list[Tile]:
    cap = "no cap" if status.cap is None else f"of at most {show_count(status.cap)}"
    tiles = [Tile(name="Items that count", value=show_count(status.items), note=cap)]
    leader = status.leader
    if leader is not None and leader.best is not None:
        level = len(status.leaders)
        note = f"that {clean_text(leader.system)} is the best"
        if level > 1:
            note = f"for each of the {show_count(level)} that are level"
        chance = show_chance(leader.best, status=status)
        tiles.append(Tile(name="Probability", value=chance, note=note))
    tiles += error_tiles(status)
    spent = "without a budget" if status.budget is None else f"of {amount(status.budget)}"
    tiles.append(Tile(name="Cost", value=amount(status.cost), note=spent))
    if status.waiting:
        note = "items lack the answer of some system"
        tiles.append(Tile(name="Waiting", value=show_count(status.waiting), note=note))
    return tiles


def _latest(history: CampaignHistory) -> Table:
    """Show the last entries, the latest first."""
    whole = history.tables()[0]
    left = len(whole.rows) - MOST_ENTRIES
    note = f"{show_count(left)} earlier entries: steelyard campaign history." if left > 0 else ""
    return replace(whole, rows=whole.rows[::-1][:MOST_ENTRIES], note=note)


def _say(served: ServedCampaign) -> dict[str, str]:
    where = clean_text(hide_password(served.where))
    several = len(served.campaign.ledger.names()) > 1
    held = clean_text(served.campaign.name)
    named = ["--name", held] if several else []
    arguments = [where, held] if several else [where]
    opened = ", ".join(map(python_text, arguments))
    return {
        "command": shlex.join(["steelyard", "campaign", "status", where, *named]),
        "python": f"import steelyard as sy\n\ncampaign = sy.Campaign.open({opened})\n"
        "print(campaign.status())",
    }

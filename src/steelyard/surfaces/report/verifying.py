"""Does a report follow from what it was made of? Everything is found again and compared."""

from collections.abc import Callable, Sequence
from typing import Any

from steelyard.errors import LedgerError, RequestError
from steelyard.journey import leaderboard
from steelyard.journey.campaigns.campaign import Campaign
from steelyard.journey.reporting import differences, report_content
from steelyard.results.campaign_records import CampaignRule
from steelyard.surfaces.report.campaign_page import campaign_html
from steelyard.surfaces.report.leaderboard_page import leaderboard_html
from steelyard.surfaces.report.page import report_html
from steelyard.surfaces.report.reading import saved_content

__all__ = ["REPORTS", "written_again"]

Gather = Callable[[Sequence[str]], Any]


def written_again(
    saved: dict[str, Any],
    files: Sequence[str],
    gather: Gather,
    **rest: Any,  # noqa: ANN401
) -> tuple[str, list[str]]:
    """Write the report anew from its data, and list where the data in both part."""
    written = REPORTS[str(saved.get("report", ""))](saved, files, gather, **rest)
    fresh = saved_content(written)
    parts = [name for name in fresh if name not in {"title", "command", "versions"}]
    return written, [
        one for name in parts for one in differences(saved.get(name), fresh[name], name)
    ]


def _of_file(
    saved: dict[str, Any],
    files: Sequence[str],
    gather: Gather,
    **rest: Any,  # noqa: ANN401
) -> str:
    content = report_content(gather(files), **saved["arguments"], **rest)
    return report_html(content, title=saved.get("title"), command=saved.get("command", ""))


def _of_campaign(
    saved: dict[str, Any],
    files: Sequence[str],
    gather: Gather,
    **rest: Any,  # noqa: ANN401
) -> str:
    """Find the campaign as it stood after the entry that the report ends with."""
    del gather, rest
    told = saved["status"]
    campaign = Campaign.open(_only(files, "ledger"), told.get("name"))
    check = campaign.verify(head=told.get("head_hash"))
    if check.bad is not None:
        message = f"The ledger cannot vouch for the report. {check.sentence()}"
        raise LedgerError(message, code="damaged")
    status, history = campaign.as_of(int(told["entries"]) - 1)
    rule = None if saved.get("rule") is None else _rule(campaign, saved["rule"])
    return campaign_html(status, history, rule, title=saved.get("title"))


def _rule(campaign: Campaign, told: dict[str, Any]) -> CampaignRule:
    behaviours = told.get("behaviours", [])
    campaigns = max((int(one.get("campaigns", 0)) for one in behaviours), default=0)
    return campaign.simulate(campaigns=campaigns or 1)


def _of_leaderboard(
    saved: dict[str, Any],
    files: Sequence[str],
    gather: Gather,
    **rest: Any,  # noqa: ANN401
) -> str:
    """Score the kept answers of the run again."""
    del gather, rest
    board = leaderboard(_only(files, "folder of the suite"), name=saved["run"])
    return leaderboard_html(board, run=saved["run"], title=saved.get("title"))


def _only(files: Sequence[str], what: str) -> str:
    if len(files) == 1:
        return files[0]
    message = f"This report is checked against one {what}. Type: steelyard verify REPORT "
    raise RequestError(message + what.split()[0].upper())


REPORTS: dict[str, Callable[..., str]] = {
    "": _of_file,
    "campaign": _of_campaign,
    "leaderboard": _of_leaderboard,
}
"""How each kind of report is written again."""

"""Does a report follow from what it was made of? It is read, found again and compared."""

import json
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

from steelyard.errors import FileUnreadable, LedgerError, RequestError
from steelyard.journey import leaderboard
from steelyard.journey.reporting import ARGUMENTS, differences, report_content
from steelyard.results.campaign.records import CampaignRule
from steelyard.surfaces.report.other_pages import campaign_html, leaderboard_html
from steelyard.surfaces.report.page import report_html

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign

__all__ = ["REPORTS", "save_content", "without_pictures", "write_again"]

PICTURE = re.compile(r"<svg xmlns=.*?</svg>", re.DOTALL)
PARTS: dict[str, dict[str, type]] = {
    "campaign": {"status": dict, "versions": dict},
    "leaderboard": {"board": dict, "run": str, "versions": dict},
}
"""What reports other than that of a file keep."""
Gather = Callable[[Sequence[str]], Any]


class _Finder(HTMLParser):
    """Collects the text of the one element that keeps the data."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = False
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag == "script" and ("id", "steelyard-report") in attrs

    def handle_endtag(self, tag: str) -> None:
        if tag == "script":
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found.append(data)


def save_content(text: str, *, name: str = "the report") -> dict[str, Any]:
    """Find the data that a report keeps for verification."""
    finder = _Finder()
    finder.feed(text)
    fix = "Name an HTML file that steelyard report, campaign report or suite report has written."
    if not finder.found:
        found = "it is not a Steelyard report."
        raise FileUnreadable.for_file(name=name, found=found, fix=fix, code="not-a-report")
    try:
        saved = json.loads("".join(finder.found))
    except (ValueError, RecursionError):
        saved = None
    if not isinstance(saved, dict) or not _whole(saved):
        found = "the data inside the report are damaged."
        raise FileUnreadable.for_file(name=name, found=found, fix=fix, code="damaged-report")
    return saved


def _whole(saved: dict[str, Any]) -> bool:
    """Tell whether the parts that are needed are there, and no argument is a stranger."""
    needed = PARTS.get(str(saved.get("report", "")))
    if needed is not None:
        return all(isinstance(saved.get(name), kind) for name, kind in needed.items())
    if not isinstance(saved.get("arguments"), dict):
        return False
    record = saved.get("evaluation") or saved.get("comparison")
    inputs = record.get("provenance", {}).get("inputs") if isinstance(record, dict) else None
    return isinstance(inputs, list) and ARGUMENTS.issuperset(saved["arguments"])


def without_pictures(text: str) -> str:
    """Take the drawings out, whose last pixel depends on the fonts of a machine."""
    return PICTURE.sub("<svg/>", text)


def write_again(
    saved: dict[str, Any],
    files: Sequence[str],
    gather: Gather,
    **rest: Any,  # noqa: ANN401
) -> tuple[str, list[str]]:
    """Write the report anew from its data, and list where the data in both part."""
    written = REPORTS[str(saved.get("report", ""))](saved, files, gather, **rest)
    fresh = save_content(written)
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
    from steelyard.journey.campaigns.campaign import Campaign

    campaign = Campaign.open(_only(files, "ledger"), told.get("name"))
    check = campaign.verify(head=told.get("head_hash"))
    if check.bad is not None:
        message = f"The ledger cannot vouch for the report. {check.sentence()}"
        raise LedgerError(message, code="damaged")
    status, history = campaign.as_of(int(told["entries"]) - 1)
    rule = None if saved.get("rule") is None else _rule(campaign, saved["rule"])
    return campaign_html(status, history, rule, title=saved.get("title"))


def _rule(campaign: "Campaign", told: dict[str, Any]) -> CampaignRule:
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

"""Campaigns and suites that are served: a name for addresses, and where each lies."""

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import LedgerError, RequestError, listing, printable

if TYPE_CHECKING:
    from steelyard.journey.campaigns.campaign import Campaign
    from steelyard.results import Leaderboard
    from steelyard.results.campaign.data import CampaignStatus
    from steelyard.results.campaign.records import CampaignRule
    from steelyard.suites import Suite

__all__ = ["ServedCampaign", "ServedCampaigns", "ServedSuite", "ServedSuites"]


CHECKED_FOR = 10.0
"""Seconds for which a campaign that got no entry is not added up again for whoever asks."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""What a name may be in an address and in the scope of a token."""


@dataclass(slots=True, kw_only=True)
class ServedCampaign:
    """One campaign: the name in its address, where its ledger lies, and its rule looked through."""

    name: str
    where: str
    campaign: "Campaign"
    rule: "CampaignRule | None" = None
    told: "tuple[float, CampaignStatus] | None" = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    telling: threading.Lock = field(default_factory=threading.Lock)

    def mark(self) -> str:
        """Tell one state from another without counting: the hash of the last entry."""
        return self.campaign.ledger.read(self.campaign.name).head_hash

    def status(self) -> "CampaignStatus":
        """Say how it stands; the sums over all results are checked again after a while."""
        with self.telling:
            known = self.told
            if known is not None and time.monotonic() - known[0] < CHECKED_FOR:
                if known[1].head_hash == self.mark():
                    return known[1]
            found = self.campaign.status()
            self.told = time.monotonic(), found
            return found

    def simulate(self) -> "CampaignRule":
        """Say what the rule really does; found once, since a protocol is frozen."""
        with self.lock:
            if self.rule is None:
                self.rule = self.campaign.simulate(campaigns=None)
            return self.rule


class ServedCampaigns:
    """All campaigns that are served, by the name in their address."""

    def __init__(self, served: Sequence[ServedCampaign] = ()) -> None:
        self._served = {one.name: one for one in served}

    @classmethod
    def of(cls, given: Sequence[str]) -> "ServedCampaigns":
        """Open what was typed: ``radar=radar.db``, or a ledger alone for all of its campaigns."""
        served: dict[str, ServedCampaign] = {}
        for text in given:
            for one in _open_campaigns(text):
                if one.name in served:
                    message = (
                        f"Two campaigns would be served as {one.name!r}. Give each a name of its "
                        "own: --campaign NAME=LEDGER."
                    )
                    raise RequestError(message)
                served[one.name] = one
        return cls(list(served.values()))

    def names(self) -> list[str]:
        """List the names."""
        return list(self._served)

    def find(self, name: str) -> ServedCampaign | None:
        """Find by name; None for what is not served, whatever else a ledger holds."""
        return self._served.get(name)


def _open_campaigns(text: str) -> list[ServedCampaign]:
    from steelyard.campaigns.ledger import Ledger
    from steelyard.campaigns.ledger.connecting import hide_password
    from steelyard.journey.campaigns.campaign import Campaign

    name, equals, where = text.partition("=")
    if not equals or not NAME.fullmatch(name):
        name, where = "", text
    ledger = Ledger(where)
    known = ledger.names()
    if not name:
        chosen = {one: one for one in known}
    else:
        chosen = {name: name if name in known or len(known) != 1 else known[0]}
    if not known or not set(chosen.values()) <= set(known):
        message = (
            f"{printable(hide_password(where))} holds no campaign {printable(name or 'at all')!r}. "
            f"Campaigns: {listing(known) or 'none'}."
        )
        raise LedgerError(message, code="no-campaign")
    odd = [one for one in chosen if not NAME.fullmatch(one)]
    if odd:
        message = (
            f"The campaign {printable(odd[0])!r} has a name that cannot stand in an address. Name "
            "it for the page: --campaign NAME=LEDGER, with letters, digits, dots and dashes."
        )
        raise RequestError(message)
    return [
        ServedCampaign(name=one, where=where, campaign=Campaign(ledger, held))
        for one, held in chosen.items()
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedSuite:
    """One suite, and what to type for its folder."""

    name: str
    typed: str
    suite: "Suite"

    def runs(self) -> list[str]:
        """List the finished runs, the usual one first."""
        found = sorted(path.stem for path in self._records().glob("*.json"))
        return sorted(found, key=lambda name: name != "latest")

    def mark(self, run: str) -> str:
        """Tell one state of a run from another without reading it."""
        path = self._records() / f"{run}.json"
        if run not in self.runs():
            return "none"
        stamp = path.stat()
        return f"{stamp.st_mtime_ns}-{stamp.st_size}"

    def _records(self) -> Path:
        suite = self.suite
        return suite.folder / "runs" / f"{suite.id}@{suite.version}" / "runs"


class ServedSuites:
    """All suites that are served, by name."""

    def __init__(self, served: Sequence[ServedSuite] = ()) -> None:
        self._served = {one.name: one for one in served}
        self._boards: dict[tuple[str, str], tuple[str, Leaderboard]] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, folders: Sequence[str]) -> "ServedSuites":
        """Read the suites in these folders."""
        from steelyard.suites import Suite

        served: dict[str, ServedSuite] = {}
        for folder in folders:
            suite = Suite.read(folder)
            name = f"{suite.id}@{suite.version}"
            if name in served:
                message = f"Two folders hold {name}. Serve one of them: --suite FOLDER."
                raise RequestError(message)
            served[name] = ServedSuite(name=name, typed=folder, suite=suite)
        return cls(list(served.values()))

    def board(
        self, served: ServedSuite, run: str, score: "Callable[[], Leaderboard]"
    ) -> "Leaderboard":
        """Score a run once, and again when it was repeated."""
        mark = served.mark(run)
        with self._lock:
            known = self._boards.get((served.name, run))
            if known is None or known[0] != mark:
                known = (mark, score())
                self._boards[served.name, run] = known
            return known[1]

    def names(self) -> list[str]:
        """List the names."""
        return list(self._served)

    def find(self, name: str) -> ServedSuite:
        """Find by name; nothing else is read, whatever a request asks for."""
        found = self._served.get(name)
        if found is None:
            message = (
                f"No suite {name!r} is served here. Start with: steelyard serve --suite FOLDER"
            )
            raise RequestError(message, code="no-such-suite")
        return found

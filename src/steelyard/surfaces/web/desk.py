"""What the pages share: the files, the work that is done, and how much of it is allowed."""

from dataclasses import dataclass, field
from pathlib import Path

from steelyard.surfaces.web.asking import State
from steelyard.surfaces.web.campaign_book import CampaignBook
from steelyard.surfaces.web.jobs import Workshop
from steelyard.surfaces.web.shelf import Shelf
from steelyard.surfaces.web.suite_book import SuiteBook

__all__ = ["MOST_BYTES", "MOST_ROWS", "Desk", "Entry"]

MOST_BYTES = 512 << 20
MOST_ROWS = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the navigation."""

    title: str
    path: str


@dataclass(slots=True, kw_only=True)
class Desk:
    """One running page: its folder, shelf, workshop, limits, and what it serves."""

    folder: Path
    shelf: Shelf
    workshop: Workshop = field(default_factory=Workshop)
    most_bytes: int = MOST_BYTES
    most_rows: int = MOST_ROWS
    entries: tuple[Entry, ...] = ()
    campaigns: CampaignBook = field(default_factory=CampaignBook)
    suites: SuiteBook = field(default_factory=SuiteBook)

    def key(self, state: State) -> object:
        """Tell one question from another: what is asked, of which content."""
        stamp = self.shelf.find(state.data).stamp() if state.data else ()
        counted = {name: state.viewed.get(name) for name in ("data", "correct", "tested")}
        return [state.page, counted, stamp, dict(state.arguments)]

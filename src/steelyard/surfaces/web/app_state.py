"""What the pages share: the files, the work that is done, and how much of it is allowed."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from steelyard.errors import RequestError
from steelyard.journey.options import OPTIONS
from steelyard.sources.roles.declared import Roles
from steelyard.sources.shapes.truth_file import split_truth
from steelyard.surfaces.web.asking import FILE_OF_TRUTH, TYPED, State, page_options
from steelyard.surfaces.web.jobs import JobQueue
from steelyard.surfaces.web.served import ServedCampaigns, ServedSuites
from steelyard.surfaces.web.uploads import TRUTH, Uploads

if TYPE_CHECKING:
    from steelyard.journey.exploring import SeenFile

__all__ = ["MOST_BYTES", "MOST_ROWS", "AppState", "Entry"]

OF_DATABASES = {"table", "query"}
"""What the settings beside a file may not say to a page, which reads files."""
MOST_BYTES = 512 << 20
MOST_ROWS = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the navigation."""

    title: str
    path: str


@dataclass(slots=True, kw_only=True)
class AppState:
    """One running page: its folder, uploads, jobs, limits, and what it serves."""

    folder: Path
    uploads: Uploads
    jobs: JobQueue = field(default_factory=JobQueue)
    most_bytes: int = MOST_BYTES
    most_rows: int = MOST_ROWS
    entries: tuple[Entry, ...] = ()
    campaigns: ServedCampaigns = field(default_factory=ServedCampaigns)
    suites: ServedSuites = field(default_factory=ServedSuites)
    seen: dict[Hashable, "SeenFile"] = field(default_factory=dict)

    def settle(self, state: State) -> State:
        """Fill what a state does not say from ``steelyard.toml`` beside its file.

        What was dropped into the page, or is an example, lies beside nothing.
        """
        if not state.data:
            return state
        state = self.with_truth(state)
        offered = self.uploads.find(state.data)
        if offered.uploaded or offered.example:
            return state
        from steelyard.journey.settings import read_settings

        found = read_settings(None, offered.typed)
        about_rows = {row.name for row in OPTIONS if row.role and row.toml} - OF_DATABASES
        allowed = about_rows | set(page_options(state.page)) - OF_DATABASES
        saved = {name: _say(name, one) for name, one in found.items() if name in allowed}
        return replace(state, arguments={**saved, **state.arguments})

    def with_truth(self, state: State) -> State:
        """Add the file that says what is true; none is read that is not listed."""
        truth, own = state.viewed.get("truth_file", ""), state.arguments.get("truth")
        if own and split_truth(Roles(truth=own))[1] is not None:
            message = (
                "A file of the truth is chosen, and never named, on a page: drop it here, and "
                f"choose it at “{FILE_OF_TRUTH}”."
            )
            raise RequestError(message, code="no-such-upload")
        if not truth:
            return state
        data = f"{state.data}{TRUTH}{truth}"
        path = self.uploads.find(data).truth
        said = f"{path}:{own}" if own else str(path)
        return replace(
            state,
            arguments={**state.arguments, "truth": said},
            viewed={**state.viewed, "data": data, "true_column": own or ""},
        )

    def key(self, state: State) -> object:
        """Tell one question from another: what is asked, of which content."""
        stamp = self.uploads.find(state.data).stamp() if state.data else ()
        counted = {name: state.viewed.get(name) for name in ("data", *TYPED)}
        return [state.page, counted, stamp, dict(state.arguments)]


def _say(name: str, value: Any) -> Any:  # noqa: ANN401
    """Write an entry of the settings as the page would have said it."""
    if isinstance(value, bool):
        return str(value).lower()
    if name == "prior":
        pairs = value if isinstance(value, Mapping) else None
        return tuple(value) if pairs is None else {key: tuple(one) for key, one in pairs.items()}
    row = page_options("compare").get(name)
    if row is not None and row.kind in ("names", "each", "labels"):
        return [value] if isinstance(value, str) else [str(one) for one in value]
    return str(value) if name == "positive" else value

"""The suites that a server was told to serve: a name for the page, and the folder of each."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from steelyard.errors import RequestError

if TYPE_CHECKING:
    from steelyard.results import Leaderboard
    from steelyard.suites import Suite

__all__ = ["ServedSuite", "SuiteBook"]


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


class SuiteBook:
    """All suites that are served, by name."""

    def __init__(self, served: Sequence[ServedSuite] = ()) -> None:
        self._served = {one.name: one for one in served}
        self._boards: dict[tuple[str, str], tuple[str, Leaderboard]] = {}
        self._lock = threading.Lock()

    @classmethod
    def of(cls, folders: Sequence[str]) -> "SuiteBook":
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

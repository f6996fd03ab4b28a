"""What was read, how it was understood, and with which settings the answer was found."""

from dataclasses import dataclass

from steelyard.counts import Exclusion
from steelyard.display.numbers import show_count

__all__ = ["InputRecord", "Provenance"]

HASH_SHOWN = 8
FILES_SHOWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRecord:
    """One file or frame: its name without a folder, its hash and size, and how it was read."""

    name: str
    sha256: str
    bytes: int
    read_as: str

    def line(self) -> str:
        """Say it in one line."""
        facts = [self.read_as]
        if self.bytes:
            facts.append(f"{show_count(self.bytes)} bytes")
        if self.sha256:
            facts.append(f"sha256 {self.sha256[:HASH_SHOWN]}…")
        return f"Read {self.name} ({'; '.join(fact for fact in facts if fact)})."


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Enough to find the answer again: version, inputs, roles, settings, rows and seed.

    ``understood`` pairs a role with what was found for it, ``settings`` a name with a value.
    """

    version: str
    inputs: tuple[InputRecord, ...] = ()
    understood: tuple[tuple[str, str], ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    rows: int | None = None
    excluded: tuple[Exclusion, ...] = ()
    seed: int | None = None

    def lines(self) -> list[str]:
        """Say it for people, a line for each thing."""
        lines = [record.line() for record in self.inputs[:FILES_SHOWN]]
        if len(self.inputs) > FILES_SHOWN:
            size = show_count(sum(record.bytes for record in self.inputs))
            more = show_count(len(self.inputs) - FILES_SHOWN)
            lines.append(f"Read {more} more files, {size} bytes in all; JSON names every one.")
        if self.understood:
            said = "; ".join(f"{role}: {found.rstrip('.')}" for role, found in self.understood)
            lines.append(f"Understood {said}.")
        if self.rows is not None:
            lines.append(self._rows_line())
        else:
            lines += [f"{exclusion}." for exclusion in self.excluded]
        facts = [f"{name}={value}" for name, value in self.settings]
        facts += [] if self.seed is None else [f"seed={self.seed}"]
        return [*lines, f"Steelyard {self.version}{''.join(f', {fact}' for fact in facts)}."]

    def _rows_line(self) -> str:
        counted = f"Counted {show_count(self.rows or 0)} rows"
        return (
            f"{counted}; {'; '.join(map(str, self.excluded))}." if self.excluded else f"{counted}."
        )

"""Files of the package that a page offers, so that there is something to look at at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One file: what it holds, and what a page has to be told of it."""

    file: str
    about: str
    state: Mapping[str, str | tuple[str, ...]]

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(str(files("steelyard") / "data" / self.file))


EXAMPLES = (
    Example(file="digits_labels.csv", about="Digits, 6 systems", state={}),
    Example(file="wdbc_scores.csv", about="Tumours, scores of 6 systems", state={"positive": "1"}),
    Example(
        file="judge_grades.csv",
        about="Answers of 2 language models, graded",
        state={"value": ("alpha", "beta"), "range": "1,5"},
    ),
)

"""Files of the package that a page offers, so that there is something to look at at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One file: what it holds, and what a page has to be told of it."""

    file: str
    about: str
    state: Mapping[str, str | tuple[str, ...]]
    pages: tuple[str, ...] = ("evaluate", "compare")
    more: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What single pages have to be told besides."""

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(str(files("steelyard") / "data" / self.file))


EXAMPLES = (
    Example(
        file="digits_labels.csv",
        about="Digits, 6 systems",
        state={},
        pages=("evaluate", "compare", "agreement", "gate"),
        more={"gate": {"require": "not worse by 0.01", "baseline": "knn3", "candidate": "svm"}},
    ),
    Example(
        file="wdbc_scores.csv",
        about="Tumours, scores of 6 systems",
        state={"positive": "1"},
        pages=("evaluate", "compare", "calibration", "targeting"),
    ),
    Example(
        file="judge_grades.csv",
        about="Answers of 2 language models, graded",
        state={"value": ("alpha", "beta"), "range": "1,5"},
    ),
    Example(
        file="dataset_results.csv",
        about="Error rates of 5 algorithms on 24 data sets",
        state={"lower_is_better": "true"},
        pages=("compare",),
        more={"compare": {"layout": "datasets"}},
    ),
    Example(
        file="answers_and_cost.csv",
        about="3 language models, grades and latency",
        state={"value": ("big.grade", "mid.grade", "small.grade")},
        more={"compare": {"cost": "big.latency,mid.latency,small.latency"}},
    ),
    Example(
        file="judged_answers.csv",
        about="Answers graded by people and by a judge",
        state={
            "value": ("a.grade", "b.grade"),
            "judge": ("a.judge", "b.judge"),
            "range": "1,5",
        },
    ),
)

"""Files that hold totals only: MTEB, ``evaluate.save``, scores of folds; refused in words."""

from pathlib import Path

from steelyard.errors import FileUnreadable
from steelyard.sources.logs.log_format import Head, LogFormat
from steelyard.sources.logs.rows import Log

__all__ = ["FORMATS"]


def _tells_mteb(head: Head) -> bool:
    return {"mteb_version", "scores"} <= head.keys


def _tells_saved(head: Head) -> bool:
    return {"_evaluate_version", "_timestamp"} <= head.keys


def _refuse(path: Path, name: str) -> Log:
    del path
    found = "it holds totals only, with no row per item, so nothing can be paired or doubted."
    fix = "Keep the predictions of every item and pass those."
    raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")


def _tells_folds(head: Head) -> bool:
    """Tell what scikit-learn's cross_validate and searches give, written as CSV or JSON."""
    first = head.start.partition(b"\n")[0]
    if head.keys:
        return "mean_test_score" in head.keys or {"fit_time", "score_time"} <= head.keys
    columns = first.decode("utf-8", "replace").strip().split(",")
    tested = any(name.startswith(("test_", "split0_test_")) for name in columns)
    return tested and any(name.endswith("fit_time") for name in columns)


def _refuse_folds(path: Path, name: str) -> Log:
    del path
    found = "it holds a score for each fold, and folds share their training data."
    fix = (
        "Pass the predictions of every item (cross_val_predict); the scores of folds go to "
        "steelyard.comparison.resampled_t_test, which knows that folds overlap."
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="fold-scores")


FORMATS = (
    LogFormat(
        name="scikit-learn cross_validate, cv_results_",
        tells=_tells_folds,
        read=_refuse_folds,
        item="none: refused, scores of folds",
        repeats="folds, which overlap",
        traps="scores of folds taken for items",
    ),
    LogFormat(
        name="MTEB results",
        tells=_tells_mteb,
        read=_refuse,
        item="none: refused, totals only",
        repeats="none",
        traps="totals only",
        provenance="unverified",
    ),
    LogFormat(
        name="Hugging Face evaluate.save",
        tells=_tells_saved,
        read=_refuse,
        item="none: refused, totals only",
        repeats="none",
        traps="totals only",
    ),
)

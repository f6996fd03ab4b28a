"""Files that hold totals only, or no verdicts: refused, with the command that takes them."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from steelyard.errors import FileUnreadable
from steelyard.sources.files.formats import SAMPLE_BYTES, open_bytes
from steelyard.sources.files.json_objects import rows_of_object
from steelyard.sources.logs.json_text import whole_object
from steelyard.sources.logs.log_format import Head, Log, LogFormat
from steelyard.sources.logs.plain.confusions import read_named_rows
from steelyard.sources.roles.proposals import propose_single_role

__all__ = ["FORMATS"]

ACCURACY = re.compile(r"(?i)(eval_|test_|val_)?(acc|accuracy|exact_match|pass@1)(,none)?")
MEASURED = re.compile(
    r"(?i)(eval_|test_|val_)?(acc|accuracy|exact_match|pass@\d+|f1|f1_score|f1-score|macro_f1|auc|"
    r"roc_auc|precision|recall|mcc|kappa|bleu|rouge\w*|wer)(,none)?"
)
ITEMS = re.compile(r"(?i)(n|total|items|tested|num_\w+|samples|examples|eval_samples|test_size)")
YOLO = re.compile(r"\d+(?: [01](?:\.\d+)?){4,5}\s*")
"""A line of YOLO's labels: a class, the middle and the size of a box, perhaps a confidence."""

REPORT = re.compile(rb"\s*precision\s+recall\s+f1-score\s+support\s")
REPORTED = re.compile(r"accuracy\s+([01]\.\d+)\s+(\d+)")


AVERAGES = frozenset({"accuracy", "macro avg", "weighted avg", "micro avg", "samples avg"})
BOARD = re.compile(r"(models?|systems?|methods?|algorithms?|classifiers?)( ?names?)?")
CURVES = (
    {"fpr", "tpr"},
    {"false positive rate", "true positive rate"},
    {"precision", "recall"},
    {"far", "frr"},
)
CUTS = ("threshold", "thresholds", "thr", "cutoff", "fnr", "tnr")
"""Names of the columns of a curve's points."""


def _tells_mteb(head: Head) -> bool:
    return {"mteb_version", "scores"} <= head.keys


def _tells_saved(head: Head) -> bool:
    return {"_evaluate_version", "_timestamp"} <= head.keys


def _tells_metrics(head: Head) -> bool:
    """Tell one object of numbers with a measure among them, or what classification_report gives."""
    if REPORT.match(head.start):
        return True
    whole = whole_object(head.start)
    if not isinstance(whole, dict) or any(propose_single_role(name) == "truth" for name in whole):
        return False
    if rows_of_object(whole) is not None:  # a table stands beside its totals
        return False
    return any(MEASURED.fullmatch(name) and _is_number(one) for name, one in _flat(whole))


def _flat(whole: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """List the values of an object, and those of the objects inside it."""
    for name, value in whole.items():
        if isinstance(value, dict):
            yield from _flat(value)
        else:
            yield str(name), value


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _refusing(found: str, fix: str, *, code: str) -> Callable[[Path, str], Log]:
    """Make the reader of a file that is refused, whatever it holds."""

    def refuse(path: Path, name: str) -> Log:
        del path
        raise FileUnreadable.for_file(name, found, fix=fix, code=code)

    return refuse


def _refuse(path: Path, name: str) -> Log:
    found = "it holds totals only, with no row per item, so nothing can be paired."
    share, items = _totals(path)
    system = quote(name.removesuffix(".gz").partition(".")[0])
    fix = (
        "Keep the predictions of every item and pass those. Published shares are compared so: "
        f"steelyard compare --accuracy {system}={share},OTHER=SHARE --tested {items}"
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")


def _totals(path: Path) -> tuple[str, str]:
    """Give the accuracy and the number of items that stand in a file, as far as they are told."""
    try:
        with open_bytes(path) as file:
            text = file.read(SAMPLE_BYTES).decode("utf-8", "replace")
        whole = json.loads(text)
    except (ValueError, RecursionError):
        line = REPORTED.search(text)
        return (line[1], line[2]) if line else _read_report(read_named_rows(text.encode()))
    known = dict(_flat(whole)) if isinstance(whole, dict) else {}
    share = next((v for n, v in known.items() if ACCURACY.fullmatch(n) and _is_number(v)), None)
    items = next((v for n, v in known.items() if ITEMS.fullmatch(n) and _is_number(v)), None)
    supports = [one["support"] for one in _objects(whole) if _is_number(one.get("support"))]
    if items is None and supports:
        items = int(max(supports))  # that of the averages, which is the number of all
    if share is not None and share > 1:
        share = f"{share}%"
    return str("SHARE" if share is None else share), str("N" if items is None else items)


def _read_report(rows: list[dict[str, str]]) -> tuple[str, str]:
    """Give accuracy and items of scikit-learn's report, from the recall of every class."""
    classes = [row for row in rows if next(iter(row.values())).casefold() not in AVERAGES]
    try:
        sizes = [float(row["support"]) for row in classes]
        right = sum(n * float(row["recall"]) for n, row in zip(sizes, classes, strict=True))
    except (KeyError, ValueError):
        return "SHARE", "N"
    return (f"{right / sum(sizes):.10g}", f"{sum(sizes):.0f}") if sum(sizes) else ("SHARE", "N")


def _tells_report(head: Head) -> bool:
    """Tell a CSV of precision and recall for each class, with no system's name and no item."""
    rows = [] if head.keys else read_named_rows(head.start)
    names = {*rows[0]} if rows else set()
    if not {"precision", "recall"} <= names or not names & {"f1 score", "f1", "support"}:
        return False
    others = names - {"precision", "recall", "support", ""}
    known = any(propose_single_role(name) in {"item", "system"} for name in others)
    named = any(BOARD.fullmatch(name) or "accuracy" in name for name in others)
    return not known and not named


def _tells_points(head: Head) -> bool:
    """Tell the points of a curve: rates beside one another, perhaps thresholds, nothing else."""
    if head.keys:
        return False
    rows = read_named_rows(head.start)
    names = {*rows[0]} - {"", "index", "unnamed 0"} if rows else set()
    return any(pair <= names <= {*pair, *CUTS} for pair in CURVES)


_refuse_points = _refusing(
    "these are points of a curve, not items, and the items behind them cannot be told.",
    "Pass what the curve was drawn from, the truth and the score of every item: "
    "steelyard roc scores.csv --positive CLASS",
    code="no-items-but-points",
)


def _objects(whole: Any) -> Iterator[Mapping[str, Any]]:  # noqa: ANN401
    if isinstance(whole, dict):
        yield from (one for one in whole.values() if isinstance(one, dict))


def _tells_boxes(head: Head) -> bool:
    if {"images", "annotations", "categories"} <= head.keys:
        return True
    lines = head.start.decode("utf-8", "replace").splitlines()[:20]
    names = {one.strip().strip('"').casefold() for one in lines[0].split(",")} if lines else set()
    if names >= {"xmin", "ymin", "xmax", "ymax"} or names >= {"x1", "y1", "x2", "y2"}:
        return True
    if head.name.endswith(".txt") and lines and all(YOLO.fullmatch(one) for one in lines):
        return True
    return (
        head.is_array
        and {"image_id", "category_id"} <= head.keys
        and (bool(head.keys & {"bbox", "segmentation", "keypoints"}))
    )


FAILED = frozenset({"accuracy", "correct_count", "total_count"})


def _tells_failures(head: Head) -> bool:
    return head.keys >= FAILED and len(head.start.splitlines()) > 1


def _refuse_failures(path: Path, name: str) -> Log:
    """Refuse totals in the first line, behind which only what failed is written (BFCL)."""
    with open_bytes(path) as file:
        first = whole_object(file.readline(SAMPLE_BYTES)) or {}
    found = "its first line holds totals, and the others what failed: what was right has no rows."
    system = quote(name.removesuffix(".gz").rpartition(".")[0])
    fix = (
        "Totals are compared so: steelyard compare --correct "
        f"{system}={first.get('correct_count')},OTHER=N --tested {first.get('total_count')}"
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="totals-only")


_refuse_boxes = _refusing(
    "these are detections with boxes, and which of them are right depends on an overlap.",
    "Match them to the truth first (pycocotools' COCOeval, or your own rule), and pass a row "
    "for each detection: detection,truth,score.",
    code="no-verdicts",
)


def _tells_svm(head: Head) -> bool:
    first, _, rest = head.start[:4096].partition(b"\n")
    words, below = first.split(), rest.partition(b"\n")[0].split()
    return (
        words[:1] == [b"labels"]
        and len(words) > 2
        and len(below) == len(words)
        and (all(word.lstrip(b"-").isdigit() for word in words[1:]))
    )


def _refuse_svm(path: Path, name: str) -> Log:
    del path
    found = "this is what svm-predict -b 1 writes: what was called, with no truth beside it."
    fix = (
        "The truth stands first in every row of the test file, TEST here. Type: paste -d, "
        f"<(cut -d' ' -f1 TEST) <(tail -n +2 {quote(name)} | cut -d' ' -f1) > both.csv && "
        "steelyard evaluate both.csv --columns truth,called"
    )
    raise FileUnreadable.for_file(name, found, fix=fix, code="no-verdicts")


def _tells_history(head: Head) -> bool:
    """Tell a history of training: losses by epoch or step, and no item."""
    names = {one.casefold() for one in head.keys}
    if not names:
        first = head.start.partition(b"\n")[0].decode("utf-8-sig", "replace")
        names = {one.strip().strip('"').casefold() for one in first.split(",")}
    losses = [one for one in names if one == "loss" or one.endswith(("_loss", "/loss"))]
    others = [one for one in names if propose_single_role(one) in {"truth", "item"}]
    measured = {"epoch", "step", "val_loss", "val_accuracy", "accuracy"} & names
    return bool(losses and measured) and not others


_refuse_history = _refusing(
    "this is a history of training, with a row for each epoch or step and none for an item.",
    "Let the trained model answer the test items, and pass a row for each: id,truth,MODEL. "
    "Two runs known by their final accuracy alone are compared so: "
    "steelyard compare --accuracy A=SHARE,B=SHARE --tested N",
    code="no-items-but-epochs",
)


def _tells_folds(head: Head) -> bool:
    """Tell what scikit-learn's cross_validate and searches give, written as CSV or JSON."""
    first = head.start.partition(b"\n")[0]
    if head.keys:
        return "mean_test_score" in head.keys or {"fit_time", "score_time"} <= head.keys
    columns = first.decode("utf-8", "replace").strip().split(",")
    tested = any(name.startswith(("test_", "split0_test_")) for name in columns)
    return tested and any(name.endswith("fit_time") for name in columns)


_refuse_folds = _refusing(
    "it holds a score for each fold, and folds share their training data.",
    "Pass the predictions of every item (cross_val_predict); the scores of folds go to "
    "steelyard.comparison.resampled_t_test, which knows that folds overlap.",
    code="fold-scores",
)


FORMATS = (
    LogFormat(
        name="failures behind totals (BFCL)",
        tells=_tells_failures,
        read=_refuse_failures,
        item="none: refused, only what failed has a row",
        repeats="none",
        traps="failures taken for all items",
        provenance="unverified",
    ),
    LogFormat(
        name="scikit-learn cross_validate, cv_results_",
        tells=_tells_folds,
        read=_refuse_folds,
        item="none: refused, scores of folds",
        repeats="folds, which overlap",
        traps="scores of folds taken for items",
    ),
    LogFormat(
        name="detections with boxes (COCO)",
        tells=_tells_boxes,
        read=_refuse_boxes,
        item="none: refused, boxes to be matched first",
        repeats="none",
        traps="boxes without a truth",
        provenance="unverified",
    ),
    LogFormat(
        name="a history of training (Keras, Lightning)",
        tells=_tells_history,
        read=_refuse_history,
        item="none: refused, a row for each epoch",
        repeats="epochs",
        traps="epochs taken for items",
        provenance="unverified",
    ),
    LogFormat(
        name="libsvm's svm-predict -b 1",
        tells=_tells_svm,
        read=_refuse_svm,
        item="none: refused, calls without a truth",
        repeats="none",
        traps="'labels' is not a truth",
        provenance="unverified",
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
    LogFormat(
        name="points of a curve",
        tells=_tells_points,
        read=_refuse_points,
        item="none: refused, a row for each point",
        repeats="none",
        traps="points taken for items",
        provenance="unverified",
    ),
    LogFormat(
        name="scikit-learn classification_report",
        tells=_tells_report,
        read=_refuse,
        item="none: refused, totals only",
        repeats="none",
        traps="classes taken for items",
        provenance="unverified",
    ),
    LogFormat(
        name="totals of one's own",
        tells=_tells_metrics,
        read=_refuse,
        item="none: refused, totals only",
        repeats="none",
        traps="one object of measures taken for a row",
        provenance="unverified",
    ),
)

"""Files in the shapes in which people have them, each rebuilt by a few lines of its own.

The values are drawn here, so that nobody's licence is touched; the shapes are those of the tools
and repositories named beside them.
"""

import json
import random
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Drawn", "counts", "draw"]

CLASSES = ("cat", "dog", "owl")


@dataclass(frozen=True)
class Drawn:
    """Items with their truth, two systems' calls, scores of the positive class, vectors."""

    truth: list[str]
    first: list[str]
    second: list[str]
    scores: list[float]
    vectors: list[list[float]]

    def right(self, calls: list[str]) -> int:
        """Count right calls, in plain Python."""
        return sum(a == b for a, b in zip(self.truth, calls, strict=True))

    def area(self, positive: str) -> float:
        """Count the pairs that the scores put right, one by one."""
        pos = [s for s, t in zip(self.scores, self.truth, strict=True) if t == positive]
        neg = [s for s, t in zip(self.scores, self.truth, strict=True) if t != positive]
        won = sum((p > n) + 0.5 * (p == n) for p in pos for n in neg)
        return won / (len(pos) * len(neg))


def draw(n: int = 60, classes: tuple[str, ...] = CLASSES, seed: int = 5) -> Drawn:
    """Draw items; the same ones every time."""
    rng = random.Random(seed)
    truth = [rng.choice(classes) for _ in range(n)]
    vectors = []
    for true in truth:
        raw = [rng.random() + (0.9 if name == true else 0) for name in classes]
        parts = [round(x / sum(raw), 6) for x in raw]
        parts[-1] = round(1 - sum(parts[:-1]), 6)
        vectors.append(parts)
    first = [classes[v.index(max(v))] for v in vectors]
    second = [t if rng.random() < 0.7 else rng.choice(classes) for t in truth]
    scores = [round(v[0], 4) for v in vectors]
    return Drawn(truth=truth, first=first, second=second, scores=scores, vectors=vectors)


def write_rows(path: Path, header: list[str], rows: list[list[object]], mark: str = ",") -> None:
    """Write a delimited file."""
    lines = [mark.join(header), *(mark.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def sklearn_frame(folder: Path, drawn: Drawn) -> None:
    """``pd.DataFrame({"y_true": ..., "y_pred": ...}).to_csv("preds.csv")``, index and all."""
    rows = [[i, t, p] for i, (t, p) in enumerate(zip(drawn.truth, drawn.first, strict=True))]
    write_rows(folder / "preds.csv", ["", "y_true", "y_pred"], rows)


def hugging_face(folder: Path, drawn: Drawn) -> None:
    """A text classification frame: free text, gold label, a column for each model."""
    rows = [
        [f'"review {i}, rather long"', t, a, b]
        for i, (t, a, b) in enumerate(zip(drawn.truth, drawn.first, drawn.second, strict=True))
    ]
    write_rows(folder / "reviews.csv", ["text", "label", "bert", "gpt"], rows)


def image_folder(folder: Path, drawn: Drawn) -> None:
    """Keras' flow_from_directory: file names, capital letters."""
    rows = [
        [f"img_{i:03}.png", t, p]
        for i, (t, p) in enumerate(zip(drawn.truth, drawn.first, strict=True))
    ]
    write_rows(folder / "test.csv", ["Filename", "Target", "Predicted"], rows)


def caret(folder: Path, drawn: Drawn) -> None:
    """caret's savePredictions: pred, obs, a column for each class, rowIndex."""
    rows = [
        [p, t, *v, i + 1]
        for i, (t, p, v) in enumerate(zip(drawn.truth, drawn.first, drawn.vectors, strict=True))
    ]
    write_rows(folder / "caret.csv", ["pred", "obs", *CLASSES, "rowIndex"], rows)


def yardstick(folder: Path, drawn: Drawn) -> None:
    """tidymodels' augment(): .pred_class, and .pred_ before every class."""
    rows = [[t, p, *v] for t, p, v in zip(drawn.truth, drawn.first, drawn.vectors, strict=True)]
    write_rows(folder / "yard.csv", ["obs", ".pred_class", *(f".pred_{c}" for c in CLASSES)], rows)


def features(folder: Path, drawn: Drawn) -> None:
    """A feature table with the prediction put beside it."""
    rng = random.Random(1)
    rows = [
        [round(rng.gauss(40, 9), 2), rng.randrange(1900, 2020), t, p]
        for t, p in zip(drawn.truth, drawn.first, strict=True)
    ]
    write_rows(folder / "table.csv", ["age", "year", "class", "prediction"], rows)


def score_list(folder: Path, drawn: Drawn) -> None:
    """A list of label and score, aligned with spaces, as speaker verification keeps them."""
    rows = [f"{t:8}{s:.4f}" for t, s in zip(drawn.truth, drawn.scores, strict=True)]
    (folder / "scores.txt").write_text("\n".join(["label   score", *rows]) + "\n")


def verdict_map(folder: Path, drawn: Drawn) -> None:
    """SWE-bench Pro: an object over many lines, id -> resolved."""
    for name, calls in (("alpha", drawn.first), ("beta", drawn.second)):
        right = zip(drawn.truth, calls, strict=True)
        whole = {f"task-{i}": a == b for i, (a, b) in enumerate(right)}
        (folder / f"{name}.json").write_text(json.dumps(whole, indent=2))


def verdict_objects(folder: Path, drawn: Drawn) -> None:
    """A harness of one's own: id -> object with a verdict."""
    for name, calls in (("alpha", drawn.first), ("beta", drawn.second)):
        whole = {
            f"task-{i}": {"passed": a == b, "seconds": 1.5}
            for i, (a, b) in enumerate(zip(drawn.truth, calls, strict=True))
        }
        (folder / f"{name}.json").write_text(json.dumps(whole, indent=2))


def evalplus(folder: Path, drawn: Drawn) -> None:
    """EvalPlus: a list of samples for each task, base and plus status."""
    words = {True: "pass", False: "fail"}
    whole = {
        "date": "2024-01-01",
        "hash": "0",
        "eval": {
            f"HumanEval/{i}": [
                {"task_id": f"HumanEval/{i}", "base_status": words[a == b], "plus_status": "pass"}
            ]
            for i, (a, b) in enumerate(zip(drawn.truth, drawn.first, strict=True))
        },
    }
    (folder / "model_eval_results.json").write_text(json.dumps(whole))


def livecodebench(folder: Path, drawn: Drawn) -> None:
    """LiveCodeBench: a list of tasks, each with the verdicts of its samples."""
    whole = [
        {"question_id": f"q{i}", "difficulty": "easy", "graded_list": [a == b]}
        for i, (a, b) in enumerate(zip(drawn.truth, drawn.first, strict=True))
    ]
    (folder / "codegen_eval_all.json").write_text(json.dumps(whole))


def submissions(folder: Path, drawn: Drawn) -> None:
    """Two submissions of ids and predictions, and the answers in a file of their own."""
    for name, calls in (("mine", drawn.first), ("theirs", drawn.second)):
        rows = [[i, p] for i, p in enumerate(calls)]
        write_rows(folder / f"{name}.csv", ["id", "prediction"], rows)
    write_rows(folder / "answers.csv", ["id", "label"], [[i, t] for i, t in enumerate(drawn.truth)])


def long_rows(folder: Path, drawn: Drawn) -> None:
    """A row for each model and question, as many leaderboards log them."""
    rows = [
        [model, f"q{i}", str(a == b).lower()]
        for model, calls in (("alpha", drawn.first), ("beta", drawn.second))
        for i, (a, b) in enumerate(zip(drawn.truth, calls, strict=True))
    ]
    write_rows(folder / "runs.csv", ["model", "question_id", "correct"], rows)


def counts(answer):
    """Right answers of each system, from either kind of answer."""
    shares = {one["system"]: one.get("rate") or one.get("accuracy") for one in answer["systems"]}
    return {name: share["successes"] for name, share in shares.items() if share}

"""Files that strangers would try first: more tools, retrieval, agents, boards, numbers by names.

Sources, whose shapes were rebuilt with numbers of our own: VLMEvalKit (Apache 2.0) and LiveBench
(Apache 2.0); Terminal-Bench (Apache 2.0) and tau-bench (MIT); BFCL (Apache 2.0); NIST's trec_eval;
exports of JMP, Orange and SPSS; tables of word error rates by talk, of probabilities whose columns
are called otherwise than the classes, of areas by fold, and boards of challenges.
"""

from pathlib import Path

from tests.real.more_shapes import (
    CAT,
    FLAG,
    ONE,
    OTHERS,
    PLACES,
    ROWS,
    TRUTH,
    TWO,
    VECTORS,
    dump,
    lines,
)
from tests.real.public_shapes import SCORES
from tests.real.shapes import CLASSES, write_rows

LETTERS = dict(zip(CLASSES, "ABC", strict=True))
RATES = [
    [round(one[0] / 3, 4), round(two[0] / 3, 4)] for one, two in zip(VECTORS, OTHERS, strict=True)
]
"""Error rates of two recognisers."""


def multiple_choice(folder: Path) -> None:
    """VLMEvalKit: options in columns of their own, the answer, a category, hits."""
    rows = [
        [n, f"q{n}?", "x", "y", "z", LETTERS[t], LETTERS[a], ("ocr", "math")[n % 2], int(t == a)]
        for n, t, a, _ in ROWS
    ]
    header = ["index", "question", "A", "B", "C", "answer", "prediction", "category", "hit"]
    write_rows(folder / "choice.csv", header, rows)


def top_of_lists(folder: Path) -> None:
    """A prediction, how sure it is, and the first of a ranked list beside it."""
    rows = [
        [f"{n}.jpg", CLASSES.index(t), t, CLASSES.index(a), a, max(v), ";".join(CLASSES), "1;0;0"]
        for (n, t, a, _), v in zip(ROWS, VECTORS, strict=True)
    ]
    header = ["path", "true_id", "true_label", "pred_id", "pred_label", "pred_conf"]
    write_rows(folder / "dishes.csv", [*header, "top3_labels", "top3_probs"], rows)


def agents(folder: Path) -> None:
    """Terminal-Bench's results, and tau-bench's with several trials of a task."""
    for name, calls in (("one", ONE), ("two", TWO)):
        right = [t == c for t, c in zip(TRUTH, calls, strict=True)]
        tasks = [
            {
                "task_id": f"t{n}",
                "trial_name": f"t{n}.1-of-1",
                "is_resolved": ok,
                "failure_mode": "",
            }
            for n, ok in enumerate(right)
        ]
        total = {"id": name, "n_resolved": sum(right), "accuracy": sum(right) / len(right)}
        dump(folder / f"tb_{name}.json", {**total, "results": tasks})
        dump(
            folder / f"tau_{name}.json",
            [
                {"task_id": n % 20, "reward": float(ok), "info": {"a": "b"}, "trial": n // 20}
                for n, ok in enumerate(right)
            ],
        )


def judged_tasks(folder: Path) -> None:
    """LiveBench: a score for each question and model, whose category is what it is about."""
    rows: list[dict[str, object]] = [
        {"question_id": f"q{n}", "task": "zebra", "model": m, "score": float(t == c), "turn": 1,
         "tstamp": 1.5, "category": "reasoning"}
        for n, t, *both in ROWS
        for m, c in zip(("llama", "qwen"), both, strict=True)
    ]  # fmt: skip
    lines(folder / "live.jsonl", rows)


def failures_alone(folder: Path) -> None:
    """BFCL: totals in the first line, then only what failed."""
    wrong = [n for n, t, a, _ in ROWS if t != a]
    total = {"accuracy": 1 - len(wrong) / 60, "correct_count": 60 - len(wrong), "total_count": 60}
    failed = [{"id": f"simple_{n}", "model_name": "gpt", "valid": False} for n in wrong]
    lines(folder / "BFCL_v3_simple_score.json", [dict(total), *map(dict, failed)])


def retrieval(folder: Path) -> None:
    """What trec_eval -q prints of two runs, a run, and judgments."""
    for name, place in (("a", 0), ("b", 1)):
        said = [
            f"{measure:22}\t{n}\t{rates[place] / part:.4f}\n"
            for n, rates in enumerate(RATES)
            for measure, part in (("num_ret", 1), ("map", 1), ("P_10", 2))
        ]
        mean = sum(rates[place] for rates in RATES) / len(RATES)
        end = f"{'runid':22}\tall\tbm25\n{'map':22}\tall\t{mean:.4f}\n"
        (folder / f"{name}.eval").write_text("".join(said) + end)
    run = [f"{n} Q0 doc{n} {k + 1} {9.5 - k} bm25\n" for n in range(5) for k in range(4)]
    (folder / "run.txt").write_text("".join(run))
    judged = [f"{n} 0 doc{k} {(n + k) % 3}\n" for n in range(5) for k in range(4)]
    (folder / "qrels.txt").write_text("".join(judged))


def desks(folder: Path) -> None:
    """JMP, Orange and SPSS: truths called as what they are of."""
    rows = [[f"n{n}", t, *v, a] for (n, t, a, _), v in zip(ROWS, VECTORS, strict=True)]
    shares = [f"Prob[{name}]" for name in CLASSES]
    write_rows(folder / "jmp.csv", ["name", "species", *shares, "Most Likely species"], rows)
    header = ["x1", "species"]
    for model in ("Random Forest", "Tree"):
        header += [model, *(f"{model} ({name})" for name in CLASSES)]
    both = [
        [n / 7, t, a, *v, b, *w, n % 5 + 1]
        for (n, t, a, b), v, w in zip(ROWS, VECTORS, OTHERS, strict=True)
    ]
    write_rows(folder / "orange.csv", [*header, "Fold"], both)
    binary = zip(PLACES, CAT, SCORES, FLAG, strict=True)
    write_rows(
        folder / "spss.csv", ["ID", "diagnose", "PRE_1", "PGR_1"], [[*row] for row in binary]
    )


def rates_by_talk(folder: Path) -> None:
    """Word error rates of recognisers by talk, and what the speakers are like."""
    rows = [[f"S {n}", f"talk{n}", 20 + n, "MF"[n % 2], 5.5, *r] for n, r in enumerate(RATES)]
    header = ["Name", "File", "Age", "Gender", "Readability", "YT_WER", "FB_WER"]
    write_rows(folder / "wer.csv", header, rows)


def other_names(folder: Path) -> None:
    """Probabilities whose columns are called otherwise than the classes; flags that sum to 1."""
    rows = [[n, CLASSES.index(t), *v] for (n, t, *_), v in zip(ROWS, VECTORS, strict=True)]
    named = ["P(Normal)", "P(Benign)", "P(In Situ)"]
    write_rows(folder / "stages.csv", ["case", "class", *named], rows)
    flags = [[n, ("no", "yes")[c], ("no", "yes")[f], n % 2, 1 - n % 2]
             for n, c, f in zip(PLACES, CAT, FLAG, strict=True)]  # fmt: skip
    header = ["id", "actual_decision", "predicted_decision", "calls", "followups"]
    write_rows(folder / "flags.csv", header, flags)


def areas_by_fold(folder: Path) -> None:
    """An area for each fold of every variant, whose name are two columns; and their summary."""
    rows = [
        [kind, size, n + 1, RATES[n][kind == "raw"] + (size == "full") / 10]
        for kind in ("graph", "raw")
        for size in ("small", "full")
        for n in range(10)
    ]
    write_rows(folder / "folds.csv", ["representation", "variant", "fold", "auc"], rows)
    write_rows(
        folder / "summary.csv",
        ["variant", "mean_auc", "std_auc"],
        [["a", 0.6, 0.1], ["b", 0.5, 0.2]],
    )


def suggestions(folder: Path) -> None:
    """A suggested answer beside the one that was given; one class of it is never true."""
    rows = [[n, t, a, "bird" if n % 9 == 0 else b] for n, t, a, b in ROWS]
    write_rows(
        folder / "hints.csv",
        ["Example ID", "True Answer", "Predicted Answer", "Suggested Answer"],
        rows,
    )


def ranked_teams(folder: Path) -> None:
    """A board of a challenge, with ids of runs and the same model again and again."""
    rows = [[n + 1, f"team {n}", f"{70 - 5 * n}.0", "qwen", f"run{n // 2}"] for n in range(6)]
    write_rows(folder / "teams.csv", ["rank", "team", "score", "model", "archive_run_id"], rows)

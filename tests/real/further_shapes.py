"""More files as people have them: reports, lists without a header, workbooks, boards, tries.

Drawn as in ``shapes.py``: the values are our own, the shapes those of the tools named beside them.
"""

import json
import random
from pathlib import Path

from tests.real.shapes import CLASSES, Drawn, write_rows

__all__: list[str] = []


def binary(drawn: Drawn) -> list[int]:
    """Tell the first class from the others."""
    return [int(name == CLASSES[0]) for name in drawn.truth]


def swe_report(path: Path, resolved: list[str], failed: list[str], total: list[str]) -> None:
    """SWE-bench's report of a run, schema 2: ids by what became of them."""
    submitted = {*resolved, *failed}
    report = {
        "total_instances": len(total),
        "submitted_instances": len(submitted),
        "completed_instances": len(submitted),
        "resolved_instances": len(resolved),
        "unresolved_instances": len(failed),
        "empty_patch_instances": 0,
        "error_instances": 0,
        "completed_ids": sorted(submitted),
        "incomplete_ids": sorted({*total} - submitted),
        "empty_patch_ids": [],
        "submitted_ids": sorted(submitted),
        "resolved_ids": resolved,
        "unresolved_ids": failed,
        "error_ids": [],
        "schema_version": 2,
    }
    path.write_text(json.dumps(report))


def swe_bench(folder: Path, drawn: Drawn) -> None:
    """A whole run, and two shards of another, each of which names the whole set."""
    ids = [f"repo__project-{i}" for i in range(len(drawn.truth))]
    whole = [a == b for a, b in zip(drawn.truth, drawn.first, strict=True)]
    other = [a == b for a, b in zip(drawn.truth, drawn.second, strict=True)]

    def write(name: str, right: list[bool], kept: list[int]) -> None:
        swe_report(
            folder / name,
            [ids[i] for i in kept if right[i]],
            [ids[i] for i in kept if not right[i]],
            ids,
        )

    write("whole.json", whole, list(range(60)))
    write("shard1.json", other, list(range(30)))
    write("shard2.json", other, list(range(30, 60)))
    write("overlap.json", other, list(range(20, 60)))


def trials(folder: Path, drawn: Drawn) -> None:
    """Speaker verification: target or not, and a score, without a header."""
    rows = zip(binary(drawn), drawn.scores, strict=True)
    lines = [f"{'target' if true else 'nontarget'} {score}" for true, score in rows]
    (folder / "trials.txt").write_text("\n".join(lines) + "\n")


def anti_spoofing(folder: Path, drawn: Drawn) -> None:
    """ASVspoof's scores: an id, a dash, the key, the score."""
    rows = zip(binary(drawn), drawn.scores, strict=True)
    lines = [f"LA_E_{i:05} - {'bonafide' if t else 'spoof'} {s}" for i, (t, s) in enumerate(rows)]
    (folder / "asv.txt").write_text("\n".join(lines) + "\n")


def bare_pairs(folder: Path, drawn: Drawn) -> None:
    """``np.savetxt`` of truth and call: commas, no header."""
    lines = [f"{t},{p}" for t, p in zip(drawn.truth, drawn.first, strict=True)]
    (folder / "pairs.csv").write_text("\n".join(lines) + "\n")


def conll(folder: Path, drawn: Drawn) -> None:
    """CoNLL: a token a line with gold and predicted tag, an empty line after each sentence."""
    tagged = zip(drawn.truth, drawn.first, strict=True)
    lines = [f"w{i} NN {t} {p}" + "\n" * (i % 7 == 6) for i, (t, p) in enumerate(tagged)]
    (folder / "conll.txt").write_text("\n".join(lines) + "\n")


def workbook(folder: Path, drawn: Drawn) -> None:
    """A sheet as people keep it: an empty row first, and a second sheet of notes."""
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "predictions"
    sheet.append([])
    sheet.append(["id", "label", "cnn", "svm"])
    for i, row in enumerate(zip(drawn.truth, drawn.first, drawn.second, strict=True)):
        sheet.append([i, *row])
    book.save(folder / "results.xlsx")
    book.create_sheet("notes").append(["by hand"])
    book.save(folder / "two_sheets.xlsx")


def board_markdown(folder: Path, drawn: Drawn) -> None:
    """A table pasted from a README: ranks, links, bold, an error bar."""
    (folder / "board.md").write_text(
        "# Results\n\n| Rank | Model | Acc. (%) |\n|---:|---|:--:|\n"
        "| 1 | **[A](http://example.org)** | 87.3 |\n| 2 | B | 85.1 ± 0.4 |\n| 3 | C | 79.0 |\n"
    )


def board_csv(folder: Path, drawn: Drawn) -> None:
    """A CSV of shares with the number of items."""
    write_rows(
        folder / "board.csv",
        ["model", "accuracy", "n"],
        [["A", 0.873, 1319], ["B", 0.851, 1319], ["C", 0.79, 1319]],
    )


def board_workbook(folder: Path, drawn: Drawn) -> None:
    """A leaderboard as a sheet: a title, then names and percentages."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["Results of May"], ["Model", "Accuracy"], ["A", 87.3], ["B", 85.1], ["C", 79.2]):
        book.active.append(row)
    book.save(folder / "board.xlsx")


def board_of_agents(folder: Path, drawn: Drawn) -> None:
    """Terminal-Bench's board: an agent and a model, which name a system together."""
    write_rows(
        folder / "agents.csv",
        ["Agent", "Model", "Date", "Accuracy"],
        [["Goose", "opus", "2025-05-01", "55.0%"], ["Goose", "gpt", "2025-05-02", "52.5%"],
         ["Codex", "gpt", "2025-05-03", "40.0%"], ["Codex", "opus", "2025-05-04", "43.75%"]],
    )  # fmt: skip


def long_board(folder: Path, drawn: Drawn) -> None:
    """timm's results of ImageNet: more than fifteen hundred models."""
    rows = [[f"net{n}.in1k", 224, f"{(45025 - 13 * n) / 500:.3f}", f"{n / 7:.2f}"]
            for n in range(1556)]  # fmt: skip
    write_rows(folder / "timm.csv", ["model", "img_size", "top1", "param_count"], rows)


def human_eval(folder: Path, drawn: Drawn) -> None:
    """HumanEval's ``samples.jsonl_results.jsonl``: several samples of a task, no number of them."""
    for name, calls in (("alpha", drawn.first), ("beta", drawn.second)):
        right = zip(drawn.truth, calls, strict=True)
        lines = [
            json.dumps({"task_id": f"HumanEval/{i // 4}", "completion": "pass", "passed": a == b})
            for i, (a, b) in enumerate(right)
        ]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def tries_of_models(folder: Path, drawn: Drawn) -> None:
    """The same for several models in one file, as CSV and as lists of verdicts."""
    rows = [
        [name, f"T/{i // 4}", a == b]
        for name, calls in (("alpha", drawn.first), ("beta", drawn.second))
        for i, (a, b) in enumerate(zip(drawn.truth, calls, strict=True))
    ]
    write_rows(folder / "tries.csv", ["model", "task_id", "passed"], rows)
    lists = [
        {
            "task_id": f"T/{task}",
            **{
                name: [drawn.truth[i] == calls[i] for i in range(4 * task, 4 * task + 4)]
                for name, calls in (("alpha", drawn.first), ("beta", drawn.second))
            },
        }
        for task in range(15)
    ]
    (folder / "lists.jsonl").write_text("".join(json.dumps(row) + "\n" for row in lists))


def kaggle_probabilities(folder: Path, drawn: Drawn) -> None:
    """A solution with ``Usage``, the same without, and two submissions of probabilities."""
    rng = random.Random(7)
    true = binary(drawn)
    usage = ["Public" if i % 3 else "Private" for i in range(len(true))]
    write_rows(
        folder / "solution.csv",
        ["id", "target", "Usage"],
        [[i, t, u] for i, (t, u) in enumerate(zip(true, usage, strict=True))],
    )
    write_rows(folder / "answers.csv", ["id", "target"], [[i, t] for i, t in enumerate(true)])
    noisy = [round(min(1, max(0, s + rng.gauss(0, 0.2))), 4) for s in drawn.scores]
    for name, scores in (("mine", drawn.scores), ("theirs", noisy)):
        write_rows(folder / f"{name}.csv", ["id", "target"], [[i, s] for i, s in enumerate(scores)])


def columns_of_json(folder: Path, drawn: Drawn) -> None:
    """torchmetrics' and Hugging Face's inputs, dumped: an object with a list for each column."""
    whole = {"predictions": drawn.first, "references": drawn.truth}
    (folder / "dump.json").write_text(json.dumps(whole, indent=1))


def pandas_json(folder: Path, drawn: Drawn) -> None:
    """``DataFrame.to_json`` in three orientations, and rows under one key."""
    pairs = list(zip(drawn.truth, drawn.first, strict=True))
    split = {"columns": ["y_true", "y_pred"], "index": list(range(60)), "data": [*map(list, pairs)]}
    columns = {
        "y_true": {str(i): t for i, (t, _) in enumerate(pairs)},
        "y_pred": {str(i): p for i, (_, p) in enumerate(pairs)},
    }
    index = {str(i): {"y_true": t, "y_pred": p} for i, (t, p) in enumerate(pairs)}
    rows = {
        "model": "cnn",
        "results": [{"id": i, "label": t, "pred": p} for i, (t, p) in enumerate(pairs)],
    }
    for name, whole in (("split", split), ("columns", columns), ("index", index), ("rows", rows)):
        (folder / f"{name}.json").write_text(json.dumps(whole))


def mlr3(folder: Path, drawn: Drawn) -> None:
    """``as.data.table(prediction)`` of mlr3: response, and prob. before every class."""
    rows = [
        [i + 1, t, p, *v]
        for i, (t, p, v) in enumerate(zip(drawn.truth, drawn.first, drawn.vectors, strict=True))
    ]
    header = ["row_ids", "truth", "response", *(f"prob.{name}" for name in CLASSES)]
    write_rows(folder / "mlr3.csv", header, rows)


def tune(folder: Path, drawn: Drawn) -> None:
    """tidymodels' collect_predictions(): ``id`` names the fold, ``.row`` the item."""
    rows = [
        [f"Fold{i % 5 + 1}", p, i + 1, "Preprocessor1_Model1", t]
        for i, (t, p) in enumerate(zip(drawn.truth, drawn.first, strict=True))
    ]
    write_rows(folder / "tune.csv", ["id", ".pred_class", ".row", ".config", "obs"], rows)


def sclite(folder: Path, drawn: Drawn) -> None:
    """sclite's alignments: the counts of words of every sentence."""
    right = zip(drawn.truth, drawn.first, strict=True)
    blocks = [
        f"id: (spk{i % 4}-{i:03})\nScores: (#C #S #D #I) {4 + (a == b)} {int(a != b)} 0 0\n"
        "REF:  the reference here\nHYP:  the hypothesis here\nEval:\n\n"
        for i, (a, b) in enumerate(right)
    ]
    head = "SENTENCE LEVEL REPORTS\n\nSpeaker sentences   0:  spk0   #utts: 60\n"
    (folder / "alpha.pra").write_text(head + "".join(blocks))


def glue(folder: Path, drawn: Drawn) -> None:
    """GLUE's files: ``index`` and ``prediction``, the labels beside sentences elsewhere."""
    for name, calls in (("mine", drawn.first), ("theirs", drawn.second)):
        rows = [[i, p] for i, p in enumerate(calls)]
        write_rows(folder / f"{name}.tsv", ["index", "prediction"], rows, "\t")
    rows = [[i, f"sentence {i}", t] for i, t in enumerate(drawn.truth)]
    write_rows(folder / "dev.tsv", ["index", "sentence", "label"], rows, "\t")


def verdict_columns(folder: Path, drawn: Drawn) -> None:
    """True and false for each system, and no truth at all."""
    rows = [
        [f"q{i}", str(t == a), str(t == b)]
        for i, (t, a, b) in enumerate(zip(drawn.truth, drawn.first, drawn.second, strict=True))
    ]
    write_rows(folder / "verdicts.csv", ["question_id", "alpha", "beta"], rows)

"""Still more files as people have them, with answers that are wrong now and then.

Values are our own, shapes those of the tools named beside them. Who is right how often is counted
in plain Python by whoever asks.
"""

import json
import random
from pathlib import Path

from tests.real.shapes import CLASSES, write_rows

__all__: list[str] = []

RNG = random.Random(11)
PLACES = range(60)
TRUTH = [RNG.choice(CLASSES) for _ in PLACES]


def _calls(share: float) -> list[str]:
    return [t if RNG.random() < share else RNG.choice(CLASSES) for t in TRUTH]


def _vector(true: str) -> list[float]:
    raw = [RNG.random() + (0.5 if name == true else 0) for name in CLASSES]
    parts = [round(x / sum(raw), 6) for x in raw[:-1]]
    return [*parts, round(1 - sum(parts), 6)]


ONE, TWO = _calls(0.75), _calls(0.6)
VECTORS, OTHERS = [_vector(t) for t in TRUTH], [_vector(t) for t in TRUTH]
CAT = [int(t == "cat") for t in TRUTH]
FLAG = [int(a == "cat") for a in ONE]
ROWS = list(zip(PLACES, TRUTH, ONE, TWO, strict=True))
RIGHT_ONE, RIGHT_TWO = [t == a for _, t, a, _ in ROWS], [t == b for _, t, _, b in ROWS]


def top(vectors: list[list[float]]) -> int:
    """Count how often the largest number stands at the true class."""
    called = [CLASSES[one.index(max(one))] for one in vectors]
    return sum(a == t for a, t in zip(called, TRUTH, strict=True))


def dump(path: Path, whole: object) -> None:
    """Write JSON."""
    path.write_text(json.dumps(whole))


def lines(path: Path, rows: list[dict[str, object]]) -> None:
    """Write JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def other_words(folder: Path) -> None:
    """An export in German: semicolons, a decimal comma, Windows' letters."""
    head = "ID;Wahrheit;Vorhersage;Größe\n"
    rows = "".join(f"{n};{t};{a};{n / 7:.2f}\n".replace(".", ",") for n, t, a, _ in ROWS)
    (folder / "de.csv").write_bytes((head + rows).encode("cp1252"))


def excel_says_what_separates(folder: Path) -> None:
    """Excel's ``sep=;`` above the header, and the empty rows that it leaves at the end."""
    rows = "".join(f"{n};{t};{a};\r\n" for n, t, a, _ in ROWS)
    (folder / "excel.csv").write_text(f"sep=;\r\nid;label;pred;\r\n{rows};;;\r\n;;;\r\n")


def row_names(folder: Path) -> None:
    """``write.table`` of R: a name for each row, none for their column."""
    rows = "".join(f'"{n + 1}" "{t}" "{a}"\n' for n, t, a, _ in ROWS)
    (folder / "table.txt").write_text('"truth" "response"\n' + rows)


def missing_words(folder: Path) -> None:
    """``write.csv`` of R: NA where nothing was predicted."""
    rows = [[n, t, a if n % 10 else "NA"] for n, t, a, _ in ROWS]
    write_rows(folder / "na.csv", ["id", "obs", "pred"], rows)


def other_spelling(folder: Path) -> None:
    """True classes in capitals, calls in small letters with a blank before them."""
    rows = [[n, t.upper(), f" {a}"] for n, t, a, _ in ROWS]
    write_rows(folder / "case.csv", ["id", "label", "pred"], rows)


def yes_and_true(folder: Path) -> None:
    """Yes and no in the truth, TRUE and FALSE in the calls."""
    words = zip(PLACES, CAT, FLAG, strict=True)
    rows = [[n, ["no", "yes"][t], ["FALSE", "TRUE"][a]] for n, t, a in words]
    write_rows(folder / "flags.csv", ["id", "label", "pred"], rows)


def points_after_calls(folder: Path) -> None:
    """1 and 0 in the truth, 1.0 and 0.0 in the calls, as numpy writes them."""
    rows = [[n, t, float(a)] for n, t, a in zip(PLACES, CAT, FLAG, strict=True)]
    write_rows(folder / "float.csv", ["id", "label", "pred"], rows)


def places_of_classes(folder: Path) -> None:
    """Names in the truth, places in the list of classes in the calls (argmax)."""
    rows = [[n, t, CLASSES.index(a)] for n, t, a, _ in ROWS]
    write_rows(folder / "argmax.csv", ["image", "label", "pred"], rows)


def no_ids(folder: Path) -> None:
    """The same items in the same order, a file for each system, no ids."""
    for name, calls in (("a", ONE), ("b", TWO)):
        write_rows(folder / f"{name}.csv", ["y_true", "y_pred"], [*zip(TRUTH, calls, strict=True)])


def images(folder: Path) -> None:
    """A file for each system, with the image's name and in another order."""
    for name, calls, step in (("a", ONE, 1), ("b", TWO, 7)):
        rows = [[f"i{n}.png", TRUTH[n], calls[n]] for n in (p * step % 60 for p in PLACES)]
        write_rows(folder / f"{name}.csv", ["image", "label", "pred"], rows)


def overlap(folder: Path) -> None:
    """A file for each system, with most items in common."""
    for name, calls, kept in (("a", ONE, PLACES[:50]), ("b", TWO, PLACES[10:])):
        rows = [[f"i{n}", TRUTH[n], calls[n]] for n in kept]
        write_rows(folder / f"{name}.csv", ["image", "label", "pred"], rows)


def kaggle_of_classes(folder: Path) -> None:
    """Submissions with a probability for each class, the answers apart."""
    for name, vectors in (("mine", VECTORS), ("theirs", OTHERS)):
        rows = [[n, *vectors[n]] for n in PLACES]
        write_rows(folder / f"{name}.csv", ["id", *CLASSES], rows)
    write_rows(folder / "answers.csv", ["id", "label"], [[n, t] for n, t, *_ in ROWS])


def mlr3_benchmark(folder: Path) -> None:
    """``as.data.table`` of mlr3's benchmark: learner_id, row_ids, truth, response."""
    rows = [
        ["pets", learner, n % 3 + 1, n + 1, t, calls[n]]
        for learner, calls in (("ranger", ONE), ("rpart", TWO))
        for n, t, *_ in ROWS
    ]
    header = ["task_id", "learner_id", "iteration", "row_ids", "truth", "response"]
    write_rows(folder / "bench.csv", header, rows)


def tuned(folder: Path) -> None:
    """tidymodels' collect_predictions() of a grid: a row for each item and .config."""
    rows = [
        [f"Fold{n % 5}", calls[n], n + 1, config, t]
        for config, calls in (("Model1", ONE), ("Model2", TWO))
        for n, t, *_ in ROWS
    ]
    write_rows(folder / "tune.csv", ["id", ".pred_class", ".row", ".config", "Class"], rows)


def two_labels(folder: Path) -> None:
    """Several labels for each item, a truth and a call for each label."""
    rows = [[n, t == "cat", t == "dog", a == "cat", a == "dog"] for n, t, a, _ in ROWS]
    rows = [[n, *map(int, cells)] for n, *cells in rows]
    header = ["id", "cat_true", "dog_true", "cat_pred", "dog_pred"]
    write_rows(folder / "labels.csv", header, rows)


def readers(folder: Path) -> None:
    """A sheet of two readers, and of the biopsy that settles it."""
    words = ["benign", "malignant"]
    rows = [[f"P{n}", words[CAT[n]], words[FLAG[n]], words[TWO[n] == "cat"]] for n in PLACES]
    write_rows(folder / "readers.csv", ["Patient ID", "Biopsy", "Reader 1", "Reader 2"], rows)


def pipeline(folder: Path) -> None:
    """transformers' pipeline: a label with its score, or one for every class."""
    best = [{"text": f"t{n}", "label": t, "prediction": {"label": a, "score": 0.9}}
            for n, t, a, _ in ROWS]  # fmt: skip
    every = [
        {"label": t, "prediction": [{"label": CLASSES[n], "score": v[n]} for n in range(3)]}
        for t, v in zip(TRUTH, VECTORS, strict=True)
    ]
    lines(folder / "best.jsonl", best)
    lines(folder / "every.jsonl", every)


def vectors_by_place(folder: Path) -> None:
    """Classes as numbers, a list of probabilities in their order."""
    rows = [{"label": CLASSES.index(t), "probs": v} for t, v in zip(TRUTH, VECTORS, strict=True)]
    lines(folder / "probs.jsonl", rows)


def models_of_json(folder: Path) -> None:
    """One object for all models: rows of each, columns of each, verdicts by item."""
    rows = {m: [{"id": n, "label": TRUTH[n], "pred": calls[n]} for n in PLACES]
            for m, calls in (("one", ONE), ("two", TWO))}  # fmt: skip
    dump(folder / "rows.json", rows)
    dump(folder / "columns.json", {"truth": TRUTH, "models": {"one": ONE, "two": TWO}})
    both = zip(PLACES, RIGHT_ONE, RIGHT_TWO, strict=True)
    dump(folder / "items.json", {f"q{n}": {"one": a, "two": b} for n, a, b in both})


def free_answers(folder: Path) -> None:
    """Questions with answers in words, as in SQuAD: right where they are the same."""
    called = [n if ok or n == 59 else n + 1 for n, ok in enumerate(RIGHT_ONE)]
    rows = [
        {"id": n, "question": f"who {n}?", "answer": f"name {n}", "prediction": f"name {a}"}
        for n, a in enumerate(called)
    ]
    lines(folder / "qa.jsonl", rows)


def big_code_bench(folder: Path) -> None:
    """BigCodeBench's eval_results.json: a status for each sample of a task."""
    for name, right in (("one", RIGHT_ONE), ("two", RIGHT_TWO)):
        tasks = {
            f"BigCodeBench/{n}": [
                {"task_id": f"BigCodeBench/{n}", "status": "pass" if ok else "fail"}
            ]
            for n, ok in enumerate(right)
        }
        dump(folder / f"{name}.json", {"date": "2024-07-01", "eval": tasks})


def first_swe_bench(folder: Path) -> None:
    """The report of SWE-bench's first harness: lists of ids by what became of them."""
    ids = [f"org__repo-{n}" for n in PLACES]
    for name, right in (("one", RIGHT_ONE), ("two", RIGHT_TWO)):
        resolved = [one for one, ok in zip(ids, right, strict=True) if ok]
        report = {"no_generation": ids[:0], "generated": ids, "with_logs": ids, "applied": ids}
        dump(folder / f"{name}.json", {**report, "install_fail": [], "resolved": resolved})


def old_harness(folder: Path) -> None:
    """lm-evaluation-harness before 0.4.2: one array, two metrics."""
    rows = [
        {"doc_id": n, "doc": {"q": n}, "target": "x", "resps": [["x"]], "filtered_resps": ["x"],
         "acc": float(ok), "acc_norm": 0.0} for n, ok in enumerate(RIGHT_ONE)
    ]  # fmt: skip
    dump(folder / "samples.jsonl", rows)


def weights_and_biases(folder: Path) -> None:
    """A table logged to Weights & Biases with the columns of its own tutorial."""
    data = [[n, {"path": "x.png"}, t, a] for n, t, a, _ in ROWS]
    table = {"columns": ["id", "image", "truth", "guess"], "data": data}
    dump(folder / "preds.table.json", table)


def weka_as_text(folder: Path) -> None:
    """Weka's predictions as plain text and as CSV, under the title that it prints."""
    number = {name: place + 1 for place, name in enumerate(CLASSES)}
    cells = [
        [n + 1, f"{number[t]}:{t}", f"{number[a]}:{a}", "+" if a != t else "", 0.9]
        for n, t, a, _ in ROWS
    ]
    title = "=== Predictions on test data ===\n\n"
    plain = "".join("".join(f"{cell!s:>10}" for cell in row) + "\n" for row in cells)
    head = "    inst#     actual  predicted error prediction\n"
    (folder / "weka.txt").write_text(title + head + plain)
    rows = "".join(",".join(map(str, row)) + "\n" for row in cells)
    (folder / "weka.csv").write_text(title + "inst#,actual,predicted,error,prediction\n" + rows)


def grades_of_models(folder: Path) -> None:
    """A grade for each question and model, as judges of language models give them."""
    rows = [[n, m, (n * step) % 10 + 1] for m, step in (("one", 3), ("two", 7)) for n in PLACES]
    write_rows(folder / "grades.csv", ["question_id", "model", "score"], rows)


def arena(folder: Path) -> None:
    """Chatbot Arena's battles."""
    rows = [
        {"model_a": "x", "model_b": "y", "winner": "model_a" if a else "model_b" if b else "tie"}
        for a, b in zip(RIGHT_ONE, RIGHT_TWO, strict=True)
    ]
    dump(folder / "arena.json", rows)


def title_above(folder: Path) -> None:
    """A title and an empty line above the header, as reports are exported."""
    rows = "".join(f"{n},{t},{a}\n" for n, t, a, _ in ROWS)
    (folder / "report.csv").write_text("Results of the test in May\n\nid,label,pred\n" + rows)


def orange(folder: Path) -> None:
    """A table saved by Orange: names, kinds and roles in three rows."""
    head = "age\tanimal\tTree\ncontinuous\tcat dog owl\tcat dog owl\n\tclass\tmeta\n"
    rows = "".join(f"{n}\t{t}\t{a}\n" for n, t, a, _ in ROWS)
    (folder / "orange.tab").write_text(head + rows)


def percent_signs(folder: Path) -> None:
    """Shares with a percent sign, beside calls."""
    rows = [
        [n, t, a, f"{100 * max(v):.1f}%"] for (n, t, a, _), v in zip(ROWS, VECTORS, strict=True)
    ]
    write_rows(folder / "percent.csv", ["id", "label", "pred", "confidence"], rows)


def label_lists(folder: Path) -> None:
    """One label a line, a file for the truth and one for each system."""
    for name, calls in (("gold", TRUTH), ("one", ONE), ("two", TWO)):
        (folder / f"{name}.txt").write_text("\n".join(calls) + "\n")


def logits(folder: Path) -> None:
    """Raw outputs of a network, a column for each class."""
    rows = [[t, *(round(9 * x - 3, 4) for x in v)] for t, v in zip(TRUTH, VECTORS, strict=True)]
    write_rows(folder / "logits.csv", ["label", *(f"logit_{name}" for name in CLASSES)], rows)


def mt_bench(folder: Path) -> None:
    """MT-bench's judgments of single answers: two turns of a question, a row for each model."""
    rows = [
        {"question_id": n, "model": m, "judge": ["gpt-4", "v1"], "judgment": f"Rating: {n}",
         "score": (n * step + turn) % 10 + 1, "turn": turn}
        for m, step in (("one", 3), ("two", 7)) for n in PLACES for turn in (1, 2)
    ]  # fmt: skip
    lines(folder / "judgments.jsonl", rows)


def reader_study(folder: Path) -> None:
    """A long sheet of a reader study: every reader rates every case with both modalities."""
    rows = [
        [n, reader, modality, CAT[n], (n * step + CAT[n] * 40) % 100]
        for modality, step in (("ct", 7), ("mr", 11)) for reader in "xyz" for n in PLACES
    ]  # fmt: skip
    write_rows(folder / "mrmc.csv", ["case_id", "reader", "modality", "truth", "rating"], rows)


def folders_of_runs(folder: Path) -> None:
    """A folder for each run, in each a file of the same name, with a confidence."""
    for name, calls in (("a", ONE), ("b", TWO)):
        (folder / name).mkdir()
        rows = [[f"{n}.jpg", TRUTH[n], calls[n], 0.9] for n in PLACES]
        header = ["filename", "label", "prediction", "confidence"]
        write_rows(folder / name / "preds.csv", header, rows)
        write_rows(folder / f"{name}.csv", header, rows)


def marks_of_verdicts(folder: Path) -> None:
    """Pass and fail in a column for each system, and in one column for all."""
    words = ["FAIL", "PASS"]
    both = zip(PLACES, RIGHT_ONE, RIGHT_TWO, strict=True)
    wide = [[f"t{n}", words[a], words[b]] for n, a, b in both]
    write_rows(folder / "wide.csv", ["task", "one", "two"], wide)
    long = [[m, f"t{n}", words[r[n]]] for m, r in (("one", RIGHT_ONE), ("two", RIGHT_TWO))
            for n in PLACES]  # fmt: skip
    write_rows(folder / "long.csv", ["model", "task", "result"], long)


def labels_of_transformers(folder: Path) -> None:
    """LABEL_0 for the class that is 0 in the data."""
    number = {name: place for place, name in enumerate(CLASSES)}
    rows = [{"label": number[t], "pred": f"LABEL_{number[a]}"} for _, t, a, _ in ROWS]
    lines(folder / "hf.jsonl", rows)


def markdown(folder: Path) -> None:
    """A table of predictions pasted from a notebook."""
    rows = "".join(f"| {n} | {t} | {a} |\n" for n, t, a, _ in ROWS)
    (folder / "pasted.md").write_text("| id | label | pred |\n|---|:--|---:|\n" + rows)


def spss(folder: Path) -> None:
    """An export of SPSS: capitals, whole numbers with a comma, probabilities."""
    rows = [[n, f"{t},00", f"{a},00", f"{v[0]:.4f}".replace(".", ",")]
            for n, t, a, v in zip(PLACES, CAT, FLAG, VECTORS, strict=True)]  # fmt: skip
    header = ["CASE_ID", "GROUP_TRUE", "GROUP_PRED", "PROB"]
    write_rows(folder / "spss.csv", header, rows, ";")


def comments(folder: Path) -> None:
    """Comments above the header, as evaluation scripts leave them."""
    rows = "".join(f"{n},{t},{a}\n" for n, t, a, _ in ROWS)
    (folder / "notes.csv").write_text("# by eval.py\n# model: resnet\nid,label,pred\n" + rows)

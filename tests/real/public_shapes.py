"""Shapes of predictions that were found in public repositories: names and layouts, our own values.

What is called is that of ``more_shapes.py``; the repositories keep theirs.
"""

import csv
import json
from pathlib import Path

from tests.real.more_shapes import CAT, FLAG, OTHERS, PLACES, ROWS, TRUTH, TWO, VECTORS
from tests.real.shapes import CLASSES, write_rows

__all__: list[str] = []

NUMBER = {name: place for place, name in enumerate(CLASSES)}
SCORES = [vector[0] for vector in VECTORS]
OTHER_SCORES = [vector[0] for vector in OTHERS]
SURE = [round(max(s, 1 - s), 6) for s in SCORES]
BINARY = [int(s > 0.5) for s in SCORES]


def a_file_each(folder: Path) -> None:
    """A file for each model, whose columns bear its name; label and text are in all of them."""
    for name, place in (("bert", 2), ("gpt", 3)):
        rows = [
            [row[0], f"text {row[0]}", NUMBER[row[1]], row[1], row[place], NUMBER[row[place]]]
            for row in ROWS
        ]
        header = ["row_id", "sentence", "label", "label_name"]
        named = [f"{name}_prediction", f"{name}_predicted_label"]
        write_rows(folder / f"{name}_predictions.csv", [*header, *named], rows)


def a_column_each(folder: Path) -> None:
    """The same with a column called as the system is."""
    for name, place in (("cnn", 2), ("svm", 3)):
        write_rows(
            folder / f"run_{name}.csv",
            ["id", "label", name],
            [[r[0], r[1], r[place]] for r in ROWS],
        )


def predicted_group(folder: Path) -> None:
    """What is predicted stands beside it: ``group`` and ``group_predicted``, semicolons."""
    rows = [[f"title {n}", t, a] for n, t, a, _ in ROWS]
    write_rows(folder / "test_results.csv", ["title", "group", "group_predicted"], rows, ";")


def probability_of_the_call(folder: Path) -> None:
    """A classifier's label and how sure it is of it, never below one half."""
    names = ["cat" if c else "other" for c in CAT], ["cat" if b else "other" for b in BINARY]
    rows = [[n, t, c, s] for n, t, c, s in zip(PLACES, *names, SURE, strict=True)]
    write_rows(folder / "sure.csv", ["id", "label", "prediction", "confidence"], rows)


def predicted_probability(folder: Path) -> None:
    """Keras: the truth as 1.0 and 0.0, calls, ``predicted_prob``."""
    rows = [[f"{t}.0", b, s] for t, b, s in zip(CAT, BINARY, SCORES, strict=True)]
    write_rows(folder / "keras.csv", ["true_label", "predicted_label", "predicted_prob"], rows)


def coded_truth(folder: Path) -> None:
    """Eye clinics: the label in words and in numbers, calls in numbers, verdicts beside them."""
    rows = [
        [f"{n}.jpg", n // 4, "GON+" if t else "GON-", f"{n / 7:.2f}", t, b, s, t == b]
        for n, t, b, s in zip(PLACES, CAT, BINARY, SCORES, strict=True)
    ]
    header = ["Image Name", "Patient", "Label", "Quality Score", "label_numeric"]
    write_rows(folder / "eyes.csv", [*header, "prediction", "probability", "correct"], rows)


def variants(folder: Path) -> None:
    """A row for each item and variant of a method, which two columns name together."""
    scored = zip(PLACES, CAT, SCORES, OTHER_SCORES, strict=True)
    rows = []
    for n, t, one, two in scored:
        rows += [[n, n % 5, t, one, "graph", "full"], [n, n % 5, t, two, "raw", "full"]]
        rows += [[n, n % 5, t, 1 - one, "graph", "small"]]
    header = ["ID", "fold", "y_true", "y_score", "representation", "variant"]
    write_rows(folder / "folds.csv", header, rows)


def kinds_of_items(folder: Path) -> None:
    """An audit of two filters: what kind an item is looks like an answer."""
    flags = ["toxic" if c else "non-toxic" for c in CAT]
    calls = ["toxic" if f else "non-toxic" for f in FLAG]
    others = ["toxic" if b == "cat" else "non-toxic" for b in TWO]
    kinds = ["toxic" if n % 3 else "neutral" for n in PLACES]
    rows = [list(row) for row in zip(PLACES, kinds, flags, calls, others, strict=True)]
    write_rows(
        folder / "audit.csv", ["pair_id", "category", "expected_label", "a_label", "b_label"], rows
    )


def flags_among_features(folder: Path) -> None:
    """A table of features, some of them 1 and 0, with ``churn`` and a prediction of it."""
    rows = [
        [f"C{n // 2}", f"{n * 1.37:.2f}", n % 2, n % 3, t, f]
        for n, t, f in zip(PLACES, CAT, FLAG, strict=True)
    ]
    header = ["customer_id", "amount", "is_member", "plan", "churn", "churn_pred"]
    write_rows(folder / "churn.csv", header, rows)


def many_classes(folder: Path) -> None:
    """Twenty species, of which one is called and never true here."""
    species = [f"a_bird_with_the_number_{n % 20}" for n in PLACES]
    calls = [s if n % 5 else "a_bird_of_passage" for n, s in zip(PLACES, species, strict=True)]
    rows = [list(row) for row in zip(species, calls, strict=True)]
    write_rows(folder / "birds.csv", ["True Label", "Predicted Label"], rows)


def labels_in_any_order(folder: Path) -> None:
    """Several labels of an item, which the prediction lists in another order."""
    known = ["heart|kidney", "heart", "kidney|liver", "liver"]
    truth = [known[n % 4] for n in PLACES]
    calls = ["|".join(reversed(t.split("|"))) if n % 3 else "liver" for n, t in enumerate(truth)]
    write_rows(
        folder / "labels.csv",
        ["target", "predictions"],
        [*map(list, zip(truth, calls, strict=True))],
    )


def retrieved(folder: Path) -> None:
    """A grade of each translation, a folder for each model, the same ids in both."""
    for name, factor in (("8bit", 3), ("2bit", 7)):
        (folder / name).mkdir()
        rows = [[(n * factor) % 10 + 0.5, n, "en-de"] for n in PLACES]
        write_rows(folder / name / "rows.csv", ["chrf", "id", "langpair"], rows)


def two_models_with_verdicts(folder: Path) -> None:
    """A base model and an adapted one: answers, raw outputs, verdicts."""
    rows = [[n, t, a, a, t == a, b, b, t == b] for n, t, a, b in ROWS]
    parts = ("prediction", "raw_output", "correct")
    named = [f"{model}_{part}" for model in ("base", "adapted") for part in parts]
    write_rows(folder / "vlm.csv", ["sample_index", "expected", *named], rows)


def out_of_folds(folder: Path) -> None:
    """Out-of-fold probabilities beside ``Actual_Churn``; and the truth in a table of customers."""
    rows = [list(row) for row in zip(PLACES, CAT, SCORES, strict=True)]
    write_rows(folder / "oof.csv", ["ID", "Actual_Churn", "OOF_p_churn"], rows)
    write_rows(folder / "sent.csv", ["ID", "p_churn"], [[n, s] for n, s in enumerate(SCORES)])
    held = [[n, "f" if n % 2 else "m", n * 3, t] for n, t in enumerate(CAT)]
    write_rows(folder / "held.csv", ["ID", "gender", "tenure", "Churn"], held)


def words_beside_places(folder: Path) -> None:
    """Network traffic: features, a label of 1 and 0, a prediction in words."""
    rows = [
        [n, n % 7, f"{n / 61:.3f}", t, "attack" if f else "normal"]
        for n, t, f in zip(PLACES, CAT, FLAG, strict=True)
    ]
    header = ["duration", "num_failed", "error_rate", "label", "predicted_label"]
    write_rows(folder / "traffic.csv", header, rows)


def confidence_in_percent(folder: Path) -> None:
    """How sure an interviewer is of a decision, from 0 to 100."""
    names = {1: "select", 0: "reject"}
    rows = [
        [n, names[f], 50 + (n * 7) % 50, names[t]]
        for n, t, f in zip(PLACES, CAT, FLAG, strict=True)
    ]
    header = ["id", "predicted_decision", "confidence", "actual_decision"]
    write_rows(folder / "calls.csv", header, rows)


def prices(folder: Path) -> None:
    """Predictions of a price, beside what was paid."""
    rows = [[n, n * 7 % 60 + 0.5, n * 7 % 60 + n % 3, n * 7 % 60 - n % 5] for n in PLACES]
    write_rows(folder / "prices.csv", ["", "price", "predicted_price", "rf_pred"], rows)


def ranked_lists(folder: Path) -> None:
    """Recommenders: the ten best in a list, what was right beside them."""
    rows = [{"id": n, "gold": t, "top3": [a, b, "eel"]} for n, t, a, b in ROWS]
    (folder / "ranked.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    rows = [{"qid": n, "relevant": [t], "retrieved": [a, b]} for n, t, a, b in ROWS]
    (folder / "retrieved.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    places = [[n, t, a, b, "eel"] for n, t, a, b in ROWS]
    write_rows(folder / "places.csv", ["image", "label", "top1", "top2", "top3"], places)


def verdicts_in_cells(folder: Path) -> None:
    """promptfoo's table: a column for each prompt, each cell begins with a verdict."""
    words = {True: "[PASS] (1.00)", False: "[FAIL] (0.00)"}
    titles = ["[openai:one] Say {{animal}}", json.dumps({"provider": "two", "raw": "a, b"})]
    with (folder / "table.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["animal", *titles])
        out.writerows(
            [f"{t} {n}", f"{words[t == a]}\n\n{a}, it says", f"{words[t == b]} {b}"]
            for n, t, a, b in ROWS
        )


def answers_alone(folder: Path) -> None:
    """What was called, and nothing beside it."""
    (folder / "answers.csv").write_text("prediction\n" + "".join(f"{a}\n" for _, _, a, _ in ROWS))
    (folder / "truth.csv").write_text("label\n" + "".join(f"{t}\n" for t in TRUTH))
    (folder / "answers.json").write_text(json.dumps([a for _, _, a, _ in ROWS]))


def measures(folder: Path) -> None:
    """What is written beside predictions: reports, points, counts, tables of F1."""
    report = "".join(f"{name},0.9,{r},0.9,{n}.0\n" for name, r, n in
                     (("a", 0.5, 20), ("b", 0.75, 40)))  # fmt: skip
    rest = "accuracy,0.667,0.667,0.667,0.667\nmacro avg,0.9,0.6,0.9,60.0\n"
    (folder / "report.csv").write_text(f",precision,recall,f1-score,support\n{report}{rest}")
    (folder / "roc.csv").write_text(",FPR,TPR\n0,0.0,0.0\n1,0.1,0.7\n2,1.0,1.0\n")
    (folder / "final.csv").write_text("Threshold,Accuracy,TN,FP,FN,TP\n0.5,0.73,45,36,63,18\n")
    (folder / "f1.csv").write_text("Model,F1 macro,F1 weighted\nA,0.91,0.92\nB,0.89,0.9\n")
    (folder / "saved.txt").write_text("9313 398\n3606 9227\n")
    (folder / "counts.csv").write_text("0,1,2\n73,2,0\n0,70,5\n0,0,74\n")
    assert len(TRUTH) == len(ROWS)

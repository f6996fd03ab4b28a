"""Other shapes of files: the first command answers, or its message holds options that do."""

import json
import shlex

import pytest

from tests.real.shapes import CLASSES, counts, draw, write_rows
from tests.typed import type_words

DRAWN = draw()
PLACES = range(len(DRAWN.truth))
FIRST, SECOND = DRAWN.right(DRAWN.first), DRAWN.right(DRAWN.second)
BOTH = list(zip(DRAWN.truth, DRAWN.first, DRAWN.second, strict=True))


def beside_quantities(folder):
    """Answers beside numbers that nobody could take for scores."""
    rows = [[20.5 + n, 0.02, 0.3, *row] for n, row in zip(PLACES, BOTH, strict=True)]
    header = ["age", "watch_hours", "sample.weight", "truth", "cnn", "svm"]
    write_rows(folder / "rows.csv", header, rows)


def beside_confidence(folder):
    """A confidence in whatever was called speaks for no one class."""
    rows = [[a, b, s] for (a, b, _), s in zip(BOTH, DRAWN.scores, strict=True)]
    write_rows(folder / "rows.csv", ["Ground Truth", "Prediction", "Confidence"], rows)


def loud_classes(folder):
    rows = [[t, *v] for t, v in zip(DRAWN.truth, DRAWN.vectors, strict=True)]
    header = ["label", *(f"P({name.upper()})" for name in CLASSES)]
    write_rows(folder / "rows.csv", header, rows)


def a_file_of_probabilities_each(folder):
    header = ["id", "truth", *(f"p_{name}" for name in CLASSES)]
    for name, shift in (("forest", 0), ("net", 1)):
        vectors = [DRAWN.vectors[(n + shift) % len(PLACES)] for n in PLACES]
        rows = [[n, DRAWN.truth[n], *vectors[n]] for n in PLACES]
        write_rows(folder / f"{name}.csv", header, rows)


def plain_arff(folder):
    """Weka's AddClassification: any attributes, the truth and the classification among them."""
    names = "{" + ",".join(CLASSES) + "}"
    lines = ["% runs", "@relation 'x y'", "@attribute size NUMERIC", f"@attribute 'class' {names}"]
    lines += [f"@attribute 'my model' {names}", "@data"]
    lines += [f"{n}.5,{t},'{a}'" for n, (t, a, _) in zip(PLACES, BOTH, strict=True)]
    (folder / "rows.arff").write_text("\n".join(lines) + "\n\x00")


def maps_of_answers(folder):
    for name, column in (("truth", 0), ("one", 1), ("two", 2)):
        whole = {f"q{n}": row[column] for n, row in zip(PLACES, BOTH, strict=True)}
        (folder / f"{name}.json").write_text(json.dumps(whole, indent=1))


def old_promptfoo(folder):
    rows = [
        {"provider": m, "prompt": {"raw": "p", "display": "p"}, "vars": {"q": n}, "success": t == a}
        for n, (t, one, two) in zip(PLACES, BOTH, strict=True)
        for m, a in (("one", one), ("two", two))
    ]
    whole = {"results": {"version": 2, "results": rows, "stats": {}}, "config": {}}
    (folder / "out.json").write_text(json.dumps(whole))


def one_column_left(folder):
    """Long rows whose answers stand in a column with any name."""
    rows = [
        [f"q{n}", t, m, a]
        for n, (t, one, two) in zip(PLACES, BOTH, strict=True)
        for m, a in (("one", one), ("two", two))
    ]
    write_rows(folder / "rows.csv", ["question_id", "label", "model", "reply"], rows)


def labels_and_scores(folder):
    """An audit of two classifiers: texts, the expected label, a label and a score of each."""
    rows = [
        [n // 2, "en" if n % 2 else "bn", f"text {n}", "neutral", t, a, s, b, s / 2]
        for n, (t, a, b), s in zip(PLACES, BOTH, DRAWN.scores, strict=True)
    ]
    header = ["pair_id", "language", "text", "category", "expected_label"]
    header += ["bert_label", "bert_score", "other_label", "other_score"]
    write_rows(folder / "rows.csv", header, rows)


def features_and_flag(folder):
    """A table of features with a probability and a flag put beside it."""
    rows = [
        [41505.0 + n, -n / 7, n * 1.5, int(t == "cat"), s, int(a == "cat")]
        for n, (t, a, _), s in zip(PLACES, BOTH, DRAWN.scores, strict=True)
    ]
    header = ["Time", "V1", "Amount", "Class", "fraud_probability", "fraud_flag"]
    write_rows(folder / "rows.csv", header, rows)


CATS = sum((t == "cat") == (a == "cat") for t, a, _ in BOTH)


@pytest.mark.parametrize(
    ("shape", "line", "right"),
    [
        (beside_quantities, "compare rows.csv", {"cnn": FIRST, "svm": SECOND}),
        (beside_confidence, "evaluate rows.csv", {"Prediction": FIRST}),
        (loud_classes, "evaluate rows.csv", {"P": FIRST}),
        (a_file_of_probabilities_each, "evaluate forest.csv", {"p": FIRST}),
        (plain_arff, "evaluate rows.arff", {"my model": FIRST}),
        (maps_of_answers, "compare one.json two.json --truth truth.json",
         {"one": FIRST, "two": SECOND}),
        (labels_and_scores, "compare rows.csv", {"bert_label": FIRST, "other_label": SECOND}),
        (features_and_flag, "evaluate rows.csv --positive 1", {"fraud_flag": CATS}),
        (old_promptfoo, "compare out.json", {"one": FIRST, "two": SECOND}),
        (one_column_left, "compare rows.csv", {"one": FIRST, "two": SECOND}),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)  # fmt: skip
def test_the_first_command_answers_with_the_right_counts(tmp_path, monkeypatch, shape, line, right):
    monkeypatch.chdir(tmp_path)
    shape(tmp_path)
    code, out, err = type_words([*shlex.split(line), "--json"])
    assert code == 0, err
    assert counts(json.loads(out)) == right


def test_two_files_of_probabilities_are_two_systems(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a_file_of_probabilities_each(tmp_path)
    for line in ("compare forest.csv net.csv", "compare forest=forest.csv net=net.csv"):
        code, out, err = type_words([*line.split(), "--json"])
        assert code == 0, err
        assert counts(json.loads(out))["forest"] == FIRST


def likely_scores(folder):
    rows = [[t == "cat", a == "cat", b == "cat", s] for (t, a, b), s in
            zip(BOTH, DRAWN.scores, strict=True)]  # fmt: skip
    named = [["yes" if cell is True else "no" if cell is False else cell for cell in row]
             for row in rows]  # fmt: skip
    write_rows(folder / "rows.csv", ["truth", "cnn", "svm", "forest"], named)


def verdicts(folder):
    write_rows(
        folder / "rows.csv", ["one", "two"], [[int(t == a), int(t == b)] for t, a, b in BOTH]
    )


def grades(folder):
    write_rows(folder / "rows.csv", ["one", "two"], [[n % 5, (n * 3) % 5] for n in PLACES])


def errors(folder):
    rows = [[7 + n % 3, n % 2, n % 3] for n in PLACES]
    write_rows(folder / "rows.csv", ["words", "one.errors", "two.errors"], rows)


def truth_among_the_files(folder):
    for name, title, column in (("answers", "gt", 0), ("one", "pred", 1), ("two", "pred", 2)):
        rows = [[f"x{n}", row[column]] for n, row in zip(PLACES, BOTH, strict=True)]
        write_rows(folder / f"{name}.csv", ["image_id", title], rows)


def a_feature_called_system(folder):
    rows = [["ab"[n % 2], *row] for n, row in zip(PLACES, BOTH, strict=True)]
    write_rows(folder / "rows.csv", ["system", "truth", "cnn", "svm"], rows)


def vectors_of_scores(folder):
    rows = [[t, *(9 * x for x in v)] for t, v in zip(DRAWN.truth, DRAWN.vectors, strict=True)]
    write_rows(folder / "rows.csv", ["truth", *(f"s_{name}" for name in CLASSES)], rows)


@pytest.mark.parametrize(
    ("shape", "line", "next_line", "holds"),
    [
        (likely_scores, "compare rows.csv", "compare rows.csv --systems cnn,svm",
         "(--systems cnn,svm)"),
        (likely_scores, "evaluate rows.csv",
         "evaluate rows.csv --systems cnn,svm,forest --positive yes",
         "(--systems cnn,svm,forest) and positive='yes' (--positive yes)"),
        (likely_scores, "compare rows.csv --positive yes", "compare rows.csv --systems cnn,svm",
         "(--systems cnn,svm)"),
        (verdicts, "compare rows.csv", "compare rows.csv --outcome one,two", "(--outcome one,two)"),
        (grades, "compare rows.csv", "compare rows.csv --value one,two --higher-is-better",
         "(--value one,two)"),
        (errors, "compare rows.csv", "compare rows.csv --errors one.errors,two.errors --per words",
         "(--errors one.errors,two.errors) and per='words' (--per words)"),
        (truth_among_the_files, "compare one.csv two.csv answers.csv",
         "compare one.csv two.csv --truth answers.csv:gt", "(--truth answers.csv:gt)"),
        (a_feature_called_system, "compare rows.csv", "compare rows.csv --system ''",
         "(--system '')"),
        (vectors_of_scores, "evaluate rows.csv --vector s=s_{class}",
         "evaluate rows.csv --vector s=s_{class} --score s", "(--score s)"),
    ],
    ids=lambda part: getattr(part, "__name__", ""),
)  # fmt: skip
def test_a_refusal_holds_the_options_that_answer(
    tmp_path, monkeypatch, shape, line, next_line, holds
):
    monkeypatch.chdir(tmp_path)
    shape(tmp_path)
    code, _, err = type_words(shlex.split(line))
    assert code == 1
    assert holds in " ".join(err.split())
    code, _, err = type_words(shlex.split(next_line))
    assert code == 0, err


def test_grades_are_not_offered_as_right_and_wrong(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    grades(tmp_path)
    _, _, err = type_words(["compare", "rows.csv"])
    assert "--outcome" not in err


def test_grades_on_one_scale_are_offered_whatever_their_columns_are_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"q{n},{'abc'[n % 3]},{n * n % 5 + 1},{n % 5 + 1},{n * 37 % 89 + 20}" for n in range(40)
    ]
    (tmp_path / "graded.csv").write_text("\n".join(["question,topic,alpha,beta,age", *rows]))
    assert "--value" not in type_words(["compare", "graded.csv"])[2]  # ages may be anything
    rows = [row.rpartition(",")[0] for row in rows]
    (tmp_path / "graded.csv").write_text("\n".join(["question,topic,alpha,beta", *rows]))
    _, _, err = type_words(["compare", "graded.csv"])
    assert err.splitlines()[-1] == "Type: steelyard compare graded.csv --value alpha,beta"


def test_a_board_of_resolved_tasks_alone_has_no_rate(tmp_path, monkeypatch):
    """It names nothing that was tried in vain, so that every rate over it would be 1."""
    monkeypatch.chdir(tmp_path)
    board = {"no_generation": [], "no_logs": [], "resolved": [f"org__x-{n}" for n in range(36)]}
    (tmp_path / "results.json").write_text(json.dumps(board))
    code, _, err = type_words(["evaluate", "results.json"])
    assert code == 1
    assert "36 resolved tasks, and not the attempts that failed" in " ".join(err.split())


@pytest.mark.parametrize(
    ("word", "name"),
    [("AUROC", "AUC"), ("f1_macro", "macro F1"), ("matthews_corrcoef", "MCC"), ("acc", "accuracy"),
     ("F1 score", "F1"), ("cohen_kappa_score", "kappa"), ("pr_auc", "average precision"),
     ("neg_log_loss", "log score"), ("exact match", "accuracy"), ("KS", "KS distance")],
)  # fmt: skip
def test_measures_are_known_by_the_words_of_libraries(word, name):
    from steelyard.measures.catalogue.listing import catalogue_entry

    assert catalogue_entry(word).name == name


@pytest.mark.parametrize("header", [["item", "system", "correct"], ["task", "model", "correct"]])
def test_a_few_long_rows_are_no_table_of_published_results(tmp_path, monkeypatch, header):
    """Two systems and their verdicts on an item look like names and shares of right answers."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "rows.csv", header, [["i1", "cnn", 1], ["i1", "svm", 0]])
    code, out, err = type_words(["compare", "rows.csv", "--json"])
    assert code == 0, err
    assert counts(json.loads(out)) == {"cnn": 1, "svm": 0}

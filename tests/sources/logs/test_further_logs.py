"""The other formats of evaluation logs, each with its traps."""

import json
import shutil
from pathlib import Path

import pytest

from steelyard.errors import FileUnreadable, RolesUnclear, SourceError, UnusableRows
from steelyard.journey import evaluate
from steelyard.sources import Roles, open_predictions
from steelyard.sources.logs import FORMATS, detect_log
from steelyard.tally import tally_confusion, tally_trials

DATA = Path(__file__).parent / "data"


def counted(data, **roles):
    trials = tally_trials(open_predictions(data, Roles.of(**roles)))
    return {
        n: (c, t) for n, c, t in zip(trials.systems, trials.correct, trials.tested, strict=True)
    }


def clusters(data, **roles):
    predictions = open_predictions(data, Roles.of(**roles))
    ((found,),) = predictions.table.query("SELECT COUNT(DISTINCT cluster) FROM {t}")
    return found, predictions.rows


def changed(name, target, change):
    """Copy a sample of one JSON value, changed."""
    whole = json.loads((DATA / name).read_text())
    change(whole)
    target.write_text(json.dumps(whole))
    return target


def lines(name, target, change):
    """Copy a sample of JSON lines, changed."""
    rows = [json.loads(line) for line in (DATA / name).read_text().splitlines()]
    target.write_text("\n".join(json.dumps(row) for row in change(rows)))
    return target


def test_every_file_of_the_samples_is_told_to_be_what_it_is():
    told = {}
    for path in sorted(DATA.rglob("*")):
        if path.is_file() and not path.name.startswith("submission"):
            format_ = detect_log(path)
            told.setdefault(format_.name if format_ else None, []).append(path.name)
    # A wide table is an ordinary one.
    assert told.pop(None) == ["cross_val_predict.csv"]
    assert set(told) == {one.name for one in FORMATS} - {"Kaggle submission"}


def test_every_format_has_a_name_of_its_own():
    assert len({one.name for one in FORMATS}) == len(FORMATS)


EEE = "every_eval_ever/instances.jsonl"


def test_every_eval_ever_takes_the_verdict_of_the_log():
    assert counted(DATA / EEE) == {"acme/alpha": (3, 4)}


def test_epochs_that_a_converter_kept_are_repeats(tmp_path):
    def twice(rows):
        return [{**row, "metadata": {"epoch": epoch}} for row in rows for epoch in (1, 2)]

    assert clusters(lines(EEE, tmp_path / "e.jsonl", twice)) == (4, 8)


def test_filters_hidden_in_names_are_never_counted_twice(tmp_path):
    def doubled(rows):
        names = ("adds (strict)", "adds (loose)")
        return [{**row, "evaluation_name": name} for row in rows for name in names]

    log = lines(EEE, tmp_path / "e.jsonl", doubled)
    with pytest.raises(RolesUnclear, match=r"2 filters: adds \(strict\), adds \(loose\)"):
        open_predictions(log, Roles.of())
    assert counted(log, filter="adds (loose)") == {"acme/alpha": (3, 4)}


def test_an_instance_that_errored_is_an_error(tmp_path):
    log = lines(EEE, tmp_path / "e.jsonl", lambda rows: [{**rows[0], "error": "boom"}, *rows[1:]])
    with pytest.raises(UnusableRows, match=r"boom"):
        open_predictions(log, Roles.of())
    assert counted(log, errors="wrong") == {"acme/alpha": (2, 4)}


HELM = "helm/per_instance_stats.json"


def test_helm_asks_for_the_metric_and_takes_trials_as_repeats():
    with pytest.raises(RolesUnclear, match=r"4 metrics: .*--metric exact_match"):
        open_predictions(DATA / HELM, Roles.of())
    assert counted(DATA / HELM, metric="exact_match") == {"acme/alpha": (7, 8)}
    assert clusters(DATA / HELM, metric="exact_match") == (4, 8)


def test_perturbed_rows_do_not_double_the_items(tmp_path):
    def perturb(whole):
        whole += [{**one, "perturbation": {"name": "typos"}} for one in whole]

    log = changed(HELM, tmp_path / "per_instance_stats.json", perturb)
    predictions = open_predictions(log, Roles.of(metric="exact_match"))
    assert predictions.rows == 8
    assert "8 rows of perturbed inputs left out" in str(predictions.understood)


def test_statistics_that_are_perturbed_one_by_one_are_left_out_too(tmp_path):
    def perturb(whole):
        for one in json.loads(json.dumps(whole)):
            for stat in one["stats"]:
                stat["name"]["perturbation"] = {"name": "typos"}
            whole.append(one)

    log = changed(HELM, tmp_path / "per_instance_stats.json", perturb)
    assert open_predictions(log, Roles.of(metric="exact_match")).rows == 8


def test_a_mean_that_is_not_there_is_the_sum_over_the_count(tmp_path):
    def without(whole):
        for one in whole:
            for stat in one["stats"]:
                del stat["mean"]

    log = changed(HELM, tmp_path / "per_instance_stats.json", without)
    assert list(counted(log, metric="exact_match").values()) == [(7, 8)]


def test_a_run_of_helm_is_named_by_its_spec_or_its_folder(tmp_path):
    folder = tmp_path / "mmlu:model=acme_beta"
    folder.mkdir()
    shutil.copy(DATA / HELM, folder)
    assert list(counted(folder / Path(HELM).name, metric="exact_match")) == ["mmlu:model=acme_beta"]
    assert list(counted(DATA / HELM, metric="exact_match")) == ["acme/alpha"]


def test_the_spec_of_a_run_adds_nothing_and_alone_is_refused(tmp_path):
    both = [DATA / HELM, DATA / "helm/run_spec.json"]
    assert counted(both, metric="exact_match") == {"acme/alpha": (7, 8)}
    shutil.copy(DATA / "helm/run_spec.json", tmp_path)
    with pytest.raises(FileUnreadable, match=r"Name per_instance_stats.json"):
        open_predictions(tmp_path / "run_spec.json", Roles.of())


DEEP = "deepeval/test_run_20261115_072213.json"


def test_deepeval_takes_the_success_of_a_case():
    assert counted(DATA / DEEP) == {"run-alpha": (3, 4)}
    assert counted(DATA / DEEP, metric="Exact") == {"run-alpha": (3, 4)}


def test_a_metric_that_errored_makes_the_case_an_error(tmp_path):
    def err(whole):
        whole["testCases"][1]["metricsData"][0]["error"] = "no judge"

    log = changed(DEEP, tmp_path / "run.json", err)
    with pytest.raises(UnusableRows, match=r"no judge"):
        open_predictions(log, Roles.of())
    assert counted(log, errors="drop-pair") == {"run-alpha": (2, 3)}


def test_cases_of_one_name_are_told_by_their_input(tmp_path):
    def rename(whole):
        for case in whole["testCases"]:
            case["name"] = "test_answer"

    assert counted(changed(DEEP, tmp_path / "run.json", rename)) == {"run-alpha": (3, 4)}


CLASSIC, GENAI = "mlflow/mlflow_eval_results_table.json", "mlflow/mlflow_genai_result_df.json"


def test_mlflow_tables_of_both_kinds_are_read():
    assert list(counted(DATA / CLASSIC).values()) == [(3, 4)]
    assert list(counted(DATA / GENAI).values()) == [(3, 4)]


def test_two_runs_of_mlflow_genai_pair_by_the_hash_of_the_request(tmp_path):
    def other(whole):
        trace = whole["columns"].index("trace_id")
        for row in whole["data"]:
            row[trace] = f"tr-new-{row[trace]}"
        whole["data"].reverse()

    again = changed(GENAI, tmp_path / "other.json", other)
    found = counted({"one": DATA / GENAI, "two": again})
    assert found == {"one": (3, 4), "two": (3, 4)}


def test_a_trace_that_failed_is_an_error(tmp_path):
    def fail(whole):
        whole["data"][0][whole["columns"].index("state")] = "ERROR"

    with pytest.raises(UnusableRows, match=r"state ERROR"):
        open_predictions(changed(GENAI, tmp_path / "x.json", fail), Roles.of())


def test_what_people_expected_is_no_scorer():
    with pytest.raises(SourceError, match=r"Found: exact"):
        open_predictions(DATA / GENAI, Roles.of(scorer="expected_response"))


def test_a_score_that_is_null_is_an_error(tmp_path):
    def lose(whole):
        whole["data"][0][-1] = None

    with pytest.raises(UnusableRows, match=r"1 sample errored or was not scored"):
        open_predictions(changed(CLASSIC, tmp_path / "x.json", lose), Roles.of())


def test_a_table_without_ids_is_paired_by_its_input_or_not_at_all(tmp_path):
    def unnamed(whole):
        whole["columns"][0] = "topic"
        for row in whole["data"]:
            row[0] = "sums"

    log = changed(CLASSIC, tmp_path / "x.json", unnamed)
    assert "item: column 'inputs'" in str(open_predictions(log, Roles.of()).understood)

    def nameless(whole):
        unnamed(whole)
        for row in whole["data"]:
            row[1] = "?"

    with pytest.raises(FileUnreadable, match=r"no column names the item"):
        open_predictions(changed(CLASSIC, tmp_path / "y.json", nameless), Roles.of())


WANDB = "wandb/eval_0_5862afd259127297757a.table.json"


def test_a_table_of_weights_and_biases_is_read_by_its_verdict():
    assert list(counted(DATA / WANDB).values()) == [(3, 4)]
    assert counted({"mine": DATA / WANDB}, metric="score") == {"mine": (3, 4)}


def test_a_table_with_truth_and_prediction_gives_classes(tmp_path):
    def without(whole):
        whole["columns"] = whole["columns"][:4]
        whole["data"] = [row[:4] for row in whole["data"]]

    log = changed(WANDB, tmp_path / "run.table.json", without)
    predictions = open_predictions(log, Roles.of(classes=["0", "2", "4", "5", "6"]))
    assert tally_confusion(predictions, predictions.systems[0]).total == 4


def test_a_table_with_an_uneven_row_is_refused(tmp_path):
    log = changed(WANDB, tmp_path / "run.table.json", lambda whole: whole["data"][2].pop())
    with pytest.raises(FileUnreadable, match=r"row 3 has not one value"):
        open_predictions(log, Roles.of())


OPENAI = "openai_evals/run_a.jsonl"


def test_openai_evals_count_matches():
    assert counted(DATA / OPENAI) == {"acme/model-a": (4, 5)}


def test_a_sample_without_a_match_is_an_error_and_never_forgotten(tmp_path):
    def lose(rows):
        return [row for row in rows if row.get("event_id") != 1]

    log = lines(OPENAI, tmp_path / "run.jsonl", lose)
    with pytest.raises(UnusableRows, match=r"item 'adds.dev.0': no match"):
        open_predictions(log, Roles.of())
    assert counted(log, errors="wrong") == {"acme/model-a": (3, 5)}


def test_several_matches_of_one_sample_are_repeats(tmp_path):
    def again(rows):
        return [*rows, *(row for row in rows if row.get("type") == "match")]

    assert clusters(lines(OPENAI, tmp_path / "run.jsonl", again)) == (5, 10)


OPENML = "openml/predictions.arff"


def test_the_attribute_correct_of_openml_is_the_true_class():
    predictions = open_predictions(DATA / OPENML, Roles.of())
    confusion = tally_confusion(predictions, predictions.systems[0])
    assert confusion.true_totals() == {"neg": 3, "pos": 5}
    assert counted(DATA / OPENML) == {"predictions": (4, 8)}


def test_repeats_of_openml_are_clusters_of_one_row(tmp_path):
    text = (DATA / OPENML).read_text()
    head, mark, data = text.partition("@DATA\n")
    again = "\n".join("1" + row[1:] for row in data.splitlines() if row)
    log = tmp_path / "run.arff"
    log.write_text(f"{head}{mark}{data}\n{again}\n")
    assert clusters(log) == (8, 16)


def test_an_arff_of_something_else_is_a_table(tmp_path):
    log = tmp_path / "iris.arff"
    log.write_text(
        "@RELATION iris\n@ATTRIBUTE 'petal width' NUMERIC\n@ATTRIBUTE truth {a,b}\n"
        "@ATTRIBUTE 'my tree' {a,b}\n@DATA\n1,a,a\n?,b,'a'\n"
    )
    found = open_predictions(log, Roles.of(systems="my tree"))
    assert [system.name for system in found.systems] == ["my tree"]
    assert found.files[0].read_as.startswith("ARFF: ")
    log.write_text("@RELATION iris\n@ATTRIBUTE truth {a,b}\n@DATA\n{0 a}\n")
    with pytest.raises(FileUnreadable, match="its rows are sparse"):
        open_predictions(log, Roles.of())


KAGGLE = [DATA / "kaggle" / name for name in ("solution.csv", "submission_alpha.csv")]


def test_a_submission_is_judged_by_the_solution_beside_it():
    found = counted([*KAGGLE, DATA / "kaggle/submission_beta.csv"])
    assert found == {"submission_alpha": (8, 10), "submission_beta": (6, 10)}
    slices = evaluate([str(path) for path in KAGGLE], group="usage").systems[0].slices
    assert [(one.of, one.trials) for one in slices] == [("Private", 6), ("Public", 4)]


def test_ids_without_an_answer_and_answers_without_an_id_are_named(tmp_path):
    short = tmp_path / "short.csv"
    rows = KAGGLE[1].read_text().splitlines()
    short.write_text("\n".join([*rows[:-1], "999,1"]))
    with pytest.raises(UnusableRows, match=r"no answer in the submission"):
        open_predictions([KAGGLE[0], short], Roles.of())
    predictions = open_predictions([KAGGLE[0], short], Roles.of(errors="drop-pair"))
    assert predictions.rows == 9
    assert "short.csv: 1 id not in the solution, left out" in predictions.caveats


def test_an_id_that_is_answered_twice_is_refused(tmp_path):
    twice = tmp_path / "twice.csv"
    twice.write_text(KAGGLE[1].read_text() + "100,1\n")
    with pytest.raises(FileUnreadable, match=r"an id appears twice"):
        open_predictions([KAGGLE[0], twice], Roles.of())


def test_errors_of_called_classes_may_count_as_wrong(tmp_path):
    short = tmp_path / "short.csv"
    short.write_text("\n".join(KAGGLE[1].read_text().splitlines()[:-1]))
    assert counted([KAGGLE[0], short], errors="wrong") == {"short": (7, 10)}


def test_lighteval_details_are_read():
    assert counted(DATA / "lighteval/details_adds.parquet") == {"lighteval": (3, 4)}


@pytest.mark.parametrize(
    "name", ["mteb/Banking77Classification.json", "hf_evaluate/result-2026_11_15-07_23_56.json"]
)
def test_totals_are_refused_in_words(name):
    with pytest.raises(FileUnreadable, match=r"totals only") as refused:
        open_predictions(DATA / name, Roles.of())
    assert refused.value.code == "totals-only"


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("helm/stats.json", "per_instance_stats.json"),
        ("promptfoo/out.csv", "promptfoo eval -o out.json"),
        ("kaggle/solution.csv", "solution.csv submission.csv"),
    ],
)
def test_a_file_that_cannot_answer_says_which_one_can(name, typed):
    with pytest.raises(FileUnreadable, match=typed):
        open_predictions(DATA / name, Roles.of())


@pytest.mark.parametrize("name", ["cross_validate.csv", "grid_cv_results.csv"])
def test_scores_of_folds_are_not_taken_for_items(name):
    with pytest.raises(FileUnreadable, match=r"resampled_t_test") as refused:
        open_predictions(DATA / "sklearn" / name, Roles.of())
    assert refused.value.code == "fold-scores"


def test_predictions_of_a_cross_validation_are_an_ordinary_table():
    found = counted(DATA / "sklearn/cross_val_predict.csv", truth="y_true", item="row_id")
    assert found["pred_logreg"] == (59, 60)


def test_weka_counts_on_where_its_numbers_start_again():
    assert counted(DATA / "weka/j48.csv") == {"j48": (4, 5)}


def test_an_openml_run_of_r_calls_the_truth_truth_quotes_names_and_ends_with_nul(tmp_path):
    text = (
        "@relation r\n@attribute\t'repeat' numeric\n@ATTRIBUTE \"row_id\" numeric\n"
        "@attribute 'prediction' {'a b',c}\n@attribute 'truth' {'a b',c}\n@data\n"
        "0,0,'a b','a b'\n0,1,c,'a b'\n0,2,c,c\n\x00"
    )
    (tmp_path / "run.arff").write_text(text)
    assert counted(tmp_path / "run.arff") == {"run": (2, 3)}


def test_alpaca_eval_counts_wins_of_the_second_generator():
    assert counted(DATA / "alpaca_eval/annotations.json", errors="wrong", threshold=0.5) == {
        "mine": (3, 6)
    }


def test_samples_of_evalplus_and_livecodebench_are_tries_of_a_task(tmp_path):
    def twice(tasks):
        for task in tasks:
            task["graded_list"] *= 2

    def samples(whole):
        for task in whole["eval"].values():
            task *= 2

    path = changed("livecodebench/codegen_eval_all.json", tmp_path / "l.json", twice)
    assert clusters(path) == (8, 16)
    path = changed("evalplus/model_eval_results.json", tmp_path / "e.json", samples)
    assert clusters(path, metric="base") == (8, 16)


def test_promptfoo_before_version_3_had_no_id_of_the_run(tmp_path):
    def old(whole):
        del whole["evalId"]
        whole["version"], whole["stats"] = 2, {}

    path = changed("promptfoo/out.json", tmp_path / "old.json", old)
    whole = json.loads(path.read_text())
    rows = whole["results"]["results"] if isinstance(whole["results"], dict) else whole["results"]
    flat = {"version": 2, "results": rows, "stats": {}, "table": {}}
    path.write_text(json.dumps(flat))
    assert counted(path) == counted(DATA / "promptfoo/out.json")

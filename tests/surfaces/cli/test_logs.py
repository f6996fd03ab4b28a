"""Evaluation logs through the command line."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from steelyard.surfaces.cli.entry import steelyard

DATA = Path(__file__).parents[2] / "sources/logs/data"


def run(*arguments):
    return CliRunner().invoke(steelyard, [str(one) for one in arguments])


def test_compare_just_works_on_a_glob_of_inspect_logs():
    told = run("compare", DATA / "inspect_ai/*a.eval", "--scorer", "match", "--details")
    assert told.exit_code == 0
    assert "mockllm/alpha" in told.output
    assert "24 matched, 0 unmatched, 0 errored" in " ".join(told.output.split())


def test_evaluate_reads_a_log_and_records_what_was_chosen():
    told = run("evaluate", DATA / "inspect_ai/alpha.eval", "--scorer", "match", "--json")
    result = json.loads(told.output)
    assert ["scorer", "match"] in result["provenance"]["settings"]
    assert result["provenance"]["inputs"][0]["read_as"] == "Inspect .eval log: 24 samples"


def test_a_choice_that_is_missing_is_asked_for_with_the_line_to_type():
    refused = run("compare", DATA / "lm_eval/run*/*/samples_adda*")
    assert refused.exit_code != 0
    assert "--metric acc" in str(refused.exception)


@pytest.mark.parametrize(
    ("pattern", "more"),
    [
        ("inspect_ai/alpha.eval", ["--scorer", "match"]),
        ("inspect_ai/early_stopped.json", ["--scorer", "match"]),
        ("inspect_ai/with_error.eval", ["--scorer", "match", "--errors", "wrong"]),
        ("lm_eval/run1/*/*", ["--metric", "acc,exact_match"]),
        ("lm_eval/two_filters/*/*", ["--filter", "strict-match"]),
        ("promptfoo/out.json", []),
        ("promptfoo/out.jsonl", []),
        ("promptfoo/with_error.json", ["--errors", "wrong"]),
        ("swebench/acme__agent-a.run1.json", ["--unsubmitted", "wrong"]),
        ("swebench/logs/run_evaluation/run1/*/*/report.json", []),
        ("every_eval_ever/instances.jsonl", []),
        ("helm/*e*.json", ["--metric", "exact_match"]),
        ("deepeval/test_run_20261115_072213.json", []),
        ("mlflow/mlflow_eval_results_table.json", []),
        ("mlflow/mlflow_genai_result_df.json", []),
        ("wandb/*.table.json", []),
        ("openai_evals/run_a.jsonl", []),
        ("openml/predictions.arff", []),
        ("kaggle/*.csv", []),
        ("lighteval/details_adds.parquet", []),
    ],
)
def test_every_sample_is_read_through_the_command_line(pattern, more):
    told = run("evaluate", DATA / pattern, *more, "--details")
    assert told.exit_code == 0, told.exception
    assert " matched, 0 unmatched, " in " ".join(told.output.split())

"""A real run of lm-evaluation-harness with its dummy model, then ``steelyard compare``.

Not part of `make test`: `make test-tools` makes an environment with the tools and runs this.
"""

import json
import os
import subprocess
import sys

import pytest

TASK = """
task: sums
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
test_split: test
output_type: multiple_choice
doc_to_text: "Q: {{{{question}}}}\\nA:"
doc_to_choice: choices
doc_to_target: gold
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
"""
ITEMS = 12


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lm_eval")
    data = folder / "sums.jsonl"
    rows = [
        {"question": f"What is {n}+{n}?", "choices": ["0", str(2 * n), "99"], "gold": 1}
        for n in range(1, ITEMS + 1)
    ]
    data.write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "sums.yaml").write_text(TASK.format(data=data))
    for seed in (1, 2):
        subprocess.run(
            [
                sys.executable,
                "-m",
                "lm_eval",
                "--model",
                "dummy",
                "--tasks",
                "sums",
                "--include_path",
                str(folder),
                "--log_samples",
                "--seed",
                str(seed),
                "--output_path",
                str(folder / f"run{seed}"),
            ],
            check=True,
            env={
                **os.environ,
                "HF_HUB_OFFLINE": "1",
                "HF_DATASETS_OFFLINE": "1",
                "HF_HOME": str(folder / "home"),
            },
        )
    return folder


def own_accuracy(run):
    (path,) = run.rglob("results_*.json")
    return json.loads(path.read_text())["results"]["sums"]["acc,none"]


def test_steelyard_finds_the_harness_own_accuracies_and_pairs_by_hash(runs):
    import steelyard as sy

    first, second = (next((runs / f"run{n}").rglob("samples_*.jsonl")) for n in (1, 2))
    result = sy.compare({"one": first, "two": second})
    found = {one.system: one.rate.value for one in result.systems}
    assert result.items == ITEMS
    assert found["one"] == pytest.approx(own_accuracy(runs / "run1"), abs=1e-12)
    assert found["two"] == pytest.approx(own_accuracy(runs / "run2"), abs=1e-12)


def test_the_command_line_reads_a_whole_folder_of_a_run(runs):
    (results,) = (runs / "run1").rglob("results_*.json")
    told = subprocess.run(
        [sys.executable, "-m", "steelyard", "evaluate", str(results.parent / "*")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert f"{ITEMS} matched, 0 unmatched" in " ".join(told.stdout.split())

"""The benchmark of a cluster counts with numpy what the tallies count."""

import importlib.util
from pathlib import Path

from steelyard.sources import Roles, open_predictions

FOUND = importlib.util.spec_from_file_location(
    "cluster_benchmark", Path(__file__).parents[2] / "benchmarks/cluster.py"
)
benchmark = importlib.util.module_from_spec(FOUND)
FOUND.loader.exec_module(benchmark)


def test_the_counts_it_expects_are_those_of_the_tallies(tmp_path):
    file = benchmark._written(tmp_path, 3000)
    calls = Roles.of(truth="truth", systems=["cnn", "svm"])
    scores = Roles.of(truth="positive", positive="1", score=["a", "b"])
    data = {
        "calls": open_predictions(file.path, calls),
        "scores": open_predictions(file.path, scores),
    }
    assert [work(data) for work in benchmark.WORKS] == file.expected


def test_a_table_is_written_between_its_marks(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n\n{benchmark.BEGIN}\nold\n{benchmark.END}\n\nafter\n")
    monkeypatch.setattr(benchmark, "PAGE", page)
    benchmark._write(["| new |"])
    assert page.read_text() == (f"before\n\n{benchmark.BEGIN}\n| new |\n{benchmark.END}\n\nafter\n")

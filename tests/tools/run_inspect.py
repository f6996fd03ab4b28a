"""A real run of Inspect with a mock model, then ``steelyard compare`` on what it wrote.

Not part of `make test`: `make test-tools` makes an environment with the tools and runs this.
"""

import random
import subprocess
import sys

import pytest
import tiktoken
from inspect_ai import Epochs, Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

ITEMS, EPOCHS = 10, 3


class Words:
    """Counts words, where Inspect would fetch a table of tokens from the network."""

    def encode(self, text, **asked):
        return text.split()


tiktoken.get_encoding = lambda name: Words()


def model(name, chance, seed):
    rng = random.Random(seed)

    def answer(messages, tools, tool_choice, config):
        asked = int(messages[-1].text.split()[2].split("+")[0])
        said = 2 * asked if rng.random() < chance else 2 * asked + 1
        output = ModelOutput.from_content(model=name, content=str(said))
        output.usage = ModelUsage(input_tokens=8, output_tokens=2, total_tokens=10)
        return output

    return get_model(f"mockllm/{name}", custom_outputs=answer)


@pytest.fixture(scope="module", params=["eval", "json"])
def logs(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    samples = [
        Sample(id=n, input=f"What is {n}+{n}?", target=str(2 * n), metadata={"passage": n // 2})
        for n in range(ITEMS)
    ]
    written = []
    for name, chance, seed in (("alpha", 0.9, 1), ("beta", 0.5, 2)):
        task = Task(
            dataset=MemoryDataset(samples, name="adds"),
            solver=generate(),
            scorer=match(),
            epochs=Epochs(EPOCHS, ["mean", "pass_at_2"]),
        )
        (log,) = run_eval(
            task,
            model=model(name, chance, seed),
            log_dir=str(folder),
            log_format=request.param,
            display="none",
        )
        written.append(log)
    return folder, request.param, written


def steelyard(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "steelyard", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_steelyard_compares_what_inspect_wrote(logs):
    folder, form, _ = logs
    told = steelyard("compare", folder / f"*.{form}", "--json")
    assert told.returncode == 0, told.stderr
    assert f"{ITEMS * EPOCHS} matched, 0 unmatched, 0 errored" in told.stdout


def test_steelyard_finds_inspects_own_numbers(logs):
    import steelyard as sy

    folder, form, written = logs
    result = sy.evaluate(str(folder / f"*.{form}"), pass_at=2)
    found = {one.system: one for one in result.systems}
    for log in written:
        own = {
            (score.reducer or "mean"): score.metrics["accuracy"].value
            for score in log.results.scores
        }
        one = found[log.eval.model]
        assert one.accuracy.value == pytest.approx(own["mean"], abs=1e-12)
        tries = {x.measure: x.value for x in one.further}
        assert tries["pass@2"] == pytest.approx(own["pass_at_2"], abs=1e-12)

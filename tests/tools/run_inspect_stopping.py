"""A real evaluation of Inspect that a campaign ends early, with mock models.

Not part of `make test`: `make test-tools` makes an environment with the tools and runs this.
"""

import pytest
import tiktoken
from inspect_ai import Task
from inspect_ai import eval as run_eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

import steelyard as sy
from steelyard.surfaces.plugins.inspect_stopping import CampaignStopping

ITEMS = 60


class Words:
    """Counts words, where Inspect would fetch a table of tokens from the network."""

    def encode(self, text, **asked):
        return text.split()


tiktoken.get_encoding = lambda name: Words()


def model(name, *, right):
    def answer(messages, tools, tool_choice, config):
        asked = int(messages[-1].text.split()[2].split("+")[0])
        said = 2 * asked if right(asked) else 2 * asked + 1
        output = ModelOutput.from_content(model=name, content=str(said))
        output.usage = ModelUsage(input_tokens=8, output_tokens=2, total_tokens=10)
        return output

    return get_model(f"mockllm/{name}", custom_outputs=answer)


def evaluated(folder, ledger, name, *, right, epochs=1):
    samples = [Sample(id=n, input=f"What is {n}+{n}?", target=str(2 * n)) for n in range(ITEMS)]
    task = Task(
        dataset=MemoryDataset(samples, name="adds"),
        solver=generate(),
        scorer=match(),
        epochs=epochs,
        early_stopping=CampaignStopping(ledger, system=name),
    )
    (log,) = run_eval(
        task,
        model=model(name, right=right),
        log_dir=str(folder),
        max_samples=4,
        display="none",
    )
    return log


@pytest.fixture
def ledger(tmp_path):
    where = str(tmp_path / "adds.db")
    sy.Campaign.create(where, systems=["alpha", "beta"], stop="evidence >= 20 or n >= 50")
    return where


def test_the_second_model_is_asked_until_the_campaign_stops(ledger, tmp_path):
    first = evaluated(tmp_path, ledger, "alpha", right=lambda n: True)
    assert first.status == "success"
    assert first.results.early_stopping.early_stops == []
    second = evaluated(tmp_path, ledger, "beta", right=lambda n: n % 5 == 0)
    assert second.status == "success"
    summary = second.results.early_stopping
    assert summary.manager == "Steelyard campaign adds"
    assert summary.metadata["winner"] == "alpha"
    answered = ITEMS - len(summary.early_stops)
    assert answered < ITEMS / 2
    campaign = sy.Campaign.open(ledger)
    status = campaign.status()
    assert status.stop.winner == "alpha"
    assert status.items + status.after == answered
    assert campaign.verify().bad is None


def test_an_evaluation_that_was_repeated_asks_nothing_twice(ledger, tmp_path):
    evaluated(tmp_path, ledger, "alpha", right=lambda n: True)
    again = evaluated(tmp_path, ledger, "alpha", right=lambda n: True)
    assert again.status == "success"
    assert not again.samples
    assert sy.Campaign.open(ledger).status().results == ITEMS


def test_epochs_are_refused(ledger, tmp_path):
    log = evaluated(tmp_path, ledger, "alpha", right=lambda n: True, epochs=2)
    assert log.status == "error"
    assert "counts an item once" in log.error.message

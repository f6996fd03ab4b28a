"""Many clients at once: no request fails and no result is lost. `make load` is the long form."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "load.py"


@pytest.fixture(scope="module")
def load():
    import sys

    spec = importlib.util.spec_from_file_location("steelyard_load", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def found(load):
    return load.measure(clients=10, seconds=3, requests=80)


def test_no_request_fails(found):
    assert found.failed == []
    assert set(found.times) == {"page", "answer", "report a result", "status"}


def test_no_result_is_lost(found):
    assert found.sent == found.kept > 0


def test_a_loss_and_a_leak_would_be_seen(load):
    good = load.Load(clients=1, seconds=1, sent=5, kept=5, memory=[100.0, 101.0])
    assert good.good()
    assert not load.Load(clients=1, seconds=1, sent=5, kept=4).good()
    assert not load.Load(clients=1, seconds=1, failed=["status: 500"]).good()
    assert not load.Load(clients=1, seconds=1, memory=[100.0, 200.0]).good()

"""Every question with odd rates and options is answered or refused in words, and never breaks."""

from itertools import product

import pytest

import steelyard as sy
from steelyard.errors import SteelyardError

QUESTIONS = ["best", "ranking", "pair", "width", "select", "area", "kappa", "akaike", "stop"]
RATES = [
    None,
    [],
    [0.94],
    [0.0],
    [1.0],
    [1.2],
    [float("nan")],
    [0.9, 0.9],
    [0.0, 1.0],
    [1.0, 0.5],
    [0.9, 0.5],
    [0.97, 0.5, 0.5],
    [0.9, 0.6, 0.0],
    {"a": 0.9, "b": 0.6},
]
OPTIONS = [
    {},
    {"design": "paired"},
    {"design": "independent"},
    {"discordance": 0.45},
    {"discordance": 1.5},
    {"confidence": 0.4},
    {"margin": 0.2},
    {"margin": 0.2, "claim": "not-inferior", "design": "paired"},
    {"width": 0.2},
    {"width": 2.0},
    {"delta": 0.3, "among": 3},
    {"samples": 20, "among": 2},
    {"null": 0.4},
    {"cluster_size": 5, "icc": 0.1},
    {"trials": 3, "icc": 0.2},
    {"shares": [2, 1]},
    {"samples": 1},
    {"power": 0.99},
    {"every": 7, "cap": 21},
    {"priors": (2, 3)},
    {"prevalence": 0.01},
]


FEW = [None, [0.94], [0.0, 1.0], [0.9, 0.5], [0.97, 0.5, 0.5]]


def walked(question, pairs):
    """Ask with each pair of rates and options, and count what is answered."""
    answered = 0
    for rates, options in pairs:
        try:
            found = sy.plan(rates, question=question, **options)
        except SteelyardError as error:
            assert len(str(error)) > 20
        else:
            assert found.sentence().endswith(".")
            assert str(found)
            assert found.to_json()
            answered += 1
    return answered


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_plan_is_answered_or_refused_in_words(question):
    # Every option once, with rates that may be asked about; `make test-long` tries them all.
    usual = FEW[1:2] if question in ("width", "kappa") else FEW[3:4]
    further = OPTIONS[1:8] if question == "select" else OPTIONS[1:]
    assert walked(question, [*product(RATES, OPTIONS[:1]), *product(usual, further)])


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_plan_of_any_rates_and_options_is_answered_or_refused_in_words(question):
    # The search for a selection goes far; its own tests hold the other options.
    further = OPTIONS[2:8] if question == "select" else OPTIONS[2:]
    assert walked(question, [*product(RATES, OPTIONS[1:2]), *product(FEW, further)])


def test_one_rate_cannot_be_compared_and_what_to_ask_instead_is_said():
    for question in ("pair", "stop"):
        with pytest.raises(SteelyardError, match=r"two systems or more.*plan width"):
            sy.plan([0.94], question=question)


@pytest.mark.parametrize("pairing", ["common", "independent"])
@pytest.mark.parametrize("question", ["best", "ranking"])
def test_a_pilot_of_one_system_names_no_best(question, pairing):
    pilot = {"item": list(range(50)), "outcome": [1] * 43 + [0] * 7}
    with pytest.raises(SteelyardError, match=r"1 rate was given; the question needs 2 or more"):
        sy.plan(pilot=pilot, outcome="outcome", question=question, pairing=pairing)

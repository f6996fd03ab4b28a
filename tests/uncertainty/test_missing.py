"""Missing answers against explicit filling."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.display.numbers import show_difference, show_share
from steelyard.uncertainty import missing_difference_bounds, missing_share_bounds

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}


@pytest.mark.parametrize("name", ["missing_tiny", "missing_medium"])
def test_bounds_are_those_of_explicit_filling(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    counts = {}
    for system in ("A", "B"):
        answers, there = data[system], wanted[system]
        right, missing = answers.count(1), answers.count(None)
        found = missing_share_bounds(right, missing, len(answers))
        assert found.least == pytest.approx(there["rate_missing_wrong"], abs=1e-9)
        assert found.largest == pytest.approx(there["rate_missing_right"], abs=1e-9)
        assert found.low == pytest.approx(there["lower_limit_at_worst"], abs=1e-9)
        assert found.high == pytest.approx(there["upper_limit_at_best"], abs=1e-9)
        counts[system] = (right, missing)
    low, high = missing_difference_bounds(counts["A"], counts["B"], len(data["A"]))
    assert low == pytest.approx(wanted["difference_worst_for_A"]["difference"], abs=1e-9)
    assert high == pytest.approx(wanted["difference_best_for_A"]["difference"], abs=1e-9)


@pytest.mark.parametrize("name", ["missing_tiny", "missing_medium"])
def test_answers_filled_in_are_compared_as_they_would_be(name: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"]
    fillings = {
        "difference_worst_for_A": (0, 1),
        "difference_best_for_A": (1, 0),
        "difference_all_wrong": (0, 0),
        "difference_all_right": (1, 1),
    }
    for key, filled in fillings.items():
        rows = {
            system: [fill if one is None else one for one in data[system]]
            for system, fill in zip("AB", filled, strict=True)
        }
        found = sy.compare({"item": list(range(len(data["A"]))), **rows}, outcome=["A", "B"],
                           method="mcnemar-exact")  # fmt: skip
        there = wanted[key]
        assert found.working["only_first"] == there["only_A_right"]
        assert found.working["only_second"] == there["only_B_right"]
        assert found.working["p_value"] == pytest.approx(there["mcnemar_exact_p"], abs=1e-9)
    for system in "AB":
        there, answers = wanted[system], data[system]
        assert (len(answers), answers.count(1)) == (there["items"], there["right"])
        assert answers.count(None) == there["missing"]
    kept = {system: data[system] for system in "AB"}
    pairs = [both for both in zip(*kept.values(), strict=True) if None not in both]
    gap = sum(a - b for a, b in pairs) / len(pairs)
    assert len(pairs) == wanted["difference_complete_pairs"]["pairs"]
    assert gap == pytest.approx(wanted["difference_complete_pairs"]["difference"], abs=1e-12)


@pytest.mark.parametrize("policy", ["exclude", "worst"])
def test_an_answer_says_what_missing_answers_could_do(policy: str) -> None:
    data = GOLDEN["missing_medium"]["data"]
    rows = {
        "item": list(range(120)),
        "truth": ["x"] * 119 + ["y"],
        "A": [None if one is None else ("x" if one else "y") for one in data["A"]],
        "B": [None if one is None else ("x" if one else "y") for one in data["B"]],
    }
    for name in ("A", "B"):  # the last item is of the other class
        last = data[name][-1]
        rows[name][-1] = None if last is None else ("y" if last else "x")
    compared = sy.compare(rows, missing=policy)
    said = " ".join(compared.caveats)
    assert "A gave no answer to 15 of 120 items: its accuracy" in said
    assert "from 0.692 to 0.817" in said
    assert "A minus B lies from -0.033 to +0.175" in said
    evaluated = sy.evaluate(rows, missing=policy)
    assert any("15 of 120" in one for one in evaluated.systems[0].caveats)


CLASSES = "abc"
TRUTH = ["a"] * 7 + ["b"] * 6 + ["c"] * 5
SAID = [
    "a",
    "a",
    "b",
    None,
    "a",
    "c",
    "a",
    "b",
    None,
    "b",
    "a",
    "b",
    None,
    "c",
    "c",
    "b",
    None,
    "c",
]
MEASURES = {
    "recall": lambda true, said: (said == "b")[true == "b"].mean(),
    "precision": lambda true, said: (true == "b")[said == "b"].mean(),
    "false positive rate": lambda true, said: (said == "b")[true != "b"].mean(),
}


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("policy", ["exclude", "worst"])
def test_shares_of_a_class_have_the_bounds_of_all_fillings(name: str, policy: str) -> None:
    rows = {"item": list(range(18)), "truth": TRUTH, "A": SAID, "B": TRUTH}
    empty = [place for place, one in enumerate(SAID) if one is None]
    found = []
    for filling in product(CLASSES, repeat=len(empty)):
        whole = list(SAID)
        for place, call in zip(empty, filling, strict=True):
            whole[place] = call
        found.append(MEASURES[name](np.array(TRUTH), np.array(whole)))
    wanted = (
        f"A: its {name} of b on all items lies from {show_share(min(found))} to "
        f"{show_share(max(found))}, whatever the missing answers were"
    )
    claim, asked = f"{name} of b at least 0.01", f"{name} of b"
    gated = sy.gate(rows, candidate="A", claim=claim, missing=policy)
    assert wanted in gated.caveats
    assert wanted in sy.compare(rows, measure=asked, missing=policy).caveats
    evaluated = sy.evaluate(rows, systems="A", measure=asked, missing=policy)
    assert wanted in evaluated.systems[0].caveats


def _kappa(true: np.ndarray, said: np.ndarray) -> float:
    chance = sum((true == one).mean() * (said == one).mean() for one in CLASSES)
    return float(((true == said).mean() - chance) / (1 - chance))


def _f1(true: np.ndarray, said: np.ndarray) -> float:
    own = (true == "b") & (said == "b")
    return float(2 * own.sum() / ((true == "b").sum() + (said == "b").sum()))


@pytest.mark.parametrize(
    ("asked", "formula"), [("kappa", _kappa), ("F1 of b", _f1)], ids=["kappa", "F1"]
)
@pytest.mark.parametrize("policy", ["exclude", "worst"])
def test_f1_and_kappa_have_the_bounds_of_all_fillings_and_so_have_their_differences(
    asked: str, formula: Callable[..., float], policy: str
) -> None:
    other = ["b" if n % 4 == 1 else one for n, one in enumerate(TRUTH)]
    rows = {"item": list(range(18)), "truth": TRUTH, "A": SAID, "B": other}
    empty = [place for place, one in enumerate(SAID) if one is None]
    found = []
    for filling in product(CLASSES, repeat=len(empty)):
        whole = list(SAID)
        for place, call in zip(empty, filling, strict=True):
            whole[place] = call
        found.append(formula(np.array(TRUTH), np.array(whole)))
    wanted = (
        f"A: its {asked} on all items lies from {show_share(min(found))} to "
        f"{show_share(max(found))}, whatever the missing answers were"
    )
    known = formula(np.array(TRUTH), np.array(other))
    gap = (
        f"A minus B in {asked} lies from {show_difference(min(found) - known)} to "
        f"{show_difference(max(found) - known)} with missing answers filled"
    )
    evaluated = sy.evaluate(rows, systems="A", measure=asked, missing=policy)
    assert wanted in evaluated.systems[0].caveats
    claimed = sy.gate(rows, candidate="A", claim=f"{asked} at least 0.01", missing=policy)
    assert wanted in claimed.caveats
    required = sy.gate(
        rows, candidate="A", baseline="B", require=f"{asked} not worse by 0.3", missing=policy
    )
    for caveats in (sy.compare(rows, measure=asked, missing=policy).caveats, required.caveats):
        assert wanted in caveats
        assert gap in " ".join(caveats)


def test_what_missing_answers_could_do_is_said_where_it_is_not_bounded() -> None:
    classes = "abcdefgh"
    truth = [classes[n % 8] for n in range(160)]
    said = [None if n % 7 == 0 else one for n, one in enumerate(truth)]
    rows = {"item": list(range(160)), "truth": truth, "A": said, "B": truth}
    compared = " ".join(sy.compare(rows, measure="macro F1", missing="exclude").caveats)
    assert "A: how far the missing answers could move its macro F1 is not bounded" in compared
    assert "could move the difference of macro F1 is not bounded" in compared


@pytest.mark.parametrize(
    ("known", "unknown"),
    [({"range": (1, 5)}, None), ({}, "state the range"), ({"range": (1, 5), "weight": "w"}, "off")],
)
def test_a_difference_of_means_is_bounded_by_the_stated_range(known, unknown) -> None:
    rng = np.random.default_rng(4)
    grades = rng.integers(1, 6, (2, 60)).astype(float)
    gone = rng.random((2, 60)) < [[0.2], [0.1]]
    rows = {"item": list(range(60)), "w": [1, 2] * 30} | {
        name: [None if lost else one for lost, one in zip(gone[place], grades[place], strict=True)]
        for place, name in enumerate("ab")
    }
    rows = {name: rows[name] for name in rows if name != "w" or "weight" in known}
    said = " ".join(
        sy.compare(
            rows, value=["a", "b"], higher_is_better=True, missing="exclude", **known
        ).caveats
    )
    if unknown is not None:
        assert unknown in said
        assert "a minus b: how far missing answers could move" in said
        return
    (least, most), (least_b, most_b) = (
        [np.where(lost, end, one).mean() for end in (1, 5)]
        for lost, one in zip(gone, grades, strict=True)
    )
    gap = f"lies from {least - most_b:+.4g} to {most - least_b:+.4g} with missing answers filled"
    assert f"a minus b in mean {gap}" in said


def test_an_area_has_the_bounds_of_missing_scores_below_and_above_all_others() -> None:
    rng = np.random.default_rng(3)
    ill = rng.random(80) < 0.4
    scores = np.round(rng.normal(size=80) + ill, 1)
    gone = rng.random(80) < 0.15
    low, high = (np.where(gone, np.where(ill, -end, end), scores) for end in (99.0, -99.0))
    ends = [
        ((one[ill][:, None] > one[~ill]) + (one[ill][:, None] == one[~ill]) / 2).mean()
        for one in (low, high)
    ]
    kept = [None if lost else float(one) for one, lost in zip(scores, gone, strict=True)]
    rows = {"truth": np.where(ill, "ill", "well").tolist(), "a": kept, "b": scores.tolist()}
    asked = {"score": ["a", "b"], "positive": "ill", "missing": "exclude"}
    wanted = f"its AUC on all of them lies from {show_share(ends[0])} to {show_share(ends[1])}"
    for said in (
        sy.evaluate(rows, **asked).notes(),
        sy.compare(rows, **asked).caveats,
        sy.roc(rows, **asked).caveats,
        sy.threshold(rows, **{**asked, "systems": ["a"], "score": ["a"]}).caveats,
        sy.gate(rows, candidate="a", claim="AUC at least 0.3", **asked).caveats,
    ):
        assert wanted in " ".join(said)
    whole = (
        (scores[ill][:, None] > scores[~ill]) + (scores[ill][:, None] == scores[~ill]) / 2
    ).mean()
    gap = f"{show_difference(ends[0] - whole)} to {show_difference(ends[1] - whole)}"
    assert f"a minus b in AUC lies from {gap}" in " ".join(sy.compare(rows, **asked).caveats)


def test_ratings_that_are_missing_are_counted_among_all_ratings() -> None:
    ratings = {"A": ["x", "y"] * 20, "B": ["x", "y"] * 18 + ["x", None, None, "y"]}
    found = sy.agreement(ratings, raters=["A", "B"])
    assert "2 of 80 ratings are missing" in " ".join(found.caveats)

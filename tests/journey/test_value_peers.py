"""A number for each item beside those of evalstats, jiwer and sclite, kept in tests/golden."""

import json

import numpy as np
import pytest

import steelyard as sy
from steelyard.comparison import mapsswe, sign_test, variance_components
from tests.golden.values_cases import FOLDER, named

PEERS = json.loads((FOLDER / "values_peers.json").read_text(encoding="utf-8"))


def near(found, expected, tolerance=1e-9):
    assert found == pytest.approx(expected, rel=tolerance, abs=1e-12)


@pytest.mark.parametrize("kind", ["grades", "latency"])
def test_means_and_pairs_are_those_of_evalstats(kind):
    rows = {f"s{at}": row for at, row in enumerate(PEERS["tables"][kind])}
    better = {"lower_is_better" if kind == "latency" else "higher_is_better": True}
    theirs = PEERS["evalstats"][kind]
    shown = {one.system: one for one in sy.evaluate(rows, value=list(rows)).systems}
    for name, golden in zip(rows, theirs["means"], strict=True):
        centre = shown[name].centre
        near([centre.value, centre.interval.low, centre.interval.high], golden)
    asked = {"value": list(rows), **better}
    for pair in sy.compare(rows, **asked).pairs:
        first, second = (int(name[1:]) for name in (pair.first, pair.second))
        turned = 1 if first < second else -1
        golden = theirs["pairs"][f"{min(first, second)},{max(first, second)}"]
        near(turned * pair.difference.value, golden["difference"])
        near(pair.difference.standard_error * np.sqrt(len(rows["s0"])), golden["deviation"])
        ends = (pair.difference.interval.low, pair.difference.interval.high)
        near(sorted(turned * end for end in ends), [golden["low"], golden["high"]])
        near(pair.p_value, golden["p"], 1e-7)
        near(sign_test(pair.wins, pair.ties, pair.losses).p_value, golden["sign_p"])


def test_ranks_over_items_are_those_of_evalstats():
    rows = {f"s{at}": row for at, row in enumerate(PEERS["tables"]["grades"])}
    golden = PEERS["evalstats"]["grades"]["friedman"]
    found = sy.compare(rows, layout="datasets", higher_is_better=True)
    near(found.chi_square, golden["statistic"])
    for one in found.systems:
        near(one.mean_rank, golden["ranks"][one.system])
    for pair in found.pairs:
        theirs = golden["nemenyi"][",".join(sorted((pair.first, pair.second)))]
        assert pair.p_value == pytest.approx(theirs, abs=2e-5)


def test_runs_are_parted_as_by_evalstats_but_for_the_runs_in_its_item_means():
    golden = PEERS["repeated"]
    table = np.array(golden["table"])
    items, runs = table.shape
    found = variance_components(table.ravel(), {"item": np.repeat(np.arange(items), runs)})
    near(found.variances["rest"], golden["seed_var"])
    # Its variance of item means divides by n, or n - 1, and still holds a share of the runs.
    between = found.variances["item"] + found.variances["rest"] / runs
    assert any(
        golden["input_var"] == pytest.approx(between * part) for part in (1, (items - 1) / items)
    )


def test_word_error_rates_are_those_of_jiwer():
    golden = PEERS["spoken"]
    names = list(golden["systems"])
    rows = {f"{name}.errors": golden["systems"][name]["errors"] for name in names}
    found = sy.evaluate({**rows, "words": golden["words"]}, errors=list(rows), per="words")
    for one in found.systems:
        near(one.centre.value, golden["systems"][one.system]["wer"])
        near(one.mean_of_ratios.value, golden["systems"][one.system]["mean_of_wers"])


@pytest.mark.parametrize(("case", "data", "expected"), named("words"))
def test_rates_and_pairs_over_utterances_are_those_that_sclite_counted(case, data, expected):
    del case
    rows = {f"{name}.errors": errors for name, errors in data["errors"].items()}
    asked = {"errors": list(rows), "per": "words"}
    held = {**rows, "words": data["words"]}
    for one in sy.evaluate(held, **asked).systems:
        golden = expected["systems"][one.system]
        assert sum(data["errors"][one.system]) == golden["errors"]
        assert sum(map(bool, data["errors"][one.system])) == golden["utterances_with_errors"]
        assert sum(data["words"]) == golden["words"]
        near(one.centre.value, golden["wer_ratio_of_sums"])
        near(one.mean_of_ratios.value, golden["mean_of_utterance_ratios"])
        # Weights 4, 3, 3 of sclite are not always least edits.
        assert 0 <= golden["errors"] - golden["errors_by_jiwer_least_edits"] <= 1
    for pair in sy.compare(held, **asked).pairs:
        key = f"{pair.first},{pair.second}"
        turned = 1 if key in expected["pairs"] else -1
        golden = expected["pairs"].get(key) or expected["pairs"][f"{pair.second},{pair.first}"]
        near(turned * pair.difference.value, golden["wer_difference"])
    for key, golden in expected["pairs"].items():
        first, second = key.split(",")
        found, whole = (
            mapsswe(data["errors"][first], data["errors"][second]),
            golden["per_utterance"],
        )
        assert found.segments == whole["n"]
        near(found.mean, whole["mean"])
        near(found.deviation, whole["sd"])
        if found.z is not None:
            near([found.z, found.p_value, found.p_student],
                 [whole["z"], whole["p_normal"], whole["p_t"]])  # fmt: skip
        parts = np.array(golden["segments_ref_errA_errB"])
        shown = golden["sc_stats"]
        assert round(len(parts) / len(data["words"]), 3) == shown["segments_per_sentence"]
        shares = 100 * parts[:, 1:].sum(axis=0) / parts[:, 0].sum()
        assert shares == pytest.approx(shown["percent_error_in_segments"], abs=0.006)
        cut = mapsswe(parts[:, 1], parts[:, 2])
        assert cut.mean == pytest.approx(shown["mean"], abs=6e-4)
        assert cut.deviation == pytest.approx(shown["sd"], abs=6e-4)
        assert (cut.nist_p_value <= 0.05) == shown["differ_at_05"]

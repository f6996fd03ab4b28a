"""Reader studies against numpy from the papers, and Van Dyke's published numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from steelyard.comparison import reader_study
from steelyard.counts import JointScores
from steelyard.errors import CountsError
from steelyard.uncertainty import delong_covariance

GOLDEN = {
    case["id"]: case
    for case in json.loads(Path("tests/golden/acceptance.json").read_text())["cases"]
}
ANSWERS = {
    "readers and cases": "random_readers_random_cases",
    "cases": "fixed_readers_random_cases",
    "readers": "random_readers_fixed_cases",
}


@pytest.mark.parametrize("covariance", ["delong", "jackknife"])
@pytest.mark.parametrize("name", ["or_small", "or_many_readers"])
def test_studies_are_those_of_the_papers(name: str, covariance: str) -> None:
    data, wanted = GOLDEN[name]["data"], GOLDEN[name]["expected"][covariance]
    found = reader_study(data["truth"], data["scores"], covariance=covariance)
    assert np.array(found.areas) == pytest.approx(np.array(wanted["auc_system_by_reader"]))
    for mine, theirs in (
        (found.mean_square_systems, "ms_system"),
        (found.mean_square_readers, "ms_reader"),
        (found.mean_square_both, "ms_reader_x_system"),
        (found.variance, "var_error"),
        (found.cov1, "cov1"),
        (found.cov2, "cov2"),
        (found.cov3, "cov3"),
    ):
        assert mine == pytest.approx(wanted[theirs], abs=1e-8)
    for to, name_there in ANSWERS.items():
        answer, there = found.answer(to), wanted[name_there]
        assert answer.p == pytest.approx(there["p"], abs=1e-8)
        assert [answer.low, answer.high] == pytest.approx(there["interval"], abs=1e-8)
        if "df2" in there:
            assert answer.second == pytest.approx(there["df2"], abs=1e-6)
            assert answer.first == there["df1"]
        statistic = there["F"] if "F" in there else there["chi2"] / there["df"]
        assert answer.statistic == pytest.approx(statistic, abs=1e-8)
        assert answer.error == pytest.approx(there["se"], abs=1e-8)
        difference = found.means[0] - found.means[1]
        assert difference == pytest.approx(wanted["difference"], abs=1e-12)
        sized = there["t"] if "t" in there else there["z"]
        assert difference / answer.error == pytest.approx(sized, abs=1e-6)
    assert found.means == pytest.approx(wanted["auc_mean_by_system"], abs=1e-12)
    for at, there in enumerate(wanted["single_system"]):
        both, cases = found.singles[at]
        assert found.means[at] == pytest.approx(there["auc"], abs=1e-12)
        assert both.error == pytest.approx(there["se"], abs=1e-8)
        assert both.freedom == pytest.approx(there["df"], abs=1e-6)
        assert [both.low, both.high] == pytest.approx(there["interval_random_random"], abs=1e-8)
        assert cases.error == pytest.approx(there["se_fixed_readers"], abs=1e-8)
        ends = there["interval_fixed_readers"]
        assert [cases.low, cases.high] == pytest.approx(ends, abs=1e-8)
    alone = wanted["per_reader_delong"] if covariance == "delong" else []
    for at, there in enumerate(alone):
        rows = {str(one): np.array(data["scores"][one][at]) for one in range(2)}
        areas, among = delong_covariance(JointScores.from_arrays(np.array(data["truth"]), rows))
        assert areas[0] - areas[1] == pytest.approx(there["difference"], abs=1e-12)
        error = np.sqrt(among[0, 0] + among[1, 1] - 2 * among[0, 1])
        assert error == pytest.approx(there["se"], abs=1e-9)
    assert (found.cov2 < found.cov3) == GOLDEN[name]["expected"]["clamped"]


@pytest.mark.parametrize(
    ("covariance", "both", "cases"), [("jackknife", 0.0517, 0.0193), ("delong", 0.0512, 0.0185)]
)
def test_van_dykes_study_has_its_published_p_values(
    covariance: str, both: float, cases: float
) -> None:
    saved = json.loads(Path("tests/golden/van_dyke.json").read_text())
    scores = [[[int(one) for one in reader] for reader in system] for system in saved["ratings"]]
    found = reader_study([int(one) for one in saved["truth"]], scores, covariance=covariance)
    assert abs(found.means[0] - found.means[1]) == pytest.approx(0.0438, abs=5e-5)
    assert found.answer("readers and cases").p == pytest.approx(both, abs=5e-5)
    assert found.answer("cases").p == pytest.approx(cases, abs=5e-5)


@pytest.mark.parametrize(
    ("truth", "scores", "words"),
    [
        ([0, 1, 0, 1], [[[1, 2, 1, 2]], [[1, 2, 1, 2]]], "2 readers or more"),
        ([0, 1, 0, 0], np.ones((2, 2, 4)), "at least 2 of each"),
        ([0, 1], np.ones((2, 2, 4)), "systems x readers x cases"),
        ([0, 1, 0, 1], np.full((2, 2, 4), np.nan), "some score is missing"),
    ],
)
def test_studies_that_cannot_be_judged_are_refused(truth, scores, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CountsError, match=words):
        reader_study(truth, scores)

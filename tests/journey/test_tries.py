"""pass@k and the estimand through evaluate and its command."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from steelyard.counts import Trials
from steelyard.errors import NotComparable, RequestError
from steelyard.journey import evaluate
from steelyard.surfaces.cli.entry import steelyard

LOGS = Path(__file__).parents[1] / "sources/logs/data/inspect_ai"


def further(result):
    return {one.measure: one for one in result.systems[0].further}


def test_pass_at_k_of_a_log_counts_items_not_answers():
    found = further(evaluate(LOGS / "alpha.eval", scorer="match", pass_at=[1, 2]))
    assert set(found) == {"pass@1", "pass@2", "pass^2"}
    assert (found["pass@1"].value, found["pass@2"].value, found["pass^2"].value) == (0.875, 1, 0.75)
    assert found["pass@1"].items == 12


def test_inspects_own_pass_at_two_is_the_same_number():
    # results.scores of the log hold match/pass_at_2 with the metric accuracy.
    import json

    from steelyard.sources.logs.inspect_logs import Archive

    with Archive(LOGS / "beta.eval", "beta.eval") as archive:
        scores = json.loads(archive.read("header.json"))["results"]["scores"]
    own = next(
        one["metrics"]["accuracy"]["value"]
        for one in scores
        if one["scorer"] == "match" and one.get("reducer") == "pass_at_2"
    )
    found = further(evaluate(LOGS / "beta.eval", scorer="match", pass_at=2))
    assert found["pass@2"].value == pytest.approx(own, abs=1e-12)


def test_the_estimand_is_named_in_the_answer():
    result = evaluate(LOGS / "alpha.eval", scorer="match", estimand="items")
    assert any("estimand=items" in caveat for caveat in result.caveats)
    assert result.systems[0].accuracy.interval.method == "jackknife-over-tries"
    assert ("estimand", "items") in result.provenance.settings


def test_one_answer_each_gives_no_interval_on_these_very_items():
    rows = {"truth": ["x", "y", "x"], "a": ["x", "x", "x"]}
    result = evaluate(rows, estimand="items")
    assert result.systems[0].accuracy.interval is None
    assert "one answer each" in str(result.systems[0].caveats)


def test_pass_at_k_without_repeats_is_refused():
    with pytest.raises(NotComparable, match="asked more than once"):
        evaluate({"truth": ["x", "y"], "a": ["x", "y"]}, pass_at=2)
    with pytest.raises(RequestError, match="pass_at"):
        evaluate(Trials(correct={"a": 3}, tested={"a": 4}, pairing="independent"), pass_at=2)
    with pytest.raises(RequestError, match="whole numbers from 1 up"):
        evaluate({"truth": ["x"], "a": ["x"]}, pass_at="often")


def test_the_command_shows_both_systems_side_by_side():
    files = [str(LOGS / "alpha.eval"), str(LOGS / "beta.eval")]
    told = CliRunner().invoke(
        steelyard, ["evaluate", *files, "--scorer", "match", "--pass-at", "1,2"]
    )
    assert told.exit_code == 0
    assert "Repeated tries" in told.output
    refused = CliRunner().invoke(steelyard, ["evaluate", *files, "--pass-at", "many"])
    assert "whole numbers such as 1,4,8" in refused.output

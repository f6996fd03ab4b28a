"""``steelyard threshold`` as users type it."""

import json

import pytest

import steelyard as sy


def test_json_is_exactly_the_result(type_command, data):
    file = data / "german_credit_scores.csv"
    typed = type_command("threshold", file, "--score", "rf", "--positive", "1", "--json")
    assert typed.code == 0, typed.err
    assert typed.err == ""
    assert typed.out == sy.threshold(file, score="rf", positive="1").to_json() + "\n"


def test_options_reach_the_question(type_command, data):
    file = data / "german_credit_scores.csv"
    typed = type_command(
        "threshold", file, "--score", "rf", "--positive", "1", "--by", "min-cost",
        "--cost", "fn=5,fp=1", "--sensitivity", "0.9", "--seed", "3", "--resamples", "50",
        "--csv",
    )  # fmt: skip
    assert typed.code == 0, typed.err
    expected = sy.threshold(
        file,
        score="rf",
        positive="1",
        by="min-cost",
        cost={"fn": "5", "fp": "1"},
        sensitivity="0.9",
        rng=3,
        resamples=50,
    )
    assert typed.out == expected.to_csv()


def test_text_starts_with_the_sentence_and_fits_eighty_columns(type_command, data):
    typed = type_command(
        "threshold", data / "wdbc_scores.csv", "--score", "knn7", "--positive", "1"
    )
    assert typed.out.startswith("Call class 1 from ")
    assert max(map(len, typed.out.splitlines())) <= 80
    fixed = type_command(
        "threshold", data / "wdbc_scores.csv", "--score", "knn7", "--positive", "1",
        "--by", "fixed", "--threshold", "0.5", "--json",
    )  # fmt: skip
    assert json.loads(fixed.out)["by"] == "fixed"


def test_a_threshold_kept_for_other_commands_is_used_only_when_asked_for(type_command, tmp_path):
    rows = "\n".join(f"{t},{s}" for t, s in zip("nnynyy", (1, 2, 3, 4, 5, 6), strict=True))
    (tmp_path / "p.csv").write_text(f"truth,a\n{rows}\n")
    (tmp_path / "steelyard.toml").write_text('positive = "y"\nscore = ["a"]\nthreshold = 2.5\n')
    typed = type_command("threshold", "p.csv", "--resamples", "0")
    assert typed.out.startswith("Call y from 3 up"), typed.err
    typed = type_command("threshold", "p.csv", "--by", "fixed")
    assert typed.out.startswith("Call y from 2.5 up"), typed.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 1, "systems give scores"),
        (("--score", "rf", "--by", "max-kapa"), 2, "Did you mean by='max-kappa'"),
        (("--score", "rf", "--cost", "5"), 2, "fn=5,fp=1"),
        (("--score", "rf", "--cost", "fn=x"), 2, "cost of fn='x'"),
        (("--score", "rf", "--sensitivity", "95"), 2, "sensitivity=0.95"),
        (("--score", "rf", "--level", "95"), 2, "level=0.95"),
    ],
)
def test_refusals_have_their_code_and_leave_stdout_empty(type_command, data, words, code, said):
    typed = type_command("threshold", data / "german_credit_scores.csv", "--positive", "1", *words)
    assert (typed.code, typed.out) == (code, "")
    assert said in typed.words
    assert "Traceback" not in typed.words

"""Reports, lists, workbooks, boards and tries: the first command answers, or names the next one.

Each number is checked against one counted here in plain Python, or by fractions.
"""

import json
import re
import shlex
import sys
from fractions import Fraction
from importlib.resources import files
from itertools import product

import pytest

import steelyard as sy
from steelyard.comparison import independent_test, mcnemar
from steelyard.counts import PairTable, RoundedTrials
from tests.real import further_shapes as shapes
from tests.real.shapes import counts, draw, score_list, write_rows
from tests.typed import type_words

DRAWN = draw()
FIRST, SECOND = DRAWN.right(DRAWN.first), DRAWN.right(DRAWN.second)
TRUE = shapes.binary(DRAWN)
AREA = DRAWN.area("cat")


@pytest.fixture
def answer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(shape, line):
        shape(tmp_path, DRAWN)
        code, out, err = type_words([*shlex.split(line), "--json"])
        assert code == 0, err
        return json.loads(out)

    return run


@pytest.fixture
def refusal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(shape, line):
        shape(tmp_path, DRAWN)
        code, _, err = type_words(shlex.split(line))
        assert code in {1, 2}, err
        return err

    return run


BOTH = {"alpha": FIRST, "beta": SECOND}


@pytest.mark.parametrize(
    ("shape", "line", "right"),
    [
        (shapes.bare_pairs, "evaluate pairs.csv --columns truth,called", {"called": FIRST}),
        (shapes.conll, "evaluate conll.txt --columns _,_,truth,called", {"called": FIRST}),
        (shapes.workbook, "compare results.xlsx", {"cnn": FIRST, "svm": SECOND}),
        (
            shapes.workbook,
            "compare two_sheets.xlsx --table predictions",
            {"cnn": FIRST, "svm": SECOND},
        ),
        (shapes.human_eval, "compare alpha.jsonl beta.jsonl", BOTH),
        (shapes.tries_of_models, "compare tries.csv", BOTH),
        (shapes.tries_of_models, "compare lists.jsonl", BOTH),
        (shapes.columns_of_json, "evaluate dump.json", {"predictions": FIRST}),
        (shapes.pandas_json, "evaluate split.json", {"y_pred": FIRST}),
        (shapes.pandas_json, "evaluate columns.json", {"y_pred": FIRST}),
        (shapes.pandas_json, "evaluate index.json", {"y_pred": FIRST}),
        (shapes.pandas_json, "evaluate rows.json", {"pred": FIRST}),
        (shapes.mlr3, "evaluate mlr3.csv", {"response": FIRST, "prob": FIRST}),
        (shapes.tune, "evaluate tune.csv", {".pred_class": FIRST}),
        (shapes.sclite, "evaluate alpha.pra", {"alpha": FIRST}),
        (
            shapes.glue,
            "compare mine.tsv theirs.tsv --truth dev.tsv:label",
            {"mine": FIRST, "theirs": SECOND},
        ),
        (shapes.verdict_columns, "compare verdicts.csv", BOTH),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)
def test_the_first_command_answers_with_the_right_counts(answer, shape, line, right):
    assert counts(answer(shape, line)) == right


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (score_list, "evaluate scores.txt --positive cat"),
        (shapes.trials, "evaluate trials.txt --columns truth,score --positive target"),
        (shapes.trials, "evaluate trials.txt --positive target"),
        (shapes.anti_spoofing, "evaluate asv.txt --columns item,_,truth,score --positive bonafide"),
        (shapes.kaggle_probabilities, "evaluate solution.csv mine.csv --positive 1"),
        (shapes.kaggle_probabilities, "evaluate mine.csv --truth answers.csv:target --positive 1"),
    ],
)
def test_scores_of_lists_and_submissions_have_the_right_area(answer, shape, line):
    (system,) = answer(shape, line)["systems"]
    assert system["area"]["value"] == pytest.approx(AREA, abs=1e-12)


def test_two_submissions_of_probabilities_are_compared_with_a_solution_or_with_answers(answer):
    for line in (
        "compare solution.csv mine.csv theirs.csv --positive 1",
        "compare mine.csv theirs.csv --truth answers.csv:target --positive 1",
    ):
        found = answer(shapes.kaggle_probabilities, line)
        areas = {one["system"]: one["rate"]["value"] for one in found["systems"]}
        assert areas["mine"] == pytest.approx(AREA, abs=1e-12)


@pytest.mark.parametrize(
    ("shape", "line", "holds"),
    [
        (shapes.trials, "evaluate trials.txt", "--positive target"),
        (shapes.anti_spoofing, "evaluate asv.txt", "--positive bonafide"),
        (shapes.bare_pairs, "evaluate pairs.csv", "--columns truth,called"),
        (shapes.conll, "evaluate conll.txt", "--columns item,_,truth,called"),
        (shapes.workbook, "compare two_sheets.xlsx", "--table predictions"),
        (shapes.board_markdown, "compare board.md", "steelyard compare board.md --tested N"),
        (shapes.board_csv, "evaluate board.csv", "steelyard compare board.csv"),
        (shapes.kaggle_probabilities, "compare solution.csv mine.csv theirs.csv", "--positive 1"),
        (shapes.swe_bench, "compare whole.json shard1.json", "--unsubmitted drop"),
        (shapes.human_eval, "compare alpha.jsonl beta.jsonl --item task_id", "--cluster task_id"),
    ],
    ids=lambda part: getattr(part, "__name__", part if isinstance(part, str) else ""),
)
def test_a_refusal_is_short_and_holds_the_command_that_works(refusal, shape, line, holds):
    said = refusal(shape, line)
    assert holds in said
    assert sum(-(-len(one) // 80) for one in said.splitlines()) <= 10


# --- SWE-bench


def test_what_was_never_submitted_counts_only_as_it_is_said(answer):
    common = sum(DRAWN.truth[i] == DRAWN.first[i] for i in range(30))
    shard = sum(DRAWN.truth[i] == DRAWN.second[i] for i in range(30))
    dropped = answer(shapes.swe_bench, "compare whole.json shard1.json --unsubmitted drop")
    assert dropped["items"] == 30
    assert counts(dropped) == {"whole": common, "shard1": shard}
    wrong = answer(shapes.swe_bench, "compare whole.json shard1.json --unsubmitted wrong")
    assert (wrong["items"], counts(wrong)) == (60, {"whole": FIRST, "shard1": shard})


def test_shards_that_are_named_alike_are_one_system(answer):
    found = answer(shapes.swe_bench, "compare a=whole.json b=shard1.json b=shard2.json")
    assert (found["items"], counts(found)) == (60, {"a": FIRST, "b": SECOND})


def test_shards_that_share_items_are_refused(refusal):
    said = refusal(shapes.swe_bench, "compare a=whole.json b=shard1.json b=overlap.json")
    assert "10 items stand in more than one shard of b" in " ".join(said.split())


def test_shards_of_a_table_are_one_system_and_may_not_share_ids(answer, refusal):
    def shards(folder, drawn):
        for name, rows in (("one", range(30)), ("two", range(30, 60)), ("three", range(25, 60))):
            lines = [f"{i},{drawn.truth[i]},{drawn.first[i]}" for i in rows]
            (folder / f"{name}.csv").write_text("\n".join(["id,truth,called", *lines]))
        lines = [f"{i},{drawn.truth[i]},{drawn.second[i]}" for i in range(60)]
        (folder / "whole.csv").write_text("\n".join(["id,truth,called", *lines]))

    found = answer(shards, "compare a=one.csv a=two.csv b=whole.csv")
    assert counts(found) == {"a": FIRST, "b": SECOND}
    assert "5 ids appear more than once" in refusal(
        shards, "compare a=one.csv a=three.csv b=whole.csv"
    )


def test_rows_about_one_image_are_said_to_belong_together_perhaps(answer):
    def epochs(folder, drawn):
        rows = [
            [f"i{i % 20}", i // 20, t, p]
            for i, (t, p) in enumerate(zip(drawn.truth, drawn.first, strict=True))
        ]
        write_rows(folder / "epochs.csv", ["image", "epoch", "label", "prediction"], rows)

    found = answer(epochs, "evaluate epochs.csv")
    assert any("60 rows hold 20 values of 'image'" in one for one in found["caveats"])
    named = answer(epochs, "evaluate epochs.csv --cluster image")
    assert not any("rows hold" in one for one in named["caveats"])


def test_an_id_that_is_both_resolved_and_not_is_refused(refusal):
    def both(folder, drawn):
        shapes.swe_report(folder / "both.json", ["a-1", "a-2"], ["a-2"], ["a-1", "a-2"])

    assert "1 id is both resolved and unresolved: a-2" in refusal(both, "evaluate both.json")


def test_answers_that_a_truth_waits_for_in_vain_are_counted(answer):
    def short(folder, drawn):
        shapes.glue(folder, drawn)
        lines = (folder / "mine.tsv").read_text().splitlines()
        (folder / "mine.tsv").write_text("\n".join(lines[:-3]) + "\n")

    found = answer(short, "evaluate mine.tsv --truth dev.tsv:label")
    assert "3 items of dev.tsv were not answered, and left out" in found["caveats"]


# --- workbooks


def test_a_title_above_the_header_is_no_header(answer):
    def titled(folder, drawn):
        import openpyxl

        book = openpyxl.Workbook()
        book.active.append(["Results of March"])
        book.active.append([])
        book.active.append(["label", "cnn", "", "note"])
        for row in zip(drawn.truth, drawn.first, strict=True):
            book.active.append(row)
        book.save(folder / "march.xlsx")

    assert counts(answer(titled, "evaluate march.xlsx")) == {"cnn": FIRST}


def test_without_the_part_that_reads_workbooks_one_is_told_what_to_do(
    refusal, tmp_path, monkeypatch
):
    shapes.workbook(tmp_path, DRAWN)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    said = refusal(lambda *_: None, "compare results.xlsx")
    assert 'pip install "steelyard[excel]"' in said
    assert "CSV" in said


# --- published shares


def exact_range(text, tested):
    """Try every count: does it round to the share as it stands there?"""
    share, digits = Fraction(text.rstrip("%")) / 100, len(text.rstrip("%").partition(".")[2])
    half = Fraction(1, 200 * 10**digits)
    fit = [k for k in range(tested + 1) if abs(Fraction(k, tested) - share) <= half]
    return (fit[0], fit[-1]) if fit else None


@pytest.mark.parametrize(
    ("text", "tested"),
    [
        ("87.3%", 1000),
        ("87.3%", 1319),
        ("87%", 164),
        ("0.0%", 500),
        ("100%", 30),
        ("50.05%", 14042),
    ],
)
def test_the_counts_that_a_share_allows_are_those_that_round_to_it(text, tested):
    board = RoundedTrials.of({"S": text}, tested=tested, pairing="common")
    assert (board.least[0], board.most[0]) == exact_range(text, tested)


def test_a_share_that_no_count_fits_is_refused():
    assert exact_range("87.3%", 10) is None
    with pytest.raises(sy.RefusedData, match=r"8 is 80 % and 9 is 90 %"):
        RoundedTrials.of({"S": "87.3%"}, tested=10, pairing="common")


@pytest.mark.parametrize("shares", [("84%", "80%"), ("80%", "80%"), ("90%", "50%")])
def test_what_is_said_of_rounded_shares_holds_for_every_count_that_fits(shares):
    tested = 330
    board = RoundedTrials.of(
        dict(zip("ST", shares, strict=True)), tested=tested, pairing="independent"
    )
    (pair,) = sy.compare(board).pairs
    found = [
        (x, y, independent_test((x, tested), (y, tested)).p_value)
        for x, y in product(*(range(board.least[i], board.most[i] + 1) for i in (0, 1)))
    ]
    assert pair.p_value >= max(p for *_, p in found)
    assert pair.overlaps.p_least <= min(p for *_, p in found)
    for x, y, _ in found:
        trials = sy.Trials(correct={"S": x, "T": y}, tested=tested, pairing="independent")
        (alone,) = sy.compare(trials).pairs
        assert pair.overlaps.better_low - 1e-9 <= alone.better <= pair.overlaps.better_high + 1e-9
        ends, own = pair.difference.interval, alone.difference.interval
        assert ends.low - 1e-9 <= own.low
        assert own.high <= ends.high + 1e-9


def test_on_common_items_they_hold_for_every_overlap_as_well():
    tested = 60
    board = RoundedTrials.of({"S": "85%", "T": "70%"}, tested=tested, pairing="common")
    (pair,) = sy.compare(board).pairs
    worst = 0.0
    for x, y in product(*(range(board.least[i], board.most[i] + 1) for i in (0, 1))):
        for both in range(max(0, x + y - tested), min(x, y) + 1):
            table = PairTable(
                both=both, first=x - both, second=y - both, neither=tested - x - y + both
            )
            worst = max(worst, mcnemar(table, method="exact").p_value)
    assert pair.p_value == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        (shapes.board_markdown, "compare board.md --tested 1319"),
        (shapes.board_csv, "compare board.csv"),
    ],
)
def test_a_pasted_board_becomes_groups_of_ties(answer, shape, line):
    found = answer(shape, line)
    tiers = {one["system"]: one["tier"] for one in found["systems"]}
    assert tiers["A"] == tiers["B"] != tiers["C"]
    assert found["rounded"]
    assert found["pairing"] == "common"


def test_a_board_may_be_pasted_into_standard_input(tmp_path, monkeypatch):
    shapes.board_markdown(tmp_path, DRAWN)
    pasted = (tmp_path / "board.md").read_bytes()
    code, out, err = type_words(["compare", "-", "--tested", "1319"], given=pasted)
    assert code == 0, err
    assert "A and B cannot be told apart" in out


def test_shares_that_are_typed_are_bounded_by_their_rounding(answer):
    found = answer(lambda *_: None, "compare --accuracy S=87.3%,T=85.1% --tested 1319")
    assert found["rounded"]
    assert counts(found) == {"S": 1151, "T": 1122}
    assert any("S 87.3% of 1,319: 1,151 to 1,152 right" in one for one in found["caveats"])


# --- every command of the page


@pytest.mark.parametrize(
    ("example", "columns", "line"),
    [
        ("judge_grades.csv", {}, "compare grades.csv --value alpha,beta"),
        (
            "speech_errors.csv",
            {"conformer": "a", "hybrid": "b"},
            "compare asr.csv --errors a.errors,b.errors --per words",
        ),
        ("dataset_results.csv", {}, "compare results.csv --layout datasets --lower-is-better"),
    ],
)
def test_numbers_of_items_are_compared(example, columns, line, tmp_path):
    text = files("steelyard.data").joinpath(example).read_text(encoding="utf-8")
    for old, new in columns.items():
        text = text.replace(old, new)
    (tmp_path / line.split()[1]).write_text(text, encoding="utf-8")
    shown = type_words(shlex.split(line), folder=tmp_path)
    assert (shown.code, shown.err) == (0, "")


TYPED_ELSEWHERE = {
    "compare a.sgml b.sgml",
    "evaluate scores.txt --truth key.txt --positive target",
}
"""Alignments are tried with those of tests/sources/logs, trials in tests/sources."""


def test_every_first_command_of_the_page_is_typed_in_a_test():
    from pathlib import Path

    page = Path(__file__).parents[2] / "docs/how-to/read-your-files.md"
    table = page.read_text().partition("## What do I type first?")[2].partition("\n## ")[0]
    commands = re.findall(r"`steelyard ([^`]+)`", table)
    tried = "\n".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    tried = re.sub(r"\s+", " ", tried)
    assert len(commands) >= 20
    for command in set(commands) - TYPED_ELSEWHERE:
        assert command in tried, command

"""Inspect, lm-evaluation-harness, promptfoo and SWE-bench, as the tools themselves wrote them."""

import json
import shutil
import struct
import sys
import zipfile
from pathlib import Path

import pytest

from steelyard.errors import ExtraMissing, FileUnreadable, RolesUnclear, SourceError, UnusableRows
from steelyard.journey import compare, evaluate
from steelyard.sources import Roles, open_predictions
from steelyard.sources.logs import inspect_logs as archives
from steelyard.tally import tally_outcomes, tally_trials

DATA = Path(__file__).parent / "data"
ALPHA, BETA = DATA / "inspect_ai/alpha.eval", DATA / "inspect_ai/beta.eval"


def counted(data, **roles):
    predictions = open_predictions(data, Roles.of(**roles))
    trials = tally_trials(predictions)
    return {
        n: (c, t) for n, c, t in zip(trials.systems, trials.correct, trials.tested, strict=True)
    }


def member(path, name):
    with archives.Archive(path, path.name) as archive:
        return archive.read(name)


def repacked(path, target, *, leave=(), change=(), method=zipfile.ZIP_DEFLATED):
    """Write an archive again with stdlib methods, some members left out or changed."""
    changed = dict(change)
    with (
        archives.Archive(path, path.name) as archive,
        zipfile.ZipFile(target, "w", method) as new,
    ):
        for name in sorted(archive.members):
            if name not in leave:
                new.writestr(name, changed.get(name, archive.read(name)))
    return target


def test_two_inspect_logs_packed_with_zstd_compare_by_sample_id_and_epoch():
    found = counted([ALPHA, BETA], scorer="match")
    assert found == {"mockllm/alpha": (21, 24), "mockllm/beta": (14, 24)}


def test_epochs_are_clusters_of_one_item_and_never_extra_items():
    predictions = open_predictions([ALPHA, BETA], Roles.of(scorer="match"))
    assert "cluster" in predictions.splits
    ((clusters,),) = predictions.table.query("SELECT COUNT(DISTINCT cluster) FROM {t}")
    assert (clusters, predictions.rows) == (12, 24)
    system = evaluate(ALPHA, scorer="match").systems[0]
    assert system.accuracy.interval.method == "cluster-robust"


def test_a_comparison_of_logs_takes_items_not_epochs_as_independent():
    result = compare([ALPHA, BETA], scorer="match")
    (pair,) = result.pairs
    assert pair.difference.interval.method == "cluster-robust"
    assert any("24 items come in 12 clusters" in caveat for caveat in result.caveats)


def test_an_inspect_log_says_how_many_samples_matched_and_errored():
    said = dict(open_predictions([ALPHA, BETA], Roles.of(scorer="match")).understood)
    assert "24 matched, 0 unmatched, 0 errored" in str(said)


def test_several_scorers_are_listed_and_none_is_guessed():
    with pytest.raises(
        RolesUnclear, match=r"match, multi.correct, multi.length, graded"
    ) as refused:
        open_predictions(ALPHA, Roles.of())
    assert refused.value.code == "scorer-unclear"


def test_a_dict_score_has_one_scorer_for_each_key():
    assert counted(ALPHA, scorer="multi.correct") == counted(ALPHA, scorer="match")


def test_a_graded_score_needs_a_threshold():
    with pytest.raises(RolesUnclear, match=r"gives more than right and wrong: 0.5"):
        open_predictions(ALPHA, Roles.of(scorer="graded"))
    assert counted(ALPHA, scorer="graded", threshold=0.5) == {"mockllm/alpha": (24, 24)}


def test_a_scorer_that_is_not_there_is_refused_with_the_nearest():
    with pytest.raises(SourceError, match=r"Did you mean scorer='match'"):
        open_predictions(ALPHA, Roles.of(scorer="mach"))


def test_a_metric_named_for_scorers_says_the_right_word():
    with pytest.raises(RolesUnclear, match=r"call it a scorer"):
        open_predictions(ALPHA, Roles.of(metric="match"))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_older_inspect_logs_that_are_deflated_read_the_same(tmp_path, method):
    old = repacked(ALPHA, tmp_path / "old.eval", method=method)
    assert counted(old, scorer="match") == counted(ALPHA, scorer="match")


def test_a_run_that_crashed_before_its_header_is_read_from_its_journal(tmp_path):
    leave = {"header.json", "summaries.json", "reductions.json"}
    crashed = repacked(ALPHA, tmp_path / "crashed.eval", leave=leave)
    assert counted(crashed, scorer="match") == counted(ALPHA, scorer="match")
    caveats = open_predictions(crashed, Roles.of(scorer="match")).caveats
    assert any("ended as 'crashed', with 24 samples" in caveat for caveat in caveats)


def test_an_archive_that_is_no_log_is_refused(tmp_path):
    leave = {"header.json", "_journal/start.json"}
    other = repacked(ALPHA, tmp_path / "other.eval", leave=leave)
    with pytest.raises(FileUnreadable, match=r"neither header.json nor _journal/start.json"):
        open_predictions(other, Roles.of())


@pytest.mark.parametrize(("inside", "code"), [("a.csv", "archive"), ("xl/workbook.xml", "damaged")])
def test_an_ordinary_zip_is_still_no_table(tmp_path, inside, code):
    path = tmp_path / "book.xlsx"
    with zipfile.ZipFile(path, "w") as new:
        new.writestr(inside, "<x/>")
    with pytest.raises(FileUnreadable) as refused:
        open_predictions(path, Roles.of())
    assert refused.value.code == code


def test_ids_of_two_types_are_one_item(tmp_path):
    summaries = json.loads(member(BETA, "summaries.json"))
    for one in summaries:
        one["id"] = int(one["id"][1:])
    first = json.loads(member(ALPHA, "summaries.json"))
    for one in first:
        one["id"] = str(int(one["id"][1:]))
    a = repacked(ALPHA, tmp_path / "a.eval", change=[("summaries.json", json.dumps(first))])
    b = repacked(BETA, tmp_path / "b.eval", change=[("summaries.json", json.dumps(summaries))])
    outcomes = tally_outcomes(open_predictions([a, b], Roles.of(scorer="match")))
    whole = tally_outcomes(open_predictions([ALPHA, BETA], Roles.of(scorer="match")))
    assert outcomes.total == 24
    assert outcomes.trials() == whole.trials()


def test_errors_are_refused_counted_wrong_or_dropped_as_the_user_says():
    log = DATA / "inspect_ai/with_error.eval"
    with pytest.raises(UnusableRows, match=r"1 sample errored.*provider down") as refused:
        open_predictions(log, Roles.of(scorer="match"))
    assert refused.value.code == "errored-samples"
    assert counted(log, scorer="match", errors="wrong") == {"mockllm/gamma": (3, 4)}
    assert counted(log, scorer="match", errors="drop-pair") == {"mockllm/gamma": (3, 3)}
    caveats = open_predictions(log, Roles.of(scorer="match", errors="drop-pair")).caveats
    assert any("1 sample left out for every system" in caveat for caveat in caveats)


def test_a_dropped_error_leaves_the_item_out_for_every_system(tmp_path):
    summaries = json.loads(member(BETA, "summaries.json"))
    summaries[0] |= {"scores": {}, "error": "time out"}
    b = repacked(BETA, tmp_path / "b.eval", change=[("summaries.json", json.dumps(summaries))])
    found = counted([ALPHA, b], scorer="match", errors="drop-pair")
    assert {tested for _, tested in found.values()} == {23}


def test_unmatched_items_are_refused_on_both_sides_unless_told(tmp_path):
    log = DATA / "inspect_ai/with_error.eval"
    logs = {"beta": BETA, "gamma": log}
    with pytest.raises(UnusableRows, match=r"not in every system: gamma lacks 20"):
        open_predictions(logs, Roles.of(scorer="match", errors="wrong"))
    found = counted(logs, scorer="match", errors="wrong", join="inner")
    assert {tested for _, tested in found.values()} == {4}


def test_samples_that_an_early_stop_left_out_are_spoken_of():
    predictions = open_predictions(DATA / "inspect_ai/early_stopped.json", Roles.of(scorer="match"))
    assert predictions.rows == 3
    assert any("3 samples not run, stopped early" in caveat for caveat in predictions.caveats)


def test_a_file_named_by_its_system_carries_that_name():
    assert set(counted({"old": ALPHA, "new": BETA}, scorer="match")) == {"old", "new"}


def test_two_runs_of_one_model_are_asked_for_names(tmp_path):
    again = tmp_path / "again.eval"
    shutil.copy(ALPHA, again)
    with pytest.raises(UnusableRows, match=r"name each file"):
        open_predictions([ALPHA, again], Roles.of(scorer="match"))
    assert len(counted({"a": ALPHA, "b": again}, scorer="match")) == 2


def test_a_field_of_the_log_may_be_the_cluster_or_the_group():
    predictions = open_predictions(
        [ALPHA, BETA], Roles.of(scorer="match", cluster="passage", group="subject")
    )
    ((clusters, groups),) = predictions.table.query(
        "SELECT COUNT(DISTINCT cluster), COUNT(DISTINCT slice) FROM {t}"
    )
    assert (clusters, groups) == (4, 2)
    with pytest.raises(SourceError, match=r"passage, subject"):
        open_predictions(ALPHA, Roles.of(scorer="match", cluster="paragraph"))


def test_without_the_extra_the_line_to_type_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(ExtraMissing, match=r'pip install "steelyard\[logs\]"'):
        open_predictions(ALPHA, Roles.of())


@pytest.mark.parametrize("kept", [100, 30_000, 58_000])
def test_a_zip_that_was_cut_off_is_damaged(tmp_path, kept):
    cut = tmp_path / "cut.eval"
    cut.write_bytes(ALPHA.read_bytes()[:kept])
    with pytest.raises(FileUnreadable, match=r"damaged") as refused:
        open_predictions(cut, Roles.of())
    assert refused.value.code == "damaged"


def test_a_flipped_byte_in_a_zstd_member_is_found(tmp_path):
    content = bytearray(ALPHA.read_bytes())
    with zipfile.ZipFile(ALPHA) as opened:
        entry = opened.getinfo("summaries.json")
    content[entry.header_offset + 200] ^= 0xFF
    bad = tmp_path / "bad.eval"
    bad.write_bytes(content)
    with pytest.raises(FileUnreadable) as refused:
        open_predictions(bad, Roles.of(scorer="match"))
    assert refused.value.code == "damaged"


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path):
    bomb = tmp_path / "bomb.eval"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        new.writestr("_journal/start.json", "{}")
        new.writestr("header.json", b"0" * (1 << 24))
    monstrous = archives.MOST_RATIO
    try:
        archives.MOST_RATIO = 100
        with pytest.raises(FileUnreadable, match=r"grows far beyond its size") as refused:
            open_predictions(bomb, Roles.of())
    finally:
        archives.MOST_RATIO = monstrous
    assert refused.value.code == "archive"


def test_a_member_that_lies_about_its_size_is_refused(tmp_path):
    lying = tmp_path / "lying.eval"
    with zipfile.ZipFile(lying, "w", zipfile.ZIP_DEFLATED) as new:
        new.writestr("header.json", b'{"eval": {}}' + b" " * 5000)
    content = lying.read_bytes()
    lying.write_bytes(content.replace(struct.pack("<I", 5012), struct.pack("<I", 12)))
    with pytest.raises(FileUnreadable):
        open_predictions(lying, Roles.of())


def test_names_that_climb_out_of_a_folder_write_nothing(tmp_path):
    inner = tmp_path / "inner"
    inner.mkdir()
    log = repacked(ALPHA, inner / "log.eval")
    with zipfile.ZipFile(log, "a") as opened:
        opened.writestr("../outside.json", "[]")
    before = sorted(tmp_path.rglob("*"))
    assert counted(log, scorer="match") == {"mockllm/alpha": (21, 24)}
    assert sorted(tmp_path.rglob("*")) == before


def test_a_log_of_hostile_names_prints_no_escape(tmp_path):
    header = json.loads(member(ALPHA, "header.json"))
    header["eval"]["model"] = "\x1b[31m=cmd|' /C calc'!A0\n\u202eevil"
    hostile = repacked(ALPHA, tmp_path / "h.eval", change=[("header.json", json.dumps(header))])
    result = evaluate(hostile, scorer="match")
    assert not {"\x1b", "\u202e"} & set(result.text())
    assert result.systems[0].accuracy.successes == 21


def test_json_that_is_nested_too_deeply_is_refused(tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text('{"version": 2, "status": "success", "eval": ' + "[" * 200_000)
    with pytest.raises(FileUnreadable, match=r"not whole JSON"):
        open_predictions(deep, Roles.of())


def test_logs_and_tables_do_not_mix(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("item,truth,a\n1,x,x\n")
    with pytest.raises(FileUnreadable, match=r"table.csv is not an evaluation log, and alpha"):
        open_predictions([ALPHA, table], Roles.of(scorer="match"))


def test_choices_among_verdicts_are_about_logs_only():
    with pytest.raises(ValueError, match=r"is about evaluation logs"):
        evaluate({"truth": ["x", "y"], "a": ["x", "y"]}, scorer="match")


LM_EVAL = DATA / "lm_eval"


def runs(pattern):
    return [str(LM_EVAL / f"run{number}" / "*" / pattern) for number in (1, 2)]


def test_lm_eval_samples_pair_by_the_hash_of_the_document():
    found = counted(runs("samples_adda*"), metric="acc")
    own = [json.loads(path.read_text()) for path in sorted(LM_EVAL.glob("run*/*/results*"))]
    assert found == {
        one["model_name"]: (round(6 * one["results"]["adda"]["acc,none"]), 6) for one in own
    }


def test_a_mislabelled_doc_id_does_not_unpair_items(tmp_path):
    (first,) = LM_EVAL.glob("run1/*/samples_adda*")
    (second,) = LM_EVAL.glob("run2/*/samples_adda*")
    rows = [json.loads(line) for line in second.read_text().splitlines()]
    for row in rows:
        row["doc_id"] = 5 - row["doc_id"]
    moved = tmp_path / "other" / second.name
    moved.parent.mkdir()
    moved.write_text("\n".join(json.dumps(row) for row in reversed(rows)))
    straight = tally_outcomes(open_predictions({"a": first, "b": second}, Roles.of(metric="acc")))
    crooked = tally_outcomes(open_predictions({"a": first, "b": moved}, Roles.of(metric="acc")))
    assert straight == crooked


def test_several_metrics_are_listed():
    with pytest.raises(RolesUnclear, match=r"2 metrics: acc, acc_norm"):
        open_predictions(runs("samples_adda*"), Roles.of())


def test_tasks_become_groups_and_totals_add_nothing():
    predictions = open_predictions(runs("*_add[ab]_*"), Roles.of(metric="acc"))
    assert predictions.rows == 12
    assert "group" in predictions.splits
    whole = open_predictions(runs("*"), Roles.of(metric=["acc", "exact_match"]))
    assert whole.rows == 18


def test_a_task_without_the_chosen_metric_is_named():
    with pytest.raises(RolesUnclear, match=r"Task 'addgen' has none of acc"):
        open_predictions(runs("*"), Roles.of(metric="acc"))


def test_two_filters_are_never_counted_twice():
    samples = str(LM_EVAL / "two_filters/*/samples_*")
    with pytest.raises(RolesUnclear, match=r"2 filters: strict-match, flexible-extract") as refused:
        open_predictions(samples, Roles.of())
    assert refused.value.code == "filter-unclear"
    assert counted(samples, filter="strict-match")["n6suiale"][1] == 6


def test_a_model_is_named_by_the_results_beside_its_samples_or_by_its_folder(tmp_path):
    (samples,) = LM_EVAL.glob("run1/*/samples_adda*")
    (results,) = LM_EVAL.glob("run1/*/results*")
    folder = tmp_path / "acme__model"
    folder.mkdir()
    shutil.copy(samples, folder)
    assert list(counted(folder / samples.name, metric="acc")) == ["acme__model"]
    shutil.copy(results, folder)
    assert list(counted(folder / samples.name, metric="acc")) == ["jt8a2350"]


def test_totals_without_samples_are_refused(tmp_path):
    (results,) = LM_EVAL.glob("run1/*/results*")
    shutil.copy(results, tmp_path)
    with pytest.raises(FileUnreadable, match=r"--log_samples") as refused:
        open_predictions(tmp_path / results.name, Roles.of())
    assert refused.value.code == "totals-only"


def test_a_limited_run_is_spoken_of(tmp_path):
    (samples,) = LM_EVAL.glob("run1/*/samples_adda*")
    (results,) = LM_EVAL.glob("run1/*/results*")
    whole = json.loads(results.read_text())
    whole["n-samples"]["adda"] = {"original": 600, "effective": 6}
    (tmp_path / results.name).write_text(json.dumps(whole))
    shutil.copy(samples, tmp_path)
    caveats = open_predictions([str(tmp_path / "*")], Roles.of(metric="acc")).caveats
    assert any("adda: 6 of 600 items were run" in caveat for caveat in caveats)


def test_a_cut_line_of_samples_is_damaged(tmp_path):
    (samples,) = LM_EVAL.glob("run1/*/samples_adda*")
    cut = tmp_path / samples.name
    cut.write_text(samples.read_text()[:-30])
    with pytest.raises(FileUnreadable, match=r"line 6: the log is not whole JSON"):
        open_predictions(cut, Roles.of(metric="acc"))


PROMPTFOO = DATA / "promptfoo"


@pytest.mark.parametrize("name", ["out.json", "out.jsonl"])
def test_promptfoo_repeats_are_told_by_their_variables_not_by_their_number(name):
    predictions = open_predictions(PROMPTFOO / name, Roles.of())
    ((clusters,),) = predictions.table.query("SELECT COUNT(DISTINCT cluster) FROM {t}")
    assert (clusters, predictions.rows, len(predictions.systems)) == (3, 6, 4)
    right = {n.partition(" | ")[2]: 0 for n in counted(PROMPTFOO / name)}
    assert set(right) == {"Compute {{a}}+{{b}}", "What is {{a}} plus {{b}}? Say just the number."}


def test_promptfoo_rows_count_the_same_in_both_files_and_in_any_order(tmp_path):
    lines = (PROMPTFOO / "out.jsonl").read_text().splitlines()
    turned = tmp_path / "turned.jsonl"
    turned.write_text("\n".join(reversed(lines)))
    whole = counted(PROMPTFOO / "out.json")
    assert whole == counted(PROMPTFOO / "out.jsonl") == counted(turned)


def test_a_failed_assertion_is_wrong_and_a_failed_provider_an_error():
    log = PROMPTFOO / "with_error.json"
    with pytest.raises(UnusableRows, match=r"model-err 1: 1 sample errored.*Rate limit"):
        open_predictions(log, Roles.of())
    assert counted(log, errors="drop-pair") == {"model-err": (0, 1)}
    assert counted(log, errors="wrong") == {"model-err": (0, 2)}


def test_a_named_score_may_be_the_metric():
    with pytest.raises(UnusableRows, match="8 samples errored or were not scored"):
        open_predictions(PROMPTFOO / "out.json", Roles.of(metric="exact"))
    found = counted(PROMPTFOO / "out.json", metric="exact", errors="drop-pair")
    assert {tested for _, tested in found.values()} == {4}


SWE = DATA / "swebench"


def test_instances_that_were_never_submitted_are_asked_about_before_they_count():
    path = SWE / "acme__agent-a.run1.json"
    with pytest.raises(UnusableRows, match=r"submitted 5 of 6: .*--unsubmitted drop"):
        open_predictions(path, Roles.of())
    assert counted(path, unsubmitted="wrong") == {"acme__agent-a.run1": (2, 6)}
    assert counted(path, unsubmitted="drop") == {"acme__agent-a.run1": (2, 5)}
    said = open_predictions(path, Roles.of(unsubmitted="wrong")).caveats
    assert any("never submitted counted as wrong" in caveat for caveat in said)


def test_a_failure_of_the_infrastructure_is_an_error_not_a_wrong_answer(tmp_path):
    report = json.loads((SWE / "acme__agent-a.run1.json").read_text())
    report["infra_failure_ids"] = ["pylint-dev__pylint-5859"]
    path = tmp_path / "agent.run2.json"
    path.write_text(json.dumps(report))
    with pytest.raises(UnusableRows, match=r"infra_failure"):
        open_predictions(path, Roles.of(unsubmitted="wrong"))
    kept = counted(path, errors="drop-pair", unsubmitted="wrong")
    assert kept == {"agent.run2": (2, 5)}


def test_two_reports_compare_by_instance(tmp_path):
    report = json.loads((SWE / "acme__agent-a.run1.json").read_text())
    report["resolved_ids"], report["unresolved_ids"] = (
        report["unresolved_ids"],
        report["resolved_ids"],
    )
    other = tmp_path / "acme__agent-b.run1.json"
    other.write_text(json.dumps(report))
    result = compare([SWE / "acme__agent-a.run1.json", other], unsubmitted="wrong")
    assert result.items == 6
    assert {one.system for one in result.systems} == {"acme__agent-a.run1", "acme__agent-b.run1"}


def test_reports_of_single_instances_make_one_run():
    found = counted(str(SWE / "logs/run_evaluation/run1/*/*/report.json"))
    assert found == {"acme__agent-a": (2, 3)}


def test_the_leaderboard_which_does_not_name_the_attempts_that_failed_is_no_rate():
    with pytest.raises(FileUnreadable, match="not the attempts that failed") as refused:
        open_predictions(SWE / "leaderboard_results.json", Roles.of())
    assert refused.value.code == "not-tried"
    assert "--tested 500 --pairing common" in str(refused.value)


def test_a_log_may_be_packed_with_gzip(tmp_path):
    import gzip

    packed = tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress((PROMPTFOO / "out.jsonl").read_bytes()))
    assert counted(packed) == counted(PROMPTFOO / "out.jsonl")


def test_a_run_in_which_everything_errored_says_why(tmp_path):
    whole = json.loads((DATA / "inspect_ai/early_stopped.json").read_text())
    for sample in whole["samples"]:
        sample |= {"scores": {}, "error": {"message": "no credit left"}}
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(whole))
    with pytest.raises(RolesUnclear, match="3 errored, the first: no credit left"):
        open_predictions(broken, Roles.of(errors="wrong"))


def test_an_empty_log_is_refused(tmp_path):
    header = json.loads((DATA / "inspect_ai/early_stopped.json").read_text())
    header["samples"] = []
    empty = tmp_path / "empty.json"
    empty.write_text(json.dumps(header))
    with pytest.raises(UnusableRows, match=r"not one sample"):
        open_predictions(empty, Roles.of())


def test_the_keys_of_the_first_object_are_found_however_it_is_cut():
    from steelyard.sources.logs.json_text import first_keys

    text = json.dumps({"a": {"b": [1, {"c": "}"}]}, 'd"q': "x,{", "e": [], "f": 1})
    keys = ["a", 'd\\"q', "e", "f"]
    for length in range(len(text) + 1):
        found = first_keys(text[:length].encode())
        assert found == keys[: len(found)]
    assert first_keys(text.encode()) == keys
    assert first_keys(b"item,truth\n") == []

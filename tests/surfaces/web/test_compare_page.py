"""The page of a comparison: which items, and answers that are no table of pairs."""

import csv
import re
from html import unescape
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy

DATA = Path(str(files("steelyard") / "data"))


def text_of(html):
    return unescape(re.sub("<[^>]+>", " ", html))


def sent(client, name, content):
    made = client.post("/files", content=content, headers={"X-File-Name": name})
    return made.json()["data"]


def rows_of(html):
    table = html[html.index('id="t-items"') :]
    table = table[table.index("<tbody>") : table.index("</tbody>")]
    return [
        [
            unescape(re.sub("<[^>]+>", "", cell)).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row)
        ]
        for row in re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    ]


def test_the_items_that_tell_systems_apart_come_first_and_are_those_of_the_answer(
    ask, client, tmp_path
):
    data = sent(client, "digits.csv", (DATA / "digits_labels.csv").read_bytes())
    found = ask("compare", data=data, systems=["svm", "knn3"])
    target = tmp_path / "flips.csv"
    answer = sy.compare(
        DATA / "digits_labels.csv", systems=["svm", "knn3"], items=target, flips=["svm", "knn3"]
    )
    apart = list(csv.DictReader(target.read_text().splitlines()))
    assert len(apart) == answer.pairs[0].table.discordant
    assert (
        f"{len(apart)} of 899 items tell systems apart; they come first among the 300"
        in found["html"]
    )
    listed = rows_of(found["html"])
    assert len(listed) == 300
    for row, wanted in zip(listed, apart, strict=False):
        assert row[:2] == [wanted["item"] if "item" in wanted else wanted["id"], wanted["truth"]]
    assert all(row[-1] in ("svm", "knn3") for row in listed[: len(apart)])
    assert {row[-1] for row in listed[len(apart) :]} <= {"all", "nobody"}
    assert 'data-filter="items"' in found["html"]


def test_what_stands_in_items_is_text(ask, client):
    nasty = "<img src=x onerror=alert(1)>"
    lines = ["item,truth,a,b"] + [f"{k},x,{'x' if k % 2 else nasty},x" for k in range(12)]
    lines += [f"{k},{nasty},{nasty},x" for k in range(12, 20)]
    data = sent(client, "n.csv", ("\n".join(lines) + "\n").encode())
    html = ask("compare", data=data)["html"]
    assert "t-items" in html
    assert "<img" not in html


@pytest.mark.parametrize("systems", ["scores", "values"])
def test_scores_and_numbers_list_no_items(ask, client, systems):
    name = {"scores": "wdbc_scores.csv", "values": "judge_grades.csv"}[systems]
    given = {
        "scores": {"positive": "1"},
        "values": {"value": ["alpha", "beta"], "higher_is_better": "true"},
    }[systems]
    data = sent(client, name, (DATA / name).read_bytes())
    found = ask("compare", data=data, **given)
    assert found["html"]
    assert "t-items" not in found["html"]


def test_a_reader_study_is_answered(ask, client):
    rng = np.random.default_rng(2)
    lines = ["case,reader,system,score,truth"]
    for case in range(40):
        for reader in "abc":
            for system, shift in (("film", 0.5), ("screen", 1.5)):
                score = rng.normal(shift * (case % 2), 1)
                lines.append(f"{case},{reader},{system},{score:.3f},{case % 2}")
    data = sent(client, "study.csv", ("\n".join(lines) + "\n").encode())
    found = ask("compare", data=data, reader="reader", positive="1")
    assert "3 readers scored 40 cases" in text_of(found["html"])
    assert "other readers" in text_of(found["html"])


def test_certainties_are_answered_on_both_pages(ask, client):
    rng = np.random.default_rng(3)
    sure, draw = rng.random((2, 80)).round(3)
    lines = ["item,truth,a,b,a.sure,b.sure"]
    for k in range(80):
        a = "x" if draw[k] < 0.5 + sure[k] / 2 else "y"
        lines.append(f"{k},x,{a},{'xy'[k % 5 == 0]},{sure[k]},{1 - sure[k]:.3f}")
    lines[-1] = lines[-1].replace(",x,", ",y,", 1)
    data = sent(client, "sure.csv", ("\n".join(lines) + "\n").encode())
    given = {"data": data, "called": ["a", "b"], "certainty": ["a.sure", "b.sure"]}
    for page in ("compare", "evaluate"):
        assert "AURC" in text_of(ask(page, **given)["html"])


def test_a_log_with_samples_that_failed_has_the_control_that_its_refusal_names(ask, client):
    data = sent(client, "run.eval", (DATA / "run.eval").read_bytes())
    refused = ask("compare", data=data)
    assert "“Errors”: wrong" in refused["refused"]
    assert refused["field"] == "errors"
    panel = unescape(refused["understood"])
    assert "Errors: samples that were not scored" in panel
    assert "Inspect" in panel
    assert "True class" not in panel
    counted = ask("evaluate", data=data, errors="wrong")
    assert "answer" in counted["html"]
    assert '<option value="wrong" selected>' in counted["understood"]


def test_of_many_systems_the_rates_of_the_leaders_are_drawn(ask, client):
    rows = [
        ",".join([f"i{n}", "ab"[n % 2], *("ab"[(n * (k + 3)) % 7 > k % 5] for k in range(12))])
        for n in range(80)
    ]
    names = ",".join(f"s{k:02d}" for k in range(12))
    data = sent(client, "many.csv", f"id,truth,{names}\n".encode() + "\n".join(rows).encode())
    found = ask("compare", data=data)
    (posterior,) = (one for one in found["charts"] if one["name"] == "posterior")
    drawn = {row["series"] for row in posterior["spec"]["layer"][0]["data"]["values"]}
    assert len(drawn) == 8
    assert "8 of 12 systems are drawn." in found["html"]


def test_a_class_that_is_never_true_is_declared_in_the_field_that_its_refusal_names(ask, client):
    data = sent(client, "calls.csv", b"id,truth,s,t\n1,a,a,a\n2,b,c,b\n3,a,b,a\n4,b,b,a\n")
    refused = ask("compare", data=data)
    assert "“All classes”: a,b,c" in refused["refused"]
    assert refused["field"] == "classes"
    assert 'id="say-classes"' in refused["understood"]
    answered = ask("compare", data=data, classes="a,b,c")
    assert "headline" in answered["html"]
    assert answered["command"].endswith("--classes a,b,c")


def test_a_table_of_data_sets_is_ranked_on_the_page_as_everywhere(ask, client):
    data = sent(client, "results.csv", (DATA / "dataset_results.csv").read_bytes())
    asked = {"layout": "datasets", "lower_is_better": "true"}
    found = ask("compare", data=data, **asked)
    answer = sy.compare(DATA / "dataset_results.csv", layout="datasets", lower_is_better=True)
    said = text_of(found["html"])
    assert answer.sentence() in said
    assert [chart["name"] for chart in found["charts"]] == ["critical-difference"]
    assert answer.methods().partition("\n")[0] in said
    assert "Benavoli A, Corani G" in said
    assert {"prior", "level", "cost"} == {*found["hidden"]}
    assert found["command"] == "steelyard compare results.csv --lower-is-better --layout datasets"
    report = client.get("/download/compare/report.html", params={"data": data, **asked}).text
    assert answer.headline() in report
    assert "steelyard report results.csv --lower-is-better --layout datasets" in report


def test_which_way_is_better_is_asked_at_its_control(ask, client):
    data = sent(client, "results.csv", (DATA / "dataset_results.csv").read_bytes())
    found = ask("compare", data=data, layout="datasets")
    assert "lower or a higher value better" in found["refused"]
    assert found["field"] == "lower_is_better"
    assert 'name="lower_is_better"' in found["understood"]
    assert '<details id="more-values" open>' in found["understood"]


COSTS = [
    ("big.latency,mid.latency,small.latency", "mid on the front; big and small undecided"),
    ("big=3,mid=1,small=1", "mid on the front; small off it; big undecided"),
]


@pytest.mark.parametrize(("cost", "said"), COSTS)
def test_quality_is_weighed_against_cost_on_the_page_and_in_its_report(ask, client, cost, said):
    data = sent(client, "q.csv", (DATA / "answers_and_cost.csv").read_bytes())
    asked = {"value": ["big.grade", "mid.grade", "small.grade"], "cost": cost}
    found = ask("compare", data=data, **asked)
    assert said in text_of(found["html"])
    assert "Quality against cost" in text_of(found["html"])
    assert "front" in [chart["name"] for chart in found["charts"]]
    assert f"--cost {cost}" in found["command"]
    assert "cost" not in found["hidden"]
    report = client.get("/download/compare/report.html", params={"data": data, **asked}).text
    assert "<figcaption>Quality against cost" in report
    assert "Holm (1979)" in report
    assert f"--cost {cost}" in report


def test_costs_that_do_not_fit_are_refused_where_they_are_typed(ask, client):
    data = sent(client, "q.csv", (DATA / "answers_and_cost.csv").read_bytes())
    asked = {"value": ["big.grade", "mid.grade", "small.grade"]}
    assert "a price for each" in ask("compare", data=data, cost="big=3", **asked)["refused"]
    found = ask("compare", data=data, cost="big.delay,mid.latency,small.latency", **asked)
    assert found["refused"].startswith("No column 'big.delay' for the role 'cost'.")
    assert found["field"] == "cost"
    labels = sent(client, "digits.csv", (DATA / "digits_labels.csv").read_bytes())
    assert "cost" in ask("compare", data=labels)["hidden"]


def test_one_column_of_several_systems_is_told_whose_rows_may_be_there(ask, client):
    rows = "".join(f"u{k},{who},{k % 5 / 10}\n" for who in ("a", "b") for k in range(9))
    data = sent(client, "long.csv", f"utt,voice,wer\n{rows}".encode())
    found = ask("compare", data=data, value="wer")
    assert "“System names”: voice and “Item ids”: utt" in found["refused"]
    assert "refused" not in ask("compare", data=data, value="wer", system="voice", item="utt")

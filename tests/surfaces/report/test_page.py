"""The report as text: the same bytes, no foreign markup, small, and with its sources."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.display.numbers import show_threshold
from steelyard.errors import FileUnreadable, NotComparable
from steelyard.journey.reporting import report_content
from steelyard.measures import CATALOGUE
from steelyard.surfaces.report import (
    mark_code,
    report_html,
    report_markdown,
    save_content,
    without_pictures,
)
from steelyard.surfaces.report.methods import _name, methods_of
from steelyard.uncertainty import PROPORTION_INTERVALS

DATA = Path(str(files("steelyard") / "data"))
KEPT = Path(__file__).parents[2] / "freeze/kept"
EVIL = "</script><script>alert(1)</script>\"'&]]>\u2028\x1b[31m"
VOID = {"meta", "link", "input", "path", "rect", "line", "circle", "br"}


@pytest.fixture(scope="module")
def scores():
    return report_content(DATA / "wdbc_scores.csv", positive="1")


@pytest.fixture(scope="module")
def page(scores):
    return report_html(scores, command="steelyard report wdbc_scores.csv --positive 1")


def test_every_chart_says_what_stands_under_the_pointer(page):
    kept = re.findall(r'class="hints">(.*?)</script>', page)
    figures = page.count("<figure")
    assert len(kept) == figures > 8
    for hints in map(json.loads, kept):
        assert hints
        assert all(-0.02 <= x <= 1.02 and -0.02 <= y <= 1.02 and words for x, y, words in hints)


def test_a_margin_reaches_the_comparison_and_a_prior_that_does_not_fit_is_refused():
    content = report_content(DATA / "digits_labels.csv", margin=0.05)
    assert content.comparison == sy.compare(DATA / "digits_labels.csv", margin=0.05)
    assert save_content(report_html(content))["arguments"]["margin"] == 0.05
    with pytest.raises(NotComparable, match="prior"):
        report_content(DATA / "digits_labels.csv", prior=(1, 2))


def test_what_stands_between_backticks_is_code():
    assert mark_code("type `a<b>` now") == "type <code>a&lt;b&gt;</code> now"


def test_the_same_content_gives_the_same_bytes(scores, page):
    again = report_html(scores, command="steelyard report wdbc_scores.csv --positive 1")
    assert again == page


def test_a_report_stays_under_a_megabyte_and_a_half(page):
    assert len(page.encode()) < 600_000


def test_the_sentence_comes_first(scores, page):
    headline = re.search(r'<p class="headline">(.*?)</p>\n<p class="answer">', page)[1]
    assert headline == scores.comparison.headline() == "Ship none yet: five are tied."
    answer = re.search(r'<p class="answer">(.*?)</p>', page)[1]
    assert answer.replace("&lt;", "<") == scores.comparison.sentence()
    assert page.index("answer") < page.index("<table")


def test_nothing_is_loaded_and_no_attribute_runs(page):
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert not re.search(r"\son\w+=", page)
    assert "url(http" not in page
    assert " style=" not in page
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', page)[1]
    assert policy.startswith("default-src &#39;none&#39;;")
    assert "unsafe" not in policy


class Balance(HTMLParser):
    """Checks that every element that opens also closes, in order."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.ids = []

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_elements_are_closed_and_every_id_stands_once(page):
    reader = Balance()
    reader.feed(page)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))


def test_no_folder_reaches_the_report(page):
    assert str(DATA) not in page
    assert "wdbc_scores.csv" in page


def test_the_data_inside_are_what_to_json_writes(scores, page):
    saved = save_content(page)
    assert saved["comparison"] == json.loads(scores.comparison.to_json())
    assert sy.read_result(json.dumps(saved["evaluation"])) == scores.evaluation


def test_system_and_threshold_stand_on_paper_and_without_a_script(page):
    chosen = sy.threshold(
        DATA / "wdbc_scores.csv", positive="1", score="logreg", resamples=0
    ).chosen
    where = re.search(r"<caption>(Calls of .*?)</caption>", page)[1]
    shown = show_threshold(chosen.threshold, chosen.below)
    assert re.sub("<.*?>", "", where) == f"Calls of logreg at threshold {shown}, 1 against the rest"
    assert f'id="count-0">{chosen.recall.successes}<' in page
    assert "begins where kappa is largest" in page


def test_scores_that_are_not_drawn_are_named():
    rng = np.random.default_rng(1)
    truth = ["a", "b"] * 20
    systems = {f"s{place}": rng.random(40) + place for place in range(9)}
    page = report_html(report_content({"truth": truth, **systems}, positive="a", shown="s8"))
    assert page.count('data-picture="scores-') == 8
    assert page.count("are not drawn: pictures are of the 8 systems") == 1
    assert 'data-picture="scores-8"' in page


def test_names_from_data_never_become_markup():
    rows = {"truth": [EVIL, "b"] * 10, EVIL: [EVIL, "b"] * 10, "other": ["b"] * 20}
    text = report_html(report_content(rows), title=EVIL, command=EVIL)
    assert "<script>alert" not in text
    assert "\u2028" not in text
    assert "\x1b" not in text
    assert save_content(text)["title"] == EVIL
    markdown = report_markdown(report_content(rows), title=EVIL)
    assert not re.search(r"(?<!\\)<", markdown)


@pytest.mark.parametrize(
    ("file", "roles", "source"),
    [
        ("digits_labels.csv", {}, "10.1080/01621459.1986.10478341"),
        ("wdbc_scores.csv", {"positive": "1"}, "10.2307/2531595"),
        ("digits_scores_logreg.csv", {"vector": "logreg=p{class}"}, "10.1080/01621459.1927"),
    ],
)
def test_methods_name_every_method_that_was_used_and_cite_it(file, roles, source):
    content = report_content(DATA / file, **roles)
    methods = methods_of(content.evaluation, content.comparison)
    words = " ".join(one.said for one in methods)
    assert "the method" not in words
    assert any(source in one for method in methods for one in method.sources)


def methods_in(found):
    """List the methods of all intervals in a result that was kept."""
    if isinstance(found, list):
        return [name for part in found for name in methods_in(part)]
    if not isinstance(found, dict):
        return []
    own = [found["method"]] if {"low", "high", "method"} <= set(found) else []
    return own + methods_in([*found.values()])


def test_every_interval_that_a_report_can_show_is_named_and_cited():
    used = {*PROPORTION_INTERVALS, *(one.interval for one in CATALOGUE.values())} - {"none", ""}
    for path in KEPT.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        if re.match(r'\s*\{\s*"kind": "(value-)?(evaluation|comparison)"', text):
            used |= set(methods_in(json.loads(text)))
    assert {"garwood", "beta-binomial", "two-way clusters", "periods", "within-items"} < used
    named = {name: _name(name) for name in used}
    assert not [name for name, one in named.items() if "the method" in one.said or not one.sources]
    alone = _name("clopper-pearson, each cluster as one item")
    assert alone.said.endswith("for shares, each cluster as one item")
    assert alone.sources == _name("clopper-pearson").sources


def test_independent_test_sets_have_their_own_methods():
    trials = sy.Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent")
    methods = methods_of(sy.evaluate(trials), sy.compare(trials))
    assert "score test for two independent shares" in " ".join(one.said for one in methods)


def test_another_primary_method_is_named_and_never_described_as_the_usual_one(scores):
    """What counts is by which limits pairs were judged, not how the sentence about it reads."""
    pairs = [
        replace(
            one,
            difference=replace(
                one.difference, interval=replace(one.difference.interval, method="new")
            ),
        )
        for one in scores.comparison.pairs
    ]
    other = replace(scores.comparison, primary="a method of tomorrow", pairs=tuple(pairs))
    words = " ".join(one.said for one in methods_of(scores.evaluation, other))
    assert "Verdicts by a method of tomorrow" in words
    assert "DeLong's covariance; the" not in words


def test_clusters_are_never_described_as_items_judged_one_by_one():
    rows = {"truth": [0, 1] * 20, "place": [i // 2 for i in range(40)]}
    rows |= {"A": [0, 1] * 18 + [1] * 4, "B": [0, 1] * 12 + [1, 0] * 8}
    roles = {"truth": "truth", "cluster": "place", "called": ["A", "B"], "systems": ["A", "B"]}
    found = sy.compare(rows, **roles)
    words = " ".join(one.said for one in methods_of(sy.evaluate(rows, **roles), found))
    assert f"Verdicts by {found.primary}" in words
    (verdict,) = methods_of(sy.evaluate(rows, **roles), found)[1:]
    assert any("MacKinnon" in one for one in verdict.sources)
    assert any("Shaffer" in one for one in verdict.sources)
    assert "McNemar's test in its mid-p form" not in words


def test_markdown_has_every_table(scores):
    text = report_markdown(scores, command="steelyard report wdbc_scores.csv")
    assert text.startswith(
        "# wdbc\\_scores.csv\n\n**Ship none yet: five are tied.**\n\nlogreg, svm"
    )
    assert re.search(r"\| logreg \| svm \| \+0\.00", text)
    assert "doi:10.2307/2531595" in text


def test_what_is_no_report_is_refused():
    for text in ("", "<html></html>", '<script id="steelyard-report">{]</script>'):
        with pytest.raises(FileUnreadable, match="steelyard report"):
            save_content(text)
    kept = {"arguments": {"observe": 1}, "evaluation": {"provenance": {"inputs": []}}}
    stranger = f'<script id="steelyard-report">{json.dumps(kept)}</script>'
    with pytest.raises(FileUnreadable, match="damaged"):
        save_content(stranger)


def test_pictures_can_be_taken_out(page):
    assert "<path" in page
    assert without_pictures(page).count("<path") == 1


def test_a_long_name_is_whole_and_may_be_broken_in_tables():
    names = [f"org/eva02_large_patch14_448.mim_{one}_ft_in1k" for one in ("in22k", "m38m")]
    rows = {"truth": [0, 1] * 20, names[0]: [0, 1] * 20, names[1]: [1, 0] * 5 + [0, 1] * 15}
    page = report_html(report_content(rows, truth="truth"))
    for name in names:
        broken = name.replace("/", "/<wbr>").replace("_", "_<wbr>").replace(".", ".<wbr>")
        assert f'<th scope="row" class="long">{broken}</th>' in page
    assert "text-overflow" not in page

"""Laws that every measure of the catalogue keeps, tested from its entry alone."""

import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certificates import CERTIFICATES
from steelyard.counts import Confusion, JointCalls, ScoreTable
from steelyard.errors import RequestError
from steelyard.measures import CATALOGUE, FittedModel, catalogue_entry
from steelyard.measures.catalogue.listing import OF_CALLS, OF_SCORES
from steelyard.tally import confusion_of, joint_calls_of, score_table_of, vector_scores_of

CLASSES = ("no", "yes")
GIVEN = {
    "of": "yes",
    "prevalence": 0.1,
    "costs": {("no", "yes"): 1.0, ("yes", "no"): 5.0},
    "order": CLASSES,
    "budget": 3,
    "target": 0.3,
    "depth": 0.5,
    "threshold": 0.3,
    "system": "x",
    "false_alarm_rates": (0.0, 0.5),
    "false_alarm_rate": 0.3,
    "detection_rate": 0.6,
    "vectors": None,
    "classes": (0, 1, 2),
}
CONFUSED = sorted(name for name, e in CATALOGUE.items() if e.counts == "Confusion")
SCORED = sorted(name for name, e in CATALOGUE.items() if e.counts == "ScoreTable")
RATED = sorted(name for name, e in CATALOGUE.items() if e.counts == "JointCalls")
few = settings(max_examples=8)

labels = st.lists(
    st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=6, max_size=30
)
scored = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.05, 0.2, 0.4, 0.6, 0.9])), min_size=6, max_size=30
).filter(lambda rows: len({y for y, _ in rows}) == 2)
rated = st.lists(st.tuples(*[st.sampled_from("abc")] * 4), min_size=5, max_size=20)


def measure(name, counts, **changed):
    entry = CATALOGUE[name]
    asked = {word: (GIVEN | changed)[word] for word in entry.needs}
    return entry.function(counts, **asked)


def number(found):
    return getattr(found, "value", getattr(found, "score", None))


def check_same(one, two):
    assert (number(one) is None) == (number(two) is None)
    if number(one) is not None:
        assert number(two) == pytest.approx(number(one), abs=1e-9)
    ends = [getattr(found, "interval", None) for found in (one, two)]
    assert (ends[0] is None) == (ends[1] is None)
    if ends[0]:
        assert (ends[1].low, ends[1].high) == pytest.approx((ends[0].low, ends[0].high), abs=1e-7)


def table(rows):
    return confusion_of([t for t, _ in rows], [c for _, c in rows], labels=CLASSES)


def scores(rows):
    return score_table_of([int(y) for y, _ in rows], [s for _, s in rows], pos_label=1)


def joint(rows):
    systems = ("x", "y", "z")
    return joint_calls_of(
        [row[0] for row in rows],
        {name: [row[at + 1] for row in rows] for at, name in enumerate(systems)},
        labels=list("abc"),
    )


@pytest.mark.parametrize("name", CONFUSED)
@few
@given(rows=labels, data=st.data())
def test_the_order_of_rows_and_of_shards_does_not_matter(name, rows, data):
    moved = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(1, len(rows) - 1))
    plain = measure(name, table(rows))
    check_same(plain, measure(name, table(moved)))
    check_same(plain, measure(name, table(moved[:cut]) + table(moved[cut:])))


@pytest.mark.parametrize("name", CONFUSED)
@few
@given(rows=labels)
def test_names_of_classes_do_not_matter(name, rows):
    new = {"no": "aaa", "yes": "bbb"}
    renamed = Confusion.from_cells(
        {(new[t], new[c]): n for t, c, n in table(rows).cells}, classes=["aaa", "bbb"]
    )
    asked = {
        "of": "bbb",
        "costs": {("aaa", "bbb"): 1.0, ("bbb", "aaa"): 5.0},
        "order": ["aaa", "bbb"],
    }
    check_same(measure(name, table(rows)), measure(name, renamed, **asked))


@pytest.mark.parametrize("name", CONFUSED)
@few
@given(rows=labels)
def test_a_weight_of_two_gives_the_value_of_doubled_rows(name, rows):
    weighted = confusion_of(
        [t for t, _ in rows],
        [c for _, c in rows],
        labels=CLASSES,
        sample_weight=[2.0] * len(rows),
    )
    heavy, doubled = measure(name, weighted), measure(name, table(rows) + table(rows))
    assert (heavy.value is None) == (doubled.value is None)
    if heavy.value is not None:
        assert heavy.value == pytest.approx(doubled.value, abs=1e-9)
        # Equal weights say nothing of more items: the interval stays that of the rows themselves.
        once = measure(name, table(rows))
        if once.interval and heavy.interval:
            assert heavy.interval.low == pytest.approx(once.interval.low, abs=1e-6)


@pytest.mark.parametrize("name", [n for n in CONFUSED if CATALOGUE[n].mirror])
@few
@given(rows=labels)
def test_the_mirror_image_is_the_measure_that_the_entry_names(name, rows):
    swapped = {"no": "yes", "yes": "no"}
    mirrored = [(swapped[t], swapped[c]) for t, c in rows]
    check_same(
        measure(name, table(rows)),
        measure(CATALOGUE[name].mirror, table(mirrored), order=CLASSES[::-1]),
    )


@pytest.mark.parametrize("name", CONFUSED)
@few
@given(rows=labels)
def test_values_and_limits_stay_in_their_range_and_have_width(name, rows):
    check_in_range(name, measure(name, table(rows)))


def check_in_range(name, found):
    low, high = CATALOGUE[name].bounds
    ends = getattr(found, "interval", None)
    numbers = [number(found), *((ends.low, ends.high) if ends else ())]
    for one in numbers:
        assert one is None or low is None or one >= low - 1e-12
        assert one is None or high is None or one <= high + 1e-12
    if ends:
        assert ends.low < ends.high
        assert ends.low - 1e-9 <= number(found) <= ends.high + 1e-9
    if number(found) is None:
        assert found.reason


@pytest.mark.parametrize("name", SCORED)
@few
@given(rows=scored, data=st.data())
def test_scores_keep_the_same_laws(name, rows, data):
    moved = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(1, len(rows) - 1))
    plain = measure(name, scores(rows))
    check_same(plain, measure(name, scores(moved)))
    one, two = moved[:cut], moved[cut:]
    if all(len({y for y, _ in part}) == 2 for part in (one, two)):
        check_same(plain, measure(name, scores(one) + scores(two)))
    check_in_range(name, plain)


@pytest.mark.parametrize("name", RATED)
@few
@given(rows=rated, data=st.data())
def test_ratings_keep_the_same_laws(name, rows, data):
    moved = data.draw(st.permutations(rows))
    cut = data.draw(st.integers(1, len(rows) - 1))
    plain = measure(name, joint(rows))
    check_same(plain, measure(name, joint(moved[:cut]) + joint(moved[cut:])))
    check_in_range(name, plain)


@pytest.mark.parametrize("name", RATED)
def test_identical_systems_agree_fully(name):
    rows = {("a", ("a", "a", "a")): 6, ("b", ("b", "b", "b")): 5, ("c", ("a", "a", "a")): 2}
    found = measure(name, JointCalls.from_cells(rows, systems=["x", "y", "z"]))
    assert found.value == pytest.approx(1)
    assert found.interval.low < 1


@pytest.mark.parametrize(
    "name", sorted(n for n, e in CATALOGUE.items() if e.counts == "VectorScores")
)
def test_vector_scores_stay_in_their_range(name):
    rng = np.random.default_rng(5)
    vectors = rng.dirichlet([1, 1, 1], 40)
    truth = rng.integers(0, 3, 40)
    found = measure(name, vector_scores_of(truth, {"x": vectors}, labels=[0, 1, 2]))
    check_in_range(name, found)
    order = rng.permutation(40)
    check_same(
        found,
        measure(name, vector_scores_of(truth[order], {"x": vectors[order]}, labels=[0, 1, 2])),
    )


@pytest.mark.parametrize(
    "name", sorted(n for n, e in CATALOGUE.items() if e.counts == "vector of each item")
)
def test_areas_of_vectors_keep_the_laws_of_areas(name):
    rng = np.random.default_rng(6)
    truth, vectors = rng.integers(0, 3, 60), rng.normal(size=(60, 3))
    vectors[np.arange(60), truth] += 1
    plain = measure(name, truth, vectors=vectors)
    check_in_range(name, plain)
    assert CATALOGUE[name].interval in plain.interval.method
    order, turn = rng.permutation(60), [2, 0, 1]
    check_same(plain, measure(name, truth[order], vectors=vectors[order]))
    check_same(plain, measure(name, truth, vectors=np.exp(vectors / 3)))
    check_same(plain, measure(name, truth, vectors=vectors[:, turn], classes=turn))
    perfect = measure(name, truth, vectors=np.eye(3)[truth])
    assert number(perfect) == 1


def test_information_criteria_grow_with_parameters():
    small = FittedModel(name="s", log_likelihood=-10.0, parameters=2, items=50)
    large = FittedModel(name="l", log_likelihood=-10.0, parameters=3, items=50)
    for name in ("AIC", "AICc", "BIC"):
        assert CATALOGUE[name].function(large) > CATALOGUE[name].function(small)


def test_entries_are_complete_and_their_words_lead_to_one_measure():
    seen = {}
    for name, entry in CATALOGUE.items():
        assert entry.name == name
        for text in (entry.latex, entry.undefined, entry.source, entry.caution):
            assert text
        assert re.search(r"doi:|arXiv:|\d{4}\)", entry.source), name
        for word in (name, *entry.synonyms):
            assert seen.setdefault(word.casefold(), name) == name, word
            assert catalogue_entry(word.upper()) is entry
        assert entry.mirror is None or entry.mirror in CATALOGUE
        assert set(entry.needs) <= set(GIVEN)


def test_an_unknown_measure_is_answered_with_near_ones():
    with pytest.raises(RequestError, match=r"Did you mean .*sensitivity"):
        catalogue_entry("sensitivty")


@pytest.mark.parametrize("name", ["false alarms per hour", "FA/h", "FPPI", "events per km"])
def test_a_rate_over_an_exposure_is_sent_to_where_it_is_answered(name):
    with pytest.raises(RequestError, match="evaluate --exposure COLUMN"):
        catalogue_entry(name)


def test_intervals_have_the_method_that_the_entry_states():
    confusion = Confusion.from_binary(tp=40, fp=10, fn=8, tn=60, positive="yes", negative="no")
    table_of_scores = ScoreTable.from_scores(np.linspace(0.2, 0.9, 30), np.linspace(0.1, 0.7, 40))
    for name, entry in CATALOGUE.items():
        if entry.counts in {"Confusion", "ScoreTable"} and entry.interval != "none":
            counts = confusion if entry.counts == "Confusion" else table_of_scores
            found = measure(name, counts)
            assert entry.interval in found.interval.method, name


TESTS = Path(__file__).parents[1]
EVIDENCE = json.loads((TESTS / "measures" / "evidence.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_the_evidence_for_a_measure_names_tests_and_certificates_that_exist(name):
    assert name in EVIDENCE, f"tests/measures/evidence.json: which tests show {name}?"
    shown = EVIDENCE[name]
    assert set(shown) - {"why"} == {"exact", "bad input", "certificate"}
    for test in (shown["exact"], shown["bad input"]):
        file, _, function = test.partition("::")
        assert f"def {function}(" in (TESTS / file).read_text(encoding="utf-8"), test
    reasons = shown.get("why", {})
    assert (CATALOGUE[name].interval == "none") == bool(reasons.get("interval"))
    if shown["certificate"] is None:
        assert reasons["certificate"]
    else:
        assert shown["certificate"] in CERTIFICATES


def test_no_evidence_is_left_of_measures_that_are_gone():
    assert set(EVIDENCE) == set(CATALOGUE)


def test_no_two_measures_answer_to_one_name():
    words = Counter(
        word.casefold()
        for one in (*OF_CALLS, *OF_SCORES)
        for word in {one.name.casefold(), *map(str.casefold, one.synonyms)}
    )
    assert [word for word, times in words.items() if times > 1] == []

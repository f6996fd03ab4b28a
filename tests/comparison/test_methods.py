"""Every method of the registry: it runs where it is valid, says why where it is not."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import steelyard as sy
from steelyard.comparison import (
    akaike_common,
    areas_equal,
    beta_posteriors,
    cochran_q,
    fisher_exact,
    mcnemar,
    methods,
    pair_posterior,
    probability_best,
    unconditional_exact,
)
from steelyard.comparison.methods import (
    ALIASES,
    METHODS,
    Case,
    Method,
    choose_method,
    missing_needs,
)
from steelyard.comparison.methods.quantities import HEADINGS
from steelyard.counts import JointScores, Outcomes, Trials
from steelyard.display.text import display_width
from steelyard.errors import NotComparable, RequestError
from steelyard.results import Working, read_result
from steelyard.uncertainty import delong_covariance, tango_interval

ROOT = Path(__file__).parents[2]
PAIR = Outcomes.from_pair(both=160, first=18, second=5, neither=17, systems=("S", "T"))
THREE = Outcomes.from_patterns({0: 10, 1: 9, 2: 4, 3: 7, 6: 5, 7: 65}, systems=("A", "B", "C"))
APART = Trials(correct={"S": 190, "T": 194, "U": 180}, tested=200, pairing="independent")
TOTALS = Trials(correct={"S": 190, "T": 194}, tested=200, pairing="common")
TWINS = Outcomes.from_pair(both=160, first=0, second=0, neither=17, systems=("S", "T"))
PERFECT = Outcomes.from_pair(both=16, first=0, second=0, neither=0, systems=("S", "T"))
ENDS = Trials(correct={"S": 0, "T": 20}, tested=20, pairing="independent")


def rows(items=120, groups=6):
    """Calls of three systems with groups, clusters and folds."""
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, items)
    columns = {
        "truth": truth.tolist(),
        "site": (np.arange(items) % groups).tolist(),
        "lens": (np.arange(items) // 4).tolist(),
        "part": (np.arange(items) % 5).tolist(),
    }
    for name, rate in (("A", 0.85), ("B", 0.7), ("C", 0.6)):
        right = rng.random(items) < rate
        columns[name] = np.where(right, truth, (truth + 1) % 3).tolist()
    return columns


ROLES = {"truth": "truth", "cluster": "lens", "fold": "part", "positive": 1,
         "systems": ["A", "B", "C"], "called": ["A", "B", "C"]}  # fmt: skip


def roles_of(name):
    """Give the roles of a method; groups are declared where they are its data sets."""
    grouped = {"group": "site"} if "data sets" in METHODS[name].needs else {}
    return {**ROLES, **grouped, **MEASURED.get(name, {})}


def scores():
    rng = np.random.default_rng(2)
    truth = rng.random(80) < 0.5
    return JointScores.from_arrays(
        truth, {"A": truth + rng.normal(0, 0.6, 80), "B": truth + rng.normal(0, 1.5, 80)}
    )


def values(found, column, title=None):
    """Read one column of a sheet."""
    for sheet in found.sheets:
        if column in sheet.columns and title in {None, sheet.title}:
            at = sheet.columns.index(column)
            return [row.values[at] for row in sheet.rows]
    raise AssertionError(column)


GRADES = {
    name: np.random.default_rng(seed).integers(1, 6, 40).tolist()
    for seed, name in enumerate(("A", "B", "C"))
}
GRADED = {"value": ["A", "B", "C"], "higher_is_better": True}
ERRORS = {"value": ["A", "B", "C"], "lower_is_better": True}
WHERE = {"common": PAIR, "three": THREE, "own": APART, "totals": TOTALS, "scores": scores()}
FEW = {"draws": 299}
MEASURED = {"paired-shares": {"measure": "recall"}}


def settings_of(name):
    drawn = FEW if "draws" in METHODS[name].options else {}
    return {**drawn, **({"order": "random"} if "order" in METHODS[name].options else {})} or None


@pytest.mark.parametrize("name", METHODS)
def test_every_method_runs_on_some_data_and_shows_its_whole_working(name):
    found = None
    asked = roles_of(name)
    graded = ((GRADES, GRADED), (GRADES, ERRORS))
    for data, roles in (*((one, {}) for one in WHERE.values()), (rows(), asked), *graded):
        try:
            found = sy.compare(data, method=name, margin=0.02, using=settings_of(name), **roles)
            break
        except NotComparable as refused:
            assert refused.code == "method-not-valid"
            assert "Valid here" in str(refused)
    assert isinstance(found, Working)
    assert found.method == name
    assert found.sentence().endswith(".")
    assert found.sheets
    assert found.formula
    assert found.reference
    assert found.assumption
    assert read_result(found.to_json()) == found
    assert json.loads(found.to_json(), parse_constant=pytest.fail)
    assert all(display_width(line) <= 80 for line in found.text().splitlines())


def cells_of(found):
    """List the numbers of all sheets."""
    cells = (value for one in found.sheets for row in one.rows for value in row.values)
    return Counter(value for value in cells if isinstance(value, int | float))


@pytest.mark.parametrize("name", METHODS)
def test_every_number_of_the_working_has_a_name(name):
    """Also those of several pairs, and each name says one number."""
    tried = 0
    asked = roles_of(name)
    for data, roles in (
        *((one, {}) for one in WHERE.values()),
        (GRADES, GRADED),
        (GRADES, ERRORS),
        (rows(60), asked),
    ):
        try:
            found = sy.compare(data, method=name, margin=0.02, using=settings_of(name), **roles)
        except NotComparable:
            continue
        tried += 1
        assert all(key.isidentifier() and key.isascii() and key.islower() for key in found.working)
        named = Counter(value for value in found.working.values() if value is not None)
        # The lead that is needed stands in two sheets, under one name.
        spare = Counter([found.working["lead_needed"]]) if "lead_needed" in found.working else {}
        assert not cells_of(found) - named - Counter(spare)
        assert json.loads(found.to_json())["working"] == found.working
    assert tried


def test_the_working_of_a_pair_is_read_by_name_and_of_more_with_the_places_of_the_systems():
    pair = Trials(correct={"S": 7, "T": 15}, tested=20, pairing="independent")
    found = sy.compare(pair, method="score")
    assert found.working["z"] == values(found, "z")[0]
    assert found.working["p_value"] == values(found, "p-value")[0]
    many = sy.compare(APART, method="score")
    assert [many.working[f"z_{place}"] for place in ("1_2", "1_3", "2_3")] == values(many, "z")
    rates = sy.compare(APART, method="mee").working
    assert [rates[f"rate_{place}"] for place in (1, 2, 3)] == [0.95, 0.97, 0.9]
    discordant = sy.compare(PAIR, method="mcnemar-exact").working
    assert (discordant["only_first"], discordant["only_second"]) == (18, 5)
    assert discordant["chi_square"] is None


def test_no_heading_stands_for_two_numbers_of_one_sheet():
    assert set(HEADINGS).isdisjoint(set(HEADINGS.values()))
    twice = Counter(HEADINGS.values())
    assert [heading for heading, times in twice.items() if times > 1] == []


@pytest.mark.parametrize("data", [TWINS, PERFECT, ENDS], ids=["twins", "perfect", "ends"])
@pytest.mark.parametrize("name", METHODS)
def test_counts_at_their_ends_are_answered_without_nan_and_without_p_of_zero(name, data):
    try:
        found = sy.compare(data, method=name, margin=0.02, using=settings_of(name))
    except NotComparable as refused:
        assert refused.code == "method-not-valid"
        return
    for sheet in found.sheets:
        for row in sheet.rows:
            for column, value in zip(sheet.columns, row.values, strict=True):
                assert value == value
                if "p-value" in column and value is not None:
                    assert 0 < value <= 1
    if data is not ENDS:
        assert found.decision != "different"


def test_the_numbers_are_those_of_the_functions():
    assert values(sy.compare(PAIR, method="mcnemar-exact"), "p-value") == [
        mcnemar(PAIR.pair("S", "T"), method="exact").p_value
    ]
    assert values(sy.compare(PAIR, method="akaike"), "ΔAIC") == [
        akaike_common(PAIR.pair("S", "T")).difference
    ]
    low, high = tango_interval(160, 18, 5, 17)
    found = sy.compare(PAIR, method="tango")
    assert (values(found, "low"), values(found, "high")) == ([low], [high])
    assert values(sy.compare(PAIR, method="posterior-better"), "P(1 better)") == [
        pair_posterior(PAIR.pair("S", "T")).first_better
    ]
    two = Trials(correct={"S": 7, "T": 15}, tested=20, pairing="independent")
    assert values(sy.compare(two, method="fisher"), "p-value") == [
        fisher_exact((7, 20), (15, 20)).p_value
    ]
    assert values(sy.compare(two, method="barnard"), "p-value") == [
        unconditional_exact((7, 20), (15, 20), order="barnard").p_value
    ]
    assert values(sy.compare(APART, method="posterior"), "P(best)") == list(
        probability_best(beta_posteriors(APART)).best
    )
    assert values(sy.compare(THREE, method="cochran-q"), "value")[2] == cochran_q(THREE).p_value


def test_worked_numbers_of_the_papers_are_shown():
    found = sy.compare(PAIR, method="wald", using={"alternative": 2.5})
    shown = dict(zip([row.keys[0] for row in found.sheets[1].rows],
                     values(found, "value"), strict=True))  # fmt: skip
    assert shown["slope"] == pytest.approx(0.6107404216, abs=1e-10)
    assert shown["E(pairs) at ω = 1, Wald"] == pytest.approx(19.6531, abs=5e-5)
    akaike = sy.compare(TOTALS, method="akaike")
    assert akaike.method == "akaike-totals"
    apart = sy.compare(
        Trials(correct={"S": 190, "T": 194}, tested=200, pairing="independent"), method="akaike"
    )
    assert values(apart, "ΔAIC")[0] == pytest.approx(-0.948, abs=5e-4)


def test_a_measure_of_calls_is_compared_by_the_limits_of_gates_and_drawn_again_if_asked():
    guarded = sy.compare(rows(), measure="macro-f1", using=FEW, **ROLES)
    assert guarded.method == "guarded"
    found = sy.compare(rows(), measure="macro-f1", method="bootstrap", using=FEW, **ROLES)
    assert found.method == "bootstrap"
    assert values(found, "value 1") == pytest.approx(values(guarded, "value 1"), abs=1e-12)
    assert [row.keys for row in found.sheets[0].rows] == [("A", "B"), ("A", "C"), ("B", "C")]
    area = sy.compare(scores(), measure="gini", method="permutation", using=FEW)
    assert values(area, "difference")[0] > 0
    worse = sy.compare(rows(), measure="false negative rate", **ROLES)
    assert worse.sheets[1].title == "false negative rate of every pair"


def test_folds_and_groups_are_scored_by_the_measure_asked_for():
    plain = sy.compare(rows(), method="friedman", **roles_of("friedman"))
    asked = sy.compare(rows(), method="friedman", measure="macro f1", **roles_of("friedman"))
    assert plain.sheets != asked.sheets
    folds = sy.compare(rows(), method="nadeau-bengio", **ROLES)
    assert values(folds, "test/train") == [0.25] * 3


def test_every_need_has_a_reason_and_every_alias_a_method():
    nothing = Case(systems=("S", "T"), pairing="common")
    for name, method in METHODS.items():
        assert missing_needs(method, nothing), name
        assert (ROOT / "docs/explanation" / f"{method.page}.md").exists(), name
    for names in ALIASES.values():
        assert set(names) <= set(METHODS)


def test_all_areas_may_be_tested_at_once():
    areas, covariance = delong_covariance(scores())
    found = areas_equal(areas, covariance)
    z = (areas[0] - areas[1]) / np.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    assert found.statistic == pytest.approx(z**2)
    flat = areas_equal(np.array([0.8, 0.8]), np.ones((2, 2)) * 0.01)
    assert (flat.statistic, flat.p_value) == (None, 1.0)


@pytest.mark.parametrize(
    ("data", "asked", "words"),
    [
        (PAIR, {"method": "mcnemer-exact"}, "Did you mean method='mcnemar-exact'"),
        (PAIR, {"method": "fisher"}, "items of their own"),
        (APART, {"method": "mcnemar"}, "who was right on each common item"),
        (TOTALS, {"method": "tango"}, "who was right on each common item"),
        (PAIR, {"method": "equivalence"}, "needs a margin"),
        (PAIR, {"method": "tango", "using": {"draws": 5}}, "no setting draws"),
        (PAIR, {"method": "e-process", "using": {"prior": "x"}}, "expected a number"),
        (PAIR, {"method": "control", "using": {"control": "X"}}, "control='X' is not known"),
        (PAIR, {"measure": "f1"}, "right and wrong answers only"),
        (PAIR, {"using": {"draws": 5}}, "none is named"),
        (scores(), {"measure": "f1"}, "turns scores into calls"),
        (scores(), {"measure": "nonsense"}, "No measure"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(data, asked, words):
    with pytest.raises((RequestError, NotComparable), match=words.replace("(", r"\(")):
        sy.compare(data, **asked)


def test_slices_and_one_method_alone_do_not_mix_and_odd_measures_are_refused():
    with pytest.raises(RequestError, match="no slices"):
        sy.compare(rows(), method="tango", by_group=True, group="site", **ROLES)
    with pytest.raises(RequestError, match="neither better high nor low"):
        sy.compare(rows(), measure="prevalence", **ROLES)
    uneven = Trials(correct={"S": 3, "T": 4}, tested={"S": 9, "T": 8}, pairing="independent")
    with pytest.raises(NotComparable, match="equal test sets"):
        sy.compare(uneven, method="selection")


def test_the_list_says_which_methods_are_valid_and_why_others_are_not():
    found = sy.compare(PAIR, method="list")
    valid, other = found.sheets
    assert {row.keys[0] for row in valid.rows} | {row.keys[0] for row in other.rows} == set(METHODS)
    assert "mcnemar-midp" in {row.keys[0] for row in valid.rows}
    assert all(row.values[0] for row in other.rows)


def test_a_method_takes_the_first_that_fits_of_its_short_name():
    case = Case(systems=("S", "T"), pairing="common", outcomes=PAIR)
    assert choose_method("difference", case).name == "tango"


TESTS = ROOT / "tests"
EVIDENCE = json.loads((TESTS / "comparison" / "evidence.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(METHODS))
def test_the_evidence_for_a_method_names_tests_that_exist_or_says_why_not(name):
    assert name in EVIDENCE, f"tests/comparison/evidence.json: which tests show {name}?"
    shown = EVIDENCE[name]
    assert set(shown) == {"exact", "bad input", "certificate"}
    for test in shown.values():
        if test.startswith("none: "):
            assert len(test) > 20
            continue
        file, _, function = test.partition("::")
        assert f"def {function}(" in (TESTS / file).read_text(encoding="utf-8"), test


def test_no_evidence_is_left_of_methods_that_are_gone():
    assert set(EVIDENCE) == set(METHODS)


def test_no_method_takes_the_place_of_another_of_its_name():
    families = [one for one in vars(methods).values() if isinstance(one, tuple)]
    declared = [one.name for family in families for one in family if isinstance(one, Method)]
    assert sorted(declared) == sorted(METHODS)

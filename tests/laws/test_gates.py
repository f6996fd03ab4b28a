"""Laws of gates: one claim has one answer, gate and compare agree, and nothing is without width."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import steelyard as sy
from steelyard.errors import NotComparable
from steelyard.measures.catalogue.listing import CATALOGUE
from steelyard.uncertainty import FEW_CLUSTERS
from steelyard.uncertainty.clusters.unseen import unseen_cluster_interval

CELLS = [(truth, one, two) for truth in "ab" for one in "ab" for two in "ab"]
COUNTS = st.lists(st.integers(0, 12), min_size=8, max_size=8).filter(
    lambda rows: sum(rows[:4]) > 0 and sum(rows[4:]) > 0
)
CLAIMS = st.sampled_from(["better", "better by 0.03", "not worse by 0.05", "same within 0.1"])
GATED = sorted(
    name
    for name, one in CATALOGUE.items()
    if one.counts == "Confusion"
    and one.formula
    and one.direction != "neither"
    and not set(one.needs) - {"of"}
)


def joint(rows, systems=("new", "old")):
    cells = {(t, (a, b)): n for (t, a, b), n in zip(CELLS, rows, strict=True) if n}
    return sy.JointCalls.from_cells(cells, systems=systems, classes=["a", "b"])


def held(data, measure, claim, of="a", **more):
    named = (
        f"{measure} of {of}" if "of" in CATALOGUE.get(measure, CATALOGUE["F1"]).needs else measure
    )
    return sy.gate(
        data, require=f"{named} {claim}", candidate="new", baseline="old", **more
    ).checks[0]


def limits(check):
    ends = check.advantage.interval
    return None if ends is None else (ends.low, ends.high)


@pytest.mark.parametrize(
    ("one", "two", "other_class"),
    [
        ("recall", "false negative rate", False),
        ("recall", "sensitivity", False),
        ("specificity", "false positive rate", False),
        ("recall", "specificity", True),
        ("precision", "false discovery rate", False),
        ("precision", "negative predictive value", True),
        ("negative predictive value", "false omission rate", False),
        ("balanced accuracy", "macro recall", False),
        ("accuracy", "micro F1", False),
        ("F1", "Dice", False),
    ],
)
@settings(max_examples=12, deadline=None)
@given(rows=COUNTS, claim=CLAIMS)
# Two unseen items that would harm the claim alike: 13/21 - 9/22 = 13/22 - 8/21.
@example(rows=[8, 5, 0, 0, 2, 6, 11, 0], claim="better")
def test_one_claim_said_in_two_ways_has_one_answer(one, two, other_class, rows, claim):
    data = joint(rows)
    first = held(data, one, claim)
    second = held(data, two, claim, of="b" if other_class else "a")
    assert first.outcome == second.outcome
    assert (limits(first) is None) == (limits(second) is None)
    if limits(first):
        assert limits(first) == pytest.approx(limits(second), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(rows=COUNTS)
def test_informedness_is_balanced_accuracy_on_a_scale_twice_as_long(rows):
    one = limits(held(joint(rows), "balanced accuracy", "better by 0.02"))
    two = limits(held(joint(rows), "informedness", "better by 0.04"))
    assert two == pytest.approx((2 * one[0], 2 * one[1]), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(rows=COUNTS, measure=st.sampled_from(GATED), claim=CLAIMS)
def test_no_gated_interval_is_without_width_and_without_one_nothing_passes(rows, measure, claim):
    check = held(joint(rows), measure, claim)
    if limits(check) is None:
        assert check.outcome == "undecided"
        assert check.reason
    else:
        low, high = limits(check)
        assert low < high
        assert low <= check.advantage.value <= high


@settings(max_examples=25, deadline=None)
@given(rows=COUNTS, measure=st.sampled_from(GATED))
def test_when_both_change_places_the_interval_is_mirrored(rows, measure):
    one = held(joint(rows), measure, "better")
    turned = sy.gate(
        joint(rows),
        require=one.requirement,
        candidate="old",
        baseline="new",
    ).checks[0]
    if limits(one) is None:
        assert limits(turned) is None
    else:
        low, high = limits(turned)
        assert limits(one) == pytest.approx((-high, -low), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    cells=st.tuples(*[st.integers(0, 80)] * 4).filter(any),
    alpha=st.sampled_from([0.2, 0.05, 0.01, 1e-4, 1e-6]),
)
def test_a_gate_is_never_surer_than_the_comparison_at_the_same_level(cells, alpha):
    both, first, second, neither = cells
    outcomes = sy.Outcomes.from_pair(
        both=both, first=first, second=second, neither=neither, systems=("new", "old")
    )
    pair = sy.compare(outcomes, level=1 - 2 * alpha).pairs[0].difference.interval
    check = sy.gate(outcomes, require="better", alpha=alpha).checks[0]
    assert limits(check)[0] <= pair.low + 1e-12
    assert limits(check)[1] >= pair.high - 1e-12
    if check.outcome == "passes":
        assert pair.low > 0


def table(rng, items, *, clusters=None, weights=False):
    truth = np.where(rng.random(items) < 0.5, "a", "b")
    other = np.where(truth == "a", "b", "a")
    columns = {
        "truth": truth.tolist(),
        "new": np.where(rng.random(items) < rng.uniform(0.6, 0.95), truth, other).tolist(),
        "old": np.where(rng.random(items) < rng.uniform(0.6, 0.95), truth, other).tolist(),
    }
    if clusters:
        columns["cluster"] = [f"c{place % clusters}" for place in range(items)]
    if weights:
        columns["weight"] = rng.integers(1, 9, items).tolist()
    return columns


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    clusters=st.sampled_from([None, 3, 8, 20]),
    weights=st.booleans(),
)
def test_a_gate_on_weights_and_clusters_holds_the_interval_of_the_comparison(
    seed, clusters, weights
):
    if clusters is None and not weights:
        weights = True
    columns = table(np.random.default_rng(seed), 60, clusters=clusters, weights=weights)
    columns = {**columns, "truth": ["a", "b", *columns["truth"][2:]]}
    pair = sy.compare(columns, level=0.9).pairs[0].difference
    check = sy.gate(columns, require="better", candidate="new", baseline="old").checks[0]
    assert check.advantage.value == pytest.approx(pair.value, abs=1e-12)
    low, high = limits(check)
    if weights:
        assert (low, high) == pytest.approx((pair.interval.low, pair.interval.high), abs=1e-12)
        return
    # Of clusters it also holds that of single items, and of few what one more could do.
    plain = {name: held for name, held in columns.items() if name != "cluster"}
    single = limits(sy.gate(plain, require="better", candidate="new", baseline="old").checks[0])
    right = [np.array(columns[name]) == np.array(columns["truth"]) for name in ("new", "old")]
    _, places, sizes = np.unique(columns["cluster"], return_inverse=True, return_counts=True)
    leads = np.bincount(places, right[0].astype(float) - right[1])
    few = sizes.size < FEW_CLUSTERS
    unseen = unseen_cluster_interval(leads, sizes, level=0.9) if few else single
    assert low == pytest.approx(min(pair.interval.low, single[0], unseen[0]), abs=1e-12)
    assert high == pytest.approx(max(pair.interval.high, single[1], unseen[1]), abs=1e-12)
    assert pair.interval.low < pair.interval.high


@settings(max_examples=25, deadline=None)
@given(
    answers=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=8),
    level=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_interval_test_and_probability_on_these_very_items_are_on_one_side(answers, level):
    columns = {"item": [], "cluster": [], "new": [], "old": []}
    for place, (new, old) in enumerate(answers):
        for turn in range(3):
            columns["item"].append(f"{place} #{turn}")
            columns["cluster"].append(f"q{place}")
            columns["new"].append(turn < new)
            columns["old"].append(turn < old)
    roles = {"outcome": ["new", "old"], "estimand": "items"}
    pair = sy.compare(columns, level=level, **roles).pairs[0]
    ends = pair.difference.interval
    assert ends.low < ends.high
    if ends.low > 0 or ends.high < 0:
        assert pair.p_value <= 1 - level + 1e-3
        assert (pair.better > 0.5) == (ends.low > 0)
    check = sy.gate(columns, require="better", alpha=(1 - level) / 2, **roles).checks[0]
    assert limits(check) == pytest.approx((ends.low, ends.high), abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(
    cells=st.tuples(*[st.integers(0, 60)] * 4).filter(any),
    ties=st.integers(1, 40),
)
def test_more_items_on_which_both_agree_bring_both_limits_nearer_to_nothing(cells, ties):
    both, first, second, neither = cells

    def ends(agreed):
        outcomes = sy.Outcomes.from_pair(
            both=both + agreed, first=first, second=second, neither=neither, systems=("new", "old")
        )
        return limits(sy.gate(outcomes, require="better").checks[0])

    few, many = ends(0), ends(ties)
    assert abs(many[0]) <= abs(few[0]) + 1e-6
    assert abs(many[1]) <= abs(few[1]) + 1e-6
    # Which side of 0 a limit lies on is not for the items that say nothing of the difference.
    assert (few[0] > 0) == (many[0] > 0)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10_000), measure=st.sampled_from(["recall of a", "F1 of a", "MCC"]))
def test_naming_clusters_never_lets_a_gate_open(seed, measure):
    columns = table(np.random.default_rng(seed), 90, clusters=30)
    columns["truth"][:2] = ["a", "b"]
    alone = {name: values for name, values in columns.items() if name != "cluster"}
    roles = {"require": f"{measure} better", "candidate": "new", "baseline": "old"}
    if sy.gate(columns, **roles).outcome == "passes":
        assert sy.gate(alone, **roles).outcome == "passes"


@pytest.mark.parametrize(("clusters", "rare"), [(8, 0.15), (16, 0.08)])
def test_a_rare_kind_of_cluster_lets_no_gate_and_no_claim_pass_by_being_missed(clusters, rare):
    # A small steady lead that a rare kind undoes: equal systems passed in up to 67 % of tests, and
    # claims of a share in 35 %.
    rng = np.random.default_rng(clusters)
    truth = ["a", "b"] * 10 * clusters
    other = np.array(["b", "a"] * 10 * clusters)
    lead = rare / (1 - rare)
    for _ in range(12):
        lost = np.repeat(rng.random(clusters) < rare, 20)
        ahead = rng.random(20 * clusters) < lead
        columns = {
            "truth": truth,
            "new": np.where(lost, other, truth).tolist(),
            "old": np.where(lost | ~ahead, truth, other).tolist(),
            "cluster": np.repeat(range(clusters), 20).astype(str).tolist(),
        }
        for measure in ("accuracy", "recall of a", "balanced accuracy", "F1 of a"):
            asked = {"require": f"{measure} better", "candidate": "new", "baseline": "old"}
            assert sy.gate(columns, classes=["a", "b"], **asked).outcome != "passes"
            claim = f"{measure} at least {1 - rare}"
            found = sy.gate(columns, systems="new", classes=["a", "b"], claim=claim)
            assert found.outcome != "passes"


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000), clusters=st.sampled_from([4, 12, 18]))
def test_accuracy_and_balanced_accuracy_of_balanced_clusters_open_no_gate_alone(seed, clusters):
    """With as many items of each class in every cluster both are one number, and one claim."""
    rng = np.random.default_rng(seed)
    truth = np.array(["a", "b"] * 6 * clusters)
    other = np.where(truth == "a", "b", "a")
    columns = {
        "truth": truth.tolist(),
        "new": np.where(rng.random(truth.size) < 0.95, truth, other).tolist(),
        "old": np.where(rng.random(truth.size) < 0.45, truth, other).tolist(),
        "cluster": np.repeat(range(clusters), 12).astype(str).tolist(),
    }
    one, two = (
        sy.gate(columns, require=f"{measure} better", candidate="new", baseline="old").checks[0]
        for measure in ("accuracy", "balanced accuracy")
    )
    assert one.advantage.value == pytest.approx(two.advantage.value)
    assert limits(one)[0] == pytest.approx(limits(two)[0], abs=0.06)


VALUE_CLAIMS = st.sampled_from(["better", "better by 0.5", "not worse by 0.5", "same within 1"])


@settings(max_examples=8, deadline=None)
@given(
    gaps=st.lists(st.integers(-9, 9), min_size=3, max_size=40),
    claim=VALUE_CLAIMS,
    clusters=st.sampled_from([None, 4]),
)
@example(gaps=[-1, -1, -1, -1, -1, -9], claim="not worse by 0.5", clusters=None)
def test_a_gate_on_values_has_width_and_is_never_surer_than_compare(gaps, claim, clusters):
    columns = {"new": [20 + gap for gap in gaps], "old": [20] * len(gaps)}
    roles = {"value": ["new", "old"], "higher_is_better": True}
    alone = sy.gate(columns, require=claim, candidate="new", baseline="old", **roles).checks[0]
    if clusters is not None and len(gaps) >= 2 * clusters:
        columns["cluster"] = [f"c{place % clusters}" for place in range(len(gaps))]
    check = sy.gate(columns, require=claim, candidate="new", baseline="old", **roles).checks[0]
    pair = sy.compare(columns, level=0.9, **roles).pairs[0].difference
    if limits(check) is None:
        assert check.outcome == "undecided"
        assert check.reason
        return
    low, high = limits(check)
    assert low < high
    assert low <= pair.interval.low + 1e-9
    assert high >= pair.interval.high - 1e-9
    assert low <= check.advantage.value <= high
    if len(set(gaps)) > 1 and min(gaps) < 0 < max(gaps) and clusters is None:
        assert limits(alone) == (low, high)


def test_a_gate_on_skewed_values_keeps_its_error_rate():
    # Differences are gamma with shape 0.3 and lie on the limit on average: Student's t alone
    # passed 32 % of gates on 6 items and 17 % of those on 30 (own simulation).
    rng = np.random.default_rng(8)
    for items, most in ((6, 6), (30, 5)):
        passed = 0
        for _ in range(40):
            old = rng.normal(10, 0.1, items)
            columns = {"new": old - rng.gamma(0.3, 0.5 / 0.3, items), "old": old}
            passed += (
                sy.gate(
                    columns, require="not worse by 0.5", candidate="new", baseline="old",
                    value=["new", "old"], higher_is_better=True,
                ).outcome == "passes"
            )  # fmt: skip
        assert passed <= most


CLAIMED = [name for name in GATED if name not in {"accuracy", "micro F1"}]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), measure=st.sampled_from(CLAIMED))
def test_naming_clusters_makes_no_claim_easier(seed, measure):
    columns = table(np.random.default_rng(seed), 60, clusters=12)
    columns["truth"][:4] = ["a", "b", "a", "b"]
    del columns["old"]
    named = f"{measure} of a" if "of" in CATALOGUE[measure].needs else measure
    plain = {name: held for name, held in columns.items() if name != "cluster"}
    one, two = (sy.gate(data, claim=f"{named} at least 0.1").claims[0] for data in (columns, plain))
    if one.low is None or two.low is None:
        assert one.outcome == "undecided" or two.low is not None
        return
    assert one.low <= two.low + 1e-9
    assert one.high >= two.high - 1e-9
    assert two.low < two.high


def test_an_area_of_calls_is_refused_with_clusters_as_without():
    # Over clusters it was accuracy under the name of AUC, and passed.
    for clusters in (None, 5):
        columns = table(np.random.default_rng(1), 50, clusters=clusters)
        for measure in ("AUC", "gini"):
            with pytest.raises(NotComparable, match="needs scores"):
                sy.gate(columns, require=f"{measure} better", candidate="new", baseline="old")


def test_a_claim_about_scores_allows_for_one_that_was_not_seen():
    rng = np.random.default_rng(2)
    scores = sy.ScoreTable.from_scores(rng.beta(2, 1, 5), rng.beta(1, 4, 95))
    for measure in ("average precision", "equal error rate", "net benefit 0.3"):
        check = sy.gate(scores, claim=f"{measure} at least 0.9").claims[0]
        (seen,) = sy.evaluate(scores, measure=measure).systems[0].further
        assert check.low <= seen.interval.low
        assert check.high >= seen.interval.high
        assert (check.low, check.high) != (seen.interval.low, seen.interval.high)


def test_claims_about_weighted_rows_are_refused_in_words():
    columns = table(np.random.default_rng(3), 30, weights=True)
    with pytest.raises(NotComparable, match="carry weights"):
        sy.gate(columns, claim="accuracy at least 0.5", candidate="new")

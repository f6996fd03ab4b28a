"""What can be asked of an evaluation beside the usual numbers."""

import pytest

import steelyard as sy
from steelyard.errors import NotComparable, RequestError
from steelyard.measures import average, expected_cost, npv_at, ppv_at

TABLE = sy.Confusion.from_binary(tp=8, fp=1, fn=2, tn=9, positive="ill", negative="well")
ROWS = {"truth": list("aabbbc"), "x": list("abbbac")}


def measures(result):
    return {one.measure: one for one in result.systems[0].further}


def test_predictive_values_follow_the_prevalence_where_it_is_used():
    found = measures(sy.evaluate(TABLE, positive="ill", prevalence="0.01"))
    ppv = ppv_at(TABLE, of="ill", prevalence=0.01)
    assert found[ppv.measure] == ppv
    npv = npv_at(TABLE, of="ill", prevalence=0.01)
    assert found[npv.measure] == npv


def test_costs_of_misses_and_false_alarms_are_costs_of_pairs():
    pairs = {("ill", "well"): 10.0, ("well", "ill"): 1.0}
    short = measures(sy.evaluate(TABLE, positive="ill", cost={"fn": "10", "fp": 1}))
    full = measures(sy.evaluate(TABLE, cost=pairs))
    assert short["expected cost"].value == expected_cost(TABLE, pairs).value
    assert full["expected cost"] == expected_cost(TABLE, pairs)
    result = sy.evaluate(TABLE, cost=pairs)
    assert any("expected cost decides" in line for line in result.guide)


def test_averages_are_given_as_asked():
    found = measures(sy.evaluate(ROWS, average=["macro", "weighted"]))
    table = sy.Confusion.from_cells(
        {("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 2, ("b", "a"): 1, ("c", "c"): 1}
    )
    for averaging in ("macro", "weighted"):
        for name, word in (("recall", "recall"), ("precision", "precision"), ("f1", "F1")):
            expected = average(table, name, averaging=averaging)
            assert found[f"{averaging} {word}"].value == expected.value
    assert "micro F1" not in found
    assert "macro recall" not in measures(sy.evaluate(ROWS))


@pytest.mark.parametrize("method", ["clopper-pearson", "midp", "jeffreys", "agresti-coull"])
def test_the_interval_of_every_share_is_the_one_named(method):
    system = sy.evaluate(TABLE, positive="ill", method=method).systems[0]
    shares = [
        system.accuracy,
        *(m for one in system.per_class for m in (one.recall, one.precision)),
    ]
    shares += [one for one in system.further if one.measure.startswith("specificity")]
    assert {share.interval.method for share in shares} == {method}
    trials = sy.Trials(correct={"S": 19}, tested=20, pairing="independent")
    (counted,) = sy.evaluate(trials, method=method).systems
    assert counted.accuracy.interval.method == method


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (TABLE, {"prevalence": 0.1}, "--positive"),
        (TABLE, {"cost": {"fn": 2}}, "--positive"),
        (TABLE, {"cost": {"miss": 2}, "positive": "ill"}, "fn"),
        (TABLE, {"positive": "sick"}, "ill"),
        (TABLE, {"method": "exact"}, "clopper-pearson"),
        (TABLE, {"average": "median"}, "macro"),
        (TABLE, {"prevalence": 2, "positive": "ill"}, "prevalence"),
        (ROWS | {"cluster": list("ppqqrr")}, {"method": "wald"}, "cluster"),
        (ROWS | {"weight": [1, 2, 1, 1, 1, 1]}, {"method": "wald"}, "weighted"),
    ],
)
def test_a_question_outside_its_domain_is_refused(data, options, said):
    with pytest.raises(RequestError, match=said):
        sy.evaluate(data, **options)


def test_costs_need_calls():
    rows = {"truth": [0, 1], "s": [0.2, 0.7]}
    with pytest.raises(NotComparable, match="--threshold"):
        sy.evaluate(rows, positive=1, cost={"fn": 5})
    found = sy.evaluate(rows, positive=1, cost={"fn": 5}, threshold=0.5)
    assert measures(found)["expected cost"].value == 0


def test_joint_calls_take_a_positive_class_too():
    joint = sy.JointCalls.from_cells(
        {("a", ("a", "b")): 3, ("b", ("b", "b")): 2}, systems=["A", "B"]
    )
    found = sy.evaluate(joint, positive="a", prevalence=0.5)
    assert all("precision at prevalence 0.5" in {m.measure for m in s.further}
               for s in found.systems)  # fmt: skip

import numpy as np
import pytest

from steelyard.comparison.exact.independent import score_test
from steelyard.comparison.exact.many_to_one import compare_with_best, compare_with_control
from steelyard.comparison.exact.paired import mcnemar
from steelyard.counts import Outcomes, Trials
from steelyard.errors import CountsError, NotComparable, RequestError
from steelyard.uncertainty import holm

TRIALS = Trials(correct={"old": 70, "A": 85, "B": 74}, tested=100, pairing="independent")
OUTCOMES = Outcomes.from_patterns({1: 9, 3: 8, 7: 70, 0: 13, 6: 4}, systems=["A", "B", "C"])


def test_independent_systems_meet_the_control_in_score_tests():
    rows = compare_with_control(TRIALS, "old")
    plain = [score_test((x, 100), (70, 100)).p_value for x in (85, 74)]
    assert [row.p_value for row in rows] == plain
    assert tuple(row.adjusted for row in rows) == holm(plain)
    assert [row.difference for row in rows] == pytest.approx([0.15, 0.04])


def test_common_items_meet_the_control_in_paired_tests():
    rows = compare_with_control(OUTCOMES, "B")
    plain = [mcnemar(OUTCOMES.pair(name, "B")).p_value for name in ("A", "C")]
    assert [row.system for row in rows] == ["A", "C"]
    assert tuple(row.adjusted for row in rows) == holm(plain)


def test_the_family_error_holds_with_equal_systems():
    rng, wrong = np.random.default_rng(3), 0
    for _ in range(400):
        right = rng.binomial(150, 0.8, 5).tolist()
        trials = Trials(systems=list("cdefg"), correct=right, tested=150, pairing="independent")
        wrong += min(row.adjusted for row in compare_with_control(trials, "c")) < 0.05
    assert wrong / 400 < 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_limits_against_the_best_cover_together():
    rng, missed = np.random.default_rng(4), 0
    rates = np.array([0.8, 0.78, 0.7])
    truth = [rates[0] - rates[1], rates[1] - rates[0], rates[2] - rates[0]]
    for _ in range(300):
        trials = Trials(
            systems=list("ABC"),
            correct=rng.binomial(120, rates).tolist(),
            tested=120,
            pairing="independent",
        )
        rows = compare_with_best(trials)
        missed += any(not r.low <= t <= r.high for r, t in zip(rows, truth, strict=True))
    assert missed / 300 <= 0.05


def test_two_systems_get_the_interval_of_their_difference():
    two = Trials(correct={"A": 90, "B": 60}, tested=100, pairing="independent")
    one, other = compare_with_best(two)
    assert (one.low, one.high) == (-other.high, -other.low)
    assert one.may_be_best
    assert not other.may_be_best


def test_the_clear_best_is_certified_on_common_items():
    clear = Outcomes.from_patterns({1: 40, 3: 2, 7: 50, 5: 3, 0: 5}, systems=["A", "B", "C"])
    rows = {row.system: row for row in compare_with_best(clear)}
    assert rows["A"].low > 0
    assert not rows["B"].may_be_best
    assert not rows["C"].may_be_best


def test_strange_requests_are_refused():
    common = Trials(correct={"A": 4, "B": 3}, tested=5, pairing="common")
    alone = Trials(correct={"A": 4}, tested=5, pairing="independent")
    with pytest.raises(NotComparable, match="Outcomes"):
        compare_with_control(common, "A")
    with pytest.raises(NotComparable, match="at least two"):
        compare_with_best(alone)
    with pytest.raises(CountsError, match="No system"):
        compare_with_control(TRIALS, "X")
    with pytest.raises(RequestError, match="level"):
        compare_with_best(TRIALS, level=95)

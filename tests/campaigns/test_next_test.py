"""What to test next follows from how a campaign stands."""

import numpy as np
import pytest

from steelyard.campaigns.looks import Progress
from steelyard.campaigns.next_test import choose_next, top_two_shares
from steelyard.campaigns.protocol import Protocol


def common(rule, patterns, systems=("a", "b", "c")):
    progress = Progress(Protocol(systems=systems, rule=rule, step=1))
    for pattern in patterns:
        progress.count_item(pattern, 1)
    return progress


def apart(right, tested, rule="best >= 0.99"):
    systems = tuple("abcdef"[: len(right)])
    progress = Progress(Protocol(systems=systems, rule=rule, pairing="independent"))
    progress.correct, progress.tested = list(right), list(tested)
    progress.all_tested = list(tested)
    return progress


def test_on_common_items_everybody_is_asked():
    found = choose_next(common("best >= 0.99", [1, 2, 4]))
    assert found.scheme == "common items"
    assert [name for name, _ in found.shares] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("rule", "scheme"), [("racing", "racing"), ("wald-msrb(2, B)", "open pairs")]
)
def test_losers_are_not_asked(rule, scheme):
    found = choose_next(common(rule, [0b011] * 40))
    assert found.scheme == scheme
    assert [name for name, _ in found.shares] == ["a", "b"]


def test_after_the_stop_there_is_nothing_to_test():
    assert choose_next(common("n >= 2", [1, 1])).scheme == "none"


def test_two_candidates_share_what_is_tested_apart():
    progress = apart([90, 88, 40], [100, 100, 100])
    shares = top_two_shares(progress, np.random.default_rng(1))
    assert sum(shares.values()) == pytest.approx(1, abs=1e-12)
    assert shares["a"] > 0.4
    assert shares["b"] > 0.4
    assert shares["c"] < 0.02
    again = choose_next(progress)
    assert again == choose_next(progress)
    assert again.pick in ("a", "b")


def test_a_clear_leader_still_shares_with_a_challenger():
    shares = top_two_shares(apart([999, 10, 500], [1000, 1000, 1000]), np.random.default_rng(2))
    assert shares["a"] == pytest.approx(0.5, abs=0.01)
    assert shares["c"] == pytest.approx(0.5, abs=0.01)


def test_the_last_system_gets_everything():
    progress = apart([5, 5], [9, 9])
    progress.gone = [1]
    assert top_two_shares(progress, np.random.default_rng(3)) == {"a": 1.0}

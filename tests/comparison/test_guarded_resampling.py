"""Any measure of calls, with limits that allow for one unseen item or cluster."""

import numpy as np
import pytest

from steelyard.comparison import guarded_calls
from steelyard.counts import Grouped, JointCalls
from steelyard.measures import CATALOGUE, catalogue_entry
from steelyard.measures.tables.in_batches import table_measure
from steelyard.uncertainty import guarded_paired_interval

CLASSES = ("a", "b")


def joint(cells, classes=CLASSES):
    return JointCalls.from_cells(cells, systems=("S", "T"), classes=classes)


def measured(name, classes=CLASSES):
    entry = catalogue_entry(name)
    return table_measure(entry, classes, of="a" if "of" in entry.needs else None)


def held(data, name, *, draws=40_000, level=0.9, classes=CLASSES):
    rng = np.random.default_rng(3)
    return guarded_calls(
        data, measured(name, classes), ("S", "T"), rng=rng, draws=draws, level=level
    )


DATA = joint(
    {
        ("a", ("a", "a")): 20, ("a", ("a", "b")): 6, ("a", ("b", "a")): 1, ("a", ("b", "b")): 3,
        ("b", ("b", "b")): 50, ("b", ("b", "a")): 4, ("b", ("a", "b")): 2,
    }
)  # fmt: skip


def test_accuracy_and_recall_have_the_limits_of_their_closed_form():
    accuracy = held(DATA, "accuracy")
    exact = guarded_paired_interval(73, 10, 3, 0, level=0.9)
    assert (accuracy.low, accuracy.high) == pytest.approx(exact, abs=3e-3)
    recall = held(DATA, "recall")
    exact = guarded_paired_interval(23, 6, 1, 0, level=0.9)
    assert (recall.low, recall.high) == pytest.approx(exact, abs=6e-3)


BY_FORMULA = sorted(
    name
    for name, one in CATALOGUE.items()
    if one.counts == "Confusion"
    and one.formula
    and one.direction != "neither"
    and not set(one.needs) - {"of"}
)


@pytest.mark.parametrize("name", BY_FORMULA)
def test_two_systems_that_always_agree_are_never_known_to_be_the_same(name):
    same = joint({("a", ("a", "a")): 30, ("a", ("b", "b")): 5, ("b", ("b", "b")): 40,
                  ("b", ("a", "a")): 5})  # fmt: skip
    found = held(same, name, draws=2000)
    assert found.low < 0 < found.high


def test_an_undefined_value_leaves_no_limits():
    silent = joint({("a", ("b", "a")): 5, ("b", ("b", "b")): 5})
    found = held(silent, "precision", draws=500)
    assert found.values == (None, 1.0)
    assert found.low is None


def test_with_a_single_class_nobody_can_err_and_there_are_no_limits():
    alone = joint({("a", ("a", "a")): 5}, classes=("a",))
    found = held(alone, "F1", draws=500, classes=("a",))
    assert (found.low, found.high) == (None, None)


def test_of_several_classes_the_unseen_item_lies_where_it_harms_most():
    # Class c has 2 items: one error there costs macro recall 1/9, elsewhere 1/153.
    cells = {(k, (k, k)): n for k, n in (("a", 50), ("b", 50), ("c", 2))}
    found = held(joint(cells, classes=("a", "b", "c")), "macro recall", classes=("a", "b", "c"))
    # E/(E + Gamma(2)) is Beta(1, 2), a third of it counts: exact quantile of 1 - sqrt(0.05)
    assert found.low == pytest.approx(-(1 - 0.05**0.5) / 3, abs=5e-3)


def test_clusters_get_the_weights_and_one_cluster_is_unseen():
    parts = {str(g): joint({("a", ("a", "a")): 4, ("b", ("b", "b")): 4}) for g in range(10)}
    found = held(Grouped.from_parts("patient", parts), "accuracy")
    # All of the unseen cluster is lost: Beta(1, 10), Clopper and Pearson's for 0 of 10 clusters
    assert found.low == pytest.approx(-(1 - 0.05**0.1), abs=5e-3)

"""Informedness and markedness: differences of shares, with Newcombe's interval."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Confusion
from steelyard.measures import balanced_accuracy, informedness, markedness, mcc
from steelyard.uncertainty import newcombe_interval

cell = st.integers(1, 30)


@given(cell, cell, cell, cell)
def test_both_are_differences_of_shares_of_different_items(tp, fp, fn, tn):
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    for found, first, second in (
        (informedness(table, of="positive"), (tp, tp + fn), (fp, fp + tn)),
        (markedness(table, of="positive"), (tp, tp + fp), (fn, fn + tn)),
    ):
        assert found.value == pytest.approx(first[0] / first[1] - second[0] / second[1], abs=1e-12)
        ends = found.interval.low, found.interval.high
        assert ends == pytest.approx(newcombe_interval(first, second), abs=1e-12)


@given(cell, cell, cell, cell)
def test_informedness_is_balanced_accuracy_on_another_scale_and_with_markedness_gives_mcc(
    tp, fp, fn, tn
):
    table = Confusion.from_binary(tp=tp, fp=fp, fn=fn, tn=tn)
    informed = informedness(table, of="positive").value
    assert informed == pytest.approx(2 * balanced_accuracy(table).value - 1, abs=1e-12)
    product = informed * markedness(table, of="positive").value
    assert mcc(table).value ** 2 == pytest.approx(product, abs=1e-12)


def test_mirroring_the_classes_changes_nothing():
    table = Confusion.from_binary(tp=8, fp=3, fn=2, tn=19)
    for measure in (informedness, markedness):
        one, two = measure(table, of="positive"), measure(table, of="negative")
        assert one.value == pytest.approx(two.value, abs=1e-15)
        assert one.interval.low == pytest.approx(two.interval.low, abs=1e-15)


def test_perfect_systems_have_width_and_lost_sides_a_reason():
    perfect = Confusion.from_binary(tp=10, fp=0, fn=0, tn=10)
    for measure in (informedness, markedness):
        found = measure(perfect, of="positive")
        assert (found.value, found.interval.high) == (1, 1)
        assert found.interval.low < 1
    alone = Confusion.from_binary(tp=3, fp=0, fn=2, tn=0)
    assert "every item is truly 'positive'" in informedness(alone, of="positive").reason
    never = Confusion.from_binary(tp=0, fp=0, fn=2, tn=9)
    assert "no item was called 'positive'" in markedness(never, of="positive").reason

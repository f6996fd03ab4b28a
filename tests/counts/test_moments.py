"""Sums of a number for each item are exact, whatever the order, the shards and the engine."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steelyard.counts import Moments, ValueTable
from steelyard.counts.grids import Grid, Span
from steelyard.errors import CountsError
from steelyard.results.codec import from_plain, to_plain

FLOATS = st.builds(
    lambda steps, power: steps * 2.0**power, st.integers(-(2**53), 2**53), st.integers(-70, 10)
)
DECIMALS = st.integers(-(10**8), 10**8).map(lambda steps: steps / 1000)
COLUMNS = st.lists(st.tuples(FLOATS, FLOATS), min_size=2, max_size=30)


def exact(values: list[float]) -> list[Fraction]:
    """The binary numbers themselves, as Python's own fractions."""
    return [Fraction(value) for value in values]


@given(COLUMNS)
@settings(max_examples=60, deadline=None)
def test_sums_and_products_equal_those_of_rational_arithmetic(rows: list[Any]) -> None:
    # 1/3 makes the grid binary, so that every value is the floating-point number that it is.
    first, second = ([*column, 1 / 3] for column in zip(*rows, strict=True))
    found = Moments.from_arrays({"A": first, "B": second})
    one, two = exact(first), exact(second)
    assert found.sum_of("A") == sum(one)
    assert found.product(0, 1) == sum(a * b for a, b in zip(one, two, strict=True))
    assert found.product(1, 1) == sum(b * b for b in two)


@given(st.lists(st.tuples(DECIMALS, DECIMALS), min_size=2, max_size=30))
@settings(max_examples=60, deadline=None)
def test_decimals_are_summed_as_what_was_written(rows: list[Any]) -> None:
    first, second = (list(column) for column in zip(*rows, strict=True))
    found = Moments.from_arrays({"A": first, "B": second})
    one, two = ([Fraction(repr(value)) for value in column] for column in (first, second))
    assert found.sum_of("A") == sum(one)
    assert found.product(0, 1) == sum(a * b for a, b in zip(one, two, strict=True))


@given(st.one_of(st.lists(FLOATS, min_size=3, max_size=20), st.lists(DECIMALS, min_size=3)))
@settings(max_examples=60, deadline=None)
def test_shards_are_added_in_any_order_without_error(values: list[float]) -> None:
    parts = [Moments.from_arrays({"A": [one, 1 / 3], "B": [-one, 1 / 7]}) for one in values]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    turned = parts[-1]
    for part in parts[-2::-1]:
        turned = part + turned
    assert whole == turned
    assert whole.items == 2 * len(values)


def test_a_constant_difference_of_decimals_has_no_spread_at_all() -> None:
    first = [0.3, 0.4, 0.5, 0.7]
    found = Moments.from_arrays({"A": first, "B": [round(x - 0.1, 1) for x in first]}).linearised()
    assert found.variance_of_difference("A", "B") == 0
    assert found.difference("A", "B") == 0.1


def test_large_values_that_differ_by_one_keep_their_spread() -> None:
    found = Moments.from_arrays({"A": [1e9 + 1, 1e9 + 2, 1e9 + 3]}).linearised()
    assert found.variance("A") == 1.0


def test_a_ratio_is_linearised_as_by_hand() -> None:
    errors, words = [1, 0, 2, 1], [10, 8, 12, 10]
    found = Moments.from_arrays({"A": errors}, per={"words": words}).linearised()
    ratio = Fraction(4, 40)
    squares = sum((x - ratio * w) ** 2 for x, w in zip(errors, words, strict=True))
    assert found.values == (ratio,)
    assert found.covariances[0][0] == squares / 3 / Fraction(10) ** 2


def test_each_system_may_have_a_denominator_of_its_own() -> None:
    moments = Moments.from_arrays(
        {"A": [1, 2, 3], "B": [2, 2, 5]}, per={"a": [4, 5, 6], "b": [7, 8, 10]}
    )
    found = moments.linearised()
    assert (found.value("A"), found.value("B")) == (0.4, 0.36)
    assert moments.only(["B"]).linearised().variance("B") == found.variance("B")


def test_sums_survive_json() -> None:
    moments = Moments.from_arrays({"A": [0.1, 1 / 3], "B": [2, 5]}, per={"w": [3, 4.5]})
    assert from_plain(Moments, to_plain(moments)) == moments
    table = ValueTable.from_values([1.5, 1.5, 7])
    assert from_plain(ValueTable, to_plain(table)) == table


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"items": 0}, "no-items"),
        ({"sums": (7,)}, "lengths-differ"),
        ({"sums": (90, 4)}, "sums-contradict"),
        ({"products": (1, 1, 1)}, "sums-contradict"),
        ({"systems": ()}, "no-systems"),
        ({"least": (float("nan"), 1.0)}, "sums-contradict"),
    ],
)
def test_sums_that_contradict_one_another_are_refused(changed: dict[str, Any], code: str) -> None:
    good = {
        "systems": ("A", "B"), "items": 2, "scale": 1, "sums": (3, 4), "products": (5, 6, 8),
        "least": (1.0, 2.0), "largest": (2.0, 2.0),
    }  # fmt: skip
    assert Moments(**good).mean("A") == 1.5
    with pytest.raises(CountsError) as refused:
        Moments(**(good | changed))
    assert refused.value.code == code


@pytest.mark.parametrize("bad", [[1, float("nan")], [1, float("inf")], [1, 1e200], [[1], [2]]])
def test_arrays_that_hold_no_finite_numbers_are_refused(bad: list[Any]) -> None:
    with pytest.raises(CountsError):
        Moments.from_arrays({"A": bad})


def test_other_systems_are_not_added() -> None:
    with pytest.raises(CountsError, match="cannot be added"):
        Moments.from_arrays({"A": [1, 2]}) + Moments.from_arrays({"B": [1, 2]})


def test_values_far_apart_are_cut_where_no_digit_of_the_sum_can_tell() -> None:
    found = Moments.from_arrays({"A": [1e90, 1e-90, 1 / 3]})
    assert found.mean("A") == pytest.approx(1e90 / 3, rel=1e-15)


def test_the_coarsest_decimal_steps_are_taken() -> None:
    assert Grid.of(Span.of(np.array([3.0, 5.0]))).digits == 0
    assert Grid.of(Span.of(np.array([0.25]))).digits == 3
    assert Grid.of(Span.of(np.array([1e-9]))).digits == 9
    assert Grid.of(Span.of(np.array([np.pi]))).digits is None


def test_quantiles_of_a_table_are_those_of_its_items() -> None:
    table = ValueTable.from_values(np.arange(1, 101.0))
    assert (table.quantile(0.5), table.quantile(0.95), table.total) == (50.0, 95.0, 100)
    assert (table + table).counts.sum() == 200

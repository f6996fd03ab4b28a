"""Paired differences: quoted tables, the score equation, identical systems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.special import xlogy
from statsmodels.stats.contingency_tables import mcnemar

from steelyard.errors import CountsError, RequestError
from steelyard.uncertainty import (
    PAIRED_DIFFERENCE_INTERVALS,
    bonett_price_interval,
    newcombe_paired_interval,
    normal_quantile,
    paired_difference_interval,
    paired_wald_interval,
    tango_interval,
)

cell = st.integers(0, 40)
tables = st.tuples(cell, cell, cell, cell).filter(any)

# Method 10 to four decimals, attributed to table III of Newcombe (1998), Statistics in Medicine 17,
# 2635-2650, in the test suites of other packages; the paper itself was not at hand.
METHOD_10 = {
    (36, 12, 2, 0): (0.0569, 0.3404),
    (20, 12, 2, 16): (0.0562, 0.3292),
    (18, 12, 2, 18): (0.0562, 0.3290),
    (36, 14, 0, 0): (0.1528, 0.4167),
    (35, 14, 0, 1): (0.1461, 0.4175),
    (18, 14, 0, 18): (0.1441, 0.3963),
    (2, 97, 1, 0): (0.8721, 0.9854),
    (1, 97, 1, 1): (0.8736, 0.9850),
    (0, 29, 1, 0): (0.6666, 0.9882),
    (2, 98, 0, 0): (0.9178, 0.9945),
    (1, 98, 0, 1): (0.9171, 0.9916),
    (0, 30, 0, 0): (0.8395, 1.0),
    (54, 0, 0, 0): (-0.0664, 0.0664),
    (53, 0, 0, 1): (-0.0729, 0.0729),
    (30, 0, 0, 24): (-0.0358, 0.0358),
}


@pytest.mark.parametrize(("cells", "limits"), METHOD_10.items())
def test_newcombe_table_iii_is_reproduced(cells, limits):
    # One printed digit is cut instead of rounded, so the tolerance is one unit of the last place.
    assert newcombe_paired_interval(*cells) == pytest.approx(limits, abs=1e-4)


def test_published_limits_of_the_airway_example_are_reproduced():
    # Fagerland, Lydersen & Laake (2014), Statistics in Medicine 33, 2850-2875, table V.
    assert tango_interval(1, 1, 7, 12) == pytest.approx((-0.517, -0.026), abs=5e-4)
    assert newcombe_paired_interval(1, 1, 7, 12) == pytest.approx((-0.507, -0.026), abs=5e-4)


def test_bonett_price_agrees_with_statpsych():
    # R package statpsych, help page of ci.prop.ps(.05, 12, 4, 26, 6), seven decimals.
    limits = bonett_price_interval(both=6, first=26, second=4, neither=12)
    assert limits == pytest.approx((0.2548067, 0.6251933), abs=5e-8)


@given(tables)
def test_wald_is_the_textbook_formula_on_the_items_themselves(cells):
    both, first, second, neither = cells
    items = np.repeat([0, 1, -1, 0], cells)
    half = normal_quantile(0.95) * items.std() / np.sqrt(items.size)
    low, high = paired_wald_interval(both, first, second, neither)
    assert low == pytest.approx(max(-1, items.mean() - half), abs=1e-12)
    assert high == pytest.approx(min(1, items.mean() + half), abs=1e-12)


@given(tables)
def test_tango_limits_solve_their_equation_with_a_searched_likelihood(cells):
    _, first, second, _ = cells
    n = sum(cells)
    for limit, inner in zip(
        tango_interval(*cells, level=0.9), (second < n, first < n), strict=True
    ):
        if not inner:
            continue

        def loss(q, d=limit):
            rest = max(0.0, 1 - 2 * q - d)
            return -float(
                xlogy(second, q) + xlogy(first, max(0.0, q + d)) + xlogy(n - first - second, rest)
            )

        bounds = (max(0.0, -limit), (1 - limit) / 2)
        q = minimize_scalar(loss, bounds=bounds, method="bounded", options={"xatol": 1e-13}).x
        gap = (first - second - n * limit) ** 2
        variance = n * (2 * q + limit * (1 - limit))
        z2 = normal_quantile(0.9) ** 2
        assert gap == pytest.approx(z2 * variance, rel=1e-5, abs=1e-6 * n)


@given(st.integers(1, 10**6), st.sampled_from([0.5, 0.95, 0.999]))
def test_identical_systems_get_the_closed_form_and_not_zero_width(n, level):
    z2 = normal_quantile(level) ** 2
    low, high = tango_interval(n, 0, 0, 0, level=level)
    assert high == pytest.approx(z2 / (n + z2), rel=1e-12)
    assert low == pytest.approx(-high, rel=1e-12)


@pytest.mark.parametrize("method", ["tango", "newcombe-paired", "bonett-price"])
@given(agreeing=st.tuples(cell, cell).filter(any))
def test_systems_without_discordant_items_keep_an_interval_around_zero(method, agreeing):
    low, high = paired_difference_interval(agreeing[0], 0, 0, agreeing[1], method=method)
    assert low < 0 < high


@pytest.mark.parametrize("method", sorted(PAIRED_DIFFERENCE_INTERVALS))
@given(cells=tables)
def test_swapping_the_systems_flips_the_sign(method, cells):
    both, first, second, neither = cells
    low, high = paired_difference_interval(*cells, method=method)
    swapped = paired_difference_interval(both, second, first, neither, method=method)
    assert (-high, -low) == pytest.approx(swapped, abs=1e-11)


@pytest.mark.parametrize("method", ["tango", "newcombe-paired", "wald"])
@given(cells=tables)
def test_the_interval_holds_the_estimate(method, cells):
    low, high = paired_difference_interval(*cells, method=method)
    estimate = (cells[1] - cells[2]) / sum(cells)
    assert -1 <= low <= estimate + 1e-12
    assert estimate - 1e-12 <= high <= 1


@given(tables)
def test_tango_holds_zero_exactly_when_mcnemars_asymptotic_test_does_not_reject(cells):
    both, first, second, neither = cells
    low, high = tango_interval(*cells)
    if first + second == 0:
        assert low < 0 < high
        return
    p = mcnemar([[both, first], [second, neither]], exact=False, correction=False).pvalue
    assert (low <= 0 <= high) == (p >= 0.05)


def test_empty_and_impossible_tables_are_refused():
    for interval in PAIRED_DIFFERENCE_INTERVALS.values():
        with pytest.raises(CountsError, match="empty"):
            interval(0, 0, 0, 0)
        with pytest.raises(CountsError, match="first=-1"):
            interval(3, -1, 0, 0)
        with pytest.raises(RequestError):
            interval(3, 1, 0, 0, level=95)

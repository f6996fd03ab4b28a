"""Rows left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import Exclusion, merge_exclusions
from steelyard.errors import CountsError

exclusions = st.lists(
    st.builds(
        Exclusion,
        reason=st.sampled_from(["no truth", "NaN score"]),
        rows=st.integers(0, 10),
        system=st.sampled_from([None, "A", "B"]),
    )
)


@given(exclusions, exclusions)
def test_exclusions_add_up_in_any_order(one, two):
    merged = merge_exclusions(one, two)
    assert merged == merge_exclusions(two, one) == merge_exclusions(merge_exclusions(one), two)
    assert sum(e.rows for e in merged) == sum(e.rows for e in (*one, *two))
    assert len({(e.reason, e.system) for e in merged}) == len(merged)


@pytest.mark.parametrize(
    "wrong",
    [{"rows": -1}, {"rows": 1.5}, {"reason": ""}, {"reason": None}, {"system": ""}, {"system": 3}],
)
def test_exclusions_without_sense_are_refused(wrong):
    with pytest.raises(CountsError):
        Exclusion(**{"reason": "no truth", "rows": 1} | wrong)


def test_an_exclusion_says_itself():
    assert str(Exclusion(reason="no truth", rows=np.int64(1))) == "1 row left out: no truth"
    assert str(Exclusion(reason="no truth", rows=2, system="A")) == "2 rows of A left out: no truth"

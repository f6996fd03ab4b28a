"""Distinct scores against counting them one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from steelyard.errors import CountsError
from steelyard.tally.kernels.scores import score_counts

values = hnp.arrays(
    st.sampled_from([np.float64, np.float32, np.float16, np.int64, np.uint8, np.bool_]),
    st.integers(0, 30),
    elements=None,
).filter(lambda a: a.dtype.kind != "f" or not np.isnan(a).any())
few = st.lists(st.sampled_from([-np.inf, -0.0, 0.0, 0.5, np.inf]), max_size=30).map(np.array)


def plain(positive, scores):
    seen = Counter((float(score), bool(one)) for one, score in zip(positive, scores, strict=True))
    distinct = sorted({score for score, _ in seen})
    return distinct, [seen[s, True] for s in distinct], [seen[s, False] for s in distinct]


@given(st.one_of(values, few), st.data())
def test_counts_equal_those_of_plain_python(scores, data):
    if scores.dtype == np.int64:
        scores = scores % 1000
    positive = data.draw(hnp.arrays(np.bool_, scores.size))
    found = score_counts(positive, scores)
    assert tuple(column.tolist() for column in found) == plain(positive, scores)
    assert found[0].dtype == np.float64
    assert not np.signbit(found[0][found[0] == 0]).any()


@pytest.mark.parametrize("scores", [[0.1, np.nan], [2**53 + 1, 0], ["a", "b"], [1j, 0]])
def test_what_has_no_exact_rank_is_refused(scores):
    with pytest.raises(CountsError):
        score_counts(np.array([True, False]), np.array(scores))
